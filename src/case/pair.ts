import { EvalCase, isRecord, KeptCase } from './case.ts';
import { oncePer } from './words.ts';

/** A case with a second answer. */
export const isPair = ({ alternative }: Pick<EvalCase, 'alternative'>): boolean => alternative !== undefined;

/** What the first and the second answer are called. */
export type AnswerNames = readonly [string, string];

export const answerNamesOf = ({ answerNames }: Pick<EvalCase, 'answerNames'>): AnswerNames =>
  answerNames ?? ['A', 'B'];

const OF_ANSWER = new Set(['response', 'recommendation', 'latencyMs']);

/** What belongs to an answer: its text and its data; declared objects are data. */
const isOfAnswer = (key: string, value: unknown): boolean =>
  OF_ANSWER.has(key) || (!Object.hasOwn(EvalCase.shape, key) && isRecord(value));

/** What both answers share, and each answer, as plain keys and values. */
export const pairParts = oncePer(({ alternative, answerNames: _, ...evalCase }: EvalCase) => {
  const entries: [string, unknown][] = Object.entries(evalCase);
  const second: Record<string, unknown> = { ...alternative };
  return {
    shared: Object.fromEntries(entries.filter(([key, value]) => !isOfAnswer(key, value))),
    first: Object.fromEntries(entries.filter(([key, value]) => isOfAnswer(key, value))),
    second,
  };
});

/** A pair as two cases with one answer each, in the pair's order. */
export const answersOf = oncePer((evalCase: EvalCase): readonly [EvalCase, EvalCase] => {
  const { shared, first, second } = pairParts(evalCase);
  return [KeptCase.parse({ ...shared, ...first }), KeptCase.parse({ ...shared, ...second })];
});

/** What the system said, under the name of each answer where there are two. */
export function namedAnswers(evalCase: EvalCase): { name: string; text: string }[] {
  const { response, alternative } = evalCase;
  if (alternative === undefined) return [{ name: 'System', text: response }];
  const [first, second] = answerNamesOf(evalCase);
  return [
    { name: first, text: response },
    { name: second, text: alternative.response },
  ];
}

/** The same pair in the other order. */
export const swapped = oncePer((evalCase: EvalCase): EvalCase => {
  const { shared, first, second } = pairParts(evalCase);
  const [one, other] = answerNamesOf(evalCase);
  return KeptCase.parse({ ...shared, ...second, alternative: first, answerNames: [other, one] });
});

/**
 * A case with the fields that either answer has: which rubric and criteria apply must not depend on the order. The case itself if it has
 * one answer.
 */
export function eitherAnswer(evalCase: EvalCase): EvalCase {
  if (!isPair(evalCase)) return evalCase;
  const { shared, first, second } = pairParts(evalCase);
  return KeptCase.parse({ ...shared, ...second, ...first });
}

/** Two cases with the same request as one pair. What they share is the first one's, completed by the second. */
export function pairOf(first: EvalCase, second: EvalCase, names: AnswerNames): EvalCase {
  const [one, other] = [pairParts(first), pairParts(second)];
  return KeptCase.parse({
    ...other.shared,
    ...one.shared,
    ...one.first,
    alternative: other.first,
    answerNames: [...names],
  });
}
