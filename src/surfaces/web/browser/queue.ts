/// <reference lib="dom" />
/// <reference lib="dom.iterable" />
import { query, say, send } from './send.ts';

const queue = query<HTMLElement>('#queue');
const left = query<HTMLElement>('#queue-left');
const undo = query<HTMLElement>('#queue-undo');

/** How long an answer can be taken back before it is sent. */
const KEPT_MS = 6_000;
/** Below this number of cases on the page, more are fetched. */
const FEW = 4;

/** Ids of the cases that are on the page or have been answered or skipped. */
const seenIds = new Set<string>();
let waiting = Number(queue?.dataset.waiting ?? 0);
let isFetching = false;

/** The last answer, which can still be taken back. */
let pending: {
  id: string;
  vote: unknown;
  element: HTMLElement;
  timer: ReturnType<typeof setTimeout>;
} | null = null;

const cases = (): HTMLElement[] => [...(queue?.querySelectorAll<HTMLElement>('[data-case]') ?? [])];
const current = (): HTMLElement | undefined => cases().find(({ hidden }) => !hidden);

for (const { dataset } of cases()) seenIds.add(dataset.case ?? '');

function showLeft(): void {
  if (left !== null)
    left.textContent =
      waiting === 0
        ? 'No verdict needs your vote.'
        : `${waiting} ${waiting === 1 ? 'verdict needs' : 'verdicts need'} your vote.`;
}

/** Fetches the next cases before the page runs out of them. */
async function fetchMore(): Promise<void> {
  if (queue === null || isFetching || cases().length >= FEW) return;
  isFetching = true;
  const reply = await send('/ui/queue', { blind: queue.dataset.blind, without: [...seenIds] });
  isFetching = false;
  for (const { id, html } of reply?.items ?? []) {
    if (seenIds.has(id)) continue;
    seenIds.add(id);
    const element = document.createElement('article');
    element.className = 'card';
    element.dataset.case = id;
    element.hidden = current() !== undefined;
    element.innerHTML = html;
    queue.append(element);
  }
}

function next(): void {
  const [first] = cases();
  if (first === undefined) return;
  first.hidden = false;
  query<HTMLElement>('button', first)?.focus();
}

/** Sends the last answer. @param keepalive whether the request outlives the page */
async function sendPending(keepalive = false): Promise<void> {
  if (pending === null) return;
  const { id, vote, timer, element } = pending;
  clearTimeout(timer);
  pending = null;
  if (undo !== null) undo.hidden = true;
  const reply = await send(`/ui/queue/${id}`, vote, keepalive);
  if (reply === null) putBack(element);
  if (reply?.said !== undefined) say(reply.said);
}

function answer(button: HTMLElement): void {
  const element = current();
  if (element === undefined) return;
  void sendPending();
  const vote: unknown = JSON.parse(button.dataset.vote ?? 'null');
  const timer = setTimeout(() => void sendPending(), KEPT_MS);
  pending = { id: element.dataset.case ?? '', vote, element, timer };
  if (undo !== null) undo.hidden = false;
  waiting -= 1;
  leave(element);
}

function leave(element: HTMLElement): void {
  element.remove();
  showLeft();
  next();
  void fetchMore();
}

/** Shows a case again whose answer was taken back or could not be sent. */
function putBack(case_: HTMLElement): void {
  for (const element of cases()) element.hidden = true;
  queue?.prepend(case_);
  case_.hidden = false;
  waiting += 1;
  showLeft();
  next();
}

function takeBack(): void {
  if (pending === null) return;
  clearTimeout(pending.timer);
  const { element } = pending;
  pending = null;
  if (undo !== null) undo.hidden = true;
  putBack(element);
}

addEventListener('pagehide', () => void sendPending(true));

document.addEventListener('keydown', (event) => {
  // It is hidden while a person checks answers.
  if (queue === null || queue.closest('[hidden]') !== null || event.ctrlKey || event.metaKey || event.altKey)
    return;
  if (event.target instanceof HTMLElement && event.target.matches('input, textarea, select')) return;
  const key = event.key.toLowerCase();
  const button =
    key === 'z' ? undo : query<HTMLElement>(`[data-key="${CSS.escape(key)}"]`, current() ?? queue);
  if (button === null || button.hidden) return;
  event.preventDefault();
  button.click();
});

/** What the queue's buttons do, by their `data-do`. */
export const queuePresses: Readonly<Record<string, (button: HTMLElement) => void>> = {
  'queue-vote': answer,
  'queue-skip': () => {
    const element = current();
    if (element !== undefined) leave(element);
    if (current() === undefined && waiting > 0)
      say('That was the last one. Reload the page to see those that you skipped.');
  },
  'queue-undo': takeBack,
};
