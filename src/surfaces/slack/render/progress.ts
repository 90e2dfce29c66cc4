import type { KnownBlock, ModalView, RichTextElement, SectionBlock } from '@slack/types';
import {
  type CheckProgress,
  hiddenNote,
  hiddenTitle,
  type JudgeProgress,
  progressTitle,
} from '../../progress.ts';
import { shortLine } from '../../safe-text.ts';
import { ranked, type SummaryLine, summaryShown, summaryText } from '../../summary.ts';
import { toneMark } from '../../wording.ts';
import { actions } from '../ids.ts';
import {
  bold,
  bulletBlocks,
  button,
  buttonRow,
  context,
  header,
  italic,
  limits,
  message,
  paragraph,
  plain,
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
const stopRow = (checkId: string) =>
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

/** With the title, the counted ones and a way to stop, within what a message takes. */
const MOST_ROWS = 40;
const CASE_TITLE = 90;
const CASE_REASON = 120;

const row = (text: string, opens: { label: string; action: string; value: string } | null): SectionBlock => ({
  type: 'section',
  text: plain(text, limits.blockText),
  ...(opens === null
    ? {}
    : { accessory: button({ text: opens.label, action: opens.action, value: opens.value }) }),
});

const opening = (id: string) => ({ label: 'Open', action: actions.details, value: id });

function lineRow(line: SummaryLine): SectionBlock[] {
  switch (line.kind) {
    case 'judged': {
      const reason = shortLine(line.reason, CASE_REASON);
      return [
        row(`${toneMark(line.decision)} ${shortLine(line.title, CASE_TITLE)} – ${reason}`, opening(line.id)),
      ];
    }
    case 'blind':
      return [row(`🗳️ ${shortLine(line.title, CASE_TITLE)} – judged, answer first`, opening(line.id))];
    case 'problem':
      return [
        row(
          `⚠️ ${shortLine(line.title, CASE_TITLE)} – not judged: ${shortLine(line.problem, CASE_REASON)}`,
          null,
        ),
      ];
    case 'pending':
      return [];
  }
}

/** What the button carries that lists all cases of a check. */
export const casesValue = (checkId: string, count: number): string => `${count} ${checkId}`;

/** Reads {@link casesValue}; null where it is none of ours. */
export function readCasesValue(text: string): { checkId: string; count: number } | null {
  const [, count, checkId] = /^(\d{1,4}) (\S+)$/.exec(text) ?? [];
  return checkId === undefined ? null : { checkId, count: Number(count) };
}

/** Several cases of one request in one message: a row each but for those that pass, which one button lists. */
export function summaryMessage(checkId: string, lines: readonly SummaryLine[]): SlackMessage {
  const text = summaryText(lines);
  const { shown, passes, rest } = summaryShown(lines, MOST_ROWS);
  const showing = { label: 'Show', action: actions.showCases, value: casesValue(checkId, lines.length) };
  const more = shown.length > 0 ? ' more' : '';
  const isOpen = lines.some(({ kind }) => kind === 'pending');
  const blocks: KnownBlock[] = [
    header(text),
    ...shown.flatMap(lineRow),
    ...(rest > 0 ? [row(`${rest} more that do not pass`, showing)] : []),
    ...(passes > 0 ? [row(`✅ ${passes}${more}`, showing)] : []),
    ...(isOpen ? [stopRow(checkId)] : []),
  ];
  return message(text, blocks);
}

/** All judged cases of a check, the failing first. */
export const casesView = (lines: readonly SummaryLine[]): ModalView => ({
  type: 'modal',
  title: plain('Cases', limits.viewTitle),
  close: plain('Close', limits.viewButton),
  blocks:
    lines.length === 0
      ? [context('These verdicts are no longer kept.')]
      : ranked(lines).flatMap(lineRow).slice(0, limits.viewBlocks),
});
