import { promisify } from 'node:util';
import { inflateRaw } from 'node:zlib';
import { plannedTrials, RunManifest, RunName } from '../../benchmark/run.ts';
import { gatherOutcomes, keptOf, type RunOutcomes } from '../../benchmark/run-outcomes.ts';
import { Trial } from '../../benchmark/trial.ts';
import { type TrialStore, TrialVerdict } from '../../benchmark/trial-store.ts';
import { EvalCase } from '../../case/case.ts';
import { JuryError } from '../../common/errors.ts';
import { parseStoredJson } from '../stored-values.ts';
import { connect, type RedisStoreOptions } from './connection.ts';
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

/** Cases or fields read or written at a time. */
const PAGE = 200;

const taken = (name: string) =>
  new JuryError('usage', `There is a run "${name}" already: choose another name.`);

/** Runs in Redis, which any number of processes can read and write concurrently. */
export async function openRedisTrialStore(
  url: string,
  { prefix = 'jury', warn = () => {}, patienceMs = 5000 }: Partial<RedisStoreOptions> = {},
): Promise<TrialStore> {
  const redis = await connect(url, { warn, patienceMs });
  const all = createRunsKeys(prefix);
  const keysOf = (name: string) => all.run(RunName.parse(name));

  async function readRun(name: string): Promise<RunManifest | null> {
    const text = await redis.text('GET', keysOf(name).manifest);
    return text === null ? null : parseStoredJson(RunManifest, text, 'a run');
  }
  /** These fields of a hash, as far as there are any. */
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
      // Last, and only if no other process was faster: the manifest makes it a run.
      const made = await redis.text('SET', keys.manifest, JSON.stringify(manifest), 'NX');
      if (made === null) throw taken(manifest.name);
    },
    readCases: async function* (name) {
      const count = (await readRun(name))?.dataset.cases ?? 0;
      const places = Array.from({ length: count }, (_, n) => String(n));
      for await (const [, text] of fieldsOf(keysOf(name).cases, places))
        yield parseStoredJson(EvalCase, text, 'a case');
    },
    caseAt: async (name, index) => {
      const text = await redis.text('HGET', keysOf(name).cases, index);
      if (text === null) throw new JuryError('internal', `The run ${name} has no case ${index}.`);
      return parseStoredJson(EvalCase, text, 'a case');
    },
    readTrials,
    readVerdicts: async function* (name, only) {
      for await (const [key, words] of read(keysOf(name).verdicts, only)) {
        const text = (await inflate(Buffer.from(words, 'base64'))).toString('utf8');
        yield { key, verdict: parseStoredJson(TrialVerdict.shape.verdict, text, 'a verdict') };
      }
    },
    outcomes: async (manifest) => {
      const keys = keysOf(manifest.name);
      const kept = outcomesOf(manifest, await redis.bytes(keys.outcomes));
      // Trials saved by an older version are not included.
      const { trials } = await readTotals(redis, keys);
      return keptOf(kept) === trials ? kept : gatherOutcomes(manifest, readTrials(manifest.name));
    },
    totals: (name) => readTotals(redis, keysOf(name)),
    write: async (name) => redisWriter(redis, keysOf(name), await readRun(name)),
    close: async () => redis.close(),
  };
}
