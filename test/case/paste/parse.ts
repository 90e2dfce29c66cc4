import type { EvalCase } from '../../../src/case/case.ts';
import { type Parsed, parseInput } from '../../../src/case/paste/parse-input.ts';
import { contractFormat } from '../../support/format.ts';

export const LIMIT = 32_000;

export const parseAll = (text: string, maxCaseChars = LIMIT): Parsed[] =>
  parseInput(text, { maxCaseChars, format: contractFormat });

/** The only item of a paste. */
export function parseOne(text: string): Parsed {
  const [parsed, ...more] = parseAll(text);
  if (parsed === undefined || more.length > 0)
    throw new Error(`expected one item, got ${more.length + (parsed ? 1 : 0)}`);
  return parsed;
}

/** The only item of a paste, which must be a case. */
export function caseOf(text: string): { case: EvalCase; assumed: string[] } {
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
