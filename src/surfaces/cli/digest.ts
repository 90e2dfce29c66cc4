import { JuryError, sleep } from '../../common/index.ts';
import { jsonLine, plainText } from '../../common/text/index.ts';
import {
  type Alert,
  type AlertContext,
  addAlert,
  addSchedule,
  alertsOf,
  alertText,
  benchmarkText,
  type Digest,
  type DigestPoster,
  type DigestSender,
  findAlert,
  findSchedule,
  isBenchmark,
  type ListedSchedule,
  listSchedules,
  type NoteSchedule,
  newAlertText,
  previewDigest,
  readScheduleWords,
  ruleText,
  type Schedule,
  type SendOutcome,
  scheduleText,
  sendDigest,
  sendNow,
  unscheduled,
  type VoteScope,
  type Watched,
  zoneIn,
} from '../../digests/index.ts';
import { loadTrendPng } from '../chat/lazy.ts';
import {
  changeSchedule,
  didText,
  nameOfSchedule,
  noteSchedule,
  readAlert,
  reviewBy,
} from '../desks/index.ts';
import { digestSender, type OpenDigests, type Parts, readConversation, requireUser } from '../index.ts';
import {
  type CommandContext,
  type ExitCode,
  exitCode,
  type JsonFlag,
  renderDigest,
  writeOutput,
} from '../terminal/index.ts';
import { commandChanges } from './audit.ts';

const DONE = { pause: 'paused', resume: 'resumed', remove: 'removed' } as const;

/** `jury digest` or `jury alert` `pause|resume|remove`. Announces nothing if nothing changes. */
const changing =
  (kind: 'digest' | 'alert', change: keyof typeof DONE) =>
  async (context: CommandContext, id: string): Promise<void> => {
    const { store, alerts } = await context.digests();
    const before = await (kind === 'alert' ? findAlert : findSchedule)(store, id);
    const changes = await commandChanges(await context.parts(), context.err);
    const { target } = before;
    const desk = { store, now: changes.now, digestSources: { alerts } };
    if (await changeSchedule(desk, { ...target, actor: changes.actor }, before, change))
      await changes.say(target, ({ end }, language) => end(didText(before, change, language)));
    context.out(`${id} ${DONE[change]}`);
  };

export const pause = changing('digest', 'pause');
export const resume = changing('digest', 'resume');
export const remove = changing('digest', 'remove');

/** A schedule as a line of a list, with where it posts and the person to notify of problems. */
const listedText = (listed: ListedSchedule): string => {
  const { target, owner } = listed.schedule;
  return `${scheduleText(listed)}; in ${target.channel}${owner === null ? '' : `; owner ${owner}`}`;
};

/** Where a digest or an alert is posted, and its owner. @throws JuryError `usage` if either cannot be read */
function addressed({ surfaces }: Parts, channel: string, owner: string | undefined) {
  const { surface, channel: id } = readConversation(channel, surfaces, false);
  return {
    target: { surface: surface.name, team: '', channel: id },
    owner: owner === undefined ? null : requireUser(owner, surface),
  };
}

const noteIn = (
  changes: Awaited<ReturnType<typeof commandChanges>>,
  { target }: Pick<Schedule, 'target'>,
): NoteSchedule => noteSchedule(changes, { ...target, actor: changes.actor });

/** `jury digest schedule`: a time, a channel, optionally a time zone, then benchmarks. */
export async function schedule(
  context: CommandContext,
  words: string[],
  {
    owner,
    votes,
    by = null,
    review,
    reviewers = [],
  }: { owner?: string; votes?: VoteScope; by?: string | null; review?: number; reviewers?: string[] },
): Promise<void> {
  if (review !== undefined && reviewers.length === 0)
    throw new JuryError('usage', '--review asks people: name them with --reviewers. Nothing was added.');
  const parts = await context.parts();
  const since = parts.now();
  const when = readScheduleWords(words);
  if (when === null)
    throw new JuryError(
      'usage',
      `"${words.join(' ').slice(0, 60)}" begins with no time: say "every monday 9am", "weekdays at 8:30", or cron fields such as "0 9 * * 1".`,
    );
  const [channel = '', second = '', ...more] = when.rest;
  const zone = zoneIn(second);
  const wish = {
    ...addressed(parts, channel, owner),
    cron: when.cron,
    timezone: zone ?? 'UTC',
    benchmarks: zone === null && second !== '' ? [second, ...more] : more,
    by,
    ...(votes === undefined ? {} : { votes }),
    ...reviewBy(reviewers, review),
    since,
  };
  const { store, known, requirePeople } = await context.digests();
  requirePeople(reviewers);
  const changes = await commandChanges(parts, context.err);
  const listed = await addSchedule(store, wish, known, noteIn(changes, wish));
  await changes.say(wish.target, ({ scheduled }, language) =>
    scheduled(nameOfSchedule(listed.schedule, language)),
  );
  context.out(plainText(listedText(listed)));
}

/** `jury digest benchmarks`: the benchmarks that schedules can run before a digest. */
export async function benchmarks(context: CommandContext, { json }: JsonFlag): Promise<void> {
  const { defined } = await context.digests();
  for (const one of defined().values()) context.out(json ? jsonLine(one) : plainText(benchmarkText(one)));
}

/** `jury digest list`. */
export async function list(context: CommandContext, { json }: JsonFlag): Promise<void> {
  const { now } = await context.parts();
  const all = await listSchedules(await context.store(), now());
  for (const one of all) context.out(json ? jsonLine(one) : plainText(listedText(one)));
  if (all.length === 0) context.err('No digests are scheduled. "jury digest schedule --help" shows how.');
}

/** What setting and listing alerts needs. */
async function alertsHere(context: CommandContext): Promise<AlertContext> {
  const { store, alerts } = await context.digests();
  return { store, now: (await context.parts()).now, ...alerts };
}

function alertLine(text: string, { owner, target }: Alert): string {
  const by = owner === null ? '' : `; set by ${owner}`;
  return plainText(`${text}; in ${target.channel}${by}`);
}

/** `jury alert set`: a channel, a benchmark, and the rule in words. */
async function setAlert(
  context: CommandContext,
  [channel = '', ...words]: string[],
  { owner }: { owner?: string },
): Promise<void> {
  if (words.length === 0)
    throw new JuryError(
      'usage',
      'Give a channel, a benchmark and a rule, such as "C0123ABCD nightly below 90%".',
    );
  const parts = await context.parts();
  const alerts = await alertsHere(context);
  const wish = { ...readAlert(words), ...addressed(parts, channel, owner) };
  const changes = await commandChanges(parts, context.err);
  const { alert: after, figures } = await addAlert(alerts, wish, noteIn(changes, wish));
  await changes.say(wish.target, ({ setAlert: said }, language) =>
    said({ id: after.id, rule: `${after.benchmark} ${ruleText(after.rule, language)}` }),
  );
  context.out(alertLine(newAlertText(after, figures), after));
}

/** `jury alert list`. */
async function listAlerts(context: CommandContext, { json }: JsonFlag): Promise<void> {
  const alerts = await alertsHere(context);
  const all = await alertsOf(alerts.store);
  for (const alert of all)
    context.out(json ? jsonLine(alert) : alertLine(await alertText(alerts, alert), alert));
  if (all.length === 0) context.err('No alerts are set. "jury alert set --help" shows how.');
}

/** `jury alert …`. */
export const alert = {
  set: setAlert,
  list: listAlerts,
  pause: changing('alert', 'pause'),
  resume: changing('alert', 'resume'),
  remove: changing('alert', 'remove'),
};

const LOOK_MS = 1_000;

/**
 * Sends what is due. If another process is sending it, waits long enough to see whether that one is still running: if it died,
 * there may be no other process to finish its work.
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

/** The posters of all surfaces that are set up. @throws JuryError `usage` if there are none */
async function digestPosters(parts: Parts): Promise<DigestPoster[]> {
  const perSurface = await Promise.all(parts.surfaces.map(({ posters }) => posters(parts)));
  const ready = perSurface.flatMap((one) => ('needs' in one || one.digests === null ? [] : [one.digests]));
  if (ready.length > 0) return ready;
  const needs = perSurface.flatMap((one) => ('needs' in one ? [one.needs] : [])).join(', or ');
  throw new JuryError('usage', `Nothing can be posted: ${needs}. "jury digest preview" needs none.`);
}

/** `jury digest send`: posts once what is due now, for use with an external scheduler; a schedule that is named is sent at once. */
export async function send(context: CommandContext, id: string | undefined): Promise<ExitCode> {
  const { err, out, stop } = context;
  const parts = await context.parts();
  const posters = await digestPosters(parts);
  const digests = await context.digests();
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
}

/**
 * Writes a digest's chart as a PNG, as shown in channels; says so if there is nothing to draw.
 *
 * @throws JuryError `usage` if the file cannot be written
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
  const { trendPng } = await loadTrendPng();
  await writeOutput(path, await trendPng(trend));
  err(`Chart written to ${path}.`);
}

/** The schedule with this id, or one for the benchmark with this name. @throws JuryError `usage` if there is neither */
async function previewed({ store, known }: OpenDigests, id: string | undefined, now: number) {
  const none = unscheduled('', now, 'everywhere');
  if (id === undefined) return none;
  return isBenchmark(id, await known()) ? { ...none, benchmarks: [id] } : findSchedule(store, id);
}

interface PreviewOptions {
  json: boolean;
  /** Whether the schedule's benchmarks are run first. */
  run: boolean;
  /** The file to write the chart to. */
  chart?: string;
  /** The tag whose values are looked at one by one. */
  by?: string;
}

/** `jury digest preview`: the digest of a schedule or a benchmark; without either, of votes and spot checks. */
export async function preview(
  context: CommandContext,
  id: string | undefined,
  { json, run, chart, by }: PreviewOptions,
): Promise<void> {
  const { err, out, screen, stop } = context;
  if (run && id === undefined)
    throw new JuryError(
      'usage',
      '--run runs the benchmarks of a schedule: name one, "jury digest list" lists them. Nothing was run.',
    );
  const now = (await context.parts()).now();
  const digests = await context.digests();
  const found = await previewed(digests, id, now);
  const schedule = by === undefined ? found : { ...found, by };
  const outcomes = run ? await digests.runBenchmarks(schedule, now, stop) : [];
  const digest = await previewDigest(digests.store, digests.gather, schedule, now, 'en', outcomes);
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
}
