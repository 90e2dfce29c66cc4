import type { EvalCase } from '../../../src/case/case.ts';
import { type Parsed, parseInput } from '../../../src/case/paste/parse-input.ts';
import { contractFormat } from '../../support/format.ts';

export const LIMIT = 32_000;

export const parseAll = (text: string, maxCaseChars = LIMIT): Parsed[] =>
  parseInput(text, { maxCaseChars, format: contractFormat });

/** What was understood, without where it stands. */
type Item = Extract<Parsed, { problem: string }> | Omit<Extract<Parsed, { case: EvalCase }>, 'spans'>;

export const itemsOf = (text: string): Item[] =>
  parseAll(text).map((item) => {
    if ('problem' in item) return item;
    const { spans: _, ...understood } = item;
    return understood;
  });

/** The only item of a paste. */
export function parseOne(text: string): Item {
  const [parsed, ...more] = itemsOf(text);
  if (parsed === undefined || more.length > 0)
    throw new Error(`expected one item, got ${more.length + (parsed ? 1 : 0)}`);
  return parsed;
}

/** The only item of a paste, which must be a case. */
export function caseOf(text: string): Extract<Item, { case: EvalCase }> {
  const parsed = parseOne(text);
  if ('problem' in parsed) throw new Error(`expected a case, got the problem: ${parsed.problem}`);
  return parsed;
}

/** The only item of a paste, which must be a problem. */
export function problemOf(text: string): Extract<Parsed, { problem: string }> {
  const parsed = parseOne(text);
  if ('case' in parsed) throw new Error(`expected a problem, got the case ${JSON.stringify(parsed.case)}`);
  return parsed;
}

/** A paste of one exchange with more lines after it. */
export const pasteWith = (...lines: string[]): string =>
  ['User: Find me a place', 'System: Done.', ...lines].join('\n');

/** The response, with the lines below it that may be part of it. */
export const wholeOf = ({ case: evalCase, unsure }: ReturnType<typeof caseOf>): string =>
  (unsure?.withIt ?? evalCase).response;
