import type { CaseFormat } from '../case/case-format.ts';
import { lineFor } from '../case/case-format.ts';
import { usd } from '../common/text.ts';
import type { Opinion, PersonaTexts, Tone } from './opinion.ts';
import type { Rubric } from './rubric.ts';
import type { Trust, Verdict } from './verdict.ts';
import { scoreText } from './why.ts';

/** A criterion's score: `2.5 of 4`. */
export interface ScoreRow {
  title: string;
  score: string;
  text: string;
}

export interface CriterionRow {
  title: string;
  tone: Tone;
  /** One sentence: the reason, or what to add so that it can be checked; empty if the headline says it. */
  text: string;
}

/** What a card's menu can hold. */
export const menuActions = ['again', 'unsure', 'retract', 'share', 'json'] as const;
export type MenuAction = (typeof menuActions)[number];

/** What people can do with a card. `right`: say what is right where the panel has not decided. */
export type CardAction = MenuAction | 'agree' | 'disagree' | 'right' | 'fill-in' | 'ask-model' | 'details';

/** A part of a card, in the order in which they are shown. Every surface renders each kind with one exhaustive switch. */
export type CardPart =
  | { kind: 'headline'; tone: Tone; label: string; reason: string }
  /** For where it does not stand above the card. */
  | { kind: 'request'; id: string | null; text: string }
  /** Criteria that fail or could not be checked. */
  | { kind: 'criteria'; rows: CriterionRow[] }
  | { kind: 'held'; titles: string[] }
  /** Scores of criteria, the lowest first. */
  | { kind: 'scores'; scores: ScoreRow[] }
  /** The sides of a tie, each with one reason. */
  | { kind: 'sides'; opinions: Opinion[] }
  | { kind: 'panel'; text: string; isExact: boolean; dissent: string | null }
  /** Every judge of the deciding round, for surfaces that have no details to open. */
  | { kind: 'opinions'; opinions: Opinion[] }
  /** What was left out or assumed, and other remarks. */
  | { kind: 'notes'; lines: string[] }
  | { kind: 'trust'; text: string }
  | { kind: 'actions'; buttons: CardAction[]; menu: MenuAction[] }
  | { kind: 'footer'; facts: string[] }
  /** Calls, cost and time of models, for surfaces that have no details to open. */
  | { kind: 'usage'; facts: string[] };

/** A verdict as neutral data; surfaces decide how it looks. */
export type Card = CardPart[];

/** The words of a card that are not in the verdict. */
export interface CardTexts extends PersonaTexts {
  /** Undefined if it is gone by now. */
  rubric: (id: string) => Pick<Rubric, 'title' | 'criteria' | 'decide'> | undefined;
  /** A line of a paste that gives what stands at a path, such as `Date: 2026-03-02`; null if there is none. */
  lineFor: (path: string) => string | null;
}

interface CardWords {
  personas: ReadonlyMap<string, { title: string }>;
  rubrics: ReadonlyMap<string, Rubric>;
  caseFormat: Pick<CaseFormat, 'groups'>;
}

export const cardTexts = ({ personas, rubrics, caseFormat }: CardWords): CardTexts => ({
  personaTitle: (id) => personas.get(id)?.title ?? id,
  rubric: (id) => rubrics.get(id),
  lineFor: (path) => lineFor(path, caseFormat),
});

/** What surrounds a verdict. */
export interface CardSetting {
  trust?: Trust | undefined;
  /** Whether a model can be asked. */
  hasModel: boolean;
  /** Names, as people see them. */
  askedBy?: string | null;
  stoppedBy?: string | null;
}

const DECISIONS: Record<Verdict['decision'], string> = {
  pass: 'PASS',
  fail: 'FAIL',
  scored: 'SCORE',
  undecided: 'NOT DECIDED',
};

/** `FAIL`, `NOT DECIDED`, `SCORE 72 of 100`. */
export const decisionText = ({
  decision,
  score,
  scale,
}: Pick<Verdict, 'decision' | 'score' | 'scale'>): string =>
  `${DECISIONS[decision]}${score === null ? '' : ` ${scoreText(score, scale)}`}`;

/** What it cost; unknown prices are said as such. */
export const costText = (costUsd: number | null): string => (costUsd === null ? 'unknown' : usd(costUsd));
