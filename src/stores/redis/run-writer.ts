import { promisify } from 'node:util';
import { deflateRaw } from 'node:zlib';
import * as z from 'zod';
import type { RunManifest } from '../../benchmark/run.ts';
import { markOf, type OutcomeMark, type RunTotals, slotOf } from '../../benchmark/run-outcomes.ts';
import type { TrialWriter } from '../../benchmark/trial-store.ts';
import { hasFailed } from '../../judging/verdict.ts';
import { parseStored } from '../stored-values.ts';
import { type Connection, script } from './connection.ts';
import type { RunKeys } from './keys.ts';

/**
 * Saves a trial once, with all counts. KEYS: trials, briefs, verdicts, totals, underWay, replies, outcomes. ARGV: key, trial,
 * verdict, calls, cost in nano dollars (empty: unknown), failed (0 or 1), answers of the panel, place of its outcome (empty: none),
 * its outcome. Returns 1, or 0 if it was saved before.
 */
const saveTrial = script(z.int())`
redis.call('SREM', KEYS[5], ARGV[1])
redis.call('DEL', KEYS[6])
if redis.call('HSETNX', KEYS[1], ARGV[1], ARGV[2]) == 0 then return 0 end
redis.call('HSET', KEYS[2], ARGV[1], ARGV[7] .. '|' .. ARGV[4] .. '|' .. ARGV[5] .. '|' .. ARGV[6])
redis.call('HSET', KEYS[3], ARGV[1], ARGV[3])
if ARGV[8] ~= '' then redis.call('BITFIELD', KEYS[7], 'SET', 'u2', '#' .. ARGV[8], ARGV[9]) end
redis.call('HINCRBY', KEYS[4], 'trials', 1)
redis.call('HINCRBY', KEYS[4], 'calls', ARGV[4])
redis.call('HINCRBY', KEYS[4], 'failed', ARGV[6])
if ARGV[5] == '' then redis.call('HINCRBY', KEYS[4], 'unknownCosts', 1)
else redis.call('HINCRBY', KEYS[4], 'spent', ARGV[5]) end
return 1`;

/**
 * Drops a trial, but not its cost. KEYS: trials, briefs, verdicts, totals, outcomes. ARGV: key, place of its outcome
 * (empty: none). Returns 1, or 0 if there was none.
 */
const forgetTrial = script(z.int())`
local brief = redis.call('HGET', KEYS[2], ARGV[1])
if not brief then return 0 end
local calls, cost, failed = brief:match('^%d+|(%d+)|(%d*)|(%d)$')
redis.call('HDEL', KEYS[1], ARGV[1])
redis.call('HDEL', KEYS[2], ARGV[1])
redis.call('HDEL', KEYS[3], ARGV[1])
if ARGV[2] ~= '' then redis.call('BITFIELD', KEYS[5], 'SET', 'u2', '#' .. ARGV[2], 0) end
redis.call('HINCRBY', KEYS[4], 'trials', -1)
redis.call('HINCRBY', KEYS[4], 'calls', -calls)
redis.call('HINCRBY', KEYS[4], 'failed', -failed)
if cost == '' then redis.call('HINCRBY', KEYS[4], 'unknownCosts', -1) end
return 1`;

/**
 * Asks the budget by the rule of `askBudget`, and registers the trial if it may begin.
 * KEYS: totals, underWay. ARGV: key.
 */
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

/**
 * The outcome of a trial as two bits, 0 to 3; 0: not saved. The outcomes of 10,000 trials take 2.5 KB.
 */
export const SIGNS = '.?-+';

const bitsOf = (mark: OutcomeMark): number => SIGNS.indexOf(mark);

const deflate = promisify(deflateRaw);

/** `answers|calls|nano dollars|failed`; the cost is empty if unknown. */
const Brief = z.string().regex(/^\d+\|\d+\|\d*\|[01]$/);

/** Integers add up exactly; fractions of dollars do not. */
const NANO = 1e9;
const nano = (usd: number): number => Math.round(usd * NANO);

/** Answers of unfinished trials expire after this time, s. */
const REPLIES_S = 7 * 86_400;

export async function readTotals(redis: Connection, keys: RunKeys): Promise<RunTotals> {
  const names = ['trials', 'failed', 'calls', 'spent', 'unknownCosts'];
  const kept = await redis.values(keys.totals, ...names);
  const read = parseStored(z.array(z.coerce.number()), kept, 'totals');
  const [trials = 0, failed = 0, calls = 0, spent = 0, unknownCosts = 0] = read;
  return { trials, failed, calls, spentUsd: spent / NANO, unknownCosts };
}

/** @param manifest null if there is no such run: trials then have no recorded outcomes and are only streamed */
export function redisWriter(redis: Connection, keys: RunKeys, manifest: RunManifest | null): TrialWriter {
  const { trials, briefs, verdicts, totals, underWay, outcomes } = keys;
  const slot = (key: string): number | '' => (manifest === null ? null : slotOf(manifest, key)) ?? '';
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
      const { key, calls, judgements } = trial;
      const { costUsd } = trial.usage;
      const words = (await deflate(JSON.stringify(verdict))).toString('base64');
      const cost = costUsd === null ? '' : nano(costUsd);
      const failed = hasFailed(trial) ? 1 : 0;
      const outcome = [slot(key), bitsOf(markOf(trial))];
      const saved = await redis.run(
        saveTrial,
        [trials, briefs, verdicts, totals, underWay, keys.replies(key), outcomes],
        [key, JSON.stringify(trial), words, calls, cost, failed, judgements.length, ...outcome],
      );
      return saved === 1 ? 'saved' : 'known';
    },
    forget: async (forgotten) => {
      for (const key of forgotten)
        await redis.run(forgetTrial, [trials, briefs, verdicts, totals, outcomes], [key, slot(key)]);
    },
    replies: {
      read: (key, question) => redis.text('HGET', keys.replies(key), question),
      write: async (key, question, judgement) => {
        await redis.number('HSET', keys.replies(key), question, judgement);
        await redis.number('EXPIRE', keys.replies(key), REPLIES_S);
      },
    },
    close: async () => {},
  };
}
