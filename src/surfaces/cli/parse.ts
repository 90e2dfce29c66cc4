import { readCases } from '../../benchmark/datasets/read-cases.ts';
import { jsonLine } from '../../common/text.ts';
import { loadCaseFormat } from '../../prompting/case-fields.ts';
import type { CommandContext } from './command-context.ts';
import { type ExitCode, exitCode } from './terminal.ts';

/** `jury parse`: each case as it was understood; judges nothing. */
export async function parse(context: CommandContext, files: string[]): Promise<ExitCode> {
  const { promptFolders, settings } = await context.env();
  const options = { maxCaseChars: settings.JURY_MAX_CASE_CHARS, format: loadCaseFormat(promptFolders) };
  const items = await readCases(context, files, options, context.stop);
  for (const { parsed } of items) context.out(jsonLine(parsed));
  const problems = items.flatMap(({ source, parsed }) =>
    'problem' in parsed ? [`${source}: ${parsed.problem}`] : [],
  );
  for (const problem of problems) context.err(problem);
  if (items.length === 0) context.err('The input has no cases.');
  return problems.length > 0 || items.length === 0 ? exitCode.usage : exitCode.ok;
}
