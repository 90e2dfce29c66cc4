import { JuryError } from '../../common/index.ts';
import {
  addAlert,
  addSchedule,
  alertsOf,
  alertText,
  benchmarkText,
  type Digest,
  type DigestSchedule,
  findAlert,
  findSchedule,
  isAlert,
  type ListedSchedule,
  listSchedules,
  type NoteSchedule,
  noted,
  pauseAlert,
  pauseSchedule,
  previewDigest,
  ruleText,
  type Schedule,
  scheduleText,
  scheduleWords,
  sendNow,
  stateText,
  unscheduled,
  webhookText,
} from '../../digests/index.ts';
import { type Action, type Actor, type Roles, refusal } from '../../labels/access/index.ts';
import { type Line, noteChange, type SurfaceHost } from '../index.ts';
import {
  ALERT_HELP,
  type Change,
  DIGEST_HELP,
  type DigestCommand,
  readAlert,
  reviewBy,
} from './digest-command.ts';

/** The requester, and the conversation. */
export interface DigestAsker {
  surface: string;
  team: string;
  channel: string;
  channelName: string | null;
  user: string;
  /** The same person, as permissions identify them. */
  actor: Actor;
}

/**
 * For the requester only: lines, a digest, or the form for a schedule. `announced` is for everyone in the channel and says the same
 * as the lines, which are for where it cannot be posted.
 */
export type DigestAnswer = ({ lines: readonly Line[] } | { digest: Digest } | { form: true }) & {
  announced?: Line | null;
};

/** @throws JuryError `usage` saying why this person may not */
async function requirePermission(
  roles: Roles,
  { actor, surface, channel }: Pick<DigestAsker, 'actor' | 'surface' | 'channel'>,
  action: Action,
): Promise<void> {
  const why = await refusal(roles, action, actor, { surface, channel });
  if (why !== null) throw new JuryError('usage', why);
}

/** The permission to change a digest or alert: another person's takes more than one's own. */
const changeOf = ({ user }: Pick<DigestAsker, 'user'>, { owner }: { owner: string | null }): Action =>
  owner === user ? 'schedule' : 'set';

type Context = Pick<SurfaceHost, 'store' | 'digestSources' | 'now' | 'roles'>;

/** `the digest d1 (Mondays at 9:00)`. */
export const nameOfSchedule = (schedule: Schedule): string =>
  isAlert(schedule)
    ? `the alert ${schedule.id} (${schedule.benchmark} ${ruleText(schedule.rule)})`
    : `the digest ${schedule.id} (${scheduleWords(schedule.cron)})`;

/** Records changes of digests and alerts of a channel in the audit log. */
export const noteSchedule =
  (
    desk: Pick<Context, 'store' | 'now'>,
    { actor, surface, channel }: Pick<DigestAsker, 'actor' | 'surface' | 'channel'>,
  ): NoteSchedule =>
  async (before, after) => {
    const schedule = after ?? before;
    if (schedule === null) return;
    const what = isAlert(schedule) ? 'alert' : 'digest';
    await noteChange(desk, actor, { surface, channel }, { what, about: schedule.id, before, after });
  };

/**
 * Records a change of a digest or alert in the audit log and makes it, unless the digest or alert is already in that state.
 *
 * @returns whether anything changed
 */
export async function changeSchedule(
  {
    store,
    now,
    digestSources,
  }: Pick<Context, 'store' | 'now'> & {
    digestSources: Pick<SurfaceHost['digestSources'], 'alerts'>;
  },
  asker: Pick<DigestAsker, 'actor' | 'surface' | 'channel'>,
  before: Schedule,
  change: Change,
): Promise<boolean> {
  const { id } = before;
  const after = change === 'remove' ? null : { ...before, paused: change === 'pause' };
  if (after?.paused === before.paused) return false;
  const make = async (): Promise<true> => {
    if (after === null) await store.removeSchedule(id);
    else if (isAlert(before)) await pauseAlert({ store, now, ...digestSources.alerts }, id, after.paused);
    else await pauseSchedule(store, id, after.paused, now());
    return true;
  };
  return noted(store, noteSchedule({ store, now }, asker), { before, after }, make, (stored) =>
    after === null ? stored === undefined : stored?.paused === after.paused,
  );
}

export const DONE = { pause: 'paused', resume: 'resumed', remove: 'removed' } as const;

/** The announcement of a change to an existing digest or alert. */
function announcement({ user }: DigestAsker, schedule: Schedule, did: string): Line {
  const { owner } = schedule;
  const set = isAlert(schedule) ? 'set' : 'scheduled';
  const whose = owner === null || owner === user ? ['.'] : [', which ', { person: owner }, ` had ${set}.`];
  return [{ person: user }, ` ${did} ${nameOfSchedule(schedule)}`, ...whose];
}

/** Pauses, resumes or removes a digest or an alert of the asker's own channel. @throws JuryError `usage` or `store-unavailable` */
async function changed(
  context: Context,
  asker: DigestAsker,
  before: Schedule,
  change: Change,
): Promise<DigestAnswer> {
  await requirePermission(context.roles, asker, changeOf(asker, before));
  const isChanged = await changeSchedule(context, asker, before, change);
  // A change to a digest of one's own affects no one else.
  const isTold = isChanged && (isAlert(before) || before.owner !== asker.user);
  return {
    lines: [[`${before.id} is ${DONE[change]}.`]],
    ...(isTold ? { announced: announcement(asker, before, DONE[change]) } : {}),
  };
}

/** A channel manages only its own digests and alerts. @throws JuryError `usage` */
function requireOwn<T extends Schedule>(schedule: T, { channel }: DigestAsker): T {
  if (schedule.target.channel === channel) return schedule;
  const what = isAlert(schedule) ? 'alert' : 'schedule';
  throw new JuryError('usage', `The ${what} ${schedule.id} belongs to another channel: change it there.`);
}

const asLines = (texts: readonly string[]): Line[] => texts.map((text) => [text]);

const scheduledLine = (listed: ListedSchedule): Line => {
  const { owner } = listed.schedule;
  return [scheduleText(listed), ...(owner === null ? [] : ['; scheduled by ', { person: owner }])];
};

/**
 * Schedules a digest of the asker's own channel.
 * @throws JuryError `usage` that says what to do
 */
export async function scheduleDigest(
  { store, now, digestSources, roles }: Context,
  asker: DigestAsker,
  wish: Pick<DigestSchedule, 'cron' | 'timezone' | 'benchmarks' | 'by' | 'votes' | 'review'>,
): Promise<DigestAnswer> {
  await requirePermission(roles, asker, 'schedule');
  digestSources.requirePeople(wish.review?.people ?? []);
  const { surface, channel, team, user } = asker;
  const asked = { ...wish, target: { surface, team, channel }, owner: user, since: now() };
  const listed = await addSchedule(store, asked, digestSources.known, noteSchedule({ store, now }, asker));
  return {
    lines: [
      ['Scheduled. ', ...scheduledLine(listed), '.'],
      ['If I cannot post here when it is due, I will message you.'],
    ],
  };
}

/** @throws JuryError `usage` if there is none, or several */
function onlyOne(listed: readonly ListedSchedule[]): DigestSchedule {
  const [only, ...others] = listed.map(({ schedule }) => schedule);
  if (only !== undefined && others.length === 0) return only;
  const ids = listed.map(({ schedule }) => schedule.id).join(' or ');
  throw new JuryError(
    'usage',
    ids === ''
      ? 'No digests are scheduled here: /jury digest schedule adds one.'
      : `Which one? Say /jury digest send now ${ids}.`,
  );
}

/** Does what `/jury alert …` asks for. @throws JuryError `usage` that says what to do, or `store-unavailable` */
async function answerAlert(
  context: Context,
  asker: DigestAsker,
  words: readonly string[],
): Promise<DigestAnswer> {
  const { store, now, roles, digestSources } = context;
  const alerts = { store, now, ...digestSources.alerts };
  const { surface, team, channel, user } = asker;
  const [verb = 'help', id = ''] = words.map((word) => word.toLowerCase());
  switch (verb) {
    case 'help':
      return { lines: asLines(ALERT_HELP) };
    case 'list': {
      await requirePermission(roles, asker, 'read');
      const alertsHere = (await alertsOf(store)).filter(({ target }) => target.channel === channel);
      const lines = alertsHere.map(async (alert): Promise<Line> => {
        const by = alert.owner === null ? [] : ['; set by ', { person: alert.owner }];
        return [await alertText(alerts, alert), ...by];
      });
      if (lines.length > 0) return { lines: await Promise.all(lines) };
      return { lines: asLines(['No alerts are set here.', ...ALERT_HELP]) };
    }
    case 'pause':
    case 'resume':
    case 'remove':
      return changed(context, asker, requireOwn(await findAlert(store, id), asker), verb);
    default: {
      await requirePermission(roles, asker, 'schedule');
      const wish = { ...readAlert(words), target: { surface, team, channel }, owner: user };
      const { alert, figures } = await addAlert(alerts, wish, noteSchedule({ store, now }, asker));
      const what = `${alert.benchmark} ${ruleText(alert.rule)}`;
      const state = stateText(alert, figures);
      const promise = alert.rule.measure === 'blocker' ? '' : ' I post here when that changes for sure.';
      return {
        lines: [[`${alert.id} is set: ${what}; ${state}.${promise}`]],
        announced: [
          { person: user },
          ` set an alert (${alert.id}): ${what}${webhookText(alert)}; ${state}.${promise}`,
        ],
      };
    }
  }
}

const unreadTime = (text: string | undefined): string[] =>
  text === undefined
    ? []
    : [
        `I could not read a time in “${text.slice(0, 100)}”. Say “every monday 9am”, “weekdays at 8:30” or cron fields such as “0 9 * * 1”.`,
      ];

/**
 * Does what a command asks for.
 *
 * @param ownZone the asker's time zone, for a schedule that names none
 * @throws JuryError `usage` that says what to do, or `store-unavailable`
 */
export async function answerDigestCommand(
  context: Context,
  asker: DigestAsker,
  command: DigestCommand,
  ownZone: () => Promise<string>,
): Promise<DigestAnswer> {
  const { store, now, digestSources, roles } = context;
  const schedulesHere = async () =>
    (await listSchedules(store, now())).filter(({ schedule }) => schedule.target.channel === asker.channel);
  const find = async (id: string) => requireOwn(await findSchedule(store, id), asker);
  switch (command.kind) {
    case 'alert':
      return answerAlert(context, asker, command.words);
    case 'form':
      await requirePermission(roles, asker, 'schedule');
      return { form: true };
    case 'schedule': {
      const { channel, cron, timezone, benchmarks, by, votes, reviewers = [] } = command;
      if (channel !== null && channel !== asker.channel && channel !== `#${asker.channelName ?? ''}`)
        throw new JuryError(
          'usage',
          'A channel schedules its own digests: use the same command there, without the channel’s name.',
        );
      return scheduleDigest(context, asker, {
        cron,
        timezone: timezone ?? (await ownZone()),
        benchmarks,
        by,
        ...(votes === undefined ? {} : { votes }),
        ...reviewBy(reviewers),
      });
    }
    case 'list': {
      await requirePermission(roles, asker, 'read');
      const listed = await schedulesHere();
      return listed.length === 0
        ? { lines: asLines(['No digests are scheduled here.', ...DIGEST_HELP]) }
        : { lines: listed.map(scheduledLine) };
    }
    case 'benchmarks':
      return { lines: [...digestSources.defined().values()].map((one) => [benchmarkText(one)]) };
    case 'preview': {
      await requirePermission(roles, asker, 'read');
      const about = command.id === null ? (await schedulesHere())[0]?.schedule : await find(command.id);
      const schedule = about ?? { ...unscheduled(asker.channel, now()), timezone: await ownZone() };
      return { digest: await previewDigest(store, digestSources.gather, schedule, now()) };
    }
    case 'send': {
      const schedule = command.id === null ? onlyOne(await schedulesHere()) : await find(command.id);
      await requirePermission(roles, asker, changeOf(asker, schedule));
      await sendNow(store, schedule.id, now());
      const soon = 'with benchmarks to run first, it takes a while.';
      return {
        lines: [[`${schedule.id} is on its way; ${soon}`]],
        announced:
          schedule.owner === asker.user
            ? null
            : [...announcement(asker, schedule, 'sent'), ` It is on its way; ${soon}`],
      };
    }
    case 'pause':
    case 'resume':
    case 'remove':
      return changed(context, asker, await find(command.id), command.kind);
    case 'help':
      return { lines: asLines([...unreadTime(command.unread), ...DIGEST_HELP]) };
  }
}
