/// <reference lib="dom" />
/// <reference lib="dom.iterable" />
/** The first element of a selector. */
export const query = <E extends Element>(selector: string, within: ParentNode = document): E | null =>
  within.querySelector<E>(selector);

const said = query<HTMLElement>('#said');
let saidFor: ReturnType<typeof setTimeout> | undefined;

/** Says something for a while, also to screen readers. */
export function say(text: string): void {
  if (said === null) return;
  said.textContent = text;
  clearTimeout(saidFor);
  saidFor = setTimeout(hush, 8_000);
}

/** Takes away what was said last, where it no longer holds. */
export function hush(): void {
  if (said !== null) said.textContent = '';
}

/** What the server answers to what people do. */
export interface Reply {
  said?: string;
  /** The verdict as it stands now. */
  html?: string;
  /** A form to fill in; null: none. */
  dialog?: string | null;
  view?: string;
  goTo?: string;
  /** More cases of the queue, and how many there are in all. */
  items?: { id: string; html: string }[];
  waiting?: number;
}

/** Sends what was done; says what went wrong. @param keepalive even when the page is left @returns null if it did not work */
export async function send(path: string, body?: unknown, keepalive = false): Promise<Reply | null> {
  const options: RequestInit =
    body === undefined
      ? {}
      : {
          method: 'POST',
          // The second one only a page of the console can send.
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
