import { promisify } from 'node:util';
import { deflateRaw, inflateRaw } from 'node:zlib';
import * as z from 'zod';
import {
  erasedCase,
  erasedTrial,
  isCaseErased,
  RunManifest,
  RunName,
  type RunTotals,
  shareOf,
  Trial,
  type TrialStore,
  TrialVerdict,
  type TrialWriter,
} from '../../benchmark/index.ts';
import { type EvalCase, KeptCase } from '../../case/index.ts';
import { JuryError } from '../../common/index.ts';
import { caseIdOf } from '../../judging/index.ts';
import { parseStored, parseStoredJson, storedJson } from '../store.ts';
import { type Connection, connect, type RedisStoreOptions, script } from './connection.ts';

// One hash tag per run, and one for everything runs share.
type RunKeys = ReturnType<ReturnType<typeof createRunsKeys>['run']>;

export function createRunsKeys(prefix: string) {
  const all = `{${prefix}:runs}`;
  return {
    run: (name: string) => {
      const run = `{${prefix}:run:${name}}`;
      return {
        manifest: `${run}:manifest`,
        /** Hash: position in the dataset to case. */
        cases: `${run}:cases`,
        /** Hashes: key to trial, and key to `answers|calls|cost|failed` for bulk reads. */
        trials: `${run}:trials`,
        briefs: `${run}:briefs`,
        /** Hash: key to the verdict, compressed. */
        verdicts: `${run}:verdicts`,
        /**
         * Hash: `trials`, `failed`, `calls`, `unknownCosts`, `spent` (nano dollars), `budget` (nano dollars), `revision` (changes so far).
         */
        totals: `${run}:totals`,
        /** Set: keys of trials in progress. */
        underWay: `${run}:under-way`,
        /** Hash: question to answer, for one trial in progress. */
        replies: (key: string) => `${run}:replies:${key}`,
      };
    },
    /** Sets: names of all runs, and of those open to workers. */
    names: `${all}:names`,
    active: `${all}:active`,
    /** Hash: run to the reason it was halted. */
    halts: `${all}:halts`,
    /** Hashes: provider to ms between requests, and provider to the time of its next free turn. */
    rates: `${all}:rates`,
    paces: `${all}:paces`,
    /** Prefix of the queue's own keys. */
    queue: `{${prefix}:queue}`,
  };
}

/**
 * Saves a trial once and updates all totals. KEYS: trials, briefs, verdicts, totals, underWay, replies. ARGV: key,
 * trial, verdict, calls, cost in nano dollars (empty: unknown), failed (0 or 1), number of the panel's answers. Returns
 * 1, or 0 if it was already saved.
 */
const saveTrial = script(z.int())`
redis.call('SREM', KEYS[5], ARGV[1])
redis.call('DEL', KEYS[6])
if redis.call('HSETNX', KEYS[1], ARGV[1], ARGV[2]) == 0 then return 0 end
redis.call('HSET', KEYS[2], ARGV[1], ARGV[7] .. '|' .. ARGV[4] .. '|' .. ARGV[5] .. '|' .. ARGV[6])
redis.call('HSET', KEYS[3], ARGV[1], ARGV[3])
redis.call('HINCRBY', KEYS[4], 'trials', 1)
redis.call('HINCRBY', KEYS[4], 'revision', 1)
redis.call('HINCRBY', KEYS[4], 'calls', ARGV[4])
redis.call('HINCRBY', KEYS[4], 'failed', ARGV[6])
if ARGV[5] == '' then redis.call('HINCRBY', KEYS[4], 'unknownCosts', 1)
else redis.call('HINCRBY', KEYS[4], 'spent', ARGV[5]) end
return 1`;

/**
 * Drops a trial, but keeps its cost. KEYS: trials, briefs, verdicts, totals. ARGV: key. Returns 1, or 0 if there was
 * none.
 */
const forgetTrial = script(z.int())`
local brief = redis.call('HGET', KEYS[2], ARGV[1])
if not brief then return 0 end
local calls, cost, failed = brief:match('^%d+|(%d+)|(%d*)|(%d)$')
redis.call('HDEL', KEYS[1], ARGV[1])
redis.call('HDEL', KEYS[2], ARGV[1])
redis.call('HDEL', KEYS[3], ARGV[1])
redis.call('HINCRBY', KEYS[4], 'trials', -1)
redis.call('HINCRBY', KEYS[4], 'revision', 1)
redis.call('HINCRBY', KEYS[4], 'calls', 0 - calls)
redis.call('HINCRBY', KEYS[4], 'failed', 0 - failed)
if cost == '' then redis.call('HINCRBY', KEYS[4], 'unknownCosts', -1) end
return 1`;

/** Applies the rule of `askBudget` and registers the trial if it may begin. KEYS: totals, underWay. ARGV: key. */
const beginTrial = script(z.enum(['go', 'wait', 'stop']))`
redis.call('SREM', KEYS[2], ARGV[1])
local budget = redis.call('HGET', KEYS[1], 'budget')
if budget then
  budget = tonumber(budget)
  local spent = tonumber(redis.call('HGET', KEYS[1], 'spent') or '0')
  local trials = tonumber(redis.call('HGET', KEYS[1], 'trials') or '0')
  local others = redis.call('SCARD', KEYS[2])
  if spent >= budget then return 'stop' end
  local expected = budget
  if trials > 0 then expected = spent / trials end
  if others > 0 and spent + others * expected >= budget then return 'wait' end
end
redis.call('SADD', KEYS[2], ARGV[1])
return 'go'`;

const deflate = promisify(deflateRaw);

/** `answers|calls|nano dollars|failed`; the cost is empty if unknown. */
const Brief = z.string().regex(/^\d+\|\d+\|\d*\|[01]$/);

/** Integers add up exactly; fractions of dollars do not. */
const NANO = 1e9;
const nano = (usd: number): number => Math.round(usd * NANO);

/** Answers of unfinished trials expire after this time, s. */
const REPLIES_S = 7 * 86_400;

const Numbers = z.array(z.coerce.number());

async function readTotals(redis: Connection, keys: RunKeys): Promise<RunTotals> {
  const names = ['trials', 'failed', 'calls', 'spent', 'unknownCosts'];
  const kept = await redis.values(keys.totals, ...names);
  const read = parseStored(Numbers, kept, 'totals');
  const [trials = 0, failed = 0, calls = 0, spent = 0, unknownCosts = 0] = read;
  return { trials, failed, calls, spentUsd: spent / NANO, unknownCosts };
}

function redisWriter(redis: Connection, keys: RunKeys): TrialWriter {
  const { trials, briefs, verdicts, totals, underWay } = keys;
  return {
    answersOf: async (key) => {
      const brief = parseStored(Brief.nullable(), await redis.text('HGET', briefs, key), 'a trial');
      return brief === null ? null : Number(brief.split('|')[0]);
    },
    kept: async () => {
      const all = new Set<string>();
      const failed: string[] = [];
      for await (const [key, brief] of redis.scan(briefs)) {
        all.add(key);
        if (brief.endsWith('|1')) failed.push(key);
      }
      return { all, failed };
    },
    totals: () => readTotals(redis, keys),
    setBudget: async (usd) => {
      if (usd === null) await redis.number('HDEL', totals, 'budget');
      else await redis.number('HSET', totals, 'budget', nano(usd));
    },
    begin: (key) => redis.run(beginTrial, [totals, underWay], [key]),
    release: async (key) => {
      await redis.number('SREM', underWay, key);
    },
    save: async (trial, verdict) => {
      const { key, judgements } = trial;
      const { calls, spentUsd, unknownCosts, failed } = shareOf(trial);
      const words = (await deflate(JSON.stringify(verdict))).toString('base64');
      const cost = unknownCosts > 0 ? '' : nano(spentUsd);
      const saved = await redis.run(
        saveTrial,
        [trials, briefs, verdicts, totals, underWay, keys.replies(key)],
        [key, JSON.stringify(trial), words, calls, cost, failed, judgements.length],
      );
      return saved === 1 ? 'saved' : 'known';
    },
    forget: async (forgotten) => {
      for (const key of forgotten) await redis.run(forgetTrial, [trials, briefs, verdicts, totals], [key]);
    },
    replies: (key) => ({
      read: (question) => redis.text('HGET', keys.replies(key), question),
      write: async (question, judgement) => {
        await redis.number('HSET', keys.replies(key), question, judgement);
        await redis.number('EXPIRE', keys.replies(key), REPLIES_S);
      },
    }),
    close: async () => {},
  };
}

const inflate = promisify(inflateRaw);

/** Cases or fields read or written per call. */
const PAGE = 200;

const taken = (name: string) =>
  new JuryError('usage', `There is a run "${name}" already: choose another name.`);

/**
 * Runs in Redis, which any number of processes can read and write concurrently.
 *
 * @throws JuryError `config` if the URL is invalid
 */
export async function openRedisTrialStore(
  url: string,
  { prefix = 'jury', warn = () => {}, patienceMs = 5000 }: Partial<RedisStoreOptions> = {},
): Promise<TrialStore> {
  const redis = await connect(url, { warn, patienceMs });
  const all = createRunsKeys(prefix);
  const keysOf = (name: string) => all.run(RunName.parse(name));

  const readRun = (name: string): Promise<RunManifest | null> =>
    redis.reply(storedJson(RunManifest, 'a run').nullable())('GET', keysOf(name).manifest);
  /** The existing fields among these, with their values. */
  async function* fieldsOf(hash: string, fields: readonly string[]): AsyncGenerator<[string, string]> {
    for (let from = 0; from < fields.length; from += PAGE) {
      const page = fields.slice(from, from + PAGE);
      for (const [at, value] of (await redis.values(hash, ...page)).entries())
        if (value !== null) yield [page[at] ?? '', value];
    }
  }
  const read = (hash: string, keys?: ReadonlySet<string>): AsyncGenerator<[string, string]> =>
    keys === undefined ? redis.scan(hash) : fieldsOf(hash, [...keys]);
  async function* readTrials(name: string, keys?: ReadonlySet<string>): AsyncGenerator<Trial> {
    for await (const [, text] of read(keysOf(name).trials, keys))
      yield parseStoredJson(Trial, text, 'a trial');
  }

  return {
    names: async () => (await redis.texts('SMEMBERS', all.names)).sort(),
    readRun,
    create: async (manifest, given) => {
      const keys = keysOf(manifest.name);
      if ((await readRun(manifest.name)) !== null) throw taken(manifest.name);
      for (let from = 0; from < given.length; from += PAGE) {
        const page = given.slice(from, from + PAGE).flatMap((one, n) => [from + n, JSON.stringify(one)]);
        await redis.number('HSET', keys.cases, ...page);
      }
      await redis.number('SADD', all.names, manifest.name);
      // Write it last, and only if no other process was faster: the manifest makes it a run.
      const made = await redis.text('SET', keys.manifest, JSON.stringify(manifest), 'NX');
      if (made === null) throw taken(manifest.name);
    },
    readCases: async function* (name) {
      const count = (await readRun(name))?.dataset.cases ?? 0;
      const places = Array.from({ length: count }, (_, n) => String(n));
      for await (const [, text] of fieldsOf(keysOf(name).cases, places))
        yield parseStoredJson(KeptCase, text, 'a case');
    },
    caseAt: async (name, index) => {
      const stored = redis.reply(storedJson(KeptCase, 'a case').nullable());
      const evalCase = await stored('HGET', keysOf(name).cases, index);
      if (evalCase === null) throw new JuryError('internal', `The run ${name} has no case ${index}.`);
      return evalCase;
    },
    trialKeys: async (name) => {
      const keys = new Set<string>();
      for await (const [key] of redis.scan(keysOf(name).briefs)) keys.add(key);
      return keys;
    },
    readTrials,
    readVerdicts: async function* (name, only) {
      for await (const [key, words] of read(keysOf(name).verdicts, only)) {
        const text = (await inflate(Buffer.from(words, 'base64'))).toString('utf8');
        yield { key, verdict: parseStoredJson(TrialVerdict.shape.verdict, text, 'a verdict') };
      }
    },
    eraseCases: async (name, isErased) => {
      const { cases, trials, verdicts, totals } = keysOf(name);
      const gone = new Map<string, [place: string, erased: EvalCase]>();
      for await (const [place, text] of redis.scan(cases)) {
        const evalCase = parseStoredJson(KeptCase, text, 'a case');
        if (isErased(evalCase) && !isCaseErased(evalCase))
          gone.set(caseIdOf(evalCase), [place, erasedCase(evalCase)]);
      }
      if (gone.size === 0) return 0;
      // Now and at the end, so that nothing is kept of what was read in between, even if this is interrupted.
      await redis.number('HINCRBY', totals, 'revision', 1);
      for await (const trial of readTrials(name)) {
        if (!gone.has(trial.caseId)) continue;
        await redis.number('HSET', trials, trial.key, JSON.stringify(erasedTrial(trial)));
        await redis.number('HDEL', verdicts, trial.key);
      }
      // Last, so that an interrupted call can be repeated.
      for (const [place, erased] of gone.values())
        await redis.number('HSET', cases, place, JSON.stringify(erased));
      await redis.number('HINCRBY', totals, 'revision', 1);
      return gone.size;
    },
    totals: (name) => readTotals(redis, keysOf(name)),
    revision: async (name) => (await redis.values(keysOf(name).totals, 'trials', 'calls', 'revision')).join(),
    write: async (name) => redisWriter(redis, keysOf(name)),
    close: async () => redis.close(),
  };
}
