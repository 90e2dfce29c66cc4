import { sleep } from '../../common/async.ts';
import { JuryError } from '../../common/errors.ts';
import { jsonLine, plainText } from '../../common/text.ts';
import type { Digest } from '../../digests/digest.ts';
import type { DigestPoster } from '../../digests/digest-poster.ts';
import { type DigestSchedule, isBenchmark, type Schedule } from '../../digests/digest-schedule.ts';
import {
  addSchedule,
  benchmarkText,
  dropSchedule,
  findSchedule,
  type ListedSchedule,
  listSchedules,
  pauseSchedule,
  scheduleText,
  sendNow,
} from '../../digests/manage-digests.ts';
import { previewDigest, unscheduled } from '../../digests/run-digests.ts';
import { type DigestSender, type SendOutcome, sendDigest, type Watched } from '../../digests/send-digest.ts';
import { readWhen, whenText, zoneIn } from '../../digests/when.ts';
import { readConversation, requireUser } from '../addresses.ts';
import { noteChange } from '../changes.ts';
import { digestSender, type OpenDigests, openDigests } from '../open-digests.ts';
import type { Parts } from '../parts.ts';
import { type CommandChanges, commandChanges } from './changes.ts';
import type { CommandContext } from './command-context.ts';
import { renderDigest } from './digest-text.ts';
import { writeOutput } from './output.ts';
import { type ExitCode, exitCode } from './terminal.ts';

/**
 * Writes the chart of a digest as a PNG, the same as channels are shown; says so where there is nothing to draw.
 *
 * @throws JuryError `usage` where the file cannot be written
 */
async function writeChart(
  { blocks, details }: Digest,
  path: string,
  err: (line: string) => void,
): Promise<void> {
  const trend = [...blocks, ...details].find((block) => block.kind === 'trend');
  if (trend === undefined) {
    err(
      'There is no chart yet: it needs benchmark runs from two different hours or days, or votes from two weeks.',
    );
    return;
  }
  const { trendPng } = await import('../charts/trend-png.ts');
  await writeOutput(path, await trendPng(trend));
  err(`Chart written to ${path}.`);
}

const LOOK_MS = 1_000;

/** A schedule as people list it, with where it posts and who is told of problems. */
const listedText = (listed: ListedSchedule): string => {
  const { target, owner } = listed.schedule;
  return plainText(
    `${scheduleText(listed)}; in ${target.channel}${owner === null ? '' : `; owner ${owner}`}`,
  );
};

/** `jury digest schedule`: a time, a channel, perhaps a time zone, then benchmarks. */
export async function schedule(
  { err, out, parts: open }: CommandContext,
  words: string[],
  { owner = null }: { owner?: string | null },
): Promise<void> {
  const parts = await open();
  const since = parts.now();
  const [channel = '', second = '', ...more] = readWhen(words)?.rest ?? [];
  const zone = zoneIn(second);
  const cron = readWhen(words)?.cron;
  if (cron === undefined)
    throw new JuryError(
      'usage',
      `"${words.join(' ').slice(0, 60)}" begins with no time: say "every monday 9am", "weekdays at 8:30", or cron fields such as "0 9 * * 1".`,
    );
  const { surface, channel: id } = readConversation(channel, parts.surfaces, false);
  const benchmarks = zone === null && second !== '' ? [second, ...more] : more;
  const wish = {
    cron,
    timezone: zone ?? 'UTC',
    target: { surface: surface.name, team: '', channel: id },
    owner: owner === null ? null : requireUser(owner, surface),
    benchmarks,
    since,
  };
  const digests = await openDigests(parts, err);
  try {
    const listed = await addSchedule(digests.store, wish, digests.known);
    await noteAndSay(await commandChanges(parts, err), 'scheduled', null, listed.schedule);
    out(listedText(listed));
  } finally {
    await digests.close();
  }
}

/** `jury digest benchmarks`: what schedules can have run before a digest. */
export async function benchmarks(
  { err, out, parts }: CommandContext,
  { json }: { json: boolean },
): Promise<void> {
  const digests = await openDigests(await parts(), err);
  for (const one of digests.defined().values()) out(json ? jsonLine(one) : plainText(benchmarkText(one)));
  await digests.close();
}

/** `jury digest list`. */
export async function list(
  { err, out, parts: open }: CommandContext,
  { json }: { json: boolean },
): Promise<void> {
  const parts = await open();
  const all = await listSchedules(await parts.store(), parts.now());
  for (const one of all) out(json ? jsonLine(one) : listedText(one));
  if (all.length === 0) err('No digests are scheduled. "jury digest schedule --help" shows how.');
}

/** A schedule by its id, or one of the benchmark with that name. @throws JuryError `usage` if there is neither */
async function previewed({ store, known }: OpenDigests, id: string | undefined, now: number) {
  const none = unscheduled('', now);
  if (id === undefined) return none;
  return isBenchmark(id, await known()) ? { ...none, benchmarks: [id] } : findSchedule(store, id);
}

interface PreviewOptions {
  json: boolean;
  /** Runs the schedule's benchmarks first, for now. */
  run: boolean;
  /** Writes the chart to this file. */
  chart?: string;
}

/** `jury digest preview`: of a schedule or a benchmark; without either, of votes and spot checks. */
export async function preview(
  { err, out, parts: open, screen, stop }: CommandContext,
  id: string | undefined,
  { json, run, chart }: PreviewOptions,
): Promise<void> {
  if (run && id === undefined)
    throw new JuryError(
      'usage',
      '--run runs the benchmarks of a schedule: name one, "jury digest list" lists them. Nothing was run.',
    );
  const parts = await open();
  const digests = await openDigests(parts, err);
  try {
    const now = parts.now();
    const schedule = await previewed(digests, id, now);
    const outcomes = run ? await digests.runBenchmarks(schedule, now, stop) : [];
    const digest = await previewDigest(digests.store, digests.gather, schedule, now, outcomes);
    out(json ? jsonLine(digest) : renderDigest(screen, digest));
    if (!run && schedule.benchmarks.length > 0)
      err(
        'The benchmarks were not run for this: --run runs them first, as before a real digest, which may cost.',
      );
    if (id === undefined)
      err(
        'This is what a digest without benchmarks says: name one, or a schedule, to read about the assistant.',
      );
    if (chart !== undefined) await writeChart(digest, chart, err);
  } finally {
    await digests.close();
  }
}

/** Notes a change of a schedule, and tells its channel. @param change makes it; absent where it is made */
async function noteAndSay(
  changes: CommandChanges,
  did: string,
  before: DigestSchedule | null,
  after: DigestSchedule | null,
  change: () => Promise<unknown> = async () => {},
): Promise<void> {
  const schedule = after ?? before;
  if (schedule === null) return;
  const { id, cron, target } = schedule;
  await noteChange(changes, changes.actor, target, { what: 'digest', about: id, before, after });
  await change();
  await changes.say(target, `${did} the digest ${id} (${whenText(cron)})`);
}

const changing =
  (done: string, changed: (schedule: DigestSchedule) => DigestSchedule | null) =>
  async ({ err, out, parts: open }: CommandContext, id: string): Promise<void> => {
    const parts = await open();
    const changes = await commandChanges(parts, err);
    const { store } = changes;
    const before = await findSchedule(store, id);
    const after = changed(before);
    if (after?.paused !== before.paused)
      await noteAndSay(changes, done, before, after, () =>
        after === null ? dropSchedule(store, id) : pauseSchedule(store, id, after.paused, parts.now()),
      );
    out(`${id} ${done}`);
  };

export const pause = changing('paused', (schedule) => ({ ...schedule, paused: true }));
export const resume = changing('resumed', (schedule) => ({ ...schedule, paused: false }));
export const remove = changing('removed', () => null);

/**
 * Sends what is due. Where another process is sending it, waits long enough to see whether that one is still running: what a
 * process left unfinished when it died may have no one else to finish it.
 */
async function sendOrTakeOver(
  sender: DigestSender,
  schedule: Schedule,
  err: (line: string) => void,
): Promise<SendOutcome> {
  const watched: Watched = new Map();
  const until = sender.monotonicNow() + sender.leaseMs + 2 * LOOK_MS;
  let outcome = await sendDigest(sender, schedule, watched);
  if (outcome === 'held')
    err(
      `${schedule.id}: another process is sending it; waiting up to ${sender.leaseMs / 1000} s to see whether it is still running`,
    );
  while (outcome === 'held' && sender.monotonicNow() < until && !sender.stop.aborted) {
    await sleep(LOOK_MS, sender.stop);
    outcome = await sendDigest(sender, schedule, watched);
  }
  return outcome;
}

/** What posts to each surface that is set up. @throws JuryError `usage` where none is */
async function digestPosters(parts: Parts): Promise<DigestPoster[]> {
  const found = await Promise.all(parts.surfaces.map(({ posters }) => posters(parts)));
  const ready = found.flatMap((one) => ('needs' in one || one.digests === null ? [] : [one.digests]));
  if (ready.length > 0) return ready;
  const needs = found.flatMap((one) => ('needs' in one ? [one.needs] : [])).join(', or ');
  throw new JuryError('usage', `Nothing can be posted: ${needs}. "jury digest preview" needs none.`);
}

/** `jury digest send`: posts what is due now, once, for those who have a scheduler of their own; one that is named, at once. */
export async function send(
  { err, out, parts: open, stop }: CommandContext,
  id: string | undefined,
): Promise<ExitCode> {
  const parts = await open();
  const posters = await digestPosters(parts);
  const digests = await openDigests(parts, err);
  try {
    const warn: DigestSender['warn'] = (_, { schedule, reason }) => err(`${schedule}: not posted: ${reason}`);
    let failed = false;
    const all = await digests.store.schedules();
    if (id !== undefined) await sendNow(digests.store, id, parts.now());
    for (const schedule of all.filter((one) => id === undefined || one.id === id)) {
      const poster = posters.find(({ surface }) => surface === schedule.target.surface);
      if (poster === undefined) {
        err(`${schedule.id}: not posted: ${schedule.target.surface} is not set up here`);
        continue;
      }
      const sender = digestSender(digests, poster, parts.now, warn, stop);
      const outcome = await sendOrTakeOver(sender, schedule, err);
      failed ||= outcome === 'failed';
      out(`${schedule.id}: ${outcome.replace('-', ' ')}`);
    }
    return failed ? exitCode.failed : exitCode.ok;
  } finally {
    await digests.close();
  }
}
