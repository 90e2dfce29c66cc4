import { groupedBy } from '../common/index.ts';
import { andList, firstSentence } from '../common/text/index.ts';
import { type Criterion, type Method, type Rubric, rangeOf, type SetAside } from './standards/index.ts';
import {
  answerOf,
  type CriterionVerdict,
  type Finding,
  isScored,
  type Judgement,
  leaderOf,
  notRelevantOf,
  quorumOf,
  type ScoredJudgement,
  scoredOf,
  type UnscoredReason,
} from './verdict/index.ts';

/**
 * The weight of a stated confidence (0 to 1) in a confidence-weighted vote, in tenths: the calibration f(p) of Habicht et al.,
 * Benchmarking Contextual Understanding, section 4.4.3. In tenths, because sums of 0.1 and 0.3 are not exact in floating point, so
 * ties could be missed.
 */
export function confidenceWeight(confidence: number): number {
  if (confidence >= 1) return 10;
  if (confidence >= 0.9) return 8;
  if (confidence >= 0.8) return 5;
  if (confidence >= 0.6) return 3;
  return 1;
}

/** The outcome of a panel's answers. */
export type Reduction =
  | { kind: 'answer'; answer: string; confidence: number | null }
  | { kind: 'mean'; score: number };

/** The weight of a judgement. In a weighted vote, no stated confidence counts as the lowest. */
const weightBy =
  (by: Method['reduce']) =>
  ({ confidence }: ScoredJudgement): number =>
    by === 'weighted' ? confidenceWeight(confidence ?? 0) : 1;

/** Sorted first, so that the floating-point sum does not depend on the seats. */
const meanOf = (scores: readonly number[]): number =>
  [...scores].sort((a, b) => a - b).reduce((sum, score) => sum + score, 0) / scores.length;

/**
 * Reduces the scored judgements of the last round to one outcome; null on a tie, without a quorum, or if most judges find the rubric
 * not relevant. Weights of `weighted` are in tenths.
 *
 * @param panelSize seats, asked or not
 * @param notRelevant judges that found the rubric not relevant. More than half of the panel make that the outcome; fewer are left
 *   out, and more than half of the others must have answered
 */
export function reduce(
  scored: readonly ScoredJudgement[],
  panelSize: number,
  notRelevant: number,
  by: Method['reduce'],
): Reduction | null {
  if (notRelevant >= quorumOf(panelSize)) return null;
  const needed = quorumOf(panelSize - notRelevant);
  if (scored.length < needed) return null;
  switch (by) {
    case 'majority':
    case 'weighted': {
      const weightOf = weightBy(by);
      const answer = leaderOf(scored.map((one) => [answerOf(one), weightOf(one)]));
      if (answer === null) return null;
      const weightIn = (some: readonly ScoredJudgement[]) =>
        some.reduce((sum, one) => sum + weightOf(one), 0);
      const support = weightIn(scored.filter((one) => answerOf(one) === answer)) / weightIn(scored);
      return { kind: 'answer', answer, confidence: by === 'weighted' ? support : null };
    }
    case 'mean': {
      const scores = scored.map(({ score }) => score).filter((score) => score !== null);
      return scores.length < needed ? null : { kind: 'mean', score: meanOf(scores) };
    }
  }
}

/** Reasons that end a round from outside, unlike a bad answer. */
const INTERRUPTIONS: readonly UnscoredReason[] = ['cancelled', 'timeout', 'budget', 'rate-limited'];

const hasQuorum = (round: readonly Judgement[], panelSize: number): boolean =>
  scoredOf(round).length + notRelevantOf(round).length >= quorumOf(panelSize);

/**
 * The last round, or, if that one was cut short without a quorum, the last earlier one with a quorum: a complete round is not lost
 * because time or money ran out later. `index`: from 0; null if no judge was asked.
 */
export function decidingRound(rounds: readonly (readonly Judgement[])[], panelSize: number) {
  const last = rounds.at(-1);
  if (last === undefined) return { index: null, judgements: [] };
  const wasCut =
    last.length < panelSize ||
    last.some((judgement) => !isScored(judgement) && INTERRUPTIONS.includes(judgement.reason));
  const earlier = rounds.slice(0, -1).findLastIndex((round) => hasQuorum(round, panelSize));
  const whole = rounds[earlier];
  if (hasQuorum(last, panelSize) || !wasCut || whole === undefined)
    return { index: rounds.length - 1, judgements: last };
  return { index: earlier, judgements: whole };
}

/** The outcome of one judge's findings under a rubric. */
export type Conclusion =
  | { kind: 'decision'; decision: 'pass' | 'fail' }
  | { kind: 'score'; score: number }
  | { kind: 'not-relevant' }
  | { kind: 'inconclusive' };

/**
 * `all`: fails if any criterion fails, passes if every relevant criterion passes, otherwise inconclusive. `mean`: the mean of the
 * scores. `pair`: the answer that more criteria prefer. Criteria that are not relevant do not count; if none is relevant, neither is
 * the rubric.
 */
export function conclude(findings: readonly Finding[], decide: Rubric['decide']): Conclusion {
  const relevant = findings.filter(({ decision }) => decision !== 'not-relevant');
  if (relevant.length === 0) return findings.length > 0 ? { kind: 'not-relevant' } : { kind: 'inconclusive' };
  if (decide === 'all') {
    if (relevant.some(({ decision }) => decision === 'fail')) return { kind: 'decision', decision: 'fail' };
    return relevant.every(({ decision }) => decision === 'pass')
      ? { kind: 'decision', decision: 'pass' }
      : { kind: 'inconclusive' };
  }
  const scores = relevant.map(({ score }) => score).filter((score) => score !== null);
  if (scores.length < relevant.length) return { kind: 'inconclusive' };
  const sum = scores.reduce((total, score) => total + score, 0);
  return { kind: 'score', score: decide === 'pair' ? Math.sign(sum) : sum / scores.length };
}

/** Whether a judge is asked for a decision of its own, or it follows from the findings. */
export const asksForDecision = (criteria: readonly Criterion[], decide: Rubric['decide']): boolean =>
  decide === 'all' && !criteria.some(({ mayNotApply }) => mayNotApply);

interface TitledFinding {
  title: string;
  reason: string;
  decision: Finding['decision'];
  /** Null if there is no score, or on a binary scale. */
  score: { of: number; max: number; missing: number } | null;
}

function titledOf(
  criteria: readonly Criterion[],
  { id, decision, score, rationale }: Finding,
): TitledFinding[] {
  const criterion = criteria.find((one) => one.id === id);
  if (criterion === undefined) return [];
  const range = rangeOf(criterion.scale);
  const scored =
    score === null || range === null
      ? null
      : // The missing share, so that different scales compare.
        { of: score, max: range.max, missing: (range.max - score) / (range.max - range.min) };
  return [{ title: criterion.title, reason: firstSentence(rationale), decision, score: scored }];
}

/** The lowest scores with a reason, then the others. */
function describeScores(titled: readonly TitledFinding[]): string[] {
  const scored = titled.flatMap(({ score, ...one }) => (score === null ? [] : [{ ...one, ...score }]));
  const below = scored.filter(({ missing }) => missing > 0).sort((a, b) => b.missing - a.missing);
  const full = scored.filter(({ missing }) => missing <= 0).map(({ title }) => title);
  const praise =
    full.length === titled.length ? 'Full marks on every criterion.' : `Full marks: ${andList(full)}.`;
  const [first] = below;
  const isWeakest = ({ of, max }: { of: number; max: number }) => of === first?.of && max === first.max;
  const weakest = below.filter(isWeakest).map(({ title }) => title);
  const others = below.filter((one) => !isWeakest(one)).map(({ title, of }) => `${title} ${of}`);
  return [
    ...(first === undefined
      ? []
      : [
          `${andList(weakest)} ${weakest.length > 1 ? 'are' : 'is'} weakest with ${first.of} of ${first.max}.`,
          `${first.title}: ${first.reason}.`,
        ]),
    ...(others.length > 0 ? [`Then ${andList(others)}.`] : []),
    ...(full.length > 0 ? [praise] : []),
  ];
}

/** Findings in a few sentences, worst first: the rationale of a judge that was asked about each criterion separately. */
export function describeFindings(criteria: readonly Criterion[], findings: readonly Finding[]): string {
  const titled = findings.flatMap((finding) => titledOf(criteria, finding));
  const having = (wanted: Finding['decision']) => titled.filter(({ decision }) => decision === wanted);
  const named = (intro: string, wanted: Finding['decision']) => {
    const titles = having(wanted).map(({ title }) => title);
    return titles.length > 0 ? [`${intro}: ${andList(titles)}.`] : [];
  };
  const open = groupedBy(having('unscored'), ({ reason }) => reason);
  return [
    ...having('fail').map(({ title, reason }) => `${title}: ${reason}.`),
    ...[...open].map(
      ([reason, group]) => `No answer on ${andList(group.map(({ title }) => title))}: ${reason}.`,
    ),
    ...describeScores(titled),
    ...named('Passed', 'pass'),
    ...named('Not relevant', 'not-relevant'),
  ].join(' ');
}

const noTally = { pass: 0, fail: 0, scored: 0, unscored: 0, notRelevant: 0 };

/** Judgements with the winning answer first, so that criteria show the winning side's rationale. */
function winnersFirst(judgements: readonly Judgement[], reduction: Reduction | null): Judgement[] {
  if (reduction?.kind !== 'answer') return [...judgements];
  const won = (judgement: Judgement) =>
    judgement.status === 'scored' && answerOf(judgement) === reduction.answer ? 0 : 1;
  return [...judgements].sort((a, b) => won(a) - won(b));
}

/** One judge's finding on a criterion, with its weight. */
interface Voice {
  finding: Finding;
  weight: number;
}

/** A criterion's own parts of its verdict. */
function headOf({ id, title, dimension, scale }: Criterion) {
  const range = rangeOf(scale);
  return {
    id,
    title,
    ...(dimension === undefined ? {} : { dimension }),
    ...(range === null ? {} : { scale: range }),
  };
}

/** What the judges decided whether or not they found the criterion relevant; null if none found it not relevant, or said so. */
function whetherRelevant(voices: readonly Voice[]): CriterionVerdict['ifRelevant'] | null {
  if (!voices.some(({ finding }) => finding.ifRelevant !== undefined)) return null;
  const answers = voices.flatMap(({ finding, weight }) => {
    const said = finding.ifRelevant ?? finding.decision;
    return said === 'pass' || said === 'fail' ? [[said, weight] as const] : [];
  });
  return (answers.length < quorumOf(voices.length) ? null : leaderOf(answers)) ?? 'undecided';
}

function pooled(criterion: Criterion, voices: readonly Voice[]): CriterionVerdict {
  const findings = voices.map(({ finding }) => finding);
  const tally = { ...noTally };
  for (const { decision } of findings) tally[decision === 'not-relevant' ? 'notRelevant' : decision] += 1;
  const { pass, fail, scored, unscored, notRelevant } = tally;
  const answered = pass + fail + scored;
  // More than half of the judges that found it relevant must have answered.
  const relevant = answered + unscored;
  const isAside = notRelevant >= quorumOf(relevant + notRelevant);
  const answers = voices.flatMap(({ finding: { decision }, weight }) =>
    decision === 'unscored' || decision === 'not-relevant' ? [] : [[decision, weight] as const],
  );
  const leader = answered < quorumOf(relevant) ? null : leaderOf(answers);
  const decision = isAside ? 'not-relevant' : (leader ?? 'undecided');
  const scores = findings.flatMap(({ score }) => score ?? []);
  const ifRelevant = whetherRelevant(voices);
  const representative = findings.find((finding) => finding.decision === decision) ?? findings[0];
  return {
    ...headOf(criterion),
    decision,
    ...(ifRelevant === null ? {} : { ifRelevant }),
    score: scores.length > 0 ? meanOf(scores) : null,
    tally,
    rationale: representative === undefined ? 'no judge answered' : representative.rationale,
  };
}

/**
 * The panel's finding on each criterion, in the rubric's order: the majority, weighted as the method weights answers; undecided on a
 * tie or without a quorum; the mean of scores. If no judge answered, their partial findings are used. Criteria that were set aside
 * come with the reason.
 *
 * @param reduction the outcome of the panel's answers; null if they did not answer the criteria
 */
export function criterionVerdicts(
  round: readonly Judgement[],
  criteria: readonly Criterion[],
  setAside: readonly SetAside[],
  reduction: Reduction | null,
  by: Method['reduce'],
): CriterionVerdict[] {
  const answered = [...scoredOf(round), ...notRelevantOf(round)];
  const heard = winnersFirst(answered.length > 0 ? answered : round, reduction);
  const weightOf = weightBy(by);
  const voices = new Map(criteria.map(({ id }) => [id, [] as Voice[]]));
  for (const judgement of heard) {
    const weight = isScored(judgement) ? weightOf(judgement) : 1;
    for (const finding of judgement.criteria) voices.get(finding.id)?.push({ finding, weight });
  }
  return [
    ...criteria.map((criterion) => pooled(criterion, voices.get(criterion.id) ?? [])),
    ...setAside.map(({ criterion, reason }) => ({
      ...headOf(criterion),
      decision: 'not-judged' as const,
      score: null,
      tally: noTally,
      rationale: reason,
    })),
  ];
}
