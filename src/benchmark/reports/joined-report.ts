import { counted, grouped } from '../../common/text.ts';
import type { RunManifest } from '../run.ts';
import type { CaseMark } from './comparison.ts';
import { MAX_MISTAKES, MIN_PER_SETUP } from './mistake.ts';
import type { Report, SetupReport } from './report.ts';
import { paretoOf, withHolm } from './report-of.ts';
import { isRanked } from './tables.ts';

/** A run among several of one report. */
export interface JoinedRun {
  name: string;
  /** How it differs from the first, in words. */
  differences: readonly string[];
  marks: readonly CaseMark[];
  report: Report;
}

const keyOf = ({ id, hash }: CaseMark): string => `${id} ${hash}`;

/** The cases that are in all runs with the same content and label, as their places in each run. */
export function sharedPlaces(runs: readonly (readonly CaseMark[])[]): Set<number>[] {
  const [first = [], ...others] = runs.map((marks) => new Set(marks.map(keyOf)));
  const shared = new Set([...first].filter((key) => others.every((keys) => keys.has(key))));
  return runs.map(
    (marks) => new Set(marks.flatMap((mark, place) => (shared.has(keyOf(mark)) ? [place] : []))),
  );
}

/** Ids of setups that several runs have get the run's name. @param runs the ids of each run's setups */
export function distinctIds(
  runs: readonly { name: string; ids: readonly string[] }[],
): (run: string, id: string) => string {
  const all = runs.flatMap(({ ids }) => ids);
  const repeated = new Set(all.filter((id, at) => all.indexOf(id) !== at));
  return (run, id) => (repeated.has(id) ? `${id} (${run})` : id);
}

const distinct = <T>(items: readonly T[]): T[] => [
  ...new Map(items.map((item) => [JSON.stringify(item), item])).values(),
];

/** What several runs have in common and each has of its own. */
function joinedCases(runs: readonly JoinedRun[]): NonNullable<Report['joined']> {
  const [places] = sharedPlaces(runs.map(({ marks }) => marks));
  return {
    shared: places?.size ?? 0,
    runs: runs.map(({ name, differences, marks, report: { trials, planned } }) => ({
      name,
      cases: marks.length,
      trials,
      planned,
      differences: [...differences],
    })),
  };
}

/** What must be known to read several runs side by side. */
function joinedNotes({ shared, runs }: NonNullable<Report['joined']>): string[] {
  const more = runs.flatMap(({ name, cases }) =>
    cases > shared ? [`${name} has ${grouped(cases - shared)} more`] : [],
  );
  return [
    more.length === 0
      ? 'All runs have the same cases.'
      : `${counted(shared, 'case')} ${shared === 1 ? 'is' : 'are'} the same in all runs; ${more.join(', ')}. Each run is reported on its own cases. No configuration is ranked above another run’s; --common ranks them on the cases that all runs have.`,
    ...runs.flatMap(({ name, differences }, at) =>
      at === 0 || differences.length === 0 ? [] : [`${runs[0]?.name} → ${name}: ${differences.join('; ')}.`],
    ),
  ];
}

/** Fronts without members: configurations on other cases are neither better nor worse. */
function unranked({ criteria, ...fronts }: Report['pareto']): Report['pareto'] {
  const none = <T extends Report['pareto']['all']>(one: T): T => ({
    ...one,
    front: [],
    dominated: [],
    incomparable: [...one.front, ...one.dominated, ...one.incomparable],
  });
  return {
    all: none(fronts.all),
    cost: none(fronts.cost),
    latency: none(fronts.latency),
    criteria: criteria === null ? null : none(criteria),
  };
}

/** The rubrics of all runs with their versions; one that differs in its version is there with each. */
function joinedRubrics(runs: readonly RunManifest[]): Pick<RunManifest, 'rubrics' | 'versions'> {
  const found = runs.flatMap(({ rubrics, versions = {} }) =>
    rubrics.map((id) => ({ id, version: versions[id] })),
  );
  const differs = (id: string) => found.some((one) => one.id === id && one.version !== versionOf.get(id));
  const versionOf = new Map(found.map(({ id, version }) => [id, version]));
  const named = found.map(({ id, version }): [string, typeof version] => [
    version !== undefined && differs(id) ? `${id}@${version}` : id,
    version,
  ]);
  const versions = named.flatMap(([id, version]) => (version === undefined ? [] : [[id, version] as const]));
  return { rubrics: [...new Set(named.map(([id]) => id))], versions: Object.fromEntries(versions) };
}

/** One report of several runs: their setups side by side, and the fronts over all of them. @param runs at least one */
export function joinReports(runs: readonly JoinedRun[]): Report {
  const [first] = runs;
  if (first === undefined) throw new Error('There is no run to report on.');
  const reports = runs.map(({ report }) => report);
  const idOf = distinctIds(
    runs.map(({ name, report }) => ({ name, ids: report.setups.map(({ id }) => id) })),
  );
  const each = <T>(of: (report: Report, rename: (id: string) => string, run: string) => readonly T[]): T[] =>
    runs.flatMap(({ name, report }) => of(report, (id) => idOf(name, id), name));
  const renamed = (setup: SetupReport, rename: (id: string) => string, run: string): SetupReport => ({
    ...setup,
    id: rename(setup.id),
    equalCallsOf: setup.equalCallsOf === null ? null : rename(setup.equalCallsOf),
    run,
  });
  const setups = each((report, rename, run) => report.setups.map((setup) => renamed(setup, rename, run)));
  const most = Math.max(MIN_PER_SETUP, Math.floor(MAX_MISTAKES / setups.length));
  const mistakes = each(({ mistakes: { shown } }, rename, run) =>
    shown.map((one) => ({ ...one, setup: rename(one.setup), key: `${run}:${one.key}` })),
  );
  const recall = reports.map((report) => report.recall);
  const marks = new Map(runs.flatMap((run) => run.marks.map((mark) => [keyOf(mark), mark] as const)));
  const unique = (of: (report: Report) => readonly string[]) => [...new Set(reports.flatMap(of))];
  const groups = each(({ groups: own }, rename, run) =>
    (own?.reports ?? []).map(({ values, setup }) => ({ values, setup: renamed(setup, rename, run) })),
  );
  const joined = joinedCases(runs);
  return {
    ...first.report,
    run: {
      ...first.report.run,
      name: runs.map(({ name }) => name).join(' + '),
      configurations: each(({ run }) => run.configurations),
      dataset: {
        source: unique(({ run }) => [run.dataset.source]).join(', '),
        cases: marks.size,
        labeled: [...marks.values()].filter(({ labeled }) => labeled).length,
        hash: unique(({ run }) => [run.dataset.hash]).join(' '),
      },
      ...joinedRubrics(reports.map(({ run }) => run)),
      wordings: Object.fromEntries(
        each(({ run }, _, name) =>
          Object.entries(run.wordings).map(([use, hash]) => [`${name}: ${use}`, hash] as const),
        ),
      ),
    },
    joined,
    trials: reports.reduce((sum, { trials }) => sum + trials, 0),
    planned: reports.reduce((sum, { planned }) => sum + planned, 0),
    notes: [...joinedNotes(joined), ...unique(({ notes }) => notes)],
    assistant: null,
    setups,
    pareto: isRanked({ joined }) ? paretoOf(setups) : unranked(paretoOf(setups)),
    correlations: distinct(
      each((report, rename) =>
        report.correlations.map((one) => ({ ...one, setup: one.setup === null ? null : rename(one.setup) })),
      ),
    ),
    recall:
      distinct(recall).length === 1
        ? (recall[0] ?? [])
        : each((report, _, run) => report.recall.map((one) => ({ ...one, run }))),
    groups: first.report.groups === null ? null : { by: first.report.groups.by, reports: groups },
    equalCalls: withHolm(
      each((report, rename) =>
        report.equalCalls.map((pair) => ({
          ...pair,
          first: rename(pair.first),
          second: rename(pair.second),
        })),
      ),
    ),
    mistakes: {
      shown: setups.flatMap(({ id }) => mistakes.filter((one) => one.setup === id).slice(0, most)),
      counts: Object.fromEntries(
        each((report, rename) =>
          Object.entries(report.mistakes.counts).map(([id, count]) => [rename(id), count] as const),
        ),
      ),
    },
  };
}
