import { firstSentence } from './first-sentence.ts';
import type { Finding } from './judgement.ts';
import type { Criterion } from './rubric.ts';
import { isBinary } from './scale.ts';

const listed = (items: readonly string[]): string =>
  items.length < 2 ? (items[0] ?? '') : `${items.slice(0, -1).join(', ')} and ${items.at(-1)}`;

interface Told {
  title: string;
  finding: Finding;
  /** The most that can be reached; null on a binary scale. */
  most: number | null;
}

function tellScores(told: readonly Told[]): string[] {
  const scored = told.flatMap((one) =>
    one.finding.score === null || one.most === null
      ? []
      : [{ ...one, score: one.finding.score, most: one.most }],
  );
  const below = scored
    .filter(({ score, most }) => score < most)
    // By what is missing, so that scales of different lengths compare; the sort keeps the rubric's order among equals.
    .sort((a, b) => a.score / a.most - b.score / b.most);
  const [weakest, ...others] = below;
  if (weakest === undefined) return scored.length > 0 ? ['Full marks on every criterion.'] : [];
  const shown = ({ title, score }: (typeof scored)[number]) => `${title} ${score}`;
  const full = scored.filter(({ score, most }) => score >= most).map(({ title }) => title);
  return [
    `Weakest is ${weakest.title} with ${weakest.score} of ${weakest.most}: ${firstSentence(weakest.finding.rationale)}.`,
    others.length > 0 ? `Then ${listed(others.map(shown))}.` : '',
    full.length > 0 ? `Full marks: ${listed(full)}.` : '',
  ];
}

/** A judge's findings in a few sentences, worst first, for a judge that was asked about each criterion by itself. */
export function tellFindings(criteria: readonly Criterion[], findings: readonly Finding[]): string {
  const told = findings.flatMap((finding): Told[] => {
    const criterion = criteria.find(({ id }) => id === finding.id);
    if (criterion === undefined) return [];
    const { title, scale } = criterion;
    return [{ title, finding, most: isBinary(scale) ? null : scale.max }];
  });
  const having = (decision: Finding['decision']) =>
    told.filter(({ finding }) => finding.decision === decision);
  const reasons = (list: readonly Told[]) =>
    list.map(({ title, finding }) => `${title}: ${firstSentence(finding.rationale)}.`);
  const open = having('unscored');
  const passed = having('pass').map(({ title }) => title);
  const aside = having('not-relevant').map(({ title }) => title);
  return [
    ...reasons(having('fail')),
    open.length > 0
      ? `No answer on ${listed(open.map(({ title }) => title))}: ${firstSentence(open[0]?.finding.rationale ?? '')}.`
      : '',
    ...tellScores(told),
    passed.length > 0 ? `In order: ${listed(passed)}.` : '',
    aside.length > 0 ? `Not relevant: ${listed(aside)}.` : '',
  ]
    .filter((sentence) => sentence !== '')
    .join(' ');
}
