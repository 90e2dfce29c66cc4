import {
  type BenchmarkOutcome,
  finishedRuns,
  readBaseline,
  type SeriesRun,
  subjectOf,
  type TrialStore,
} from '../benchmark/index.ts';
import { isFromChat } from '../case/index.ts';
import { groupedBy, type KeyValue } from '../common/index.ts';
import { plainLine, shortened } from '../common/text/index.ts';
import { type ChannelSettingsStore, isWithdrawn } from '../labels/access/index.ts';
import { publicCounts } from '../labels/agreement/index.ts';
import type { CountStore, VerdictRecord, VerdictStore } from '../labels/record/index.ts';
import type { VoteStore } from '../labels/voting/index.ts';
import type { AssistantReport } from '../reports/assistant/index.ts';
import { shareLimits } from '../reports/estimates/index.ts';
import { type BenchmarkHistory, type BenchmarkSource, readRunSample } from '../reports/history/index.ts';
import type { Language } from '../words/index.ts';
import { type AlertFigures, type Figure, type Figures, nothingFails } from './alert.ts';
import { assistantDetails, blockerDetails, blockersIn, casesShown, worstText } from './assistant-blocks.ts';
import { intervalOfRun, newestRun, shareOfRun } from './change-since-last.ts';
import { composeDigest } from './compose-digest.ts';
import { readProgress } from './delivery.ts';
import type { Digest, DigestData, RecentChecks, Snapshot, VoteScope } from './digest.ts';
import { pageAddress } from './digest-page.ts';
import { type DigestSchedule, type ScheduleStore, scopeOf } from './digest-schedule.ts';
import type { DueSlot } from './next-digest-time.ts';
import type { GatherDigest, ReadFigures } from './send-digest.ts';

/** Most verdicts read one by one; counts cover the rest. */
const MAX_READ = 60;
const MAX_TITLE = 80;
/** Most cases looked up per judge benchmark. */
const MAX_SHOWN = 20;

/** All days, since people also vote on old verdicts. */
const everyDay = { from: '0000-01-01', to: '9999-12-31', kinds: ['verdict', 'judge'] } as const;

/** A verdict's title. It quotes the request only in the verdict's own channel. */
function titleOf({ evalCase, verdict, source }: VerdictRecord, channel: string): string {
  if (source.channel !== channel) return `A ${verdict.rubric} verdict in another channel`;
  const request = evalCase.conversation.findLast(({ role }) => role === 'user')?.text ?? verdict.rubric;
  return `“${shortened(plainLine(request), MAX_TITLE)}”`;
}

/** How disputed a verdict is: the number of votes on the smaller side. */
const dispute = ({ agree, disagree }: { agree: number; disagree: number }): number =>
  Math.min(agree, disagree);

const countBy = (names: readonly string[]): Record<string, number> =>
  Object.fromEntries([...groupedBy(names, (name) => name)].map(([name, same]) => [name, same.length]));

async function recentChecks(
  store: VoteStore & ChannelSettingsStore,
  { target }: DigestSchedule,
  newest: readonly VerdictRecord[],
  last: number | null,
): Promise<Omit<RecentChecks, 'hidden'>> {
  // The first digest covers all time.
  const records = newest.filter(({ at }) => last === null || at > last);
  const isAll = newest.length < MAX_READ || records.length < newest.length;
  const tallies = await Promise.all(records.map(({ id }) => store.tally(id)));
  const disputed = records
    .flatMap((record, index) => {
      const tally = tallies[index];
      // Votes on a hidden verdict are only visible to those who have voted.
      if (tally === undefined || dispute(tally) === 0 || record.blind === true) return [];
      const { agree, disagree } = tally;
      return [
        { title: titleOf(record, target.channel), agree, disagree, link: record.source.permalink ?? null },
      ];
    })
    .sort((a, b) => dispute(b) - dispute(a) || b.agree + b.disagree - a.agree - a.disagree);
  const preferred = records.flatMap(({ verdict: { decision, preference }, blind }) =>
    decision === 'scored' && blind !== true && (preference?.better === 'A' || preference?.better === 'B')
      ? [preference.names[preference.better === 'A' ? 0 : 1]]
      : [],
  );
  const costs = records.map(({ verdict }) => verdict.usage.costUsd);
  return {
    blind: (await store.channelSettings(target.channel)).blind === true,
    disputed,
    preferred: countBy(preferred),
    read: records.length,
    isAll,
    costUsd: costs.reduce<number>((sum, cost) => sum + (cost ?? 0), 0),
    unpriced: costs.filter((cost) => cost === null).length,
  };
}

/** IDs of the cases that a digest shows. */
const shownIn = (history: BenchmarkHistory): string[] =>
  history.subject === 'judges'
    ? (history.compared?.regressions ?? []).slice(0, MAX_SHOWN).map(({ caseId }) => caseId)
    : casesShown(history);

/**
 * Cases exported from labels share their verdict's ID, so they can link back to its message. Their text is shown only in the channel they came
 * from, and never while the verdict is hidden until a vote, was withdrawn, or is no longer stored: its channel is then unknown.
 */
export async function originsOf(
  store: VerdictStore & Pick<KeyValue, 'get'>,
  channel: string,
  histories: readonly BenchmarkHistory[],
  now: number,
): Promise<DigestData['origins']> {
  const shown = histories.flatMap(shownIn);
  const ids = [...new Set(shown)];
  const verdicts = await Promise.all(
    ids.map(async (id) => ((await isWithdrawn(store, id, now)) ? null : store.verdict(id))),
  );
  return new Map(
    ids.flatMap((id, index) => {
      const record = verdicts[index] ?? null;
      if (record === null) return isFromChat({ id }) ? [[id, { link: null, hidden: true }] as const] : [];
      const hidden = record.source.channel !== channel || record.blind === true;
      return [[id, { link: record.source.permalink ?? null, hidden }] as const];
    }),
  );
}

/** Reads the counts of all days, the newest verdicts, and the schedule's benchmarks. @param personas titles by id */
export async function gatherDigest(
  {
    store,
    benchmarks,
    now,
    personas,
    pagesAt = null,
  }: {
    store: CountStore & VerdictStore & VoteStore & ChannelSettingsStore & Pick<KeyValue, 'get'>;
    benchmarks: BenchmarkSource | null;
    now: () => number;
    personas: ReadonlyMap<string, string>;
    /** The console's public address; null: digests have no page. */
    pagesAt?: string | null;
  },
  schedule: DigestSchedule,
  { slot, late }: DueSlot,
  last: Snapshot | null,
  outcomes: readonly BenchmarkOutcome[],
  language: Language,
): Promise<DigestData> {
  const at = now();
  const scope = scopeOf(schedule);
  const channel = scope === 'here' ? schedule.target.channel : null;
  const checks = async () => {
    const newest = await store.recentVerdicts({ channel, limit: MAX_READ });
    return Promise.all([
      publicCounts(store, everyDay, at, channel),
      recentChecks(store, schedule, newest, last?.at ?? null),
    ]);
  };
  const [histories, [{ rows: counts, hidden }, recent]] = await Promise.all([
    benchmarks?.(schedule.benchmarks, last?.runs ?? {}, undefined, schedule.by) ?? [],
    checks(),
  ]);
  const { timezone } = schedule;
  return {
    language,
    slot,
    late,
    now: at,
    timezone,
    scope,
    counts,
    personas,
    last,
    benchmarks: histories,
    origins: await originsOf(store, schedule.target.channel, histories, at),
    pageUrl: pagesAt === null ? null : pageAddress(pagesAt, schedule.id, slot),
    issueUrl: (await store.channelSettings(schedule.target.channel)).issueUrl ?? null,
    outcomes,
    recent: { ...recent, hidden },
  };
}

type Limits = { defined: true; low: number; high: number } | { defined: false };

const figureOf = (value: number | null, interval: Limits): Figure | null =>
  value === null || !interval.defined ? null : { value, low: interval.low, high: interval.high };

const NONE: Figures = {
  'pass-rate': null,
  mean: null,
  change: null,
  coverage: null,
  latency: null,
  blocker: null,
};

function assistantFigures({ rate, answers, decided, latency, changes }: AssistantReport): Figures {
  const value = rate.measure.defined ? rate.measure.value : null;
  const isShare = rate.kind === 'pass';
  const change = changes.find(({ baseline }) => baseline !== null)?.difference ?? null;
  return {
    ...NONE,
    'pass-rate': isShare ? figureOf(value, rate.interval) : null,
    mean: isShare ? null : figureOf(value, rate.interval),
    change: isShare && change !== null ? figureOf(change.value, change.interval) : null,
    coverage:
      answers === 0 ? null : figureOf(decided / answers, shareLimits({ successes: decided, n: answers })),
    latency: latency === null ? null : figureOf(latency.median, latency.interval),
  };
}

/** The figures that alerts watch in the newest run: for an assistant, its answers; for judges, how often they are right. */
function figuresOf(history: BenchmarkHistory): Figures {
  if (history.subject === 'assistant') return assistantFigures(history.report);
  const run = newestRun(history);
  return run === null || run.n === 0
    ? NONE
    : { ...NONE, 'pass-rate': figureOf(shareOfRun(run), intervalOfRun(run)) };
}

/** Calls with the same key that overlap share one result. */
function shared<T>(): (key: string, read: () => Promise<T>) => Promise<T> {
  const underWay = new Map<string, Promise<T>>();
  return (key, read) => {
    const reading = underWay.get(key) ?? read().finally(() => underWay.delete(key));
    underWay.set(key, reading);
    return reading;
  };
}

/**
 * Reads the figures that alerts check. The run read last is cached for the life of the process, and read again if failed trials have since
 * been judged or the baseline changed. Concurrent calls share one read.
 */
export function createFiguresReader(
  runs: () => Promise<TrialStore>,
  store: KeyValue & VerdictStore & ChannelSettingsStore,
  source: BenchmarkSource,
  now: () => number,
): ReadFigures {
  const cached = new Map<string, { key: string; figures: AlertFigures | null }>();

  async function read(
    benchmark: string,
    ended: readonly SeriesRun[],
    baseline: string | null,
  ): Promise<AlertFigures | null> {
    const manifests = ended.map(({ manifest }) => manifest);
    const newest = manifests.at(-1);
    if (newest === undefined) return null;
    const earlier = manifests.slice(0, -1);
    const before = earlier.at(-1);
    // Of judges an alert needs the newest run's figure alone, no comparison.
    const last = before === undefined || subjectOf(newest) === 'judges' ? {} : { [benchmark]: before.name };
    const [history] = await source([benchmark], last, newest.name);
    if (history === undefined) return null;
    const trials = await runs();
    const base = baseline === null || baseline === newest.name ? null : await trials.readRun(baseline);
    return {
      run: newest.name,
      at: Date.parse(newest.createdAt),
      figures: figuresOf(history),
      sample: await readRunSample(trials, newest, earlier, base),
      blockers: history.subject === 'assistant' ? history.report.blockers : null,
      failing: async (channel, blockers, language) => {
        if (history.subject === 'judges') return nothingFails;
        const [origins, { issueUrl = null }] = await Promise.all([
          originsOf(store, channel, [history], now()),
          store.channelSettings(channel),
        ]);
        const shown = { origins, issueUrl, language };
        const details = [
          ...blockerDetails(shown, history.report, blockers),
          ...assistantDetails(shown, history, blockers),
        ];
        const worst = {
          before: worstText(history, origins, 'before', language),
          baseline: worstText(history, origins, 'baseline', language),
        };
        return { blockers: blockersIn(history, blockers, origins, language), worst, details };
      },
    };
  }

  const [listing, reading] = [shared<SeriesRun[]>(), shared<AlertFigures | null>()];
  return async (benchmark, isCounted) => {
    const all = await listing(benchmark, async () => finishedRuns(await runs(), benchmark));
    const at =
      isCounted === undefined
        ? all.length - 1
        : all.findIndex(({ manifest }) => !isCounted(manifest.name, Date.parse(manifest.createdAt)));
    const run = all[at];
    if (run === undefined) return null;
    const { manifest, totals } = run;
    const baseline = await readBaseline(store, benchmark, now());
    const key = JSON.stringify([manifest.name, manifest.createdAt, totals.failed, baseline]);
    const known = cached.get(benchmark);
    if (known?.key === key) return known.figures;
    return reading(JSON.stringify([benchmark, key]), async () => {
      const figures = await read(benchmark, all.slice(0, at + 1), baseline?.run ?? null);
      cached.set(benchmark, { key, figures });
      return figures;
    });
  };
}

/**
 * The digest as it would be posted now. Neither posts nor saves anything.
 * @param outcomes results of the benchmarks run for it
 */
export async function previewDigest(
  store: ScheduleStore,
  gather: GatherDigest,
  schedule: DigestSchedule,
  now: number,
  language: Language,
  outcomes: readonly BenchmarkOutcome[] = [],
): Promise<Digest> {
  const { last } = readProgress((await store.digestProgress(schedule.id))?.text ?? '');
  const data = await gather(schedule, { slot: now, late: false }, last, outcomes, language);
  // There is a page only of what was posted.
  return composeDigest({ ...data, pageUrl: null }).digest;
}

/** For a preview without a schedule. @param votes whose votes it counts */
export const unscheduled = (channel: string, now: number, votes: VoteScope = 'here'): DigestSchedule => ({
  votes,
  id: '',
  cron: '0 9 * * 1',
  timezone: 'UTC',
  target: { surface: 'terminal', team: '', channel },
  owner: null,
  benchmarks: [],
  by: null,
  since: now,
  paused: false,
});
