import { closingLines } from '../../src/reports/assistant/assistant-words.ts';
import { assistantReport, withVotes } from '../../src/reports/assistant/make-assistant-report.ts';
import { correctedChange, type ReviewedRun } from '../../src/reports/assistant/true-rate.ts';
import { clusteredShareInterval } from '../../src/statistics/proportions.ts';
import { createRandom } from '../../src/statistics/random.ts';
import {
  answersOf,
  checkedOf,
  type Drawing,
  type MadeAnswer,
  type Population,
  someAnswers,
  somePopulation,
  someRequests,
} from '../../test/support/judged-answers.ts';
import type { ConclusionRow } from './row.ts';

/** Answers of a run, and so many of a week's that people check. */
const ANSWERS = 240;
const A_WEEK = 40;

/** Never read: these reports compare with no other run. */
const noStore = {
  async *readCases() {},
  async *readTrials() {},
  async *readVerdicts() {},
};

const mean = (values: readonly number[]): number =>
  values.reduce((total, one) => total + one, 0) / values.length;

interface Limits {
  low: number;
  high: number;
}

/** The limits that are printed beside the rate; null if none are. */
async function printed(made: readonly MadeAnswer[], reviewed: readonly ReviewedRun[], isLabeled: boolean) {
  const report = await assistantReport(noStore, answersOf('now', made, { labeled: isLabeled }), [], reviewed);
  const isSaid = closingLines(report).some((line) => line.startsWith('Judges pass '));
  const { truth } = report;
  return isSaid && truth.source !== null && truth.interval.defined ? truth.interval : null;
}

/** The limits of labels alone, with the same family of interval. */
function labelsAlone(made: readonly MadeAnswer[], places: ReadonlySet<number>): Limits | null {
  const units = new Map<number, { successes: number; n: number }>();
  for (const { place, unit, right } of made) {
    if (!places.has(place)) continue;
    const own = units.get(unit) ?? { successes: 0, n: 0 };
    units.set(unit, { successes: own.successes + (right === 'pass' ? 1 : 0), n: own.n + 1 });
  }
  const interval = clusteredShareInterval([...units.values()].map((value) => ({ value, items: 1 })));
  return interval.defined ? interval : null;
}

/** A population, how many of its answers are checked, and how they are drawn. */
interface Cell {
  name: string;
  population: Population;
  n: number;
  how: Drawing;
}

const isHeld = (interval: Limits | null, truth: number): boolean =>
  interval !== null && interval.low <= truth && truth <= interval.high;

/** What came of many repetitions, in each of which requests, answers, decisions and checks are drawn anew. */
interface Outcome {
  /** Of those printed, how many hold the truth. */
  coverage: number;
  printed: number;
  width: number;
  /** The mean width as a share of that of the labels alone; null where these are not the run's own. */
  toAlone: number | null;
}

function outcomeOf(
  found: readonly { interval: Limits | null; alone?: Limits | null }[],
  truth: number,
): Outcome {
  const widthOf = (limits: Limits | null | undefined): number[] =>
    limits === null || limits === undefined ? [] : [limits.high - limits.low];
  const said = found.filter(({ interval }) => interval !== null);
  const alone = said.flatMap((one) => widthOf(one.alone));
  const width = mean(said.flatMap(({ interval }) => widthOf(interval)));
  return {
    coverage: said.filter(({ interval }) => isHeld(interval, truth)).length / said.length,
    printed: said.length / found.length,
    width,
    toAlone: alone.length === 0 ? null : width / mean(alone),
  };
}

/** Labels of the run's own answers: of all of them, or of those that were drawn. */
async function ownLabels({ name, population, n, how }: Cell, repetitions: number): Promise<Outcome> {
  const found = [];
  for (let at = 0; at < repetitions; at += 1) {
    const random = createRandom('own labels', name, n, how, at);
    const made = someAnswers(someRequests(ANSWERS, population, random), population, random);
    const samples = n < ANSWERS ? [checkedOf('now', made, n, how, random)] : [];
    const known = samples[0]?.answers ?? made;
    found.push({
      interval: await printed(made, samples, n === ANSWERS),
      alone: labelsAlone(made, new Set(known.map(({ place }) => place))),
    });
  }
  return outcomeOf(found, population.rate);
}

/** Samples of the answers of earlier weeks, 40 of each. @param isSame whether each week asks the same requests */
async function otherSamples(
  { name, population, n, how }: Cell,
  { earlier, isSame }: { earlier: Population; isSame: boolean },
  repetitions: number,
): Promise<Outcome> {
  const found = [];
  for (let at = 0; at < repetitions; at += 1) {
    const random = createRandom('other samples', name, n, how, at);
    const requests = someRequests(ANSWERS, population, random);
    const of = (one: Population) =>
      someAnswers(isSame ? requests : someRequests(ANSWERS, one, random), one, random);
    const reviewed = Array.from({ length: n / A_WEEK }, (_, week) =>
      checkedOf(`week-${week}`, of(earlier), A_WEEK, how, random, isSame ? 'request' : `week ${week}`),
    );
    found.push({ interval: await printed(of(population), reviewed, false) });
  }
  return outcomeOf(found, population.rate);
}

/** How often anything is printed where people voted on verdicts of their choice. */
async function fromVotes(repetitions: number): Promise<number> {
  let said = 0;
  for (let at = 0; at < repetitions; at += 1) {
    const random = createRandom('votes', at);
    const made = someAnswers(someRequests(ANSWERS, somePopulation, random), somePopulation, random);
    const plain = await assistantReport(noStore, answersOf('now', made), []);
    const rows = (['pass', 'fail'] as const).flatMap((decision) =>
      [true, false].map((isRight) => ({
        key: {
          day: '2026-11-20',
          channel: 'C1',
          rubric: 'plain',
          method: 'io',
          models: 'rules',
          kind: 'verdict' as const,
          subject: '',
          decision,
        },
        tally: { agree: isRight ? 3 : 0, disagree: isRight ? 0 : 3, unsure: 0 },
        items: made.filter((one) => one.decision === decision && (one.right === decision) === isRight).length,
      })),
    );
    const lines = closingLines(withVotes(plain, rows));
    if (lines.some((line) => line.startsWith('Judges pass '))) said += 1;
  }
  return said / repetitions;
}

/** The change of the true rate between two runs, of the same requests or of others. */
async function changes(
  { name, population, n, how }: Cell,
  isSame: boolean,
  repetitions: number,
): Promise<Outcome> {
  const later = { ...population, rate: population.rate - 0.07 };
  const found = [];
  for (let at = 0; at < repetitions; at += 1) {
    const random = createRandom('changes', name, n, how, `${isSame}`, at);
    const requests = someRequests(ANSWERS, population, random);
    const asked = isSame ? requests : someRequests(ANSWERS, later, random);
    const sideOf = (run: string, made: readonly MadeAnswer[], requestName: string) => ({
      answers: answersOf(run, made, { labeled: n === ANSWERS, asked: requestName }),
      samples: n < ANSWERS ? [checkedOf(run, made, n, how, random)] : [],
    });
    const then = sideOf('then', someAnswers(requests, population, random), 'request');
    const now = sideOf('now', someAnswers(asked, later, random), isSame ? 'request' : 'other request');
    const change = correctedChange(now.answers, then.answers, [...then.samples, ...now.samples]);
    found.push({ interval: change?.interval.defined === true ? change.interval : null });
  }
  return outcomeOf(found, -0.07);
}

const inUsers = (population: Population): Population => ({ ...population, together: 4 });
const of = (rate: number): Population => ({ ...somePopulation, rate });
/** A single judge: nothing splits. */
const single: Population = {
  ...somePopulation,
  split: 0,
  rightOnOthers: { pass: 0.87, fail: 0.83 },
};

const populations = [
  { name: '80 % right', population: somePopulation },
  { name: '80 % right, four of each user', population: inUsers(somePopulation) },
];
const others = [
  { name: '60 % right', population: of(0.6) },
  { name: '90 % right', population: of(0.9) },
  { name: '90 % right, four of each user', population: inUsers(of(0.9)) },
  { name: '95 % right', population: of(0.95) },
  { name: '80 % right, a single judge', population: single },
];
const drawings: readonly Drawing[] = ['random', 'stratified'];

const cellsOf = (named: readonly Pick<Cell, 'name' | 'population'>[], sizes: readonly number[]): Cell[] =>
  named.flatMap((one) =>
    sizes.flatMap((n) =>
      (n === ANSWERS ? drawings.slice(0, 1) : drawings).map((how) => ({ ...one, n, how })),
    ),
  );

const titleOf = ({ name, n, how }: Cell): string => `${name}, ${n} ${how === 'random' ? 'at random' : how}`;

/** @param wide whether other populations are simulated, too */
export async function rates(repetitions: number, wide = true): Promise<ConclusionRow[]> {
  const rows: ConclusionRow[] = [];
  const covered: number[] = [];
  for (const cell of [...cellsOf(populations, [40, 120, 240]), ...cellsOf(wide ? others : [], [40, 120])]) {
    const { coverage, printed: said, width, toAlone } = await ownLabels(cell, repetitions);
    const what = `own labels, ${titleOf(cell)}`;
    if (cell.n >= 120) covered.push(coverage);
    rows.push(
      {
        what: `${what}: holds the true rate (width ${width.toFixed(3)})`,
        value: coverage,
        from: 0.935,
        to: 1,
      },
      { what: `${what}: is printed`, value: said, from: 0.95, to: 1 },
      { what: `${what}: width, as a share of the labels’ own`, value: toAlone ?? 1, from: 0, to: 1.05 },
    );
  }
  rows.push({ what: 'own labels from 120 on, on average', value: mean(covered), from: 0.94, to: 0.97 });
  const changed = (name: string, now: Population, earlier: Population) =>
    cellsOf([{ name, population: now }], [120, 400]).map((cell) => ({ cell, earlier, isSame: false }));
  const unchanged = (cells: readonly Cell[], isSame = false) =>
    cells.map((cell) => ({ cell, earlier: cell.population, isSame }));
  const otherWeeks = [
    ...unchanged(cellsOf(populations, [40, 120, 400])),
    ...(wide
      ? [
          ...changed('80 % right now, 90 % then', somePopulation, of(0.9)),
          ...changed('90 % right now, 70 % then', of(0.9), of(0.7)),
          ...unchanged(
            cellsOf([{ name: '80 % right, same requests', population: somePopulation }], [120, 400]),
            true,
          ),
          ...unchanged(cellsOf(others, [120])),
        ]
      : []),
  ];
  for (const { cell, ...weeks } of otherWeeks) {
    const { coverage, printed: said, width } = await otherSamples(cell, weeks, repetitions);
    const what = `other weeks’ samples, ${titleOf(cell)}`;
    rows.push(
      {
        what: `${what}: holds the true rate (width ${width.toFixed(3)})`,
        value: coverage,
        from: 0.935,
        to: 0.995,
      },
      { what: `${what}: is printed`, value: said, from: 0.95, to: 1 },
    );
  }
  rows.push({
    what: 'votes on verdicts of people’s choice: a corrected rate is printed',
    value: await fromVotes(Math.min(repetitions, 100)),
    from: 0,
    to: 0,
  });
  for (const isSame of [true, false])
    for (const cell of cellsOf(populations, [120, 240])) {
      const { coverage, width } = await changes(cell, isSame, repetitions);
      rows.push({
        what: `corrected change, ${isSame ? 'same' : 'other'} requests, ${titleOf(cell)}: holds the true one (width ${width.toFixed(3)})`,
        value: coverage,
        from: 0.935,
        to: 1,
      });
    }
  return rows;
}
