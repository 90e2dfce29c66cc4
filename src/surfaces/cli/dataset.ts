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
import type { CommandContext } from './command-context.ts';
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
export async function generateCases(
  context: CommandContext,
  domainId = 'navigation',
  options: GenerateOptions,
): Promise<ExitCode> {
  const { stop: signal } = context;
  const parts = await context.parts({ cache: true });
  const { users, seed, out, paraphrase: modelId } = options;
  const { domain, areas } = loadDomain(parts.env.promptFolders, domainId);
  const rubric = entry('rubric', parts.library.rubrics, domain.rubric);
  if (modelId === RULES)
    throw new JuryError('usage', '"rules" cannot rephrase: name a model such as openai/gpt-4o-mini.');
  if (modelId !== undefined) parts.requireModel(modelId);
  const router = routerOf(rubric, parts.env.settings.JURY_ROUTE_URL, signal);
  const sources: Sources = { domain, areas, rubric, router, schema: parts.library.caseFormat.schema };
  const made = await generate(sources, seed, users);
  const said = modelId === undefined ? made : await rephrased(parts, context, made, rubric, modelId, signal);
  if (signal.aborted) return exitCode.interrupted;
  const cases = said.flat();
  await putCases(context, cases, out);
  context.err(
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
export async function importCases(
  context: CommandContext,
  file: string,
  options: ImportOptions,
): Promise<ExitCode> {
  const { err } = context;
  const { library, env } = await context.parts();
  const { rubric, out } = options;
  if (rubric !== undefined) entry('rubric', library.rubrics, rubric);
  const table = await readTableFile(context, file, options.format, context.stop);
  const { cases, mapping, problems, assumed } = importTable(table, {
    map: mapOf(options.map ?? []),
    format: library.caseFormat,
    maxCaseChars: env.settings.JURY_MAX_CASE_CHARS,
    ...(rubric === undefined ? {} : { rubric }),
  });
  err(`Columns:\n${mapping.map(mappingText).join('\n')}`);
  for (const { note, rows } of assumed) err(`Assumed: ${note} (${counted(rows, 'row')})`);
  for (const { where, reason } of problems) err(`${where}: ${reason}`);
  if (cases.length === 0)
    throw new JuryError(
      'bad-input',
      'No row became a case; nothing was written. Name the columns with --map, such as --map question=conversation --map reply=response.',
    );
  await putCases(context, cases, out);
  const left = problems.length > 0 ? `, ${problems.length} left out` : '';
  err(`${cases.length} of ${counted(table.rows.length, 'row')} became cases${left}.`);
  return problems.length > 0 ? exitCode.failed : exitCode.ok;
}
