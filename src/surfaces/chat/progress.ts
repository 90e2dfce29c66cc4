import { counted, firstSentence } from '../../common/text/index.ts';
import { judgeName, type PersonaTexts, type Tone, toneOf } from '../../judging/card/index.ts';
import type { DeliberationEvent, Stage } from '../../judging/index.ts';
import type { Panel } from '../../judging/standards/index.ts';
import {
  betterCounts,
  type Decision,
  gapOf,
  isSameJudge,
  type Judge,
  OUTCOMES,
  type Preference,
  reasonOf,
  saidBy,
} from '../../judging/verdict/index.ts';
import type { VerdictRecord } from '../../labels/record/index.ts';
import type { CaseState } from '../../requests/index.ts';
import type { Gap } from '../../statistics/raters/index.ts';
import { shortLine, toneMark, wordsOf } from '../wording/index.ts';
import { type ChatMessage, line, type MessagePart, note } from './chat-message.ts';

/** Where one judge stands. */
export interface JudgeProgress {
  judge: Judge;
  name: string;
  state: 'waiting' | 'asked' | 'answered';
  /** The latest answer and its reason in one sentence, kept while the judge is asked again. */
  answer: { tone: Tone; text: string } | null;
}

/** What is shown to people who wait for a verdict. */
export interface CheckProgress {
  checkId: string;
  /** `rating` while the criteria are rated, before the panel speaks. */
  stage: Stage;
  /** The current round, from 0, and the most rounds that there can be. */
  round: number;
  rounds: number;
  judges: readonly JudgeProgress[];
  /** How many answers the panel has given so far, of all rounds. */
  given: number;
  stopping: boolean;
}

/** The judges of a panel, before the first is asked. */
export function waitingJudges(panel: Pick<Panel, 'seats'>, texts: PersonaTexts): JudgeProgress[] {
  const judges = panel.seats.map(({ judge }) => judge);
  return judges.map((judge) => ({
    judge,
    name: judgeName({ judge }, judges, texts),
    state: 'waiting',
    answer: null,
  }));
}

/** The progress after an event. */
export function advanced(progress: CheckProgress, event: DeliberationEvent): CheckProgress {
  if (event.stage === 'rating') return { ...progress, stage: 'rating' };
  const change = (who: Judge, parts: Partial<JudgeProgress>): JudgeProgress[] =>
    progress.judges.map((one) => (isSameJudge(one.judge, who) ? { ...one, ...parts } : one));
  switch (event.kind) {
    case 'asked': {
      const judges = change(event.judge, { state: 'asked' });
      return { ...progress, stage: 'panel', round: Math.max(progress.round, event.round), judges };
    }
    case 'answered': {
      const { judgement } = event;
      const text = firstSentence(saidBy(judgement));
      const answer = { tone: toneOf(judgement), text };
      const judges = change(judgement.judge, { state: 'answered', answer });
      return { ...progress, judges, given: progress.given + 1 };
    }
  }
}

/** `2 pass, 1 fail so far`; empty before the first answer. */
function countsText(judges: readonly JudgeProgress[]): string {
  const count = (tone: Tone) => judges.filter(({ answer }) => answer?.tone === tone).length;
  const counts: [number, string][] = [
    [count('pass'), 'pass'],
    [count('fail'), 'fail'],
    [count('scored'), 'scored'],
    [count('not-relevant'), 'not relevant'],
    [count('unscored'), 'without an answer'],
  ];
  const countTexts = counts.filter(([number]) => number > 0).map(([number, name]) => `${number} ${name}`);
  return countTexts.length === 0 ? '' : `${countTexts.join(', ')} so far`;
}

function thinkingText(judges: readonly JudgeProgress[]): string {
  const [first, second, ...others] = judges.filter(({ state }) => state === 'asked').map(({ name }) => name);
  if (first === undefined) return '';
  if (second === undefined) return `${first} is thinking…`;
  return `${first} and ${others.length === 0 ? second : `${others.length + 1} others`} are thinking…`;
}

/** `Round 2 of 4 · 2 pass, 1 fail so far · Auditor is thinking…`. */
export function progressTitle({ stage, round, rounds, judges, stopping }: CheckProgress): string {
  const parts = [
    stopping ? 'Stopping' : '',
    stage === 'rating' ? 'Rating the criteria first' : rounds > 1 ? `Round ${round + 1} of ${rounds}` : '',
    countsText(judges),
    stopping ? '' : thinkingText(judges),
  ].filter((part) => part !== '');
  return parts.length === 0 ? 'Judging…' : parts.join(' · ');
}

/** The most characters of the reasons in a status, together and of each. Shorter ones than the least say nothing. */
const REASONS = { all: 720, most: 200, least: 30 } as const;

/** The same in one line with the judges that have answered and why: `1 of 3 judges has answered · ✅ Auditor: it is open until 21:00`. */
export function progressStatus(progress: CheckProgress): string {
  const { stage, round, rounds, judges, stopping } = progress;
  const answered = judges.filter(({ state }) => state === 'answered');
  if (stopping || stage === 'rating' || answered.length === 0) return progressTitle(progress);
  const room = Math.min(REASONS.most, Math.floor(REASONS.all / answered.length));
  const names = answered.map(({ name, answer }) => {
    if (answer === null) return name;
    const reason = room < REASONS.least || answer.text === '' ? '' : `: ${shortLine(answer.text, room)}`;
    return `${toneMark(answer.tone)} ${name}${reason}`;
  });
  const of = `${answered.length} of ${counted(judges.length, 'judge')} ${answered.length === 1 ? 'has' : 'have'} answered`;
  return `${rounds > 1 ? `Round ${round + 1} of ${rounds} · ` : ''}${of} · ${names.join(' · ')}`;
}

/** The same for a hidden verdict: only that the judges are at work. */
export const hiddenTitle = ({ stopping }: Pick<CheckProgress, 'stopping'>): string =>
  stopping ? 'Stopping…' : 'Judging…';

export const hiddenNote = 'Everyone answers first here: you see the verdict once you have answered.';

type UnderWay = Pick<CheckProgress, 'checkId' | 'stopping'>;

const underWay = ({ checkId, stopping }: UnderWay, title: string, below: MessagePart[]): ChatMessage => ({
  text: title,
  parts: [line(`⚖️ ${shortLine(title, 300)}`), ...below],
  buttons: stopping ? [] : [{ label: 'Stop', does: 'stop', id: checkId }],
});

/** The most judges that are listed while they answer. */
const SHOWN_JUDGES = 30;

/** The progress of a verdict: each judge's answer and reason so far, and a button to stop. */
export function progressNotice(progress: CheckProgress): ChatMessage {
  const answered = progress.judges.flatMap(({ name, answer }) => (answer === null ? [] : [{ name, answer }]));
  const items = answered
    .slice(0, SHOWN_JUDGES)
    .map(({ name, answer: { tone, text } }) => [
      `${toneMark(tone)} `,
      { bold: shortLine(name, 80) },
      `  ${shortLine(text, 200)}`,
    ]);
  const more = answered.length > SHOWN_JUDGES ? `and ${answered.length - SHOWN_JUDGES} more judges` : null;
  return underWay(
    progress,
    progressTitle(progress),
    items.length === 0 ? [] : [{ kind: 'rows', items, more }],
  );
}

/** The same for a hidden verdict, without the judges' answers. */
export const hiddenProgressNotice = (about: UnderWay): ChatMessage =>
  underWay(about, hiddenTitle(about), [note(hiddenNote)]);

/** Shown first, before anything is read. */
export const receivedNotice = (check: string): ChatMessage =>
  underWay({ checkId: check, stopping: false }, 'Reading the case…', []);

/** One of several cases by its user's words: judged, judged but hidden until a vote, not judged, or still to come. */
export type SummaryLine =
  | {
      kind: 'judged';
      id: string;
      title: string;
      decision: Decision;
      /** What an undecided verdict lacks. */
      gap?: Gap;
      reason: string;
      preference?: Preference | undefined;
    }
  | { kind: 'blind'; id: string; title: string }
  | { kind: 'problem'; title: string; problem: string; canTryAgain?: boolean }
  | { kind: 'pending' };

/** A verdict as one line of a summary. @param isHidden whether it is shown only after a vote */
export function judgedLine({ id, evalCase, verdict }: VerdictRecord, isHidden: boolean): SummaryLine {
  const caseTitle = wordsOf(evalCase);
  // A case's id can reveal what is wrong with it.
  if (isHidden) return { kind: 'blind', id, title: caseTitle };
  const title = evalCase.id === undefined ? caseTitle : `${evalCase.id}  ${caseTitle}`;
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

/** Whether some case failed that may succeed as it is. */
export const someCanTryAgain = (lines: readonly SummaryLine[]): boolean =>
  lines.every(({ kind }) => kind !== 'pending') &&
  lines.some((line) => line.kind === 'problem' && line.canTryAgain === true);

/** Sorts failing cases first, so that the lines left out matter least. */
function rank(line: SummaryLine): number {
  if (line.kind === 'pending') return 5;
  if (line.kind === 'problem') return 1;
  if (line.kind === 'blind') return 3;
  return { fail: 0, undecided: 2, scored: 3, pass: 4 }[line.decision];
}

export const ranked = (lines: readonly SummaryLine[]): SummaryLine[] =>
  [...lines].sort((a, b) => rank(a) - rank(b));

/**
 * The lines to show, and the numbers of the others: passes, which are only counted, and the `rest` beyond `most` lines.
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
