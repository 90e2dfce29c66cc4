import { grouped } from '../common/text/index.ts';
import { gapsIn } from '../statistics/raters/index.ts';
import { type PairReport, pTexts } from './comparison/index.ts';
import { fixed, shown } from './estimates/index.ts';
import { type Cell, type Column, differenceCell, plain, type ReportTable } from './metrics/index.ts';
import type { Report } from './report.ts';

/** Whether debates gain anything over plain votes with as many calls. */
export function equalCallsTable({ setups, equalCalls }: Report): ReportTable | null {
  if (equalCalls.length === 0) return null;
  const both = (of: (side: 'first' | 'second') => string): string => `${of('first')} / ${of('second')}`;
  const columns: (Column & { of: (pair: PairReport) => Cell })[] = [
    { title: 'F1 debate', of: (pair) => plain(fixed(pair.scores.f1.first)) },
    { title: 'F1 vote', of: (pair) => plain(fixed(pair.scores.f1.second)) },
    { title: 'Vote minus debate', notes: '95 %', of: (pair) => differenceCell(pair.scores.f1) },
    {
      title: 'Where both decided',
      notes: 'cases',
      pageOnly: true,
      of: ({ decided: { cases, scores } }) => plain(differenceCell(scores.f1).text, `of ${grouped(cases)}`),
    },
    { title: 'Accuracy', pageOnly: true, of: (pair) => differenceCell(pair.scores.accuracy) },
    {
      title: 'Only debate / vote right',
      notes: 'McNemar',
      of: (pair) => plain(`${grouped(pair.onlyFirst)} / ${grouped(pair.onlySecond)}`, pTexts(pair)),
    },
    {
      title: 'No decision',
      pageOnly: true,
      of: (pair) =>
        plain(
          both((side) => grouped(gapsIn(pair.gaps[side]))),
          `of ${both((side) => grouped(pair.gaps[side].n))}`,
        ),
    },
    {
      title: 'Calls',
      pageOnly: true,
      of: ({ calls }) => plain(both((side) => shown(calls[side], (n) => n.toFixed(1)))),
    },
  ];
  return {
    title: 'Debates and votes with equal calls',
    head: 'Debate',
    columns,
    rows: equalCalls.map((pair) => ({
      head: setups.find(({ id }) => id === pair.first) ?? pair.first,
      cells: columns.map(({ of }) => of(pair)),
    })),
    note: "The vote samples the same panel once, case by case with as many calls as the debate took. A case without a decision counts as wrong. Intervals: 95 %, of the same cases; p: McNemar's exact test, or that of groups of cases that belong together; of several comparisons also adjusted for their number (Holm). An interval that contains 0 means that the debate may gain nothing over the vote.",
  };
}
