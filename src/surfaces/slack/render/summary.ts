import type { RichTextElement } from '@slack/types';
import type { Decision } from '../../../judging/verdict.ts';
import { oneLine, shortened } from '../../safe-text.ts';
import { toneMark } from '../../wording.ts';
import { bold, bulletBlocks, context, header, italic, message, type SlackMessage, words } from './blocks.ts';

/** One of several cases: judged, not judged, or still to come. */
export type SummaryLine = { title: string; permalink: string | null } & (
  | { kind: 'judged'; decision: Decision; why: string }
  /** Judged, and hidden from whoever has not answered. */
  | { kind: 'blind' }
  | { kind: 'problem'; problem: string }
  | { kind: 'pending' }
);

const SHOWN = 40;
const TITLE = 60;
const WHY = 160;

const link = (url: string | null): RichTextElement[] =>
  url?.startsWith('https://') === true ? [...words(' · '), { type: 'link', url, text: 'card' }] : [];

function lineOf(line: SummaryLine): RichTextElement[] {
  const title = bold(shortened(oneLine(line.title) || '–', TITLE));
  switch (line.kind) {
    case 'judged':
      return [
        ...words(`${toneMark(line.decision)} `),
        ...title,
        ...words(`: ${shortened(oneLine(line.why), WHY)}`),
        ...link(line.permalink),
      ];
    case 'blind':
      return [...words('🗳️ '), ...title, ...words(': judged, waits for answers'), ...link(line.permalink)];
    case 'problem':
      return [
        ...words('⚠️ '),
        ...title,
        ...words(`: not judged: ${shortened(oneLine(line.problem), WHY)}`),
        ...link(line.permalink),
      ];
    case 'pending':
      return [...words('⏳ '), ...title, ...words(': waiting'), ...link(line.permalink)];
  }
}

function countsOf(lines: readonly SummaryLine[]): string {
  const judged = (decision: Decision) =>
    lines.filter((line) => line.kind === 'judged' && line.decision === decision).length;
  const parts: [number, string][] = [
    [judged('pass'), 'passed'],
    [judged('fail'), 'failed'],
    [judged('scored'), 'scored'],
    [judged('undecided'), 'undecided'],
    [lines.filter(({ kind }) => kind === 'blind').length, 'judged'],
    [lines.filter(({ kind }) => kind === 'problem').length, 'not judged'],
    [lines.filter(({ kind }) => kind === 'pending').length, 'to come'],
  ];
  return parts
    .filter(([count]) => count > 0)
    .map(([count, name]) => `${count} ${name}`)
    .join(', ');
}

/** Those that went wrong first, so that what is left out is the least of interest. */
const rank = (line: SummaryLine): number => {
  if (line.kind === 'pending') return 4;
  if (line.kind === 'problem') return 1;
  if (line.kind === 'blind') return 3;
  return line.decision === 'fail' ? 0 : line.decision === 'undecided' ? 2 : 3;
};

/** Several cases of one request, counted, a line each; each has its own card in the thread. */
export function summaryMessage(lines: readonly SummaryLine[]): SlackMessage {
  const counts = countsOf(lines);
  const shown = lines.length <= SHOWN ? lines : [...lines].sort((a, b) => rank(a) - rank(b)).slice(0, SHOWN);
  const left = lines.length - shown.length;
  const items = [
    ...shown.map(lineOf),
    ...(left === 0 ? [] : [italic(`${left} more: their cards stand in the thread`)]),
  ];
  const note = left === 0 ? [] : [context('Failed ones are listed first.')];
  return message(`${lines.length} cases: ${counts}.`, [
    header(`${lines.length} cases: ${counts}`),
    ...bulletBlocks(items),
    ...note,
  ]);
}
