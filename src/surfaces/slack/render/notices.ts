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
import {
  type CheckProgress,
  hiddenNote,
  hiddenTitle,
  type JudgeProgress,
  progressTitle,
} from '../../progress.ts';
import { shortened, shortLine } from '../../safe-text.ts';
import type { Line } from '../../surface.ts';
import { toneMark } from '../../wording.ts';
import { actions, command } from '../ids.ts';
import {
  bold,
  bulletBlocks,
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

/** Most judges shown one by one while they answer. */
const SHOWN_JUDGES = 30;
const NAME = 80;
const REASON = 200;
const PROGRESS_TITLE = 300;

/** The first thing that is shown, before anything was read. */
export function receivedMessage(checkId: string): SlackMessage {
  const text = 'Reading the case…';
  return message(text, [paragraph(words(`⚖️ ${text}`)), stopRow(checkId)]);
}

/** The way to stop a check. */
export const stopRow = (checkId: string) =>
  buttonRow(button({ text: 'Stop', action: actions.stop, value: checkId, style: 'danger' }));

const judgeLine = ({ name, answer }: JudgeProgress): RichTextElement[] =>
  answer === null
    ? []
    : [
        ...words(`${toneMark(answer.tone)} `),
        ...bold(shortLine(name, NAME)),
        ...words(`  ${shortLine(answer.text, REASON)}`),
      ];

/** How far a verdict is: who has answered what so far with what reason, and a way to stop. */
export function progressMessage(progress: CheckProgress): SlackMessage {
  const { stopping, checkId } = progress;
  const head = progressTitle(progress);
  const said = progress.judges.filter(({ answer }) => answer !== null);
  const left = said.length - SHOWN_JUDGES;
  const lines = [
    ...said.slice(0, SHOWN_JUDGES).map(judgeLine),
    ...(left > 0 ? [italic(`and ${left} more judges`)] : []),
  ];
  return message(head, [
    paragraph(words(`⚖️ ${shortLine(head, PROGRESS_TITLE)}`)),
    ...bulletBlocks(lines),
    ...(stopping ? [] : [stopRow(checkId)]),
  ]);
}

/** The same for those who must not know how the judges answer. */
export function hiddenProgressMessage({
  checkId,
  stopping,
}: Pick<CheckProgress, 'checkId' | 'stopping'>): SlackMessage {
  const title = hiddenTitle({ stopping });
  return message(title, [
    paragraph(words(`⚖️ ${title}`)),
    context(hiddenNote),
    ...(stopping ? [] : [stopRow(checkId)]),
  ]);
}
