import { randomUUID } from 'node:crypto';
import pLimit from 'p-limit';
import * as z from 'zod';
import type { CaseFormat } from '../../case/format/index.ts';
import { type EvalCase, isFromChat, KeptCase } from '../../case/index.ts';
import { changeText, JuryError, type KeyValue } from '../../common/index.ts';
import { readJson, usd } from '../../common/text/index.ts';
import { sumIfKnown } from '../../judging/verdict/index.ts';
import { fileAt, type Library } from '../../prompting/index.ts';
import type { BenchmarkDefinition } from '../index.ts';
import {
  type AskedCase,
  answeredCase,
  answeredTurn,
  casesById,
  type Failure,
  requireSameOrigin,
  sendableOf,
  unansweredCase,
  unansweredReason,
} from './collected-case.ts';
import { readSystemFile } from './system-file.ts';
import { openSystem, type System, type SystemPorts } from './system-under-test.ts';

/** Storage for collected cases, so that nothing is asked twice. */
export interface CaseShelf {
  /** All stored cases, in any order. */
  read: () => Promise<readonly EvalCase[]>;
  /** Resolves once the case is stored durably. */
  add: (evalCase: EvalCase) => Promise<void>;
}

export interface CollectProgress {
  kept: number;
  unanswered: number;
  /** Spending of this process, US dollars; null if any cost is unknown. */
  spentUsd: number | null;
}

/** `cases`: the stored cases, in the dataset's order. */
export type CollectEnd = CollectProgress & { cases: EvalCase[] } & (
    | { kind: 'complete' }
    | { kind: 'stopped' }
    | { kind: 'budget' | 'refused'; why: string }
  );

export interface CollectParts {
  system: System;
  shelf: CaseShelf;
  format: Pick<CaseFormat, 'schema' | 'words'>;
  maxCaseChars: number;
  /** Spending limit for this process, US dollars; null: none. */
  budgetUsd: number | null;
  /** After it aborts, no further case is started; cases in progress are finished. */
  stop: AbortSignal;
  onProgress?: (progress: CollectProgress) => void;
}

/** Stop after this many cases in a row without an answer: `first` while there has been no answer at all, `later` afterwards. */
const IN_A_ROW = { first: 3, later: 10 };

const never = new AbortController().signal;

/** Tolerance for floating-point sums of prices. */
const ROUNDING_USD = 1e-9;

/** `failure` is null if there is an answer. */
interface Outcome {
  evalCase: EvalCase;
  failure: Failure | null;
  costUsd: number | null;
}

/** Asks all turns of a case in a new session; the system's answers replace the dataset's. Null if stopped before the first turn. */
async function askCase(evalCase: EvalCase, parts: CollectParts): Promise<Outcome | null> {
  const { system, stop } = parts;
  const session = randomUUID();
  await system.turn(stop);
  if (stop.aborted) return null;
  const questions = evalCase.conversation.filter(({ role }) => role === 'user');
  const opening = evalCase.conversation.findIndex(({ role }) => role === 'user');
  let asked: AskedCase = { evalCase, conversation: evalCase.conversation.slice(0, opening), system };
  let costUsd: number | null = 0;
  let failure: Failure = { reason: 'unsupported', message: 'the case has no request' };
  for (const [at, question] of questions.entries()) {
    if (at > 0) await system.turn(never);
    asked = { ...asked, conversation: [...asked.conversation, question] };
    const reply = await system.ask(sendableOf(asked, session), never);
    costUsd = sumIfKnown([costUsd, reply.costUsd]);
    if ('reason' in reply) {
      failure = reply;
      break;
    }
    if (at === questions.length - 1) {
      const made = answeredCase(asked, reply.answer, parts);
      if ('evalCase' in made) return { evalCase: made.evalCase, failure: null, costUsd };
      failure = { reason: 'malformed', message: made.problem };
      break;
    }
    const turn = answeredTurn(reply.answer, parts.format);
    if ('problem' in turn) {
      failure = { reason: 'malformed', message: turn.problem };
      break;
    }
    asked = { ...asked, conversation: [...asked.conversation, turn] };
  }
  return { evalCase: unansweredCase(asked, failure), failure, costUsd };
}

/**
 * Asks a system to answer each case that has no stored answer. Resumes when called again after a crash: only cases in progress are asked
 * again. Cases without an answer are stored as unanswered, but only once at least one case has been answered.
 * @param dataset cases with unique ids
 * @throws JuryError `usage` or `bad-input` before anything is asked; any error of the shelf
 */
export async function collectAnswers(dataset: readonly EvalCase[], parts: CollectParts): Promise<CollectEnd> {
  const { system, shelf, budgetUsd, stop } = parts;
  const wanted = casesById(dataset);
  const kept = casesById(await shelf.read());
  requireSameOrigin(kept, wanted, system);
  const left = [...wanted].flatMap(([id, evalCase]) => (kept.has(id) ? [] : [evalCase]));
  if (budgetUsd !== null && !system.isPriced && left.length > 0)
    throw new JuryError(
      'usage',
      'A budget needs a price: write in the system file what one request costs, such as "costUsd: 0.002".',
    );
  const limit = pLimit(system.concurrency);
  const state: {
    unanswered: number;
    spentUsd: number;
    /** Total price of the cases in progress. */
    promisedUsd: number;
    isCostKnown: boolean;
    failedInARow: number;
    /** Unanswered cases, held back until the first answer: the system or its file may be misconfigured. */
    early: EvalCase[];
    end: { kind: 'budget' | 'refused'; why: string } | null;
  } = {
    unanswered: [...kept.values()].filter((one) => unansweredReason(one) !== null).length,
    spentUsd: 0,
    promisedUsd: 0,
    isCostKnown: true,
    failedInARow: 0,
    early: [],
    end: null,
  };
  const progress = (): CollectProgress => ({
    kept: kept.size,
    unanswered: state.unanswered,
    spentUsd: state.isCostKnown ? state.spentUsd : null,
  });

  async function keep(evalCase: EvalCase): Promise<void> {
    await shelf.add(evalCase);
    kept.set(evalCase.id ?? '', evalCase);
    if (unansweredReason(evalCase) !== null) state.unanswered += 1;
    parts.onProgress?.(progress());
  }
  async function count({ evalCase, failure, costUsd }: Outcome): Promise<void> {
    state.spentUsd += costUsd ?? 0;
    if (costUsd === null) state.isCostKnown = false;
    if (failure?.reason === 'budget') {
      state.end ??= { kind: 'budget', why: failure.message };
      return;
    }
    const hasAnswer = failure === null || kept.size > state.unanswered;
    if (hasAnswer) for (const one of [...state.early.splice(0), evalCase]) await keep(one);
    else state.early.push(evalCase);
    if (failure === null) {
      state.failedInARow = 0;
      return;
    }
    state.failedInARow += 1;
    const { failedInARow: failed } = state;
    if (failed >= (hasAnswer ? IN_A_ROW.later : Math.min(IN_A_ROW.first, left.length)))
      state.end ??= {
        kind: 'refused',
        why: `${failed === 1 ? 'the only case' : `${failed} cases in a row`} got no answer: ${failure.message}`,
      };
  }

  parts.onProgress?.(progress());
  await Promise.all(
    left.map((evalCase) =>
      limit(async () => {
        const priceUsd = system.costUsd * evalCase.conversation.filter(({ role }) => role === 'user').length;
        const withThisUsd = state.spentUsd + state.promisedUsd + priceUsd;
        if (budgetUsd !== null && (state.spentUsd >= budgetUsd || withThisUsd > budgetUsd + ROUNDING_USD))
          state.end ??= { kind: 'budget', why: `the budget of ${usd(budgetUsd)} pays for no further case` };
        if (stop.aborted || state.end !== null) return;
        state.promisedUsd += priceUsd;
        const outcome = await askCase(evalCase, parts);
        state.promisedUsd -= priceUsd;
        if (outcome !== null) await count(outcome);
      }),
    ),
  ).finally(() => limit.clearQueue());
  const cases = [...wanted.keys()].flatMap((id) => kept.get(id) ?? []);
  const isComplete = cases.length === wanted.size;
  return {
    ...progress(),
    cases,
    ...(isComplete ? { kind: 'complete' } : (state.end ?? { kind: 'stopped' })),
  };
}

/** Long enough to resume a run; after that, its cases are stored in the run itself. */
const KEPT_MS = 7 * 86_400_000;

const collectedKey = (run: string, id: string): string => `collected:${run}:${id}`;
/** The store key for the runs that have collected an answer to a case from a chat, so that it can be erased. */
const collectedInKey = (id: string): string => `collected-in:${id}`;
export const CollectedIn = z.array(z.string());

const runsIn = (text: string | null): string[] => readJson(CollectedIn, text ?? '')?.value ?? [];

/** A shelf for a run's answers in the shared store, so that every process finds them. */
export function runShelf(store: KeyValue, run: string, ids: readonly string[], now: () => number): CaseShelf {
  return {
    read: async () => {
      const texts = await Promise.all(ids.map((id) => store.get(collectedKey(run, id), now())));
      return texts.flatMap((text) => readJson(KeptCase, text ?? '')?.value ?? []);
    },
    add: async (evalCase) => {
      const { id = '' } = evalCase;
      if (isFromChat(evalCase)) {
        const withThis = (text: string | null) => JSON.stringify([...new Set([...runsIn(text), run])]);
        await changeText(store, collectedInKey(id), withThis, now(), KEPT_MS);
      }
      await store.setIfAbsent(collectedKey(run, id), JSON.stringify(evalCase), now(), KEPT_MS);
    },
  };
}

/** Deletes what systems answered to cases from chats, wherever it waits for its run. @throws JuryError `store-unavailable` */
export async function forgetCollected(
  store: Pick<KeyValue, 'get' | 'delete'>,
  ids: Iterable<string>,
  now: number,
): Promise<void> {
  for (const id of ids) {
    for (const run of runsIn(await store.get(collectedInKey(id), now)))
      await store.delete(collectedKey(run, id));
    await store.delete(collectedInKey(id));
  }
}

export interface RunCollection {
  definition: BenchmarkDefinition;
  run: string;
  store: KeyValue;
  library: Library;
  ports: SystemPorts;
  maxCaseChars: number;
  /** Looks up an environment variable. */
  variable: (name: string) => string | undefined;
  now: () => number;
  stop: AbortSignal;
}

/**
 * Has the benchmark's system answer its requests, within the benchmark's budget (where prices are known) and time limit. Any process can
 * resume by calling it again for the same run.
 * @throws JuryError saying why answers are missing; the reason of `stop`
 */
export async function collectForRun(
  cases: readonly EvalCase[],
  { definition, run, store, library, ports, maxCaseChars, variable, now, stop }: RunCollection,
): Promise<EvalCase[]> {
  const { caseFormat: format } = library;
  const { system: path = '', budget, minutes } = definition;
  const system = openSystem(readSystemFile(fileAt(path), format, variable), ports);
  try {
    const late = AbortSignal.timeout(minutes * 60_000);
    const end = await collectAnswers(cases, {
      system,
      shelf: runShelf(
        store,
        run,
        cases.flatMap(({ id }) => id ?? []),
        now,
      ),
      format,
      maxCaseChars,
      budgetUsd: budget === 'none' || !system.isPriced ? null : budget,
      stop: AbortSignal.any([stop, late]),
    });
    if (end.kind === 'complete') return end.cases;
    stop.throwIfAborted();
    const why = end.kind === 'stopped' ? `it took longer than ${minutes} minutes` : end.why;
    throw new JuryError(
      'bad-input',
      `${system.name} answered ${end.kept - end.unanswered} of ${cases.length} requests: ${why}`,
    );
  } finally {
    await system.close();
  }
}
