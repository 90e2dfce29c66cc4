import { hasDay, sampled } from '../../benchmark/collect/index.ts';
import type { Sample } from '../../benchmark/index.ts';
import type { EvalCase } from '../../case/index.ts';
import { JuryError, yieldToEventLoop } from '../../common/index.ts';
import { counted, grouped, jsonLine, listed, plainLine, plainText } from '../../common/text/index.ts';
import {
  addVerdictToSet,
  assumedRouterOf,
  type CaseCheck,
  checkCase,
  type DatasetStats,
  type Deviation,
  datasetStats,
  domainIn,
  generate,
  loadDomain,
  loadInstructions,
  noDrives,
  paraphrase,
  type Router,
  readDataset,
  readSet,
  removeFromSet,
  routeService,
  type Sources,
  type Spread,
  setNames,
  type UserCases,
} from '../../datasets/index.ts';
import type { Env } from '../../env.ts';
import { RULES } from '../../judges/rules/index.ts';
import { entry, type Rubric, rubricFor } from '../../judging/standards/index.ts';
import { caseOptions, type Parts } from '../index.ts';
import {
  type CommandContext,
  type ExitCode,
  exitCode,
  type JsonFlag,
  type Terminal,
  widthOf,
  writeCases,
} from '../terminal/index.ts';

const deviationText = ({ criterion, expected, found, why }: Deviation): string =>
  found === 'unscored'
    ? `${criterion} should ${expected}, but cannot be checked: ${why}`
    : `${criterion} should ${expected}, but ${found === 'pass' ? 'passes' : 'fails'}: ${why}`;

function problemText(check: Exclude<CaseCheck, { kind: 'confirmed' }>): string {
  switch (check.kind) {
    case 'contradicted':
      return `the label is contradicted. ${check.deviations.map(deviationText).join(' ')}`;
    case 'unscored':
      return `not everything can be checked. ${check.deviations.map(deviationText).join(' ')}`;
    case 'unusable':
      return check.problem;
  }
}

const PARTS: readonly (readonly [CaseCheck['kind'], string])[] = [
  ['confirmed', 'confirmed'],
  ['contradicted', 'contradicted by exact checks'],
  ['unscored', 'not fully checkable'],
  ['unusable', 'without a checkable label'],
];

/**
 * `jury dataset check`: whether exact checks find precisely the error that each case's label names. Exits with 1 unless every
 * case is confirmed.
 */
export async function checkDataset(
  context: CommandContext,
  files: readonly string[],
  options: { rubric?: string; json: boolean },
): Promise<ExitCode> {
  const { out, stop } = context;
  const parts = await context.parts({ cache: true });
  const { rubrics } = parts.library;
  const cases = await readDataset(context, files, caseOptions(parts), stop);
  if (options.rubric !== undefined) entry('rubric', rubrics, options.rubric);
  const rubricOf = (evalCase: EvalCase): Rubric => rubricFor(rubrics, evalCase, options.rubric);
  const counts = new Map<CaseCheck['kind'], number>();
  for (const { name, evalCase } of cases) {
    await yieldToEventLoop();
    if (stop.aborted) return exitCode.interrupted;
    const check = await checkCase(evalCase, rubricOf, parts.ask, stop);
    counts.set(check.kind, (counts.get(check.kind) ?? 0) + 1);
    if (options.json) out(jsonLine({ caseId: name, ...check }));
    else if (check.kind !== 'confirmed') out(plainText(`${name}: ${problemText(check)}`));
  }
  const kinds = PARTS.flatMap(([kind, text]) => {
    const count = counts.get(kind) ?? 0;
    return count > 0 ? [`${grouped(count)} ${text}`] : [];
  });
  if (!options.json) out(`${counted(cases.length, 'case')}: ${kinds.join(', ')}`);
  return counts.get('confirmed') === cases.length ? exitCode.ok : exitCode.failed;
}

type Row = [name: string, value: string];

/** How many entries of a list are printed; the rest are counted. */
const MOST = 8;

const countsText = (counts: Record<string, number>): string =>
  listed(
    Object.entries(counts).map(([name, count]) => `${name} ${grouped(count)}`),
    MOST,
  );

const spreadText = (spread: Spread | null): string =>
  spread === null
    ? 'none'
    : spread.min === spread.max
      ? String(spread.min)
      : `${spread.min} to ${spread.max}, median ${spread.median}, mean ${spread.mean.toFixed(1)}`;

const groupsText = (groups: readonly string[][]): string =>
  groups.length === 0
    ? 'none'
    : listed(
        groups.map((group) => listed(group, MOST, ' = ')),
        MOST,
      );

function rowsOf(stats: DatasetStats): Row[] {
  const { cases, distinctRequests, duplicates, missing } = stats;
  const errors = Object.keys(stats.errorTypes).length;
  const gaps = missing.map(({ path, cases: count }) => `${path} in ${grouped(count)}`);
  return [
    ['cases', `${grouped(cases)}, with ${counted(distinctRequests, 'different request')}`],
    ['labels', countsText(stats.labels)],
    ...(errors > 0 ? [['error types', countsText(stats.errorTypes)] satisfies Row] : []),
    ['rubrics', countsText(stats.rubrics)],
    ['languages', countsText(stats.languages)],
    ['turns', spreadText(stats.turns)],
    ['words of the user', spreadText(stats.userWords)],
    ['words of the response', spreadText(stats.responseWords)],
    ['missing fields', gaps.length === 0 ? 'none' : listed(gaps, MOST)],
    ['ids used twice', duplicates.ids.length === 0 ? 'none' : listed(duplicates.ids, MOST)],
    ['same cases', groupsText(duplicates.contents)],
    ...(duplicates.contradictions.length > 0
      ? [['same, other label', groupsText(duplicates.contradictions)] satisfies Row]
      : []),
  ];
}

/** `jury dataset stats`: what a dataset holds, as a table or as JSON. */
export async function showStats(
  context: CommandContext,
  files: readonly string[],
  { json }: JsonFlag,
): Promise<void> {
  const { out, stop } = context;
  const parts = await context.parts();
  const cases = await readDataset(context, files, caseOptions(parts), stop);
  const stats = datasetStats(
    cases.map(({ evalCase }) => evalCase),
    parts.library.caseFormat.paths,
  );
  if (json) {
    out(jsonLine(stats));
    return;
  }
  const rows = rowsOf(stats);
  const width = Math.max(...rows.map(([name]) => widthOf(name)));
  const { colors } = context.screen;
  for (const [name, value] of rows) out(`${colors.dim(name.padEnd(width))}  ${plainText(value)}`);
}

interface GenerateOptions {
  users: number;
  seed: number;
  /** How many turns users take to say all wishes. */
  turns: number;
  /** Default: the domain's own. */
  language?: string;
  /** A file; standard output if absent. */
  out?: string;
  /** The model that rephrases requests. */
  paraphrase?: string;
}

/** Where drive times come from: the configured route service, else the assumptions of the rubric's own check. */
const routerOf = (rubric: Rubric, { settings, outgoing }: Env, signal: AbortSignal): Router =>
  settings.JURY_ROUTE_URL === undefined
    ? assumedRouterOf(rubric)
    : routeService(settings.JURY_ROUTE_URL, { signal, fetch: outgoing.fetch });

/** Rephrases requests, and keeps the original where the exact checks no longer confirm the label. */
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
    `${modelId} rephrased ${grouped(counts.rephrased)} of ${counted(users.length, 'request')}${kept.length > 0 ? `; the original was kept where ${kept.join(', ')}` : ''}.`,
  );
  return changed;
}

/** `jury dataset generate`: labeled cases from a domain's wording; for each user, one without an error and one for each error. */
export async function generateCases(
  context: CommandContext,
  domainId = 'navigation',
  options: GenerateOptions,
): Promise<ExitCode> {
  const { stop: signal } = context;
  const parts = await context.parts({ cache: true });
  const { users, seed, turns, language, out, paraphrase: modelId } = options;
  const { promptFolders } = parts.env;
  const { domain, areas } = loadDomain(promptFolders, domainIn(promptFolders, domainId, language));
  const rubric = entry('rubric', parts.library.rubrics, domain.rubric);
  if (modelId === RULES)
    throw new JuryError('usage', '"rules" cannot rephrase: name a model such as openai/gpt-4o-mini.');
  if (modelId !== undefined) parts.requireModel(modelId);
  const drives = domain.dimensions.some(({ kind }) => kind === 'drive');
  const router = drives ? routerOf(rubric, parts.env, signal) : noDrives;
  const sources: Sources = { domain, areas, rubric, router, schema: parts.library.caseFormat.schema, turns };
  const made = await generate(sources, seed, users);
  const worded =
    modelId === undefined ? made : await rephrased(parts, context, made, rubric, modelId, signal);
  if (signal.aborted) return exitCode.interrupted;
  const cases = worded.flat();
  await writeCases(context, cases, out);
  context.err(
    `${counted(cases.length, 'case')} of ${counted(users, 'user')}, seed ${seed}${out === undefined ? '' : `, in ${out}`}.${drives ? ` Drive times: ${router.basis}.` : ''}`,
  );
  return exitCode.ok;
}

/** `jury dataset sample`: samples cases from each day of a log. */
export async function sampleCases(
  context: CommandContext,
  files: readonly string[],
  { out, by, ...sample }: Sample & { out?: string },
): Promise<void> {
  const parts = await context.parts();
  const read = await readDataset(context, files, { ...caseOptions(parts), isLog: true }, context.stop);
  const log = read.map(({ evalCase }) => evalCase);
  const cases = sampled(log, { ...sample, by });
  await writeCases(context, cases, out);
  if (by !== undefined && !log.some(({ tags }) => tags?.[by] !== undefined))
    context.err(`No case has the tag "${plainLine(by)}": the sample keeps no shares of its values.`);
  if (!log.some(hasDay))
    context.err('No case has a date (the tag "date", or context.date): all were taken for one day.');
  context.err(`${grouped(cases.length)} of ${counted(read.length, 'case')}.`);
}

/** `jury dataset add`: adds the cases of verdicts to a named set. */
export async function addCases(
  context: CommandContext,
  set: string,
  verdicts: readonly string[],
): Promise<void> {
  const { store: open, library, now } = await context.parts();
  const store = await open();
  for (const id of verdicts)
    context.out(`${id}: ${await addVerdictToSet(store, set, id, library.caseFormat, now())}`);
}

/** `jury dataset list`: lists the named sets. */
export async function listSets({ parts, out, err }: CommandContext, { json }: JsonFlag): Promise<void> {
  const { store: open, now } = await parts();
  const store = await open();
  const names = await setNames(store, now());
  if (names.length === 0) err('There are no sets yet. "jury dataset add" makes one.');
  for (const name of names) {
    const cases = await readSet(store, name, now());
    const labeled = cases.filter(({ label }) => label !== undefined).length;
    out(
      json
        ? jsonLine({ set: name, cases: cases.length, labeled })
        : `${name}: ${counted(cases.length, 'case')}, ${labeled} with a label`,
    );
  }
}

/** `jury dataset export`: writes a named set as JSONL. */
export async function exportSet(
  context: CommandContext,
  set: string,
  { out }: { out?: string },
): Promise<void> {
  const { store: open, now } = await context.parts();
  const cases = await readSet(await open(), set, now());
  await writeCases(context, cases, out);
  context.err(`${counted(cases.length, 'case')}${out === undefined ? '' : `, in ${out}`}.`);
}

/** `jury dataset remove`: removes cases from a named set, or the whole set. */
export async function removeCases(
  context: CommandContext,
  set: string,
  ids: readonly string[],
): Promise<void> {
  const { store: open, now } = await context.parts();
  const removed = await removeFromSet(await open(), set, ids.length === 0 ? null : ids, now());
  const strange = new Set(ids).size - removed;
  if (strange > 0)
    context.err(`${counted(strange, 'id')} not found: "jury dataset export ${set}" shows what is in it.`);
  context.out(`${counted(removed, 'case')} removed from ${set}.`);
}
