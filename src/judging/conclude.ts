import { firstSentence } from '../common/text.ts';
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
 * scores. Criteria that are not relevant do not count; if none is relevant, neither is the rubric.
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
  return { kind: 'score', score: scores.reduce((sum, score) => sum + score, 0) / scores.length };
}

/** Whether a judge is asked for a decision of its own, or it follows from the findings. */
export const asksForDecision = (criteria: readonly Criterion[], decide: Rubric['decide']): boolean =>
  decide === 'all' && !criteria.some(({ mayNotApply }) => mayNotApply);

const listed = (items: readonly string[]): string =>
  items.length < 2 ? (items[0] ?? '') : `${items.slice(0, -1).join(', ')} and ${items.at(-1)}`;

interface TitledFinding {
  title: string;
  finding: Finding;
  /** Null on a binary scale. */
  range: { min: number; max: number } | null;
}

function describeScores(titled: readonly TitledFinding[]): string[] {
  const scored = titled.flatMap((one) =>
    one.finding.score === null || one.range === null
      ? []
      : [{ ...one, score: one.finding.score, ...one.range }],
  );
  const below = scored
    .filter(({ score, max }) => score < max)
    // By the missing share, so that different scales compare; the sort keeps the rubric's order among equals.
    .sort((a, b) => (b.max - b.score) / (b.max - b.min) - (a.max - a.score) / (a.max - a.min));
  const full = scored.filter(({ score, max }) => score >= max).map(({ title }) => title);
  const best =
    full.length === titled.length ? 'Full marks on every criterion.' : `Full marks: ${listed(full)}.`;
  const praise = full.length > 0 ? best : '';
  const [first] = below;
  if (first === undefined) return [praise];
  const weakest = below.filter(({ score, max }) => score === first.score && max === first.max);
  const others = below.filter((one) => !weakest.includes(one)).map(({ title, score }) => `${title} ${score}`);
  const [subject, verb] = [listed(weakest.map(({ title }) => title)), weakest.length > 1 ? 'are' : 'is'];
  return [
    `${subject} ${verb} weakest with ${first.score} of ${first.max}.`,
    `${first.title}: ${firstSentence(first.finding.rationale)}.`,
    others.length > 0 ? `Then ${listed(others)}.` : '',
    praise,
  ];
}

/** Unscored criteria, grouped by reason. */
function describeUnscored(open: readonly TitledFinding[]): string[] {
  const reasons = [...new Set(open.map(({ finding }) => firstSentence(finding.rationale)))];
  return reasons.map((reason) => {
    const titles = open
      .filter(({ finding }) => firstSentence(finding.rationale) === reason)
      .map(({ title }) => title);
    return `No answer on ${listed(titles)}: ${reason}.`;
  });
}

/** Findings in a few sentences, worst first: the rationale of a judge that was asked about each criterion separately. */
export function describeFindings(criteria: readonly Criterion[], findings: readonly Finding[]): string {
  const titled = findings.flatMap((finding): TitledFinding[] => {
    const criterion = criteria.find(({ id }) => id === finding.id);
    if (criterion === undefined) return [];
    const { title, scale } = criterion;
    return [{ title, finding, range: rangeOf(scale) }];
  });
  const having = (decision: Finding['decision']) =>
    titled.filter(({ finding }) => finding.decision === decision);
  const reasons = (list: readonly TitledFinding[]) =>
    list.map(({ title, finding }) => `${title}: ${firstSentence(finding.rationale)}.`);
  const passed = having('pass').map(({ title }) => title);
  const aside = having('not-relevant').map(({ title }) => title);
  return [
    ...reasons(having('fail')),
    ...describeUnscored(having('unscored')),
    ...describeScores(titled),
    passed.length > 0 ? `Passed: ${listed(passed)}.` : '',
    aside.length > 0 ? `Not relevant: ${listed(aside)}.` : '',
  ]
    .filter((sentence) => sentence !== '')
    .join(' ');
}
