import * as z from 'zod';

import { isScored } from '../judging/verdict/index.ts';
import { type ChannelSettings, isAllowedModel, isOpenToAll } from '../labels/access/index.ts';
import type { VerdictRecord } from '../labels/record/index.ts';
import type { CheckRun, SpotCheckParts } from './check-run.ts';
import { payersOf } from './payers.ts';
import type { Answer } from './presenter.ts';
import type { Shown } from './shown-messages.ts';
import { verdictIdOf } from './spot-check.ts';

const fold = (text: string): string =>
  ` ${text
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}]+/gu, ' ')
    .trim()} `;

/** The persona on the panel that a text names: by its title, its id, or one of their words that no other judge has. */
function namedJudge(
  asked: string,
  { verdict }: VerdictRecord,
  titleOf: (persona: string) => string,
): string | null {
  const seated = [...new Set(verdict.judgements.flatMap(({ judge }) => judge.persona ?? []))];
  const text = fold(asked);
  const named = (names: (persona: string) => string[]): string | null => {
    const matching = seated.filter((persona) => names(persona).some((name) => text.includes(fold(name))));
    return matching.length === 1 ? (matching[0] ?? null) : null;
  };
  const wordsOf = (persona: string): string[] =>
    fold(`${titleOf(persona)} ${persona}`)
      .split(' ')
      .filter((word) => word.length > 3);
  return named((persona) => [titleOf(persona), persona]) ?? named(wordsOf);
}

/** The title of a persona that a text names although it did not judge: as its title is written, or after "the". */
function namedAbsent(
  asked: string,
  seated: ReadonlySet<string>,
  personas: ReadonlyMap<string, { title: string }>,
): string | null {
  const text = fold(asked);
  const absent = [...personas].find(
    ([id, { title }]) =>
      !seated.has(id) &&
      text.includes(fold(title)) &&
      (asked.includes(title) ||
        ['the', 'der', 'die', 'das'].some((the) => text.includes(fold(`${the} ${title}`)))),
  );
  return absent?.[1].title ?? null;
}

/** The verdict that a text names by its case's id or number, or the only one there is. */
function namedRecord(
  asked: string,
  { check }: Shown,
  records: readonly VerdictRecord[],
): VerdictRecord | undefined {
  if (records.length === 1) return records[0];
  const text = fold(asked);
  const byId = records.filter(
    ({ evalCase }) => evalCase.id !== undefined && text.includes(fold(evalCase.id)),
  );
  if (byId.length === 1) return byId[0];
  const [, number] = /(?:case|fall|#)\s*(\d{1,3})\b/i.exec(asked) ?? [];
  return records.find(({ id }) => id === verdictIdOf(check, Number(number) - 1));
}

export const KeptAnswer = z.strictObject({
  by: z.string().nullable(),
  model: z.string(),
  text: z.string(),
  words: z.array(z.string()),
});
const KEPT_MS = 86_400_000;

/** Longer texts are not treated as questions, in characters. */
const MAX_QUESTION = 4_000;

const isRefused = (requireModel: SpotCheckParts['requireModel'], model: string): boolean => {
  try {
    requireModel(model);
    return false;
  } catch {
    return true;
  }
};

/**
 * The model that answers: one of the judges' models, otherwise the default or an allowed one; null if only exact checks
 * are available.
 */
function modelFor(
  { defaultModel, requireModel }: SpotCheckParts,
  { verdict }: VerdictRecord,
  judge: string | null,
  settings: ChannelSettings,
): string | null {
  const judged = verdict.judgements
    .filter((judgement) => isScored(judgement) && (judge === null || judgement.judge.persona === judge))
    .map((judgement) => judgement.judge.model);
  return (
    [...judged, defaultModel, ...(settings.allowedModels ?? [])].find(
      (model) => model.includes('/') && isAllowedModel(settings, model) && !isRefused(requireModel, model),
    ) ?? null
  );
}

async function explained(
  parts: SpotCheckParts,
  run: CheckRun,
  record: VerdictRecord,
  asked: string,
): Promise<Answer> {
  const { store, library, queue, explain, timeoutMs, now } = parts;
  const titleOf = (persona: string) => library.personas.get(persona)?.title ?? persona;
  const judge = namedJudge(asked, record, titleOf);
  const by = judge === null ? null : titleOf(judge);
  const seated = new Set(record.verdict.judgements.flatMap((one) => one.judge.persona ?? []));
  const named = judge === null ? namedAbsent(asked, seated, library.personas) : null;
  if (named !== null) return { kind: 'not-seated', record, named, seated: [...seated].map(titleOf) };
  const model = modelFor(parts, record, judge, await store.channelSettings(run.check.channel));
  if (model === null) return { kind: 'details', record, by, failed: null };
  const key = `answer:${run.check.id}`;
  const before = await store.get(key, now());
  if (before !== null) return { kind: 'answer', record, ...KeptAnswer.parse(JSON.parse(before)) };
  const { evalCase, verdict } = record;
  const deadlineAt = performance.now() + timeoutMs;
  const outcome = await queue.run(run.check.id, () =>
    explain({
      ...{ evalCase, verdict, judge, model, asked, signal: run.signal, deadlineAt },
      payers: payersOf(parts, run),
    }),
  );
  if (outcome.status === 'unanswered')
    return { kind: 'details', record, by, failed: { reason: outcome.reason } };
  const { text, words } = outcome;
  const answer = { by, model, text, words };
  // Fix the answer: neither a crash before it is shown nor another process answering too may change it.
  const claim = await store.setIfAbsent(key, JSON.stringify(answer), now(), KEPT_MS);
  const kept = claim.set ? answer : KeptAnswer.parse(JSON.parse(claim.value));
  return { kind: 'answer', record, ...kept };
}

/**
 * Answers a question about a verdict in the thread from its stored judgements, without judging again.
 *
 * @param about what was judged there
 * @throws JuryError `store-unavailable`
 */
export async function answerQuestion(
  parts: SpotCheckParts,
  run: CheckRun,
  about: Shown,
  asked: string,
): Promise<Answer> {
  const ids = Array.from({ length: about.cases }, (_, index) => verdictIdOf(about.check, index));
  const kept = await Promise.all(ids.map((id) => parts.store.verdict(id)));
  const records = kept.filter((record) => record !== null);
  if (records.length === 0) return { kind: 'gone' };
  const record = namedRecord(asked, about, records);
  if (record === undefined)
    return {
      kind: 'which',
      cases: kept.flatMap((one, index) => (one === null ? [] : [{ number: index + 1, record: one }])),
    };
  // An answer in the thread would reveal it to people who have yet to vote.
  if (!isOpenToAll(record)) return { kind: 'hidden', record };
  if (asked.length > MAX_QUESTION)
    return { kind: 'details', record, by: null, failed: { reason: 'too-long', most: MAX_QUESTION } };
  return explained(parts, run, record, asked);
}
