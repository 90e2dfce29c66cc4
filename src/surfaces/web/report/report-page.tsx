import { trialDetails } from '../../../benchmark/case-details.ts';
import { textsOf } from '../../../benchmark/reports/format.ts';
import { createMatrix } from '../../../benchmark/reports/matrix.ts';
import type { Report } from '../../../benchmark/reports/report.ts';
import type { TrialFacts } from '../../../benchmark/reports/trial-facts.ts';
import { placesOf } from '../../../benchmark/run.ts';
import type { SpokenTrial } from '../../../benchmark/trial.ts';
import type { TrialStore } from '../../../benchmark/trial-store.ts';
import { counted } from '../../../common/text.ts';
import type { PersonaTexts } from '../../../judging/card.ts';
import { hasCharts } from './charts.tsx';
import { createCaseParts, filePage } from './file.tsx';
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
