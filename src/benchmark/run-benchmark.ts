import { type EvalCase, isPair } from '../case/index.ts';
import { isEndpointRefused, JuryError, yieldToEventLoop } from '../common/index.ts';
import { type Ask, createFirstContact, type FirstContact, judgeCase, recallAsk } from '../judging/index.ts';
import type { Verdict } from '../judging/verdict/index.ts';
import type { Library } from '../prompting/index.ts';
import { planConfigured, type WordingOf } from './configured-case.ts';
import { type Decided, knownAnswers, pooledMs } from './pooled-answers.ts';
import {
  type Configuration,
  chainOf,
  openKeys,
  placesOf,
  plannedTrials,
  type RunManifest,
} from './run-manifest.ts';
import { type Trial, trialOf } from './trial.ts';
import type { TrialStore, TrialVerdict, TrialWriter } from './trial-store.ts';

export interface ChainParts {
  manifest: RunManifest;
  library: Library;
  /** Judges for a repeat and a method, with or without the cache. Cached answers are never shared across repeats or methods. */
  askFor: (asking: { repeat: number; fresh: boolean; method: string }) => Ask;
  wordingOf: WordingOf;
  caseAt: (index: number) => Promise<EvalCase>;
  /** The run's saved verdicts with these keys. */
  readVerdicts: (keys: ReadonlySet<string>) => ReturnType<TrialStore['readVerdicts']>;
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

/** The places of a trial. @throws JuryError `internal` if the run has no such trial */
function placed({ manifest }: Pick<ChainParts, 'manifest'>, key: string) {
  const places = placesOf(key);
  const configuration = manifest.configurations[places?.configuration ?? -1];
  if (places === null || configuration === undefined)
    throw new JuryError('internal', `The run ${manifest.name} has no trial ${key}.`);
  return { index: places.index, configuration };
}

/** What the trials of a chain that are judged already leave to the others, by configuration. */
interface Before {
  /** How many answers the panel gave. */
  answers: Map<string, number>;
  decided: Map<string, Decided>;
}

/** The number of answers that a vote is to have: as many as its debate. */
const answersFor = ({ equalCallsOf }: Configuration, { answers }: Before): number =>
  Math.max(1, answers.get(equalCallsOf ?? '') ?? 1);

async function runTrial(parts: ChainParts, key: string, before: Before): Promise<ChainEnd> {
  const { manifest, library, writer, wordingOf } = parts;
  const { index, configuration } = placed(parts, key);
  const evalCase = await parts.caseAt(index);
  const plan = planConfigured(
    library,
    evalCase,
    configuration,
    manifest.settings,
    answersFor(configuration, before),
  );
  const entered = await waitForBudget(parts, key);
  if (entered.kind !== 'done') return entered;
  try {
    const { repeat, pooledFrom = [] } = configuration;
    const ask = parts.askFor({ repeat, fresh: !manifest.settings.cache, method: plan.method.id });
    // A single answer is saved with its trial; only trials with several answers need the shelf.
    const several =
      plan.raters !== null || plan.panel.seats.length * plan.method.rounds > 1 || isPair(evalCase);
    const judged = await judgeCase(plan, {
      ask: several ? recallAsk(ask, writer.replies(key)) : ask,
      known: knownAnswers(
        plan,
        pooledFrom.flatMap((id) => before.decided.get(id) ?? []),
        wordingOf,
      ),
      now: parts.now,
      timeoutMs: parts.timeoutMs,
      signal: never,
    });
    const verdict = { ...judged, durationMs: judged.durationMs + pooledMs(judged) };
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
    const { id } = configuration;
    if ((await writer.save(trial, verdict)) === 'saved') {
      parts.onTrial?.(trial);
      before.answers.set(id, verdict.judgements.length);
      before.decided.set(id, { id, plan, verdict });
      return { kind: 'done' };
    }
    // Another worker was first. What it saved counts, so that other trials use no answer that the run does not have.
    const count = await writer.answersOf(key);
    if (count !== null) before.answers.set(id, count);
    if (manifest.configurations.some((one) => one.pooledFrom?.includes(id)))
      for await (const saved of parts.readVerdicts(new Set([key])))
        before.decided.set(id, { id, plan, verdict: saved.verdict });
    return { kind: 'done' };
  } catch (thrown) {
    await writer.release(key).catch(() => {});
    if (isEndpointRefused(thrown)) return { kind: 'refused', why: thrown.message };
    throw thrown;
  }
}

/** The saved trials of a chain whose answers others of it, which are not saved, use. */
function sourcesIn(
  { configurations }: RunManifest,
  chain: readonly string[],
  isSaved: (key: string) => boolean,
): string[] {
  const configurationOf = (key: string) => configurations[placesOf(key)?.configuration ?? -1];
  const open = chain.filter((key) => !isSaved(key));
  const wanted = new Set(open.flatMap((key) => configurationOf(key)?.pooledFrom ?? []));
  return chain.filter((key) => isSaved(key) && wanted.has(configurationOf(key)?.id ?? ''));
}

/** Reads what the saved trials of a chain leave to the others. @param answers of the panels of the saved trials, by key */
async function readBefore(
  parts: ChainParts,
  chain: readonly string[],
  answers: ReadonlyMap<string, number>,
): Promise<Before> {
  const { manifest, library } = parts;
  const before: Before = { answers: new Map(), decided: new Map() };
  for (const [key, count] of answers) before.answers.set(placed(parts, key).configuration.id, count);
  const sources = new Set(sourcesIn(manifest, chain, (key) => answers.has(key)));
  if (sources.size === 0) return before;
  for await (const { key, verdict } of parts.readVerdicts(sources)) {
    const { index, configuration } = placed(parts, key);
    const evalCase = await parts.caseAt(index);
    const count = answersFor(configuration, before);
    const plan = planConfigured(library, evalCase, configuration, manifest.settings, count);
    before.decided.set(configuration.id, { id: configuration.id, plan, verdict });
  }
  return before;
}

/** Judges the trials of a chain, skipping saved ones, so it can resume after a crash. */
export async function runChain(parts: ChainParts, opening: string): Promise<ChainEnd> {
  const chain = chainOf(parts.manifest, opening);
  const answers = new Map<string, number>();
  for (const key of chain) {
    const count = await parts.writer.answersOf(key);
    if (count !== null) answers.set(key, count);
  }
  if (answers.size === chain.length) return { kind: 'done' };
  const before = await readBefore(parts, chain, answers);
  for (const key of chain) {
    if (answers.has(key)) continue;
    const end = await runTrial(parts, key, before);
    if (end.kind !== 'done') return end;
  }
  return { kind: 'done' };
}

/** Reads in one pass the verdicts that half-judged chains need: reading each of them in turn may mean reading the whole run. */
async function readSources(
  { manifest, readVerdicts }: Pick<ChainParts, 'manifest' | 'readVerdicts'>,
  kept: ReadonlySet<string>,
): Promise<ChainParts['readVerdicts']> {
  const wanted = new Set<string>();
  for (const opening of openKeys(manifest, kept))
    for (const key of sourcesIn(manifest, chainOf(manifest, opening), (one) => kept.has(one)))
      wanted.add(key);
  const held = new Map<string, TrialVerdict>();
  if (wanted.size > 0) for await (const one of readVerdicts(wanted)) held.set(one.key, one);
  return async function* (keys) {
    const others = new Set(keys);
    for (const key of keys) {
      const one = held.get(key);
      if (one === undefined) continue;
      // Its chain is the only one that needs it.
      held.delete(key);
      others.delete(key);
      yield one;
    }
    // As where another worker has judged them since, or a chain is run again.
    if (others.size > 0) yield* readVerdicts(others);
  };
}

/** How a run ended. */
export type RunEnd = { kind: 'complete' } | Exclude<ChainEnd, { kind: 'done' } | { kind: 'silent' }>;

/** Judges all missing trials of a run in this process. When it is stopped or out of budget, no new trial begins, and trials in progress finish. */
export async function runBenchmark(given: Omit<ChainParts, 'contact'>, concurrency: number): Promise<RunEnd> {
  const { manifest, writer, stop } = given;
  const { all: kept } = await writer.kept();
  const parts = {
    ...given,
    readVerdicts: await readSources(given, kept),
    contact: createFirstContact(plannedTrials(manifest) - kept.size),
  };
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
