import { join } from 'node:path';
import { JuryError } from '../../src/common/errors.ts';
import type { Ask } from '../../src/judging/ask.ts';
import type { SpotCheckParts } from '../../src/requests/check-run.ts';
import { createFairQueue } from '../../src/requests/fair-queue.ts';
import type {
  Answer,
  CaseState,
  CheckProblem,
  CheckSurface,
  Presenter,
} from '../../src/requests/presenter.ts';
import type { SpotCheck } from '../../src/requests/spot-check.ts';
import { createSpotChecks } from '../../src/requests/take-up-requests.ts';
import { openSqliteStore } from '../../src/stores/sqlite/sqlite-store.ts';
import { judgementOf, pass } from '../support/builders.ts';
import { builtInLibrary } from '../support/built-in.ts';
import { closing, newFolder } from '../support/resources.ts';
import { aCheck, saturday } from '../support/store-builders.ts';

/** Where a process may die: the call never returns, as if what made it were gone. */
type Death = 'placeholder' | 'posted' | 'ask' | 'card' | 'shown' | null;
const never = new Promise<never>(() => {});

/** How long a process may be silent before another one takes its requests up, ms. */
export const LEASE_MS = 10_000;

/**
 * One store on disk, one chat and one clock, and processes that die at will. The chat knows its messages by the request that they answer,
 * as a chat with idempotency keys does.
 */
export async function world() {
  const store = await openSqliteStore(join(newFolder(), 'jury.db'));
  closing(() => store.close());
  let at = saturday;
  const chat = new Map<string, string>();
  const posted: string[] = [];
  const refused: JuryError[] = [];
  const refusedCards: JuryError[] = [];
  const asked: string[] = [];
  const died: Death[] = [];
  const refusedWithdrawals: JuryError[] = [];
  /** What the chat was given to show, beside the last text of each message. */
  const shown = {
    retries: [] as boolean[],
    summaries: [] as CaseState[][],
    problems: [] as CheckProblem[],
    answers: [] as Answer[],
    limits: [] as boolean[],
    thanked: [] as string[],
  };

  function start(
    owner: string,
    dies: Death = null,
    own: Partial<SpotCheckParts & Pick<CheckSurface, 'read'>> = {},
  ) {
    const die = (): Promise<never> => {
      died.push(dies);
      return never;
    };
    const show = async (id: string, text: string): Promise<void> => {
      const refusal = refused.shift();
      if (refusal) throw refusal;
      chat.set(id, text);
    };
    const presenter: Presenter = {
      placeholder: async (check, isRetry) => {
        if (dies === 'placeholder') return die();
        shown.retries.push(isRetry);
        if (!chat.has(check.id)) {
          await show(check.id, 'received');
          posted.push(check.id);
        }
        return dies === 'posted' ? die() : `message of ${check.id}`;
      },
      watch: () => ({ saw: () => {}, stopping: () => {}, end: async () => {} }),
      permalink: async () => undefined,
      card: async (check, message, { verdict }) => {
        // It becomes the message that said that the request was received.
        if (message !== `message of ${check.id}`) throw new Error(`no message ${message}`);
        if (dies === 'card') return die();
        const refusal = refusedCards.shift();
        if (refusal) throw refusal;
        await show(check.id, verdict.decision);
        if (dies === 'shown') return die();
      },
      summary: async (check, _message, cases) => {
        shown.summaries.push([...cases]);
        await show(
          check.id,
          cases.map((one) => (one.kind === 'judged' ? one.record.verdict.decision : one.kind)).join(),
        );
      },
      problem: async (check, _message, problem) => {
        shown.problems.push(problem);
        await show(check.id, problem.kind === 'failed' ? problem.message : problem.kind);
      },
      answer: async (_check, _message, answer) => void shown.answers.push(answer),
      limits: async (_check, _spent, isJudged) => void shown.limits.push(isJudged),
      thank: async ({ id }) => void shown.thanked.push(id),
      withdraw: async () => {
        const refusal = refusedWithdrawals.shift();
        if (refusal) throw refusal;
        chat.clear();
      },
      unshowable: async (check) => void chat.set(`${check.id} elsewhere`, 'cannot be shown'),
    };
    const surface: CheckSurface = { presenter, read: own.read ?? (async () => ({ kind: 'nothing' })) };
    const ask: Ask = async (question) => {
      asked.push(owner);
      return dies === 'ask' ? die() : judgementOf(question, pass);
    };
    const parts: SpotCheckParts = {
      store,
      library: builtInLibrary(),
      ask,
      reader: null,
      explain: async () => {
        throw new Error('no one asks');
      },
      queue: createFairQueue(4),
      pseudonym: ({ user }) => user,
      spentBy: async () => [],
      readTrust: async () => null,
      surfaces: new Map([['slack', surface]]),
      defaultModel: 'openai/test',
      settings: {},
      requireModel: () => {},
      timeoutMs: 60_000,
      now: () => at,
      observer: {
        judged: () => {},
        ended: () => {},
        failed: () => {},
      },
      owner,
      ...own,
    };
    return createSpotChecks(parts);
  }
  return {
    ...{ store, chat, asked, died, refused, refusedCards, refusedWithdrawals, posted, shown, start },
    now: () => at,
    /** Time passes for all processes. */
    wait: (ms: number) => {
      at += ms;
    },
    record: (id = 'check-1', parts: Partial<SpotCheck> = {}) =>
      store.addSpotCheck(aCheck({ id, at, ...parts })),
    isDone: async () => (await store.pendingSpotChecks()) === 0,
  };
}

export const undelivered = (retryable: boolean): JuryError =>
  new JuryError('undelivered', 'the chat did not take it', { retryable });
