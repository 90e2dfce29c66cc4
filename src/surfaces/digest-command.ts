import { JuryError } from '../common/errors.ts';
import type { DigestSchedule } from '../digests/digest-schedule.ts';
import {
  addSchedule,
  benchmarkText,
  dropSchedule,
  findSchedule,
  type ListedSchedule,
  listSchedules,
  pauseSchedule,
  scheduleText,
  sendNow,
} from '../digests/manage-schedules.ts';
import { previewDigest, unscheduled } from '../digests/run-digests.ts';
import { readWhen, whenText, zoneIn } from '../digests/when.ts';
import { answerAlertCommand } from './alert-command.ts';
import { noteChange } from './changes.ts';
import {
  changeOf,
  type DigestAnswer,
  type DigestAsker,
  type Line,
  requirePermission,
} from './command-answer.ts';
import type { SurfaceHost } from './surface.ts';

const CHANGES = ['pause', 'resume', 'remove'] as const;
type Change = (typeof CHANGES)[number];

/** What `/jury digest …` or `/jury alert …` asks for; `help` if it is not understood. */
export type DigestCommand =
  | { kind: 'alert'; words: string[] }
  | { kind: 'schedule'; cron: string; channel: string | null; timezone: string | null; benchmarks: string[] }
  | { kind: 'form' | 'list' | 'benchmarks' }
  | { kind: 'preview' | 'send'; id: string | null }
  | { kind: Change; id: string }
  | { kind: 'help'; unread?: string };

/** Words without quotes of any form: only cron fields need them, and they are read without. */
const wordsOf = (text: string): string[] => text.split(/[\s"“”„]+/).filter((word) => word !== '');

/** A time and, in this order, what may follow it: a channel, a time zone, benchmarks. */
function readSchedule(words: readonly string[], channelIn: (word: string) => string | null): DigestCommand {
  const read = readWhen(words);
  if (read === null) return { kind: 'help', unread: words.join(' ') };
  const rest = [...read.rest];
  const taken = (find: (word: string) => string | null) => {
    const found = find(rest[0] ?? '');
    if (found !== null) rest.shift();
    return found;
  };
  const channel = taken(channelIn);
  return { kind: 'schedule', cron: read.cron, channel, timezone: taken(zoneIn), benchmarks: rest };
}

/**
 * @param channelIn the id or the name of a channel that a word stands for; null for any other word
 * @returns null if the text is about something else, such as a paste
 */
export function readDigestCommand(
  text: string,
  channelIn: (word: string) => string | null,
): DigestCommand | null {
  const [first = '', ...words] = wordsOf(text.trim());
  if (text.includes('\n')) return null;
  if (first.toLowerCase() === 'alert') return { kind: 'alert', words };
  if (first.toLowerCase() !== 'digest') return null;
  const [verb = '', ...rest] = words;
  const [id] = rest.filter((word) => word.toLowerCase() !== 'now');
  const kind = verb.toLowerCase();
  switch (kind) {
    case '':
    case 'help':
      return { kind: 'help' };
    case 'schedule':
      return rest.length === 0 ? { kind: 'form' } : readSchedule(rest, channelIn);
    case 'list':
    case 'benchmarks':
      return { kind };
    case 'preview':
    case 'send':
      return { kind, id: id ?? null };
    case 'pause':
    case 'resume':
    case 'remove':
      return id === undefined ? { kind: 'help' } : { kind, id };
    default:
      return readSchedule(words, channelIn);
  }
}

const HELP = `Digests of this channel
/jury digest schedule – a form; or say it: /jury digest every monday 9am Europe/Berlin [benchmark …]
/jury digest list – what is scheduled here, by whom, and when it comes next
/jury digest preview [id] – shows what it would say now
/jury digest send now [id] – posts it here, besides its schedule
/jury digest pause, resume or remove <id>
/jury digest benchmarks – what can be run before it`.split('\n');

type Context = Pick<SurfaceHost, 'store' | 'digestSources' | 'now' | 'roles'>;

const ownLine = (listed: ListedSchedule): Line => {
  const { owner } = listed.schedule;
  return [scheduleText(listed), ...(owner === null ? [] : ['; scheduled by ', { person: owner }])];
};

/** What a channel is told of a change by someone other than the owner. */
function announcement({ user }: DigestAsker, { id, owner, cron }: DigestSchedule, did: string): Line | null {
  if (owner === user) return null;
  const whose = owner === null ? ['.'] : [', which ', { person: owner }, ' had scheduled.'];
  return [{ person: user }, ` ${did} ${id} (${whenText(cron)})`, ...whose];
}

/**
 * Schedules a digest of the asker's own channel.
 * @throws JuryError `usage` that says what to do
 */
export async function scheduleDigest(
  { store, now, digestSources, roles }: Context,
  asker: DigestAsker,
  wish: Pick<DigestSchedule, 'cron' | 'timezone' | 'benchmarks'>,
): Promise<DigestAnswer> {
  await requirePermission(roles, asker, 'schedule');
  const { surface, channel, team, user } = asker;
  const asked = { ...wish, target: { surface, team, channel }, owner: user, since: now() };
  const listed = await addSchedule(store, asked, digestSources.known);
  const { schedule: after } = listed;
  await noteChange({ store, now }, asker.actor, asker, {
    what: 'digest',
    about: after.id,
    before: null,
    after,
  });
  return {
    lines: [
      ['Scheduled. ', ...ownLine(listed), '.'],
      ['Invite me to this channel if I am not in it yet. If posting fails, I will message you.'],
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

/** Pauses, resumes or removes a digest of the asker's own channel. @throws JuryError `usage` or `store-unavailable` */
async function changeSchedule(
  context: Context,
  asker: DigestAsker,
  before: DigestSchedule,
  change: Change,
): Promise<DigestAnswer> {
  const { store, now, roles } = context;
  const { id } = before;
  await requirePermission(roles, asker, changeOf(asker, before));
  const after = change === 'remove' ? null : { ...before, paused: change === 'pause' };
  if (after?.paused !== before.paused)
    await noteChange(context, asker.actor, asker, { what: 'digest', about: id, before, after });
  await (after === null ? dropSchedule(store, id) : pauseSchedule(store, id, after.paused, now()));
  const done = { pause: 'paused', resume: 'resumed', remove: 'removed' }[change];
  return {
    lines: [[`${id} is ${done}.`]],
    announced: announcement(asker, before, `${done} the digest`),
  };
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
  const own = async () =>
    (await listSchedules(store, now())).filter(({ schedule }) => schedule.target.channel === asker.channel);
  /** A channel manages its own schedules, and no others. */
  const find = async (id: string): Promise<DigestSchedule> => {
    const found = await findSchedule(store, id);
    if (found.target.channel === asker.channel) return found;
    throw new JuryError('usage', `The schedule ${id} belongs to another channel: change it there.`);
  };
  switch (command.kind) {
    case 'alert':
      return answerAlertCommand({ store, now, roles, ...digestSources.alerts }, asker, command.words);
    case 'form':
      await requirePermission(roles, asker, 'schedule');
      return { form: true };
    case 'schedule': {
      const { channel, cron, timezone, benchmarks } = command;
      if (channel !== null && channel !== asker.channel && channel !== `#${asker.channelName ?? ''}`)
        throw new JuryError(
          'usage',
          'A channel schedules its own digests: use the same command there, without the channel’s name.',
        );
      return scheduleDigest(context, asker, { cron, timezone: timezone ?? (await ownZone()), benchmarks });
    }
    case 'list': {
      await requirePermission(roles, asker, 'read');
      const listed = await own();
      return listed.length === 0
        ? { lines: [['No digests are scheduled here.'], ...HELP.map((line) => [line])] }
        : { lines: listed.map(ownLine) };
    }
    case 'benchmarks':
      return { lines: [...digestSources.defined().values()].map((one) => [benchmarkText(one)]) };
    case 'preview': {
      await requirePermission(roles, asker, 'read');
      const about = command.id === null ? (await own())[0]?.schedule : await find(command.id);
      const schedule = about ?? unscheduled(asker.channel, now());
      return { digest: await previewDigest(store, digestSources.gather, schedule, now()) };
    }
    case 'send': {
      const schedule = command.id === null ? onlyOne(await own()) : await find(command.id);
      await requirePermission(roles, asker, changeOf(asker, schedule));
      await sendNow(store, schedule.id, now());
      return {
        lines: [[`${schedule.id} is on its way; with benchmarks to run first, it takes a while.`]],
        announced: announcement(asker, schedule, 'asked for a digest now:'),
      };
    }
    case 'pause':
    case 'resume':
    case 'remove':
      return changeSchedule(context, asker, await find(command.id), command.kind);
    case 'help':
      return {
        lines: [
          ...(command.unread === undefined
            ? []
            : [
                [
                  `I could not read a time in “${command.unread.slice(0, 100)}”. Say “every monday 9am”, “weekdays at 8:30” or cron fields such as “0 9 * * 1”.`,
                ],
              ]),
          ...HELP.map((line) => [line]),
        ],
      };
  }
}
