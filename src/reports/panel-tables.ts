import { capital, counted, grouped } from '../common/text/index.ts';
import { type Estimate, fixed, percent, percentRange, signed } from './estimates/index.ts';
import {
  type Cell,
  estimateCell,
  notApplicable,
  plain,
  type ReportTable,
  valueCell,
} from './metrics/index.ts';
import {
  benefitCell,
  errsWithOthers,
  fewerCalls,
  MOST_IN_WORDS,
  numberWord,
  signedPoints,
  votesWords,
} from './panel-words.ts';
import { EPSILONS, type PanelReport } from './panels.ts';
import type { Report } from './report.ts';

const whole = (share: number): number => Math.round(100 * share);

/** `78 % of cases (74–82)`. */
function shareText({ measure, interval }: Estimate, of: string): string {
  if (!measure.defined) return `– of ${of}`;
  const range = interval.defined ? ` (${whole(interval.low)}–${whole(interval.high)})` : '';
  return `${whole(measure.value)} % of ${of}${range}`;
}

const pointsText = (share: number): string => {
  const points = whole(Math.abs(share));
  return `${points < 1 ? 'less than a point' : counted(points, 'point')}`;
};

/** The panel beside the best judge, as the end of a sentence. */
function bestText({ panel, best }: PanelReport): string {
  const { difference, interval, accuracy, names } = best;
  if (!difference.defined || !accuracy.measure.defined || !panel.accuracy.measure.defined) return '';
  const who = new Set(names).size === 1 ? `the best one alone, ${names[0]},` : 'the best one alone';
  const alone = whole(accuracy.measure.value);
  const range = interval.defined
    ? ` (${signed({ ...difference, value: 100 * interval.low }, 0)} to ${signed({ ...difference, value: 100 * interval.high }, 0)} points)`
    : '';
  if (interval.defined && interval.low > 0)
    return `, ${pointsText(difference.value)} more than ${who.replace(/,$/, '')}${range}`;
  if (interval.defined && interval.high < 0)
    return `, ${pointsText(difference.value)} less than ${who.replace(/,$/, '')}${range}`;
  return alone === whole(panel.accuracy.measure.value)
    ? `; so does ${who.replace(/,$/, '')}`
    : `; ${who} on ${alone} %, which may be chance${range}`;
}

/** The judge whose absence changes the fewest decisions, and of several the one that leaves the best panel; null if one would be left. */
function mostDispensable({ judges }: PanelReport): PanelReport['judges'][number] | null {
  const shareIn = ({ measure }: Estimate) => (measure.defined ? measure.value : -1);
  const [first] = judges.toSorted(
    ({ without: a }, { without: b }) =>
      shareIn(b.same) - shareIn(a.same) || shareIn(b.accuracy) - shareIn(a.accuracy),
  );
  return judges.length < 3 ? null : (first ?? null);
}

/** What a panel adds, in words: how right it is beside its best judge, what it is worth, and who could be left out. */
function panelWords(panel: PanelReport): string[] {
  const { judges, byPeople, shared, cases } = panel;
  const k = judges.length;
  const spare = mostDispensable(panel);
  return [
    `${capital(numberWord(k))} judges agree with ${byPeople ? 'people' : 'the labels'} on ${shareText(panel.panel.accuracy, counted(cases, 'case'))}${bestText(panel)}.`,
    ...(panel.panel.undecided > 0
      ? [`On ${counted(panel.panel.undecided, 'case')} they have no majority, which counts as wrong.`]
      : []),
    ...votesWords(shared, { k, cases, alike: 'They err on the same cases' }),
    ...(spare?.without.same.measure.defined === true
      ? [
          `Without ${spare.name}: the same decision on ${whole(spare.without.same.measure.value)} %, ${fewerCalls(k)}${spare.without.undecided > 0 ? `; ${grouped(spare.without.undecided)} undecided` : ''}.`,
        ]
      : []),
  ];
}

const rate = (estimate: Estimate): Cell =>
  valueCell(estimate.measure, () => percent(estimate.measure), percentRange(estimate.interval));

/** Every panel beside its best judge. */
export function panelsTable({ panels }: Report): ReportTable | null {
  if (panels.length === 0) return null;
  const shown = panels.slice(0, MOST_IN_WORDS);
  return {
    title: 'What the panel adds',
    head: 'Panel',
    lead: shown.flatMap((panel) => {
      const words = panelWords(panel);
      return panels.length === 1 ? words : [`${panel.id}: ${words.join(' ')}`];
    }),
    columns: [
      { title: 'Judges' },
      { title: 'Cases' },
      { title: 'Panel', notes: '95 %' },
      { title: 'Best alone', notes: 'chosen' },
      { title: 'Points more', notes: '95 %, p' },
      { title: 'Effective votes', notes: '95 %' },
      { title: 'Errors together', pageOnly: true },
      { title: 'Alpha of judges', pageOnly: true },
      { title: 'Alpha of people', pageOnly: true },
    ],
    rows: panels.map((panel) => ({
      head: panel.id,
      cells: [
        plain(String(panel.judges.length)),
        plain(grouped(panel.cases)),
        rate(panel.panel.accuracy),
        valueCell(
          panel.best.accuracy.measure,
          () => percent(panel.best.accuracy.measure),
          [...new Set(panel.best.names)].join(', '),
        ),
        benefitCell(panel.best, signedPoints),
        estimateCell(panel.shared.effectiveVotes, 2),
        estimateCell(panel.shared.mean, 2),
        estimateCell(panel.alpha.judges, 3),
        panel.alpha.people === null ? notApplicable : estimateCell(panel.alpha.people, 3),
      ],
    })),
    note: 'The panel decides by majority; a tie, or no answer, is not right. The best judge is chosen on one half of the cases and measured on the other, both ways. Effective votes: k ÷ (1 + (k − 1)·r), r the mean correlation of two judges’ errors. Intervals count cases that belong together once. Judges of a debate count by their first answers.',
  };
}

/** Each judge alone, and the panel without it. */
export const judgesTables = ({ panels }: Report): ReportTable[] =>
  panels.map((panel) => ({
    title: panels.length === 1 ? 'Judge by judge' : `Judge by judge: ${panel.id}`,
    head: 'Judge',
    columns: [
      { title: 'Alone', notes: '95 %' },
      { title: 'Errs with the others' },
      { title: 'Panel without it', notes: '95 %' },
      { title: 'Same decision' },
      { title: 'Undecided without it' },
    ],
    rows: panel.judges.map(({ name, accuracy, without }) => {
      const mean = errsWithOthers(panel.shared, name);
      return {
        head: name,
        cells: [
          rate(accuracy),
          mean === null ? notApplicable : plain(fixed({ defined: true, n: 1, value: mean }, 2)),
          rate(without.accuracy),
          plain(percent(without.same.measure), percentRange(without.same.interval)),
          plain(`${grouped(without.undecided)} of ${grouped(panel.cases)}`),
        ],
      };
    }),
  }));

/** Whether judges may stand in for people. */
export const altTestTables = ({ panels }: Report): ReportTable[] =>
  panels
    .filter(({ annotators }) => annotators !== null)
    .map((panel) => ({
      title: panels.length === 1 ? 'In place of a person' : `In place of a person: ${panel.id}`,
      head: 'Judge',
      columns: [
        { title: 'At least as close', below: 'share of cases' },
        ...EPSILONS.map((epsilon) => ({ title: `ω at ε ${epsilon}` })),
      ],
      rows: [...panel.judges, { name: 'the panel', altTest: panel.panel.altTest }].map(
        ({ name, altTest }) => ({
          head: name,
          cells:
            altTest === null
              ? [notApplicable, ...EPSILONS.map(() => notApplicable)]
              : [
                  valueCell(altTest.advantage, (value) => value.toFixed(3)),
                  ...altTest.winning.map((one) => valueCell(one, (value) => value.toFixed(2))),
                ],
        }),
      ),
      note: `The alternative annotator test (Calderon et al., 2025) with ${counted(panel.annotators ?? 0, 'annotator')}: each is left out in turn, and the judge is compared with that person in how well they fit the others. ω is the share of people whom the judge beats, or is worse than by less than ε: 0.2 for experts, 0.15 for skilled annotators, 0.1 for crowd workers. A judge with ω of at least 0.5 may stand in for a person.`,
    }));
