import type { DigestData } from '../../src/digests/digest.ts';
import type { CountRow } from '../../src/labels/record/verdict-record.ts';
import type {
  AssistantChange,
  AssistantReport,
  ChangedGroup,
  NewBlockers,
} from '../../src/reports/assistant/assistant-report.ts';
import type { AssistantHistory, JudgesHistory } from '../../src/reports/history/benchmark-history.ts';
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
  language: 'en',
  slot: saturday,
  now: saturday,
  timezone: 'Europe/Berlin',
  late: false,
  scope: 'here',
  counts: [],
  personas: new Map([['auditor', 'Auditor']]),
  last: null,
  benchmarks: [],
  outcomes: [],
  origins: new Map(),
  pageUrl: null,
  issueUrl: null,
  recent: {
    blind: false,
    hidden: 0,
    disputed: [],
    preferred: {},
    read: 0,
    isAll: true,
    costUsd: 0,
    unpriced: 0,
  },
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

/** An assistant, by default of 81 right answers of 100 and compared with a run of last Monday. */
export function anAssistant(
  name: string,
  change: Partial<AssistantChange> = {},
  parts: Partial<AssistantReport> = {},
): AssistantHistory {
  const interval = (low: number, high: number, by: 'wilson' | 'paired') =>
    ({ defined: true, n: 100, low, high, level: 0.95, by }) as const;
  const none = { tp: 0, fp: 0, fn: 0, tn: 0 };
  return {
    name,
    subject: 'assistant',
    runs: aHistory(name, [87, 81]).runs,
    report: {
      run: `${name}-2`,
      at: saturday,
      builds: ['2'],
      rubrics: ['navigation'],
      method: 'mab',
      models: ['rules'],
      answers: 100,
      decided: 100,
      rate: {
        kind: 'pass',
        measure: { defined: true, value: 0.81, n: 100 },
        interval: interval(0.72, 0.87, 'wilson'),
      },
      preference: null,
      labels: none,
      independent: null,
      truth: { source: null, why: 'nothing is known' },
      votes: none,
      flips: null,
      latency: null,
      changes: [
        {
          run: `${name}-1`,
          at: Date.UTC(2026, 10, 16, 9),
          builds: ['1'],
          baseline: null,
          requests: { shared: 100, onlyNow: 0, onlyThen: 0, sameAnswer: 0 },
          mix: null,
          obstacles: [],
          difference: { value: -0.06, n: 100, interval: interval(-0.1, -0.02, 'paired'), trend: 'worse' },
          corrected: null,
          unchanged: { n: 0, flipped: 0 },
          failing: [],
          passing: [],
          ...change,
        },
      ],
      blockers: null,
      slices: null,
      ...parts,
    },
  };
}

export const aGroup = (title: string, n: number): ChangedGroup => ({
  title,
  n,
  reason: `why of ${title}`,
  shared: null,
  answers: Array.from({ length: n }, (_, index) => ({
    caseId: `${title}-${index}`,
    request: `request ${index}`,
    answer: `answer ${index}`,
    reason: `reason ${index}`,
  })),
});

/** So many answers that newly fail a blocker. */
export const someBlockers = (title: string, n: number): NewBlockers => {
  const group = aGroup(title, n);
  return {
    groups: [{ ...group, keys: group.answers.map(({ caseId }) => `key of ${caseId}`) }],
    others: null,
  };
};
