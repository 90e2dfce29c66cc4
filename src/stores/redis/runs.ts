import { promisify } from 'node:util';
import { deflateRaw, inflateRaw } from 'node:zlib';
import * as z from 'zod';
import { plannedTrials, RunManifest, RunName } from '../../benchmark/run.ts';
import {
  gatherOutcomes,
  keptOf,
  markOf,
  type OutcomeMark,
  type RunOutcomes,
  type RunTotals,
  slotOf,
} from '../../benchmark/run-outcomes.ts';
import { Trial } from '../../benchmark/trial.ts';
import { type TrialStore, TrialVerdict, type TrialWriter } from '../../benchmark/trial-store.ts';
import { EvalCase } from '../../case/case.ts';
import { JuryError } from '../../common/errors.ts';
import { hasFailed } from '../../judging/verdict.ts';
import { parseStoredJson } from '../stored-values.ts';
import { type Connection, connect } from './connection.ts';
import { createRunsKeys, type RunKeys } from './keys.ts';
import { beginTrial, forgetTrial, saveTrial } from './run-scripts.ts';

// Two bits a trial, four trials a byte: what became of 10,000 trials is 2.5 KB.

/** What two bits say, 0 to 3; 0 is a trial that is not kept. */
const SIGNS = '.?-+';

const bitsOf = (mark: OutcomeMark): number => SIGNS.indexOf(mark);

/** The four marks of a byte: Redis counts bits from the most significant one. */
const signsOf = (byte: number): string =>
  [6, 4, 2, 0].map((shift) => SIGNS.charAt((byte >> shift) & 3)).join('');
const signsOfBytes = Array.from({ length: 256 }, (_, byte) => signsOf(byte));

/** Reads what became of the trials of a run; Redis keeps no more bytes than up to the last trial that was saved. */
function outcomesOf(manifest: RunManifest, bytes: Uint8Array): RunOutcomes {
  const planned = plannedTrials(manifest);
  const signs = Array.from(bytes, (byte) => signsOfBytes[byte]).join('');
  return {
    configurations: manifest.configurations.length,
    marks: signs.slice(0, planned).padEnd(planned, '.'),
  };
}

const Page = z.tuple([z.string(), z.array(z.string())]);
const SCAN_PAGE = 500;

/** All fields of a hash in pages, each once: what changes meanwhile may or may not be among them. */
async function* scanHash(connection: Connection, key: string): AsyncGenerator<[string, string]> {
  // A hash that grows while it is read may tell a field twice.
  const told = new Set<string>();
  let cursor = '0';
  do {
    const [next, flat] = await connection.command(Page, 'HSCAN', key, cursor, 'COUNT', SCAN_PAGE);
    for (let at = 0; at + 1 < flat.length; at += 2) {
      const [field = '', value = ''] = [flat[at], flat[at + 1]];
      if (told.has(field)) continue;
      told.add(field);
      yield [field, value];
    }
    cursor = next;
  } while (cursor !== '0');
}

const deflate = promisify(deflateRaw);
const inflate = promisify(inflateRaw);

const Text = z.string().nullable();
const Count = z.int();
const BudgetAnswer = z.enum(['go', 'wait', 'stop']);
/** `answers|calls|nano dollars|failed`, the dollars empty where not known. */
const Brief = z.string().regex(/^\d+\|\d+\|\d*\|[01]$/);

/** Whole numbers add up exactly, fractions of dollars do not. */
const NANO = 1e9;
const nano = (usd: number): number => Math.round(usd * NANO);

/** How many cases go out at a time. */
const PAGE = 200;
/** Answers of unfinished trials are dropped after this time, s. */
const REPLIES_S = 7 * 86_400;

async function readTotals(connection: Connection, keys: RunKeys): Promise<RunTotals> {
  const names = ['trials', 'failed', 'calls', 'spent', 'unknownCosts'];
  const read = await connection.command(z.array(z.coerce.number()), 'HMGET', keys.totals, ...names);
  const [trials = 0, failed = 0, calls = 0, spent = 0, unknownCosts = 0] = read;
  return { trials, failed, calls, spentUsd: spent / NANO, unknownCosts };
}

/** @param manifest null where there is no such run: what is saved is then only streamed */
function redisWriter(connection: Connection, keys: RunKeys, manifest: RunManifest | null): TrialWriter {
  const slot = (key: string): number | '' => (manifest === null ? null : slotOf(manifest, key)) ?? '';
  return {
    answersOf: async (key) => {
      const brief = await connection.command(Brief.nullable(), 'HGET', keys.briefs, key);
      return brief === null ? null : Number(brief.split('|')[0]);
    },
    kept: async () => {
      const all = new Set<string>();
      const failed: string[] = [];
      for await (const [key, brief] of scanHash(connection, keys.briefs)) {
        all.add(key);
        if (brief.endsWith('|1')) failed.push(key);
      }
      return { all, failed };
    },
    totals: () => readTotals(connection, keys),
    setBudget: async (usd) => {
      if (usd === null) await connection.command(Count, 'HDEL', keys.totals, 'budget');
      else await connection.command(Count, 'HSET', keys.totals, 'budget', nano(usd));
    },
    begin: (key) => connection.run(BudgetAnswer, beginTrial, [keys.totals, keys.underWay], [key]),
    release: async (key) => {
      await connection.command(Count, 'SREM', keys.underWay, key);
    },
    save: async (trial, verdict) => {
      const words = (await deflate(JSON.stringify(verdict))).toString('base64');
      const { costUsd } = trial.usage;
      const saved = await connection.run(
        Count,
        saveTrial,
        [
          keys.trials,
          keys.briefs,
          keys.verdicts,
          keys.totals,
          keys.underWay,
          keys.replies(trial.key),
          keys.outcomes,
        ],
        [
          trial.key,
          JSON.stringify(trial),
          words,
          trial.calls,
          costUsd === null ? '' : nano(costUsd),
          hasFailed(trial) ? 1 : 0,
          trial.judgements.length,
          slot(trial.key),
          bitsOf(markOf(trial)),
        ],
      );
      return saved === 1 ? 'saved' : 'known';
    },
    forget: async (forgotten) => {
      for (const key of forgotten)
        await connection.run(
          Count,
          forgetTrial,
          [keys.trials, keys.briefs, keys.verdicts, keys.totals, keys.outcomes],
          [key, slot(key)],
        );
    },
    replies: {
      read: (key, question) => connection.command(Text, 'HGET', keys.replies(key), question),
      write: async (key, question, judgement) => {
        await connection.command(Count, 'HSET', keys.replies(key), question, judgement);
        await connection.command(Count, 'EXPIRE', keys.replies(key), REPLIES_S);
      },
    },
    close: async () => {},
  };
}

/** Runs in Redis, which any number of processes read and write at the same time. */
export async function openRedisTrialStore(
  url: string,
  { prefix = 'jury', warn = () => {}, patienceMs = 5000 }: Partial<RedisTrialStoreOptions> = {},
): Promise<TrialStore> {
  const connection = await connect(url, { warn, patienceMs });
  const all = createRunsKeys(prefix);
  const keysOf = (name: string) => all.run(RunName.parse(name));
  const readRun = async (name: string): Promise<RunManifest | null> => {
    const text = await connection.command(Text, 'GET', keysOf(name).manifest);
    return text === null ? null : parseStoredJson(RunManifest, text, 'a run');
  };
  async function* readCases(name: string): AsyncGenerator<EvalCase> {
    const count = (await readRun(name))?.dataset.cases ?? 0;
    for (let from = 0; from < count; from += PAGE) {
      const places = Array.from({ length: Math.min(PAGE, count - from) }, (_, n) => from + n);
      const texts = await connection.command(z.array(Text), 'HMGET', keysOf(name).cases, ...places);
      for (const text of texts) yield parseStoredJson(EvalCase, text ?? '', 'a case');
    }
  }
  /** Fields of a hash, all or those with these names. */
  async function* fields(hash: string, names?: ReadonlySet<string>): AsyncGenerator<[string, string]> {
    if (names === undefined) return yield* scanHash(connection, hash);
    const all = [...names];
    for (let from = 0; from < all.length; from += PAGE) {
      const page = all.slice(from, from + PAGE);
      const found = await connection.command(z.array(Text), 'HMGET', hash, ...page);
      for (const [at, value] of found.entries()) {
        const field = page[at];
        if (field !== undefined && value !== null) yield [field, value];
      }
    }
  }
  async function* readTrials(name: string, keys?: ReadonlySet<string>): AsyncGenerator<Trial> {
    for await (const [, text] of fields(keysOf(name).trials, keys))
      yield parseStoredJson(Trial, text, 'a trial');
  }
  async function* readVerdicts(name: string, keys?: ReadonlySet<string>): AsyncGenerator<TrialVerdict> {
    for await (const [key, words] of fields(keysOf(name).verdicts, keys)) {
      const text = (await inflate(Buffer.from(words, 'base64'))).toString('utf8');
      yield { key, verdict: parseStoredJson(TrialVerdict.shape.verdict, text, 'a verdict') };
    }
  }
  async function outcomes(manifest: RunManifest): Promise<RunOutcomes> {
    const { name } = manifest;
    const keys = keysOf(name);
    const read = outcomesOf(manifest, await connection.bytes(keys.outcomes));
    // Trials that an older version saved are not in it.
    const { trials } = await readTotals(connection, keys);
    return keptOf(read) === trials ? read : gatherOutcomes(manifest, readTrials(name));
  }
  return {
    names: async () => (await connection.command(z.array(z.string()), 'SMEMBERS', all.names)).sort(),
    readRun,
    create: async (manifest, given) => {
      const keys = keysOf(manifest.name);
      if ((await readRun(manifest.name)) !== null) throw taken(manifest.name);
      for (let from = 0; from < given.length; from += PAGE)
        await connection.command(
          Count,
          'HSET',
          keys.cases,
          ...given.slice(from, from + PAGE).flatMap((one, n) => [from + n, JSON.stringify(one)]),
        );
      await connection.command(Count, 'SADD', all.names, manifest.name);
      // Last, and only if nobody was faster: without it there is no run.
      const made = await connection.command(Text, 'SET', keys.manifest, JSON.stringify(manifest), 'NX');
      if (made === null) throw taken(manifest.name);
    },
    readCases,
    caseAt: async (name, index) => {
      const text = await connection.command(Text, 'HGET', keysOf(name).cases, index);
      if (text === null) throw new JuryError('internal', `The run ${name} has no case ${index}.`);
      return parseStoredJson(EvalCase, text, 'a case');
    },
    readTrials,
    readVerdicts,
    outcomes,
    totals: (name) => readTotals(connection, keysOf(name)),
    write: async (name) => redisWriter(connection, keysOf(name), await readRun(name)),
    close: async () => connection.close(),
  };
}

export interface RedisTrialStoreOptions {
  /** What all keys begin with; no braces. */
  prefix: string;
  warn: (message: string) => void;
  /** The longest that one command may take, ms. */
  patienceMs: number;
}

const taken = (name: string) =>
  new JuryError('usage', `There is a run "${name}" already: choose another name.`);
