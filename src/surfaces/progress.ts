import { type CardTexts, judgeName, stanceOf, type Tone, toneOf } from '../judging/card.ts';
import type { DeliberationEvent, Stage } from '../judging/deliberate.ts';
import type { Judge } from '../judging/judgement.ts';
import { isSameJudge } from '../judging/judgement.ts';
import type { Panel } from '../judging/panel.ts';
import { shortLine } from './safe-text.ts';
import { toneMark } from './wording.ts';

/** Where one judge stands. */
export interface JudgeProgress {
  judge: Judge;
  name: string;
  state: 'waiting' | 'asked' | 'answered';
  /** The latest answer, kept while the judge is asked again. */
  tone: Tone | null;
  stance: string | null;
}

/** What people are shown who wait for one case. */
export interface CheckProgress {
  checkId: string;
  title: string;
  method: string;
  rubric: string;
  /** `rating` while the criteria are rated, before the panel speaks. */
  stage: Stage;
  /** 0 for the first; most rounds that there can be. */
  round: number;
  rounds: number;
  judges: readonly JudgeProgress[];
  /** Where there are several cases: the number of this one, and of all. */
  of: { index: number; total: number } | null;
  stopping: boolean;
}

/** All of a panel, before the first is asked. */
export function waitingJudges(panel: Pick<Panel, 'seats'>, texts: CardTexts): JudgeProgress[] {
  const judges = panel.seats.map(({ judge }) => judge);
  return judges.map((judge) => ({
    judge,
    name: judgeName({ judge }, judges, texts),
    state: 'waiting',
    tone: null,
    stance: null,
  }));
}

/** Progress after something happened. */
export function advanced(progress: CheckProgress, event: DeliberationEvent): CheckProgress {
  if (event.stage === 'rating') return { ...progress, stage: 'rating' };
  switch (event.kind) {
    case 'asked': {
      const judges = progress.judges.map(
        (one): JudgeProgress => (isSameJudge(one.judge, event.judge) ? { ...one, state: 'asked' } : one),
      );
      return { ...progress, stage: 'panel', round: Math.max(progress.round, event.round), judges };
    }
    case 'answered': {
      const { judgement } = event;
      const judges = progress.judges.map(
        (one): JudgeProgress =>
          isSameJudge(one.judge, judgement.judge)
            ? { ...one, state: 'answered', tone: toneOf(judgement), stance: stanceOf(judgement, undefined) }
            : one,
      );
      return { ...progress, judges };
    }
  }
}

const STANCE = 60;

/** Where a judge stands, in words. */
export function stateText({ state, stance: said, tone }: JudgeProgress): string {
  const stance = said === null ? null : shortLine(said, STANCE);
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

/** What is being judged, and how far it is. */
export function progressTitle({ title, of, stopping, judges }: CheckProgress): string {
  const answered = judges.filter(({ state }) => state === 'answered').length;
  const which = of === null ? '' : ` (case ${of.index + 1} of ${of.total})`;
  const verb = stopping ? 'Stopping' : 'Judging';
  return `${verb} ${title}${which}: ${answered} of ${judges.length} judges have answered`;
}

/** By what a case is judged, and how far the debate is. */
export function stageText({ method, rubric, stage, round, rounds }: CheckProgress): string {
  const judged = `rubric ${rubric} · method ${method}`;
  if (stage === 'rating') return `${judged} · rating the criteria first`;
  return rounds > 1 ? `${judged} · round ${round + 1} of at most ${rounds}` : judged;
}

/** The same for those who must not know how the judges answer: that they are at work. */
export const hiddenTitle = ({ title, stopping }: Pick<CheckProgress, 'title' | 'stopping'>): string =>
  `${stopping ? 'Stopping' : 'Judging'} ${title}`;

export const hiddenNote = 'Everyone answers first here: you see the verdict once you have answered.';
