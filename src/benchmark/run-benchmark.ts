import { createHash } from 'node:crypto';
import type { EvalCase } from '../case/case.ts';
import { yieldToEventLoop } from '../common/async.ts';
import { JuryError } from '../common/errors.ts';
import { judgeCase } from '../judging/judge-case.ts';
import { isScored, Judgement } from '../judging/judgement.ts';
import type { Ask, Question } from '../judging/ports.ts';
import type { Verdict } from '../judging/verdict.ts';
import type { Library } from '../prompting/library.ts';
import { planConfigured } from './plan-run.ts';
import { chainOf, openingKeys, placesOf, type RunManifest } from './run.ts';
import { type Trial, trialOf } from './trial.ts';
import type { ReplyShelf, TrialWriter } from './trial-store.ts';

export interface ChainParts {
  manifest: RunManifest;
  library: Library;
  /** The judges, for a repeat (the answer of one is never taken for that of another), with or without kept answers. */
  askFor: (asking: { repeat: number; fresh: boolean }) => Ask;
  /** The case at a place of the dataset. */
  caseAt: (index: number) => Promise<EvalCase>;
  writer: TrialWriter;
  /** Milliseconds since the epoch. */
  now: () => number;
  /** Longest time for one verdict, ms. */
  timeoutMs: number;
  /** No further trial begins once it aborts; one that has begun is brought to its end. */
  stop: AbortSignal;
  onTrial?: (trial: Trial) => void;
}

/** How a chain of trials ended. `budget`: with what there is to say about it. */
export type ChainEnd = { kind: 'done' } | { kind: 'stopped' } | { kind: 'budget'; why: string };

/** How long to wait before the budget is asked again, ms. */
const BUDGET_PAUSE_MS = 50;

const never = new AbortController().signal;

/** Waits until the trial may begin. */
async function admitted({ writer, stop }: ChainParts, key: string): Promise<ChainEnd> {
  for (;;) {
    if (stop.aborted) return { kind: 'stopped' };
    const answer = await writer.begin(key);
    if (answer === 'go') return { kind: 'done' };
    if (answer === 'stop') return { kind: 'budget', why: 'the budget of the run is spent' };
    await new Promise((resolve) => setTimeout(resolve, BUDGET_PAUSE_MS));
  }
}

/** The message of a judge that was not asked because the day's budget is spent. */
const outOfMoney = ({ judgements, ratings = [] }: Verdict): string | null => {
  for (const judgement of [...ratings, ...judgements])
    if (judgement.status === 'unscored' && judgement.reason === 'budget') return judgement.message;
  return null;
};

/** What a question is, within its trial: who is asked what in which round, after what was said. */
const questionId = ({ rubric, criteria, method, round, judge, seen, ratings }: Question): string =>
  createHash('sha256')
    .update(
      JSON.stringify([
        rubric.id,
        criteria.map(({ id }) => id),
        method.id,
        round,
        judge,
        seen,
        ratings?.judgements,
      ]),
    )
    .digest('hex');

function judgementOf(text: string | null): Judgement | null {
  try {
    return text === null ? null : (Judgement.safeParse(JSON.parse(text)).data ?? null);
  } catch {
    return null;
  }
}

/**
 * A judge that keeps each answer before anything is made of it, and gives a kept one without being asked again: whoever
 * takes over a half-judged trial does not pay for it twice. What is wrong with the shelf costs no answer.
 */
function recallAsk(ask: Ask, shelf: ReplyShelf, key: string): Ask {
  return async (question) => {
    const id = questionId(question);
    const kept = judgementOf(await shelf.read(key, id).catch(() => null));
    if (kept !== null) return kept;
    const judgement = await ask(question);
    if (isScored(judgement) && judgement.usage.attempts > 0)
      await shelf.write(key, id, JSON.stringify(judgement)).catch(() => {});
    return judgement;
  };
}

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
  const entered = await admitted(parts, key);
  if (entered.kind !== 'done') return entered;
  try {
    const ask = parts.askFor({ repeat: configuration.repeat, fresh: !manifest.settings.cache });
    // A single answer is saved with its trial at once: there is nothing in between to be kept.
    const several = plan.raters !== null || plan.panel.seats.length * plan.method.rounds > 1;
    const verdict = await judgeCase(plan, {
      ask: writer.replies !== null && several ? recallAsk(ask, writer.replies, key) : ask,
      now: parts.now,
      timeoutMs: parts.timeoutMs,
      signal: never,
    });
    const broke = outOfMoney(verdict);
    if (broke !== null) {
      await writer.release(key);
      return { kind: 'budget', why: broke };
    }
    const trial = trialOf(key, configuration.id, evalCase.label ?? null, verdict);
    const saved = await writer.save(trial, verdict);
    if (saved === 'saved') parts.onTrial?.(trial);
    return { kind: 'done', answers: trial.judgements.length };
  } catch (thrown) {
    await writer.release(key).catch(() => {});
    throw thrown;
  }
}

/**
 * Judges an opening trial and those that follow from it, each unless it is kept already: asked again after a crash it
 * goes on where it was.
 */
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
export type RunEnd = { kind: 'complete' } | Exclude<ChainEnd, { kind: 'done' }>;

/**
 * Judges in this process all trials of a run that are not kept yet, so many at once. When it is stopped, or the budget is
 * spent, no further trial begins and those under way are brought to their end.
 */
export async function runBenchmark(parts: ChainParts, concurrency: number): Promise<RunEnd> {
  const { manifest, writer, stop } = parts;
  const { all } = await writer.kept();
  const left = openingKeys(manifest);
  let end: RunEnd = { kind: 'complete' };
  const failure = new AbortController();

  function next(): string | null {
    for (;;) {
      const { value } = left.next();
      if (value === undefined) return null;
      if (chainOf(manifest, value).some((key) => !all.has(key))) return value;
    }
  }
  async function lane(): Promise<void> {
    while (!stop.aborted && !failure.signal.aborted && end.kind === 'complete') {
      const key = next();
      if (key === null) return;
      await yieldToEventLoop();
      const ended = await runChain(parts, key);
      if (ended.kind !== 'done') end = ended;
    }
  }
  const lanes = Array.from({ length: concurrency }, () =>
    lane().catch((thrown) => {
      failure.abort();
      throw thrown;
    }),
  );
  const settled = await Promise.allSettled(lanes);
  for (const one of settled) if (one.status === 'rejected') throw one.reason;
  return stop.aborted && end.kind === 'complete' && next() !== null ? { kind: 'stopped' } : end;
}
