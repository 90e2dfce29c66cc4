import type { RichTextElement, TaskUpdateChunk } from '@slack/types';
import {
  type CheckProgress,
  hiddenNote,
  hiddenTitle,
  type JudgeProgress,
  progressTitle,
  stageText,
  stateText,
} from '../../progress.ts';
import { shortLine } from '../../safe-text.ts';
import { actions } from '../ids.ts';
import {
  bold,
  bulletBlocks,
  button,
  buttonRow,
  context,
  escapedLine,
  italic,
  limits,
  message,
  paragraph,
  type SlackMessage,
  words,
} from './blocks.ts';

/** Most judges shown one by one while they answer. */
const SHOWN_JUDGES = 30;
const NAME = 80;

const judgeLine = (judge: JudgeProgress): RichTextElement[] => [
  ...bold(shortLine(judge.name, NAME)),
  ...words(`: ${stateText(judge)}`),
];

/** The first thing that is shown, before anything was read. */
export function receivedMessage(checkId: string): SlackMessage {
  const text = 'Reading the case …';
  return message(text, [paragraph(words(`⚖️ ${text}`)), stopRow(checkId)]);
}

/** The way to stop a check. */
export const stopRow = (checkId: string) =>
  buttonRow(button({ text: 'Stop', action: actions.stop, value: checkId, style: 'danger' }));

/** Live progress for workspaces without task streams: who has answered what so far, and a way to stop. */
export function placeholderMessage(progress: CheckProgress): SlackMessage {
  const { judges, stopping, checkId } = progress;
  const head = progressTitle(progress);
  const shown = judges.slice(0, SHOWN_JUDGES);
  const left = judges.length - shown.length;
  const lines = [...shown.map(judgeLine), ...(left === 0 ? [] : [italic(`and ${left} more judges`)])];
  return message(head, [
    paragraph(words(`⚖️ ${shortLine(head, 300)}`)),
    ...bulletBlocks(lines),
    context(stageText(progress)),
    ...(stopping ? [] : [stopRow(checkId)]),
  ]);
}

/** The same for those who must not know how the judges answer. */
export function hiddenProgressMessage(
  progress: Pick<CheckProgress, 'title' | 'checkId' | 'stopping'>,
): SlackMessage {
  const { checkId, stopping } = progress;
  const title = hiddenTitle(progress);
  return {
    text: chunkText(title),
    blocks: [
      paragraph(words(`⚖️ ${shortLine(title, 300)} …`)),
      context(hiddenNote),
      ...(stopping ? [] : [stopRow(checkId)]),
    ],
  };
}

const taskStatus = ({ state, tone }: JudgeProgress): TaskUpdateChunk['status'] => {
  switch (state) {
    case 'waiting':
      return 'pending';
    case 'asked':
      return 'in_progress';
    case 'answered':
      return tone === 'unscored' ? 'error' : 'complete';
  }
};

const chunkText = (text: string): string => escapedLine(text, limits.chunkText);

/**
 * The judges as tasks of a native stream. Slack may read marks into these texts: names and stances only, never what a judge
 * or a paste says.
 */
export const progressTasks = ({ judges }: CheckProgress): TaskUpdateChunk[] =>
  judges.map((judge, index) => ({
    type: 'task_update',
    id: `judge-${index}`,
    title: chunkText(judge.name),
    status: taskStatus(judge),
    ...(judge.stance === null ? {} : { output: chunkText(judge.stance) }),
  }));

/** The title of a native stream's plan. */
export const planTitle = (progress: CheckProgress): string => chunkText(progressTitle(progress));
