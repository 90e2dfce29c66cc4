import type { RichTextElement } from '@slack/types';
import {
  type CheckProgress,
  hiddenNote,
  hiddenTitle,
  type JudgeProgress,
  progressTitle,
} from '../../progress.ts';
import { shortLine } from '../../safe-text.ts';
import { toneMark } from '../../wording.ts';
import { actions } from '../ids.ts';
import {
  bold,
  bulletBlocks,
  button,
  buttonRow,
  context,
  italic,
  message,
  paragraph,
  type SlackMessage,
  words,
} from './blocks.ts';

/** Most judges shown one by one while they answer. */
const SHOWN_JUDGES = 30;
const NAME = 80;
const REASON = 200;
const TITLE = 300;

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
    paragraph(words(`⚖️ ${shortLine(head, TITLE)}`)),
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
