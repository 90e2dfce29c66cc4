/// <reference lib="dom" />
/// <reference lib="dom.iterable" />
/** The first element that matches a selector; null if there is none. */
export const query = <E extends Element>(selector: string, within: ParentNode = document): E | null =>
  within.querySelector<E>(selector);

const statusLine = query<HTMLElement>('#said');
let saidFor: ReturnType<typeof setTimeout> | undefined;

/** Shows a message for 8 s and announces it to screen readers. */
export function say(text: string): void {
  if (statusLine === null) return;
  statusLine.textContent = text;
  clearTimeout(saidFor);
  saidFor = setTimeout(hush, 8_000);
}

/** Clears the message. */
export function hush(): void {
  if (statusLine !== null) statusLine.textContent = '';
}

/** The server's reply to an action. */
export interface Reply {
  said?: string;
  /** The part of the page to show now, such as the verdict. */
  html?: string;
  /** A form to show in the dialog; without one, the dialog closes. */
  dialog?: string | null;
  view?: string;
  goTo?: string;
  /** More cases for the queue, and how many are waiting in all. */
  items?: { id: string; html: string }[];
  waiting?: number;
}

/**
 * Sends an action, or fetches a part of the page if there is no body. Shows a message if that fails.
 * @param keepalive whether the request outlives the page
 * @returns null if it failed
 */
export async function send(path: string, body?: unknown, keepalive = false): Promise<Reply | null> {
  const options: RequestInit =
    body === undefined
      ? {}
      : {
          method: 'POST',
          // Only the console's own pages can send x-jury-page.
          headers: { 'content-type': 'application/json', 'x-jury-page': '1' },
          body: JSON.stringify(body),
          keepalive,
        };
  try {
    const response = await fetch(path, options);
    if (!response.ok) {
      say(await response.text());
      return null;
    }
    const isJson = response.headers.get('content-type')?.includes('json') === true;
    return isJson ? await response.json() : { html: await response.text() };
  } catch {
    say('The service cannot be reached. Try again in a moment.');
    return null;
  }
}
