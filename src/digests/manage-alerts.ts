import { JuryError } from '../common/errors.ts';
import { type Alert, type AlertFigures, figureText, noFigureText, ruleText, stateOf } from './alert.ts';
import { readProgress } from './delivery.ts';
import { noLabels } from './digest.ts';
import { isAlert, type ScheduleStore } from './digest-schedule.ts';
import type { ReadFigures } from './send-digest.ts';

/** What alerts can be set on, as it is known where one is set. */
export interface AlertContext {
  store: ScheduleStore;
  readFigures: ReadFigures;
  /** Names of benchmarks and of runs. */
  benchmarks: () => Promise<readonly string[]>;
  /** Names of webhooks. */
  webhooks: readonly string[];
  now: () => number;
}

export const alertsOf = async (store: ScheduleStore): Promise<Alert[]> =>
  (await store.schedules()).filter(isAlert);

/** @throws JuryError `usage` if there is none with that id */
export async function findAlert(store: ScheduleStore, id: string): Promise<Alert> {
  const all = await alertsOf(store);
  const found = all.find((alert) => alert.id === id);
  if (found !== undefined) return found;
  const known = all.map((alert) => alert.id).join(', ');
  throw new JuryError(
    'usage',
    `There is no alert "${id.slice(0, 60)}". ${known === '' ? 'There are no alerts yet.' : `Alerts: ${known}.`}`,
  );
}

/**
 * Has an alert start from the newest run: that run sounds nothing, whatever it says.
 * @returns what that run says
 */
async function startFromNow(
  { store, readFigures, now }: AlertContext,
  alert: Alert,
): Promise<AlertFigures | null> {
  const figures = await readFigures(alert.benchmark);
  await store.saveSchedule({ ...alert, paused: false, since: figures?.at ?? 0 });
  const stored = await store.digestProgress(alert.id);
  if (figures === null || stored === null) return figures;
  const sounding = stateOf(alert.rule, figures) === 'wrong';
  const last = { at: now(), labels: noLabels, runs: { [alert.benchmark]: figures.run }, sounding };
  const progress = { ...readProgress(stored.text), done: figures.at, last };
  // If a process is posting, it has just looked at that run.
  await store.replaceDigestProgress(alert.id, stored.version, JSON.stringify(progress));
  return figures;
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
  const { benchmark, rule, target, webhook } = request;
  const known = await context.benchmarks();
  if (!known.some((name) => name === benchmark || name.startsWith(`${benchmark}-`)))
    throw new JuryError(
      'usage',
      `There is no benchmark or run named "${benchmark.slice(0, 60)}".${known.length === 0 ? '' : ` There are: ${known.slice(0, 10).join(', ')}.`}`,
    );
  if (webhook !== null && !context.webhooks.includes(webhook))
    throw new JuryError(
      'usage',
      context.webhooks.length === 0
        ? 'No webhook is set up. Whoever runs Jury sets JURY_WEBHOOKS, such as pager=https://….'
        : `There is no webhook "${webhook.slice(0, 60)}". There are: ${context.webhooks.join(', ')}.`,
    );
  const all = await alertsOf(context.store);
  const isTwin = (one: Alert) =>
    one.benchmark === benchmark &&
    one.rule.measure === rule.measure &&
    one.rule.limit === rule.limit &&
    one.webhook === webhook &&
    one.target.surface === target.surface &&
    one.target.channel === target.channel;
  const twin = all.find(isTwin);
  if (twin !== undefined)
    throw new JuryError(
      'usage',
      `${twin.id} does that already${twin.paused ? '. It is paused: resume it' : ''}. Nothing was added.`,
    );
  const ids = new Set(all.map(({ id }) => id));
  let n = 1;
  while (ids.has(`a${n}`)) n += 1;
  const alert: Alert = { ...request, id: `a${n}`, since: 0, paused: false };
  return { alert, figures: await startFromNow(context, alert) };
}

/** Pauses or resumes an alert. A run that ended while it was paused sounds nothing. */
export async function pauseAlert(context: AlertContext, id: string, paused: boolean): Promise<void> {
  const alert = await findAlert(context.store, id);
  if (paused) await context.store.saveSchedule({ ...alert, paused });
  else if (alert.paused) await startFromNow(context, alert);
}

export async function dropAlert(store: ScheduleStore, id: string): Promise<void> {
  await findAlert(store, id);
  await store.removeSchedule(id);
}

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

/** `a1: nightly below 90 %; now 94 % (90–97), on the right side`. */
export async function alertText(
  { readFigures }: Pick<AlertContext, 'readFigures'>,
  alert: Alert,
): Promise<string> {
  const { id, benchmark, rule, webhook, paused } = alert;
  const too = webhook === null ? '' : `, also to ${webhook}`;
  const state = paused ? 'paused' : stateText(alert, await readFigures(benchmark));
  return `${id}: ${benchmark} ${ruleText(rule)}${too}; ${state}`;
}
