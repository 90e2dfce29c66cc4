import * as z from 'zod';
import { grouped } from '../../common/text/index.ts';
import { classify } from '../../statistics/raters/index.ts';
import {
  ACCURACY,
  caseBins,
  countCases,
  Estimate,
  estimate,
  fixed,
  gapCounts,
  LEAST_COVERAGE,
  rangeText,
  sumOfBins,
} from '../estimates/index.ts';
import type { TrialFacts } from '../facts/index.ts';
import { kappaWithLabels } from './agreement.ts';
import { column, csvOf, estimateColumns, gapColumns, groupValueColumns, nameColumns } from './csv-columns.ts';
import type { Metric, ParetoFronts } from './metric.ts';
import { rankable, Scores, scoreColumns, scoresOf } from './scores.ts';
import type { With } from './setup-head.ts';
import {
  type Cell,
  decidedText,
  estimateCell,
  notApplicable,
  placeIn,
  plain,
  type ReportTable,
  type SetupColumn,
  setupTable,
  shaded,
  unique,
} from './table.ts';

export const CriterionReport = z.strictObject({
  id: z.string(),
  /** Share of right decisions on labeled cases, and among those with a decision; null without labels. */
  accuracy: Estimate.nullable(),
  decided: Estimate.nullable(),
  /** Cohen's kappa of decisions and labels; null without labels. */
  kappa: Estimate.nullable(),
  ...gapCounts,
  /** Null if neither a label nor a panel finds the criterion not relevant to some case. */
  relevance: z
    .strictObject({
      /** Trials by what the panel found. */
      relevant: z.int(),
      notRelevant: z.int(),
      /** Of these findings with labels that say whether it is relevant; null without such labels. */
      accuracy: Estimate.nullable(),
      kappa: Estimate.nullable(),
      /** Of decisions with labels, those about trials that the panel found not relevant included; null without labels. */
      anyway: z.strictObject({ accuracy: Estimate, kappa: Estimate }).nullable(),
    })
    .nullable()
    .default(null),
  /** Null without scores. */
  scores: Scores.nullable(),
});
export type CriterionReport = z.infer<typeof CriterionReport>;

/** A finding on a criterion in one trial. */
export type Finding = Omit<TrialFacts['criteria'][number], 'id'> & Pick<TrialFacts, 'place' | 'unit'>;

/** The ids of all criteria on which there are findings. */
export function criteriaIn(facts: readonly TrialFacts[]): Set<string> {
  const ids = new Set<string>();
  for (const { criteria } of facts) for (const { id } of criteria) ids.add(id);
  return ids;
}

/** The findings on one criterion, each made when it is read: those of all trials together would take much memory. */
export function* findingsOn(facts: readonly TrialFacts[], id: string): Generator<Finding> {
  for (const { place, unit, criteria } of facts) {
    const finding = criteria.find((one) => one.id === id);
    if (finding === undefined) continue;
    const { truth, outcome, score, labelScore, isRelevant, foundRelevant, anyway } = finding;
    yield { place, unit, truth, outcome, score, labelScore, isRelevant, foundRelevant, anyway };
  }
}

/** Whether a label, or a panel, finds the criterion not relevant. */
const isIrrelevant = ({ isRelevant, foundRelevant }: Finding): boolean =>
  isRelevant === false || foundRelevant === false;

/** How well found relevance matches the labels, and what is decided whether relevant or not. */
function relevanceOf(findings: readonly Finding[]): CriterionReport['relevance'] {
  const agreementWith = (counts: Parameters<typeof countCases>[0]) => {
    const bins = caseBins(countCases(counts));
    return bins.length === 0
      ? null
      : { accuracy: estimate(ACCURACY, bins), kappa: kappaWithLabels(bins, 'wrong') };
  };
  const asOutcome = (relevant: boolean | null) => (relevant === null ? null : relevant ? 'pass' : 'fail');
  const relevance = agreementWith(
    findings.map(({ place, unit, isRelevant, foundRelevant }) => ({
      place,
      unit,
      truth: asOutcome(isRelevant),
      outcome: asOutcome(foundRelevant) ?? 'undecided',
    })),
  );
  const countFound = (wanted: boolean) =>
    findings.filter(({ foundRelevant }) => foundRelevant === wanted).length;
  return {
    relevant: countFound(true),
    notRelevant: countFound(false),
    ...(relevance ?? { accuracy: null, kappa: null }),
    anyway: agreementWith(findings.map(({ anyway, ...one }) => ({ ...one, outcome: anyway }))),
  };
}

function criterionReport(facts: readonly TrialFacts[], id: string): CriterionReport {
  const bins = caseBins(countCases(findingsOn(facts, id)));
  const { undecided, 'no-quorum': noQuorum, unanswered } = classify(sumOfBins(bins));
  const scored: Finding[] = [];
  let hasIrrelevant = false;
  for (const finding of findingsOn(facts, id)) {
    if (finding.score !== null || finding.labelScore !== null) scored.push(finding);
    hasIrrelevant ||= isIrrelevant(finding);
  }
  const isLabeled = bins.length > 0;
  return {
    id,
    accuracy: isLabeled ? estimate(ACCURACY, bins) : null,
    decided: isLabeled ? estimate(ACCURACY, bins, 'exclude') : null,
    kappa: isLabeled ? kappaWithLabels(bins, 'wrong') : null,
    undecided,
    'no-quorum': noQuorum,
    unanswered,
    relevance: hasIrrelevant ? relevanceOf([...findingsOn(facts, id)]) : null,
    scores: scoresOf(scored),
  };
}

/** In the order of the rubrics' criteria; one after another, because the findings of all together would take much memory. */
const criteriaOf = (facts: readonly TrialFacts[]): CriterionReport[] =>
  Array.from(criteriaIn(facts), (id) => criterionReport(facts, id));

type Whole = With<'criteria', CriterionReport[]>;

interface Shown {
  setups: readonly Whole[];
  pareto: ParetoFronts;
}

export const criterionOf = (
  { criteria: all }: Pick<Whole, 'criteria'>,
  id: string,
): CriterionReport | undefined => all.find((one) => one.id === id);

/** With more criteria, terminals have no room for their kappa and intervals. */
const FEW_CRITERIA = 3;

/** The share of right decisions on a criterion, or the correlation of its scores with labels. */
function agreementCell({ accuracy, decided, kappa, scores }: CriterionReport, few: boolean): Cell {
  if (accuracy !== null && decided !== null && kappa !== null) {
    const { measure, interval } = accuracy;
    const text = `${fixed(measure)} of ${grouped(measure.n)}`;
    const beyond = `kappa ${fixed(kappa.measure, 2)}`;
    const notes = [rangeText(interval, 2), ...(few ? [] : [beyond]), ...decidedText(decided, measure.n)];
    return shaded({ text: few ? `${text}, ${beyond}` : text, note: notes.join(', ') }, measure);
  }
  const against = scores?.against ?? null;
  if (against === null) return notApplicable;
  const { spearman, coverage, n } = against;
  const open = coverage.n - n;
  const note = `${rangeText(spearman.interval, 2)}${open > 0 ? `, ${grouped(open)} without a score` : ''}`;
  return shaded({ text: `${fixed(spearman.measure)} of ${grouped(n)}`, note }, rankable(against).measure);
}

/** How well each criterion is judged, with the front over all of them. */
function criteriaTable({ setups, pareto }: Shown): ReportTable | null {
  const { criteria: front } = pareto;
  if (front === null) return null;
  const columns = front.criteria.map(
    (id): SetupColumn<Whole> => ({
      title: id,
      of: (setup) => {
        const criterion = criterionOf(setup, id);
        return criterion === undefined
          ? notApplicable
          : agreementCell(criterion, front.criteria.length <= FEW_CRITERIA);
      },
    }),
  );
  return setupTable(
    'Agreement with labels by criterion',
    setups,
    [...columns, { title: 'All together', of: (setup) => placeIn(front, setup) }],
    `Share of right decisions on labeled criteria and the number of trials, with Cohen’s kappa on the page, no decision counted as wrong; for criteria with scores, Spearman’s correlation with the labels, ranked where at least ${LEAST_COVERAGE * 100} % of the labeled trials have a score. ◆ no other configuration is at least as good on every criterion, and better on one beyond chance, on the same cases.`,
  );
}

/** How often criteria that may not apply were found relevant, and how well that matches the labels. */
function relevanceTable({ setups }: Shown): ReportTable | null {
  const ids = setups.flatMap(({ criteria }) =>
    criteria.flatMap(({ id, relevance }) => (relevance === null ? [] : [id])),
  );
  const columns = [...new Set(ids)].map(
    (id): SetupColumn<Whole> => ({
      title: id,
      notes: 'kappa',
      of: (setup) => {
        const relevance = criterionOf(setup, id)?.relevance;
        if (relevance === undefined || relevance === null) return notApplicable;
        const { relevant, notRelevant, kappa, anyway } = relevance;
        const notes = [
          ...(kappa === null ? [] : [fixed(kappa.measure, 2)]),
          ...(anyway === null ? [] : [`${fixed(anyway.kappa.measure, 2)} of decisions`]),
        ];
        const text = `${grouped(relevant)} of ${grouped(relevant + notRelevant)}`;
        return plain(text, notes.length === 0 ? undefined : notes.join(', '));
      },
    }),
  );
  return setupTable(
    'Relevance',
    columns.length === 0 ? [] : setups,
    columns,
    'Trials in which the criterion was found relevant. Cohen’s kappa of that with the labels, and of the decisions with the labels whether it was found relevant or not.',
  );
}

/** Mean scores of criteria with a scale. */
function criterionScoresTable({ setups }: Shown): ReportTable | null {
  const scored = setups.flatMap(({ criteria }) => criteria.filter((one) => one.scores !== null));
  const ids = unique(scored.map(({ id }) => id));
  return setupTable(
    'Mean scores by criterion',
    ids.length === 0 ? [] : setups,
    ids.map((id) => ({
      title: id,
      ...(ids.length > FEW_CRITERIA ? {} : { notes: '95 %' }),
      of: (setup) => estimateCell(criterionOf(setup, id)?.scores?.mean, 2),
    })),
  );
}

/** Criteria by groups of trials. */
interface Grouped {
  by: readonly string[];
  reports: readonly { values: readonly (string | null)[]; setup: Whole }[];
}

/** One line a setup and criterion, or a group of it and criterion. */
export const criteriaCsv = ({ setups }: Pick<Shown, 'setups'>, groups: Grouped | null = null): string => {
  const grouped = groups?.reports ?? setups.map((setup) => ({ values: [], setup }));
  const rows = grouped.flatMap((group) => group.setup.criteria.map((criterion) => ({ ...group, criterion })));
  return csvOf(rows, [
    groupValueColumns(groups?.by ?? []),
    nameColumns(({ setup }) => setup),
    column('criterion', ({ criterion }) => criterion.id),
    column('decided', ({ criterion }) => criterion.decided?.measure.n ?? null),
    estimateColumns('accuracy', ({ criterion }) => criterion.accuracy),
    estimateColumns('accuracy of decided', ({ criterion }) => criterion.decided),
    estimateColumns('kappa', ({ criterion }) => criterion.kappa),
    gapColumns(({ criterion }) => criterion),
    column('relevant', ({ criterion }) => criterion.relevance?.relevant ?? null),
    column('not relevant', ({ criterion }) => criterion.relevance?.notRelevant ?? null),
    estimateColumns('relevance accuracy', ({ criterion }) => criterion.relevance?.accuracy),
    estimateColumns('relevance kappa', ({ criterion }) => criterion.relevance?.kappa),
    estimateColumns('accuracy relevant or not', ({ criterion }) => criterion.relevance?.anyway?.accuracy),
    estimateColumns('kappa relevant or not', ({ criterion }) => criterion.relevance?.anyway?.kappa),
    scoreColumns(({ criterion }) => criterion.scores),
  ]);
};

/** How each criterion is judged: those with labels or scores. */
export const criteria: Metric<'criteria', CriterionReport[]> = {
  key: 'criteria',
  definitions: [
    {
      part: 'decisions',
      name: 'accuracy by criterion',
      definition: 'share of right findings where a label says what is right for the criterion',
      needs: 'labels of that criterion; without them –',
      source: 'Giebisch et al., III-B',
    },
    {
      part: 'decisions',
      name: 'relevance',
      definition:
        'share of trials whose criterion was found relevant; its agreement with labels, and that of decisions whether it was found relevant or not. A labeled criterion that is found not relevant is not decided rightly',
      needs: 'a rubric whose criteria can be irrelevant; otherwise no table',
      source: 'Friedl et al., figure 3',
    },
    {
      part: 'decisions',
      name: 'kappa by criterion',
      definition:
        'Cohen’s kappa of the findings on a criterion and its labels, with no decision as the wrong one',
      needs: 'as kappa with labels',
      source: 'Friedl et al., table 2',
    },
  ],
  schema: z.array(CriterionReport),
  of: ({ facts }) => criteriaOf(facts),
  tables: [
    { id: 'criteria', section: 'criteria', of: criteriaTable },
    { id: 'criterion-scores', section: 'criteria', of: criterionScoresTable },
    { id: 'relevance', section: 'criteria', of: relevanceTable },
  ],
};
