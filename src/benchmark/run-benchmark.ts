import { type EvalCase, isPair } from '../case/index.ts';
import { isEndpointRefused, JuryError, yieldToEventLoop } from '../common/index.ts';
import { type Ask, createFirstContact, type FirstContact, judgeCase, recallAsk } from '../judging/index.ts';
import type { Verdict } from '../judging/verdict/index.ts';
import type { Library } from '../prompting/index.ts';
import { planConfigured } from './configured-case.ts';
import { chainOf, openKeys, placesOf, plannedTrials, type RunManifest } from './run-manifest.ts';
import { type Trial, trialOf } from './trial.ts';
import type { TrialWriter } from './trial-store.ts';

export interface ChainParts {
  manifest: RunManifest;
  library: Library;
  /** Judges for a repeat and a method, with or without the cache. Cached answers are never shared across repeats or methods. */
  askFor: (asking: { repeat: number; fresh: boolean; method: string }) => Ask;
  caseAt: (index: number) => Promise<EvalCase>;
  writer: TrialWriter;
  /** Milliseconds since the epoch. */
  now: () => number;
  /** Time limit of a verdict, ms. */
  timeoutMs: number;
  /** After it aborts, no new trial begins; trials in progress finish. */
  stop: AbortSignal;
  onTrial?: (trial: Trial) => void;
  /** Tracks whether any model has answered yet. */
  contact: FirstContact;
}

/** Looks up cases in memory by index. */
export const casesAt =
  (cases: readonly EvalCase[]): ChainParts['caseAt'] =>
  async (index) => {
    const evalCase = cases[index];
    if (evalCase === undefined) throw new JuryError('internal', `There is no case ${index}.`);
    return evalCase;
  };

/**
 * How a chain of trials ended. `refused`: a model's endpoint answers nothing until a setting is changed, or has not answered yet and probably
 * won't. `silent`: no answer yet, but one may still come, so the chain should be run again.
 */
export type ChainEnd =
  | { kind: 'done' }
  | { kind: 'stopped' }
  | { kind: 'budget' | 'refused'; why: string }
  | { kind: 'silent'; why: string };

/** Pause before checking the budget again, ms. */
const BUDGET_PAUSE_MS = 50;

const never = new AbortController().signal;

async function waitForBudget({ writer, stop }: ChainParts, key: string): Promise<ChainEnd> {
  for (;;) {
    if (stop.aborted) return { kind: 'stopped' };
    const answer = await writer.begin(key);
    if (answer === 'go') return { kind: 'done' };
    if (answer === 'stop') return { kind: 'budget', why: 'the run budget is spent' };
    await new Promise((resolve) => setTimeout(resolve, BUDGET_PAUSE_MS));
  }
}

/** The message of a judge that was not asked because the daily budget is spent; null if there is none. */
const budgetMessage = ({ judgements, ratings = [] }: Verdict): string | null => {
  for (const judgement of [...ratings, ...judgements])
    if (judgement.status === 'unscored' && judgement.reason === 'budget') return judgement.message;
  return null;
};

async function runTrial(
  parts: ChainParts,
  key: string,
  answers: number,
): Promise<ChainEnd & { answers?: number }> {
  const { manifest, library, writer } = parts;
  const places = placesOf(key);
  const configuration = places === null ? undefined : manifest.configurations[places.configuration];
  if (places === null || configuration === undefined)
    throw new JuryError('internal', `The run ${manifest.name} has no trial ${key}.`);
  const evalCase = await parts.caseAt(places.index);
  const plan = planConfigured(library, evalCase, configuration, manifest.settings, answers);
  const entered = await waitForBudget(parts, key);
  if (entered.kind !== 'done') return entered;
  try {
    const { repeat } = configuration;
    const ask = parts.askFor({ repeat, fresh: !manifest.settings.cache, method: plan.method.id });
    // A single answer is saved with its trial; only trials with several answers need the shelf.
    const several =
      plan.raters !== null || plan.panel.seats.length * plan.method.rounds > 1 || isPair(evalCase);
    const verdict = await judgeCase(plan, {
      ask: writer.replies !== null && several ? recallAsk(ask, writer.replies(key)) : ask,
      now: parts.now,
      timeoutMs: parts.timeoutMs,
      signal: never,
    });
    const broke = budgetMessage(verdict);
    if (broke !== null) {
      await writer.release(key);
      return { kind: 'budget', why: broke };
    }
    const silence = parts.contact.silence(verdict);
    if (silence !== null) {
      await writer.release(key);
      return parts.contact.isLost() ? { kind: 'refused', why: silence } : { kind: 'silent', why: silence };
    }
    const trial = trialOf(key, configuration.id, evalCase.label ?? null, verdict);
    const saved = await writer.save(trial, verdict);
    if (saved === 'saved') parts.onTrial?.(trial);
    return { kind: 'done', answers: trial.judgements.length };
  } catch (thrown) {
    await writer.release(key).catch(() => {});
    if (isEndpointRefused(thrown)) return { kind: 'refused', why: thrown.message };
    throw thrown;
  }
}

/** Judges an opening trial and those that follow from it, skipping saved ones, so it can resume after a crash. */
export async function runChain(parts: ChainParts, opening: string): Promise<ChainEnd> {
  let answers = 1;
  for (const key of chainOf(parts.manifest, opening)) {
    const kept = await parts.writer.answersOf(key);
    if (kept === null) {
      const end = await runTrial(parts, key, Math.max(1, answers));
      if (end.kind !== 'done') return end;
      if (key === opening) answers = end.answers ?? answers;
    } else if (key === opening) answers = kept;
  }
  return { kind: 'done' };
}

/** How a run ended. */
export type RunEnd = { kind: 'complete' } | Exclude<ChainEnd, { kind: 'done' } | { kind: 'silent' }>;

/** Judges all missing trials of a run in this process. When it is stopped or out of budget, no new trial begins, and trials in progress finish. */
export async function runBenchmark(given: Omit<ChainParts, 'contact'>, concurrency: number): Promise<RunEnd> {
  const { manifest, writer, stop } = given;
  const { all: kept } = await writer.kept();
  const parts = { ...given, contact: createFirstContact(plannedTrials(manifest) - kept.size) };
  const left = openKeys(manifest, kept);
  const again: string[] = [];
  let end: RunEnd = { kind: 'complete' };
  const failure = new AbortController();

  async function lane(): Promise<void> {
    while (!stop.aborted && !failure.signal.aborted && end.kind === 'complete') {
      const key = left.next().value ?? again.shift();
      if (key === undefined) return;
      await yieldToEventLoop();
      const ended = await runChain(parts, key);
      if (ended.kind === 'silent') again.push(key);
      else if (ended.kind !== 'done') end = ended;
    }
  }
  const lanes = Array.from({ length: concurrency }, () =>
    lane().catch((thrown) => {
      failure.abort();
      throw thrown;
    }),
  );
  const ended = await Promise.allSettled(lanes);
  for (const one of ended) if (one.status === 'rejected') throw one.reason;
  const isLeft = again.length > 0 || !left.next().done;
  return stop.aborted && end.kind === 'complete' && isLeft ? { kind: 'stopped' } : end;
}
