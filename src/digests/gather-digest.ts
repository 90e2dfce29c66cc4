import type { BenchmarkHistory, BenchmarkSource } from '../benchmark/benchmark-history.ts';
import type { BenchmarkOutcome } from '../benchmark/run-defined-benchmark.ts';
import { isFromChat } from '../case/case.ts';
import type { KeyValue } from '../common/key-value.ts';
import { plainLine, shortened } from '../common/text.ts';
import type { VoteStore } from '../labels/cast-vote.ts';
import type { ChannelSettingsStore } from '../labels/channel-settings.ts';
import { hidingChannels, publicCounts } from '../labels/trust.ts';
import type { CountStore, VerdictRecord, VerdictStore } from '../labels/verdict-record.ts';
import { isWithdrawn } from '../labels/visible-verdict.ts';
import { casesShown } from './assistant-blocks.ts';
import type { DigestData, RecentChecks, Snapshot } from './digest.ts';
import type { DigestSchedule } from './digest-schedule.ts';
import type { DueSlot } from './slots.ts';

/** Verdicts that are read one by one; counts cover the rest. */
const MAX_READ = 60;
const MAX_TITLE = 80;
/** Cases of a benchmark of judges that are looked up. */
const MAX_SHOWN = 20;

/** Votes on old verdicts count too. */
const everyDay = { from: '0000-01-01', to: '9999-12-31', kinds: ['verdict', 'judge'] } as const;

/** A verdict's title. Only its own channel sees the text. */
function titleOf({ evalCase, verdict, source }: VerdictRecord, channel: string): string {
  if (source.channel !== channel) return `A ${verdict.rubric} verdict in another channel`;
  const request = evalCase.conversation.findLast(({ role }) => role === 'user')?.text ?? verdict.rubric;
  return `“${shortened(plainLine(request), MAX_TITLE)}”`;
}

/** How disputed a verdict is: the votes of the smaller side. */
const dispute = ({ agree, disagree }: { agree: number; disagree: number }): number =>
  Math.min(agree, disagree);

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
      // Only people who have voted see the votes on a hidden verdict.
      if (tally === undefined || dispute(tally) === 0 || record.blind === true) return [];
      const { agree, disagree } = tally;
      return [
        { title: titleOf(record, target.channel), agree, disagree, link: record.source.permalink ?? null },
      ];
    })
    .sort((a, b) => dispute(b) - dispute(a) || b.agree + b.disagree - a.agree - a.disagree);
  const costs = records.map(({ verdict }) => verdict.usage.costUsd);
  return {
    blind: (await store.channelSettings(target.channel)).blind === true,
    disputed,
    read: records.length,
    isAll,
    costUsd: costs.reduce<number>((sum, cost) => sum + (cost ?? 0), 0),
    unpriced: costs.filter((cost) => cost === null).length,
  };
}

/** The cases that a digest shows. */
const shownIn = (history: BenchmarkHistory): string[] =>
  history.subject === 'judges'
    ? (history.compared?.regressions ?? []).slice(0, MAX_SHOWN).map(({ caseId }) => caseId)
    : casesShown(history);

/**
 * Cases that were exported from labels have their verdict's id, so they can link to its message. Only its own channel sees its words,
 * and none while it is hidden until a vote, was withdrawn, or is kept no longer: nothing says whose it was.
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

/** Reads counts of all days and channels, the newest verdicts, and the schedule's benchmarks. */
export async function gatherDigest(
  {
    store,
    benchmarks,
    now,
  }: {
    store: CountStore & VerdictStore & VoteStore & ChannelSettingsStore & Pick<KeyValue, 'get'>;
    benchmarks: BenchmarkSource | null;
    now: () => number;
  },
  schedule: DigestSchedule,
  { slot, late }: DueSlot,
  last: Snapshot | null,
  outcomes: readonly BenchmarkOutcome[],
): Promise<DigestData> {
  const at = now();
  const checks = async () => {
    const newest = await store.recentVerdicts({ channel: null, limit: MAX_READ });
    return Promise.all([
      publicCounts(store, everyDay, at, hidingChannels(newest)),
      recentChecks(store, schedule, newest, last?.at ?? null),
    ]);
  };
  const [histories, [{ rows: counts, hidden }, recent]] = await Promise.all([
    benchmarks?.(schedule.benchmarks, last?.runs ?? {}) ?? [],
    checks(),
  ]);
  const { timezone } = schedule;
  return {
    slot,
    late,
    now: at,
    timezone,
    counts,
    last,
    benchmarks: histories,
    origins: await originsOf(store, schedule.target.channel, histories, at),
    issueUrl: (await store.channelSettings(schedule.target.channel)).issueUrl ?? null,
    outcomes,
    recent: { ...recent, hidden },
  };
}
