import { type Configuration, RunManifest, type RunSettings } from '../../src/benchmark/run-manifest.ts';
import { type Trial, trialOf } from '../../src/benchmark/trial.ts';
import type { EvalCase } from '../../src/case/case.ts';
import { freeUsage } from '../../src/judging/verdict/judgement.ts';
import { Verdict } from '../../src/judging/verdict/verdict.ts';
import { aCase, judgementOf, pass, type Said } from './builders.ts';

export const someSettings = (parts: Partial<RunSettings> = {}): RunSettings => ({
  methods: ['io'],
  models: ['rules'],
  temperatures: null,
  repeats: 1,
  rubric: null,
  panel: null,
  seed: null,
  values: {},
  equalCalls: false,
  cache: true,
  ...parts,
});

export const aConfiguration = (parts: Partial<Configuration> = {}): Configuration => ({
  id: 'io rules t0 #1',
  method: 'io',
  models: ['rules'],
  temperature: null,
  repeat: 1,
  equalCallsOf: null,
  ...parts,
});

/** Cases that differ in their id. */
export const casesOf = (count: number, parts: Partial<EvalCase> = {}): EvalCase[] =>
  Array.from({ length: count }, (_, index) => aCase({ id: `c${index}`, ...parts }));

export const aManifest = (parts: Partial<RunManifest> = {}): RunManifest =>
  RunManifest.parse({
    version: 1,
    name: 'r1',
    createdAt: '2026-11-21T09:00:00.000Z',
    settings: someSettings(),
    configurations: [aConfiguration()],
    dataset: { source: 'cases.jsonl', cases: 3, labeled: 3, hash: 'abc' },
    rubrics: ['plain'],
    wordings: { 'plain, io': 'sha256:1' },
    ...parts,
  });

/** A verdict of one judge who says something, at a price in US dollars. */
export function aVerdict(said: Said = pass, costUsd: number | null = 0.001): Verdict {
  const judge = { persona: null, model: 'test/model', sample: 0 };
  const judgement = judgementOf({ judge, round: 0 }, said);
  const usage = { ...freeUsage, promptTokens: 100, completionTokens: 10, costUsd, attempts: 1 };
  const decision = judgement.status === 'scored' ? judgement.decision : 'undecided';
  return Verdict.parse({
    caseId: 'c0',
    rubric: 'plain',
    method: 'io',
    decision,
    score: null,
    confidence: null,
    why: 'because',
    tally: { pass: 0, fail: 0, scored: 0, unscored: 0, notRelevant: 0, notAsked: 0, panel: 1 },
    criteria: [],
    judgements: [{ ...judgement, usage }],
    rounds: 1,
    decidedInRound: 0,
    calls: 1,
    usage: { promptTokens: 100, cachedTokens: 0, completionTokens: 10, costUsd },
    settings: {
      panel: [{ persona: null, model: 'test/model' }],
      temperature: 0,
      seed: null,
      rounds: 1,
      examples: 0,
    },
    assumed: [],
    remarks: [],
    cancelled: false,
    startedAt: '2026-11-21T09:00:00.000Z',
    durationMs: 20,
  });
}

/** A verdict of scores on some criteria. */
export const aRating = (score: number, criteria: Readonly<Record<string, number>>): Verdict => ({
  ...aVerdict(),
  decision: 'scored',
  score,
  criteria: Object.entries(criteria).map(([id, own]) => ({
    id,
    title: id,
    decision: 'scored',
    score: own,
    tally: { pass: 0, fail: 0, scored: 1, unscored: 0, notRelevant: 0 },
    rationale: 'so',
  })),
});

export const aTrial = (key: string, verdict: Verdict = aVerdict()): Trial =>
  trialOf(key, 'io rules t0 #1', { decision: 'pass' }, verdict);
