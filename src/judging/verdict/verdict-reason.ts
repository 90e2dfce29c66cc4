import { groupedBy } from '../../common/index.ts';
import { andList, firstSentence, percent } from '../../common/text/index.ts';
import {
  answerOf,
  type Finding,
  isNotAsked,
  isScored,
  type Judgement,
  reasonText,
  type ScoredJudgement,
} from './judgement.ts';
import {
  type CriterionVerdict,
  fallbackText,
  gapOf,
  isFailure,
  type Preference,
  type Verdict,
} from './verdict.ts';

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

const judges = (count: number): string => (count === 1 ? '1 judge' : `${count} judges`);

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
export const scoreText = (score: number | null, scale: Verdict['scale']): string =>
  `${score === null ? '–' : rounded(score)}${scale === undefined ? '' : ` of ${rounded(scale.max)}`}`;

/** `B is better`, by the names that people use; or `Tie`. */
export const betterText = ({ better, names: [A, B] }: Pick<Preference, 'better' | 'names'>): string =>
  better === 'A' || better === 'B' ? `${better === 'A' ? A : B} is better` : 'Tie';

/** `New is better: 2`, for several pairs. */
export const betterCounts = (all: readonly Pick<Preference, 'better' | 'names'>[]): string[] =>
  [...groupedBy(all, betterText)].map(([text, same]) => `${text}: ${same.length}`);

/** `3 of 3 judges, in both orders`: how many prefer what, and how many changed their answer with the order of the two. */
function pairBacking({ better, judges: said, names: [nameA, nameB] }: Preference, panel: number): string {
  const { A, B, same, changed } = said;
  const of = (count: number, does: string, plural: string): string =>
    count === 0 ? '' : `${count} of ${judges(panel)} ${count === 1 ? does : plural}`;
  const order = of(changed, 'changed with the order', 'changed with the order');
  const sides =
    A > 0 && B > 0
      ? [`the judges split ${A} : ${B}`]
      : [of(A, `prefers ${nameA}`, `prefer ${nameA}`), of(B, `prefers ${nameB}`, `prefer ${nameB}`)];
  const parts =
    better === 'A' || better === 'B'
      ? [`${said[better]} of ${judges(panel)}, in both orders`, order]
      : [order, of(same - changed, 'sees no difference', 'see no difference'), ...sides];
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
export function backingOf(verdict: Decided): string {
  if (verdict.fallback !== undefined) return fallbackText(verdict.fallback);
  if (isExact(verdict)) return 'exact checks';
  const { decision, tally, confidence, preference } = verdict;
  if (preference !== undefined && decision === 'scored') return pairBacking(preference, tally.panel);
  const scores = decisiveJudgements(verdict).flatMap((one) => (isScored(one) ? (one.score ?? []) : []));
  if (decision === 'scored' && scores.length > 1) {
    const [low, high] = [rounded(Math.min(...scores)), rounded(Math.max(...scores))];
    return low === high
      ? `the same from ${judges(scores.length)}`
      : `${low}–${high} across ${judges(scores.length)}`;
  }
  if (decision === 'scored') return judges(scores.length);
  const answered = tally.pass + tally.fail + tally.scored;
  if (decision === 'undecided')
    return answered === tally.panel ? judges(answered) : `${answered} of ${judges(tally.panel)} answered`;
  const weight = confidence === null ? '' : `, ${percent(confidence)} of the weight`;
  return `${backersOf(verdict).length} of ${judges(tally.panel)}${weight}`;
}

/** Why judges did not answer: each reason with its count, and the first message that is not a cancellation. */
function obstacles(round: readonly Judgement[]): string {
  const unscored = round.filter((judgement) => judgement.status === 'unscored');
  const groups = groupedBy(unscored, ({ reason }) => reason);
  const counted = [...groups].map(([reason, group]) => `${group.length} ${reasonText(reason)}`).join(', ');
  const example = unscored.find(({ reason }) => reason !== 'cancelled');
  return [counted, firstSentence(example?.message ?? '')].filter((part) => part !== '').join(': ');
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

/** `the judges split 1 : 1`. Judges that did not answer come first, since they might have broken the tie. */
function splitText(counts: readonly number[], round: readonly Judgement[], panel: number): string {
  const uneven = counts.some((count) => count !== counts[0]);
  const split = `split ${counts.join(' : ')}${uneven ? ', with the same weight on each side' : ''}`;
  const silent = round.filter((one) => !isScored(one) && isFailure(one.reason));
  return silent.length === 0
    ? `the judges ${split}`
    : `${silent.length} of ${judges(panel)} did not answer (${obstacles(silent)}); the others ${split}`;
}

/** How much exact checks could check, if they found nothing wrong: `3 of 5 criteria hold, 2 could not be checked`. */
function partialText(criteria: readonly CriterionVerdict[]): string {
  const asked = criteria.filter((one) => !isNotAsked(one));
  const [holding, open] = [hasDecision(asked, 'pass'), hasDecision(asked, 'undecided')];
  if (holding.length === 0) return firstSentence(open[0]?.rationale ?? 'nothing could be checked');
  return `${holding.length} of ${asked.length} criteria ${holding.length === 1 ? 'holds' : 'hold'}, ${open.length} could not be checked`;
}

function whyUndecided(verdict: Decided): string {
  const { tally, criteria, ratings = [], cancelled } = verdict;
  const round = decisiveJudgements(verdict);
  const asked = verdict.decidedInRound !== null;
  if (asked && verdict.preference !== undefined && isExact(verdict))
    return 'exact checks do not tell which answer is better: this needs a model';
  if (!asked && cancelled) return 'no judge had answered';
  if (!asked && ratings.length > 0)
    return `no criterion could be rated, so there was nothing to discuss (${obstacles(ratings)})`;
  if (!asked) return 'the case lacks fields that every criterion needs';
  if (tally.notRelevant * 2 > tally.panel)
    return `${tally.notRelevant} of ${judges(tally.panel)} found the rubric not relevant to this case`;
  const sides = sidesOf(verdict);
  if (sides.length > 0) {
    const counts = sides.map(({ backers }) => backers.length);
    return splitText(counts, round, tally.panel);
  }
  if (round.every((one) => one.status === 'unscored' && one.reason === 'unsupported') && isExact(verdict))
    return partialText(criteria);
  const answered = tally.pass + tally.fail + tally.scored;
  if (cancelled && answered === 0) return 'no judge had answered';
  const why = obstacles(round);
  switch (gapOf(verdict)) {
    case 'unanswered':
      return `${tally.panel === 1 ? 'the judge did not answer' : `none of ${judges(tally.panel)} answered`} (${why})`;
    case 'no-quorum':
      return `no quorum: only ${answered} of ${judges(tally.panel)} answered (${why})`;
    case 'undecided':
      return `${tally.panel === 1 ? 'the judge could not decide' : `only ${answered} of ${judges(tally.panel)} could decide`} (${why})`;
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
const describeTitles = (criteria: readonly CriterionVerdict[], one: string, many: string): string =>
  criteria.length === 0
    ? ''
    : `${andList(criteria.map(({ title }) => title))} ${criteria.length === 1 ? one : many}`;

/** The main reason for an outcome in one sentence, without who found it. */
export function reasonOf(verdict: Decided): string {
  const { decision, criteria } = verdict;
  const backers = backersOf(verdict);
  switch (decision) {
    case 'pass': {
      const judged = criteria.filter((one) => one.decision !== 'not-judged' && !isNotAsked(one));
      const holding = hasDecision(judged, 'pass');
      const which = judged.length < criteria.length ? 'judged criteria' : 'criteria';
      if (judged.length > 1 && holding.length === judged.length)
        return `${judged.length === 2 ? 'both' : `all ${judged.length}`} ${which} hold`;
      const reason = firstSentence(backers[0]?.rationale ?? null);
      return reason === '' ? describeTitles(holding, 'holds', 'hold') : reason;
    }
    case 'fail':
      return (
        firstSentence(mainFailure(verdict)?.rationale ?? backers[0]?.rationale ?? null) ||
        describeTitles(hasDecision(criteria, 'fail'), 'does not hold', 'do not hold')
      );
    case 'scored': {
      if (verdict.preference !== undefined)
        return ended(betterText(verdict.preference), pairReason(verdict.preference));
      const from = ({ score }: ScoredJudgement) => Math.abs((score ?? 0) - (verdict.score ?? 0));
      const [nearest] = [...backers].sort((a, b) => from(a) - from(b));
      return firstSentence(nearest?.rationale ?? null);
    }
    case 'undecided':
      return whyUndecided(verdict);
  }
}

/** `2 of 3 judges: it was closed; also failing: Cost`. */
function mainText(verdict: Decided): string {
  const [reason, backing] = [reasonOf(verdict), backingOf(verdict)];
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
        return ended(`${betterText(verdict.preference)} (${backing})`, pairReason(verdict.preference));
      return ended(`${scoreText(verdict.score, verdict.scale)} (${backing})`, reason);
    case 'undecided':
      return verdict.fallback === undefined ? reason : `${backing}: ${reason}`;
  }
}

/** The outcome of a verdict and its main reason in one line, with what was left out. */
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
    cutShortText(verdict),
    mainText(verdict),
    unrated.length > 0 ? `no rating of ${unrated.map(({ id }) => id).join(', ')}` : '',
    notJudged === '' ? '' : `not judged: ${notJudged}`,
  ]
    .filter((part) => part !== '')
    .join('; ');
}

/** Which round decided if a later one was cut short; otherwise empty. */
export const cutShortText = ({ decidedInRound, rounds }: Decided): string =>
  decidedInRound === null || decidedInRound >= rounds - 1
    ? ''
    : `round ${decidedInRound + 2} was not finished, after round ${decidedInRound + 1}`;
