import { sleep } from '../../common/async.ts';
import { JuryError } from '../../common/errors.ts';
import { plainText } from '../../common/text.ts';
import type { Digest } from '../../digests/digest.ts';
import type { DigestPoster } from '../../digests/digest-poster.ts';
import type { DigestSchedule } from '../../digests/digest-schedule.ts';
import {
  addSchedule,
  benchmarkText,
  dropSchedule,
  findSchedule,
  listSchedules,
  pauseSchedule,
  scheduleText,
} from '../../digests/manage-digests.ts';
import { previewDigest, unscheduled } from '../../digests/run-digests.ts';
import { type DigestSender, type SendOutcome, sendDigest, type Watched } from '../../digests/send-digest.ts';
import { readConversation, requireUser } from '../addresses.ts';
import { openDigests } from '../open-digests.ts';
import type { Parts } from '../parts.ts';
import { digestSender } from '../service/digest-service.ts';
import type { Register } from './command-context.ts';
import { renderDigest } from './digest-text.ts';
import { writeOutput } from './output.ts';
import { type ExitCode, exitCode, type Terminal } from './terminal.ts';

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
      'There is no chart yet: it needs runs of a benchmark from two different hours or days, or votes from two weeks.',
    );
    return;
  }
  const { trendPng } = await import('../charts/trend-png.ts');
  await writeOutput(path, await trendPng(trend));
  err(`Chart written to ${path}.`);
}

const LOOK_MS = 1_000;

interface ScheduleOptions {
  cron: string;
  channel: string;
  timezone: string;
  benchmarks: readonly string[];
  owner: string | null;
}

/** `jury digest schedule`. */
async function addDigest(
  parts: Parts,
  { out, err }: Terminal,
  { cron, channel, timezone, benchmarks, owner }: ScheduleOptions,
): Promise<void> {
  const since = parts.now();
  const { surface, channel: id } = readConversation(channel, parts.surfaces, false);
  const wish = {
    cron,
    timezone,
    target: { surface: surface.name, team: '', channel: id },
    owner: owner === null ? null : requireUser(owner, surface),
    benchmarks: [...benchmarks],
    since,
  };
  const digests = await openDigests(parts, err);
  try {
    out(plainText(scheduleText(await addSchedule(digests.store, wish, digests.known))));
  } finally {
    await digests.close();
  }
}

/** `jury digest benchmarks`: what schedules can have run before a digest. */
async function listBenchmarks(parts: Parts, { out, err }: Terminal): Promise<void> {
  const digests = await openDigests(parts, err);
  for (const definition of digests.defined().values()) out(plainText(benchmarkText(definition)));
  await digests.close();
}

/** `jury digest list`. */
async function listScheduled(parts: Parts, { out, err }: Terminal): Promise<void> {
  const all = await listSchedules(await parts.store(), parts.now());
  for (const one of all) out(plainText(scheduleText(one)));
  if (all.length === 0) err('No digests are scheduled. "jury digest schedule --help" shows how.');
}

interface PreviewOptions {
  json: boolean;
  /** Runs the schedule's benchmarks first, for now. */
  run: boolean;
  /** Writes the chart to this file. */
  chart?: string;
}

/** `jury digest preview`: without an id, of everything. */
async function preview(
  parts: Parts,
  { out, err, screen }: Terminal,
  id: string | undefined,
  { json, run, chart }: PreviewOptions,
  stop: AbortSignal,
): Promise<void> {
  if (run && id === undefined)
    throw new JuryError(
      'usage',
      '--run runs the benchmarks of a schedule: name one, "jury digest list" lists them. Nothing was run.',
    );
  const digests = await openDigests(parts, err);
  try {
    const now = parts.now();
    const schedule = id === undefined ? unscheduled('', now) : await findSchedule(digests.store, id);
    const outcomes = run ? await digests.runBenchmarks(schedule, now, stop) : [];
    const digest = await previewDigest(digests.store, digests.gather, schedule, now, outcomes);
    out(json ? JSON.stringify(digest) : renderDigest(screen, digest));
    if (chart !== undefined) await writeChart(digest, chart, err);
  } finally {
    await digests.close();
  }
}

/** `jury digest pause|resume|remove`. */
async function changeSchedule(
  parts: Parts,
  { out }: Terminal,
  change: 'pause' | 'resume' | 'remove',
  id: string,
): Promise<void> {
  const store = await parts.store();
  if (change === 'remove') await dropSchedule(store, id);
  else await pauseSchedule(store, id, change === 'pause', parts.now());
  out(`${id} ${{ pause: 'paused', resume: 'resumed', remove: 'removed' }[change]}`);
}

/**
 * Sends what is due. Where another process is sending it, waits long enough to see whether that one is still running: what a
 * process left unfinished when it died may have no one else to finish it.
 */
async function sendOrTakeOver(
  sender: DigestSender,
  schedule: DigestSchedule,
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
async function digestPosters({ surfaces, env }: Parts): Promise<DigestPoster[]> {
  const found = await Promise.all(surfaces.map(({ posters }) => posters(env)));
  const ready = found.flatMap((one) => ('needs' in one || one.digests === null ? [] : [one.digests]));
  if (ready.length > 0) return ready;
  const needs = found.flatMap((one) => ('needs' in one ? [one.needs] : [])).join(', or ');
  throw new JuryError('usage', `Nothing can be posted: ${needs}. "jury digest preview" needs none.`);
}

/** `jury digest send`: posts what is due now, once, for those who have a scheduler of their own. */
async function sendDue(parts: Parts, { out, err }: Terminal, stop: AbortSignal): Promise<ExitCode> {
  const posters = await digestPosters(parts);
  const digests = await openDigests(parts, err);
  try {
    const warn: DigestSender['warn'] = (_, { schedule, reason }) => err(`${schedule}: not posted: ${reason}`);
    let failed = false;
    for (const schedule of await digests.store.schedules()) {
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

const CHANGES = {
  pause: 'post nothing from a schedule until it is resumed',
  resume: 'resume a paused schedule; what was due in between is not posted',
  remove: 'delete a schedule',
} as const;

/** `jury digest …`: what is posted to channels at set times. */
export const register: Register = (digest, { stop, terminal, withParts }) => {
  const using = (use: Parameters<typeof withParts>[1]) => withParts({ cache: false }, use);
  digest
    .command('schedule')
    .summary('post a digest at set times')
    .description(
      'Posts a digest to a channel at the times of a cron expression, as long as "jury serve" runs somewhere.',
    )
    .argument('<cron>', 'minute, hour, day of month, month, day of week: "0 9 * * 1" is Mondays at 9:00')
    .argument('<channel>', 'id of the channel, such as C0123ABCD')
    .argument('[timezone]', 'IANA name such as Europe/Berlin', 'UTC')
    .argument(
      '[benchmark...]',
      'benchmarks to run before it ("jury digest benchmarks" lists them), or names of runs to report on',
    )
    .option(
      '--owner <user>',
      'id of the person to notify when posting fails (default: the creator of the channel)',
    )
    .action(
      (
        cron: string,
        channel: string,
        timezone: string,
        benchmarks: string[],
        { owner = null }: { owner?: string | null },
      ) => using((parts) => addDigest(parts, terminal, { cron, channel, timezone, benchmarks, owner })),
    );
  digest
    .command('list')
    .description('list the schedules: when each is next due, and how the last one went')
    .action(() => using((parts) => listScheduled(parts, terminal)));
  digest
    .command('preview')
    .description('show the digest here as it would be posted now; posts nothing')
    .argument('[id]', 'a schedule (default: everything that is kept)')
    .option('--json', 'as JSON', false)
    .option('--run', 'run the benchmarks of the schedule first, which may cost', false)
    .option('--chart <file>', 'write the chart as a PNG')
    .action((id: string | undefined, options: PreviewOptions) =>
      using((parts) => preview(parts, terminal, id, options, stop)),
    );
  digest
    .command('benchmarks')
    .description('list the benchmarks that can be run before a digest')
    .action(() => using((parts) => listBenchmarks(parts, terminal)));
  for (const change of ['pause', 'resume', 'remove'] as const)
    digest
      .command(change)
      .description(CHANGES[change])
      .argument('<id>', 'a schedule; "jury digest list" names them')
      .action((id: string) => using((parts) => changeSchedule(parts, terminal, change, id)));
  digest
    .command('send')
    .description('post what is due now and end; for those who have a scheduler of their own')
    .action(() => using((parts) => sendDue(parts, terminal, stop)));
};
