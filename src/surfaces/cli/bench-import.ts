import { importRun, keepImported } from '../../benchmark/imported/index.ts';
import { RunName } from '../../benchmark/index.ts';
import { isBadInput, JuryError } from '../../common/index.ts';
import { counted, grouped, plainLine } from '../../common/text/index.ts';
import { inputName, readDataset, readTableFile, type TableFormat } from '../../datasets/index.ts';
import { entry } from '../../judging/standards/index.ts';
import { caseOptions } from '../index.ts';
import { type CommandContext, type ExitCode, exitCode } from '../terminal/index.ts';
import { printSummary } from './bench.ts';

interface ImportFlags {
  cases: string;
  labels?: string;
  name: string;
  rubric?: string;
  map?: readonly (readonly [column: string, key: string])[];
  mapValue?: readonly string[];
  minVotes: number;
  format?: TableFormat;
  json: boolean;
}

/** `jury bench import`: makes a run of judgements that were made elsewhere. */
export async function importJudgements(
  context: CommandContext,
  file: string,
  options: ImportFlags,
): Promise<ExitCode> {
  const { err, stop } = context;
  const parts = await context.parts();
  const named = RunName.safeParse(options.name);
  if (!named.success)
    throw new JuryError('usage', `--name ${plainLine(options.name)}: ${named.error.issues[0]?.message}.`);
  const name = named.data;
  if (options.rubric !== undefined) entry('rubric', parts.library.rubrics, options.rubric);
  const tableOf = async (path: string) => {
    const from = inputName(path);
    const table = await readTableFile(context, path, options.format, stop).catch((thrown: unknown) => {
      if (!isBadInput(thrown)) throw thrown;
      const why = thrown.message.startsWith(`${from}: `) ? thrown.message : `${from}: ${thrown.message}`;
      throw new JuryError('bad-input', `${why} Nothing was imported.`, { cause: thrown });
    });
    return { file: from, table };
  };
  const judgements = await tableOf(file);
  const labels = options.labels === undefined ? null : await tableOf(options.labels);
  const dataset = await readDataset(context, [options.cases], caseOptions(parts), stop);
  const run = importRun(parts.library, {
    name,
    judgements,
    labels,
    cases: dataset.map(({ name: id, evalCase }) => ({ id, ...evalCase })),
    source: options.cases,
    rubric: options.rubric ?? null,
    map: new Map(options.map),
    values: options.mapValue ?? [],
    minVotes: options.minVotes,
    now: parts.now(),
  });
  const store = await context.runs();
  const before = await keepImported(store, run);
  const { manifest, people, trials, unread } = run;
  for (const { file: from, columns } of unread)
    if (columns.length > 0) err(`Not read, from ${from}: ${columns.map(plainLine).join(', ')}.`);
  if (before > 0) err(`${counted(before, 'judgement')} had been imported before.`);
  err(
    `Imported ${counted(trials.length, 'judgement')} of ${counted(manifest.settings.models.length, 'judge')} on ${counted(manifest.dataset.cases, 'case')}, ${grouped(manifest.dataset.labeled)} labeled.`,
  );
  if (people !== null)
    err(
      `${people.annotators === 0 ? 'People who are not named' : people.annotators === 1 ? 'One person' : `${grouped(people.annotators)} people`} gave ${counted(people.answers, 'answer')}: ${counted(people.labeled, 'case')} labeled by what most of them say${people.split === 0 ? '' : `, ${grouped(people.split)} without a label, since they are split or too few`}.`,
    );
  await printSummary(context, manifest, await store.totals(name), options.json);
  return exitCode.ok;
}
