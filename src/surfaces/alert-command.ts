import { JuryError } from '../common/errors.ts';
import { type Alert, readRule, ruleText } from '../digests/alert.ts';
import { alertsOf } from '../digests/digest-schedule.ts';
import {
  type AlertContext,
  addAlert,
  alertText,
  dropAlert,
  findAlert,
  pauseAlert,
  stateText,
  webhookText,
} from '../digests/manage-schedules.ts';
import type { AuditStore } from '../labels/audit.ts';
import { noteChange } from './changes.ts';
import {
  changeOf,
  type DigestAnswer,
  type DigestAsker,
  type Line,
  requirePermission,
} from './command-answer.ts';
import type { SurfaceHost } from './surface.ts';

const HELP =
  `Alerts of this channel: posted once when a benchmark's run crosses a limit for sure, and once when it is back
/jury alert nightly below 90% – the share of decided answers that pass
/jury alert nightly mean below 3.5 – the mean score
/jury alert nightly worse than baseline by 3 points
/jury alert nightly coverage below 95% – the share of answers that get a decision
/jury alert nightly latency above 2 s – the median
… and webhook <name> at the end calls a webhook, too
/jury alert list – what is set here, by whom, and where it stands
/jury alert pause, resume or remove <id>`.split('\n');

/** `nightly below 90% webhook pager`. @throws JuryError `usage` */
export function readAlert(words: readonly string[]): Pick<Alert, 'benchmark' | 'rule' | 'webhook'> {
  const [benchmark = '', ...rest] = words;
  const at = rest.findIndex((word) => word.toLowerCase() === 'webhook');
  const webhook = at < 0 ? null : (rest[at + 1] ?? '');
  return { benchmark, rule: readRule((at < 0 ? rest : rest.slice(0, at)).join(' ')), webhook };
}

/** What others in the channel are told. */
const announcement = ({ user }: DigestAsker, { owner }: Pick<Alert, 'owner'>, did: string): Line => {
  const whose = owner === null || owner === user ? ['.'] : [', which ', { person: owner }, ' had set.'];
  return [{ person: user }, ` ${did}`, ...whose];
};

/**
 * Does what `/jury alert …` asks for.
 * @throws JuryError `usage` that says what to do, or `store-unavailable`
 */
export async function answerAlertCommand(
  context: AlertContext & { store: AuditStore } & Pick<SurfaceHost, 'roles'>,
  asker: DigestAsker,
  words: readonly string[],
): Promise<DigestAnswer> {
  const { surface, team, channel, user } = asker;
  const [verb = 'help', id = ''] = words.map((word) => word.toLowerCase());
  /** A channel manages its own alerts, and no others. */
  const find = async (): Promise<Alert> => {
    const found = await findAlert(context.store, id);
    if (found.target.channel === channel) return found;
    throw new JuryError('usage', `The alert ${id} belongs to another channel: change it there.`);
  };
  switch (verb) {
    case 'help':
      return { lines: HELP.map((line) => [line]) };
    case 'list': {
      await requirePermission(context.roles, asker, 'read');
      const own = (await alertsOf(context.store)).filter(({ target }) => target.channel === channel);
      const lines = await Promise.all(
        own.map(async (alert): Promise<Line> => {
          const by: Line = alert.owner === null ? [] : ['; set by ', { person: alert.owner }];
          return [await alertText(context, alert), ...by];
        }),
      );
      return {
        lines: lines.length > 0 ? lines : [['No alerts are set here.'], ...HELP.map((line) => [line])],
      };
    }
    case 'pause':
    case 'resume':
    case 'remove': {
      const alert = await find();
      await requirePermission(context.roles, asker, changeOf(asker, alert));
      const after = verb === 'remove' ? null : { ...alert, paused: verb === 'pause' };
      const isChange = after === null || alert.paused !== after.paused;
      const change = { what: 'alert', about: alert.id, before: alert, after } as const;
      if (isChange) await noteChange(context, asker.actor, asker, change);
      if (verb === 'remove') await dropAlert(context.store, id);
      else await pauseAlert(context, id, verb === 'pause');
      const done = { pause: 'paused', resume: 'resumed', remove: 'removed' }[verb];
      const what = `${done} the alert ${id} (${alert.benchmark} ${ruleText(alert.rule)})`;
      // Two people can press the button of one post.
      return {
        lines: [[`${id} is ${done}.`]],
        ...(isChange ? { announced: announcement(asker, alert, what) } : {}),
      };
    }
    default: {
      await requirePermission(context.roles, asker, 'schedule');
      const wish = { ...readAlert(words), target: { surface, team, channel }, owner: user };
      const { alert, figures } = await addAlert(context, wish);
      const change = { what: 'alert', about: alert.id, before: null, after: alert } as const;
      await noteChange(context, asker.actor, asker, change);
      const what = `${alert.benchmark} ${ruleText(alert.rule)}`;
      return {
        lines: [
          [
            `${alert.id} is set: ${what}; ${stateText(alert, figures)}. I post here when that changes for sure.`,
          ],
        ],
        announced: [{ person: user }, ` set an alert: ${what}${webhookText(alert)} (${alert.id}).`],
      };
    }
  }
}
