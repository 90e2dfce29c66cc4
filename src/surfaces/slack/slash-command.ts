import type { App } from '@slack/bolt';
import { nearestTo } from '../../common/text/index.ts';
import { type Language, wordsIn } from '../../words/index.ts';
import { emptyDraft, understand } from '../forms/index.ts';
import { shortLine } from '../wording/index.ts';
import { inLanguageOf, orTell, type SlackContext, tell } from './context.ts';
import { openForm, openSettings } from './dialogs.ts';
import { onDigestCommand } from './digests.ts';
import { command } from './ids.ts';
import { Command } from './payloads.ts';
import { welcomeMessage } from './render/notices.ts';
import { onReviewCommand } from './reviews.ts';
import { onStudyCommand } from './studies.ts';
import { onQueueCommand } from './votes.ts';

const COMMANDS = ['help', 'queue', 'review', 'study', 'digest', 'alert', 'settings'];
/** A few words on one line, without a paste's punctuation: colons, quotes, brackets. */
const IS_COMMAND = /^[^\s:"'“”„«»[{]+(?: [^\s:"'“”„«»[{]+){0,2}$/;

/** The reply to a few words that are not a command; null for a paste or an empty text. */
export function unknownCommand(text: string, language: Language): string | null {
  const said = text.trim();
  if (!IS_COMMAND.test(said)) return null;
  const { slash: words } = wordsIn(language).commands;
  const [word = '', ...more] = said.toLowerCase().split(' ');
  if (COMMANDS.includes(word))
    return words.unreadAfter({ command, word, more: shortLine(more.join(' '), 40) });
  return words.unknown({
    command,
    word: shortLine(word, 40),
    nearest: nearestTo(word, COMMANDS),
    all: COMMANDS,
  });
}

async function onCommand(any: SlackContext, asker: Command): Promise<void> {
  const { team, channel, text } = asker;
  const context = await inLanguageOf(any, asker);
  if (await onDigestCommand(context, asker)) return;
  if (await onQueueCommand(context, asker)) return;
  if (await onReviewCommand(context, asker)) return;
  if (await onStudyCommand(context, asker)) return;
  if (/^settings$/i.test(text.trim())) return openSettings(context, asker, channel);
  const unknown = unknownCommand(text, context.texts.language);
  if (unknown !== null) return tell(context, asker, unknown);
  const { cases: _cases, ...read } = await understand(text, context.readPaste, asker.user);
  await openForm(context, asker, { ...emptyDraft, ...read, team, channel });
}

/** Registers the handler of the slash command. */
export function registerSlashCommand(app: App, context: SlackContext): void {
  app.command(command, async ({ ack, body }) => {
    const asker = Command.parse(body);
    if (/^help$/i.test(asker.text.trim())) {
      const { texts } = await inLanguageOf(context, asker);
      return ack({ response_type: 'ephemeral', ...welcomeMessage(texts.language) });
    }
    await ack();
    await orTell(context, asker, () => onCommand(context, asker));
  });
}
