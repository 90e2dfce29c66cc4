import { InvalidArgumentError } from 'commander';
import { checkCase } from '../../benchmark/datasets/check-dataset.ts';
import { loadDomain, loadInstructions } from '../../benchmark/datasets/domain.ts';
import { generate, type Sources, type UserCases } from '../../benchmark/datasets/generate.ts';
import { importTable } from '../../benchmark/datasets/import-table.ts';
import type { ColumnMapping } from '../../benchmark/datasets/map-columns.ts';
import { paraphrase } from '../../benchmark/datasets/paraphrase.ts';
import { readTableFile } from '../../benchmark/datasets/read-cases.ts';
import type { TableFormat } from '../../benchmark/datasets/read-table.ts';
import { routeService } from '../../benchmark/datasets/route-service.ts';
import { assumedRouterOf, type Router } from '../../benchmark/datasets/scene.ts';
import type { EvalCase } from '../../case/case.ts';
import { JuryError } from '../../common/errors.ts';
import { counted, jsonLine } from '../../common/text.ts';
import { RULES } from '../../judges/rules/rules-judge.ts';
import { entry } from '../../judging/library.ts';
import type { Rubric } from '../../judging/rubric.ts';
import type { Parts } from '../parts.ts';
import type { Register } from './command-context.ts';
import { checkDataset, showStats } from './dataset-check.ts';
import { tableFormatOption, wholeNumber } from './options.ts';
import { writeOutput } from './output.ts';
import { type ExitCode, exitCode, type Terminal } from './terminal.ts';

interface GenerateOptions {
  users: number;
  seed: number;
  /** A file; standard output where there is none. */
  out?: string;
  /** The model that says requests in other words. */
  paraphrase?: string;
}

/** Writes cases as JSONL. @throws JuryError `usage` where the file cannot be written */
async function putCases(
  terminal: Terminal,
  cases: readonly EvalCase[],
  out: string | undefined,
): Promise<void> {
  if (out === undefined) {
    for (const one of cases) terminal.out(jsonLine(one));
    return;
  }
  await writeOutput(out, cases.map((one) => `${jsonLine(one)}\n`).join(''));
}

/** Where drive times come from: the route service that is configured, else the assumptions of the rubric's own check. */
const routerOf = (rubric: Rubric, address: string | undefined, signal: AbortSignal): Router =>
  address === undefined ? assumedRouterOf(rubric) : routeService(address, { signal });

/** Says the requests in other words where the exact checks can still read them. */
async function rephrased(
  parts: Parts,
  terminal: Terminal,
  users: readonly UserCases[],
  rubric: Rubric,
  modelId: string,
  signal: AbortSignal,
): Promise<UserCases[]> {
  const {
    counts,
    problem,
    users: changed,
  } = await paraphrase(users, {
    client: parts.client,
    modelId,
    instructions: loadInstructions(parts.env.promptFolders),
    isConfirmed: async (evalCase) =>
      (await checkCase(evalCase, () => rubric, parts.ask, signal)).kind === 'confirmed',
    signal,
  });
  const kept = [
    ...(counts.unchanged > 0 ? [`${counts.unchanged} came back unchanged`] : []),
    ...(counts.unreadable > 0 ? [`${counts.unreadable} could no longer be read as labeled`] : []),
    ...(counts.unanswered > 0 ? [`${counts.unanswered} got no answer (${problem})`] : []),
  ];
  terminal.err(
    `${modelId} rephrased ${counts.rephrased} of ${counted(users.length, 'request')}${kept.length > 0 ? `; the original was kept where ${kept.join(', ')}` : ''}.`,
  );
  return changed;
}

/** `jury dataset generate`: labeled cases from a domain's wording, one right and one for each error a user. */
async function generateCases(
  parts: Parts,
  terminal: Terminal,
  domainId: string,
  options: GenerateOptions,
  signal: AbortSignal,
): Promise<ExitCode> {
  const { users, seed, out, paraphrase: modelId } = options;
  const { domain, areas } = loadDomain(parts.env.promptFolders, domainId);
  const rubric = entry('rubric', parts.library.rubrics, domain.rubric);
  if (modelId === RULES)
    throw new JuryError('usage', '"rules" cannot rephrase: name a model such as openai/gpt-4o-mini.');
  if (modelId !== undefined) parts.requireModel(modelId);
  const router = routerOf(rubric, parts.env.settings.JURY_ROUTE_URL, signal);
  const sources: Sources = { domain, areas, rubric, router, schema: parts.library.caseFormat.schema };
  const made = await generate(sources, seed, users);
  const said = modelId === undefined ? made : await rephrased(parts, terminal, made, rubric, modelId, signal);
  if (signal.aborted) return exitCode.interrupted;
  const cases = said.flat();
  await putCases(terminal, cases, out);
  terminal.err(
    `${counted(cases.length, 'case')} of ${counted(users, 'user')}, seed ${seed}${out === undefined ? '' : `, in ${out}`}. Drive times: ${router.basis}.`,
  );
  return exitCode.ok;
}

interface ImportOptions {
  /** `column=path`, repeatable; `column=-` leaves a column out. */
  map?: readonly string[];
  format?: TableFormat;
  rubric?: string;
  out?: string;
}

/** @throws JuryError `usage` for what is no `column=path` */
const mapOf = (pairs: readonly string[]): ReadonlyMap<string, string> =>
  new Map(
    pairs.map((pair) => {
      const at = pair.lastIndexOf('=');
      if (at < 1 || at === pair.length - 1)
        throw new JuryError(
          'usage',
          `--map "${pair}": write column=path, such as --map question=conversation.`,
        );
      return [pair.slice(0, at), pair.slice(at + 1)];
    }),
  );

const mappingText = ({ column, path, why }: ColumnMapping): string =>
  path === null ? `  ${column} → left out: ${why}` : `  ${column} → ${path} (${why})`;

/**
 * `jury dataset import`: rows of a CSV or JSONL file as cases. Rows that make none are said with their reason and left
 * out; ends with 1 where there are any, and with 64 where nothing is left.
 */
async function importCases(
  parts: Parts,
  terminal: Terminal,
  file: string,
  options: ImportOptions,
  stop: AbortSignal,
): Promise<ExitCode> {
  const { library, env } = parts;
  const { rubric, out } = options;
  if (rubric !== undefined) entry('rubric', library.rubrics, rubric);
  const table = await readTableFile(terminal, file, options.format, stop);
  const { cases, mapping, problems, assumed } = importTable(table, {
    map: mapOf(options.map ?? []),
    format: library.caseFormat,
    maxCaseChars: env.settings.JURY_MAX_CASE_CHARS,
    ...(rubric === undefined ? {} : { rubric }),
  });
  terminal.err(`Columns:\n${mapping.map(mappingText).join('\n')}`);
  for (const { note, rows } of assumed) terminal.err(`Assumed: ${note} (${counted(rows, 'row')})`);
  for (const { where, reason } of problems) terminal.err(`${where}: ${reason}`);
  if (cases.length === 0)
    throw new JuryError(
      'bad-input',
      'No row became a case; nothing was written. Name the columns with --map, such as --map question=conversation --map reply=response.',
    );
  await putCases(terminal, cases, out);
  const left = problems.length > 0 ? `, ${problems.length} left out` : '';
  terminal.err(`${cases.length} of ${counted(table.rows.length, 'row')} became cases${left}.`);
  return problems.length > 0 ? exitCode.failed : exitCode.ok;
}

const pair = (value: string, before: string[] = []): string[] => {
  if (!value.includes('=')) throw new InvalidArgumentError('Must be column=path.');
  return [...before, value];
};

/** `jury dataset …`: labeled cases are generated, checked, counted and imported. */
export const register: Register = (dataset, { stop, terminal, withParts }) => {
  dataset
    .command('generate')
    .summary('generate labeled cases: one right and one for each error a user')
    .description(
      'Generates labeled cases as JSONL: for each user one recommendation that meets every wish, and one for each kind of error, the same but for that error. The same seed gives the same bytes; more users keep the earlier ones.',
    )
    .argument('[domain]', 'what the cases are about: a file in prompts/datasets', 'navigation')
    .option('--users <n>', 'users, each with their own situation and wishes', wholeNumber(1, 100_000), 100)
    .option('--seed <n>', 'which users', wholeNumber(0, 2 ** 31 - 1), 1)
    .option('--out <file>', 'write to a file (default: standard output)')
    .option('--paraphrase <model>', 'let a model rephrase the requests; labels are checked again')
    .action((domain: string, options: GenerateOptions) =>
      withParts({ cache: true }, (parts) => generateCases(parts, terminal, domain, options, stop)),
    );

  dataset
    .command('check')
    .summary('prove that every case has exactly the error of its label')
    .description(
      'Runs the exact checks on every case: the criterion of label.errorType must fail and all others pass; a case labeled pass must fail none. Reports which case deviates, in which criterion and why.',
    )
    .argument('[file...]', 'datasets; - for standard input')
    .option('--rubric <id>', "the standard to check by (default: the case's own)")
    .option('--json', 'one result a line as JSON', false)
    .addHelpText(
      'after',
      '\nExit codes: 0 every case is confirmed, 1 at least one is not, 64 bad usage or unreadable input.',
    )
    .action((files: string[], options: { rubric?: string; json: boolean }) =>
      withParts({ cache: true }, (parts) => checkDataset(parts, terminal, files, options, stop)),
    );

  dataset
    .command('stats')
    .description('count what a dataset holds: labels, error types, languages, lengths, gaps, duplicates')
    .argument('[file...]', 'datasets; - for standard input')
    .option('--json', 'as JSON', false)
    .action((files: string[], options: { json: boolean }) =>
      withParts({ cache: true }, (parts) => showStats(parts, terminal, files, options, stop)),
    );

  dataset
    .command('import')
    .summary('make cases of the rows of a CSV or JSONL file')
    .description(
      'Makes cases of the rows of a CSV or JSONL file. Columns are matched by name, and the matches are shown; --map corrects those that are wrong. Rows that make no case are reported with the reason and left out.',
    )
    .argument('<file>', 'CSV (also with semicolons or tabs) or JSONL; - for standard input')
    .option(
      '--map <column=path>',
      'where a column goes: a path such as label.decision, or - for nowhere; repeatable',
      pair,
    )
    .addOption(tableFormatOption())
    .option('--rubric <id>', 'the rubric of cases that name none')
    .option('--out <file>', 'write to a file (default: standard output)')
    .addHelpText(
      'after',
      '\nExit codes: 0 every row became a case, 1 some did not, 64 bad usage, unreadable input or no case at all.',
    )
    .action((file: string, options: ImportOptions) =>
      withParts({ cache: true }, (parts) => importCases(parts, terminal, file, options, stop)),
    );
};
