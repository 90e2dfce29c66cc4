/// <reference lib="dom" />
/// <reference lib="dom.iterable" />
// The one script of all console pages. The server renders; this sends what people do and shows the result.

import { queuePresses } from './queue.ts';
import { reviewPresses } from './reviews.ts';
import { hush, query, type Reply, say, send } from './send.ts';

const dialog = query<HTMLDialogElement>('#dialog');

/** Replaces an element's content. Keeps the focus on the same button, and open details open. */
function redraw(element: Element, html: string): void {
  const focused = document.activeElement?.getAttribute('data-do');
  const open = [...element.querySelectorAll('details')].map((one) => one.open);
  element.innerHTML = html;
  const details = element.querySelectorAll('details');
  if (details.length === open.length)
    for (const [index, one] of details.entries()) one.open = open[index] ?? false;
  if (focused) query<HTMLElement>(`[data-do="${focused}"]`, element)?.focus();
}

/** Names of the local machine. Cookies belong to one name, so a session that began under another name is unknown here: go there. */
const OWN_NAME = /^(?:localhost|127\.[\d.]+|\[::1\])$/;
const home = query<HTMLElement>('[data-home]')?.dataset.home ?? '';
if (OWN_NAME.test(home) && OWN_NAME.test(location.hostname) && home !== location.hostname) {
  const there = new URL(location.href);
  there.hostname = home;
  location.replace(there);
}

/** Shows the reply to an action on a verdict: a message, the verdict redrawn, a form to fill in. */
function show({ said: text, html, dialog: form }: Reply, verdict: Element | null): void {
  if (text !== undefined) say(text);
  if (html !== undefined && html !== '' && verdict !== null) redraw(verdict, html);
  if (dialog === null) return;
  if (typeof form === 'string') {
    dialog.innerHTML = form;
    if (!dialog.open) dialog.showModal();
  } else dialog.close();
}

/** Holds the views of this page's request. */
const answer = query<HTMLElement>('#answer');
const question = query<HTMLFormElement>('#question');
const streams = new Map<string, EventSource>();

/** Shows every state of a view as it changes. Browsers reconnect by themselves when the connection is lost. */
function follow(element: HTMLElement): void {
  const { view = '', n = '0', settled } = element.dataset;
  // Browsers allow only a few streams per host, so views that are final get none.
  if (view === '' || settled !== undefined || streams.has(view)) return;
  const stream = new EventSource(`/ui/views/${view}/events?after=${n}`);
  streams.set(view, stream);
  stream.onmessage = ({ data, lastEventId }: MessageEvent<string>) => {
    const {
      html,
      canAsk,
      settled: isFinal,
    }: { html: string; canAsk: boolean; settled: boolean } = JSON.parse(data);
    redraw(element, html);
    element.dataset.n = lastEventId;
    if (isFinal) {
      stream.close();
      streams.delete(view);
    }
    if (canAsk && question !== null && element === answer?.firstElementChild) question.hidden = false;
  };
}

function addView(view: string): void {
  const element = document.createElement('div');
  element.className = 'view';
  element.dataset.view = view;
  answer?.append(element);
  follow(element);
}

for (const element of document.querySelectorAll<HTMLElement>('.view[data-view]')) follow(element);

function stopFollowing(): void {
  for (const stream of streams.values()) stream.close();
  streams.clear();
}

const ask = query<HTMLFormElement>('#ask');
const paste = query<HTMLTextAreaElement>('#paste');
const understood = query<HTMLElement>('#understood');

/** The judging options chosen in the form; those left at their default are absent. */
function wish(): Record<string, unknown> {
  if (ask === null) return {};
  const form = new FormData(ask);
  const textOf = (name: string) => String(form.get(name) ?? '');
  const panel = form.getAll('panel').map(String);
  return {
    ...(textOf('rubric') === '' ? {} : { rubric: textOf('rubric') }),
    ...(textOf('method') === '' ? {} : { method: textOf('method') }),
    ...(textOf('models') === '' ? {} : { models: [textOf('models')] }),
    ...(panel.length === 0 ? {} : { panel }),
  };
}

let typed: ReturnType<typeof setTimeout> | undefined;
let newest = 0;

/** Refreshes the preview shortly after the last keystroke. */
function understand(): void {
  clearTimeout(typed);
  typed = setTimeout(async () => {
    newest += 1;
    const sentAs = newest;
    const reply = await send('/ui/parse', { text: paste?.value ?? '', ...wish() });
    if (reply?.html !== undefined && understood !== null && sentAs === newest)
      understood.innerHTML = reply.html;
  }, 150);
}

paste?.addEventListener('input', understand);
ask?.addEventListener('change', understand);
if (paste !== null && paste.value !== '') understand();

/** Requests a verdict, or an answer to a question about one. @returns the id of its view; null if that failed */
async function request(body: Record<string, unknown>): Promise<string | null> {
  const reply = await send('/ui/requests', { key: crypto.randomUUID(), ...body });
  return reply?.view ?? null;
}

ask?.addEventListener('submit', async (event) => {
  event.preventDefault();
  const text = paste?.value ?? '';
  if (text.trim() === '') {
    say('Paste what the user said and what the system answered.');
    paste?.focus();
    return;
  }
  hush();
  const view = await request({ text, ...wish(), again: ask.dataset.again ?? null });
  if (view === null || answer === null) return;
  stopFollowing();
  answer.replaceChildren();
  answer.dataset.view = view;
  if (question !== null) question.hidden = true;
  history.pushState(null, '', `/requests/${view}`);
  addView(view);
});

question?.addEventListener('submit', async (event) => {
  event.preventDefault();
  const about = query<HTMLInputElement>('#about');
  const below = answer?.dataset.view;
  if (about === null || about.value.trim() === '' || below === undefined) return;
  const view = await request({ text: about.value, below });
  if (view === null) return;
  about.value = '';
  addView(view);
});

// Each request has its own address and page, which going back or forward has to load.
addEventListener('popstate', () => location.reload());

/** The verdict that a form in the dialog is about. */
let about: Element | null = null;

/** What each button does, by its `data-do`. */
const presses: Readonly<Record<string, (button: HTMLElement) => Promise<void> | void>> = {
  ...queuePresses,
  ...reviewPresses,
  try: (button) => {
    if (paste === null) return;
    paste.value = button.dataset.paste ?? '';
    paste.focus();
    understand();
  },
  stop: async (button) => {
    await send('/ui/stop', { request: button.dataset.id });
  },
  choose: async (button) => {
    const { id, choice } = button.dataset;
    const reply = await send('/ui/choose', { draft: id, choice });
    const view = button.closest<HTMLElement>('.view');
    if (reply === null || view === null) return;
    delete view.dataset.settled;
    follow(view);
  },
  copy: async (button) => {
    await navigator.clipboard.writeText(new URL(button.dataset.link ?? '', location.href).href);
    say('The link is copied.');
  },
  answer: (button) => vote(button, { answer: JSON.parse(button.dataset.answer ?? 'null') }),
  agree: (button) => vote(button, { value: 'agree' }),
  disagree: (button) => vote(button, { value: 'disagree' }),
  unsure: (button) => vote(button, { value: 'unsure' }),
  retract: (button) => vote(button, { value: null }),
  right: (button) => openForm(button, 'correct'),
  correct: (button) => openForm(button, 'correct'),
  rule: (button) => openForm(button, 'rule'),
  'add-to-set': (button) => openForm(button, 'set'),
  'ask-model': (button) => go(`/ui/verdicts/${button.dataset.id}/ask-model`),
  'with-it': (button) => go(`/ui/verdicts/${button.dataset.id}/with-it`),
  'sign-out': () => {
    // The page stays until the next one has loaded. What it asked for meanwhile would be refused.
    clearTimeout(typed);
    stopFollowing();
    return go('/ui/sign-out');
  },
  close: () => dialog?.close(),
};

/** Opens a form about a verdict in the dialog. */
async function openForm(button: HTMLElement, what: string): Promise<void> {
  about = button.closest('.view');
  const reply = await send(`/ui/verdicts/${button.dataset.id}/${what}`);
  if (reply !== null) show(reply, null);
}

/** Sends an action, then goes to the page that the reply names. */
async function go(path: string): Promise<void> {
  const reply = await send(path, {});
  if (reply?.goTo !== undefined) location.assign(reply.goTo);
}

/** On a verdict's own page, asks for the whole page: an answer can reveal more than the card. */
const wholeOf = (element: Element | null): string => (element?.hasAttribute('data-whole') ? '?whole' : '');

async function vote(button: HTMLElement, body: object): Promise<void> {
  about = button.closest('.view');
  const reply = await send(`/ui/verdicts/${button.dataset.id}/vote${wholeOf(about)}`, body);
  if (reply !== null) show(reply, about);
}

document.addEventListener('click', (event) => {
  // A double click must not submit twice.
  if (event.detail > 1 && event.target instanceof Element && event.target.closest('[type=submit]') !== null)
    return event.preventDefault();
  const button = event.target instanceof Element ? event.target.closest<HTMLElement>('[data-do]') : null;
  if (button === null) return;
  void presses[button.dataset.do ?? '']?.(button);
});

// Escape closes an open reason until the pointer or the focus leaves its cell.
document.addEventListener('keydown', ({ key }) => {
  if (key !== 'Escape') return;
  for (const cell of document.querySelectorAll('.cell:is(:hover, :focus-within)')) cell.classList.add('shut');
});
for (const leaving of ['mouseout', 'focusout'])
  document.addEventListener(leaving, ({ target }) => {
    if (target instanceof Element) target.closest('.cell')?.classList.remove('shut');
  });

dialog?.addEventListener('submit', async (event) => {
  event.preventDefault();
  const form = event.target;
  if (!(form instanceof HTMLFormElement)) return;
  const filledIn: Record<string, string[]> = {};
  // FormData omits lists with nothing chosen, but an empty list is an answer, too.
  for (const { name } of form.querySelectorAll<HTMLInputElement>('[name]')) filledIn[name] ??= [];
  for (const [name, value] of new FormData(form)) filledIn[name]?.push(String(value));
  const reply = await send(`${form.dataset.send ?? ''}${wholeOf(about)}`, filledIn);
  if (reply !== null) show(reply, about);
});
