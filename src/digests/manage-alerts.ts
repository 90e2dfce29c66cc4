import { JuryError } from '../common/errors.ts';
import { noSuch } from '../common/text.ts';
import { type Alert, type AlertFigures, figureText, noFigureText, ruleText, stateOf } from './alert.ts';
import { readProgress } from './delivery.ts';
import { noLabels } from './digest.ts';
import {
  addUnderFreeId,
  alertsOf,
  isAlert,
  type KnownBenchmarks,
  requireBenchmarks,
  type ScheduleStore,
  withId,
} from './digest-schedule.ts';
import type { ReadFigures } from './send-digest.ts';

/** What alerts can be set on, as it is known where one is set. */
export interface AlertContext {
  store: ScheduleStore;
  readFigures: ReadFigures;
  known: () => Promise<KnownBenchmarks>;
  /** Names of webhooks. */
  webhooks: readonly string[];
  now: () => number;
}

/** @throws JuryError `usage` if there is none with that id */
export const findAlert = async (store: ScheduleStore, id: string): Promise<Alert> =>
  withId(await alertsOf(store), id, 'alert');

/** Has an alert start from the newest run: that run sounds nothing, whatever it says. */
async function startFrom(
  figures: AlertFigures | null,
  alert: Alert,
  { store, now }: Pick<AlertContext, 'store' | 'now'>,
): Promise<void> {
  const stored = await store.digestProgress(alert.id);
  if (figures === null || stored === null) return;
  const sounding = stateOf(alert.rule, figures) === 'wrong';
  const last = { at: now(), labels: noLabels, runs: { [alert.benchmark]: figures.run }, sounding };
  const progress = { ...readProgress(stored.text), done: figures.at, last };
  // If a process is posting, it has just looked at that run.
  await store.replaceDigestProgress(alert.id, stored.version, JSON.stringify(progress));
}

/**
 * Sets an alert.
 * @returns the alert, and what the newest run says; null if there is none
 * @throws JuryError `usage` if the benchmark or the webhook is unknown, or there is one like it
 */
export async function addAlert(
  context: AlertContext,
  request: Pick<Alert, 'benchmark' | 'rule' | 'target' | 'owner' | 'webhook'>,
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
  const alert = await addUnderFreeId(context.store, 'a', (id, all): Alert => {
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

/** Pauses or resumes an alert. A run that ended while it was paused sounds nothing. */
export async function pauseAlert(context: AlertContext, id: string, paused: boolean): Promise<void> {
  const { store } = context;
  const { benchmark } = await findAlert(store, id);
  const figures = paused ? null : await context.readFigures(benchmark);
  // Read again: reading a run takes long enough for others to change or remove the alert.
  const alert = await findAlert(store, id);
  if (alert.paused === paused) return;
  await store.saveSchedule({ ...alert, paused, since: paused ? alert.since : (figures?.at ?? 0) });
  await startFrom(figures, alert, context);
}

export const dropAlert = async (store: ScheduleStore, id: string): Promise<unknown> =>
  store.removeSchedule((await findAlert(store, id)).id);

/** What a run says of an alert: `now 94 % (90–97), on the right side`. */
export function stateText({ rule }: Alert, figures: AlertFigures | null): string {
  const figure = figures?.figures[rule.measure] ?? null;
  if (figures === null) return 'no run is finished yet';
  if (figure === null) return noFigureText(rule.measure);
  const says = {
    wrong: 'on the wrong side',
    clear: 'on the right side',
    open: 'too close to the limit to tell',
  }[stateOf(rule, figures)];
  return `now ${figureText(rule.measure, figure)}, ${says}`;
}

/** `, also to pager`, where an alert calls a webhook. */
export const webhookText = ({ webhook }: Alert): string => (webhook === null ? '' : `, also to ${webhook}`);

/** `a1: nightly below 90 %; now 94 % (90–97), on the right side`. */
export async function alertText(
  { readFigures }: Pick<AlertContext, 'readFigures'>,
  alert: Alert,
): Promise<string> {
  const { id, benchmark, rule, paused } = alert;
  const state = paused ? 'paused' : stateText(alert, await readFigures(benchmark));
  return `${id}: ${benchmark} ${ruleText(rule)}${webhookText(alert)}; ${state}`;
}
