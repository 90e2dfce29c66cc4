import { type AnswerNames, type EvalCase, lastRequest } from '../../case/index.ts';
import { capital, counted as countedText, plainLine, usd } from '../../common/text/index.ts';
import type { SpendingLimits } from '../../judges/llm/index.ts';
import {
  type CardAction,
  inQuotes,
  type Preferring,
  preferring,
  type ShownRuling,
  type Tone,
} from '../../judging/card/index.ts';
import { isBinary, type Rubric, rangeOf, titleIn } from '../../judging/standards/index.ts';
import {
  backingOf,
  betterOf,
  betterText,
  rangeOfVerdict,
  reasonOf,
  scoreText,
  type Verdict,
} from '../../judging/verdict/index.ts';
import {
  ballotOf,
  type CaseAnswer,
  type PreferenceVotes,
  type VerdictTally,
  type Vote,
  type VoteTally,
} from '../../labels/record/index.ts';
import { type Adjudication, GOLD_ROLE } from '../../labels/voting/index.ts';
import { type Language, wordsIn } from '../../words/index.ts';
import { shortLine } from './safe-text.ts';

const LONGEST = 60;

/** A case's name in a list: its id, else what the user said last. */
export const titleOf = (
  { id, conversation }: Pick<EvalCase, 'id' | 'conversation'>,
  language: Language = 'en',
): string => (id === undefined ? wordsOf({ conversation }, language) : plainLine(id));

/** What the user said last, in quotes. It names a case whose verdict is hidden, since ids can reveal what is wrong. */
export const wordsOf = (asked: Pick<EvalCase, 'conversation'>, language: Language = 'en'): string =>
  wordsIn(language).card.quoted(shortLine(lastRequest(asked), LONGEST));

/** A sign for each tone, as a character: emoji codes like `:x:` stay plain text, since people may write them. */
export function toneMark(tone: Tone): string {
  switch (tone) {
    case 'pass':
      return '✅';
    case 'fail':
      return '❌';
    case 'scored':
      return '📊';
    case 'undecided':
      return '◻️';
    case 'unscored':
      return '❔';
    case 'not-judged':
    case 'not-relevant':
      return '➖';
  }
}

/** What the rubric asks of a case. It contains nothing of the verdict, so it may be shown before a vote. */
export interface Standard {
  title: string;
  criteria: readonly string[];
  /** What each score means, if the rubric's scale says so. */
  levels: Readonly<Record<string, string>>;
}

/** @param rubrics the current ones; the rubric of an older verdict may be missing */
export function standardOf(
  verdict: Pick<Verdict, 'rubric' | 'scale' | 'criteria'>,
  rubrics: ReadonlyMap<string, Rubric>,
  language: Language,
): Standard {
  const rubric = rubrics.get(verdict.rubric);
  if (rubric === undefined) return { title: verdict.rubric, criteria: [], levels: {} };
  const range = rangeOfVerdict(verdict);
  const scales = [
    ...(rubric.overall === undefined ? [] : [rubric.overall.scale]),
    ...(rubric.criteria.length === 1 ? rubric.criteria.map(({ scale }) => scale) : []),
  ];
  const same = scales.find((scale) => {
    const scaleRange = rangeOf(scale);
    return scaleRange !== null && scaleRange.min === range?.min && scaleRange.max === range.max;
  });
  return {
    title: titleIn(rubric, language),
    criteria: rubric.criteria.map((criterion) => titleIn(criterion, language)),
    levels: same === undefined || isBinary(same) ? {} : (same.levels ?? {}),
  };
}

const LONGEST_STANDARD = 400;

/** The question for people who have not seen the verdict, with the rubric to answer it by. */
export function blindQuestion(verdict: Verdict, { title, criteria }: Standard, language: Language): string {
  const { blind } = wordsIn(language).votes;
  const asked =
    verdict.preference !== undefined
      ? blind.whichBetter
      : ballotOf(verdict).kind === 'score'
        ? blind.whichScore
        : blind.isRight;
  const others = criteria.filter((criterion) => criterion !== title);
  const rubric = others.length === 0 ? title : `${title} (${others.join(', ')})`;
  return blind.question({ asked, rubric: shortLine(rubric, LONGEST_STANDARD) });
}

/** A verdict with its reason: `2 of 3 judges said fail: it was closed`. @param mostReason characters of the reason */
export function outcomeText(verdict: Verdict, mostReason: number, language: Language): string {
  const words = wordsIn(language);
  const { outcome } = words.votes;
  const { decision, preference, fallback } = verdict;
  const reason = shortLine(inQuotes(reasonOf(verdict, language), language), mostReason);
  const isBacked = decision !== 'undecided' || fallback !== undefined;
  const by = isBacked ? capital(backingOf(verdict, language)) : outcome.panel;
  if (preference !== undefined && decision === 'scored') return `${reason} (${backingOf(verdict, language)})`;
  if (decision === 'undecided') return outcome.undecided({ by, reason });
  const text =
    decision === 'scored'
      ? scoreText(verdict.score, verdict.scale, language)
      : words.verdict.decision[decision];
  return outcome.said({ by, decision: text, reason });
}

/** How many people gave an answer: `2 fail`, `score 3 (2 people)`, `New is better (1 person)`. */
function answersText(
  [right, count]: [right: string, count: number],
  preference: Verdict['preference'],
  language: Language,
): string {
  const { verdict, votes } = wordsIn(language);
  const score = Number(right);
  if (right === 'pass' || right === 'fail')
    return votes.saidDecision({ count, decision: verdict.decision[right] });
  if (Number.isNaN(score)) return votes.saidDecision({ count, decision: right });
  const answer =
    preference === undefined
      ? votes.score(verdict.number(score))
      : betterText({ better: betterOf(score), names: preference.names }, language);
  return votes.saidAnswer({ answer, count });
}

/** The votes without names: `Votes: 👍 3 agree · 👎 1 disagrees`, `People say: 2 fail, 1 pass`. */
export function tallyText(
  { agree, disagree, unsure, right = {} }: VerdictTally,
  preference: Verdict['preference'],
  language: Language,
): string {
  const { votes } = wordsIn(language);
  const answers = Object.entries(right).sort(([, a], [, b]) => b - a);
  if (answers.length > 0)
    return votes.peopleSay([
      ...answers.map((one) => answersText(one, preference, language)),
      ...(unsure === 0 ? [] : [votes.notSure(unsure)]),
    ]);
  return agree + disagree + unsure === 0 ? votes.none : votes.tally({ agree, disagree, unsure });
}

/** People's answers to an undecided case (pass, fail or a score), since the card's buttons cannot show them. */
export const peopleSayText = (
  tally: VerdictTally,
  { decision, preference }: Pick<Verdict, 'decision' | 'preference'>,
  language: Language,
): string | null =>
  decision === 'undecided' &&
  preference === undefined &&
  Object.keys(tally.right ?? {}).length + tally.unsure > 0
    ? tallyText(tally, undefined, language)
    : null;

/** The label of a button for which of two answers is better, with the votes so far: `New`, `New 3`, `Same`. */
export function preferringText(
  action: Preferring,
  [A, B]: AnswerNames,
  votes: PreferenceVotes | undefined,
  language: Language,
): string {
  const { name, count } = {
    'prefer-first': { name: A, count: votes?.A },
    'prefer-second': { name: B, count: votes?.B },
    'prefer-same': { name: wordsIn(language).votes.same, count: votes?.same },
  }[action];
  return count === undefined || count === 0 ? name : `${name} ${count}`;
}

/** A blind answer in words. */
function answerText(
  answer: CaseAnswer,
  { preference }: Pick<Verdict, 'preference'>,
  language: Language,
): string {
  const { verdict, votes } = wordsIn(language);
  switch (answer.kind) {
    case 'decision':
      return answer.decision === 'pass' ? votes.own.right : votes.own.wrong;
    case 'score':
      if (preference !== undefined)
        return betterText({ better: betterOf(answer.score), names: preference.names }, language);
      return votes.own.score(verdict.number(answer.score));
    case 'unsure':
      return votes.own.unsure;
  }
}

/** A voter's answers before and after seeing the verdict, and the current votes. */
export function ownAnswerText(
  { blind }: Vote,
  tally: VerdictTally,
  verdict: Pick<Verdict, 'preference'>,
  language: Language,
): string {
  const { said, later } = wordsIn(language).votes.own;
  const text = (answer: CaseAnswer) => answerText(answer, verdict, language);
  return [
    ...(blind === undefined ? [] : [said(text(blind.answer))]),
    ...(blind?.later === undefined ? [] : [later(text(blind.later.answer))]),
    tallyText(tally, verdict.preference, language),
  ].join(' ');
}

const counted = (text: string, count: number): string => (count === 0 ? text : `${text} ${count}`);

/** The label of a card's button, with the votes so far. */
export function actionText(
  action: Exclude<CardAction, Preferring>,
  { agree, disagree, unsure }: VoteTally,
  language: Language,
): string {
  const { actions } = wordsIn(language).votes;
  switch (action) {
    case 'agree':
      return counted('👍', agree);
    case 'disagree':
      return counted('👎', disagree);
    case 'unsure':
      return counted(actions.unsure, unsure);
    default:
      return actions[action];
  }
}

/** The answers offered before the verdict is seen. They do not depend on the verdict's outcome, so that they reveal nothing. */
export function ballotChoices(
  verdict: Verdict,
  { levels }: Standard,
  language: Language,
): { text: string; answer: CaseAnswer }[] {
  const { blind } = wordsIn(language).votes;
  const unsure = { text: blind.unsure, answer: { kind: 'unsure' as const } };
  const ballot = ballotOf(verdict);
  if (ballot.kind === 'decision')
    return [
      { text: blind.right, answer: { kind: 'decision', decision: 'pass' } },
      { text: blind.wrong, answer: { kind: 'decision', decision: 'fail' } },
      unsure,
    ];
  const { preference } = verdict;
  const scored = (text: string, score: number) => ({ text, answer: { kind: 'score' as const, score } });
  const answers =
    preference === undefined
      ? ballot.levels.map((level) => {
          const meaning = levels[String(level)];
          return scored(meaning === undefined ? String(level) : `${level}: ${meaning}`, level);
        })
      : (['prefer-first', 'prefer-second', 'prefer-same'] as const).map((action) =>
          scored(preferringText(action, preference.names, undefined, language), preferring[action]),
        );
  return [...answers, unsure];
}

/** The beginning of a sentence about a whole study: `All 5 cases of “Ramen” are`, `The case is`. */
export const allCases = (count: number, of = ''): string =>
  count === 1 ? `The case${of} is` : `All ${countedText(count, 'case')}${of} are`;

/** The reply to a click, form or command while the store is unavailable, where nobody's language is known. */
export const STORE_AWAY = wordsIn('en').votes.storeAway;

/** Tells who may change settings that apply to a whole conversation. @param admins null if everyone may */
export const adminsText = (admins: ReadonlySet<string> | null): string =>
  admins === null
    ? 'everyone in a conversation may change its settings, known answers and digests, and rule on its verdicts; to name who may, set JURY_ADMINS'
    : `${countedText(admins.size, 'person', 'people')} may change settings, known answers and digests of others, and rule on verdicts, everywhere`;

/** The daily limits: `$1.00 a person (2 reached today)`. */
export const limitsText = (reached: Awaited<ReturnType<SpendingLimits['reached']>>): string =>
  reached.map(({ of, limitUsd, count }) => `${usd(limitUsd)} a ${of} (${count} reached today)`).join(', ');

/**
 * A ruling as it is shown with its verdict; undefined without one, and for a known answer: it would give away which cases have one.
 *
 * @param rubric undefined if the prompt files no longer contain it
 */
export function shownRuling(
  ruling: Adjudication | null,
  { criteria, preference, scale }: Verdict,
  rubric: Pick<Rubric, 'errorTypes'> | undefined,
  language: Language,
): ShownRuling | undefined {
  if (ruling === null || ruling.role === GOLD_ROLE) return undefined;
  const { right, role, comment = null, errorType, at } = ruling;
  const { decision, scoreStance } = wordsIn(language).verdict;
  const named = [...criteria, ...(rubric?.errorTypes ?? [])].find(({ id }) => id === errorType);
  return {
    tone: right.kind === 'decision' ? right.decision : 'scored',
    outcome:
      right.kind === 'decision'
        ? decision[right.decision]
        : preference === undefined
          ? scoreStance(scoreText(right.score, scale, language))
          : betterText({ better: betterOf(right.score), names: preference.names }, language),
    role,
    comment,
    error: named?.title ?? errorType ?? null,
    at,
  };
}
