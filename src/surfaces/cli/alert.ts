import { JuryError } from '../../common/errors.ts';
import { jsonLine, plainText } from '../../common/text.ts';
import type { Alert } from '../../digests/alert.ts';
import { alertsOf } from '../../digests/digest-schedule.ts';
import {
  type AlertContext,
  addAlert,
  alertText,
  dropAlert,
  pauseAlert,
} from '../../digests/manage-alerts.ts';
import { readConversation, requireUser } from '../addresses.ts';
import { readAlert } from '../alert-command.ts';
import { openDigests } from '../open-digests.ts';
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
  (done: string, change: (context: AlertContext, id: string) => Promise<unknown>) =>
  (context: CommandContext, id: string): Promise<void> =>
    withAlerts(context, async (alerts) => {
      await change(alerts, id);
      context.out(`${id} ${done}`);
    });

export const pause = changing('paused', (alerts, id) => pauseAlert(alerts, id, true));
export const resume = changing('resumed', (alerts, id) => pauseAlert(alerts, id, false));
export const remove = changing('removed', ({ store }, id) => dropAlert(store, id));
