import * as z from 'zod';
import { changeText, type KeyValue } from '../common/index.ts';
import type { EarlierVerdict, VerdictRecord, VerdictStore } from '../labels/record/index.ts';
import { shownFor } from './shown-messages.ts';
import { type SpotCheck, verdictIdOf } from './spot-check.ts';

/** The answer that replaced another one, and a link to it if the chat has links. */
const Newer = z.strictObject({ link: z.string().nullable() });
export type Newer = z.infer<typeof Newer>;

/** As long as verdicts are kept by default. */
const KEPT_MS = 400 * 86_400_000;
const newerKey = (verdictId: string): string => `judged-again:${verdictId}`;

/**
 * The answer that replaced the one with a verdict; null if that verdict still stands.
 *
 * @throws JuryError `store-unavailable`
 */
export async function newerAnswer(
  store: Pick<KeyValue, 'get'>,
  verdictId: string,
  now: number,
): Promise<Newer | null> {
  const text = await store.get(newerKey(verdictId), now);
  return text === null ? null : Newer.parse(JSON.parse(text));
}

/** @throws JuryError `store-unavailable` */
export const noteNewer = (store: KeyValue, verdictId: string, newer: Newer, now: number): Promise<unknown> =>
  changeText(store, newerKey(verdictId), () => JSON.stringify(newer), now, KEPT_MS);

/** The answer that a request replaces. */
interface EarlierAnswer {
  /** The messages that show it. */
  messages: readonly string[];
  /** The ids of its verdicts, whether or not they were given. */
  verdicts: readonly string[];
  /** Its verdict, if it has exactly one. */
  record: VerdictRecord | null;
}

/**
 * The answer that a request replaces: that to the same message before an edit, or the verdict that is judged again.
 * Null if it replaces none in its conversation.
 *
 * @throws JuryError `store-unavailable`
 */
export async function earlierAnswer(
  store: KeyValue & Pick<VerdictStore, 'verdict'>,
  { surface, channel, again, replaces }: SpotCheck,
  now: number,
): Promise<EarlierAnswer | null> {
  if (replaces !== undefined) {
    const shown = await shownFor(store, replaces, now);
    if (shown === null) return null;
    const { messages, cases } = shown;
    const verdicts = Array.from({ length: Math.max(1, cases) }, (_, index) => verdictIdOf(replaces, index));
    const [only = ''] = verdicts;
    return { messages, verdicts, record: cases === 1 ? await store.verdict(only) : null };
  }
  const record = again === null ? null : await store.verdict(again);
  if (record === null || record.source.surface !== surface || record.source.channel !== channel) return null;
  const { message } = record.source;
  // One of several cases has no card of its own, and the message with all of them still stands.
  return message === null
    ? { messages: [], verdicts: [], record }
    : { messages: [message], verdicts: [record.id], record };
}

/** What a verdict said, for the card of the one that replaces it. */
export function whatItSaid({ verdict }: Pick<VerdictRecord, 'verdict'>): EarlierVerdict {
  const { decision, score, scale, preference, rubric, judgements } = verdict;
  return {
    ...{ decision, score, rubric },
    ...(scale === undefined ? {} : { scale }),
    ...(preference === undefined
      ? {}
      : { preference: { better: preference.better, names: preference.names } }),
    models: [...new Set(judgements.map(({ judge }) => judge.model))],
  };
}
