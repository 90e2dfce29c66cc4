/// <reference lib="dom" />
/// <reference lib="dom.iterable" />
import { query, say, send } from './send.ts';

const reviews = query<HTMLElement>('#reviews');
const votes = query<HTMLElement>('#votes');

/** How long an answer is shown before it can be answered, so that the second click of two does not answer the next one unseen. */
const UNSEEN_MS = 400;

let isSending = false;
let fresh: ReturnType<typeof setTimeout> | undefined;

const isChecking = (): boolean => query('[data-offer]', reviews ?? undefined) !== null;

/** Shows what is next instead of what was there. The verdicts that need votes come back when there is nothing left to check. */
function show(html: string): void {
  if (reviews === null) return;
  reviews.innerHTML = html;
  reviews.dataset.fresh = '';
  clearTimeout(fresh);
  fresh = setTimeout(() => delete reviews.dataset.fresh, UNSEEN_MS);
  if (votes !== null) votes.hidden = isChecking();
  query<HTMLElement>('#review-title[tabindex]', reviews)?.focus();
}

/** Sends what a button stands for. What is pressed while that is under way, or too early to have been read, does nothing. */
async function press(button: HTMLElement): Promise<void> {
  if (isSending || reviews?.dataset.fresh !== undefined) return;
  isSending = true;
  const pressed: unknown = JSON.parse(button.dataset.press ?? 'null');
  const reply = await send('/ui/reviews', pressed);
  isSending = false;
  if (reply?.html !== undefined) show(reply.html);
  if (reply?.said !== undefined) say(reply.said);
}

document.addEventListener('keydown', (event) => {
  if (reviews === null || event.repeat || event.ctrlKey || event.metaKey || event.altKey) return;
  if (event.target instanceof HTMLElement && event.target.matches('input, textarea, select')) return;
  const button = query<HTMLElement>(`[data-key="${CSS.escape(event.key)}"]`, reviews);
  if (button === null) return;
  event.preventDefault();
  button.click();
});

/** What the buttons about answers to check do, by their `data-do`. */
export const reviewPresses: Readonly<Record<string, (button: HTMLElement) => Promise<void>>> = {
  review: press,
};
