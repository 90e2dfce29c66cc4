import { groupedBy } from '../../common/index.ts';
import { firstSentence } from '../../common/text/index.ts';
import { type Language, wordsIn } from '../../words/index.ts';
import {
  answerOf,
  type EndpointTrouble,
  type Finding,
  isNotAsked,
  isScored,
  type Judgement,
  reasonText,
  type ScoredJudgement,
} from './judgement.ts';
import { type CriterionVerdict, gapOf, isFailure, type Preference, type Verdict } from './verdict.ts';

/** The parts of a verdict that its reason is made from. */
export type Decided = Omit<
  Verdict,
  | 'caseId'
  | 'rubric'
  | 'method'
  | 'why'
  | 'calls'
  | 'usage'
  | 'settings'
  | 'assumed'
  | 'remarks'
  | 'startedAt'
  | 'durationMs'
>;

/** At most two decimals. */
export const rounded = (score: number): string => String(Math.round(score * 100) / 100);

/** The judgements that decided, or the ratings if the panel was not asked. */
export const decisiveJudgements = ({ judgements, ratings = [], decidedInRound }: Decided): Judgement[] =>
  decidedInRound === null ? ratings : judgements.filter(({ round }) => round === decidedInRound);

/** Ratings first. */
export const allJudgements = ({ judgements, ratings = [] }: Decided): Judgement[] => [
  ...ratings,
  ...judgements,
];

/** Whether only the exact checks answered, which are the same for every persona. */
export const isExact = (verdict: Decided): boolean =>
  verdict.judgements.length > 0 && allJudgements(verdict).every(({ judge }) => judge.model === 'rules');

/** The judgements with the verdict's own answer. */
export function backersOf(verdict: Decided): ScoredJudgement[] {
  const scored = decisiveJudgements(verdict).filter(isScored);
  const { decision, score } = verdict;
  if (decision !== 'scored') return scored.filter((judgement) => judgement.decision === decision);
  const same = scored.filter((judgement) => judgement.score === score);
  return same.length > 0 ? same : scored;
}

/** `72 of 100`; without the scale if that is unknown. */
export function scoreText(score: number | null, scale: Verdict['scale'], language: Language): string {
  const { number, scoreOf } = wordsIn(language).verdict;
  return scoreOf({
    score: score === null ? '–' : number(score),
    max: scale === undefined ? null : number(scale.max),
  });
}

/** `B is better`, by the names that people use; or `Tie`. */
export function betterText(
  { better, names: [A, B] }: Pick<Preference, 'better' | 'names'>,
  language: Language,
): string {
  const words = wordsIn(language).verdict;
  return better === 'A' || better === 'B' ? words.better(better === 'A' ? A : B) : words.tie;
}

/** `New is better: 2`, for several pairs. */
export const betterCounts = (
  all: readonly Pick<Preference, 'better' | 'names'>[],
  language: Language,
): string[] =>
  [...groupedBy(all, (one) => betterText(one, language))].map(([text, same]) => `${text}: ${same.length}`);

/**
 * `3 of 3 judges, in both orders`: how many prefer what, and how many changed their answer with the order of the two.
 * @param inBothOrders false if it is not known how the judges were asked
 */
function pairBacking(
  { better, judges: said, names: [nameA, nameB] }: Preference,
  panel: number,
  inBothOrders: boolean,
  language: Language,
): string {
  const { backing, split } = wordsIn(language).verdict;
  const prefer = inBothOrders ? backing.bothOrders : backing.alone;
  const { A, B, same, changed } = said;
  const unlessNone = (count: number, text: (of: { count: number; panel: number }) => string): string =>
    count === 0 ? '' : text({ count, panel });
  const order = unlessNone(changed, backing.changed);
  const sides =
    A > 0 && B > 0
      ? [split({ counts: [A, B], sameWeight: false })]
      : [
          unlessNone(A, (of) => backing.prefer({ ...of, name: nameA })),
          unlessNone(B, (of) => backing.prefer({ ...of, name: nameB })),
        ];
  const parts =
    better === 'A' || better === 'B'
      ? [prefer({ count: said[better], panel }), order]
      : [order, unlessNone(same - changed, backing.noDifference), ...sides];
  return parts.filter((part) => part !== '').join('; ');
}

/** A sentence with its reason, if there is one. */
export const ended = (head: string, reason: string): string => (reason === '' ? head : `${head}: ${reason}`);

/** `B names the temperature; A only says yes`; empty if no judge gave a reason. */
export function pairReason({
  better,
  names: [A, B],
  reasons,
}: Pick<Preference, 'better' | 'names' | 'reasons'>): string {
  const told = [
    { name: A, reason: reasons.A },
    { name: B, reason: reasons.B },
  ]
    .filter(({ reason }) => reason !== '')
    .map(({ name, reason }) => `${name} ${reason.replace(/[.;\s]+$/, '')}`);
  return (better === 'B' ? told.reverse() : told).join('; ');
}

/** Who found it: `2 of 3 judges`, `60–85 across 4 judges`, `exact checks`. */
export function backingOf(verdict: Decided, language: Language): string {
  const words = wordsIn(language).verdict;
  const { backing } = words;
  if (verdict.fallback !== undefined) return words.fallback[verdict.fallback];
  if (isExact(verdict)) return words.exact;
  const { decision, tally, confidence, preference } = verdict;
  const { panel, notAsked } = tally;
  // Judgements made elsewhere have no prompt of ours.
  const isAsked = decisiveJudgements(verdict).some(({ promptHash }) => promptHash !== null);
  if (preference !== undefined && decision === 'scored')
    return pairBacking(preference, panel, isAsked, language);
  const scores = decisiveJudgements(verdict).flatMap((one) => (isScored(one) ? (one.score ?? []) : []));
  const count = scores.length;
  if (decision === 'scored' && count > 1) {
    const [low, high] = [words.number(Math.min(...scores)), words.number(Math.max(...scores))];
    return low === high ? backing.same(count) : backing.range({ low, high, count });
  }
  if (decision === 'scored') return words.judges(count);
  const answered = tally.pass + tally.fail + tally.scored;
  if (decision === 'undecided')
    return answered === panel ? words.judges(answered) : backing.answered({ count: answered, panel });
  const backers = backersOf(verdict).length;
  return notAsked > 0 && !verdict.cancelled
    ? backing.ofAsked({ count: backers, asked: panel - notAsked })
    : backing.of({ count: backers, panel, weight: confidence });
}

const unscoredOf = (round: readonly Judgement[]) =>
  round.filter((judgement) => judgement.status === 'unscored');

/** Why judges did not answer, as it is stored: each reason with its count, and the first message that is not a cancellation. */
function storedObstacles(round: readonly Judgement[]): string {
  const unscored = unscoredOf(round);
  const groups = groupedBy(unscored, ({ reason }) => reason);
  const counted = [...groups].map(([reason, group]) => `${group.length} ${reasonText(reason)}`).join(', ');
  const example = unscored.find(({ reason }) => reason !== 'cancelled');
  return [counted, firstSentence(example?.message ?? '')].filter((part) => part !== '').join(': ');
}

/** The same for people: what a model or an endpoint answered is for the details; what a judge could not decide is its reason. */
function obstacles(round: readonly Judgement[], language: Language): string {
  const { silence, silences } = wordsIn(language).verdict;
  const unscored = unscoredOf(round);
  const groups = groupedBy(unscored, ({ reason }) => reason);
  const counts = [...groups].map(([reason, group]) => ({ count: group.length, why: silence[reason] }));
  const open = unscored.find(({ reason }) => reason === 'unsupported');
  const said = firstSentence(open?.message ?? '');
  if (said !== '' && groups.size === 1) return said;
  return ended(silences(counts), said);
}

const hasDecision = (criteria: readonly CriterionVerdict[], wanted: CriterionVerdict['decision']) =>
  criteria.filter(({ decision }) => decision === wanted);

/** The answers of an undecided panel with their judges, if they are tied. Heaviest first. */
export function sidesOf(verdict: Decided): { answer: string; backers: ScoredJudgement[] }[] {
  const { tally } = verdict;
  const scored = decisiveJudgements(verdict).filter(isScored);
  if (verdict.decision !== 'undecided' || scored.length * 2 <= tally.panel - tally.notRelevant) return [];
  return [...groupedBy(scored, answerOf)]
    .map(([answer, backers]) => ({ answer, backers }))
    .sort((a, b) => b.backers.length - a.backers.length || (a.answer > b.answer ? -1 : 1));
}

type Obstacles = (round: readonly Judgement[]) => string;

/** `the judges split 1 : 1`. Judges that did not answer come first, since they might have broken the tie. */
function splitText(
  counts: readonly number[],
  round: readonly Judgement[],
  panel: number,
  why: Obstacles,
  language: Language,
): string {
  const words = wordsIn(language).verdict;
  const sameWeight = counts.some((count) => count !== counts[0]);
  const silent = round.filter((one) => !isScored(one) && isFailure(one.reason));
  return silent.length === 0
    ? words.split({ counts, sameWeight })
    : words.splitWithSilent({ counts, sameWeight, silent: silent.length, panel, why: why(silent) });
}

/** How much exact checks could check, if they found nothing wrong: `3 of 5 criteria hold, 2 could not be checked`. */
function partialText(criteria: readonly CriterionVerdict[], language: Language): string {
  const words = wordsIn(language).verdict;
  const asked = criteria.filter((one) => !isNotAsked(one));
  const [holding, open] = [hasDecision(asked, 'pass'), hasDecision(asked, 'undecided')];
  if (holding.length === 0) return firstSentence(open[0]?.rationale ?? words.nothingChecked);
  // Nothing fails here, so what does not hold could not be checked: undecided, or without what its check needs.
  return words.partly({ holding: holding.length, asked: asked.length, open: asked.length - holding.length });
}

/** @param isStored keeps what models and endpoints answered: for the sentence that is stored, in English */
function whyUndecided(verdict: Decided, language: Language, isStored = false): string {
  const words = wordsIn(language).verdict;
  const why: Obstacles = isStored ? storedObstacles : (of) => obstacles(of, language);
  const { tally, criteria, ratings = [], cancelled } = verdict;
  const { panel } = tally;
  const round = decisiveJudgements(verdict);
  const asked = verdict.decidedInRound !== null;
  if (asked && verdict.preference !== undefined && isExact(verdict)) return words.pairNeedsModel;
  if (!asked && cancelled) return words.nobodyYet;
  if (!asked && ratings.length > 0) return words.noRatings(why(ratings));
  if (!asked) return words.nothingToJudgeBy;
  if (tally.notRelevant * 2 > panel) return words.foundNotRelevant({ count: tally.notRelevant, panel });
  const sides = sidesOf(verdict);
  if (sides.length > 0) {
    const counts = sides.map(({ backers }) => backers.length);
    return splitText(counts, round, panel, why, language);
  }
  if (round.every((one) => one.status === 'unscored' && one.reason === 'unsupported') && isExact(verdict))
    return partialText(criteria, language);
  const count = tally.pass + tally.fail + tally.scored;
  if (cancelled && count === 0) return words.nobodyYet;
  switch (gapOf(verdict)) {
    case 'unanswered': {
      const [reason, ...others] = new Set(unscoredOf(round).map((one) => one.reason));
      return isStored || reason === undefined || others.length > 0
        ? words.noneAnswered({ panel, why: why(round) })
        : words.allSilent[reason];
    }
    case 'no-quorum': {
      const few = words.fewAnswered({ count, panel, why: why(round) });
      return isStored ? `no quorum: ${few}` : few;
    }
    case 'undecided':
      return words.fewDecided({ count, panel, why: why(round) });
  }
}

/** What the judges behind the verdict say about the criterion that most judges fail; null if they fail none. */
function mainFailure(verdict: Decided): Finding | null {
  const findings = backersOf(verdict).flatMap(({ criteria }) => criteria);
  const byWeight = [...verdict.criteria].sort((a, b) => b.tally.fail - a.tally.fail);
  for (const { id } of byWeight) {
    const failing = findings.find((finding) => finding.id === id && finding.decision === 'fail');
    if (failing !== undefined) return failing;
  }
  return null;
}

/** `Time and Cost do not hold`: the reason of a panel that was asked for none. */
const describeTitles = (
  criteria: readonly CriterionVerdict[],
  text: (titles: readonly string[]) => string,
): string => (criteria.length === 0 ? '' : text(criteria.map(({ title }) => title)));

/** The main reason for an outcome in one sentence, without who found it. Reasons of judges are in the judges' own words. */
export const reasonOf = (verdict: Decided, language: Language): string =>
  mainReason(verdict, language, false);

function mainReason(verdict: Decided, language: Language, isStored: boolean): string {
  const { decision, criteria } = verdict;
  const words = wordsIn(language).verdict;
  const backers = backersOf(verdict);
  switch (decision) {
    case 'pass': {
      const judged = criteria.filter((one) => one.decision !== 'not-judged' && !isNotAsked(one));
      const holding = hasDecision(judged, 'pass');
      if (judged.length > 1 && holding.length === judged.length)
        return words.allHold({ count: judged.length, someNotJudged: judged.length < criteria.length });
      const reason = firstSentence(backers[0]?.rationale ?? null);
      return reason === '' ? describeTitles(holding, words.hold) : reason;
    }
    case 'fail':
      return (
        firstSentence(mainFailure(verdict)?.rationale ?? backers[0]?.rationale ?? null) ||
        describeTitles(hasDecision(criteria, 'fail'), words.fail)
      );
    case 'scored': {
      if (verdict.preference !== undefined)
        return ended(betterText(verdict.preference, language), pairReason(verdict.preference));
      const from = ({ score }: ScoredJudgement) => Math.abs((score ?? 0) - (verdict.score ?? 0));
      const [nearest] = [...backers].sort((a, b) => from(a) - from(b));
      return firstSentence(nearest?.rationale ?? null);
    }
    case 'undecided':
      return whyUndecided(verdict, language, isStored);
  }
}

/** `2 of 3 judges: it was closed; also failing: Cost`. */
function mainText(verdict: Decided): string {
  const [reason, backing] = [mainReason(verdict, 'en', true), backingOf(verdict, 'en')];
  switch (verdict.decision) {
    case 'pass':
      return `${backing}: ${reason}`;
    case 'fail': {
      const main = mainFailure(verdict)?.id;
      const others = hasDecision(verdict.criteria, 'fail').filter(
        ({ id }) => main !== undefined && id !== main,
      );
      const hasReason = mainFailure(verdict)?.rationale !== null;
      const also = hasReason ? others.map(({ title }) => title).join(', ') : '';
      return `${backing}: ${reason}${also === '' ? '' : `; also failing: ${also}`}`;
    }
    case 'scored':
      if (verdict.preference !== undefined)
        return ended(`${betterText(verdict.preference, 'en')} (${backing})`, pairReason(verdict.preference));
      return ended(`${scoreText(verdict.score, verdict.scale, 'en')} (${backing})`, reason);
    case 'undecided':
      return verdict.fallback === undefined ? reason : `${backing}: ${reason}`;
  }
}

/**
 * The outcome of a verdict and its main reason in one line, with what was left out. It is stored with the verdict, in English; people
 * are shown {@link reasonOf}.
 */
export function whyOf(verdict: Decided): string {
  const { criteria, cancelled, decidedInRound, ratings } = verdict;
  const left = groupedBy(hasDecision(criteria, 'not-judged'), ({ rationale }) => rationale);
  const notJudged = [...left]
    .map(([reason, rows]) => `${rows.map(({ id }) => id).join(', ')} (${reason})`)
    .join('; ');
  // A panel answers even if some ratings are missing; the reader must know which.
  const unrated = ratings !== undefined && decidedInRound !== null ? hasDecision(criteria, 'undecided') : [];
  return [
    cancelled ? 'stopped early' : '',
    cutShortText(verdict, 'en'),
    mainText(verdict),
    unrated.length > 0 ? `no rating of ${unrated.map(({ id }) => id).join(', ')}` : '',
    notJudged === '' ? '' : `not judged: ${notJudged}`,
  ]
    .filter((part) => part !== '')
    .join('; ');
}

/** Which round decided if a later one was cut short; otherwise empty. */
export const cutShortText = ({ decidedInRound, rounds }: Decided, language: Language): string =>
  decidedInRound === null || decidedInRound >= rounds - 1
    ? ''
    : wordsIn(language).verdict.cutShort(decidedInRound);

/** Begins the remark with the words of an endpoint, where exact checks stand in for its model. Only the details show it. */
export const NO_MODEL = 'no model judged this: ';

/** What is wrong with the endpoint of the models, if that is why they did not decide; null otherwise. */
export function troubleOf(verdict: Verdict): EndpointTrouble | null {
  if (verdict.trouble !== undefined || verdict.decision !== 'undecided') return verdict.trouble ?? null;
  const last = decisiveJudgements(verdict);
  if (last.some(isScored)) return null;
  return last.flatMap((one) => (isScored(one) ? [] : (one.trouble ?? []))).at(0) ?? null;
}
