import { createHash } from 'node:crypto';
import { JuryError } from '../common/errors.ts';
import { caseIdOf } from '../judging/judge-case.ts';
import { requireRun } from './make-report.ts';
import {
  type CaseMark,
  type Comparison,
  comparePairs,
  findSetup,
  matchCases,
  matchSetups,
} from './reports/comparison.ts';
import type { SetupReport } from './reports/report.ts';
import { tabulate } from './reports/report-of.ts';
import { setupReport } from './reports/setup-report.ts';
import { runDifferences } from './run-differences.ts';
import type { TrialStore } from './runs/trial-store.ts';

/** A run, or one setup of it. */
export interface Side {
  run: string;
  /** Id of a setup or its beginning; null: all of them. */
  setup: string | null;
}

async function marksOf(store: TrialStore, run: string): Promise<CaseMark[]> {
  const marks: CaseMark[] = [];
  for await (const evalCase of store.readCases(run))
    marks.push({
      id: caseIdOf(evalCase),
      hash: createHash('sha256').update(JSON.stringify(evalCase)).digest('base64'),
    });
  return marks;
}

async function sideOf(store: TrialStore, { run, setup }: Side) {
  const manifest = await requireRun(store, run);
  const table = await tabulate(manifest, store.readTrials(run));
  const setups = setup === null ? table.setups : [findSetup(table.setups, setup)];
  return { manifest, table, setups, marks: await marksOf(store, run) };
}

/**
 * What changed from one run to another, on the cases that are the same in both.
 *
 * @returns the comparison, and the reports of the second side's setups that were compared
 * @throws JuryError `usage` where there is no such run or setup, or nothing to compare
 */
export async function compareRuns(
  store: TrialStore,
  first: Side,
  second: Side,
): Promise<{ comparison: Comparison; setups: SetupReport[]; createdAt: string }> {
  const one = await sideOf(store, first);
  const other = await sideOf(store, second);
  const { places, cases } = matchCases(one.marks, other.marks);
  const { pairs, unmatched } = matchSetups(one.setups, other.setups);
  if (pairs.length === 0)
    throw new JuryError(
      'usage',
      `The runs share no configuration. Name one of each, such as "${first.run}:${one.setups[0]?.id ?? ''}" and "${second.run}:${other.setups[0]?.id ?? ''}".`,
    );
  if (places.size === 0)
    throw new JuryError(
      'usage',
      `The runs share no case, so there is nothing to compare${cases.changed.length === 0 ? '' : `: of ${cases.changed.length} with the same id the content or the label is another one`}.`,
    );
  const { dataset } = other.manifest;
  return {
    comparison: {
      first: first.run,
      second: second.run,
      changes: first.run === second.run ? [] : runDifferences(one.manifest, other.manifest),
      cases,
      pairs: comparePairs(pairs, one.table, other.table, places, one.marks),
      unmatched,
    },
    setups: pairs.map(([, setup]) =>
      setupReport(setup, other.table.facts.get(setup.id) ?? [], dataset.cases),
    ),
    createdAt: other.manifest.createdAt,
  };
}
