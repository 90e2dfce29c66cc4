import type { KnownBlock, ModalView, SectionBlock } from '@slack/types';
import { shortLine } from '../../safe-text.ts';
import { ranked, type SummaryLine, summaryShown, summaryText } from '../../summary.ts';
import { toneMark } from '../../wording.ts';
import { actions } from '../ids.ts';
import { button, context, header, limits, message, plain, type SlackMessage } from './blocks.ts';
import { stopRow } from './progress.ts';

/** With the title, the counted ones and a way to stop, within what a message takes. */
const MOST_ROWS = 40;
const TITLE = 90;
const REASON = 120;

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
      const reason = shortLine(line.reason, REASON);
      return [
        row(`${toneMark(line.decision)} ${shortLine(line.title, TITLE)} – ${reason}`, opening(line.id)),
      ];
    }
    case 'blind':
      return [row(`🗳️ ${shortLine(line.title, TITLE)} – judged, answer first`, opening(line.id))];
    case 'problem':
      return [
        row(`⚠️ ${shortLine(line.title, TITLE)} – not judged: ${shortLine(line.problem, REASON)}`, null),
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
