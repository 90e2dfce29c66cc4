import { type CaseFormat, lineFor } from '../../case/format/index.ts';
import type { AnswerNames } from '../../case/index.ts';
import { groupedBy, memoized } from '../../common/index.ts';
import { usd } from '../../common/text/index.ts';
import { type Language, wordsIn } from '../../words/index.ts';
import { type Rubric, rubricIn, titleIn } from '../standards/index.ts';
import {
  betterOf,
  betterText,
  isSameJudge,
  isScored,
  type Judge,
  type Judgement,
  type Preference,
  type Range,
  type ScoredJudgement,
  saidBy,
  scoreText,
  type Verdict,
} from '../verdict/index.ts';

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

/** Exact checks quote with backticks, as Markdown does; people are shown quotation marks. */
export const inQuotes = (text: string, language: Language): string =>
  text.replaceAll(/`([^`]+)`/g, (_, quoted: string) => wordsIn(language).card.quoted(quoted));

/** The possible entries of a card's menu. */
export const menuActions = ['again', 'unsure', 'retract', 'share', 'add-to-set', 'json'] as const;
export type MenuAction = (typeof menuActions)[number];

/**
 * Actions on a card. `with-it`: judges it with the lines that were left out. `right`: says what is right if the panel did not
 * decide.
 */
export type CardAction =
  | MenuAction
  | Preferring
  | 'agree'
  | 'disagree'
  | 'right'
  | 'fill-in'
  | 'ask-model'
  | 'with-it'
  | 'details';

/** Votes on which of two answers is better, with their scores. */
export const preferring = { 'prefer-first': -1, 'prefer-second': 1, 'prefer-same': 0 } as const;
export type Preferring = keyof typeof preferring;

/**
 * A part of a card, in the order in which they are shown. Three exhaustive switches render each kind: the chats share one
 * (`cardLines`), the terminal and the console have their own.
 */
export type CardPart =
  | { kind: 'headline'; tone: Tone; label: string; reason: string }
  /** A ruling on the verdict. `by`: who made it and why, as the rest of the sentence. */
  | { kind: 'ruling'; ruled: string; by: string }
  /** For cards that are not below the request. */
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
  /** What to add to the paste so that more could be checked. `before`: how many rows above ask for something, too. */
  | { kind: 'asks'; lines: string[]; before: number }
  /** What was left out or assumed, and other remarks. */
  | { kind: 'notes'; lines: string[] }
  /** `names`: the names of two compared answers. */
  | { kind: 'actions'; buttons: CardAction[]; menu: MenuAction[]; names: AnswerNames }
  | { kind: 'footer'; facts: string[] }
  /** Calls, cost and time of models, for surfaces that have no details to open. */
  | { kind: 'usage'; facts: string[] };

/** A verdict as neutral data; surfaces decide how it looks. */
export type Card = CardPart[];

/** The words of a card that are not in the verdict. */
export interface CardTexts extends PersonaTexts {
  methodTitle: (id: string) => string;
  /** Undefined if the rubric no longer exists. */
  rubric: (id: string) => Pick<Rubric, 'title' | 'criteria' | 'decide'> | undefined;
  /** A line of a paste that sets the field at a path, such as `Date: 2026-03-02`; null if there is none. */
  lineFor: (path: string) => string | null;
}

interface CardWords {
  personas: ReadonlyMap<string, Titled>;
  methods: ReadonlyMap<string, Titled>;
  rubrics: ReadonlyMap<string, Rubric>;
  caseFormat: Pick<CaseFormat, 'groups'>;
}

type Titled = Parameters<typeof titleIn>[0];

const titleOf = (all: ReadonlyMap<string, Titled>, id: string, language: Language): string => {
  const one = all.get(id);
  return one === undefined ? id : titleIn(one, language);
};

/**
 * A verdict with the titles of its criteria in the language of the texts. In English they stay as they were when it was given, and so
 * do those of criteria that there no longer are.
 */
export function verdictIn<T extends Pick<Verdict, 'rubric' | 'criteria'>>(
  verdict: T,
  { language, rubric }: Pick<CardTexts, 'language' | 'rubric'>,
): T {
  const titles = new Map(rubric(verdict.rubric)?.criteria.map(({ id, title }) => [id, title]));
  if (language === 'en' || titles.size === 0) return verdict;
  return {
    ...verdict,
    criteria: verdict.criteria.map((one) => ({ ...one, title: titles.get(one.id) ?? one.title })),
  };
}

export const cardTexts = (
  { personas, methods, rubrics, caseFormat }: CardWords,
  language: Language,
): CardTexts => ({
  language,
  personaTitle: (id) => titleOf(personas, id, language),
  methodTitle: (id) => titleOf(methods, id, language),
  rubric: memoized((id: string) => {
    const rubric = rubrics.get(id);
    return rubric === undefined ? undefined : rubricIn(rubric, language);
  }),
  lineFor: (path) => lineFor(path, caseFormat),
});

/** What an earlier verdict on the same request said. */
export interface EarlierOutcome {
  decision: Verdict['decision'];
  score: number | null;
  scale?: Range | undefined;
  preference?: Pick<Preference, 'better' | 'names'> | undefined;
  rubric: string;
  models: readonly string[];
}

/** A ruling on a verdict, which overrides it and all votes. */
export interface ShownRuling {
  tone: Tone;
  /** `fail`, `score 3 of 4`, `New is better`. */
  outcome: string;
  /** The role of the person who ruled, such as `safety lead`. */
  role: string;
  comment: string | null;
  /** What is wrong, as the rubric calls it. */
  error: string | null;
  /** ms since the epoch. */
  at: number;
}

/** What surrounds a verdict. */
export interface CardSetting {
  /** Never for people who vote before they see the verdict. */
  ruling?: ShownRuling | undefined;
  /** The verdict that this one replaces. */
  earlier?: EarlierOutcome | undefined;
  /** Whether a model can be asked. */
  hasModel: boolean;
  /** Display names. */
  askedBy?: string | null;
  stoppedBy?: string | null;
  /** Whether the reader can connect a model: at a terminal, not in a chat. */
  isOperator?: boolean;
}

/** `FAIL`, `NOT DECIDED`, `SCORE 72 of 100`, `New is better`. */
export const decisionText = (
  {
    decision,
    score,
    scale,
    preference,
  }: Pick<Verdict, 'decision' | 'score' | 'scale'> & Pick<EarlierOutcome, 'preference'>,
  language: Language,
): string =>
  preference !== undefined && decision === 'scored'
    ? betterText(preference, language)
    : `${wordsIn(language).verdict.label[decision]}${score === null ? '' : ` ${scoreText(score, scale, language)}`}`;

/** The cost in words; says so if the price is unknown. */
export const costText = (costUsd: number | null): string => (costUsd === null ? 'unknown' : usd(costUsd));

/** Outcome of a verdict, criterion or judgement, for marks and colors. */
export type Tone = 'pass' | 'fail' | 'scored' | 'undecided' | 'not-judged' | 'not-relevant' | 'unscored';

/** The statement of one judge, or of several with the same words. */
export interface Opinion {
  judge: string;
  tone: Tone;
  /** `fail`, `score 3 of 4`, `no answer (timeout)`, with the confidence if the judge stated one. */
  stance: string;
  text: string;
  /** Earlier stances, oldest first, if the judge changed its mind in a debate. */
  before: string[];
  caveat: string | null;
}

/** Titles of personas by id, and the language in which a verdict is shown. */
export interface PersonaTexts {
  language: Language;
  personaTitle: (id: string) => string;
}

/** A judge's name on its panel: the persona, with the model or sample number if those vary. */
export function judgeName(
  { judge }: Pick<Judgement, 'judge'>,
  panel: readonly Judge[],
  texts: PersonaTexts,
): string {
  const severalModels = new Set(panel.map(({ model }) => model)).size > 1;
  const samples = panel.some(
    ({ sample, model, persona }) => sample > 0 && persona === judge.persona && model === judge.model,
  );
  const who = judge.persona === null ? judge.model : texts.personaTitle(judge.persona);
  const model = severalModels && judge.persona !== null ? ` (${judge.model})` : '';
  const sample = samples ? ` #${judge.sample + 1}` : '';
  return `${who}${model}${sample}`;
}

/** A judge's preference between two answers, in a few words. */
function preferenceText(
  { score, changedWithOrder }: ScoredJudgement,
  [A, B]: Preference['names'],
  language: Language,
): string {
  const words = wordsIn(language).verdict;
  if (changedWithOrder === true) return words.changedWithOrder;
  const better = betterOf(score ?? 0);
  return better === 'same' ? words.noDifference : words.prefers(better === 'A' ? A : B);
}

/** A judgement's answer in a few words. */
export function stanceOf(
  judgement: Judgement,
  { scale, preference }: Pick<Verdict, 'scale' | 'preference'>,
  language: Language,
): string {
  const words = wordsIn(language).verdict;
  if (!isScored(judgement))
    return judgement.reason === 'not-relevant'
      ? words.notRelevant
      : words.noAnswer(words.silence[judgement.reason]);
  const { decision, score, confidence } = judgement;
  const stance =
    preference !== undefined
      ? preferenceText(judgement, preference.names, language)
      : decision === 'scored'
        ? words.scoreStance(scoreText(score, scale, language))
        : words.decision[decision];
  return confidence === null ? stance : words.sure({ stance, confidence });
}

/** An earlier stance; the latest one shows the scale. */
const shortStance = (judgement: Judgement, { preference }: Verdict, language: Language): string =>
  isScored(judgement) && judgement.score !== null && preference === undefined
    ? scoreText(judgement.score, undefined, language)
    : stanceOf(judgement, { preference }, language);

export const toneOf = (judgement: Judgement): Tone => {
  if (isScored(judgement)) return judgement.decision;
  return judgement.reason === 'not-relevant' ? 'not-relevant' : 'unscored';
};

/** The judges of all judgements, so a judge may occur several times. */
export const judgesOf = ({ judgements }: Pick<Verdict, 'judgements'>): Judge[] =>
  judgements.map(({ judge }) => judge);

/** What a judge said, for a card. What was wrong with the form of a reply is for the details. */
function wordsOf(judgement: Judgement, language: Language): string {
  const { allSilent } = wordsIn(language).verdict;
  return !isScored(judgement) && judgement.reason === 'malformed' ? allSilent.malformed : saidBy(judgement);
}

function opinionOf(judgement: Judgement, verdict: Verdict, texts: PersonaTexts): Opinion {
  const { language } = texts;
  const before = verdict.judgements
    .filter((other) => other.round < judgement.round && isSameJudge(other.judge, judgement.judge))
    .map((other) => ({
      stance: stanceOf(other, verdict, language),
      short: shortStance(other, verdict, language),
    }));
  const stance = stanceOf(judgement, verdict, language);
  const changed = before.some((one) => one.stance !== stance);
  return {
    judge: judgeName(judgement, judgesOf(verdict), texts),
    tone: toneOf(judgement),
    stance,
    text: inQuotes(wordsOf(judgement, language), language),
    before: changed ? before.map(({ short }) => short) : [],
    caveat: isScored(judgement) ? (judgement.caveat ?? null) : null,
  };
}

/** Judgements as opinions; identical statements of several judges are merged into one. */
export function opinionsOf(
  judgements: readonly Judgement[],
  verdict: Verdict,
  texts: PersonaTexts,
): Opinion[] {
  const all = judgements.map((judgement) => opinionOf(judgement, verdict, texts));
  const same = groupedBy(all, ({ judge: _, ...content }) => JSON.stringify(content));
  return [...same.values()].flatMap(([first, ...others]) =>
    first === undefined ? [] : [{ ...first, judge: [first, ...others].map(({ judge }) => judge).join(', ') }],
  );
}
