import { isDeepStrictEqual } from 'node:util';
import type { BenchmarkDefinition } from '../benchmark/index.ts';
import { JuryError } from '../common/index.ts';
import { counted, nearestTo, noSuch, usd } from '../common/text/index.ts';
import {
  type Alert,
  type AlertFigures,
  figureText,
  limitText,
  noFigureText,
  ruleText,
  wrongSideText,
} from './alert.ts';
import { beginsWrong, watchFrom } from './alert-watch.ts';
import { momentIn } from './change-since-last.ts';
import { newDelivery, readProgress } from './delivery.ts';
import { noLabels } from './digest.ts';
import {
  addUnderFreeId,
  alertsOf,
  type DigestSchedule,
  isAlert,
  isDigest,
  type KnownBenchmarks,
  type NoteSchedule,
  requireBenchmarks,
  type ScheduleStore,
  scopeOf,
  withId,
} from './digest-schedule.ts';
import { isTimeZone, nextSlotOf, readCron } from './next-digest-time.ts';
import { scheduleWords, timeZones, zoneOfCity } from './schedule-words.ts';
import type { ReadFigures } from './send-digest.ts';

/** What setting an alert needs to know. */
export interface AlertContext {
  store: ScheduleStore;
  readFigures: ReadFigures;
  known: () => Promise<KnownBenchmarks>;
  /** Names of the configured webhooks. */
  webhooks: readonly string[];
  now: () => number;
}

/** @throws JuryError `usage` if there is none with that ID */
export const findAlert = async (store: ScheduleStore, id: string): Promise<Alert> =>
  withId(await alertsOf(store), id, 'alert');

/** Makes the newest run the alert's starting point: that run itself never triggers it, and the test begins with the next one. */
async function startFrom(
  figures: AlertFigures | null,
  alert: Alert,
  { store, now }: Pick<AlertContext, 'store' | 'now'>,
): Promise<void> {
  const stored = await store.digestProgress(alert.id);
  if (figures === null || stored === null) return;
  const sounding = beginsWrong(alert.rule, figures);
  const last = { at: now(), labels: noLabels, runs: { [alert.benchmark]: figures.run }, sounding };
  const progress = {
    ...readProgress(stored.text),
    done: figures.at,
    last,
    watch: watchFrom(alert.rule, figures),
  };
  // If this write is refused, another process is posting and has just looked at that run.
  await store.replaceDigestProgress(alert.id, stored.version, JSON.stringify(progress));
}

/**
 * Creates an alert.
 * @returns the alert, and the newest run's figures; null if there is no run
 * @throws JuryError `usage` if the benchmark or webhook is unknown, or the same alert exists
 */
export async function addAlert(
  context: AlertContext,
  request: Pick<Alert, 'benchmark' | 'rule' | 'target' | 'owner' | 'webhook'>,
  note: NoteSchedule,
): Promise<{ alert: Alert; figures: AlertFigures | null }> {
  const { benchmark, webhook } = request;
  requireBenchmarks([benchmark], await context.known());
  if (webhook !== null && !context.webhooks.includes(webhook))
    throw noSuch(
      'webhook',
      webhook,
      context.webhooks,
      'Set JURY_WEBHOOKS on the server, such as pager=https://….',
    );
  const figures = await context.readFigures(benchmark);
  const about = (one: typeof request) =>
    JSON.stringify([one.benchmark, one.rule, one.target.surface, one.target.channel]);
  const alert = await addUnderFreeId(context.store, 'a', note, (id, all): Alert => {
    const twin = all.filter(isAlert).find((one) => about(one) === about(request));
    if (twin === undefined) return { ...request, id, since: figures?.at ?? 0, paused: false };
    throw new JuryError(
      'usage',
      `${twin.id} does that already${twin.paused ? '. It is paused: resume it' : twin.webhook === webhook ? '' : ', with another webhook or none: remove it first'}. Nothing was added.`,
    );
  });
  await startFrom(figures, alert, context);
  return { alert, figures };
}

/**
 * Pauses or resumes an alert. Runs that ended while it was paused don't trigger it, and those before say nothing about what holds now, so
 * the test begins anew.
 */
export async function pauseAlert(context: AlertContext, id: string, paused: boolean): Promise<void> {
  const { store } = context;
  const { benchmark } = await findAlert(store, id);
  const figures = paused ? null : await context.readFigures(benchmark);
  // Read again: reading a run is slow enough for another process to change or remove the alert.
  const alert = await findAlert(store, id);
  if (alert.paused === paused) return;
  await store.saveSchedule({ ...alert, paused, since: paused ? alert.since : (figures?.at ?? 0) });
  await startFrom(figures, alert, context);
}

/** Why the newest run has no figure; of blockers, there is none to have. */
const withoutFigure = ({ measure }: Alert['rule'], { blockers }: AlertFigures): string =>
  measure === 'blocker' && blockers === null
    ? 'no criterion of the newest run has “severity: blocker”'
    : noFigureText(measure);

/**
 * What a new alert begins with: `watching: 94 % (90–97), limit 90 %`, or `already below: 81 % (76–86), limit 90 %; only the way back is
 * posted`.
 */
export function stateText({ rule }: Alert, figures: AlertFigures | null): string {
  const figure = figures?.figures[rule.measure] ?? null;
  if (figures === null) return 'no run is finished yet';
  if (figure === null) return withoutFigure(rule, figures);
  const now = `${figureText(rule.measure, figure)}, ${limitText(rule)}`;
  return beginsWrong(rule, figures)
    ? `already ${wrongSideText(rule)}: ${now}; only the way back is posted`
    : `watching: ${now}`;
}

/** `, also to pager` if the alert calls a webhook, otherwise empty. */
export const webhookText = ({ webhook }: Alert): string => (webhook === null ? '' : `, also to ${webhook}`);

/** Where an alert stands, with the newest run: `. Watching: 88 % (81–93), limit 90 %`. */
async function watchText(store: ScheduleStore, { id, rule }: Alert, figures: AlertFigures): Promise<string> {
  const figure = figures.figures[rule.measure];
  if (figure === null) return `; ${withoutFigure(rule, figures)}`;
  const stored = await store.digestProgress(id);
  const isWrong = readProgress(stored?.text ?? '').last?.sounding ?? false;
  const again = figures.sample.fresh === 0 ? '; the same answers as before' : '';
  const says = isWrong ? 'Not back yet' : 'Watching';
  return `. ${says}: ${figureText(rule.measure, figure)}, ${limitText(rule)}${again}`;
}

/** `a1: nightly below 90 %, also to pager`. */
const nameText = (alert: Alert): string =>
  `${alert.id}: ${alert.benchmark} ${ruleText(alert.rule)}${webhookText(alert)}`;

/** An alert that has just been set: `a1: nightly below 90 %; watching: 94 % (90–97), limit 90 %`. */
export const newAlertText = (alert: Alert, figures: AlertFigures | null): string =>
  `${nameText(alert)}; ${stateText(alert, figures)}`;

/** `a1: nightly below 90 %. Watching: 88 % (81–93), limit 90 %`. */
export async function alertText(
  { store, readFigures }: Pick<AlertContext, 'store' | 'readFigures'>,
  alert: Alert,
): Promise<string> {
  const what = nameText(alert);
  if (alert.paused) return `${what}; paused`;
  const figures = await readFigures(alert.benchmark);
  return `${what}${figures === null ? '; no run is finished yet' : await watchText(store, alert, figures)}`;
}

const HOUR = 3_600_000;
/** Slots checked for spacing: enough to cover weekly schedules that list single days and hours. */
const CHECKED_SLOTS = 50;

/** @throws JuryError `usage` if its time or time zone is invalid, or it would post more often than hourly */
function newSchedule(request: Omit<DigestSchedule, 'paused'>): DigestSchedule {
  if (!isTimeZone(request.timezone)) {
    const meant = zoneOfCity(request.timezone) ?? nearestTo(request.timezone, timeZones());
    throw new JuryError(
      'usage',
      `"${request.timezone.slice(0, 60)}" is not a time zone: ${meant === null ? 'give an IANA name such as Europe/Berlin or UTC' : `did you mean ${meant}?`}`,
    );
  }
  const next = nextSlotOf(request);
  let slot = next(request.since);
  if (slot === null) throw new JuryError('usage', `"${request.cron}" never occurs: give a date that exists.`);
  for (let n = 0; n < CHECKED_SLOTS; n += 1) {
    const after = next(slot);
    if (after === null) break;
    if (after - slot < HOUR)
      throw new JuryError(
        'usage',
        `"${request.cron}" would post more often than once an hour, which is too often for a channel.`,
      );
    slot = after;
  }
  return { ...request, paused: false };
}

export interface ListedSchedule {
  schedule: DigestSchedule;
  /** ms since the epoch; null while paused. */
  next: number | null;
  /** The state of its last or current delivery, if any. */
  remark: string | null;
}

/** Whether two schedules post the same digest at the same times. */
function isTwin(a: DigestSchedule, b: DigestSchedule): boolean {
  const what = ({ cron, timezone, target, benchmarks, votes, by }: DigestSchedule) =>
    JSON.stringify([
      readCron(cron),
      timezone,
      target.surface,
      target.channel,
      [...benchmarks].sort(),
      scopeOf({ votes }),
      by,
    ]);
  return what(a) === what(b);
}

/** @throws JuryError `usage` if the schedule is invalid, duplicates another, or names an unknown benchmark */
export async function addSchedule(
  store: ScheduleStore,
  request: Omit<DigestSchedule, 'id' | 'paused'>,
  knownBenchmarks: () => Promise<KnownBenchmarks>,
  note: NoteSchedule,
): Promise<ListedSchedule> {
  if (request.benchmarks.length > 0) requireBenchmarks(request.benchmarks, await knownBenchmarks());
  const schedule = await addUnderFreeId(store, 'd', note, (id, all) => {
    const made = newSchedule({ ...request, id });
    const twin = all.filter(isDigest).find((one) => isTwin(one, made));
    if (twin === undefined) return made;
    throw new JuryError(
      'usage',
      `${twin.id} does that already: ${scheduleWords(twin.cron)} (${twin.timezone})${twin.paused ? `. It is paused: resume ${twin.id}` : isDeepStrictEqual(twin.review, made.review) ? '' : ', with others who check answers or none: remove it first'}. Nothing was added.`,
    );
  });
  return listed(store, schedule, request.since);
}

/** @throws JuryError `usage` if there is none with that ID */
export const findSchedule = async (store: ScheduleStore, id: string): Promise<DigestSchedule> =>
  withId((await store.schedules()).filter(isDigest), id, 'schedule');

/** Pauses or resumes a schedule. Digests that were due while it was paused are not posted. */
export async function pauseSchedule(
  store: ScheduleStore,
  id: string,
  paused: boolean,
  now: number,
): Promise<void> {
  const schedule = await findSchedule(store, id);
  await store.saveSchedule({ ...schedule, paused, since: paused ? schedule.since : now });
}

/**
 * Posts a digest now, in addition to its schedule. The process that runs digests sends it, once, within seconds.
 * @throws JuryError `usage` if there is none with that ID, or one is already being sent
 */
export async function sendNow(store: ScheduleStore, id: string, now: number): Promise<void> {
  await findSchedule(store, id);
  const stored = await store.digestProgress(id);
  const progress = readProgress(stored?.text ?? '');
  const next = { ...progress, current: newDelivery(now, false, null) };
  const isSending =
    progress.current !== null ||
    stored === null ||
    !(await store.replaceDigestProgress(id, stored.version, JSON.stringify(next)));
  if (isSending) throw new JuryError('usage', `The digest of ${id} is being sent already.`);
}

async function remarkOn(store: ScheduleStore, { id, timezone }: DigestSchedule): Promise<string | null> {
  const { current, done } = readProgress((await store.digestProgress(id))?.text ?? '');
  if (current !== null && current.failures > 0)
    return `failed ${current.failures === 1 ? 'once' : `${current.failures} times`}, next attempt ${momentIn(timezone, current.retryAt)}`;
  if (current !== null) return 'being sent';
  return done === null ? null : `last one ${momentIn(timezone, done)}`;
}

const listed = async (
  store: ScheduleStore,
  schedule: DigestSchedule,
  now: number,
): Promise<ListedSchedule> => ({
  schedule,
  next: schedule.paused ? null : nextSlotOf(schedule)(now),
  remark: await remarkOn(store, schedule),
});

export async function listSchedules(store: ScheduleStore, now: number): Promise<ListedSchedule[]> {
  const all = await store.schedules();
  return Promise.all(all.filter(isDigest).map((schedule) => listed(store, schedule, now)));
}

/** `, 40 answers of each run checked by 2 people`; empty if no one is asked. */
const reviewText = (review: DigestSchedule['review']): string =>
  review === undefined
    ? ''
    : `, ${counted(review.size, 'answer')} of each run checked by ${counted(review.people.length, 'person', 'people')}`;

/** `d1: Mondays at 9:00 (Europe/Berlin), with nightly; next 23 Nov 2026, 09:00`. */
export function scheduleText({ schedule, next, remark }: ListedSchedule): string {
  const { id, cron, timezone, benchmarks, by, review } = schedule;
  const tag = by === null ? '' : ` by ${by}`;
  const about = benchmarks.length === 0 ? tag : `, with ${benchmarks.join(', ')}${tag}`;
  const whose = scopeOf(schedule) === 'here' ? '' : ', votes of all conversations';
  const when = next === null ? 'paused' : `next ${momentIn(timezone, next)}`;
  return `${id}: ${scheduleWords(cron)} (${timezone})${about}${reviewText(review)}${whose}; ${when}${remark === null ? '' : `; ${remark}`}`;
}

/** `navigation: Venue recommendations; judged by the default model; at most $1.00 a run`. */
export function benchmarkText({ id, title, models, methods, budget }: BenchmarkDefinition): string {
  const by = models.length === 0 ? 'the default model' : models.join(', ');
  const how = methods.length === 0 ? '' : ` with ${methods.join(', ')}`;
  const cost = budget === 'none' ? 'no budget' : `at most ${usd(budget)} a run`;
  return `${id}: ${title}; judged by ${by}${how}; ${cost}`;
}
