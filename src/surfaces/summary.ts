import { counted } from '../common/text.ts';
import { type Decision, gapOf, OUTCOMES, type Preference } from '../judging/verdict.ts';
import { betterCounts, reasonOf } from '../judging/why.ts';
import type { VerdictRecord } from '../labels/verdict-record.ts';
import type { CaseState } from '../requests/presenter.ts';
import type { Gap } from '../statistics/classification.ts';
import { wordsOf } from './wording.ts';

/** One of several cases, in what its user said: judged, judged but hidden until a vote, not judged, or still to come. */
export type SummaryLine =
  | {
      kind: 'judged';
      id: string;
      title: string;
      decision: Decision;
      /** Of an undecided one what it lacks. */
      gap?: Gap;
      reason: string;
      preference?: Preference | undefined;
    }
  | { kind: 'blind'; id: string; title: string }
  | { kind: 'problem'; title: string; problem: string }
  | { kind: 'pending' };

/** A verdict as one line. @param isHidden whether it is shown only after a vote */
export function judgedLine({ id, evalCase, verdict }: VerdictRecord, isHidden: boolean): SummaryLine {
  const said = wordsOf(evalCase);
  // An id can tell what is wrong with a case.
  if (isHidden) return { kind: 'blind', id, title: said };
  const title = evalCase.id === undefined ? said : `${evalCase.id}  ${said}`;
  return {
    kind: 'judged',
    id,
    title,
    decision: verdict.decision,
    ...(verdict.decision === 'undecided' ? { gap: gapOf(verdict) } : {}),
    reason: reasonOf(verdict),
    preference: verdict.preference,
  };
}

export const summaryLineOf = (state: CaseState): SummaryLine =>
  state.kind === 'judged' ? judgedLine(state.record, state.record.blind === true) : state;

/** `7 cases: 4 pass · 2 fail · 1 not decided`. */
export function summaryText(lines: readonly SummaryLine[]): string {
  const judged = (outcome: Decision | Gap) =>
    lines.filter((line) => line.kind === 'judged' && (line.gap ?? line.decision) === outcome).length;
  const compared = lines.flatMap((line) =>
    line.kind === 'judged' && line.decision === 'scored' ? (line.preference ?? []) : [],
  );
  const parts: [number, string][] = [
    [judged('pass'), 'pass'],
    [judged('fail'), 'fail'],
    [judged('scored') - compared.length, 'scored'],
    [judged('undecided'), OUTCOMES.undecided],
    [judged('no-quorum'), OUTCOMES['no-quorum']],
    [judged('unanswered'), OUTCOMES.unanswered],
    [lines.filter(({ kind }) => kind === 'blind').length, 'judged'],
    [lines.filter(({ kind }) => kind === 'problem').length, 'not judged'],
    [lines.filter(({ kind }) => kind === 'pending').length, 'waiting'],
  ];
  const counts = parts.filter(([count]) => count > 0).map(([count, name]) => `${count} ${name}`);
  return `${counted(lines.length, 'case')}: ${[...betterCounts(compared), ...counts].join(' · ')}`;
}

/** The failing ones first, so that what is left out is the least of interest. */
function rank(line: SummaryLine): number {
  if (line.kind === 'pending') return 5;
  if (line.kind === 'problem') return 1;
  if (line.kind === 'blind') return 3;
  return { fail: 0, undecided: 2, scored: 3, pass: 4 }[line.decision];
}

export const ranked = (lines: readonly SummaryLine[]): SummaryLine[] =>
  [...lines].sort((a, b) => rank(a) - rank(b));

/**
 * The lines that are shown one by one, and how many passes and others are not. Passes are only counted; `rest` are those that have no
 * room.
 */
export function summaryShown(
  lines: readonly SummaryLine[],
  most: number,
): { shown: SummaryLine[]; passes: number; rest: number } {
  const isPass = (line: SummaryLine) => line.kind === 'judged' && line.decision === 'pass';
  const open = ranked(lines).filter((line) => line.kind !== 'pending' && !isPass(line));
  const shown = open.slice(0, most);
  return { shown, passes: lines.filter(isPass).length, rest: open.length - shown.length };
}
