import { jsonLine } from '../../common/text.ts';
import type { Env } from '../../env.ts';
import { loadCaseFormat } from '../../prompting/case-fields.ts';
import { readCases } from './read-cases.ts';
import { type ExitCode, exitCode, type Terminal } from './terminal.ts';

/** `jury parse`: each case as it was understood, one JSON object a line; judges nothing. */
export async function parseCommand(
  env: Env,
  terminal: Terminal,
  files: readonly string[],
  stop: AbortSignal,
): Promise<ExitCode> {
  const format = loadCaseFormat(env.promptFolders);
  const items = await readCases(
    terminal,
    files,
    { maxCaseChars: env.settings.JURY_MAX_CASE_CHARS, format },
    stop,
  );
  for (const { parsed } of items) terminal.out(jsonLine(parsed));
  const bad = items.filter(({ parsed }) => 'problem' in parsed);
  for (const { source, parsed } of bad) if ('problem' in parsed) terminal.err(`${source}: ${parsed.problem}`);
  if (items.length === 0) terminal.err('There is no case in the input.');
  return bad.length > 0 || items.length === 0 ? exitCode.usage : exitCode.ok;
}
