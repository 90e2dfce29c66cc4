import { renderToString } from 'preact-render-to-string';
import { redactedRuns, runsWithout, type TrialStore } from '../../../benchmark/index.ts';
import type { Redactor } from '../../../case/redact/index.ts';
import { withVotes } from '../../../reports/assistant/index.ts';
import { compareRuns } from '../../../reports/comparison/index.ts';
import { readRunNumbers } from '../../../reports/history/index.ts';
import { createMatrix, makeReport, readComparedCases } from '../../../reports/index.ts';
import { showInvisible } from '../../wording/index.ts';
import { hasCharts } from './charts.tsx';
import { ComparisonReport } from './comparison-report.tsx';
import { RunReport } from './run-report.tsx';
import type { Made, MadeOf, Task, TaskOf } from './tasks.ts';

const SLOT = '<div id="visitor"></div>';

async function prepareReport(runs: TrialStore, task: TaskOf<'report'>): Promise<MadeOf<'report'>> {
  const { run, url, against, reviewed, votes } = task;
  const matrix = await createMatrix(runs, [run]);
  const read = await makeReport(runs, run, { count: matrix.add, against, reviewed });
  const assistant =
    read.assistant === null || votes === null ? read.assistant : withVotes(read.assistant, votes);
  const report = { ...read, assistant };
  const rows = matrix.result(report.setups.map(({ id }) => id));
  const html = renderToString(
    <>
      <RunReport report={report} matrix={rows} url={url} published={false}>
        <div id="visitor" />
      </RunReport>
      {hasCharts(report) ? <script type="module" src="/assets/charts.js" /> : null}
    </>,
  );
  const [begin = '', rest = ''] = showInvisible(html).split(SLOT);
  return { kind: 'report', begin, rest, json: JSON.stringify(report) };
}

async function prepareComparison(
  runs: TrialStore,
  task: TaskOf<'comparison'>,
): Promise<MadeOf<'comparison'>> {
  const { first, second, url, reviewed } = task;
  const { comparison } = await compareRuns(runs, first, second, { reviewed: async () => reviewed });
  const cases = await readComparedCases(runs, comparison);
  const html = renderToString(<ComparisonReport comparison={comparison} cases={cases} url={url} />);
  return {
    kind: 'comparison',
    html: showInvisible(html),
    json: JSON.stringify(comparison),
    before: new Map(cases.before),
  };
}

/**
 * Does what takes too long for a thread that answers requests: reads a run's trials, computes and renders.
 * @param runs all runs, as they are stored
 * @throws JuryError `usage` if there is no such run or nothing to compare
 */
export async function prepare(runs: TrialStore, redactor: Redactor, task: Task): Promise<Made> {
  const redacted = redactedRuns(runs, redactor);
  if (task.kind === 'numbers')
    return { kind: 'numbers', numbers: await readRunNumbers(redacted, task.run, task.earlier) };
  const shown = runsWithout(redacted, async (name) => new Set(task.hidden[name]));
  return task.kind === 'report' ? prepareReport(shown, task) : prepareComparison(shown, task);
}
