import type { RichTextElement } from '@slack/types';
import { type SummaryLine, summaryShown, summaryText } from '../../lists.ts';
import { shortLine } from '../../safe-text.ts';
import { toneMark } from '../../wording.ts';
import {
  bold,
  bulletBlocks,
  context,
  header,
  italic,
  link,
  message,
  type SlackMessage,
  words,
} from './blocks.ts';

const SHOWN = 40;
const TITLE = 60;
const WHY = 160;

function lineOf(line: SummaryLine): RichTextElement[] {
  const title = bold(shortLine(line.title, TITLE) || '–');
  switch (line.kind) {
    case 'judged':
      return [
        ...words(`${toneMark(line.decision)} `),
        ...title,
        ...words(`: ${shortLine(line.why, WHY)}`),
        ...link(line.permalink, 'card'),
      ];
    case 'blind':
      return [...words('🗳️ '), ...title, ...words(': judged, answer first'), ...link(line.permalink, 'card')];
    case 'problem':
      return [
        ...words('⚠️ '),
        ...title,
        ...words(`: not judged: ${shortLine(line.problem, WHY)}`),
        ...link(line.permalink, 'card'),
      ];
    case 'pending':
      return [...words('⏳ '), ...title, ...words(': waiting'), ...link(line.permalink, 'card')];
  }
}

/** Several cases of one request, counted, a line each; each has its own card in the thread. */
export function summaryMessage(lines: readonly SummaryLine[]): SlackMessage {
  const text = summaryText(lines);
  const shown = summaryShown(lines, SHOWN);
  const left = lines.length - shown.length;
  const items = [
    ...shown.map(lineOf),
    ...(left === 0 ? [] : [italic(`${left} more: see their cards in the thread`)]),
  ];
  const note = left === 0 ? [] : [context('Failures are listed first.')];
  return message(text, [header(text), ...bulletBlocks(items), ...note]);
}
