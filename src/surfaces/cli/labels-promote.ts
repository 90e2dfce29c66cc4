import { percent, pText } from '../../benchmark/reports/format.ts';
import { JuryError } from '../../common/errors.ts';
import { counted, jsonLine, plainText } from '../../common/text.ts';
import { type Exemplar, entry } from '../../judging/library.ts';
import type { Rubric } from '../../judging/rubric.ts';
import { correctedExemplar, readFindings } from '../../labels/corrected-exemplar.ts';
import { rightOfLabel } from '../../labels/gold.ts';
import {
  type LabelBy,
  type LabelRule,
  labelOf,
  labelText,
  usualRule,
  type VerdictLabel,
} from '../../labels/label.ts';
import { type LabelWish, readModel, readVoted, type VoterModel } from '../../labels/labels.ts';
import {
  type AgreementChange,
  type HeldOut,
  type HeldOutCase,
  heldOutOf,
  LEAST_HELD_OUT,
  measurePromotion,
  type Promotion,
  type PromotionOutcome,
  requireExamples,
  settledCases,
  withExample,
} from '../../labels/promote-example.ts';
import { requireExemplar } from '../../prompting/cross-check.ts';
import { exemplarsYaml, type KeptExemplars, keepExemplars } from '../../prompting/keep-exemplars.ts';
import { readLibrary } from '../../prompting/read-library.ts';
import type { Parts } from '../parts.ts';
import { readDataset } from './dataset-check.ts';
import type { StandardInput } from './read-cases.ts';
import { type ExitCode, exitCode, type Terminal } from './terminal.ts';

/** Where held-out cases come from: the newest labels of the store, or a dataset. */
type HeldOutSource = { kind: 'store'; most: number } | { kind: 'file'; file: string };

/** `200`, or the name of a file. */
const readHeldOutSource = (text: string): HeldOutSource =>
  /^\d+$/.test(text) ? { kind: 'store', most: Number(text) } : { kind: 'file', file: text };

async function* fromFile(
  parts: Parts,
  standard: StandardInput,
  file: string,
  rubric: Rubric,
  stop: AbortSignal,
): AsyncGenerator<HeldOutCase> {
  const options = { maxCaseChars: parts.env.settings.JURY_MAX_CASE_CHARS, format: parts.library.caseFormat };
  for (const { name, evalCase } of await readDataset(standard, [file], options, stop)) {
    const right = rightOfLabel(evalCase);
    const fits = (right?.kind === 'decision') === (rubric.decide === 'all');
    if (right !== null && fits && (evalCase.rubric ?? rubric.id) === rubric.id)
      yield { name, evalCase, right };
  }
}

interface HeldOutWish {
  source: HeldOutSource;
  rubric: Rubric;
  /** The verdict that becomes an example; it measures nothing. */
  promoted: string;
  /** All examples that are shown, before or after. */
  examples: readonly Exemplar[];
  by: NonNullable<LabelWish['by']>;
  rule: LabelRule;
  model: Pick<VoterModel, 'passProbability'> | null;
}

/**
 * The labeled cases that tell whether an example helps.
 * @throws JuryError `usage` where there are too few
 */
async function heldOutCases(
  parts: Parts,
  standard: StandardInput,
  wish: HeldOutWish,
  stop: AbortSignal,
): Promise<HeldOut> {
  const { source, rubric, promoted, examples, by, rule, model } = wish;
  const found = await heldOutOf(
    source.kind === 'file'
      ? fromFile(parts, standard, source.file, rubric, stop)
      : settledCases(await parts.store(), { rubric: rubric.id, by, rule }, model, promoted),
    examples.map((exemplar) => exemplar.case),
    source.kind === 'file' ? Number.POSITIVE_INFINITY : source.most,
  );
  if (found.cases.length >= LEAST_HELD_OUT) return found;
  const why = [
    ...(found.shown > 0 ? [`${found.shown} share words with an example`] : []),
    ...(found.repeated > 0 ? [`${found.repeated} are there twice`] : []),
    ...(found.beyond > 0 ? [`${found.beyond} are beyond --held-out`] : []),
  ];
  throw new JuryError(
    'usage',
    `There are ${found.cases.length} labeled cases of the rubric "${rubric.id}" to measure with${why.length > 0 ? ` (${why.join(', ')})` : ''}; it takes ${LEAST_HELD_OUT}. Collect more labels, or name a dataset with --held-out FILE. Nothing was written.`,
  );
}

export interface PromoteOptions {
  rubric: string;
  /** Null: the configured model. */
  model?: string;
  method: string;
  /** How many of the newest labels, or a dataset. */
  heldOut: string;
  reasoning?: string;
  /** `time=fail: It closes at 18:00.` */
  finding?: string[];
  by: LabelBy;
  least: number;
  concurrency: number;
  /** Only show the example, and what measuring it takes. */
  plan: boolean;
  json: boolean;
}

/** @throws JuryError `config` where nothing of one's own can be written */
function ownFolder({ env }: Parts): string {
  const folder = env.settings.JURY_PROMPTS_DIR;
  if (folder === undefined)
    throw new JuryError(
      'config',
      'Worked examples are written into a prompts folder of your own: make one and set JURY_PROMPTS_DIR to it. Those of the program are never changed.',
    );
  return folder;
}

const shareText = (value: number, n: number): string => percent({ defined: true, n, value });

function changeLines({ cases, before, after, better, worse, p }: AgreementChange): string[] {
  const named = (names: readonly string[]) =>
    names.length === 0
      ? ''
      : `: ${names.slice(0, 10).join(', ')}${names.length > 10 ? ` and ${names.length - 10} more (--json lists all)` : ''}`;
  return [
    `agreement with the labels of ${counted(cases, 'held-out case')}: ${shareText(before, cases)} before, ${shareText(after, cases)} after`,
    `  better: ${better.length}${named(better)}`,
    `  worse:  ${worse.length}${named(worse)}`,
    `  p ${pText(p)} (exact McNemar test)`,
  ];
}

function planLines(
  { cases, shown, repeated, beyond }: HeldOut,
  { method, model, rubric }: Promotion,
): string[] {
  const left = [
    ...(shown > 0 ? [`${shown} share words with an example`] : []),
    ...(repeated > 0 ? [`${repeated} are there twice`] : []),
    ...(beyond > 0 ? [`${beyond} are older than wanted`] : []),
  ];
  return [
    `${counted(cases.length, 'held-out case')} of ${rubric.id} ${cases.length === 1 ? 'is' : 'are'} judged twice, by ${method} with ${model}: ${counted(cases.length * 2, 'verdict')}.`,
    ...(left.length > 0 ? [`Left out: ${left.join(', ')}.`] : []),
  ];
}

interface Made {
  exemplar: Exemplar;
  label: VerdictLabel;
  promotion: Promotion;
  heldOut: HeldOut;
}

/**
 * Settles all that can be settled before anybody is asked.
 *
 * @param onExample told of the example before the labels are read that measure it
 */
async function prepare(
  parts: Parts,
  terminal: Terminal,
  id: string,
  options: PromoteOptions,
  stop: AbortSignal,
  onExample: (exemplar: Exemplar) => void,
): Promise<Made> {
  const { library, env } = parts;
  const { by, method, concurrency } = options;
  const model = options.model ?? env.settings.JURY_MODEL;
  const rubric = entry('rubric', library.rubrics, options.rubric);
  requireExamples(library, method, model);
  parts.requireModel(model);
  const store = await parts.store();
  const rule = { ...usualRule, least: options.least };
  const voters = by === 'dawid-skene' ? await readModel(store, rubric.id) : null;
  const voted = await readVoted(store, id);
  const label = labelOf(voted, voters?.passProbability.get(id) ?? null, rule, by);
  const findings = readFindings(options.finding ?? []);
  const exemplar = correctedExemplar(voted, label, rubric, {
    findings,
    ...(options.reasoning === undefined ? {} : { reasoning: options.reasoning }),
  });
  requireExemplar(rubric, exemplar, library);
  onExample(exemplar);
  const before = library.exemplars(rubric.id);
  const after = withExample(before, exemplar);
  const source = readHeldOutSource(options.heldOut);
  const examples = [...before, ...after];
  const wish = { source, rubric, promoted: id, examples, by, rule, model: voters };
  const heldOut = await heldOutCases(parts, terminal, wish, stop);
  const promotion = { rubric, method, model, before, after, heldOut: heldOut.cases, concurrency };
  return { exemplar, label, promotion, heldOut };
}

const remarksOf = (
  id: string,
  { label, exemplar, promotion }: Made,
  change: AgreementChange,
  at: number,
): string[] => [
  `${new Date(at).toISOString()}: ${exemplar.id} was added from verdict ${id}: ${labelText(label)}.`,
  `Agreement with the labels of ${counted(change.cases, 'held-out case')}, ${promotion.method} with ${promotion.model}: ${shareText(change.before, change.cases)} before, ${shareText(change.after, change.cases)} after.`,
];

/** Measuring takes a while. @throws JuryError `usage` where somebody changed the examples in between */
function requireSame({ env }: Parts, { rubric, before }: Promotion): void {
  const now = readLibrary(env.promptFolders).exemplars(rubric.id);
  if (JSON.stringify(now) !== JSON.stringify(before))
    throw new JuryError(
      'usage',
      `The worked examples of "${rubric.id}" have changed since they were measured. Nothing was written; the same command measures again.`,
    );
}

function told(
  { out, err }: Terminal,
  outcome: PromotionOutcome,
  kept: KeptExemplars | null,
  made: Made,
): ExitCode {
  switch (outcome.kind) {
    case 'stopped':
      err('Stopped; nothing was written.');
      return exitCode.interrupted;
    case 'unanswered':
      err(
        `${counted(outcome.cases.length, 'held-out case')} got no answer, so nothing can be said: ${outcome.why}. Nothing was written; the same command asks again.`,
      );
      return exitCode.undecided;
    case 'measured':
      for (const line of changeLines(outcome.change)) out(plainText(line));
      if (kept === null) {
        out('The agreement falls. Nothing was written.');
        return exitCode.failed;
      }
      out(
        plainText(
          `Written: ${kept.path}, version ${kept.version}, ${made.exemplar.id} first of ${made.promotion.after.length}.`,
        ),
      );
      if (kept.earlier !== null) out(plainText(`The version before is ${kept.earlier}.`));
      return exitCode.ok;
  }
}

/**
 * `jury labels promote`: a case that people settled becomes a worked example, where the agreement with held-out labels does
 * not fall.
 */
export async function labelsPromoteCommand(
  parts: Parts,
  terminal: Terminal,
  id: string,
  options: PromoteOptions,
  stop: AbortSignal,
): Promise<ExitCode> {
  const folder = ownFolder(parts);
  const made = await prepare(parts, terminal, id, options, stop, (example) => {
    if (options.plan) terminal.out(plainText(exemplarsYaml([example]).trimEnd()));
  });
  const { promotion, exemplar } = made;
  for (const line of planLines(made.heldOut, promotion)) terminal.err(line);
  if (options.plan) return exitCode.ok;
  const outcome = await measurePromotion(
    {
      library: parts.library,
      askWith: (library) => parts.askFor({ repeat: 1, fresh: false }, library),
      now: parts.now,
      timeoutMs: parts.env.settings.JURY_VERDICT_TIMEOUT_S * 1000,
      stop,
    },
    promotion,
  );
  const holds = outcome.kind === 'measured' && outcome.change.holds;
  if (holds) requireSame(parts, promotion);
  const kept = holds
    ? keepExemplars(
        folder,
        promotion.rubric.id,
        promotion.after,
        remarksOf(id, made, outcome.change, parts.now()),
      )
    : null;
  if (!options.json) return told(terminal, outcome, kept, made);
  terminal.out(jsonLine({ verdict: id, ...outcome, written: kept, example: exemplar }));
  return told({ ...terminal, out: () => {} }, outcome, kept, made);
}
