import { firstSentence } from '../../common/text/index.ts';
import { inQuotes, judgeName, type PersonaTexts, type Tone, toneOf } from '../../judging/card/index.ts';
import type { DeliberationEvent, Stage } from '../../judging/index.ts';
import type { Panel } from '../../judging/standards/index.ts';
import {
  betterCounts,
  type Decision,
  gapOf,
  isSameJudge,
  type Judge,
  type Preference,
  reasonOf,
  shownReason,
} from '../../judging/verdict/index.ts';
import type { VerdictRecord } from '../../labels/record/index.ts';
import type { CaseState } from '../../requests/index.ts';
import type { Gap } from '../../statistics/raters/index.ts';
import { type Language, wordsIn } from '../../words/index.ts';
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
export function advanced(
  progress: CheckProgress,
  event: DeliberationEvent,
  language: Language,
): CheckProgress {
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
      const text = inQuotes(firstSentence(shownReason(judgement, language)), language);
      const answer = { tone: toneOf(judgement), text };
      const judges = change(judgement.judge, { state: 'answered', answer });
      return { ...progress, judges, given: progress.given + 1 };
    }
  }
}

/** `2 pass, 1 fail so far`; empty before the first answer. */
function countsText(judges: readonly JudgeProgress[], language: Language): string {
  const { verdict, chat } = wordsIn(language);
  const count = (tone: Tone) => judges.filter(({ answer }) => answer?.tone === tone).length;
  const decided = (['pass', 'fail', 'scored', 'not-relevant'] as const).map(
    (tone) => [count(tone), verdict.decision[tone]] as const,
  );
  const silent = count('unscored');
  const counts = [
    ...decided
      .filter(([number]) => number > 0)
      .map(([number, outcome]) => chat.judged({ count: number, outcome })),
    ...(silent === 0 ? [] : [chat.silent(silent)]),
  ];
  return counts.length === 0 ? '' : chat.soFar(counts);
}

function thinkingText(judges: readonly JudgeProgress[], language: Language): string {
  const { thinking, thinkingMany } = wordsIn(language).chat;
  const [first, second, ...others] = judges.filter(({ state }) => state === 'asked').map(({ name }) => name);
  if (first === undefined) return '';
  if (second === undefined) return thinking(first);
  return thinkingMany({ first, second, others: others.length });
}

/** `Round 2 of 4 · 2 pass, 1 fail so far · Auditor is thinking…`. */
export function progressTitle(
  { stage, round, rounds, judges, stopping }: CheckProgress,
  language: Language,
): string {
  const words = wordsIn(language).chat;
  const parts = [
    stopping ? words.stopping : '',
    stage === 'rating' ? words.rating : rounds > 1 ? words.round({ round: round + 1, of: rounds }) : '',
    countsText(judges, language),
    stopping ? '' : thinkingText(judges, language),
  ].filter((part) => part !== '');
  return parts.length === 0 ? words.judging : parts.join(' · ');
}

/** The most characters of the reasons in a status, together and of each. Shorter ones than the least say nothing. */
const REASONS = { all: 720, most: 200, least: 30 } as const;

/** The same in one line with the judges that have answered and why: `1 of 3 judges has answered · ✅ Auditor: it is open until 21:00`. */
export function progressStatus(progress: CheckProgress, language: Language): string {
  const words = wordsIn(language).chat;
  const { stage, round, rounds, judges, stopping } = progress;
  const answered = judges.filter(({ state }) => state === 'answered');
  if (stopping || stage === 'rating' || answered.length === 0) return progressTitle(progress, language);
  const room = Math.min(REASONS.most, Math.floor(REASONS.all / answered.length));
  const names = answered.map(({ name, answer }) => {
    if (answer === null) return name;
    const reason = room < REASONS.least || answer.text === '' ? '' : `: ${shortLine(answer.text, room)}`;
    return `${toneMark(answer.tone)} ${name}${reason}`;
  });
  const of = words.answered({ count: answered.length, of: judges.length });
  const where = rounds > 1 ? `${words.round({ round: round + 1, of: rounds })} · ` : '';
  return `${where}${of} · ${names.join(' · ')}`;
}

/** The same for a hidden verdict: only that the judges are at work. */
export const hiddenTitle = ({ stopping }: Pick<CheckProgress, 'stopping'>, language: Language): string => {
  const { stoppingOnly, judging } = wordsIn(language).chat;
  return stopping ? stoppingOnly : judging;
};

type UnderWay = Pick<CheckProgress, 'checkId' | 'stopping'>;

const underWay = (
  { checkId, stopping }: UnderWay,
  title: string,
  below: MessagePart[],
  language: Language,
): ChatMessage => ({
  text: title,
  parts: [line(`⚖️ ${shortLine(title, 300)}`), ...below],
  buttons: stopping ? [] : [{ label: wordsIn(language).chat.stop, does: 'stop', id: checkId }],
});

/** The most judges that are listed while they answer. */
const SHOWN_JUDGES = 30;

/** The progress of a verdict: each judge's answer and reason so far, and a button to stop. */
export function progressNotice(progress: CheckProgress, language: Language): ChatMessage {
  const answered = progress.judges.flatMap(({ name, answer }) => (answer === null ? [] : [{ name, answer }]));
  const items = answered
    .slice(0, SHOWN_JUDGES)
    .map(({ name, answer: { tone, text } }) => [
      `${toneMark(tone)} `,
      { bold: shortLine(name, 80) },
      `  ${shortLine(text, 200)}`,
    ]);
  const left = answered.length - SHOWN_JUDGES;
  const more = left > 0 ? wordsIn(language).chat.moreJudges(left) : null;
  return underWay(
    progress,
    progressTitle(progress, language),
    items.length === 0 ? [] : [{ kind: 'rows', items, more }],
    language,
  );
}

/** The same for a hidden verdict, without the judges' answers. */
export const hiddenProgressNotice = (about: UnderWay, language: Language): ChatMessage =>
  underWay(about, hiddenTitle(about, language), [note(wordsIn(language).chat.hidden)], language);

/** Shown first, before anything is read. */
export const receivedNotice = (check: string, language: Language): ChatMessage =>
  underWay({ checkId: check, stopping: false }, wordsIn(language).chat.reading, [], language);

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
export function judgedLine(
  { id, evalCase, verdict }: VerdictRecord,
  isHidden: boolean,
  language: Language,
): SummaryLine {
  const caseTitle = wordsOf(evalCase, language);
  // A case's id can reveal what is wrong with it.
  if (isHidden) return { kind: 'blind', id, title: caseTitle };
  const title = evalCase.id === undefined ? caseTitle : `${evalCase.id}  ${caseTitle}`;
  return {
    kind: 'judged',
    id,
    title,
    decision: verdict.decision,
    ...(verdict.decision === 'undecided' ? { gap: gapOf(verdict) } : {}),
    reason: inQuotes(reasonOf(verdict, language), language),
    preference: verdict.preference,
  };
}

export const summaryLineOf = (state: CaseState, language: Language): SummaryLine =>
  state.kind === 'judged' ? judgedLine(state.record, state.record.blind === true, language) : state;

/** `7 cases: 4 pass · 2 fail · 1 not decided`. */
export function summaryText(lines: readonly SummaryLine[], language: Language): string {
  const words = wordsIn(language).chat;
  const judged = (outcome: Decision | Gap) =>
    lines.filter((line) => line.kind === 'judged' && (line.gap ?? line.decision) === outcome).length;
  const compared = lines.flatMap((line) =>
    line.kind === 'judged' && line.decision === 'scored' ? (line.preference ?? []) : [],
  );
  const parts: [number, string][] = [
    [judged('pass'), words.outcomes.pass],
    [judged('fail'), words.outcomes.fail],
    [judged('scored') - compared.length, words.outcomes.scored],
    [judged('undecided'), words.outcomes.undecided],
    [judged('no-quorum'), words.outcomes['no-quorum']],
    [judged('unanswered'), words.outcomes.unanswered],
    [lines.filter(({ kind }) => kind === 'blind').length, words.outcomes.judged],
    [lines.filter(({ kind }) => kind === 'problem').length, words.outcomes.problem],
    [lines.filter(({ kind }) => kind === 'pending').length, words.outcomes.pending],
  ];
  const counts = parts
    .filter(([count]) => count > 0)
    .map(([count, outcome]) => words.judged({ count, outcome }));
  return words.cases({ total: lines.length, counts: [...betterCounts(compared, language), ...counts] });
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
