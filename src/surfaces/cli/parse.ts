import { readCases } from '../../benchmark/datasets/read-cases.ts';
import { jsonLine } from '../../common/text.ts';
import { loadCaseFormat } from '../../prompting/case-fields.ts';
import type { Register } from './command-context.ts';
import { exitCode } from './terminal.ts';

/** `jury parse`: each case as it was understood; judges nothing. */
export const register: Register = (command, { end, env, stop, terminal }) => {
  command
    .description(
      'Prints each case as it was understood, one JSON object a line, and what was assumed. Judges nothing.',
    )
    .argument('[file...]', 'pastes, JSON or JSONL; - for standard input')
    .action(async (files: string[]) => {
      const { promptFolders, settings } = await env();
      const options = { maxCaseChars: settings.JURY_MAX_CASE_CHARS, format: loadCaseFormat(promptFolders) };
      const items = await readCases(terminal, files, options, stop);
      for (const { parsed } of items) terminal.out(jsonLine(parsed));
      const bad = items.flatMap(({ source, parsed }) =>
        'problem' in parsed ? [`${source}: ${parsed.problem}`] : [],
      );
      for (const problem of bad) terminal.err(problem);
      if (items.length === 0) terminal.err('The input has no cases.');
      end(bad.length > 0 || items.length === 0 ? exitCode.usage : exitCode.ok);
    });
};
