import { type CardTexts, judgeName, stanceOf, type Tone, toneOf } from '../judging/card.ts';
import type { DeliberationEvent, Stage } from '../judging/deliberate.ts';
import type { Judge } from '../judging/judgement.ts';
import type { Panel } from '../judging/panel.ts';

/** Where one judge stands. */
export interface JudgeProgress {
  judge: Judge;
  name: string;
  state: 'waiting' | 'asked' | 'answered';
  /** The latest answer, kept while the judge is asked again. */
  tone: Tone | null;
  stance: string | null;
}

/** What somebody who waits for one case is shown. */
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

const same = (a: Judge, b: Judge): boolean =>
  a.persona === b.persona && a.model === b.model && a.sample === b.sample;

/** Everybody waits. */
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
        (one): JudgeProgress => (same(one.judge, event.judge) ? { ...one, state: 'asked' } : one),
      );
      return { ...progress, stage: 'panel', round: Math.max(progress.round, event.round), judges };
    }
    case 'answered': {
      const { judgement } = event;
      const judges = progress.judges.map(
        (one): JudgeProgress =>
          same(one.judge, judgement.judge)
            ? { ...one, state: 'answered', tone: toneOf(judgement), stance: stanceOf(judgement, undefined) }
            : one,
      );
      return { ...progress, judges };
    }
  }
}
