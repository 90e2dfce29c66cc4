import {
  isSpeech,
  type PasteOptions,
  parseInput,
  readTraceFiles,
  type TraceFiles,
} from '../../case/paste/index.ts';
import { JuryError } from '../../common/index.ts';
import { counted, grouped, jsonLine, plainLine, plainText } from '../../common/text/index.ts';
import { inputName, namedFiles, problemLines, readText } from '../../datasets/index.ts';
import { type CommandContext, type ExitCode, exitCode, writeCases } from '../terminal/index.ts';

/** Maximum number of reasons to name for each format. */
const MOST_REASONS = 8;

/** What became of the records, a format each: how many were read, folded and left out, and why. */
export function countLines({ counts }: Pick<TraceFiles, 'counts'>): string[] {
  return counts.flatMap(({ format, records, read, folded, leftOut, notUnderstood }) => {
    const ends = [
      `${grouped(read)} read`,
      ...(folded > 0 ? [`${grouped(folded)} part of one that was read`] : []),
      ...leftOut.slice(0, MOST_REASONS).map(({ why, count }) => `${grouped(count)} left out (${why})`),
      ...(leftOut.length > MOST_REASONS
        ? [`others left out for ${leftOut.length - MOST_REASONS} more reasons`]
        : []),
    ];
    return [
      plainText(`${format}: ${counted(records, 'record')}: ${ends.join(', ')}.`),
      ...notUnderstood
        .slice(0, MOST_REASONS)
        .map(({ why, where, count }) =>
          plainText(
            `${format}: ${grouped(count)} not understood: ${why} (${where}${count > 1 ? ' and others' : ''}).`,
          ),
        ),
    ];
  });
}

/** Writes the cases of traces, and says what became of every record. @returns 1 if something was not understood */
export async function writeTraces(
  context: CommandContext,
  { items, counts, unknown, strange }: TraceFiles,
  { out, json }: { out?: string; json: boolean },
): Promise<ExitCode> {
  const { err } = context;
  const cases = items.flatMap((item) => ('case' in item ? [item.case] : []));
  const problems = items.flatMap((item) => ('problem' in item ? [item.problem] : []));
  if (json) err(jsonLine({ cases: cases.length, formats: counts, unknown, problems, strange }));
  else {
    for (const line of countLines({ counts })) err(line);
    const beside = unknown.filter(({ isWhole }) => !isWhole);
    const [first] = beside;
    if (first !== undefined)
      err(
        plainText(
          `${counted(beside.length, 'object')} that no reader knows, such as ${first.where} (keys: ${first.keys}).`,
        ),
      );
    for (const file of strange) err(plainText(`${file}: no reader knows anything in it.`));
    for (const line of problemLines(problems, '')) err(plainText(line));
  }
  if (cases.length === 0)
    throw new JuryError(
      'bad-input',
      'No conversation became a case; nothing was written. "jury parse FILE" shows how each was understood; a format that no reader knows is one more file in prompts/traces.',
    );
  await writeCases(context, cases, out);
  if (!json)
    err(
      `${counted(cases.length, 'case')}${problems.length > 0 ? `, ${counted(problems.length, 'conversation or record', 'conversations or records')} left out` : ''}.`,
    );
  return problems.length > 0 || strange.length > 0 ? exitCode.failed : exitCode.ok;
}

/** Reads the files that no reader of traces knows and that are speech, such as subtitles, as judging reads them. */
function withSpeech(
  { items, strange, ...read }: TraceFiles,
  texts: readonly { name: string; text: string }[],
  options: PasteOptions,
): TraceFiles {
  const speech = texts.filter(({ name, text }) => strange.includes(name) && isSpeech(text, options.format));
  const spoken = speech.flatMap(({ name, text }) =>
    parseInput(text, options).map((item) =>
      'case' in item ? { case: item.case, assumed: item.assumed } : { problem: `${name}: ${item.problem}` },
    ),
  );
  const isKnown = (file: string) => speech.some(({ name }) => name === file);
  return { ...read, items: [...items, ...spoken], strange: strange.filter((file) => !isKnown(file)) };
}

/**
 * `jury traces import`: makes cases of traces and logs of other tools. Conversations can span several of the files.
 *
 * @returns 1 if something was not understood
 * @throws JuryError `bad-input` if there is no case
 */
export async function importTraces(
  context: CommandContext,
  files: readonly string[],
  { everyAnswer = false, ...options }: { everyAnswer?: boolean; json: boolean; out?: string },
): Promise<ExitCode> {
  const { library, env } = await context.parts();
  const texts = [];
  for (const path of await namedFiles(files))
    texts.push({ name: plainLine(inputName(path)), text: await readText(context, path, context.stop) });
  const { JURY_MAX_CASE_CHARS: maxCaseChars } = env.settings;
  const limits = { format: library.caseFormat, maxCaseChars };
  const read = readTraceFiles(texts, { ...limits, everyAnswer });
  return writeTraces(context, withSpeech(read, texts, limits), options);
}
