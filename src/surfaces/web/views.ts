import { createHash } from 'node:crypto';
import * as z from 'zod';
import { KeptCase } from '../../case/case.ts';
import { sleep } from '../../common/async.ts';
import { changeText, type KeyValue } from '../../common/key-value.ts';
import { DAY_MS } from '../../common/text.ts';
import { CONVERSATION } from './ids.ts';

const Line = z.strictObject({
  mark: z.string(),
  title: z.string(),
  text: z.string(),
  verdict: z.string().nullable(),
});
const Named = z.strictObject({ name: z.string(), text: z.string() });

/**
 * What stands as the answer to a request, as data: what of it a person may see, and how it looks, is settled when it is read.
 * `verdict` is all that it says of a verdict, so that a hidden one is in no view.
 */
export const View = z.discriminatedUnion('kind', [
  z.strictObject({ kind: z.literal('received') }),
  z.strictObject({
    kind: z.literal('progress'),
    request: z.string(),
    title: z.string(),
    note: z.string().nullable(),
    judges: z.array(
      z.strictObject({ name: z.string(), mark: z.string(), text: z.string(), state: z.string() }),
    ),
    stopping: z.boolean(),
  }),
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
    /** The draft of the question; null where it could not be kept, so that nothing can be chosen. */
    draft: z.string().nullable(),
    text: z.string(),
    lines: z.array(Named),
    readings: z.strictObject({ remark: KeptCase, answer: KeptCase }),
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

/** A view with the number of its changes, which grows. `channel`: the conversation that it belongs to, unless that is the console's own. */
const Kept = z.strictObject({ n: z.int(), view: View, channel: z.string().optional() });
export type KeptView = z.infer<typeof Kept>;

/** Whether judges are at work no more. */
export const isSettled = (view: View): boolean =>
  view.kind === 'several' ? view.isDone : view.kind !== 'received' && view.kind !== 'progress';

/** As long as people come back to an answer; never longer than verdicts are kept. */
const KEPT_DAYS = 90;
const keyOf = (id: string): string => `view:${id}`;

const answersKey = (id: string): string => `view-answers:${id}`;

/** Where the store keeps which views are a user's, by the hour in which they began: each list stays short. */
const ownKey = (user: string, at: number): string => `views-of:${user}:${Math.floor(at / HOUR_MS)}`;
const HOUR_MS = DAY_MS / 24;

const Ids = z.array(z.string());
const listOf = (text: string | null): string[] => (text === null ? [] : Ids.parse(JSON.parse(text)));

/** Erases what a user was shown for their requests. @returns how many @throws JuryError `store-unavailable` */
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

/** The view of a request: as hard to guess as the request's own key. */
export const viewOf = (request: string): string =>
  createHash('sha256').update(`view\n${request}`).digest('hex').slice(0, 24);

/** The view that says which limits of the asker left judges unasked. */
export const limitsViewOf = (request: string): string => viewOf(`${request} limits`);

/** How soon a change that another process made is seen, ms. */
const LOOK_MS = 500;

export type Views = ReturnType<typeof createViews>;

/** Where views are kept, for all processes of a store. Every call rejects with a JuryError `store-unavailable` if that cannot be reached. */
export function createViews(store: KeyValue, now: () => number, mostDays = KEPT_DAYS) {
  const keptMs = Math.min(KEPT_DAYS, mostDays) * DAY_MS;
  const waiting = new Map<string, Set<() => void>>();

  function wake(id: string): void {
    for (const one of waiting.get(id) ?? []) one();
  }

  /** Resolves when this process has changed the view, or after a while. */
  async function changed(id: string, signal: AbortSignal): Promise<void> {
    const woken = new AbortController();
    const own = () => woken.abort();
    const all = waiting.get(id) ?? new Set();
    waiting.set(id, all.add(own));
    signal.addEventListener('abort', own, { once: true });
    await sleep(LOOK_MS, woken.signal);
    signal.removeEventListener('abort', own);
    all.delete(own);
    if (all.size === 0) waiting.delete(id);
  }

  /** The view as it is; null if there is none any more. */
  const find = async (id: string): Promise<KeptView | null> => {
    const text = await store.get(keyOf(id), now());
    return text === null ? null : Kept.parse(JSON.parse(text));
  };

  const rewrite = (key: string, to: (before: string | null) => string) =>
    changeText(store, key, to, now(), keptMs);

  return {
    find,
    /** Begins a view of a conversation unless there is one. @param by the user who asks */
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
        const { n, ...kept } = before === null ? { n: 0 } : Kept.parse(JSON.parse(before));
        return JSON.stringify({ ...kept, n: n + 1, view } satisfies KeptView);
      });
      wake(id);
    },
    /** Adds the view of an answer below a verdict's. */
    addAnswer: async (id: string, answer: string): Promise<void> => {
      await rewrite(answersKey(id), (before) => JSON.stringify([...new Set([...listOf(before), answer])]));
    },
    /** The views of answers below a view, oldest first. */
    answers: async (id: string): Promise<string[]> => listOf(await store.get(answersKey(id), now())),
    /** Every state of a view after number `after`, the present one first, whichever process changes it; ends with the signal. */
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
