import { JuryError } from '../../common/errors.ts';
import { jsonLine, plainText } from '../../common/text.ts';
import { type Alert, ruleText } from '../../digests/alert.ts';
import { alertsOf } from '../../digests/digest-schedule.ts';
import {
  type AlertContext,
  addAlert,
  alertText,
  dropAlert,
  findAlert,
  pauseAlert,
} from '../../digests/manage-alerts.ts';
import { readConversation, requireUser } from '../addresses.ts';
import { readAlert } from '../alert-command.ts';
import { noteChange } from '../changes.ts';
import { openDigests } from '../open-digests.ts';
import { commandChanges } from './changes.ts';
import type { CommandContext } from './command-context.ts';

async function withAlerts(
  { err, parts: open }: CommandContext,
  act: (context: AlertContext, surfaces: Awaited<ReturnType<typeof open>>['surfaces']) => Promise<void>,
): Promise<void> {
  const parts = await open();
  const digests = await openDigests(parts, err);
  try {
    await act({ store: digests.store, now: parts.now, ...digests.alerts }, parts.surfaces);
  } finally {
    await digests.close();
  }
}

const listedText = async (context: AlertContext, alert: Alert): Promise<string> =>
  plainText(
    `${await alertText(context, alert)}; in ${alert.target.channel}${alert.owner === null ? '' : `; set by ${alert.owner}`}`,
  );

/** `jury alert set`: a channel, a benchmark, and the rule in words. */
export const set = (
  context: CommandContext,
  [channel = '', ...words]: string[],
  { owner = null }: { owner?: string | null },
): Promise<void> =>
  withAlerts(context, async (alerts, surfaces) => {
    if (words.length === 0)
      throw new JuryError(
        'usage',
        'Give a channel, a benchmark and a rule, such as "C0123ABCD nightly below 90%".',
      );
    const { surface, channel: id } = readConversation(channel, surfaces, false);
    const { alert } = await addAlert(alerts, {
      ...readAlert(words),
      target: { surface: surface.name, team: '', channel: id },
      owner: owner === null ? null : requireUser(owner, surface),
    });
    const changes = await commandChanges(await context.parts(), context.err);
    const change = { what: 'alert', about: alert.id, before: null, after: alert } as const;
    await noteChange(changes, changes.actor, alert.target, change);
    await changes.say(alert.target, `set an alert: ${alert.benchmark} ${ruleText(alert.rule)} (${alert.id})`);
    context.out(await listedText(alerts, alert));
  });

/** `jury alert list`. */
export const list = (context: CommandContext, { json }: { json: boolean }): Promise<void> =>
  withAlerts(context, async (alerts) => {
    const all = await alertsOf(alerts.store);
    for (const alert of all) context.out(json ? jsonLine(alert) : await listedText(alerts, alert));
    if (all.length === 0) context.err('No alerts are set. "jury alert set --help" shows how.');
  });

const changing =
  (done: string, changed: (alert: Alert) => Alert | null) =>
  (context: CommandContext, id: string): Promise<void> =>
    withAlerts(context, async (alerts) => {
      const before = await findAlert(alerts.store, id);
      const after = changed(before);
      const changes = await commandChanges(await context.parts(), context.err);
      const isChange = after?.paused !== before.paused;
      const change = { what: 'alert', about: id, before, after } as const;
      if (isChange) await noteChange(changes, changes.actor, before.target, change);
      await (after === null ? dropAlert(alerts.store, id) : pauseAlert(alerts, id, after.paused));
      const about = `${before.benchmark} ${ruleText(before.rule)}`;
      if (isChange) await changes.say(before.target, `${done} the alert ${id} (${about})`);
      context.out(`${id} ${done}`);
    });

export const pause = changing('paused', (alert) => ({ ...alert, paused: true }));
export const resume = changing('resumed', (alert) => ({ ...alert, paused: false }));
export const remove = changing('removed', () => null);
