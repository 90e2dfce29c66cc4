import type { AssistantReport } from '../benchmark/assistant/assistant-report.ts';
import { readBaseline } from '../benchmark/benchmark-definition.ts';
import { type BenchmarkHistory, type BenchmarkSource, endedRuns } from '../benchmark/benchmark-history.ts';
import type { TrialStore } from '../benchmark/trial-store.ts';
import type { KeyValue } from '../common/key-value.ts';
import type { ChannelSettingsStore } from '../labels/channel-settings.ts';
import type { VerdictStore } from '../labels/verdict-record.ts';
import { wilsonInterval } from '../statistics/proportions.ts';
import { type AlertFigures, type Figure, type Figures, nothingFails } from './alert.ts';
import { assistantDetails, worstText } from './assistant-blocks.ts';
import { intervalOfRun, newestRun, shareOfRun } from './change.ts';
import { originsOf } from './gather-digest.ts';
import type { ReadFigures } from './send-digest.ts';

type Limits = { defined: true; low: number; high: number } | { defined: false };

const figureOf = (value: number | null, interval: Limits): Figure | null =>
  value === null || !interval.defined ? null : { value, low: interval.low, high: interval.high };

const NONE: Figures = { 'pass-rate': null, mean: null, change: null, coverage: null, latency: null };

function assistantFigures({ rate, answers, decided, latency, changes }: AssistantReport): Figures {
  const value = rate.measure.defined ? rate.measure.value : null;
  const isShare = rate.kind === 'pass';
  const change = changes.find(({ baseline }) => baseline !== null)?.difference ?? null;
  return {
    'pass-rate': isShare ? figureOf(value, rate.interval) : null,
    mean: isShare ? null : figureOf(value, rate.interval),
    change: isShare && change !== null ? figureOf(change.value, change.interval) : null,
    coverage: answers === 0 ? null : figureOf(decided / answers, wilsonInterval(decided, answers)),
    latency: latency === null ? null : figureOf(latency.median, latency.interval),
  };
}

/** What alerts can be about in the newest run: of an assistant, its answers; of judges, how often they are right. */
function figuresOf(history: BenchmarkHistory): Figures {
  if (history.subject === 'assistant') return assistantFigures(history.report);
  const run = newestRun(history);
  return run === null || run.n === 0
    ? NONE
    : { ...NONE, 'pass-rate': figureOf(shareOfRun(run), intervalOfRun(run)) };
}

/**
 * Reads what alerts look at. A run is read once for as long as this process lives, and again if trials that had failed were judged or
 * the baseline is another one. Alerts that ask at the same time wait for one look at the runs.
 *
 * @param defined names of all defined benchmarks
 */
export function createFiguresReader(
  runs: () => Promise<TrialStore>,
  store: KeyValue & VerdictStore & ChannelSettingsStore,
  source: BenchmarkSource,
  defined: () => readonly string[],
  now: () => number,
): ReadFigures {
  const read = new Map<string, { key: string; figures: AlertFigures | null }>();
  const underWay = new Map<string, Promise<AlertFigures | null>>();

  async function look(benchmark: string): Promise<AlertFigures | null> {
    const trials = await runs();
    const known = [...new Set([...defined(), benchmark])];
    const ended = await endedRuns(trials, benchmark, await trials.names(), known);
    const last = ended.at(-1);
    if (last === undefined) return null;
    const { manifest: newest, totals } = last;
    const before = ended.at(-2)?.manifest;
    const baseline = await readBaseline(store, benchmark, now());
    const key = JSON.stringify([newest.name, newest.createdAt, totals.failed, baseline]);
    const found = read.get(benchmark);
    if (found?.key === key) return found.figures;
    const [history] = await source([benchmark], before === undefined ? {} : { [benchmark]: before.name });
    const figures =
      history === undefined
        ? null
        : {
            run: newest.name,
            at: Date.parse(newest.createdAt),
            figures: figuresOf(history),
            failing: async (channel: string) => {
              if (history.subject === 'judges') return nothingFails;
              const [origins, { issueUrl = null }] = await Promise.all([
                originsOf(store, channel, [history], now()),
                store.channelSettings(channel),
              ]);
              const details = assistantDetails({ origins, issueUrl }, history);
              const worst = {
                before: worstText(history, origins, 'before'),
                baseline: worstText(history, origins, 'baseline'),
              };
              return { worst, details };
            },
          };
    read.set(benchmark, { key, figures });
    return figures;
  }
  return (benchmark) => {
    const looking = underWay.get(benchmark) ?? look(benchmark).finally(() => underWay.delete(benchmark));
    underWay.set(benchmark, looking);
    return looking;
  };
}
