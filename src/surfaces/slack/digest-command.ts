import { JuryError } from '../../common/errors.ts';
import type { DigestSchedule } from '../../digests/digest-schedule.ts';
import {
  addSchedule,
  benchmarkText,
  dropSchedule,
  findSchedule,
  listSchedules,
  pauseSchedule,
  scheduleText,
} from '../../digests/manage-digests.ts';
import { previewDigest, unscheduled } from '../../digests/run-digests.ts';
import { type SlackContext, showTo, tell } from './context.ts';
import { SLACK } from './ids.ts';
import { message, paragraph, words } from './render/blocks.ts';
import { digestMessage, textStyle } from './render/digest.ts';

/** What `/jury digest …` asks for; `help` where it is not understood. */
export type DigestCommand =
  | { kind: 'schedule'; cron: string; channel: string | null; timezone: string; benchmarks: string[] }
  | { kind: 'list' | 'benchmarks' }
  | { kind: 'preview'; id: string | null }
  | { kind: 'pause' | 'resume' | 'remove'; id: string }
  | { kind: 'help' };

/** Words, with what stands in quotes as one; Slack makes quotes curly. */
const wordsOf = (text: string): string[] =>
  [...text.matchAll(/["“”„]([^"“”„]*)["“”„]|(\S+)/g)].map(([, quoted, plain]) => quoted ?? plain ?? '');

const isChannel = (word: string): boolean => /^(#\S+|<#[^>]+>|[CG][A-Z0-9]{5,})$/.test(word);

/** `<#C0123|quality>` is `C0123`; `#quality` stays a name. */
const channelOf = (word: string): string => /^<#([A-Z0-9]+)/.exec(word)?.[1] ?? word;

/** @returns null where the text is about something else, such as a paste */
export function readDigestCommand(text: string): DigestCommand | null {
  const [first = '', verb = '', ...rest] = wordsOf(text.trim());
  if (first.toLowerCase() !== 'digest' || text.includes('\n')) return null;
  const [id] = rest;
  const kind = verb.toLowerCase();
  switch (kind) {
    case 'schedule': {
      const [cron, ...more] = rest;
      if (cron === undefined) return { kind: 'help' };
      const [head] = more;
      const named = head !== undefined && isChannel(head);
      const [timezone = 'UTC', ...benchmarks] = named ? more.slice(1) : more;
      return { kind: 'schedule', cron, channel: named ? channelOf(head) : null, timezone, benchmarks };
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

interface Asker {
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

const line = (text: string) => message(text, [paragraph(words(text))]);

/** Only what the channel itself is told: nobody sends digests into other channels, or stops theirs. */
async function ownSchedule({ store }: SlackContext, { channel }: Asker, id: string): Promise<DigestSchedule> {
  const found = await findSchedule(store, id);
  if (found.target.channel !== channel)
    throw new JuryError('usage', `The schedule ${id} is of another channel: change it there.`);
  return found;
}

async function schedule(
  context: SlackContext,
  asker: Asker,
  wish: Extract<DigestCommand, { kind: 'schedule' }>,
) {
  const { store, now, digestSources } = context;
  const { channel, channelName, team, user } = asker;
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
    target: { surface: SLACK, team, channel },
    owner: user,
    benchmarks: wish.benchmarks,
    since: now(),
  };
  const { id } = await addSchedule(store, asked, digestSources.known);
  const listed = (await listSchedules(store, now())).find((one) => one.schedule.id === id);
  return line(
    `Scheduled. ${listed === undefined ? '' : scheduleText(listed)}. If posting fails, you are told. I have to be a member of this channel.`,
  );
}

async function answerTo(context: SlackContext, asker: Asker, command: DigestCommand) {
  const { store, now, digestSources } = context;
  switch (command.kind) {
    case 'schedule':
      return schedule(context, asker, command);
    case 'list': {
      const own = (await listSchedules(store, now())).filter(
        (one) => one.schedule.target.channel === asker.channel,
      );
      return line(
        own.length === 0 ? `No digests are scheduled here. ${HELP}` : own.map(scheduleText).join('\n'),
      );
    }
    case 'benchmarks':
      return line([...digestSources.defined().values()].map(benchmarkText).join('\n'));
    case 'preview': {
      const own =
        command.id === null
          ? (await store.schedules()).find(({ target }) => target.channel === asker.channel)
          : await ownSchedule(context, asker, command.id);
      const about = own ?? unscheduled(asker.channel, now());
      return digestMessage(await previewDigest(store, digestSources.gather, about, now()), textStyle);
    }
    case 'pause':
    case 'resume':
      await ownSchedule(context, asker, command.id);
      await pauseSchedule(store, command.id, command.kind === 'pause', now());
      return line(command.kind === 'pause' ? `${command.id} is paused.` : `${command.id} is resumed.`);
    case 'remove':
      await ownSchedule(context, asker, command.id);
      await dropSchedule(store, command.id);
      return line(`${command.id} is removed.`);
    case 'help':
      return line(HELP);
  }
}

/** `/jury digest …`. Only who asked sees the answer. `false` where the text is about something else. */
export async function onDigestCommand(context: SlackContext, asker: Asker, text: string): Promise<boolean> {
  const command = readDigestCommand(text);
  if (command === null) return false;
  const { channel, user } = asker;
  try {
    await showTo(context, { channel, user }, await answerTo(context, asker, command));
  } catch (thrown) {
    if (!(thrown instanceof JuryError)) throw thrown;
    await tell(context, { channel, user }, thrown.message);
  }
  return true;
}
