import { promisify } from 'node:util';
import { inflateRaw } from 'node:zlib';
import * as z from 'zod';
import { plannedTrials, RunManifest, RunName } from '../../benchmark/run.ts';
import { gatherOutcomes, keptOf, type RunOutcomes } from '../../benchmark/run-outcomes.ts';
import { Trial } from '../../benchmark/trial.ts';
import { type TrialStore, TrialVerdict } from '../../benchmark/trial-store.ts';
import { EvalCase } from '../../case/case.ts';
import { JuryError } from '../../common/errors.ts';
import { parseStoredJson } from '../stored-values.ts';
import { connect, scanHash } from './connection.ts';
import { createRunsKeys } from './keys.ts';
import { readTotals, redisWriter, SIGNS } from './run-writer.ts';

/** The four signs of a byte; Redis counts bits from the most significant one. */
const signsOf = (byte: number): string =>
  [6, 4, 2, 0].map((shift) => SIGNS.charAt((byte >> shift) & 3)).join('');
const signsOfBytes = Array.from({ length: 256 }, (_, byte) => signsOf(byte));

/** The outcomes of a run's trials; the string ends at the last saved trial. */
function outcomesOf(manifest: RunManifest, bytes: Uint8Array): RunOutcomes {
  const planned = plannedTrials(manifest);
  const signs = Array.from(bytes, (byte) => signsOfBytes[byte]).join('');
  return {
    configurations: manifest.configurations.length,
    marks: signs.slice(0, planned).padEnd(planned, '.'),
  };
}

const inflate = promisify(inflateRaw);

const Text = z.string().nullable();
const Count = z.int();

/** Cases written at a time. */
const PAGE = 200;

/** Runs in Redis, which any number of processes can read and write concurrently. */
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
    // Trials saved by an older version are not included.
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
      // Last, and only if no other process was faster: the manifest makes it a run.
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
  /** Prefix of all keys, without braces. */
  prefix: string;
  warn: (message: string) => void;
  /** Time limit of a command, ms. */
  patienceMs: number;
}

const taken = (name: string) =>
  new JuryError('usage', `There is a run "${name}" already: choose another name.`);
