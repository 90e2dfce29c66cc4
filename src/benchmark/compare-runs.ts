import { JuryError } from '../common/errors.ts';
import { readAnswers } from './assistant/answers.ts';
import { assistantReport } from './assistant/make-assistant-report.ts';
import { marksOf, readCaseFacts, readingOf, requireRun, type Wishes } from './make-report.ts';
import { type Comparison, comparePairs, findSetup, matchCases, matchSetups } from './reports/comparison.ts';
import type { SetupReport } from './reports/report.ts';
import { tabulate } from './reports/report-of.ts';
import { setupReport } from './reports/setup-report.ts';
import { runDifferences, subjectOf } from './run.ts';
import type { TrialStore } from './trial-store.ts';

/** A run, or one setup of it. */
export interface Side {
  run: string;
  /** Id of a setup, or its beginning; null: all setups. */
  setup: string | null;
}

export async function sideOf(store: TrialStore, { run, setup }: Side, wishes: Wishes = {}) {
  const manifest = await requireRun(store, run);
  const { reading, notes } = readingOf(await readCaseFacts(store, run), wishes);
  const table = await tabulate(manifest, store.readTrials(run), undefined, null, reading);
  const setups = setup === null ? table.setups : [findSetup(table.setups, setup)];
  return { manifest, table, setups, notes, marks: await marksOf(store, run) };
}

/**
 * Compares two runs: the assistant on the requests that are the same in both, judges on the cases that are.
 *
 * @returns the comparison, and the reports of the second side's compared setups
 * @throws JuryError `usage` if there is no such run or setup, or nothing to compare
 */
export async function compareRuns(
  store: TrialStore,
  first: Side,
  second: Side,
  wishes: Wishes = {},
): Promise<{ comparison: Comparison; setups: SetupReport[]; createdAt: string }> {
  const one = await sideOf(store, first, wishes);
  const other = await sideOf(store, second, wishes);
  const { places, cases } = matchCases(one.marks, other.marks);
  const whole = first.setup === null && second.setup === null && first.run !== second.run;
  const assistant =
    whole && subjectOf(other.manifest) === 'assistant'
      ? await assistantReport(store, await readAnswers(store, other.manifest, wishes.clusterBy), [
          { manifest: one.manifest, baseline: null },
        ])
      : null;
  const asked = assistant?.changes.some(({ requests }) => requests.shared > 0) === true;
  const { pairs, unmatched } = matchSetups(one.setups, other.setups);
  if (pairs.length === 0 && !asked)
    throw new JuryError(
      'usage',
      `The runs share no configuration. Name one of each, such as "${first.run}:${one.setups[0]?.id ?? ''}" and "${second.run}:${other.setups[0]?.id ?? ''}".`,
    );
  if (places.size === 0 && !asked)
    throw new JuryError(
      'usage',
      `The runs have no case in common, so there is nothing to compare${cases.changed.length === 0 ? '' : `: ${cases.changed.length} with the same id ${cases.changed.length === 1 ? 'differs' : 'differ'} in content or label`}.`,
    );
  const { dataset } = other.manifest;
  return {
    comparison: {
      first: first.run,
      second: second.run,
      changes: first.run === second.run ? [] : runDifferences(one.manifest, other.manifest),
      notes: one.notes.length > 0 ? one.notes : other.notes,
      cases,
      assistant,
      pairs: places.size === 0 ? [] : comparePairs(pairs, one.table, other.table, places, one.marks),
      unmatched,
    },
    setups: pairs.map(([, setup]) => setupReport(setup, other.table.factsOf(setup.id), dataset.cases)),
    createdAt: other.manifest.createdAt,
  };
}
