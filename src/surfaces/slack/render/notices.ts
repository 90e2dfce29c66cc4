import type { KnownBlock, RichTextBlock, RichTextElement } from '@slack/types';
import { type Language, wordsIn } from '../../../words/index.ts';
import {
  type ChatMessage,
  errorNotice,
  type MessageButton,
  type MessageLine,
  type MessagePart,
  type Run,
  readTheseValue,
  welcomeNotice,
} from '../../chat/index.ts';
import type { Line } from '../../index.ts';
import { pagesOf } from '../../wording/index.ts';
import { actions, command } from '../ids.ts';
import {
  bold,
  bulletBlocks,
  button,
  buttonRow,
  context,
  italic,
  limits,
  linkOr,
  message,
  paragraph,
  rich,
  type SlackMessage,
  words,
} from './blocks.ts';

const runElements = (runs: readonly Run[]): RichTextElement[] =>
  runs.flatMap((run) => {
    if (typeof run === 'string') return words(run);
    if ('link' in run) return linkOr(run.url, run.link);
    return 'bold' in run ? bold(run.bold) : italic(run.italic);
  });

/** Several lines in one block, because the number of blocks in a message is limited. */
export const linesBlock = (lines: readonly MessageLine[]): KnownBlock =>
  paragraph(...lines.map(({ runs }, n) => [...words(n === 0 ? '' : '\n'), ...runElements(runs)]));

/** A block; none if nothing of its text can be shown, because Slack refuses empty ones. */
const unlessEmpty = (block: RichTextBlock): KnownBlock[] => (block.elements.length === 0 ? [] : [block]);

/** The blocks of a part of a message that all chats share. */
export function noticeBlocks(part: MessagePart): KnownBlock[] {
  switch (part.kind) {
    case 'line':
      return unlessEmpty(paragraph(runElements(part.runs)));
    case 'title':
      return unlessEmpty(paragraph(bold(part.text)));
    case 'example':
      return [rich({ type: 'rich_text_preformatted', elements: [{ type: 'text', text: part.text }] })];
    case 'quote':
      return unlessEmpty(rich({ type: 'rich_text_quote', elements: words(part.text) }));
    case 'note':
      return [context(part.text)];
    case 'list':
    case 'rows': {
      const { items, more } = part;
      return bulletBlocks([...items.map(runElements), ...(more === null ? [] : [italic(more)])]);
    }
  }
}

const DOING = {
  form: { action: actions.openForm, style: 'primary' },
  details: { action: actions.details },
  study: { action: actions.studyNext, style: 'primary' },
  example: { action: actions.judgeExample },
  'judge-these': { action: actions.judgeThese, style: 'primary' },
  'judge-edited': { action: actions.judgeEdited, style: 'primary' },
  stop: { action: actions.stop, style: 'danger' },
  'try-again': { action: actions.tryAgain },
  'unsure-remark': { action: actions.unsureRemark },
  'unsure-answer': { action: actions.unsureAnswer },
  'trust-reading': { action: actions.trustReading, style: 'primary' },
  'review-start': { action: actions.reviewStart, style: 'primary' },
  'review-right': { action: actions.reviewRight },
  'review-wrong': { action: actions.reviewWrong },
  'review-unsure': { action: actions.reviewUnsure },
  'review-case': { action: actions.reviewCase },
  'review-skip': { action: actions.reviewSkip },
  'review-never': { action: actions.reviewNever },
} as const satisfies Record<MessageButton['does'], { action: string; style?: 'primary' | 'danger' }>;

/** One for each of a question's choices. */
const judgeTheseActions = [actions.judgeThese, actions.judgeTheseSecond, actions.judgeTheseThird] as const;

/** Action ids must be unique within a row. */
const actionOf = ({ does, id }: MessageButton): string => {
  const { choice } = (does === 'judge-these' ? readTheseValue(id) : null) ?? { choice: 0 };
  return does === 'judge-these' ? (judgeTheseActions[choice] ?? actions.judgeThese) : DOING[does].action;
};

/** The Slack message for a message that all chats share. */
export const noticeMessage = ({ text, parts, buttons }: ChatMessage): SlackMessage =>
  message(text, [
    ...parts.flatMap(noticeBlocks),
    ...(buttons.length === 0
      ? []
      : [
          buttonRow(
            ...buttons.map((one) => {
              const { label, id, does } = one;
              return button({
                text: label,
                value: id === '' ? 'new' : id,
                ...DOING[does],
                action: actionOf(one),
              });
            }),
          ),
        ]),
  ]);

/** Reports an error; `what` says what to do about it. */
export const errorMessage = (what: string): SlackMessage => noticeMessage(errorNotice(what));

/** Confirms that something was done as requested. */
export const doneMessage = (what: string): SlackMessage => linesMessage([[what]]);

/** What the app does and how to use it, for a first contact or a message without a paste. */
export function welcomeMessage(language: Language): SlackMessage {
  const { welcome } = wordsIn(language).chat;
  return noticeMessage(welcomeNotice(welcome.byCommand(command), welcome.queueByCommand(command), language));
}

const lineElements = (line: Line): RichTextElement[] =>
  line.flatMap((part) =>
    typeof part === 'string' ? words(part) : [{ type: 'user' as const, user_id: part.person }],
  );

/** The most blocks of lines in one message, within Slack's limit. */
const MOST_LINE_BLOCKS = 4;

const lineLength = (line: Line): number =>
  line.reduce((sum, part) => sum + (typeof part === 'string' ? part.length : part.person.length), 1);

/** Lines that may name people, with a count of those that do not fit. */
export function linesMessage(lines: readonly Line[]): SlackMessage {
  const text = lines.map((line) =>
    line.map((part) => (typeof part === 'string' ? part : part.person)).join(''),
  );
  const pages = pagesOf(lines, lineLength, { items: lines.length, size: limits.blockText - 200 });
  const left = pages.slice(MOST_LINE_BLOCKS).flat().length;
  return message(text.join(' · '), [
    ...pages
      .slice(0, MOST_LINE_BLOCKS)
      .map((page) =>
        paragraph(...page.map((line, n) => [...(n === 0 ? [] : words('\n')), ...lineElements(line)])),
      ),
    ...(left === 0 ? [] : [context(wordsIn('en').lists.moreLines(left))]),
  ]);
}
