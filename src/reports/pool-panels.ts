import * as z from 'zod';
import type { TrialStore } from '../benchmark/index.ts';
import { JuryError } from '../common/index.ts';
import { andList, counted, grouped, noSuch } from '../common/text/index.ts';
import { Estimate, percent, percentRange, pText } from './estimates/index.ts';
import { type ReadingWishes, readCaseFacts, readingOf, requireRun, tabulate } from './facts/index.ts';
import { plain, type ReportTable, valueCell } from './metrics/index.ts';
import { AheadOfPanel, adjusted, surely } from './panel-benefit.ts';
import {
  aheadWords,
  benefitRange,
  casesText,
  groupsNote,
  PICKED,
  pickedJudge,
  signedPoints,
  stoppedWords,
  votesCell,
} from './panel-words.ts';
import {
  againstBest,
  aheadOfPanel,
  type Bench,
  createPanels,
  groupsIn,
  majority,
  type PanelCase,
  PanelReport,
  sharedErrors,
  shareOf,
} from './panels.ts';

/** A panel of some judges of a run, made without a call. */
const PooledPanel = z.strictObject({
  /** What the judges have in common, see `PanelReport`. */
  of: z.string(),
  judges: z.array(z.string()),
  cases: z.int(),
  /** Groups of cases that belong together: as many as cases if none do. */
  groups: z.int(),
  accuracy: Estimate,
  undecided: z.int(),
  best: PanelReport.shape.best,
  effectiveVotes: Estimate,
});
type PooledPanel = z.infer<typeof PooledPanel>;

export const PooledPanels = z.strictObject({
  run: z.string(),
  /** Whether the labels are what several people said. */
  byPeople: z.boolean(),
  /** The most right first. */
  panels: z.array(PooledPanel),
  /** The judges who judged the cases of the first panel, and how much more often than it each alone is right. */
  judges: z.array(z.strictObject({ name: z.string(), accuracy: Estimate, ahead: AheadOfPanel })),
});
export type PooledPanels = z.infer<typeof PooledPanels>;

/** More panels would take too long, and none of them could be told from chance. */
const MOST_PANELS = 2_000;

/** All sets of two to `upTo` of k judges. */
function setsOf(k: number, upTo: number): number[][] {
  const sets = Array.from({ length: k }, (_, judge) => [judge]);
  for (const set of sets) {
    if (set.length >= upTo) continue;
    for (let next = (set.at(-1) ?? 0) + 1; next < k; next += 1) {
      sets.push([...set, next]);
      if (sets.length > MOST_PANELS + k)
        throw new JuryError(
          'usage',
          `${counted(k, 'judge')} make more than ${grouped(MOST_PANELS)} panels of up to ${upTo}: lower --up-to, or name judges with --panels.`,
        );
    }
  }
  return sets.filter((set) => set.length > 1);
}

/** What some judges of a bench say, and what they decide. */
function seated({ rows }: Bench, set: readonly number[]) {
  const cases = rows.map((one): PanelCase => ({ ...one, said: set.map((judge) => one.said[judge] ?? null) }));
  const decided = cases.map(({ said }) => majority(said));
  return { cases, decided, isRight: cases.map(({ truth }, at) => decided[at] === truth) };
}

function pooled(bench: Bench, set: readonly number[]): PooledPanel {
  const { id, names } = bench;
  const judges = set.map((judge) => names[judge] ?? '');
  const { cases, decided, isRight } = seated(bench, set);
  return {
    of: id,
    judges,
    cases: cases.length,
    groups: groupsIn(cases),
    accuracy: shareOf(cases.map(({ unit }, at) => ({ unit, has: isRight[at] === true }))),
    undecided: decided.filter((one) => one === null).length,
    best: againstBest(judges, cases, isRight),
    effectiveVotes: sharedErrors(judges, cases).effectiveVotes,
  };
}

/** Each judge of a bench alone beside a panel of some of them. */
function alone(bench: Bench, set: readonly number[]): PooledPanels['judges'] {
  const { names, rows } = bench;
  const ahead = aheadOfPanel(names.length, rows, seated(bench, set).isRight);
  return names.map((name, judge) => ({
    name,
    accuracy: shareOf(rows.map(({ unit, said, truth }) => ({ unit, has: said[judge] === truth }))),
    ahead: ahead[judge] ?? null,
  }));
}

/** The sets of judges that were named. @throws JuryError `usage` for a name that no judge has */
function namedSets(benches: readonly Bench[], wanted: readonly string[]) {
  const fitting = benches.filter(({ names }) => wanted.every((name) => names.includes(name)));
  const all = [...new Set(benches.flatMap(({ names }) => names))];
  const unknown = wanted.find((name) => !all.includes(name));
  if (unknown !== undefined) throw noSuch('judge', unknown, all);
  if (fitting.length === 0 || wanted.length < 2)
    throw new JuryError(
      'usage',
      `${andList([...wanted])} did not judge the same cases: name two or more judges that did.`,
    );
  return fitting.map((bench) => ({
    bench,
    set: wanted.map((name) => bench.names.indexOf(name)).sort((a, b) => a - b),
  }));
}

const valueIn = ({ measure }: Estimate): number => (measure.defined ? measure.value : -1);

/**
 * Makes panels of the judges of a run from what they said, without a call, and compares each with the best of its judges.
 * @param wanted judges of one panel; null: all panels of two judges to `upTo`
 * @throws JuryError `usage` if there is no such run or judge, or no two judges judged the same labeled cases
 */
export async function poolPanels(
  store: Pick<TrialStore, 'names' | 'readRun' | 'readCases' | 'readTrials'>,
  name: string,
  { wanted, upTo, ...wishes }: ReadingWishes & { wanted: readonly string[] | null; upTo: number },
): Promise<PooledPanels> {
  const manifest = await requireRun(store, name);
  const cases = await readCaseFacts(store, name);
  const panels = createPanels(manifest, cases);
  const { reading } = readingOf(cases, wishes);
  const each: Parameters<typeof tabulate>[2] = (trial, setup, facts) => {
    panels.add(trial, setup, facts);
    return null;
  };
  await tabulate(manifest, store.readTrials(name), each, null, reading);
  const benches = panels.benches();
  if (benches.length === 0)
    throw new JuryError(
      'usage',
      panels.isUnasked()
        ? `${name}: ${stoppedWords(manifest.settings.stop)}`
        : `No two judges of ${name} judged the same cases with labels pass or fail, or with a preference. There is nothing to pool.`,
    );
  const sets =
    wanted === null
      ? benches.flatMap((bench) => setsOf(bench.names.length, upTo).map((set) => ({ bench, set })))
      : namedSets(benches, wanted);
  const made = adjusted(sets.map(({ bench, set }) => pooled(bench, set)))
    .map((panel, at) => ({ panel, from: sets[at] }))
    .sort(
      (a, b) =>
        valueIn(b.panel.accuracy) - valueIn(a.panel.accuracy) ||
        a.panel.judges.length - b.panel.judges.length,
    );
  const from = made[0]?.from;
  return {
    run: name,
    byPeople: cases.some(({ label }) => label?.answers?.some(({ by }) => by !== null)),
    panels: made.map(({ panel }) => panel),
    judges: from === undefined ? [] : alone(from.bench, from.set),
  };
}

/** `87.5 % (63.3–96.6 %)`: never a share without its interval, as shares of different panels stand side by side. */
const shareText = ({ measure, interval }: Estimate): string =>
  `${percent(measure)}${interval.defined ? ` (${percentRange(interval)})` : ''}`;

/** How many panels differ beyond chance from a single judge. */
function countWords(panels: readonly PooledPanel[], whose: string): string {
  const picked = pickedJudge().replace(/^A/, 'a');
  const count = (sign: number) => panels.filter(({ best }) => surely(best) === sign).length;
  const [better, worse] = [count(1), count(-1)];
  const than = `with ${whose} than ${picked}.`;
  if (panels.length === 1) {
    if (better + worse === 1)
      return `Beyond chance, the panel agrees ${better === 1 ? 'more' : 'less'} ${than}`;
    return `Beyond chance, the panel agrees neither more nor less ${than}`;
  }
  const all = counted(panels.length, 'panel');
  if (better + worse === 0) return `Beyond chance, none of ${all} agrees more or less ${than}`;
  const part = (n: number, how: string) =>
    n === 0 ? [] : [`${grouped(n)} of ${all} ${n === 1 ? 'agrees' : 'agree'} ${how}`];
  return `Beyond chance, ${andList([...part(better, 'more'), ...part(worse, 'less')])} ${than}`;
}

/** Which panel agrees most, or which ones share that place. */
function firstWords(panels: readonly PooledPanel[]): string[] {
  const [first] = panels;
  if (first === undefined) return [];
  const { accuracy, cases, groups } = first;
  const equal = panels.filter((panel) => valueIn(panel.accuracy) === valueIn(accuracy));
  const share = `${percent(accuracy.measure)} of ${casesText(cases, groups)} (${percentRange(accuracy.interval)})`;
  if (panels.length === 1) return [`The panel agrees on ${share}.`];
  if (equal.length === 1)
    return [
      `The panel of ${andList(first.judges)} agrees most: on ${share}; ${pickedJudge().replace(/^A/, 'a')}: ${shareText(first.best.accuracy)}.`,
    ];
  const who =
    equal.length === panels.length
      ? `All ${counted(panels.length, 'panel')}`
      : counted(equal.length, 'panel');
  return [`${who} agree equally often${equal.length === panels.length ? '' : ', and most'}: on ${share}.`];
}

/** What pooling shows, in words. */
function poolWords({ panels, judges, byPeople }: PooledPanels): string[] {
  const than = panels.length === 1 ? 'the panel' : `the panel of ${andList(panels[0]?.judges ?? [])}`;
  return [
    countWords(panels, byPeople ? 'people' : 'the labels'),
    ...firstWords(panels),
    ...aheadWords(
      judges.map(({ name, accuracy, ahead }) => ({ name, figure: percent(accuracy.measure), ahead })),
      { does: 'agrees on', than: `more than ${than}` },
    ),
  ];
}

/** `40 (7 groups)`, as a terminal has no notes in that column. */
function casesCell(cases: number, groups: number): string {
  const note = groupsNote({ cases, groups });
  return `${grouped(cases)}${note === undefined ? '' : ` (${note})`}`;
}

/** Every pooled panel beside a judge that is picked on other cases. @param most rows to show */
export function poolTable(result: PooledPanels, most: number): ReportTable {
  const { panels } = result;
  const more = panels.length - most;
  return {
    title: 'Panels',
    head: 'Judges',
    lead: poolWords(result),
    columns: [
      { title: 'Cases' },
      { title: 'Panel (95 %)' },
      { title: PICKED },
      { title: 'Points more', notes: '95 %' },
      { title: 'p, Holm' },
      { title: 'Effective votes' },
      { title: 'Undecided' },
    ],
    rows: panels
      .slice(0, most)
      .map(({ judges, cases, groups, accuracy, best, effectiveVotes, undecided }) => ({
        head: judges.join(' + '),
        cells: [
          plain(casesCell(cases, groups)),
          plain(shareText(accuracy)),
          plain(shareText(best.accuracy)),
          valueCell(best.difference, signedPoints, benefitRange(best, signedPoints)),
          plain(pText(best.holm ?? best.pValue)),
          votesCell(effectiveVotes, judges.length),
          plain(grouped(undecided)),
        ],
      })),
    note: `Made of what the judges of ${result.run} said, without a call; the majority decides, and a tie is not right. Of each panel, a judge is picked on one half of the cases and measured on the other, so it need not be the best of all cases; both shares are estimates with their 95 % intervals, and differ by panel since the judges to pick from do. p is adjusted for the number of panels.${more > 0 ? ` ${counted(more, 'more panel')}: --json lists all.` : ''}`,
  };
}
