import { capital, counted, grouped } from '../common/text/index.ts';
import { type Estimate, fixed, rangeText, signed, signedRange } from './estimates/index.ts';
import { estimateCell, notApplicable, plain, type ReportTable, valueCell } from './metrics/index.ts';
import {
  aheadWords,
  benefitCell,
  beyondPicked,
  casesText,
  errsWithOthers,
  fewerCalls,
  groupsNote,
  MOST_IN_WORDS,
  numberWord,
  PICKED,
  pickedJudge,
  signedText,
  stoppedWords,
  votesCell,
  votesWords,
} from './panel-words.ts';
import type { Report } from './report.ts';
import type { ScorePanelReport } from './score-panels.ts';

/** `+0.12`. */
const distanceText = (value: number): string => signedText(value, 2);

/** `0.52 (0.41–0.66)`. */
const offText = ({ measure, interval }: Estimate): string =>
  `${fixed(measure, 2)}${interval.defined ? ` (${rangeText(interval, 2)})` : ''}`;

/** A judge that is picked on other cases beside the panel. */
function pickedText({ best }: ScorePanelReport): string[] {
  const { off, names } = best;
  if (!off.measure.defined) return [];
  const beyond = beyondPicked(best, {
    better: 'closer',
    worse: 'further',
    size: (value) => Math.abs(value).toFixed(2),
    range: (interval) => signedRange(interval, 2),
  });
  return [`${pickedJudge(names)}: by ${fixed(off.measure, 2)}${beyond}.`];
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
    `The mean score of ${numberWord(k)} judges differs from ${byPeople ? 'people’s' : 'the labels’'} by ${offText(panel.panel.off)} on average of ${casesText(cases, panel.groups)}.`,
    ...pickedText(panel),
    ...aheadWords(
      judges.map(({ name, off, ahead }) => ({ name, figure: fixed(off.measure, 2), ahead })),
      { does: 'differs by', than: 'less than the panel' },
    ),
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

/** Every panel that scores beside a judge that is picked on other cases. */
export function scorePanelsTable({
  scorePanels: panels,
  panels: deciding,
  panelsStopped,
  run,
}: Report): ReportTable | null {
  if (panels.length === 0) return null;
  return {
    title: 'What the panel adds to scores',
    head: 'Panel',
    lead: [
      ...panels.slice(0, MOST_IN_WORDS).flatMap((panel) => {
        const words = scoreWords(panel);
        return panels.length === 1 ? words : [`${capital(panel.id)}: ${words.join(' ')}`];
      }),
      // Said once: above the table of panels that decide, if there is one.
      ...(panelsStopped && deciding.length === 0 ? [stoppedWords(run.settings.stop)] : []),
    ],
    columns: [
      { title: 'Judges' },
      { title: 'Cases' },
      { title: 'Panel off by', notes: '95 %' },
      { title: PICKED, notes: '95 %, who' },
      { title: 'Closer by', notes: '95 %, p' },
      { title: 'Effective votes', notes: '95 %' },
      { title: 'Spearman' },
      { title: 'Errors together', pageOnly: true },
    ],
    rows: panels.map(({ id, judges, cases, groups, panel, best, shared }) => ({
      head: id,
      cells: [
        plain(String(judges.length)),
        plain(grouped(cases), groupsNote({ cases, groups })),
        estimateCell(panel.off, 2),
        valueCell(
          best.off.measure,
          (value) => value.toFixed(2),
          `${rangeText(best.off.interval, 2)}, ${[...new Set(best.names)].join(', ')}`,
        ),
        benefitCell(best, distanceText),
        votesCell(shared.effectiveVotes, judges.length),
        valueCell(panel.correlation, (value) => value.toFixed(3)),
        estimateCell(shared.mean, 2),
      ],
    })),
    note: 'The panel gives the mean of its judges’ scores; off by: mean absolute difference from the score of the label, on the scale of the rubric. A judge is picked on one half of the cases and measured on the other, both ways: it need not be the best of all cases. Effective votes: k ÷ (1 + (k − 1)·r), r the mean correlation of two judges’ errors; where errors offset each other, as many as there are judges or more. Judges of a debate count by their first scores.',
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
