import type { EvalCase } from '../../case/case.ts';
import { JuryError } from '../../common/errors.ts';
import type { Parts } from '../parts.ts';
import { readCases, type StandardInput } from './read-cases.ts';

/**
 * All cases of some files; none: of standard input.
 *
 * @throws JuryError `bad-input` that lists every case that could not be understood, `usage` for a file that cannot be read
 */
export async function requireCases(
  parts: Parts,
  standard: StandardInput,
  files: readonly string[],
  stop: AbortSignal,
): Promise<EvalCase[]> {
  const { JURY_MAX_CASE_CHARS: maxCaseChars } = parts.env.settings;
  const items = await readCases(standard, files, { maxCaseChars, format: parts.library.caseFormat }, stop);
  const problems: string[] = [];
  const cases: EvalCase[] = [];
  for (const { source, parsed } of items)
    if ('problem' in parsed) problems.push(`${source}: ${parsed.problem}`);
    else cases.push(parsed.case);
  if (problems.length > 0)
    throw new JuryError(
      'bad-input',
      `${problems.join('\n')}\nNothing was judged. "jury parse" shows how each case was understood.`,
    );
  return cases;
}
