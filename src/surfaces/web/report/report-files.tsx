import {
  type ComparedCases,
  readComparedCases,
  sideId,
  trialDetails,
} from '../../../benchmark/case-details.ts';
import { readSpoken, requireRun } from '../../../benchmark/make-report.ts';
import type { Comparison } from '../../../benchmark/reports/comparison.ts';
import { createMatrix } from '../../../benchmark/reports/matrix.ts';
import { textsOf } from '../../../benchmark/reports/mistake.ts';
import type { Report } from '../../../benchmark/reports/report.ts';
import { repeatsOf, type TrialFacts } from '../../../benchmark/reports/trial-facts.ts';
import { placesOf } from '../../../benchmark/run.ts';
import type { SpokenTrial } from '../../../benchmark/trial.ts';
import type { TrialStore } from '../../../benchmark/trial-store.ts';
import { counted } from '../../../common/text.ts';
import type { PersonaTexts } from '../../../judging/card.ts';
import { hasCharts } from './charts.tsx';
import { ComparisonReport, comparedMatrix } from './comparison-report.tsx';
import { createCaseParts, filePage } from './file.tsx';
import { presetsOf } from './matrix-rows.ts';
import { RunReport } from './run-report.tsx';

/** A report as one file, which gathers its cases while their trials are read. */
export interface ReportPage {
  /** @param trial of several runs, its key begins with its run */
  add: (trial: SpokenTrial, setup: string, facts: TrialFacts) => void;
  /** @param elsewhere where what found no room in the file is, in words */
  html: (report: Report, published: boolean, elsewhere: string) => Promise<string>;
}

/** @param folder the folder of what browsers load */
export async function createReportPage(
  store: TrialStore,
  runs: readonly string[],
  folder: string,
  texts: PersonaTexts,
): Promise<ReportPage> {
  const parts = createCaseParts(texts);
  const matrix = await createMatrix(store, runs, (row, evalCase) => parts.addCase(row, textsOf(evalCase)));
  return {
    add: (trial, setup, facts) => {
      matrix.add(trial, setup, facts);
      const row = matrix.rowOf(trial);
      if (row !== undefined) parts.addTrial(row, () => trialDetails(trial, setup, facts.repeat));
    },
    html: async (report, published, elsewhere) => {
      const { run, setups, mistakes } = report;
      const found = matrix.result(setups.map(({ id }) => id));
      for (const { key, setup, repeat, outcome, why, words } of mistakes.shown) {
        const own = setups.find(({ id }) => id === setup)?.run ?? run.name;
        const row = found.places.get(own)?.[placesOf(key)?.index ?? -1];
        if (row !== undefined && words !== null)
          parts.addLeft(row, {
            ...{ setup, repeat, outcome, why },
            score: null,
            failed: [],
            judgements: words.judgements,
          });
      }
      const cases = parts.result();
      const note =
        cases.left === 0
          ? null
          : `What the judges said in ${counted(cases.left, 'trial')} found no room in this file: ${elsewhere}.`;
      return filePage({
        folder,
        title: `${run.name}: benchmark report`,
        hasCharts: hasCharts(report),
        cases,
        children: <RunReport report={report} matrix={found} url={null} published={published} note={note} />,
      });
    },
  };
}

type Parts = ReturnType<typeof createCaseParts>;

/** The runs that are compared, with the row of the case at a place of each. */
function sidesOf({ first, second }: Comparison, { before }: ComparedCases) {
  const rows = new Map([...before].map(([now, then]) => [then, now]));
  return [
    { side: 'before', run: first, rowAt: (place: number) => rows.get(place) },
    { side: 'after', run: second, rowAt: (place: number) => (before.has(place) ? place : undefined) },
  ] as const;
}
type Sides = ReturnType<typeof sidesOf>;

async function addTexts(store: TrialStore, sides: Sides, parts: Parts): Promise<void> {
  const responses = new Map<number, string>();
  for (const { side, run, rowAt } of sides) {
    let place = 0;
    for await (const evalCase of store.readCases(run)) {
      const row = rowAt(place);
      place += 1;
      if (row === undefined) continue;
      const texts = textsOf(evalCase);
      const then = responses.get(row);
      if (side === 'before') responses.set(row, texts.response);
      else if (then !== undefined)
        parts.addCase(row, then === texts.response ? texts : { ...texts, responseBefore: then });
    }
  }
}

/** @param isWanted whether a row's trials are added */
async function addTrials(
  store: TrialStore,
  sides: Sides,
  compared: ReadonlySet<string>,
  isWanted: (row: number) => boolean,
  parts: Parts,
): Promise<void> {
  for (const { side, run, rowAt } of sides) {
    const manifest = await requireRun(store, run);
    const repeats = repeatsOf(manifest);
    // What a page says of a trial needs no label.
    for await (const trial of readSpoken(store, manifest, () => undefined)) {
      const row = rowAt(placesOf(trial.key)?.index ?? -1);
      const { setup = '', repeat = 1 } = repeats.get(trial.configuration) ?? {};
      const id = sideId(side, setup);
      if (row !== undefined && compared.has(id) && isWanted(row))
        parts.addTrial(row, () => trialDetails(trial, id, repeat));
    }
  }
}

/**
 * A comparison as one file that needs no network. Cases that changed come first, should there be no room for what was said of all.
 * @param folder the folder of what browsers load
 */
export async function comparisonFile(
  store: TrialStore,
  comparison: Comparison,
  folder: string,
  texts: PersonaTexts,
): Promise<string> {
  const cases = await readComparedCases(store, comparison);
  const data = comparedMatrix(cases, null);
  const changed = presetsOf(data).find(({ id }) => id === 'changed');
  const hasChanged = data.rows.map((row) => changed?.has(row) === true);
  const parts = createCaseParts(texts);
  const sides = sidesOf(comparison, cases);
  const compared = new Set(cases.matrix.setups);
  await addTexts(store, sides, parts);
  await addTrials(store, sides, compared, (row) => hasChanged[row] === true, parts);
  await addTrials(store, sides, compared, (row) => hasChanged[row] === false, parts);
  const packed = parts.result();
  const note =
    packed.left === 0
      ? null
      : `What the judges said in ${counted(packed.left, 'trial')} found no room in this file; the console and "jury bench report" have it.`;
  return filePage({
    folder,
    title: `${comparison.second} against ${comparison.first}`,
    hasCharts: false,
    cases: packed,
    children: <ComparisonReport comparison={comparison} cases={cases} url={null} note={note} />,
  });
}
