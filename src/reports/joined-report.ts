import { type RunManifest, runDifferences, type SpokenTrial, type TrialStore } from '../benchmark/index.ts';
import { JuryError } from '../common/index.ts';
import { counted, grouped } from '../common/text/index.ts';
import { sum } from '../statistics/index.ts';
import { bestByCriterion } from './best-by-criterion.ts';
import { withHolm } from './comparison/index.ts';
import {
  type CaseMark,
  type EachTrial,
  MAX_MISTAKES,
  MIN_PER_SETUP,
  markOf,
  readCaseFacts,
  requireRun,
  setupsOf,
  tagNames,
} from './facts/index.ts';
import { type ReportWishes, readReport } from './make-report.ts';
import { inPlacesOf, type JudgedCases, paretoOf, type SetupReport } from './metrics/index.ts';
import { isRanked, type Report } from './report.ts';

/** One of several runs in a joined report. */
interface JoinedRun {
  name: string;
  /** How it differs from the first run, in words. */
  differences: string[];
  marks: readonly CaseMark[];
  report: Report;
  /** What each of its setups decided, by places in the first run. */
  judged: ReadonlyMap<string, JudgedCases>;
}

const keyOf = ({ id, hash }: CaseMark): string => `${id} ${hash}`;

/** The cases that all runs have with the same content and label, as places in each run. */
function sharedPlaces(runs: readonly (readonly CaseMark[])[]): Set<number>[] {
  const [first = [], ...others] = runs.map((marks) => new Set(marks.map(keyOf)));
  const shared = new Set([...first].filter((key) => others.every((keys) => keys.has(key))));
  return runs.map(
    (marks) => new Set(marks.flatMap((mark, place) => (shared.has(keyOf(mark)) ? [place] : []))),
  );
}

const distinct = <T>(items: readonly T[]): T[] => [
  ...new Map(items.map((item) => [JSON.stringify(item), item])).values(),
];

/** Caveats for reading several runs side by side. */
function joinedNotes({ shared, runs }: NonNullable<Report['joined']>): string[] {
  const more = runs.flatMap(({ name, cases }) =>
    cases > shared ? [`${name} has ${grouped(cases - shared)} more`] : [],
  );
  return [
    more.length === 0
      ? 'All runs have the same cases.'
      : `${counted(shared, 'case')} ${shared === 1 ? 'is' : 'are'} the same in all runs; ${more.join(', ')}. Each run is reported on its own cases. No configuration is ranked above another run’s; --common ranks them on the cases that all runs have.`,
    ...runs.flatMap(({ name, differences }, at) =>
      at === 0 || differences.length === 0
        ? []
        : [`${name} differs from ${runs[0]?.name}: ${differences.join('; ')}.`],
    ),
  ];
}

/** Pareto fronts without members: configurations judged on different cases can't be ranked. */
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

/** The rubrics of all runs with their versions. A rubric used in several versions is listed once for each. */
function joinedRubrics(runs: readonly RunManifest[]): Pick<RunManifest, 'rubrics' | 'versions'> {
  const versioned = runs.flatMap(({ rubrics, versions = {} }) =>
    rubrics.map((id) => ({ id, version: versions[id] })),
  );
  const differs = (id: string) => versioned.some((one) => one.id === id && one.version !== versionOf.get(id));
  const versionOf = new Map(versioned.map(({ id, version }) => [id, version]));
  const named = versioned.map(({ id, version }): [string, typeof version] => [
    version !== undefined && differs(id) ? `${id}@${version}` : id,
    version,
  ]);
  const versions = named.flatMap(([id, version]) => (version === undefined ? [] : [[id, version] as const]));
  return { rubrics: [...new Set(named.map(([id]) => id))], versions: Object.fromEntries(versions) };
}

/**
 * Puts the setups of several runs side by side, with Pareto fronts over all of them.
 * @param shared number of cases that are the same in all runs
 */
function joinReports(
  runs: readonly JoinedRun[],
  shared: number,
  idOf: (run: string, setup: string) => string,
): Report {
  const [first] = runs;
  if (first === undefined) throw new Error('There is no run to report on.');
  const reports = runs.map(({ report }) => report);
  const each = <T>(of: (report: Report, rename: (id: string) => string, run: string) => readonly T[]): T[] =>
    runs.flatMap(({ name, report }) => of(report, (id) => idOf(name, id), name));
  const renamed = (setup: SetupReport, rename: (id: string) => string, run: string): SetupReport => ({
    ...setup,
    id: rename(setup.id),
    equalCallsOf: setup.equalCallsOf === null ? null : rename(setup.equalCallsOf),
    pooledFrom: setup.pooledFrom.map(rename),
    run,
  });
  const setups = each((report, rename, run) => report.setups.map((setup) => renamed(setup, rename, run)));
  const most = Math.max(MIN_PER_SETUP, Math.floor(MAX_MISTAKES / setups.length));
  const mistakes = each(({ mistakes: { shown } }, rename, run) =>
    shown.map((one) => ({ ...one, setup: rename(one.setup), key: `${run}:${one.key}` })),
  );
  const judged = new Map(
    runs.flatMap(({ name, judged: own }) => [...own].map(([id, cases]) => [idOf(name, id), cases] as const)),
  );
  const pareto = paretoOf(setups, (id) => judged.get(id));
  const recall = reports.map((report) => report.recall);
  const marks = new Map(runs.flatMap((run) => run.marks.map((mark) => [keyOf(mark), mark] as const)));
  const unique = (of: (report: Report) => readonly string[]) => [...new Set(reports.flatMap(of))];
  const groups = each(({ groups: own }, rename, run) =>
    (own?.reports ?? []).map(({ values, setup }) => ({ values, setup: renamed(setup, rename, run) })),
  );
  const joined = {
    shared,
    runs: runs.map(({ name, differences, marks: own, report: { trials, planned } }) => ({
      name,
      cases: own.length,
      trials,
      planned,
      differences,
    })),
  };
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
    trials: sum(reports.map(({ trials }) => trials)),
    planned: sum(reports.map(({ planned }) => planned)),
    notes: [...joinedNotes(joined), ...unique(({ notes }) => notes)],
    assistant: null,
    setups,
    pareto: isRanked({ joined }) ? pareto : unranked(pareto),
    bestByCriterion: isRanked({ joined }) ? bestByCriterion(setups, (id) => judged.get(id)) : [],
    correlations: distinct(
      each((report, rename) =>
        report.correlations.map((one) => ({ ...one, setup: one.setup === null ? null : rename(one.setup) })),
      ),
    ),
    recall:
      distinct(recall).length === 1
        ? (recall[0] ?? [])
        : each((report, _, run) => report.recall.map((one) => ({ ...one, run }))),
    groups:
      first.report.groups === null
        ? null
        : {
            by: first.report.groups.by,
            anyStopped: reports.some(({ groups: own }) => own?.anyStopped === true),
            reports: groups,
          },
    equalCalls: withHolm(
      each((report, rename) =>
        report.equalCalls.map((pair) => ({
          ...pair,
          first: rename(pair.first),
          second: rename(pair.second),
        })),
      ),
    ),
    panels: [],
    scorePanels: [],
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

/**
 * One report on several runs, each on its own cases or all on the cases they share.
 * @throws JuryError `usage` if there is no such run, or no case in common
 */
export async function makeJoinedReport(
  store: TrialStore,
  names: readonly string[],
  { each, onTags, common = false, ...wishes }: Omit<ReportWishes, 'against' | 'only'> & { common?: boolean },
): Promise<Report> {
  const reads: { manifest: RunManifest; marks: CaseMark[] }[] = [];
  const tags = new Set<string>();
  for (const name of names) {
    const manifest = await requireRun(store, name);
    const marks: CaseMark[] = [];
    for (const tag of tagNames(await readCaseFacts(store, name, (one) => marks.push(markOf(one)))))
      tags.add(tag);
    reads.push({ manifest, marks });
  }
  onTags?.([...tags].sort());
  const shared = sharedPlaces(reads.map(({ marks }) => marks));
  if (common && shared[0]?.size === 0)
    throw new JuryError('usage', `${names.join(' and ')} have no case in common.`);
  const ids = reads.flatMap(({ manifest }) => setupsOf(manifest).map(({ id }) => id));
  const repeated = new Set(ids.filter((id, at) => ids.indexOf(id) !== at));
  // Setup IDs that occur in several runs get the run's name appended.
  const idOf = (run: string, id: string): string => (repeated.has(id) ? `${id} (${run})` : id);
  const placeOf = new Map(reads[0]?.marks.map((mark, place) => [keyOf(mark), place]));
  const runs: JoinedRun[] = [];
  for (const [at, { manifest, marks }] of reads.entries()) {
    const { name } = manifest;
    const only = common ? (shared[at] ?? null) : null;
    const eachOf: EachTrial<SpokenTrial> = (trial, setup, facts) =>
      each?.({ ...trial, key: `${name}:${trial.key}` }, idOf(name, setup), facts) ?? null;
    const shown = { ...wishes, only, each: each === undefined ? undefined : eachOf };
    const judged = new Map<string, JudgedCases>();
    const places = new Map(
      marks.flatMap((mark, place) => {
        const there = placeOf.get(keyOf(mark));
        return there === undefined ? [] : [[place, there]];
      }),
    );
    const report = await readReport(store, manifest, shown, null, (setup, own) =>
      judged.set(setup, inPlacesOf(own, places)),
    );
    runs.push({
      name,
      report,
      judged,
      marks: marks.filter((_, place) => only?.has(place) !== false),
      differences: runDifferences(reads[0]?.manifest ?? manifest, manifest),
    });
  }
  return joinReports(runs, shared[0]?.size ?? 0, idOf);
}
