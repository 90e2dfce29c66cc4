import { type EvalCase, isPair } from '../../case/index.ts';
import { shortened } from '../../common/text/index.ts';
import { mappedValue, type ValueMap } from '../../datasets/index.ts';
import { type Criterion, type Rubric, rangeOf } from '../../judging/standards/index.ts';
import type { Better } from '../../judging/verdict/index.ts';
import { type ImportedRow, numberIn } from './imported-table.ts';

/** What a judge or a person said in one row. `none`: no answer. */
export type ImportedAnswer =
  | { kind: 'pass' | 'fail' | 'undecided' | 'not-relevant' | 'none' }
  | { kind: 'score'; score: number };

/** How answers about a case are given: as pass or fail, on a scale, or as one of two answers. */
type Scale = 'binary' | { min: number; max: number } | 'pair';

/** The scale of overall answers, or of those about a criterion. */
export function scaleOf(rubric: Rubric, evalCase: EvalCase, criterion: Criterion | null): Scale {
  if (isPair(evalCase)) return 'pair';
  if (criterion !== null) return rangeOf(criterion.scale) ?? 'binary';
  if (rubric.overall !== undefined) return rangeOf(rubric.overall.scale) ?? 'binary';
  if (rubric.decide === 'all') return 'binary';
  const ranges = rubric.criteria.flatMap(({ scale }) => rangeOf(scale) ?? []);
  return {
    min: Math.min(...ranges.map(({ min }) => min)),
    max: Math.max(...ranges.map(({ max }) => max)),
  };
}

const PASS = ['pass', 'passed'];
const FAIL = ['fail', 'failed'];
const UNDECIDED = ['undecided', 'unsure', 'tie'];

/** The preferred answer as a score. */
export const PREFERRED: Readonly<Record<Better, number>> = { A: -1, same: 0, B: 1 };

const preferredIn = (text: string): number | null =>
  text === 'A' || text === 'a'
    ? -1
    : text === 'B' || text === 'b'
      ? 1
      : /^(?:same|tie)$/i.test(text)
        ? 0
        : null;

/** How a class that means nothing by itself can be given a meaning. */
function unknownClass(text: string, column: string): string {
  const shown = shortened(text, 40);
  // A colon would set off a column.
  const value = shown.includes(':') ? `${column}:${shown}` : shown;
  const option = (meaning: string) =>
    /\s/.test(value) ? `--map-value "${value}=${meaning}"` : `--map-value ${value}=${meaning}`;
  return `"${shown}" is neither pass nor fail: say what it means with ${option('pass')} or ${option('fail')}, or leave it out with ${option('-')}`;
}

const outside = (value: number, { min, max }: { min: number; max: number }, rubric: string): string =>
  `${value} is outside the scale of rubric ${rubric}, ${min} to ${max}`;

/** Reads one cell. @returns a problem without the column's name, or the answer */
function answerIn(
  { text, column, meaning }: { text: string; column: string; meaning: string | number | null | undefined },
  scale: Scale,
  rubric: string,
) {
  if (text === '' || meaning === null) return { kind: 'none' } as const;
  const said = meaning === undefined ? text : String(meaning);
  const word = said.toLowerCase();
  if (scale === 'pair') {
    const preferred = preferredIn(said) ?? numberIn(said);
    if (preferred !== null && Object.values(PREFERRED).includes(preferred))
      return { kind: 'score', score: preferred } as const;
    return UNDECIDED.includes(word)
      ? ({ kind: 'undecided' } as const)
      : `"${shortened(text, 40)}" must be A, B or same: the case has two answers`;
  }
  if (UNDECIDED.includes(word)) return { kind: 'undecided' } as const;
  if (word === 'not-relevant') return { kind: 'not-relevant' } as const;
  if (scale !== 'binary') {
    const score = numberIn(said);
    if (score === null)
      return `"${shortened(text, 40)}" must be a score from ${scale.min} to ${scale.max}, as rubric ${rubric} gives`;
    return score < scale.min || score > scale.max
      ? outside(score, scale, rubric)
      : ({ kind: 'score', score } as const);
  }
  if (PASS.includes(word)) return { kind: 'pass' } as const;
  if (FAIL.includes(word)) return { kind: 'fail' } as const;
  return unknownClass(text, column);
}

/**
 * The answer of a row, from its decision or its score.
 * @returns what is wrong, beginning with the column, if it cannot be read
 */
export function answerOfRow(
  row: ImportedRow<'decision' | 'score'>,
  values: ValueMap,
  scale: Scale,
  rubric: string,
): ImportedAnswer | string {
  const [decision, score] = [row.textOf('decision'), row.textOf('score')];
  const [decisionColumn, scoreColumn] = [row.columnOf('decision'), row.columnOf('score')];
  if (decision !== '' && score !== '')
    return `columns "${decisionColumn}" and "${scoreColumn}" both have an answer: leave one empty`;
  const [text, column] = decision === '' ? [score, scoreColumn] : [decision, decisionColumn];
  const meaning = mappedValue(values, column, text);
  if (decision === '' && score !== '' && scale === 'binary' && meaning === undefined)
    return `column "${column}" has a score, but rubric ${rubric} decides pass or fail: use a column "decision", or say what scores mean with --map-value ${column}:${shortened(text, 20)}=pass`;
  const answer = answerIn({ text, column, meaning }, scale, rubric);
  return typeof answer === 'string' ? `column "${column}": ${answer}` : answer;
}
