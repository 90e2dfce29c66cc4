import { oncePer } from '../common/index.ts';
import { EvalCase, isRecord, KeptCase } from './case.ts';

/** Whether a case has a second answer. */
export const isPair = ({ alternative }: Pick<EvalCase, 'alternative'>): boolean => alternative !== undefined;

/** The names of the first and second answer. */
export type AnswerNames = readonly [string, string];

export const answerNamesOf = ({ answerNames }: Pick<EvalCase, 'answerNames'>): AnswerNames =>
  answerNames ?? ['A', 'B'];

const OF_ANSWER = new Set(['response', 'recommendation', 'latencyMs', 'toolCalls']);

/** Whether a field belongs to an answer: its text or its data, which includes objects of declared fields. */
const isOfAnswer = (key: string, value: unknown): boolean =>
  OF_ANSWER.has(key) || (!Object.hasOwn(EvalCase.shape, key) && isRecord(value));

/** The fields that both answers share, and those of each answer. */
export const pairParts = oncePer(({ alternative, answerNames: _, ...evalCase }: EvalCase) => {
  const entries: [string, unknown][] = Object.entries(evalCase);
  const second: Record<string, unknown> = { ...alternative };
  return {
    shared: Object.fromEntries(entries.filter(([key, value]) => !isOfAnswer(key, value))),
    first: Object.fromEntries(entries.filter(([key, value]) => isOfAnswer(key, value))),
    second,
  };
});

/** A pair as two single-answer cases, in the pair's order. */
export const answersOf = oncePer((evalCase: EvalCase): readonly [EvalCase, EvalCase] => {
  const { shared, first, second } = pairParts(evalCase);
  return [KeptCase.parse({ ...shared, ...first }), KeptCase.parse({ ...shared, ...second })];
});

/** The text of each answer with its name; a single answer is named `System`. */
export function namedAnswers(evalCase: EvalCase): { name: string; text: string }[] {
  const { response, alternative } = evalCase;
  if (alternative === undefined) return [{ name: 'System', text: response }];
  const [first, second] = answerNamesOf(evalCase);
  return [
    { name: first, text: response },
    { name: second, text: alternative.response },
  ];
}

/** The same pair with the answers swapped. */
export const swapped = oncePer((evalCase: EvalCase): EvalCase => {
  const { shared, first, second } = pairParts(evalCase);
  const [firstName, secondName] = answerNamesOf(evalCase);
  return KeptCase.parse({ ...shared, ...second, alternative: first, answerNames: [secondName, firstName] });
});

/**
 * A pair as one case with the fields that either answer has, because the order of the answers must not decide which
 * rubric and criteria apply. A case with one answer is returned unchanged.
 */
export function eitherAnswer(evalCase: EvalCase): EvalCase {
  if (!isPair(evalCase)) return evalCase;
  const { shared, first, second } = pairParts(evalCase);
  return KeptCase.parse({ ...shared, ...second, ...first });
}

/** Joins two cases with the same request into a pair. Shared fields come from the first case, or else from the second. */
export function pairOf(first: EvalCase, second: EvalCase, names: AnswerNames): EvalCase {
  const [firstParts, secondParts] = [pairParts(first), pairParts(second)];
  return KeptCase.parse({
    ...secondParts.shared,
    ...firstParts.shared,
    ...firstParts.first,
    alternative: secondParts.first,
    answerNames: [...names],
  });
}
