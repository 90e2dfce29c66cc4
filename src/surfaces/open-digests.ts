import { randomUUID } from 'node:crypto';
import { loadBenchmarkCases, loadCollectAnswers } from '../benchmark/collect/lazy.ts';
import {
  allSeries,
  type BenchmarkDefinition,
  type BenchmarkOutcome,
  loadBenchmarks,
  ReviewSettings,
  redactedRuns,
  type TrialStore,
} from '../benchmark/index.ts';
import { loadRunDefinedBenchmark } from '../benchmark/lazy.ts';
import { messageOf, once } from '../common/index.ts';
import {
  type CallWebhook,
  createFiguresReader,
  type DigestPoster,
  type DigestSender,
  gatherDigest,
  nextSlotOf,
  type RunBenchmarks,
} from '../digests/index.ts';
import type { BenchmarkSource } from '../reports/history/index.ts';
import { loadBenchmarkHistory } from '../reports/history/lazy.ts';
import type { Store } from '../stores/index.ts';
import { loadOpenStore } from '../stores/lazy.ts';
import { createWebhooks } from './call-webhook.ts';
import { readPerson } from './person-and-channel-ids.ts';
import { benchmarkSource, type Parts, systemPorts } from './program-parts.ts';
import { beginDefinedReview } from './review-samples.ts';
import type { DigestSources } from './surface.ts';

/** The sources of digests in this process. Benchmark runs are opened at their first use. */
export interface OpenDigests extends DigestSources {
  store: Store;
  runBenchmarks: RunBenchmarks;
  callWebhook: CallWebhook;
  /** The runs that digests are made of, with cases redacted. */
  runs: () => Promise<TrialStore>;
  close: () => Promise<void>;
}

async function runDefined(
  parts: Parts,
  runs: TrialStore,
  definition: BenchmarkDefinition,
  slot: number,
  stop: AbortSignal,
): Promise<BenchmarkOutcome> {
  const [{ runDefinedBenchmark }, { benchmarkCases }, { collectForRun }] = await Promise.all([
    loadRunDefinedBenchmark(),
    loadBenchmarkCases(),
    loadCollectAnswers(),
  ]);
  const { settings } = parts.env;
  const source = benchmarkSource(parts);
  const runner = {
    ...parts,
    runs,
    store: await parts.store(),
    defaultModel: settings.JURY_MODEL,
    settings: settings.JURY_SETTINGS,
    casesOf: async (one: BenchmarkDefinition, run: string, until: AbortSignal) => {
      const cases = await benchmarkCases(source, one, until);
      if (one.system === undefined) return cases;
      return collectForRun(cases, {
        ...source,
        store: await parts.store(),
        ports: systemPorts(parts),
        variable: parts.env.variable,
        definition: one,
        run,
        stop: until,
      });
    },
  };
  return runDefinedBenchmark(runner, definition, slot, stop);
}

/** Far longer than a post may take: after this time, a post has arrived or never will. */
const LEASE_MS = 60_000;
const FIRST_RETRY_MS = 30_000;
const LONGEST_RETRY_MS = 3_600_000;

/** Everything a process needs to send digests. */
export function digestSender(
  {
    store,
    gather,
    runBenchmarks,
    callWebhook,
    alerts,
  }: Pick<OpenDigests, 'store' | 'gather' | 'runBenchmarks' | 'callWebhook' | 'alerts'>,
  poster: DigestPoster,
  now: () => number,
  warn: DigestSender['warn'],
  stop: AbortSignal,
): DigestSender {
  return {
    store,
    poster,
    gather,
    runBenchmarks: async (schedule, slot, until) => {
      const outcomes = await runBenchmarks(schedule, slot, until);
      for (const { kind, name } of outcomes)
        if (kind !== 'complete')
          warn('digest: a benchmark did not finish, the digest says why', {
            schedule: schedule.id,
            slot,
            reason: name,
          });
      return outcomes;
    },
    readFigures: alerts.readFigures,
    callWebhook,
    nextSlotOf,
    holder: randomUUID(),
    now,
    monotonicNow: () => performance.now(),
    leaseMs: LEASE_MS,
    backoffMs: (failures) => Math.min(LONGEST_RETRY_MS, FIRST_RETRY_MS * 2 ** (failures - 1)),
    warn,
    stop,
  };
}

/** Titles of personas by id. */
export const personaTitles = ({ personas }: Pick<Parts['library'], 'personas'>): Map<string, string> =>
  new Map([...personas].map(([id, { title }]) => [id, title]));

/** Opens the sources of digests. @param pagesAt the console's public address, where digests have pages; null: they have none. @throws JuryError `store-unavailable` or `config` */
export async function openDigests(
  parts: Parts,
  warn: (message: string) => void,
  pagesAt: string | null = null,
): Promise<OpenDigests> {
  const { settings } = parts.env;
  const store = await parts.store();
  const runs = once(async () => {
    const { openTrialStore } = await loadOpenStore();
    return openTrialStore(settings, warn);
  });
  const quoted = async () => redactedRuns(await runs.get(), settings.JURY_REDACT);
  // Read each time, so that benchmarks can be added without a restart.
  const defined = () => loadBenchmarks(parts.env.promptFolders);
  const knownBenchmarks = async () => ({
    defined: [...defined().keys()],
    series: await allSeries(await runs.get()),
  });
  const benchmarks: BenchmarkSource = async (names, ...wishes) => {
    if (names.length === 0) return [];
    const { createBenchmarkSource } = await loadBenchmarkHistory();
    return createBenchmarkSource(await quoted(), store, parts.now)(names, ...wishes);
  };
  const runBenchmarks: RunBenchmarks = async ({ benchmarks: names, review: wished }, slot, stop) => {
    const outcomes: BenchmarkOutcome[] = [];
    for (const name of names) {
      let definition: BenchmarkDefinition | undefined;
      try {
        definition = loadBenchmarks(parts.env.promptFolders, [name]).get(name);
      } catch (thrown) {
        // A digest is still sent if a benchmark's file has errors, and reports them.
        outcomes.push({ kind: 'not-run', name, why: messageOf(thrown) });
      }
      if (definition === undefined) continue;
      const outcome = await runDefined(parts, await runs.get(), definition, slot, stop);
      outcomes.push(outcome);
      const review = definition.review ?? (wished === undefined ? undefined : ReviewSettings.parse(wished));
      if (outcome.kind === 'complete' && review !== undefined)
        await beginDefinedReview(parts, await runs.get(), outcome.run, review, warn);
    }
    return outcomes;
  };
  const readFigures = createFiguresReader(quoted, store, benchmarks, parts.now);
  return {
    store,
    gather: (schedule, due, last, outcomes, language) =>
      gatherDigest(
        { store, benchmarks, now: parts.now, personas: personaTitles(parts.library), pagesAt },
        schedule,
        due,
        last,
        outcomes,
        language,
      ),
    runBenchmarks,
    known: knownBenchmarks,
    requirePeople: (ids) => {
      for (const id of ids) readPerson(id, parts.surfaces);
    },
    defined,
    alerts: { readFigures, known: knownBenchmarks, webhooks: [...settings.JURY_WEBHOOKS.keys()] },
    callWebhook: createWebhooks(settings.JURY_WEBHOOKS, parts.env.outgoing.proxies, parts.env.secrets),
    runs: quoted,
    close: async () => (await runs.made())?.close(),
  };
}
