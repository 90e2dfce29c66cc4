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
import { type Language, WordedError, type Words, wordsIn } from '../../words/index.ts';
import { type Announcement, type Line, noteChange, type SurfaceHost } from '../index.ts';
import { type Change, type DigestCommand, readAlert, reviewBy } from './digest-command.ts';

/** The requester, and the conversation. */
export interface DigestAsker {
  surface: string;
  team: string;
  channel: string;
  channelName: string | null;
  user: string;
  /** The same person, as permissions identify them. */
  actor: Actor;
  /** Theirs. */
  language: Language;
  /** The prefix for commands, such as `/jury`. */
  command: string;
}

/**
 * For the requester only: lines, a digest, or the form for a schedule. `announced` is for everyone in the channel and says the same
 * as the lines, which are for where it cannot be posted.
 */
export type DigestAnswer = ({ lines: readonly Line[] } | { digest: Digest } | { form: true }) & {
  announced?: Announcement | null;
};

/** @throws JuryError `usage` saying why this person may not */
async function requirePermission(
  roles: Roles,
  { actor, surface, channel }: Pick<DigestAsker, 'actor' | 'surface' | 'channel'>,
  action: Action,
): Promise<void> {
  const why = await refusal(roles, action, actor, { surface, channel });
  if (why !== null) throw new WordedError('usage', ({ errors }) => errors.refused[why]);
}

/** The permission to change a digest or alert: another person's takes more than one's own. */
const changeOf = ({ user }: Pick<DigestAsker, 'user'>, { owner }: { owner: string | null }): Action =>
  owner === user ? 'schedule' : 'set';

type Context = Pick<SurfaceHost, 'store' | 'digestSources' | 'now' | 'roles'>;

/** `the digest d1 (Mondays at 9:00)`. */
export function nameOfSchedule(schedule: Schedule, language: Language): string {
  const words = wordsIn(language);
  const { name } = words.schedules;
  return isAlert(schedule)
    ? name.alert({ id: schedule.id, rule: `${schedule.benchmark} ${ruleText(schedule.rule, language)}` })
    : name.digest({ id: schedule.id, when: scheduleWords(schedule.cron, words) });
}

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

/** What someone did to a digest or alert, as a part of a line that begins with their name. */
export const didText = (schedule: Schedule, did: keyof Words['schedules']['did'], language: Language) =>
  wordsIn(language).schedules.did[did](nameOfSchedule(schedule, language));

/** The announcement of a change to an existing digest or alert. */
const announcement =
  (
    { user }: DigestAsker,
    schedule: Schedule,
    did: keyof Words['schedules']['did'],
    more?: (words: Words) => string,
  ): Announcement =>
  (language) => {
    const words = wordsIn(language);
    const { owner } = schedule;
    const { before, after } = words.schedules.whose[isAlert(schedule) ? 'alert' : 'digest'];
    const whose = owner === null || owner === user ? ['.'] : [before, { person: owner }, after];
    const end = more === undefined ? [] : [more(words)];
    return [{ person: user }, didText(schedule, did, language), ...whose, ...end];
  };

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
    lines: [[wordsIn(asker.language).schedules.is[change](before.id)]],
    ...(isTold ? { announced: announcement(asker, before, change) } : {}),
  };
}

/** A channel manages only its own digests and alerts. @throws JuryError `usage` */
function requireOwn<T extends Schedule>(schedule: T, { channel }: DigestAsker): T {
  if (schedule.target.channel === channel) return schedule;
  const what = isAlert(schedule) ? 'alert' : 'digest';
  throw new WordedError('usage', ({ schedules }) => schedules.wrong.elsewhere[what](schedule.id));
}

const asLines = (texts: readonly string[]): Line[] => texts.map((text) => [text]);

const scheduledLine = (listed: ListedSchedule, language: Language): Line => {
  const { owner } = listed.schedule;
  const { scheduledBy } = wordsIn(language).schedules;
  return [scheduleText(listed, language), ...(owner === null ? [] : [scheduledBy, { person: owner }])];
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
  const words = wordsIn(asker.language).schedules;
  const { surface, channel, team, user } = asker;
  const asked = { ...wish, target: { surface, team, channel }, owner: user, since: now() };
  const listed = await addSchedule(store, asked, digestSources.known, noteSchedule({ store, now }, asker));
  return {
    lines: [[words.scheduled, ...scheduledLine(listed, asker.language), '.'], [words.ifNotPosted]],
  };
}

/** @throws JuryError `usage` if there is none, or several */
function onlyOne(listed: readonly ListedSchedule[], command: string): DigestSchedule {
  const [only, ...others] = listed.map(({ schedule }) => schedule);
  if (only !== undefined && others.length === 0) return only;
  const ids = listed.map(({ schedule }) => schedule.id);
  throw new WordedError('usage', ({ schedules: { wrong } }) =>
    ids.length === 0 ? wrong.nothingHere(command) : wrong.whichOne({ command, ids }),
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
  const { surface, team, channel, user, language, command } = asker;
  const { schedules } = wordsIn(language);
  const help = asLines(schedules.alertHelp(command));
  const [verb = 'help', id = ''] = words.map((word) => word.toLowerCase());
  switch (verb) {
    case 'help':
      return { lines: help };
    case 'list': {
      await requirePermission(roles, asker, 'read');
      const alertsHere = (await alertsOf(store)).filter(({ target }) => target.channel === channel);
      const lines = alertsHere.map(async (alert): Promise<Line> => {
        const by = alert.owner === null ? [] : [schedules.setBy, { person: alert.owner }];
        return [await alertText(alerts, alert, language), ...by];
      });
      if (lines.length > 0) return { lines: await Promise.all(lines) };
      return { lines: [[schedules.noneSet], ...help] };
    }
    case 'pause':
    case 'resume':
    case 'remove':
      return changed(context, asker, requireOwn(await findAlert(store, id), asker), verb);
    default: {
      await requirePermission(roles, asker, 'schedule');
      const wish = { ...readAlert(words), target: { surface, team, channel }, owner: user };
      const { alert, figures } = await addAlert(alerts, wish, noteSchedule({ store, now }, asker));
      const aboutIn = (one: Language) => ({
        id: alert.id,
        what: `${alert.benchmark} ${ruleText(alert.rule, one)}`,
        state: stateText(alert, figures, one),
      });
      const promiseIn = (words: Words) => (alert.rule.measure === 'blocker' ? '' : words.schedules.promise);
      return {
        lines: [[`${schedules.alertSet(aboutIn(language))}${promiseIn(wordsIn(language))}`]],
        announced: (shared) => {
          const words = wordsIn(shared);
          const about = aboutIn(shared);
          const what = `${about.what}${webhookText(alert, shared)}`;
          return [{ person: user }, `${words.schedules.alertSetBy({ ...about, what })}${promiseIn(words)}`];
        },
      };
    }
  }
}

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
  const { language } = asker;
  const { schedules } = wordsIn(language);
  const help = asLines(schedules.digestHelp(asker.command));
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
        throw new WordedError('usage', (words) => words.schedules.wrong.ownChannel);
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
        ? { lines: [[schedules.noneScheduled], ...help] }
        : { lines: listed.map((one) => scheduledLine(one, language)) };
    }
    case 'benchmarks':
      return { lines: [...digestSources.defined().values()].map((one) => [benchmarkText(one, language)]) };
    case 'preview': {
      await requirePermission(roles, asker, 'read');
      const about = command.id === null ? (await schedulesHere())[0]?.schedule : await find(command.id);
      const schedule = about ?? { ...unscheduled(asker.channel, now()), timezone: await ownZone() };
      return { digest: await previewDigest(store, digestSources.gather, schedule, now(), language) };
    }
    case 'send': {
      const schedule =
        command.id === null ? onlyOne(await schedulesHere(), asker.command) : await find(command.id);
      await requirePermission(roles, asker, changeOf(asker, schedule));
      await sendNow(store, schedule.id, now());
      return {
        lines: [[schedules.onItsWay(schedule.id)]],
        announced:
          schedule.owner === asker.user
            ? null
            : announcement(asker, schedule, 'send', (words) => words.schedules.onItsWayToo),
      };
    }
    case 'pause':
    case 'resume':
    case 'remove':
      return changed(context, asker, await find(command.id), command.kind);
    case 'help':
      return {
        lines: [
          ...(command.unread === undefined ? [] : [[schedules.unreadTime(command.unread.slice(0, 100))]]),
          ...help,
        ],
      };
  }
}
