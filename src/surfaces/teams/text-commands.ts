import { meantBy } from '../../common/text/index.ts';
import { isGreeting, isThanks } from '../../requests/index.ts';
import { type Language, wordsIn } from '../../words/index.ts';
import { readQueueCommand } from '../views/index.ts';
import type { Origin } from './activities.ts';
import type { AnswerCommand, TeamsContext } from './context.ts';
import { digestCommand } from './digests.ts';
import { actions } from './ids.ts';
import type { TeamsMessage } from './messages.ts';
import { lines, message, opensDialog, run } from './render/elements.ts';
import { linesMessage, welcomeMessage } from './render/notices.ts';
import { reviewCommand } from './reviews.ts';
import { studyCommand } from './studies.ts';
import { queueFor } from './votes.ts';

const opener = (text: string, label: string, action: 'ask' | 'settings'): TeamsMessage => ({
  ...message(text, { body: [lines(run(text))], actions: [opensDialog(label, { do: action })] }),
  isAboutPlace: true,
});

/** Also offered by the app package. */
export const COMMANDS = ['help', 'ask', 'queue', 'settings', 'digest', 'alert', 'study', 'review'];

/** The reply to one to three words that resemble a command; null for anything else. */
function unknownCommand(said: string, language: Language): string | null {
  const { written: words } = wordsIn(language).commands;
  const [word = '', ...rest] = said.split(' ');
  if (!/^\p{L}{3,12}$/u.test(word) || !/^[^\n:?]{0,40}$/.test(rest.join(' ')) || rest.length > 2) return null;
  if (COMMANDS.includes(word)) return words.unreadAfter({ word, more: rest.join(' ') });
  const nearest = isGreeting(said) || isThanks(said) ? null : meantBy(word, COMMANDS);
  return nearest === null ? null : words.unknown({ word, nearest, all: COMMANDS });
}

/** The handler for a command; null if the text is not one and should be judged. */
export function commandIn(context: TeamsContext, origin: Origin, text: string): AnswerCommand | null {
  const words = text.trim().toLowerCase();
  const always = (answer: TeamsMessage) => async () => answer;
  const { language } = context.texts;
  const { replies, welcome } = wordsIn(language).chat;
  if (words === 'help' || words === 'hilfe') return always(welcomeMessage(language));
  if (words === 'ask') return always(opener(replies.ask, welcome.openForm, actions.ask));
  if (words === 'settings') return always(opener(replies.settings, replies.openSettings, actions.settings));
  const queued = readQueueCommand(text);
  if (queued !== null) return () => queueFor(context, origin, queued);
  const handler =
    digestCommand(context, origin, text) ??
    studyCommand(context, origin, text) ??
    reviewCommand(context, origin, text);
  if (handler !== null) return handler;
  const unknown = unknownCommand(words, language);
  return unknown === null ? null : always(linesMessage(context.nameOf, [[unknown]]));
}
