import type { Job, Queue, Worker } from 'bullmq';
import type { Cluster, Redis } from 'ioredis';
import * as z from 'zod';
import type { RunEnd, RunTotals, TrialWriter } from '../../benchmark/index.ts';
import { JuryError, memoized, sleep } from '../../common/index.ts';
import { createQueueClient } from './client.ts';
import { connect, type RedisStoreOptions, script } from './connection.ts';
import { createRunsKeys } from './runs.ts';

/** A worker that is silent for this long counts as dead, ms; other workers get its trials within twice that time. */
const LOCK_MS = 5000;
/** Killed workers are normal: a trial is given up only after this many workers have died on it. */
const MOST_STALLS = 100;
/** Attempts at a trial whose worker failed, and the pause between them, ms. */
const TRIES = 10;
const TRY_AGAIN_MS = 1000;
const MOST_EVENTS = 100;
/** Jobs added per call. */
const PAGE = 1000;

const JobData = z.strictObject({ key: z.string() });

const REFUSED = 'endpoint refused: ';

/** Encodes why a run was halted, for storage. */
export const haltReason = (end: { kind: 'budget' | 'refused'; why: string }): string =>
  end.kind === 'refused' ? `${REFUSED}${end.why}` : end.why;

const readHalt = (text: string): RunEnd =>
  text.startsWith(REFUSED)
    ? { kind: 'refused', why: text.slice(REFUSED.length) }
    : { kind: 'budget', why: text };

/** The queues of runs that several processes work on, one per run. */
export type TrialQueue = Awaited<ReturnType<typeof openTrialQueue>>;
export type RunWorker = Awaited<ReturnType<TrialQueue['work']>>;

/**
 * Reserves the next turn for a request to a provider, by Redis's clock, which all machines share. KEYS: rates, paces.
 * ARGV: provider. Returns the wait in ms.
 */
const takeTurn = script(z.int())`
local gap = redis.call('HGET', KEYS[1], ARGV[1])
if not gap then return 0 end
local time = redis.call('TIME')
local now = time[1] * 1000 + time[2] / 1000
local turn = math.max(now, tonumber(redis.call('HGET', KEYS[2], ARGV[1]) or '0'))
redis.call('HSET', KEYS[2], ARGV[1], string.format('%.3f', turn + tonumber(gap)))
return math.ceil(turn - now)`;

/** Rates are stored as the time between two requests, ms. */
const gapOf = (perSecond: number): string => (1000 / perSecond).toFixed(3);

export async function openTrialQueue(
  url: string,
  { prefix = 'jury', warn = () => {} }: Partial<RedisStoreOptions> = {},
) {
  const bull = await import('bullmq');
  const keys = createRunsKeys(prefix);
  const redis = await connect(url, { warn, patienceMs: 5000 });
  const clients: (Redis | Cluster)[] = [];
  const client = async () => {
    const made = await createQueueClient(url);
    clients.push(made);
    return made;
  };
  const shared = await client();

  const queues: Queue[] = [];
  const queueOf = memoized((run: string) => {
    // Nothing reads the queue's events.
    const streams = { events: { maxLen: MOST_EVENTS } };
    const queue: Queue = new bull.Queue(run, { connection: shared, prefix: keys.queue, streams });
    queue.on('error', ({ message }) => warn(`queue: ${message}`));
    queues.push(queue);
    return queue;
  });

  return {
    /** Opens a run to workers and queues the opening trials; those already queued are left alone. */
    async start(run: string, opening: readonly string[]): Promise<void> {
      const queue = queueOf(run);
      // Removes failed jobs, so that they can be queued again.
      await queue.clean(0, 0, 'failed');
      for (let from = 0; from < opening.length; from += PAGE)
        await queue.addBulk(
          opening.slice(from, from + PAGE).map((key) => ({
            name: 'trial',
            data: { key } satisfies z.infer<typeof JobData>,
            opts: {
              jobId: `t${key}`,
              attempts: TRIES,
              backoff: { type: 'fixed', delay: TRY_AGAIN_MS },
              // The run itself records finished trials and is checked before a trial begins, so the queue need not
              // remember them.
              removeOnComplete: true,
              removeOnFail: false,
            },
          })),
        );
      await redis.number('HDEL', keys.halts, run);
      await queue.resume();
      await redis.number('SADD', keys.active, run);
    },
    /** Closes a run to workers: trials in progress finish, the rest waits for the next `start`. */
    async halt(run: string, why: string): Promise<void> {
      await redis.number('HSET', keys.halts, run, why);
      await redis.number('SREM', keys.active, run);
      await queueOf(run).pause();
    },
    /** Removes a finished run from the list of open ones. */
    async retire(run: string): Promise<void> {
      await redis.number('SREM', keys.active, run);
    },
    async state(run: string) {
      const queue = queueOf(run);
      const counts = await queue.getJobCounts('wait', 'active', 'delayed', 'failed');
      const { active = 0, delayed = 0, failed = 0, wait = 0 } = counts;
      const [first] = failed > 0 ? await queue.getFailed(0, 0) : [];
      return {
        waiting: wait + delayed,
        underWay: active,
        /** Jobs that were given up, and the error of the first. */
        failed,
        why: first?.failedReason ?? null,
        /** Why the run was halted; null if it was not. */
        halted: await redis.text('HGET', keys.halts, run),
        workers: await queue.getWorkersCount().catch(() => 0),
      };
    },
    active: async () => (await redis.texts('SMEMBERS', keys.active)).sort(),
    /** Works on a run until `close`, which waits for trials in progress. */
    async work(run: string, concurrency: number, judge: (key: string) => Promise<void>) {
      const workerClient = await client();
      const worker: Worker = new bull.Worker(run, async ({ data }: Job) => judge(JobData.parse(data).key), {
        connection: workerClient,
        prefix: keys.queue,
        concurrency,
        lockDuration: LOCK_MS,
        stalledInterval: LOCK_MS,
        maxStalledCount: MOST_STALLS,
        drainDelay: 1,
      });
      worker.on('error', ({ message }) => warn(`queue: ${message}`));
      worker.on('failed', (_job, { message }) => warn(`retrying a trial of ${run}: ${message}`));
      return { close: () => worker.close() };
    },
    /** Limits the requests per second that all processes together send to a provider; 0: unlimited. */
    async setRate(provider: string, perSecond: number): Promise<void> {
      if (perSecond === 0) await redis.number('HDEL', keys.rates, provider);
      else await redis.number('HSET', keys.rates, provider, gapOf(perSecond));
    },
    async rates() {
      const gaps = await redis.pairs('HGETALL', keys.rates);
      return new Map(gaps.map(([provider, gap]) => [provider, Number((1000 / Number(gap)).toFixed(2))]));
    },
    /** ms to wait before the next request to a provider. */
    turn: (provider: string): Promise<number> => redis.run(takeTurn, [keys.rates, keys.paces], [provider]),
    async close() {
      for (const queue of queues) await queue.close();
      for (const made of clients) made.disconnect();
      redis.close();
    },
  };
}

export interface FollowParts {
  queue: TrialQueue;
  writer: TrialWriter;
  run: string;
  /** Number of trials. */
  planned: number;
  /** Aborts when the user asks to stop. */
  stop: AbortSignal;
  onTotals: (totals: RunTotals) => void;
  /** Called once if no worker is working on the run. */
  onIdle: () => void;
}

const LOOK_MS = 200;
/** Missing workers, or an empty queue of an unfinished run, are no coincidence after this long, ms. */
const IDLE_MS = 3000;

/** Returns whether a condition has held at every check for longer than `IDLE_MS`. */
function lasting(): (holds: boolean) => boolean {
  let since: number | null = null;
  return (holds) => {
    since = holds ? (since ?? performance.now()) : null;
    return since !== null && performance.now() - since > IDLE_MS;
  };
}

/**
 * Watches workers until a run is finished, halted or stopped, then closes it to workers.
 *
 * @returns how it ended; a halt is reported once trials in progress have finished or their workers are gone
 * @throws JuryError `internal` if trials were given up, with the error of the first
 */
export async function followRun(parts: FollowParts): Promise<RunEnd> {
  const { queue, writer, run, planned, stop } = parts;
  const [alone, quiet] = [lasting(), lasting()];
  let isReported = false;

  async function look(): Promise<RunEnd | null> {
    const totals = await writer.totals();
    parts.onTotals(totals);
    if (totals.trials >= planned) {
      await queue.retire(run);
      return { kind: 'complete' };
    }
    if (stop.aborted) {
      // Workers finish trials in progress; there is no need to wait for them.
      await queue.halt(run, 'it was stopped');
      return { kind: 'stopped' };
    }
    const { failed, halted, underWay, waiting, why, workers } = await queue.state(run);
    if (halted !== null && (underWay === 0 || workers === 0)) return readHalt(halted);
    if (alone(workers === 0) && !isReported) {
      isReported = true;
      parts.onIdle();
    }
    if (quiet(waiting + underWay === 0))
      throw new JuryError(
        'internal',
        `Workers gave up ${failed} trials of the run ${run}${why === null ? '' : `, the first because: ${why}`}. Fix that and run the same command again: it resumes.`,
      );
    return null;
  }

  for (;;) {
    try {
      const end = await look();
      if (end !== null) return end;
    } catch (thrown) {
      // Nothing is lost while Redis is down, and the connection reports it.
      if (!(thrown instanceof JuryError) || thrown.code !== 'store-unavailable' || !thrown.retryable)
        throw thrown;
      if (stop.aborted) return { kind: 'stopped' };
    }
    await sleep(LOOK_MS, stop);
  }
}
