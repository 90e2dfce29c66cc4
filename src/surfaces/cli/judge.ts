import pLimit from 'p-limit';
import type { EvalCase } from '../../case/index.ts';
import { isEndpointRefused, JuryError, messageOf, yieldToEventLoop } from '../../common/index.ts';
import { counted, jsonLine, plainLine } from '../../common/text/index.ts';
import {
  makeOfEach,
  namedByFile,
  namedFiles,
  problemLines,
  type ReadItem,
  readCases,
} from '../../datasets/index.ts';
import { cardTexts } from '../../judging/card/index.ts';
import {
  type CasePlan,
  createFirstContact,
  type FirstContact,
  type JudgeOptions,
  judgeCase,
  planCase,
  planReading,
  type UnsureChoice,
} from '../../judging/index.ts';
import { readSettings, type SettingValues } from '../../judging/standards/index.ts';
import type { Verdict } from '../../judging/verdict/index.ts';
import { loadCaseFields } from '../../prompting/lazy.ts';
import { caseOptions, type Parts } from '../index.ts';
import { type CommandContext, type ExitCode, exitCode } from '../terminal/index.ts';
import { readingText, unreadProblem } from '../wording/index.ts';
import type { Counts, ShareGate } from './gate.ts';
import { keepVerdict } from './keep-verdict.ts';
import { createProgress, type Progress } from './progress.ts';
import type { Judged, Printer, VerdictFormat } from './verdict-formats.ts';

/** `jury parse`: prints each case as it was understood, without judging it. */
export async function parse(context: CommandContext, files: string[]): Promise<ExitCode> {
  const { promptFolders, settings } = await context.env();
  const { loadCaseFormat } = await loadCaseFields();
  const options = { maxCaseChars: settings.JURY_MAX_CASE_CHARS, format: loadCaseFormat(promptFolders) };
  const items = await readCases(context, await namedFiles(files), options, context.stop);
  for (const { parsed } of items) context.out(jsonLine(parsed));
  const problems = items.flatMap(({ source, parsed }) =>
    'problem' in parsed ? [`${source}: ${parsed.problem}`] : [],
  );
  for (const problem of problems) context.err(problem);
  if (items.length === 0) context.err('The input has no cases.');
  return problems.length > 0 || items.length === 0 ? exitCode.usage : exitCode.ok;
}

export interface JudgeCommandOptions extends JudgeOptions {
  /** Absent: cards for up to three cases, else a table. */
  format?: VerdictFormat | 'json';
  /** Cases judged at once. */
  concurrency: number;
  /** Whether to judge the rest if some cases cannot be judged. */
  skipInvalid?: boolean;
  /** Thresholds for the shares of cases that pass and that are decided; null or absent: every decision counts. */
  gate?: ShareGate | null;
  /** How to read lines that may or may not belong to an answer; absent: judged if it makes no difference, else refused. */
  unsure?: UnsureChoice;
  /** Whether to judge what a model read of a paste that plain reading refuses. */
  trustReader?: boolean;
  /** Whether verdicts are kept in the store. */
  save?: boolean;
  /** Whether cards give every judge's reasoning even if all judges are exact checks. */
  opinions?: boolean;
  /** Called with every verdict, in input order. */
  onVerdict?: (verdict: Verdict, evalCase: EvalCase) => void;
}

/** Up to this many cases are shown as cards. */
const MOST_CARDS = 3;

interface Planned {
  plan: CasePlan;
  source: string;
}

/**
 * Plans every case before the first call, so that nothing is judged or paid for if one of them cannot be.
 * @throws JuryError `bad-input` listing every problem, unless the other cases are to be judged
 */
async function planAll(
  { err, stop }: CommandContext,
  parts: Parts,
  items: readonly ReadItem[],
  { unsure, trustReader: _trust, ...options }: JudgeCommandOptions,
): Promise<Planned[]> {
  const settings = { ...parts.env.settings.JURY_SETTINGS, ...options.settings };
  const { made, problems } = await makeOfEach(items, async (read, source) => ({
    plan: await planReading(
      read,
      unsure,
      '--unsure remark or --unsure answer says which is meant.',
      (one) => planCase(parts.library, one.case, { ...options, settings }, one.assumed, one.unsure),
      { ...parts, signal: stop },
    ),
    source,
  }));
  const lines = problemLines(problems);
  if (problems.length > 0 && (options.skipInvalid !== true || made.length === 0)) {
    const skip = made.length > 0 ? ' --skip-invalid judges the rest.' : '';
    lines.push(`Nothing was judged. "jury parse" shows how each case was understood.${skip}`);
    throw new JuryError('bad-input', lines.join('\n'));
  }
  if (made.length === 0) throw new JuryError('bad-input', 'The input has no cases. Nothing was judged.');
  if (problems.length > 0)
    err(`${lines.join('\n')}\nLeft out: ${problems.length} of ${counted(items.length, 'case')}.`);
  const plans = made.map(({ plan }) => plan);
  requireUsedSettings(plans, options.settings ?? {});
  return made;
}

/**
 * Every setting given for these cases must affect at least one of them.
 * @throws JuryError `usage` listing the settings that would
 */
function requireUsedSettings(plans: readonly CasePlan[], given: SettingValues): void {
  const used = new Set(plans.flatMap(({ values }) => Object.keys(values)));
  const idle = Object.keys(given).filter((name) => !used.has(name));
  if (idle.length > 0)
    throw new JuryError(
      'usage',
      `No persona on the panel has the setting ${idle.map((name) => `"${name}"`).join(', ')}. Settings of this panel: ${[...used].join(', ') || 'none'}. Name another panel with --panel; "jury personas" lists who has which.`,
    );
}

/**
 * Judges a case, and repeats that for as long as it is unknown whether any model answers.
 *
 * @param until aborts when no more cases are to be judged
 * @param giveUp called with the reason if no model answers
 * @returns null if there is no verdict
 */
async function verdictOf(
  judge: () => Promise<Verdict>,
  contact: FirstContact,
  until: AbortSignal,
  giveUp: (why: JuryError) => void,
): Promise<Verdict | null> {
  while (!until.aborted)
    try {
      const verdict = await judge();
      const silence = contact.silence(verdict);
      if (silence === null) return verdict;
      if (contact.isLost()) giveUp(new JuryError('endpoint-refused', silence));
    } catch (thrown) {
      if (!isEndpointRefused(thrown)) throw thrown;
      giveUp(thrown);
    }
  return null;
}

/**
 * Judges cases concurrently; yields verdicts in input order. When the user stops, cases under way end with the answers so far,
 * and the others are not started.
 * @throws JuryError, after the verdicts so far, if an endpoint refuses the key or the model, or never answered
 */
async function* judgeEach(
  { stop }: CommandContext,
  parts: Parts,
  cases: readonly Planned[],
  options: JudgeCommandOptions,
  progress: Progress,
): AsyncGenerator<Judged> {
  const limit = pLimit(options.concurrency);
  const cutOff = new AbortController();
  const until = AbortSignal.any([stop, cutOff.signal]);
  let refusal: JuryError | null = null;
  const contact = createFirstContact(cases.length);
  const giveUp = (why: JuryError) => {
    refusal ??= why;
    cutOff.abort();
  };
  const running = cases.map((one) =>
    limit(async (): Promise<Judged | null> => {
      await yieldToEventLoop();
      const { plan, source } = one;
      const verdict = await verdictOf(
        () => judgeCase(plan, { ...parts, signal: until, onEvent: (event) => progress.saw(plan, event) }),
        contact,
        until,
        giveUp,
      );
      progress.ended(plan);
      if (verdict === null || (verdict.cancelled && refusal !== null)) return null;
      const id = options.save === true ? await keepVerdict(parts, one.plan, verdict) : undefined;
      return { verdict, evalCase: plan.shown, source, ...(id === undefined ? {} : { id }) };
    }),
  );
  // A failure is thrown below, where it is awaited; this only keeps other cases from starting.
  for (const pending of running) pending.catch(() => cutOff.abort());
  for (const pending of running) {
    const judged = await pending;
    if (judged !== null) yield judged;
  }
  if (refusal !== null) throw refusal;
}

/** The exit code: by the thresholds if there are any, else by the decisions on all cases. */
function codeOf({ fail, undecided }: Counts, isMet: boolean | undefined): ExitCode {
  if (isMet !== undefined) return isMet ? exitCode.ok : exitCode.failed;
  return fail > 0 ? exitCode.failed : undecided > 0 ? exitCode.undecided : exitCode.ok;
}

/** How far judging got before no model could be asked any more. */
function leftText(judged: number, cases: number, isGated: boolean): string {
  const what = judged === 0 ? 'Nothing was judged' : `${judged} of ${counted(cases, 'case')} were judged`;
  return `${what}${isGated ? ', so --fail-under is not met' : ''}.`;
}

/** A line with the text that a case is judged without; none if nothing is left out. */
const leftOutLine = ({ plan: { leftOut }, source }: Planned): string[] =>
  leftOut === undefined ? [] : [`${source}: left out: "${plainLine(leftOut.text)}"`];

/** JSON needs none of the layout that the other formats load. */
async function openPrinter(
  format: VerdictFormat | 'json',
  { screen }: CommandContext,
  { env, library }: Parts,
  plans: readonly CasePlan[],
  { opinions = false }: JudgeCommandOptions,
): Promise<Printer> {
  if (format === 'json')
    return { each: ({ id, verdict }) => jsonLine(id === undefined ? verdict : { id, ...verdict }) };
  const { printerOf } = await import('./verdict-formats.ts');
  const hasModel = env.settings.JURY_MODEL !== 'rules';
  return printerOf(format, { screen, texts: cardTexts(library, 'en'), plans, hasModel, opinions });
}

/**
 * Has a model read what plain reading refused. What it read counts only with `--trust-reader`; without it, it is part of the problem.
 */
async function readRefused(
  { stop }: CommandContext,
  { reader, library, timeoutMs }: Parts,
  items: readonly ReadItem[],
  { concurrency, trustReader = false }: JudgeCommandOptions,
): Promise<ReadItem[]> {
  const limit = pLimit(concurrency);
  const readOne = async (item: ReadItem): Promise<ReadItem> => {
    const { parsed, unread, file } = item;
    if (reader === null || unread === null || !('problem' in parsed)) return item;
    const deadlineAt = performance.now() + timeoutMs;
    const read = await reader.read({ text: unread, signal: stop, deadlineAt, fresh: false });
    if (read === null) return item;
    if ('noReading' in read)
      return { ...item, parsed: { ...parsed, problem: unreadProblem(parsed.problem, read) } };
    if (trustReader) return { ...item, parsed: namedByFile(read, file) };
    const how = '  --trust-reader judges it.';
    const problem = readingText(parsed.problem, read, library.caseFormat, how);
    return { ...item, parsed: { ...parsed, problem } };
  };
  return Promise.all(items.map((item) => limit(readOne, item)));
}

/** Judges cases and prints the verdicts, each as soon as those before it are there, or all of them at the end. */
export async function judgeFiles(
  context: CommandContext,
  parts: Parts,
  files: readonly string[],
  options: JudgeCommandOptions,
): Promise<ExitCode> {
  const { err, out, stop } = context;
  const given = await readCases(context, await namedFiles(files), caseOptions(parts), stop);
  const items = await readRefused(context, parts, given, options);
  const cases = await planAll(context, parts, items, options);
  const plans = cases.map(({ plan }) => plan);
  for (const model of new Set(plans.flatMap(({ panel }) => panel.seats.map(({ judge }) => judge.model))))
    parts.requireModel(model);
  // A store that does not work must show before anything is paid for.
  if (options.save === true) await (await parts.store()).inspect();
  const format = options.format ?? (cases.length > MOST_CARDS ? 'table' : 'cards');
  // Cards show this themselves.
  if (format !== 'cards') for (const line of cases.flatMap(leftOutLine)) err(line);
  const printer = await openPrinter(format, context, parts, plans, options);
  const progress = createProgress(context, cases.length);
  const all: Judged[] = [];
  const counts: Counts = { pass: 0, fail: 0, scored: 0, undecided: 0 };
  const howMany = () => Object.values(counts).reduce((sum, count) => sum + count, 0);
  /** @param why the reason why some cases have no verdict; null if judging came to its end */
  const finish = (why: string | null) => {
    progress.close();
    const judged = new Set(all.map(({ evalCase }) => evalCase));
    const unjudged = cases.flatMap(({ plan: { caseId, rubric, shown }, source }) =>
      judged.has(shown) ? [] : [{ caseId, rubric: rubric.id, source }],
    );
    const isShort = why !== null && unjudged.length > 0 && printer.cutShort !== undefined;
    if (isShort) return out(printer.cutShort?.(all, unjudged, why, new Date(parts.now())) ?? '');
    const text = howMany() > 0 ? (printer.all?.(all) ?? '') : '';
    if (text !== '') out(text);
  };
  try {
    for await (const judged of judgeEach(context, parts, cases, options, progress)) {
      const text = printer.each?.(judged);
      if (text !== undefined) progress.above(() => out(text));
      if (printer.all !== undefined) all.push(judged);
      options.onVerdict?.(judged.verdict, judged.evalCase);
      counts[judged.verdict.decision] += 1;
    }
  } catch (thrown) {
    finish(messageOf(thrown));
    if (isEndpointRefused(thrown)) err(leftText(howMany(), cases.length, options.gate != null));
    throw thrown;
  }
  finish(stop.aborted ? 'stopped' : null);
  if (options.save === true && howMany() > 0)
    err(
      'The verdicts are kept: "jury labels show ID", "jury labels vote ID RIGHT --as NAME", "jury labels adjudicate ID RIGHT --by ROLE".',
    );
  if (!stop.aborted) return codeOf(counts, options.gate?.(counts, err));
  err(
    `Stopped. ${howMany()} of ${counted(cases.length, 'case')} had started and ${howMany() === 1 ? 'is' : 'are'} printed with the answers so far.`,
  );
  return exitCode.interrupted;
}

interface JudgeFlags extends Omit<JudgeCommandOptions, 'models' | 'settings' | 'gate'> {
  model?: string[];
  set?: string[];
  failUnder?: string[];
  json: boolean;
  cache: boolean;
}

/** `jury judge` */
export async function judge(
  context: CommandContext,
  files: string[],
  { cache, failUnder = [], json: isJson, model, set = [], ...flags }: JudgeFlags,
): Promise<ExitCode> {
  if (isJson && flags.format !== undefined && flags.format !== 'json')
    throw new JuryError('usage', `--json prints JSON: leave it out, or leave out --format ${flags.format}.`);
  const options = {
    ...flags,
    ...(isJson ? { format: 'json' as const } : {}),
    // Imported on demand: few runs have a gate, and the module that reads it is large.
    gate: failUnder.length === 0 ? null : (await import('./gate.ts')).readShareGate(failUnder),
    models: model ?? [(await context.env()).settings.JURY_MODEL],
    settings: readSettings(set),
  };
  const parts = await context.parts({ cache });
  return judgeFiles(context, parts, files, options);
}
