import { counted, grouped, usd } from '../common/text/index.ts';
import { type Gap, gapsIn } from '../statistics/raters/index.ts';
import {
  duration,
  type Estimate,
  fixed,
  NONE,
  percent,
  percentRange,
  rangeText,
  scoreNames,
  scores,
  shown,
} from './measures.ts';
import type { Report, SetupReport } from './report.ts';
import {
  type Cell,
  decidedText,
  estimateCell,
  gapsText,
  isLabeled,
  methodOf,
  notApplicable,
  placeIn,
  plain,
  type ReportTable,
  type SetupColumn,
  setupTable,
  shaded,
  unique,
  valueCell,
} from './tables.ts';

type Counted = Pick<SetupReport['effectiveness'], 'n' | 'coverage' | Gap>;

const decidedColumn = (of: (setup: SetupReport) => Counted | null): SetupColumn => ({
  title: 'Decided',
  notes: 'trials',
  of: (setup) => {
    const counts = of(setup);
    if (counts === null) return notApplicable;
    return plain(percent(counts.coverage), [`of ${grouped(counts.n)}`, ...gapsText(counts)].join(', '));
  },
});

/** Marks setups on the Pareto front; a single setup gets no mark. */
const frontMark = ({ setups, pareto: { all } }: Report, { id }: SetupReport): string =>
  setups.length > 1 && all.front.includes(id) ? '◆ ' : '';

const rateCell = (rate: Estimate | undefined): Cell =>
  rate === undefined
    ? notApplicable
    : valueCell(rate.measure, () => percent(rate.measure), percentRange(rate.interval));

/** What was decided, for cases without labels. */
export function decisionsTable({ setups }: Report): ReportTable | null {
  // Where answers are scored or compared, those without a score are no passes either: the scores say how many there are.
  const isScored = ({ decisions, scores: own }: SetupReport) =>
    own !== null && decisions?.pass === 0 && decisions.fail === 0;
  const decided = setups.filter(
    (setup) => setup.decisions !== null && setup.unlabeled > 0 && !isScored(setup),
  );
  return setupTable(
    'Pass rate',
    decided,
    [
      { title: 'Pass rate', notes: '95 %', of: ({ decisions }) => rateCell(decisions?.passRate) },
      { title: 'Pass', of: ({ decisions }) => plain(grouped(decisions?.pass ?? 0)) },
      { title: 'Fail', of: ({ decisions }) => plain(grouped(decisions?.fail ?? 0)) },
      decidedColumn(({ decisions }) => decisions),
      ...(decided.some(({ decisions }) => decisions !== null && decisions.n > decisions.pass + decisions.fail)
        ? [
            {
              title: 'Of decided',
              notes: '95 %',
              of: ({ decisions }: SetupReport) => rateCell(decisions?.decided),
            },
          ]
        : []),
    ],
    `Share of passes among all trials${isLabeled({ setups }) ? ', with a label or without' : ': no label says which decisions are right'}. A trial without a decision does not pass.`,
  );
}

/** Precision, recall and other scores, as in table B.5 of Habicht et al., with intervals. */
export function effectivenessTable(report: Report): ReportTable | null {
  const { setups } = report;
  if (!isLabeled(report)) return null;
  const columns: SetupColumn[] = [
    ...scoreNames.map((name): SetupColumn => {
      const { title, pageOnly = false } = scores[name];
      const of = (setup: SetupReport) => estimateCell(setup.effectiveness[name]);
      if (name !== 'f1') return { title, pageOnly, of };
      const marked = (setup: SetupReport): Cell => {
        const cell = of(setup);
        return { ...cell, text: `${frontMark(report, setup)}${cell.text}` };
      };
      return { title, notes: '95 %', of: marked };
    }),
    decidedColumn(({ effectiveness }) => effectiveness),
  ];
  if (setups.some(hasGaps))
    columns.push({
      title: 'F1 of decided',
      notes: '95 %',
      of: ({ effectiveness: { decided } }) => estimateCell(decided.f1),
    });
  return setupTable('Precision, recall and other scores', setups, columns, effectivenessNote(setups));
}

function effectivenessNote(setups: readonly SetupReport[]): string {
  const unlabeled = Math.max(...setups.map((setup) => setup.unlabeled));
  return [
    'Positive class: pass, the response is right. Intervals: 95 %, by case, or by group where cases belong together. ◆ no other configuration is at least as good in F1, mean cost and median time, and better in one; costs and times that may differ by chance, or by less than 5 %, are equal.',
    ...(setups.some(hasGaps)
      ? ['A trial without a decision counts as wrong; “of decided” leaves it out.']
      : []),
    ...(unlabeled > 0
      ? [
          `${counted(unlabeled, 'trial')} of a configuration ${unlabeled === 1 ? 'has' : 'have'} no label and count for no score.`,
        ]
      : []),
  ].join(' ');
}

const hasGaps = ({ effectiveness }: SetupReport): boolean => gapsIn(effectiveness) > 0;

/** F1 by method and model, as in figure 3 of Habicht et al. */
export function f1Table(report: Report): ReportTable | null {
  const { setups } = report;
  if (!isLabeled(report)) return null;
  const wayOf = (setup: SetupReport) => methodOf(setup, setups);
  const modelsOf = (setup: SetupReport) => setup.models.join(' + ');
  const models = unique(setups.map(modelsOf));
  const cellOf = (way: string, model: string): Cell => {
    const setup = setups.find((one) => wayOf(one) === way && modelsOf(one) === model);
    if (setup === undefined) return notApplicable;
    const { f1, decided, n } = setup.effectiveness;
    const note = [rangeText(f1.interval, 2), ...decidedText(decided.f1, n)].join(', ');
    return shaded({ ...estimateCell(f1), note }, f1.measure);
  };
  return {
    title: 'F1 by method and model',
    head: 'Method',
    columns: models.map((title) => ({ title })),
    rows: unique(setups.map(wayOf)).map((way) => ({
      head: way,
      cells: models.map((model) => cellOf(way, model)),
    })),
  };
}

/** Accuracy by error type, as in figures 7 to 9 of Habicht et al. */
export function categoriesTable({ setups }: Report): ReportTable | null {
  const find = ({ categories }: SetupReport, name: string) =>
    categories.find(({ category }) => category === name);
  const names = unique(setups.flatMap(({ categories }) => categories.map(({ category }) => category)));
  if (names.length === 0) return null;
  const columns = names.map((name): SetupColumn => {
    const sizes = setups.map((setup) => find(setup, name)?.accuracy.measure.n ?? 0);
    return {
      title: name,
      below: `n = ${grouped(Math.max(...sizes))}`,
      of: (setup) => {
        const found = find(setup, name);
        if (found === undefined) return notApplicable;
        const { measure, interval } = found.accuracy;
        const note = [rangeText(interval, 2), ...decidedText(found.decided, measure.n)].join(', ');
        return shaded({ text: fixed(measure), note }, measure);
      },
    };
  });
  return setupTable(
    'Accuracy by error type',
    setups,
    columns,
    'Share of right decisions; n counts all trials of a configuration, and one without a decision is not right. “Of decided” leaves those out.',
  );
}

/** Scores and their distance from labels, as in tables 8 and 9 of Chen et al. */
export function scoresTable({ setups }: Report): ReportTable | null {
  const against = ({ scores: own }: SetupReport) => own?.against ?? null;
  const ofAgainst =
    (cell: (own: NonNullable<ReturnType<typeof against>>) => Cell) =>
    (setup: SetupReport): Cell => {
      const own = against(setup);
      return own === null ? notApplicable : cell(own);
    };
  const columns: SetupColumn[] = [
    { title: 'Mean score', notes: '95 %', of: (setup) => estimateCell(setup.scores?.mean, 2) },
    {
      title: 'SD',
      pageOnly: true,
      of: (setup) => plain(setup.scores === null ? NONE : fixed(setup.scores.deviation, 2)),
    },
    {
      title: 'Scored',
      notes: 'trials',
      of: (setup) => plain(grouped(setup.scores?.n ?? 0), `of ${grouped(setup.trials)}`),
    },
    { title: 'Mean error', of: ofAgainst((own) => estimateCell(own.meanAbsoluteError, 2)) },
    { title: 'Spearman', notes: '95 %', of: ofAgainst((own) => estimateCell(own.spearman)) },
    { title: 'Kendall', of: ofAgainst((own) => plain(fixed(own.kendall))) },
    { title: 'Pearson', pageOnly: true, of: ofAgainst((own) => plain(fixed(own.pearson))) },
    { title: 'Alpha', of: ofAgainst((own) => estimateCell(own.alpha, 3, `, ${own.alphaScale}`)) },
  ];
  const scored = setups.filter((setup) => setup.scores !== null);
  return setupTable(
    'Scores',
    scored,
    columns,
    `Intervals: 95 %, by case, or by group where cases belong together. Mean error, rank correlations (Spearman, Kendall’s tau-b), Pearson’s and Krippendorff’s alpha compare with the scores of labels; alpha is ordinal if scores and labels are a few whole numbers, else interval.${
      scored.some((setup) => against(setup) === null) ? ' · no label states a score.' : ''
    }${scored.some((setup) => against(setup)?.meanAbsoluteError.measure.defined === false) ? ' Labels are on another scale than scores, so that these are compared by rank alone; --label-scale says how labels map to scores.' : ''}`,
  );
}

/** The effort per trial. */
export function effortTable(report: Report): ReportTable | null {
  const { setups, pareto } = report;
  const mean = (value: number) => value.toFixed(1);
  const whole = (value: number) => grouped(Math.round(value));
  const labeled = isLabeled(report);
  const columns: SetupColumn[] = [
    {
      title: 'Calls',
      ...(setups.some(({ efficiency }) => efficiency.savedCalls > 0) ? { notes: 'saved' } : {}),
      of: ({ efficiency: { calls, savedCalls } }) =>
        plain(shown(calls.mean, mean), savedCalls > 0 ? `${grouped(savedCalls)} saved in all` : undefined),
    },
    {
      title: 'Tokens',
      pageOnly: true,
      of: ({ efficiency: { tokens } }) => plain(shown(tokens.median, grouped), shown(tokens.p95, grouped)),
    },
    {
      title: 'Output tokens',
      of: ({ efficiency: { outputTokens } }) => plain(shown(outputTokens.mean, whole)),
    },
    {
      title: 'Cost per trial',
      of: ({ efficiency: { costUsd } }) =>
        plain(
          shown(costUsd.mean, usd),
          costUsd.missing > 0 ? `${grouped(costUsd.missing)} unknown` : undefined,
        ),
    },
    {
      title: 'Total cost',
      pageOnly: true,
      of: ({ efficiency: { totalCostUsd } }) => plain(totalCostUsd === null ? NONE : usd(totalCostUsd)),
    },
    {
      title: 'Latency',
      notes: 'p95',
      of: ({ efficiency: { latencyMs } }) =>
        plain(shown(latencyMs.median, duration), shown(latencyMs.p95, duration)),
    },
    {
      title: 'Calls in sequence',
      pageOnly: true,
      of: ({ efficiency: { sequentialMs, secondsPerToken } }) =>
        plain(
          shown(sequentialMs.mean, duration),
          secondsPerToken.defined ? `${secondsPerToken.value.toFixed(4)} s per token` : undefined,
        ),
    },
    { title: 'From cache', pageOnly: true, of: ({ efficiency }) => plain(grouped(efficiency.fromCache)) },
    ...(labeled
      ? [{ title: 'F1, cost, time', pageOnly: true, of: (setup: SetupReport) => placeIn(pareto.all, setup) }]
      : []),
  ];
  return setupTable(
    'Cost and time',
    setups,
    columns,
    'Calls and output tokens: mean per trial. Tokens and latency: median and 95th percentile. Calls in sequence: mean time of a trial if its calls were made one after another, and that time by token. Trials with cached answers are left out of tokens, cost and latency.',
  );
}
