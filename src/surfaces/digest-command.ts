import { JuryError } from '../common/errors.ts';
import type { Digest } from '../digests/digest.ts';
import type { DigestSchedule } from '../digests/digest-schedule.ts';
import {
  addSchedule,
  benchmarkText,
  dropSchedule,
  findSchedule,
  listSchedules,
  pauseSchedule,
  scheduleText,
} from '../digests/manage-digests.ts';
import { previewDigest, unscheduled } from '../digests/run-digests.ts';
import type { SurfaceHost } from './surface.ts';

/** What `/jury digest …` asks for; `help` where it is not understood. */
export type DigestCommand =
  | { kind: 'schedule'; cron: string; channel: string | null; timezone: string; benchmarks: string[] }
  | { kind: 'list' | 'benchmarks' }
  | { kind: 'preview'; id: string | null }
  | { kind: 'pause' | 'resume' | 'remove'; id: string }
  | { kind: 'help' };

/** Words, with what stands in quotes as one; chats make quotes curly. */
const wordsOf = (text: string): string[] =>
  [...text.matchAll(/["“”„]([^"“”„]*)["“”„]|(\S+)/g)].map(([, quoted, plain]) => quoted ?? plain ?? '');

/**
 * @param channelIn the id or the name of a channel that a word stands for; null for any other word
 * @returns null where the text is about something else, such as a paste
 */
export function readDigestCommand(
  text: string,
  channelIn: (word: string) => string | null,
): DigestCommand | null {
  const [first = '', verb = '', ...rest] = wordsOf(text.trim());
  if (first.toLowerCase() !== 'digest' || text.includes('\n')) return null;
  const [id] = rest;
  const kind = verb.toLowerCase();
  switch (kind) {
    case 'schedule': {
      const [cron, ...more] = rest;
      if (cron === undefined) return { kind: 'help' };
      const [head] = more;
      const channel = head === undefined ? null : channelIn(head);
      const [timezone = 'UTC', ...benchmarks] = channel === null ? more : more.slice(1);
      return { kind: 'schedule', cron, channel, timezone, benchmarks };
    }
    case 'list':
    case 'benchmarks':
      return { kind };
    case 'preview':
      return { kind: 'preview', id: id ?? null };
    case 'pause':
    case 'resume':
    case 'remove':
      return id === undefined ? { kind: 'help' } : { kind, id };
    default:
      return { kind: 'help' };
  }
}

/** Who asks, and in which conversation. */
export interface DigestAsker {
  surface: string;
  team: string;
  channel: string;
  channelName: string | null;
  user: string;
}

const HELP = `Digests of this channel:
/jury digest schedule "0 9 * * 1" Europe/Berlin [benchmark …] – every Monday at 9:00; cron fields, then a time zone
/jury digest benchmarks – what can be run before it
/jury digest list
/jury digest preview [id] – only you see it
/jury digest pause, resume or remove <id>`;

type Context = Pick<SurfaceHost, 'store' | 'digestSources' | 'now'>;

/** A channel manages its own schedules, and no others. */
async function ownSchedule(
  { store }: Context,
  { channel }: DigestAsker,
  id: string,
): Promise<DigestSchedule> {
  const found = await findSchedule(store, id);
  if (found.target.channel !== channel)
    throw new JuryError('usage', `The schedule ${id} is of another channel: change it there.`);
  return found;
}

async function schedule(
  context: Context,
  asker: DigestAsker,
  wish: Extract<DigestCommand, { kind: 'schedule' }>,
): Promise<string> {
  const { store, now, digestSources } = context;
  const { surface, channel, channelName, team, user } = asker;
  const elsewhere =
    wish.channel !== null && wish.channel !== channel && wish.channel !== `#${channelName ?? ''}`;
  if (elsewhere)
    throw new JuryError(
      'usage',
      'A channel schedules its own digests: say the same there, without its name.',
    );
  const asked = {
    cron: wish.cron,
    timezone: wish.timezone,
    target: { surface, team, channel },
    owner: user,
    benchmarks: wish.benchmarks,
    since: now(),
  };
  const listed = await addSchedule(store, asked, digestSources.known);
  return `Scheduled. ${scheduleText(listed)}. If posting fails, you are told. I have to be a member of this channel.`;
}

/**
 * Does what a command asks for; the answer is for who asked alone.
 * @throws JuryError `usage` that says what to do, or `store-unavailable`
 */
export async function answerDigestCommand(
  context: Context,
  asker: DigestAsker,
  command: DigestCommand,
): Promise<string | Digest> {
  const { store, now, digestSources } = context;
  switch (command.kind) {
    case 'schedule':
      return schedule(context, asker, command);
    case 'list': {
      const own = (await listSchedules(store, now())).filter(
        (one) => one.schedule.target.channel === asker.channel,
      );
      return own.length === 0 ? `No digests are scheduled here. ${HELP}` : own.map(scheduleText).join('\n');
    }
    case 'benchmarks':
      return [...digestSources.defined().values()].map(benchmarkText).join('\n');
    case 'preview': {
      const own =
        command.id === null
          ? (await store.schedules()).find(({ target }) => target.channel === asker.channel)
          : await ownSchedule(context, asker, command.id);
      const about = own ?? unscheduled(asker.channel, now());
      return previewDigest(store, digestSources.gather, about, now());
    }
    case 'pause':
    case 'resume':
      await ownSchedule(context, asker, command.id);
      await pauseSchedule(store, command.id, command.kind === 'pause', now());
      return command.kind === 'pause' ? `${command.id} is paused.` : `${command.id} is resumed.`;
    case 'remove':
      await ownSchedule(context, asker, command.id);
      await dropSchedule(store, command.id);
      return `${command.id} is removed.`;
    case 'help':
      return HELP;
  }
}
