import { createHash } from 'node:crypto';
import * as z from 'zod';
import { KeptCase } from '../../case/index.ts';
import { Received } from '../../case/paste/index.ts';
import { changeText, DAY_MS, type KeyValue, sleep } from '../../common/index.ts';
import { CONVERSATION } from './ids.ts';

const Line = z.strictObject({
  mark: z.string(),
  title: z.string(),
  text: z.string(),
  verdict: z.string().nullable(),
});
const Named = z.strictObject({ name: z.string(), text: z.string() });

/** How far the judges are, whole: whoever has missed earlier states has missed nothing. */
export const Progress = z.strictObject({
  request: z.string(),
  title: z.string().describe('How far the judges are, in a line.'),
  note: z.string().nullable(),
  judges: z.array(
    z.strictObject({
      name: z.string(),
      mark: z.string().describe('The judge’s latest answer as a symbol.'),
      text: z.string().describe('Its reason; empty before it has answered.'),
      state: z.enum(['waiting', 'asked', 'answered']),
    }),
  ),
  answers: z
    .strictObject({
      given: z.int().describe('By the panel, in all rounds so far.'),
      most: z.int().describe('If there are as many rounds as there can be.'),
    })
    .optional()
    .describe('How many answers there are; absent where people vote before they see the verdict.'),
  stopping: z.boolean().describe('Whether someone is stopping the judging.'),
});

/**
 * The current answer to a request, as data. What a visitor may see of it is decided only when it is rendered for them: a view refers to a
 * verdict by its id alone, so nothing of a hidden verdict is in it.
 */
export const View = z.discriminatedUnion('kind', [
  z.strictObject({ kind: z.literal('received') }),
  Progress.extend({ kind: z.literal('progress') }),
  z.strictObject({ kind: z.literal('verdict'), id: z.string() }),
  z.strictObject({
    kind: z.literal('several'),
    title: z.string(),
    isDone: z.boolean(),
    lines: z.array(Line),
  }),
  z.strictObject({
    kind: z.literal('problem'),
    code: z.enum(['unclear', 'refused', 'failed', 'budget', 'stopped', 'unreadable', 'nothing']),
    text: z.string(),
    /** Lines to add to the paste. */
    missing: z.array(Named),
    understood: z.array(Named),
    paste: z.string().nullable(),
  }),
  z.strictObject({
    kind: z.literal('unsure'),
    /** The id of the draft behind the question; null if it could not be kept, so that no reading can be chosen. */
    draft: z.string().nullable(),
    text: z.string(),
    lines: z.array(Named),
    readings: z.strictObject({ remark: KeptCase, answer: KeptCase }),
  }),
  z.strictObject({
    kind: z.literal('read'),
    /** The id of the draft with what was read; null if it could not be kept, so that it cannot be judged. */
    draft: z.string().nullable(),
    model: z.string(),
    lines: z.array(Named),
    /** The paste with its parts; absent if something in it was redacted. */
    received: Received.exactOptional(),
  }),
  z.strictObject({
    kind: z.literal('answer'),
    headline: z.string().nullable(),
    text: z.string(),
    quotes: z.array(z.string()),
    lines: z.array(z.string()),
    note: z.string().nullable(),
    verdict: z.string().nullable(),
  }),
  z.strictObject({ kind: z.literal('withdrawn') }),
]);
export type View = z.infer<typeof View>;
export type ViewOf<K extends View['kind']> = Extract<View, { kind: K }>;

/** A view as stored. `n` grows with each change; `channel` is its conversation, absent for the console's own. */
export const KeptView = z.strictObject({ n: z.int(), view: View, channel: z.string().optional() });
export type KeptView = z.infer<typeof KeptView>;

/** Whether judging is over. */
export const isFinal = (view: View): boolean =>
  view.kind === 'several' ? view.isDone : view.kind !== 'received' && view.kind !== 'progress';

/** How long views are kept, unless verdicts are kept for a shorter time. */
const KEPT_DAYS = 90;
const keyOf = (id: string): string => `view:${id}`;

const answersKey = (id: string): string => `view-answers:${id}`;

/** The store's key for the ids of a user's views that began in the same hour. One list per hour keeps each short. */
const ownKey = (user: string, at: number): string => `views-of:${user}:${Math.floor(at / HOUR_MS)}`;
const HOUR_MS = DAY_MS / 24;

const Ids = z.array(z.string());
const listOf = (text: string | null): string[] => (text === null ? [] : Ids.parse(JSON.parse(text)));

/** Erases the views of a user's requests. @returns how many there were @throws JuryError `store-unavailable` */
export async function forgetViews(store: KeyValue, user: string, now: number): Promise<number> {
  let forgotten = 0;
  for (let at = now - KEPT_DAYS * DAY_MS; at <= now; at += HOUR_MS) {
    for (const id of listOf(await store.get(ownKey(user, at), now))) {
      if ((await store.get(keyOf(id), now)) !== null) forgotten += 1;
      await store.delete(keyOf(id));
      await store.delete(answersKey(id));
    }
    await store.delete(ownKey(user, at));
  }
  return forgotten;
}

/** The id of a request's view. A hash, so that it is as hard to guess as the request's id. */
export const viewOf = (request: string): string =>
  createHash('sha256').update(`view\n${request}`).digest('hex').slice(0, 24);

/** The id of the view that says which of the requester's limits kept judges from being asked. */
export const limitsViewOf = (request: string): string => viewOf(`${request} limits`);

/** How often to check for changes by other processes, ms. */
const LOOK_MS = 500;

export type Views = ReturnType<typeof createViews>;

/**
 * Views, shared by all processes that use the store. Calls reject with a JuryError `store-unavailable` if the store cannot be reached.
 * @param mostDays how long views may be kept
 */
export function createViews(store: KeyValue, now: () => number, mostDays = KEPT_DAYS) {
  const keptMs = Math.min(KEPT_DAYS, mostDays) * DAY_MS;
  const waiting = new Map<string, Set<() => void>>();

  function wake(id: string): void {
    for (const one of waiting.get(id) ?? []) one();
  }

  /** Resolves when this process changes the view, when it is time to check for other processes' changes, or on abort. */
  async function changed(id: string, signal: AbortSignal): Promise<void> {
    const woken = new AbortController();
    const wake = () => woken.abort();
    const all = waiting.get(id) ?? new Set();
    waiting.set(id, all.add(wake));
    signal.addEventListener('abort', wake, { once: true });
    await sleep(LOOK_MS, woken.signal);
    signal.removeEventListener('abort', wake);
    all.delete(wake);
    if (all.size === 0) waiting.delete(id);
  }

  /** The view; null if there is none or it has expired. */
  const find = async (id: string): Promise<KeptView | null> => {
    const text = await store.get(keyOf(id), now());
    return text === null ? null : KeptView.parse(JSON.parse(text));
  };

  const rewrite = (key: string, to: (before: string | null) => string) =>
    changeText(store, key, to, now(), keptMs);

  return {
    find,
    /** Creates a view unless it exists. @param by the requester */
    begin: async (id: string, by: string, channel: string): Promise<void> => {
      await rewrite(ownKey(by, now()), (before) => JSON.stringify([...new Set([...listOf(before), id])]));
      const first: KeptView = {
        n: 1,
        view: { kind: 'received' },
        ...(channel === CONVERSATION ? {} : { channel }),
      };
      await store.setIfAbsent(keyOf(id), JSON.stringify(first), now(), keptMs);
      wake(id);
    },
    change: async (id: string, view: View): Promise<void> => {
      await rewrite(keyOf(id), (before) => {
        const { n, ...kept } = before === null ? { n: 0 } : KeptView.parse(JSON.parse(before));
        return JSON.stringify({ ...kept, n: n + 1, view } satisfies KeptView);
      });
      wake(id);
    },
    /** Adds a view to show below another one, such as the answer to a question about a verdict. */
    addAnswer: async (id: string, answer: string): Promise<void> => {
      await rewrite(answersKey(id), (before) => JSON.stringify([...new Set([...listOf(before), answer])]));
    },
    /** The ids of the views below a view, oldest first. */
    answers: async (id: string): Promise<string[]> => listOf(await store.get(answersKey(id), now())),
    /** Yields the current state of a view unless it is number `after`, then later ones, by any process. Ends when the signal aborts. */
    watch: async function* (id: string, after: number, signal: AbortSignal): AsyncGenerator<KeptView> {
      let seen = after;
      while (!signal.aborted) {
        const kept = await find(id);
        if (kept !== null && kept.n !== seen) {
          seen = kept.n;
          yield kept;
        } else await changed(id, signal);
      }
    },
  };
}
