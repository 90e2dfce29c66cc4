import pLimit from 'p-limit';
import { type ReadItem, readCases } from '../../benchmark/datasets/read-cases.ts';
import type { EvalCase } from '../../case/case.ts';
import { yieldToEventLoop } from '../../common/async.ts';
import { isEndpointRefused, JuryError } from '../../common/errors.ts';
import { counted, jsonLine } from '../../common/text.ts';
import { cardOf, cardTexts } from '../../judging/card.ts';
import { type CasePlan, type JudgeOptions, judgeCase, planCase } from '../../judging/judge-case.ts';
import { readSettings, type SettingValues } from '../../judging/persona.ts';
import type { Decision, Verdict } from '../../judging/verdict.ts';
import { caseOptions, type Parts } from '../parts.ts';
import type { CommandContext } from './command-context.ts';
import { createProgress } from './progress.ts';
import { type ExitCode, exitCode } from './terminal.ts';

export interface JudgeCommandOptions extends JudgeOptions {
  json: boolean;
  /** Cases judged at once. */
  concurrency: number;
  /** Called with every verdict, in input order. */
  onVerdict?: (verdict: Verdict, evalCase: EvalCase) => void;
}

/**
 * Settles every case before the first call, so that nothing is judged, or paid for, when one cannot be.
 * @throws JuryError `bad-input` that lists every problem
 */
function planAll(parts: Parts, items: readonly ReadItem[], options: JudgeOptions): CasePlan[] {
  const problems: string[] = [];
  const plans: CasePlan[] = [];
  const settings = { ...parts.env.settings.JURY_SETTINGS, ...options.settings };
  for (const { source, parsed } of items) {
    if ('problem' in parsed) {
      problems.push(`${source}: ${parsed.problem}`);
      continue;
    }
    try {
      plans.push(planCase(parts.library, parsed.case, { ...options, settings }, parsed.assumed));
    } catch (thrown) {
      if (!(thrown instanceof JuryError) || thrown.code !== 'bad-input') throw thrown;
      problems.push(`${source}: ${thrown.message}`);
    }
  }
  if (problems.length > 0)
    throw new JuryError(
      'bad-input',
      `${problems.join('\n')}\nNothing was judged. "jury parse" shows how each case was understood.`,
    );
  if (plans.length === 0) throw new JuryError('bad-input', 'The input has no cases. Nothing was judged.');
  requireUsedSettings(plans, options.settings ?? {});
  return plans;
}

/**
 * A setting that is named for these cases must change something in one of them.
 * @throws JuryError `usage` that lists the settings that would
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

function codeOf(decisions: readonly Decision[], interrupted: boolean): ExitCode {
  if (interrupted) return exitCode.interrupted;
  if (decisions.includes('fail')) return exitCode.failed;
  return decisions.includes('undecided') ? exitCode.undecided : exitCode.ok;
}

/**
 * Prints verdicts in input order, each as soon as those before it are there. When `signal` aborts,
 * cases under way end with what was said so far and the others are not begun.
 */
export async function judgeFiles(
  context: CommandContext,
  parts: Parts,
  files: readonly string[],
  options: JudgeCommandOptions,
): Promise<ExitCode> {
  const { stop: signal } = context;
  const items = await readCases(context, files, caseOptions(parts), signal);
  const plans = planAll(parts, items, options);
  for (const model of new Set(plans.flatMap(({ panel }) => panel.seats.map(({ judge }) => judge.model))))
    parts.requireModel(model);
  const progress = createProgress(context, plans.length);
  const texts = cardTexts(parts.library);
  // What draws cards takes time to load, and JSON needs none of it.
  const cards = options.json ? null : await import('./card-text.ts');
  const print = (verdict: Verdict, { evalCase }: CasePlan): void => {
    const text =
      cards === null
        ? jsonLine(verdict)
        : `${cards.renderCard(context.screen, cardOf(verdict, evalCase, texts))}\n`;
    progress.above(() => context.out(text));
  };
  const decisions: Decision[] = [];
  let partly = 0;
  const limit = pLimit(options.concurrency);
  const cutOff = new AbortController();
  const until = AbortSignal.any([signal, cutOff.signal]);
  let refusal: JuryError | null = null;
  const running = plans.map((plan) =>
    limit(async (): Promise<[Verdict, CasePlan] | null> => {
      await yieldToEventLoop();
      if (until.aborted) return null;
      progress.began(plan);
      const verdict = await judgeCase(plan, {
        ask: parts.ask,
        now: parts.now,
        timeoutMs: parts.env.settings.JURY_VERDICT_TIMEOUT_S * 1000,
        signal: until,
        onEvent: (event) => progress.saw(plan, event),
      }).catch((thrown) => {
        if (!isEndpointRefused(thrown)) throw thrown;
        refusal ??= thrown;
        cutOff.abort();
        return null;
      });
      progress.ended(plan);
      if (verdict === null || (verdict.cancelled && refusal !== null)) return null;
      return [verdict, plan];
    }),
  );
  for (const pending of running) {
    const ended = await pending;
    if (ended === null) continue;
    print(...ended);
    options.onVerdict?.(ended[0], ended[1].evalCase);
    decisions.push(ended[0].decision);
    if (ended[0].criteria.some(({ decision }) => decision === 'not-judged')) partly += 1;
  }
  progress.close();
  if (refusal !== null) {
    if (plans.length > 1)
      context.err(`Stopped. ${decisions.length} of ${counted(plans.length, 'case')} were judged.`);
    throw refusal;
  }
  if (signal.aborted)
    context.err(
      `Stopped. ${decisions.length} of ${counted(plans.length, 'case')} had started and ${decisions.length === 1 ? 'is' : 'are'} printed with the answers so far.`,
    );
  if (cards !== null && !signal.aborted && decisions.length > 1)
    context.out(cards.summaryOf(decisions, partly));
  return codeOf(decisions, signal.aborted);
}

interface JudgeFlags extends Omit<JudgeOptions, 'models' | 'settings'> {
  model?: string[];
  set?: string[];
  concurrency: number;
  json: boolean;
  cache: boolean;
}

/** `jury judge` */
export async function judge(
  context: CommandContext,
  files: string[],
  { cache, model, set = [], ...flags }: JudgeFlags,
): Promise<ExitCode> {
  const models = model ?? [(await context.env()).settings.JURY_MODEL];
  const parts = await context.parts({ cache });
  return judgeFiles(context, parts, files, { ...flags, models, settings: readSettings(set) });
}
