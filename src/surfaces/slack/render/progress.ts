import type { RichTextElement, TaskUpdateChunk } from '@slack/types';
import type { CheckProgress, JudgeProgress } from '../../progress.ts';
import { oneLine, shortened } from '../../safe-text.ts';
import { toneMark } from '../../wording.ts';
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
const STANCE = 60;

function stateOf({ state, stance: said, tone }: JudgeProgress): string {
  const stance = said === null ? null : shortened(oneLine(said), STANCE);
  const before = stance === null ? '' : ` (so far: ${stance})`;
  switch (state) {
    case 'waiting':
      return 'waiting';
    case 'asked':
      return `thinking …${before}`;
    case 'answered':
      return `${tone === null ? '' : `${toneMark(tone)} `}${stance ?? 'answered'}`;
  }
}

const judgeLine = (judge: JudgeProgress): RichTextElement[] => [
  ...bold(shortened(oneLine(judge.name), NAME)),
  ...words(`: ${stateOf(judge)}`),
];

function headOf({ title, of, stopping, judges }: CheckProgress): string {
  const answered = judges.filter(({ state }) => state === 'answered').length;
  const which = of === null ? '' : ` (case ${of.index + 1} of ${of.total})`;
  const verb = stopping ? 'Stopping' : 'Judging';
  return `${verb} ${title}${which}: ${answered} of ${judges.length} judges have answered`;
}

/** The first thing that is shown, before anything was read. */
export function receivedMessage(checkId: string): SlackMessage {
  const text = 'Reading what there is to judge …';
  return message(text, [paragraph(words(`⚖️ ${text}`)), stopRow(checkId)]);
}

/** A check that waits for its turn. */
export function queuedMessage(checkId: string, ahead: number): SlackMessage {
  const text = `The jury is busy: ${ahead} ${ahead === 1 ? 'check is' : 'checks are'} before this one.`;
  return message(text, [paragraph(words(`⏳ ${text}`)), stopRow(checkId)]);
}

/** The way to stop a check. */
export const stopRow = (checkId: string) =>
  buttonRow(button({ text: 'Stop', action: actions.stop, value: checkId, style: 'danger' }));

/** Live progress for workspaces without task streams: who has answered what so far, and a way to stop. */
export function placeholderMessage(progress: CheckProgress): SlackMessage {
  const { judges, method, rubric, stage, round, rounds, stopping, checkId } = progress;
  const head = headOf(progress);
  const shown = judges.slice(0, SHOWN_JUDGES);
  const left = judges.length - shown.length;
  const lines = [...shown.map(judgeLine), ...(left === 0 ? [] : [italic(`and ${left} more judges`)])];
  const debate =
    stage === 'rating'
      ? ' · rating the criteria first'
      : rounds > 1
        ? ` · round ${round + 1} of at most ${rounds}`
        : '';
  return message(head, [
    paragraph(words(`⚖️ ${shortened(oneLine(head), 300)}`)),
    ...bulletBlocks(lines),
    context(`rubric ${rubric} · method ${method}${debate}`),
    ...(stopping ? [] : [stopRow(checkId)]),
  ]);
}

/** The same for who must not know how the judges answer: that they are at work. */
export function hiddenProgressMessage({
  title,
  checkId,
  stopping,
}: Pick<CheckProgress, 'title' | 'checkId' | 'stopping'>): SlackMessage {
  const text = chunkText(`${stopping ? 'Stopping' : 'Judging'} ${title}`);
  const note = 'Here everybody answers first: the verdict is shown to you after your own answer.';
  return {
    text,
    blocks: [
      paragraph(words(`⚖️ ${stopping ? 'Stopping' : 'Judging'} ${shortened(oneLine(title), 300)} …`)),
      context(note),
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
export const planTitle = (progress: CheckProgress): string => chunkText(headOf(progress));
