import { groupedBy } from '../common/collections.ts';
import { andList, firstSentence } from '../common/text.ts';
import type { Finding } from './judgement.ts';
import { type Criterion, type Rubric, rangeOf } from './rubric.ts';

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
  /** Null if there is none, or on a binary scale. */
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
