import { isDeepStrictEqual } from 'node:util';
import type { BenchmarkDefinition } from '../benchmark/index.ts';
import { nearestTo, usd } from '../common/text/index.ts';
import { type Language, WordedError, wordsIn } from '../words/index.ts';
import { type Alert, type AlertFigures, figureText, limitText, ruleText, wrongSideText } from './alert.ts';
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
  noSuchSchedule,
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
    throw noSuchSchedule('webhook', webhook, context.webhooks);
  const figures = await context.readFigures(benchmark);
  const about = (one: typeof request) =>
    JSON.stringify([one.benchmark, one.rule, one.target.surface, one.target.channel]);
  const alert = await addUnderFreeId(context.store, 'a', note, (id, all): Alert => {
    const twin = all.filter(isAlert).find((one) => about(one) === about(request));
    if (twin === undefined) return { ...request, id, since: figures?.at ?? 0, paused: false };
    throw new WordedError('usage', ({ schedules }) =>
      schedules.wrong.alertTwin({
        id: twin.id,
        isPaused: twin.paused,
        isOtherWebhook: twin.webhook !== webhook,
      }),
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
function withoutFigure({ measure }: Alert['rule'], { blockers }: AlertFigures, language: Language): string {
  const { alerts } = wordsIn(language);
  return measure === 'blocker' && blockers === null ? alerts.noBlocker : alerts.noFigure[measure];
}

/**
 * What a new alert begins with: `watching: 94 % (90–97), limit 90 %`, or `already below: 81 % (76–86), limit 90 %; only the way back is
 * posted`.
 */
export function stateText({ rule }: Alert, figures: AlertFigures | null, language: Language = 'en'): string {
  const { alerts } = wordsIn(language);
  const figure = figures?.figures[rule.measure] ?? null;
  if (figures === null) return alerts.noRun;
  if (figure === null) return withoutFigure(rule, figures, language);
  const now = `${figureText(rule.measure, figure, language)}, ${limitText(rule, language)}`;
  return beginsWrong(rule, figures)
    ? alerts.state.already({ side: wrongSideText(rule, language), now })
    : alerts.state.watching(now);
}

/** `, also to pager` if the alert calls a webhook, otherwise empty. */
export const webhookText = ({ webhook }: Alert, language: Language = 'en'): string =>
  webhook === null ? '' : wordsIn(language).alerts.alsoTo(webhook);

/** Where an alert stands, with the newest run: `. Watching: 88 % (81–93), limit 90 %`. */
async function watchText(
  store: ScheduleStore,
  { id, rule }: Alert,
  figures: AlertFigures,
  language: Language,
): Promise<string> {
  const { state } = wordsIn(language).alerts;
  const figure = figures.figures[rule.measure];
  if (figure === null) return `; ${withoutFigure(rule, figures, language)}`;
  const stored = await store.digestProgress(id);
  const isWrong = readProgress(stored?.text ?? '').last?.sounding ?? false;
  const again = figures.sample.fresh === 0 ? state.sameAnswers : '';
  const now = `${figureText(rule.measure, figure, language)}, ${limitText(rule, language)}${again}`;
  return isWrong ? state.notBackYet(now) : state.watchingNow(now);
}

/** `a1: nightly below 90 %, also to pager`. */
const nameText = (alert: Alert, language: Language): string =>
  `${alert.id}: ${alert.benchmark} ${ruleText(alert.rule, language)}${webhookText(alert, language)}`;

/** An alert that has just been set: `a1: nightly below 90 %; watching: 94 % (90–97), limit 90 %`. */
export const newAlertText = (alert: Alert, figures: AlertFigures | null): string =>
  `${nameText(alert, 'en')}; ${stateText(alert, figures)}`;

/** `a1: nightly below 90 %. Watching: 88 % (81–93), limit 90 %`. */
export async function alertText(
  { store, readFigures }: Pick<AlertContext, 'store' | 'readFigures'>,
  alert: Alert,
  language: Language = 'en',
): Promise<string> {
  const { alerts } = wordsIn(language);
  const what = nameText(alert, language);
  if (alert.paused) return `${what}; ${alerts.paused}`;
  const figures = await readFigures(alert.benchmark);
  if (figures === null) return `${what}; ${alerts.noRun}`;
  return `${what}${await watchText(store, alert, figures, language)}`;
}

const HOUR = 3_600_000;
/** Slots checked for spacing: enough to cover weekly schedules that list single days and hours. */
const CHECKED_SLOTS = 50;

/** @throws JuryError `usage` if its time or time zone is invalid, or it would post more often than hourly */
function newSchedule(request: Omit<DigestSchedule, 'paused'>): DigestSchedule {
  if (!isTimeZone(request.timezone)) {
    const meant = zoneOfCity(request.timezone) ?? nearestTo(request.timezone, timeZones());
    throw new WordedError('usage', ({ schedules }) =>
      schedules.wrong.noTimezone({ name: request.timezone.slice(0, 60), meant }),
    );
  }
  const next = nextSlotOf(request);
  let slot = next(request.since);
  if (slot === null) throw new WordedError('usage', ({ schedules }) => schedules.wrong.never(request.cron));
  for (let n = 0; n < CHECKED_SLOTS; n += 1) {
    const after = next(slot);
    if (after === null) break;
    if (after - slot < HOUR)
      throw new WordedError('usage', ({ schedules }) => schedules.wrong.tooOften(request.cron));
    slot = after;
  }
  return { ...request, paused: false };
}

export interface ListedSchedule {
  schedule: DigestSchedule;
  /** ms since the epoch; null while paused. */
  next: number | null;
  /** The state of its last or current delivery, if any; moments are ms since the epoch. */
  state:
    | { kind: 'failed'; count: number; retryAt: number }
    | { kind: 'sending' }
    | { kind: 'last'; at: number }
    | null;
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
    const wordedFor = (when: string) => ({
      id: twin.id,
      when,
      timezone: twin.timezone,
      isPaused: twin.paused,
      isOtherReview: !isDeepStrictEqual(twin.review, made.review),
    });
    throw new WordedError('usage', (words) =>
      words.schedules.wrong.twin(wordedFor(scheduleWords(twin.cron, words))),
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
  if (isSending) throw new WordedError('usage', ({ schedules }) => schedules.wrong.sending(id));
}

async function stateOf(store: ScheduleStore, { id }: DigestSchedule): Promise<ListedSchedule['state']> {
  const { current, done } = readProgress((await store.digestProgress(id))?.text ?? '');
  if (current !== null && current.failures > 0)
    return { kind: 'failed', count: current.failures, retryAt: current.retryAt };
  if (current !== null) return { kind: 'sending' };
  return done === null ? null : { kind: 'last', at: done };
}

/** The state in words; null if nothing was sent yet. */
function stateIn({ schedule: { timezone }, state }: ListedSchedule, language: Language): string | null {
  const { text } = wordsIn(language).schedules;
  const moment = (at: number) => momentIn({ timezone, language }, at);
  switch (state?.kind) {
    case undefined:
      return null;
    case 'failed':
      return text.failed({ count: state.count, retry: moment(state.retryAt) });
    case 'sending':
      return text.sending;
    case 'last':
      return text.last(moment(state.at));
  }
}

const listed = async (
  store: ScheduleStore,
  schedule: DigestSchedule,
  now: number,
): Promise<ListedSchedule> => ({
  schedule,
  next: schedule.paused ? null : nextSlotOf(schedule)(now),
  state: await stateOf(store, schedule),
});

export async function listSchedules(store: ScheduleStore, now: number): Promise<ListedSchedule[]> {
  const all = await store.schedules();
  return Promise.all(all.filter(isDigest).map((schedule) => listed(store, schedule, now)));
}

/** `d1: Mondays at 9:00 (Europe/Berlin), with nightly; next 23 Nov 2026, 09:00`. */
export function scheduleText(listed: ListedSchedule, language: Language = 'en'): string {
  const words = wordsIn(language);
  const { text } = words.schedules;
  const { schedule, next } = listed;
  const { id, cron, timezone, benchmarks, by, review } = schedule;
  const tag = by === null ? '' : text.by(by);
  const about = benchmarks.length === 0 ? tag : `${text.with(benchmarks)}${tag}`;
  const checked =
    review === undefined ? '' : text.checkedBy({ size: review.size, people: review.people.length });
  const whose = scopeOf(schedule) === 'here' ? '' : text.everywhere;
  const when = next === null ? text.paused : text.next(momentIn({ timezone, language }, next));
  const state = stateIn(listed, language);
  return `${id}: ${scheduleWords(cron, words)} (${timezone})${about}${checked}${whose}; ${when}${state === null ? '' : `; ${state}`}`;
}

/** `navigation: Venue recommendations; judged by the default model; at most $1.00 a run`. */
export const benchmarkText = (
  { id, title, models, methods, budget }: BenchmarkDefinition,
  language: Language = 'en',
): string =>
  wordsIn(language).schedules.benchmark({
    id,
    title,
    models,
    methods,
    budget: budget === 'none' ? null : usd(budget),
  });
