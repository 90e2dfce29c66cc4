import { grouped } from '../../common/text/index.ts';
import { type Gap, gapNames } from '../../statistics/raters/index.ts';
import {
  type Difference,
  type Estimate,
  fixed,
  NONE,
  percent,
  percentRange,
  type ReportMeasure,
  rangeText,
  signed,
  signedRange,
} from '../estimates/index.ts';
import type { SetupHead } from './setup-head.ts';

/**
 * The tables of a report, whatever shows them: `surfaces/web/report` draws them on a page, `surfaces/cli` in a terminal.
 */
export interface ReportTable {
  title: string;
  /** The title of the column of row heads. */
  head: string;
  columns: readonly Column[];
  rows: readonly { head: SetupHead | string; cells: readonly Cell[] }[];
  /** What the table shows, in sentences above it. */
  lead?: readonly string[];
  /** How to read the table. */
  note?: string;
  /** The CSV file with the rows; a terminal then shows the first of them only, and says so. */
  file?: string;
}

export interface Column {
  title: string;
  /** A second line of the title on the page. */
  below?: string;
  /** The title of the cells' notes, which a terminal shows in a column of their own; without it, only the page shows them. */
  notes?: string;
  /** Whether terminals leave the column out. */
  pageOnly?: boolean;
}

export interface Cell {
  text: string;
  /** Small print, such as an interval or why there is no value. */
  note?: string;
  /** Nothing is known or nothing applies. */
  none?: boolean;
  /** The value that sets the shade of the cell, up to 1. */
  shade?: number;
}

/** Explains the names of configurations in tables. */
export const NAMES_NOTE = 'In names of configurations, t0 is temperature 0.';

/** A column with its cell for each setup. */
export interface SetupColumn<Setup = SetupHead> extends Column {
  of: (setup: Setup) => Cell;
}

export const notApplicable: Cell = { text: '·', none: true };

export const plain = (text: string, note?: string): Cell => (note === undefined ? { text } : { text, note });

/** A value, or a dash with the reason. */
export const valueCell = (measure: ReportMeasure, format: (value: number) => string, note?: string): Cell =>
  measure.defined ? plain(format(measure.value), note) : { text: NONE, note: measure.why, none: true };

/** A value with its interval. */
export const estimateCell = (estimate: Estimate | null | undefined, digits = 3, more = ''): Cell =>
  estimate === null || estimate === undefined
    ? notApplicable
    : valueCell(
        estimate.measure,
        () => fixed(estimate.measure, digits),
        estimate.interval.defined ? `${rangeText(estimate.interval, digits)}${more}` : 'no interval',
      );

export const differenceCell = ({ difference, interval }: Difference): Cell =>
  plain(signed(difference), signedRange(interval));

export const setupTable = <Setup extends SetupHead>(
  title: string,
  setups: readonly Setup[],
  columns: readonly SetupColumn<NoInfer<Setup>>[],
  note?: string,
): ReportTable | null =>
  setups.length === 0
    ? null
    : {
        title,
        head: 'Configuration',
        columns,
        rows: setups.map((setup) => ({ head: setup, cells: columns.map(({ of }) => of(setup)) })),
        ...(note === undefined ? {} : { note }),
      };

/** `2 undecided`, `1 no quorum`, `3 unanswered`. */
export const gapsText = (counts: Readonly<Record<Gap, number>>): string[] =>
  gapNames.flatMap((name) =>
    counts[name] > 0 ? [`${grouped(counts[name])} ${name.replace('-', ' ')}`] : [],
  );

/** A cell that is shaded by a measure, if there is one. */
export const shaded = (cell: Cell, measure: ReportMeasure): Cell =>
  measure.defined ? { ...cell, shade: measure.value } : cell;

/** The score among the trials that got a decision, and how many these are; empty if all did. */
export const decidedText = ({ measure }: Estimate, n: number): string[] =>
  measure.n === n ? [] : [`${fixed(measure)} of ${grouped(measure.n)} decided`];

/** A setup's number, the same in every table and chart, from 1. */
export const numberOf = (setups: readonly SetupHead[], id: string): number =>
  setups.findIndex((setup) => setup.id === id) + 1;

/** The method, and what distinguishes setups of the same method. */
export function methodOf(setup: SetupHead, setups: readonly SetupHead[] = []): string {
  const { method, temperature, equalCallsOf, run } = setup;
  const name = (one: SetupHead) =>
    JSON.stringify([one.method, one.models, one.temperature, one.equalCallsOf === null]);
  const alike = setups.filter((one) => one.run !== run && name(one) === name(setup)).length > 0;
  const differ = new Set(setups.map((setup) => setup.temperature)).size > 1;
  return [
    method,
    ...(differ && temperature !== null ? [`at ${temperature}`] : []),
    ...(equalCallsOf === null ? [] : ['as a vote with equal calls']),
    ...(alike && run !== null ? [`(${run})`] : []),
  ].join(' ');
}

export const unique = <T>(items: readonly T[]): T[] => [...new Set(items)];

export const placeIn = (
  { front, incomparable }: { front: readonly string[]; incomparable: readonly string[] },
  { id }: SetupHead,
): Cell => plain(front.includes(id) ? '◆ front' : incomparable.includes(id) ? 'unknown' : 'dominated');

type Counted = Readonly<Record<Gap, number>> & { n: number; coverage: ReportMeasure };

/** The share of trials with a decision, and what kept the others. */
export const decidedColumn = <Setup>(of: (setup: Setup) => Counted | null): SetupColumn<Setup> => ({
  title: 'Decided',
  notes: 'trials',
  of: (setup) => {
    const counts = of(setup);
    if (counts === null) return notApplicable;
    return plain(percent(counts.coverage), [`of ${grouped(counts.n)}`, ...gapsText(counts)].join(', '));
  },
});

/** A share in percent with its interval. */
export const rateCell = (rate: Estimate | undefined): Cell =>
  rate === undefined
    ? notApplicable
    : valueCell(rate.measure, () => percent(rate.measure), percentRange(rate.interval));
