import {
  methodNotes,
  plannedTrials,
  type RunManifest,
  type SpokenTrial,
  subjectOf,
  type Trial,
  type TrialStore,
} from '../benchmark/index.ts';
import { type Against, assistantReport, createAnswers, type ReviewedRun } from './assistant/index.ts';
import { bestByCriterion } from './best-by-criterion.ts';
import { pairReport, withHolm } from './comparison/index.ts';
import { createCorrelations } from './correlations.ts';
import {
  type EachTrial,
  type Pricing,
  type ReadingWishes,
  readCaseFacts,
  readingOf,
  readMistaken,
  readSpoken,
  requireRun,
  type TrialFacts,
  type TrialTable,
  tabulate,
  tagNames,
  takenOverNotes,
  wordsFor,
} from './facts/index.ts';
import { createGroups, type Dimension, type Groups, tagsOf } from './groups.ts';
import { type JudgedCases, judgedCases, paretoOf, setupReport } from './metrics/index.ts';
import { createPanels } from './panels.ts';
import { recallOf } from './recall.ts';
import type { Report } from './report.ts';
import { createScorePanels } from './score-panels.ts';

/**
 * The report of a table of trials; its mistakes have no texts yet. One setup after another, because facts take much memory.
 * @param onCases called with what each setup decided, case by case
 */
export function reportOf(
  manifest: RunManifest,
  { setups, factsOf, mistakes, trials, takenOver, silence }: TrialTable,
  groups: Groups | null = null,
  onCases?: (setup: string, judged: JudgedCases) => void,
): Report {
  const judged = new Map<string, JudgedCases>();
  const correlations = createCorrelations();
  const grouped: NonNullable<Report['groups']>['reports'] = [];
  const pairs: ReturnType<typeof pairReport>[] = [];
  const reports = setups.map((setup) => {
    const facts = factsOf(setup.id);
    correlations.add(setup.id, facts);
    grouped.push(...(groups?.reportsOf(setup, facts) ?? []));
    if (setups.length > 1 || onCases !== undefined) {
      const own = judgedCases(facts);
      judged.set(setup.id, own);
      onCases?.(setup.id, own);
    }
    const { id, equalCallsOf } = setup;
    if (equalCallsOf !== null)
      pairs.push(pairReport({ id: equalCallsOf, facts: factsOf(equalCallsOf) }, { id, facts }));
    return setupReport(setup, facts, manifest.dataset.cases);
  });
  return {
    version: 1,
    run: manifest,
    trials,
    planned: plannedTrials(manifest),
    notes: [
      ...(silence === null ? [] : [`Nothing was judged, since no trial got an answer: ${silence}`]),
      ...methodNotes(manifest),
      ...takenOverNotes(takenOver, trials),
    ],
    joined: null,
    assistant: null,
    setups: reports,
    pareto: paretoOf(reports, (id) => judged.get(id)),
    bestByCriterion: bestByCriterion(reports, (id) => judged.get(id)),
    correlations: correlations.result(),
    recall: [],
    groups:
      groups === null ? null : { by: [...groups.by], anyStopped: groups.anyStopped(), reports: grouped },
    equalCalls: withHolm(pairs),
    panels: [],
    scorePanels: [],
    mistakes,
  };
}

export interface ReportWishes extends ReadingWishes {
  /** Called before the first trial with the names of the cases' tags. */
  onTags?: ((names: readonly string[]) => void) | undefined;
  /** Called with every trial. Makes the report slower, because judges' texts are read too. */
  each?: EachTrial<SpokenTrial> | undefined;
  /** Called with every trial, without the judges' texts. */
  count?: ((trial: Trial, setup: string, facts: TrialFacts) => void) | undefined;
  /** Runs to compare the assistant with. */
  against?: readonly Against[];
  /** Answers of this run and of others that were drawn for people to check. */
  reviewed?: readonly ReviewedRun[];
  /** Prices to use instead of those at the time of judging. */
  pricing?: Pricing | undefined;
  /** Dimensions to group trials by. */
  by?: readonly Dimension[];
  /** Places of the cases to include; null or absent: all. */
  only?: ReadonlySet<number> | null;
}

/** The report of a run, without the part about the assistant. */
export async function readReport(
  store: TrialStore,
  whole: RunManifest,
  {
    each,
    onTags,
    count,
    pricing,
    by = [],
    only = null,
    ...wishes
  }: Omit<ReportWishes, 'against' | 'reviewed'>,
  answers: ReturnType<typeof createAnswers> | null,
  onCases?: (setup: string, judged: JudgedCases) => void,
): Promise<Report> {
  const { name } = whole;
  const manifest = only === null ? whole : { ...whole, dataset: { ...whole.dataset, cases: only.size } };
  const cases = await readCaseFacts(store, name, answers?.addCase);
  const caseAt = (place: number) => cases[place];
  onTags?.(tagNames(cases));
  const tagsAt = tagsOf(
    cases,
    by.filter((one) => one.startsWith('tags.')),
  );
  const groups = by.length === 0 ? null : createGroups(by, tagsAt);
  const panels = createPanels(manifest, cases);
  const scorePanels = createScorePanels(manifest, cases);
  const collecting =
    <T extends Trial>(next?: EachTrial<T>): EachTrial<T> =>
    (trial, setup, facts) => {
      groups?.add(trial, setup, facts);
      panels.add(trial, setup, facts);
      scorePanels.add(trial, setup, facts);
      answers?.addTrial(trial, setup, facts);
      count?.(trial, setup, facts);
      return next?.(trial, setup, facts) ?? null;
    };
  const { reading, notes } = readingOf(cases, wishes);
  const spoken =
    each === undefined && pricing === undefined
      ? null
      : await tabulate(
          manifest,
          readSpoken(store, manifest, caseAt, { pricing }),
          collecting(each),
          only,
          reading,
        );
  const table = spoken ?? (await tabulate(manifest, store.readTrials(name), collecting(), only, reading));
  const report = reportOf(manifest, table, groups, onCases);
  const { shown, counts } = report.mistakes;
  const mistaken = spoken?.mistaken ?? (await readMistaken(store, manifest, caseAt, table));
  const words = await wordsFor(store, name, mistaken);
  return {
    ...report,
    notes: [...report.notes, ...notes],
    panels: panels.result(),
    scorePanels: scorePanels.result(),
    recall: recallOf(cases, tagsAt, only, reading.unitOf),
    mistakes: { counts, shown: shown.map((one) => ({ ...one, words: words.get(one.key) ?? null })) },
  };
}

/**
 * The report of a stored run, finished or not, with the judges' rationales for mistakes.
 * @throws JuryError `usage` if there is no such run
 */
export async function makeReport(
  store: TrialStore,
  name: string,
  { against = [], reviewed = [], ...wishes }: ReportWishes = {},
): Promise<Report> {
  const manifest = await requireRun(store, name);
  const answers = subjectOf(manifest) === 'judges' ? null : createAnswers(manifest, wishes.clusterBy);
  const report = await readReport(store, manifest, wishes, answers);
  return answers === null
    ? report
    : { ...report, assistant: await assistantReport(store, answers.result(), against, reviewed) };
}
