import { didYouMean } from '../../common/text.ts';
import { readVoteQueue } from '../../labels/read-queue.ts';
import { isGreeting, isThanks } from '../../requests/small-talk.ts';
import { agreementOf, listedFor, queueItemOf, queuePage, readQueueCommand } from '../lists.ts';
import type { Origin } from './activities.ts';
import { type TeamsContext, viewerOf } from './context.ts';
import { digestCommand } from './digests.ts';
import { actions } from './ids.ts';
import type { TeamsMessage } from './messages.ts';
import { type Element, lines, message, opensDialog, run } from './render/elements.ts';
import { queueMessage } from './render/lists.ts';
import { linesMessage, welcomeMessage } from './render/notices.ts';
import { studyCommand } from './studies.ts';

/** What needs the vote of who asks, from the conversations that they are in. @param said what came of a vote that was given there */
export async function queueFor(
  context: TeamsContext,
  origin: Origin,
  asked: number,
  said: readonly Element[] = [],
): Promise<TeamsMessage> {
  const { store, library, now } = context;
  const read = await readVoteQueue(store, viewerOf(context, origin), now());
  const items = read.queue.slice(0, asked).map((queued) => queueItemOf(library.rubrics, queued));
  const { lookedAt, queue: all, own } = read;
  const queue = { items, waiting: all.length, asked, lookedAt, page: queuePage(context) };
  if (origin.kind !== 'direct') return queueMessage(queue, null, said);
  const others = read.recent.filter(({ record }) => !all.some((queued) => queued.record.id === record.id));
  const recent = others.map((one) => listedFor(read, one));
  return queueMessage(queue, { recent, own, agreement: await agreementOf(context, read) }, said);
}

const opener = (text: string, label: string, action: 'ask' | 'settings'): TeamsMessage =>
  message(text, { body: [lines(run(text))], actions: [opensDialog(label, { do: action })] });

/** What the app package offers, too. */
export const COMMANDS = ['help', 'ask', 'queue', 'settings', 'digest', 'alert', 'study'];

/** What to write instead of one to three words that are nearly a command; null for all else. */
function unknownCommand(said: string): string | null {
  const [word = '', ...rest] = said.split(' ');
  if (!/^\p{L}{3,12}$/u.test(word) || !/^[^\n:?]{0,40}$/.test(rest.join(' ')) || rest.length > 2) return null;
  const hint = isGreeting(said) || isThanks(said) ? '' : didYouMean(word, COMMANDS);
  return hint === '' ? null : `There is no command "${word}".${hint} Commands: ${COMMANDS.join(', ')}.`;
}

/** What answers a command; null where the text is none, and is to be judged. */
export function commandIn(
  context: TeamsContext,
  origin: Origin,
  text: string,
): (() => Promise<TeamsMessage>) | null {
  const said = text.trim().toLowerCase();
  const always = (answer: TeamsMessage) => async () => answer;
  if (said === 'help' || said === 'hilfe') return always(welcomeMessage());
  if (said === 'ask')
    return always(opener('Fill in a request and its answer.', 'Open the form', actions.ask));
  if (said === 'settings')
    return always(
      opener('How cases of this conversation are judged.', 'Open the settings', actions.settings),
    );
  const queued = readQueueCommand(text);
  if (queued !== null) return () => queueFor(context, origin, queued);
  const other = digestCommand(context, origin, text) ?? studyCommand(context, origin, text);
  if (other !== null) return other;
  const unknown = unknownCommand(said);
  return unknown === null ? null : always(linesMessage(context.nameOf, [[unknown]]));
}
