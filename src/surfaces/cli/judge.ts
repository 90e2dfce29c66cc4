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
import { firstPaste } from '../examples.ts';
import { caseOptions, type Parts } from '../parts.ts';
import type { Register } from './command-context.ts';
import { collect, ids, temperature, wholeNumber } from './options.ts';
import { createProgress } from './progress.ts';
import { type ExitCode, exitCode, type Terminal } from './terminal.ts';

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
 * `jury judge`: prints verdicts in input order, each as soon as those before it are there. When `signal` aborts,
 * cases under way end with what was said so far and the others are not begun.
 */
export async function judgeFiles(
  parts: Parts,
  terminal: Terminal,
  files: readonly string[],
  options: JudgeCommandOptions,
  signal: AbortSignal,
): Promise<ExitCode> {
  const items = await readCases(terminal, files, caseOptions(parts), signal);
  const plans = planAll(parts, items, options);
  for (const model of new Set(plans.flatMap(({ panel }) => panel.seats.map(({ judge }) => judge.model))))
    parts.requireModel(model);
  const progress = createProgress(terminal, plans.length);
  const texts = cardTexts(parts.library);
  // What draws cards takes time to load, and JSON needs none of it.
  const cards = options.json ? null : await import('./card-text.ts');
  const print = (verdict: Verdict, { evalCase }: CasePlan): void => {
    const text =
      cards === null
        ? jsonLine(verdict)
        : `${cards.renderCard(terminal.screen, cardOf(verdict, evalCase, texts))}\n`;
    progress.above(() => terminal.out(text));
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
      terminal.err(`Stopped. ${decisions.length} of ${counted(plans.length, 'case')} were judged.`);
    throw refusal;
  }
  if (signal.aborted)
    terminal.err(
      `Stopped. ${decisions.length} of ${counted(plans.length, 'case')} had started and ${decisions.length === 1 ? 'is' : 'are'} printed with the answers so far.`,
    );
  if (cards !== null && !signal.aborted && decisions.length > 1)
    terminal.out(cards.summaryOf(decisions, partly));
  return codeOf(decisions, signal.aborted);
}

interface JudgeFlags extends Omit<JudgeOptions, 'models' | 'settings'> {
  model?: string[];
  set?: string[];
  concurrency: number;
  json: boolean;
  cache: boolean;
}

const HELP = `
A paste to try:

${firstPaste.replaceAll(/^/gm, '  ')}

Exit codes: 0 every case passed or was scored, 1 at least one failed, 2 at least one undecided and none failed,
64 bad usage or unreadable input (nothing judged), 69 an endpoint refuses the key or the model, 70 internal error,
130 stopped with Ctrl-C.`;

export const register: Register = (command, { env, stop, terminal, withParts }) => {
  command
    .description(
      'Judges cases from files, or from standard input when no file is named or the file is "-".\nA file is a paste (User: … System: …), a JSON case, or JSONL with one case a line.',
    )
    .argument('[file...]', 'pastes, JSON or JSONL; - for standard input')
    .option('--rubric <id>', 'the standard to judge by (default: found from the case)')
    .option('--method <id>', "the way of judging (default: the rubric's)")
    .option(
      '--model <id>',
      'provider/model, or "rules" for exact checks without a model; repeatable (default: JURY_MODEL, else rules)',
      collect,
    )
    .option('--panel <ids>', "personas, separated by commas (default: the rubric's)", ids)
    .option(
      '--set <name=value>',
      'a setting of the personas on the panel, such as brand=Aurora; repeatable ("jury personas" lists them)',
      collect,
    )
    .option('--rounds <n>', 'maximum number of rounds of a debate', wholeNumber(1, 20))
    .option('--temperature <x>', "sampling temperature in place of the method's", temperature)
    .option('--seed <n>', 'seed for endpoints that take one', wholeNumber(0, 2 ** 31 - 1))
    .option('--concurrency <n>', 'cases judged at once', wholeNumber(1, 1000), 8)
    .option('--json', 'one verdict a line as JSON, in input order', false)
    .option('--no-cache', 'ask again even where an answer is known')
    .addHelpText('after', HELP)
    .action(async (files: string[], { cache, model, set = [], ...flags }: JudgeFlags) => {
      const models = model ?? [(await env()).settings.JURY_MODEL];
      const options = { ...flags, models, settings: readSettings(set) };
      await withParts({ cache }, (parts) => judgeFiles(parts, terminal, files, options, stop));
    });
};
