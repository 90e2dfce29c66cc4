import type { JudgesHistory } from '../../src/benchmark/benchmark-history.ts';
import type { DigestData } from '../../src/digests/digest.ts';
import type { CountRow } from '../../src/labels/verdict-record.ts';
import { saturday } from '../support/store-builders.ts';

type Tally = [agree: number, disagree: number, unsure?: number];

/** So many subjects with one tally. */
export function counted(
  items: number,
  [agree, disagree, unsure = 0]: Tally,
  key: Partial<CountRow['key']> = {},
): CountRow {
  return {
    key: {
      day: '2026-11-20',
      channel: 'C1',
      rubric: 'navigation',
      method: 'mab',
      models: 'rules',
      kind: 'verdict',
      subject: '',
      decision: 'fail',
      ...key,
    },
    tally: { agree, disagree, unsure },
    items,
  };
}

export const someData = (parts: Partial<DigestData> = {}): DigestData => ({
  slot: saturday,
  now: saturday,
  timezone: 'Europe/Berlin',
  late: false,
  counts: [],
  last: null,
  benchmarks: [],
  outcomes: [],
  origins: new Map(),
  recent: { blind: false, hidden: 0, disputed: [], read: 0, isAll: true, costUsd: 0, unpriced: 0 },
  ...parts,
});

/** A benchmark of 100 cases a run, with so many right in each. */
export function aHistory(
  name: string,
  rights: readonly number[],
  compared: JudgesHistory['compared'] = null,
): JudgesHistory {
  return {
    name,
    subject: 'judges',
    runs: rights.map((correct, n) => ({
      name: `${name}-${n + 1}`,
      at: saturday + (n - rights.length) * 86_400_000,
      correct,
      n: 100,
      cases: 100,
      costUsd: 0.5,
    })),
    compared,
  };
}

export const aRegression = (caseId: string, category: string) => ({
  caseId,
  category,
  why: `why of ${caseId}`,
});
