import type { RichTextElement } from '@slack/types';
import { safeText } from '../../../common/text.ts';
import {
  answerParts,
  budgetText,
  editedNotice,
  explainPaste,
  type NamedLines,
  type UnclearPaste,
  unreadable,
  unshowableNotice,
  welcome,
} from '../../notices.ts';
import { shortened } from '../../safe-text.ts';
import type { Line } from '../../surface.ts';
import { actions, command } from '../ids.ts';
import {
  bold,
  bullets,
  button,
  buttonRow,
  context,
  italic,
  message,
  paragraph,
  rich,
  type SlackMessage,
  section,
  words,
} from './blocks.ts';

/** Something went wrong; `what` says what to do about it. */
export const errorMessage = (what: string): SlackMessage =>
  message(what, [paragraph(words(`⚠️ ${shortened(safeText(what), 2_000)}`))]);

/** Something was done, as was asked. */
export const doneMessage = (what: string): SlackMessage =>
  message(what, [paragraph(words(shortened(safeText(what), 2_000)))]);

/** {@link unshowableNotice}, in private. */
export function unshowableMessage(...about: Parameters<typeof unshowableNotice>): SlackMessage {
  const { text, opens } = unshowableNotice(...about);
  if (opens === null) return errorMessage(text);
  const { label, verdictId } = opens;
  return message(text, [
    paragraph(words(`⚠️ ${text}`)),
    buttonRow(button({ text: label, action: actions.details, value: verdictId })),
  ]);
}

/** The daily budget is spent. */
export function budgetMessage({ limitUsd }: { limitUsd: number }): SlackMessage {
  const text = budgetText(limitUsd);
  return message(text, [paragraph(words(`💸 ${text}`))]);
}

/** What the app does and how to use it, for a first contact or a message without a paste. */
export function welcomeMessage(): SlackMessage {
  const { greeting, text, paste, votes } = welcome;
  return message(text, [
    paragraph(bold(`${greeting} `), words(text)),
    rich(
      section(bold('Try this')),
      { type: 'rich_text_preformatted', elements: [{ type: 'text', text: paste }] },
      section(bold('Ways to ask')),
      ...bullets([
        words(
          'Mention me with a paste in a channel. In a thread, just mention me, and I judge the messages above.',
        ),
        words('Choose “Ask the jury” from the menu of a message.'),
        words(`Type ${command} to fill in a form.`),
        words('Send me a direct message. Files (.txt, .json, .jsonl) work, too.'),
      ]).elements,
      section(bold('Votes'), words(`\n${command} queue lists the verdicts that need your vote most.`)),
      section(italic(votes)),
    ),
    buttonRow(button({ text: 'Open the form', action: actions.openForm, value: 'new', style: 'primary' })),
  ]);
}

/** {@link answerParts}: marked as an answer, so that it is not taken for another verdict. */
export function answerMessage(...about: Parameters<typeof answerParts>): SlackMessage {
  const { headline, text, quotes, lines, note, opens } = answerParts(...about);
  return message(headline === null ? text : `${headline}: ${text}`, [
    paragraph(words('💬 '), headline === null ? [] : bold(`${headline}\n`), words(text)),
    ...quotes.map((quote) => rich({ type: 'rich_text_quote', elements: words(quote) })),
    ...(lines.length === 0 ? [] : [bullets(lines.map(words))]),
    ...(note === null ? [] : [context(note)]),
    ...(opens === null
      ? []
      : [buttonRow(button({ text: opens.label, action: actions.details, value: opens.verdictId }))]),
  ]);
}

/** For the person who edited a request. */
export function editedMessage(check: string, wasJudged: boolean): SlackMessage {
  const { text, label } = editedNotice(wasJudged);
  return message(text, [
    paragraph(words(`✏️ ${text}`)),
    buttonRow(button({ text: label, action: actions.judgeEdited, value: check, style: 'primary' })),
  ]);
}

/** There is a text, and no conversation in it. */
export const unreadableMessage = (): SlackMessage =>
  message(unreadable.text, [
    rich(section(words(`🤔 ${unreadable.text}`)), {
      type: 'rich_text_preformatted',
      elements: [{ type: 'text', text: unreadable.paste }],
    }),
    buttonRow(button({ text: 'Open the form', action: actions.openForm, value: 'new', style: 'primary' })),
  ]);

const namedLines = ({ lines, more }: NamedLines, between: string): RichTextElement[][] => [
  ...lines.map(({ name, text }) => [...bold(name), ...words(`${between}${text}`)]),
  ...(more === 0 ? [] : [italic(`and ${more} more`)]),
];

/**
 * A paste that cannot be judged as it is: what was understood, what is missing, and how to give it.
 *
 * @param draftId a draft of what was understood, kept in the store; null where nothing could be kept
 */
export function problemMessage(input: UnclearPaste & { draftId: string | null }): SlackMessage {
  const { problem, missing, understood } = explainPaste(input);
  const { draftId } = input;
  const titled = (title: string, lines: RichTextElement[][]) =>
    lines.length === 0 ? [] : [rich(section(bold(title)), ...bullets(lines).elements)];
  const fill = (id: string) =>
    buttonRow(button({ text: 'Fill in the rest', action: actions.openForm, value: id, style: 'primary' }));
  return message(`This could not be judged: ${input.problem}`, [
    paragraph(words('🤔 '), bold('I cannot judge this yet. '), words(problem)),
    ...titled('Missing', namedLines(missing, ', for example: ')),
    ...titled('Understood so far', namedLines(understood, ': ')),
    ...(draftId === null ? [] : [fill(draftId)]),
  ]);
}

const lineElements = (line: Line): RichTextElement[] =>
  line.flatMap((part) =>
    typeof part === 'string' ? words(part) : [{ type: 'user' as const, user_id: part.person }],
  );

/** Lines in which people are named. */
export const linesMessage = (lines: readonly Line[]): SlackMessage =>
  message(
    lines
      .map((line) => line.map((part) => (typeof part === 'string' ? part : part.person)).join(''))
      .join(' · '),
    [paragraph(...lines.map((line, n) => [...(n === 0 ? [] : words('\n')), ...lineElements(line)]))],
  );
