import { JuryError } from '../../common/index.ts';
import { counted, jsonLine, listed, plainText } from '../../common/text/index.ts';
import { readDataset } from '../../datasets/index.ts';
import { type Exemplar, entry } from '../../judging/standards/index.ts';
import {
  type AgreementChange,
  correctedExemplar,
  type HeldOut,
  heldOutOf,
  labeledCases,
  leftOutText,
  measurePromotion,
  type Promotion,
  type PromotionOutcome,
  readFindings,
  requireEnough,
  requireExamples,
  settledCases,
  withExample,
} from '../../labels/exchange/index.ts';
import { type LabelBy, labelOf, labelText, readModel, readVoted, usualRule } from '../../labels/index.ts';
import {
  exemplarsYaml,
  readLibrary,
  requireExemplar,
  type SavedExemplars,
  saveExemplars,
} from '../../prompting/index.ts';
import { percent, pText } from '../../reports/estimates/index.ts';
import { caseOptions, type Parts } from '../index.ts';
import { type CommandContext, type ExitCode, exitCode } from '../terminal/index.ts';

interface PromoteOptions {
  rubric: string;
  /** Absent: the configured model. */
  model?: string;
  method: string;
  /** How many of the newest labels to hold out, or a dataset. */
  heldOut: string;
  reasoning?: string;
  /** Such as `time=fail: It closes at 18:00.` */
  finding?: string[];
  by: LabelBy;
  minVotes: number;
  concurrency: number;
  /** Whether to only show the example, and what measuring it takes. */
  plan: boolean;
  json: boolean;
}

/** The folder of the user's own prompts. @throws JuryError `config` if there is none */
function ownFolder({ env }: Parts): string {
  const folder = env.settings.JURY_PROMPTS_DIR;
  if (folder === undefined)
    throw new JuryError(
      'config',
      'Worked examples are written into a prompts folder of your own: make one and set JURY_PROMPTS_DIR to it. The built-in ones are never changed.',
    );
  return folder;
}

const shareText = (value: number, n: number): string => percent({ defined: true, n, value });

function changeLines({ cases, before, after, better, worse, p }: AgreementChange): string[] {
  const named = (names: readonly string[]) => (names.length === 0 ? '' : `: ${listed(names, 10)}`);
  return [
    `agreement with the labels of ${counted(cases, 'held-out case')}: ${shareText(before, cases)} before, ${shareText(after, cases)} after`,
    `  better: ${better.length}${named(better)}`,
    `  worse:  ${worse.length}${named(worse)}`,
    `  p ${pText(p)} (exact McNemar test)`,
  ];
}

function planLines(heldOut: HeldOut, { method, model, rubric }: Promotion): string[] {
  const { length } = heldOut.cases;
  const left = leftOutText(heldOut);
  return [
    `${counted(length, 'held-out case')} of ${rubric.id} ${length === 1 ? 'is' : 'are'} judged twice, by ${method} with ${model}: ${counted(length * 2, 'verdict')}.`,
    ...(left === '' ? [] : [`Left out: ${left}.`]),
  ];
}

/**
 * Checks everything that can be checked before any model is asked.
 *
 * @param onExample called with the example, before the labels that measure it are read
 */
async function prepare(
  context: CommandContext,
  parts: Parts,
  id: string,
  options: PromoteOptions,
  onExample: (exemplar: Exemplar) => void,
) {
  const { library, env } = parts;
  const { by, method, concurrency } = options;
  const model = options.model ?? env.settings.JURY_MODEL;
  const rubric = entry('rubric', library.rubrics, options.rubric);
  if (rubric.wording !== undefined)
    throw new JuryError(
      'usage',
      `${rubric.id} is an earlier version, whose worked examples stay as they are.`,
    );
  requireExamples(library, method, model);
  parts.requireModel(model);
  const store = await parts.store();
  const rule = { ...usualRule, minVotes: options.minVotes };
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
  const examples = [...before, ...after].map((one) => one.case);
  const most = /^\d+$/.test(options.heldOut) ? Number(options.heldOut) : null;
  const labeled =
    most === null
      ? labeledCases(await readDataset(context, [options.heldOut], caseOptions(parts), context.stop), rubric)
      : settledCases(store, { rubric: rubric.id, by, rule }, voters, id);
  const heldOut = await heldOutOf(labeled, examples, most ?? Number.POSITIVE_INFINITY);
  requireEnough(heldOut, rubric.id);
  const promotion = { rubric, method, model, before, after, heldOut: heldOut.cases, concurrency };
  return { exemplar, label, promotion, heldOut };
}

type Made = Awaited<ReturnType<typeof prepare>>;

const remarksOf = (
  id: string,
  { label, exemplar, promotion }: Made,
  change: AgreementChange,
  at: number,
): string[] => [
  `${new Date(at).toISOString()}: ${exemplar.id} was added from verdict ${id}: ${labelText(label)}.`,
  `Agreement with the labels of ${counted(change.cases, 'held-out case')}, ${promotion.method} with ${promotion.model}: ${shareText(change.before, change.cases)} before, ${shareText(change.after, change.cases)} after.`,
];

/** Guards against changes during the measurement, which takes a while. @throws JuryError `usage` if the examples have changed */
function requireSame({ env }: Parts, { rubric, before }: Promotion): void {
  const now = readLibrary(env.promptFolders).exemplars(rubric.id);
  if (JSON.stringify(now) !== JSON.stringify(before))
    throw new JuryError(
      'usage',
      `The worked examples of "${rubric.id}" have changed since they were measured. Nothing was written; the same command measures again.`,
    );
}

function report(
  { out, err }: Pick<CommandContext, 'out' | 'err'>,
  outcome: PromotionOutcome,
  kept: SavedExemplars | null,
  made: Made,
): ExitCode {
  switch (outcome.kind) {
    case 'stopped':
      err('Stopped; nothing was written.');
      return exitCode.interrupted;
    case 'unanswered':
      err(
        `${counted(outcome.cases.length, 'held-out case')} got no answer, so agreement is unknown: ${outcome.why}. Nothing was written; the same command asks again.`,
      );
      return exitCode.undecided;
    case 'measured':
      for (const line of changeLines(outcome.change)) out(plainText(line));
      if (kept === null) {
        out('Agreement falls. Nothing was written.');
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
 * `jury labels promote`: turns a case that people settled into a worked example, if agreement with held-out labels does not
 * fall.
 */
export async function promote(
  context: CommandContext,
  id: string,
  options: PromoteOptions,
): Promise<ExitCode> {
  const { err, out, stop } = context;
  const parts = await context.parts({ cache: true });
  const folder = ownFolder(parts);
  const made = await prepare(context, parts, id, options, (example) => {
    if (options.plan) out(plainText(exemplarsYaml([example]).trimEnd()));
  });
  const { promotion, exemplar } = made;
  for (const line of planLines(made.heldOut, promotion)) err(line);
  if (options.plan) return exitCode.ok;
  const outcome = await measurePromotion(
    { ...parts, askWith: (library) => parts.askFor({ repeat: 1, fresh: false }, library), stop },
    promotion,
  );
  const holds = outcome.kind === 'measured' && outcome.change.holds;
  if (holds) requireSame(parts, promotion);
  const kept = holds
    ? saveExemplars(
        folder,
        promotion.rubric.id,
        promotion.after,
        remarksOf(id, made, outcome.change, parts.now()),
      )
    : null;
  if (!options.json) return report(context, outcome, kept, made);
  out(jsonLine({ verdict: id, ...outcome, written: kept, example: exemplar }));
  return report({ err, out: () => {} }, outcome, kept, made);
}
