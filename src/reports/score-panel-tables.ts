import { capital, counted, grouped } from '../common/text/index.ts';
import { type Estimate, fixed, rangeText, signed, signedRange } from './estimates/index.ts';
import { estimateCell, notApplicable, plain, type ReportTable, valueCell } from './metrics/index.ts';
import {
  benefitCell,
  errsWithOthers,
  fewerCalls,
  MOST_IN_WORDS,
  numberWord,
  signedText,
  votesWords,
} from './panel-words.ts';
import type { Report } from './report.ts';
import type { ScorePanelReport } from './score-panels.ts';

/** `+0.12`. */
const distanceText = (value: number): string => signedText(value, 2);

/** `0.52 (0.41–0.66)`. */
const offText = ({ measure, interval }: Estimate): string =>
  `${fixed(measure, 2)}${interval.defined ? ` (${rangeText(interval, 2)})` : ''}`;

/** The panel beside the best judge, as the end of a sentence. */
function bestText({ best: { difference, interval, off, names } }: ScorePanelReport): string {
  if (!difference.defined || !off.measure.defined) return '';
  const who = new Set(names).size === 1 ? `the best one alone, ${names[0]}` : 'the best one alone';
  const range = interval.defined ? ` (${signedRange(interval, 2)})` : '';
  const size = Math.abs(difference.value).toFixed(2);
  if (interval.defined && interval.low > 0) return `, ${size} closer than ${who}${range}`;
  if (interval.defined && interval.high < 0) return `, ${size} further than ${who}${range}`;
  return `; ${who}, by ${fixed(off.measure, 2)}, which may be chance${range}`;
}

/** The judge whose absence moves the panel's score least; null if one judge would be left. */
function mostDispensable({ judges }: ScorePanelReport): ScorePanelReport['judges'][number] | null {
  const movedBy = ({ without: { moved } }: ScorePanelReport['judges'][number]) =>
    moved.defined ? moved.value : Number.POSITIVE_INFINITY;
  const [first] = judges.toSorted((a, b) => movedBy(a) - movedBy(b));
  return judges.length < 3 ? null : (first ?? null);
}

/** What a panel that scores adds, in words. */
function scoreWords(panel: ScorePanelReport): string[] {
  const { judges, byPeople, shared, cases, leftOut } = panel;
  const k = judges.length;
  const spare = mostDispensable(panel);
  return [
    `The mean score of ${numberWord(k)} judges differs from ${byPeople ? 'people’s' : 'the labels’'} by ${offText(panel.panel.off)} on average of ${counted(cases, 'case')}${bestText(panel)}.`,
    ...(leftOut > 0
      ? [
          `${counted(leftOut, 'case')} that some judge did not score ${leftOut === 1 ? 'is' : 'are'} left out.`,
        ]
      : []),
    ...votesWords(shared, { k, cases, alike: 'They err alike on the same cases' }),
    ...(spare?.without.moved.defined === true
      ? [
          `Without ${spare.name}: the mean score moves by ${fixed(spare.without.moved, 2)} on average, ${fewerCalls(k)}.`,
        ]
      : []),
  ];
}

/** Every panel that scores beside its best judge. */
export function scorePanelsTable({ scorePanels: panels }: Report): ReportTable | null {
  if (panels.length === 0) return null;
  return {
    title: 'What the panel adds to scores',
    head: 'Panel',
    lead: panels.slice(0, MOST_IN_WORDS).flatMap((panel) => {
      const words = scoreWords(panel);
      return panels.length === 1 ? words : [`${capital(panel.id)}: ${words.join(' ')}`];
    }),
    columns: [
      { title: 'Judges' },
      { title: 'Cases' },
      { title: 'Panel off by', notes: '95 %' },
      { title: 'Best alone', notes: 'chosen' },
      { title: 'Closer by', notes: '95 %, p' },
      { title: 'Effective votes', notes: '95 %' },
      { title: 'Spearman' },
      { title: 'Errors together', pageOnly: true },
    ],
    rows: panels.map(({ id, judges, cases, panel, best, shared }) => ({
      head: id,
      cells: [
        plain(String(judges.length)),
        plain(grouped(cases)),
        estimateCell(panel.off, 2),
        valueCell(best.off.measure, (value) => value.toFixed(2), [...new Set(best.names)].join(', ')),
        benefitCell(best, distanceText),
        estimateCell(shared.effectiveVotes, 2),
        valueCell(panel.correlation, (value) => value.toFixed(3)),
        estimateCell(shared.mean, 2),
      ],
    })),
    note: 'The panel gives the mean of its judges’ scores; off by: mean absolute difference from the score of the label, on the scale of the rubric. The best judge is chosen on one half of the cases and measured on the other, both ways. Effective votes: k ÷ (1 + (k − 1)·r), r the mean correlation of two judges’ errors. Judges of a debate count by their first scores.',
  };
}

/** Each judge's scores alone, and the mean of the others. */
export const scoreJudgesTables = ({ scorePanels: panels }: Report): ReportTable[] =>
  panels.map((panel) => ({
    title: panels.length === 1 ? 'Scores judge by judge' : `Scores judge by judge: ${panel.id}`,
    head: 'Judge',
    columns: [
      { title: 'Off by', notes: '95 %' },
      { title: 'More generous by' },
      { title: 'Spearman' },
      { title: 'Errs with the others' },
      { title: 'Panel without it', notes: '95 %' },
      { title: 'Mean score moves by' },
    ],
    rows: panel.judges.map(({ name, off, bias, correlation, without }) => {
      const mean = errsWithOthers(panel.shared, name);
      return {
        head: name,
        cells: [
          estimateCell(off, 2),
          valueCell(bias, () => signed(bias, 2)),
          valueCell(correlation, (value) => value.toFixed(3)),
          mean === null ? notApplicable : plain(mean.toFixed(2)),
          estimateCell(without.off, 2),
          valueCell(without.moved, (value) => value.toFixed(2)),
        ],
      };
    }),
  }));
