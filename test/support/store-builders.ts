import type { EvalCase } from '../../src/case/case.ts';
import type { DigestSchedule } from '../../src/digests/digest-schedule.ts';
import type { Verdict } from '../../src/judging/verdict/verdict.ts';
import type { VerdictRecord } from '../../src/labels/record/verdict-record.ts';
import { type Ballot, decisionIs } from '../../src/labels/record/vote.ts';
import { subjectsOf } from '../../src/labels/record/vote-subjects.ts';
import type { Adjudication } from '../../src/labels/voting/adjudication.ts';
import type { SpotCheck } from '../../src/requests/spot-check.ts';
import { aCase, judgementOf } from './builders.ts';

const panel = [
  { persona: 'ann', model: 'test/model', decision: 'fail' },
  { persona: 'bob', model: 'test/model', decision: 'fail' },
  { persona: 'cem', model: 'other/model', decision: 'pass' },
] as const;

/** A navigation verdict: ann and bob say fail, cem says pass; time failed, cost passed, rating was not judged. */
const aVerdict = (parts: Partial<Verdict> = {}): Verdict => ({
  caseId: 'c1',
  rubric: 'navigation',
  method: 'mab',
  decision: 'fail',
  score: null,
  confidence: null,
  why: '2 of 3 judges: closed',
  tally: { pass: 1, fail: 2, scored: 0, unscored: 0, notRelevant: 0, notAsked: 0, panel: 3 },
  criteria: (['time', 'cost', 'rating'] as const).map((id, index) => ({
    id,
    title: id,
    decision: (['fail', 'pass', 'not-judged'] as const)[index] ?? 'pass',
    score: null,
    tally: { pass: index, fail: 2 - index, scored: 0, unscored: 0, notRelevant: 0 },
    rationale: `about ${id}`,
  })),
  judgements: panel.map(({ decision, ...judge }) =>
    judgementOf({ judge: { ...judge, sample: 0 }, round: 0 }, { decision }),
  ),
  rounds: 1,
  decidedInRound: 0,
  calls: 3,
  usage: { promptTokens: 300, cachedTokens: 0, completionTokens: 30, costUsd: 0.003 },
  settings: {
    panel: panel.map(({ persona, model }) => ({ persona, model })),
    temperature: 0,
    seed: null,
    rounds: 1,
    examples: 0,
  },
  assumed: [],
  remarks: [],
  cancelled: false,
  startedAt: '2026-11-21T09:00:00.000Z',
  durationMs: 1200,
  ...parts,
});

/** The time of most things in tests about stores: a Saturday morning. */
export const saturday = Date.UTC(2026, 10, 21, 9);
export const dayMs = 86_400_000;

/** Parts of a case that the contract does not know. */
export const declared = {
  action: { device: ['window'], value: 50, alsoChanged: [] },
  context: { date: '2024-03-04', carPlug: 'CCS' },
  recommendation: { name: 'Ionity', plugs: ['CCS'], powerKw: 350 },
};

interface RecordParts {
  id?: string;
  at?: number;
  channel?: string;
  verdict?: Partial<Verdict>;
  evalCase?: EvalCase;
}

export function aRecord({
  id = 'v1',
  at = saturday,
  channel = 'C1',
  verdict = {},
  evalCase = aCase(),
}: RecordParts = {}): VerdictRecord {
  const made = aVerdict(verdict);
  return {
    id,
    at,
    evalCase,
    verdict: made,
    source: { surface: 'slack', team: 'T1', channel, thread: '1700000000.000100', message: null },
    subjects: subjectsOf(made),
  };
}

const cast = { verdictId: 'v1', voter: 'ada', surface: 'slack', at: saturday + 1000 };

/** A vote on what the panel decided. */
export type PanelBallot = Exclude<Ballot, { right: unknown }>;
export const aBallot = (parts: Partial<PanelBallot> = {}): PanelBallot => ({
  ...cast,
  value: 'agree',
  ...parts,
});

/** A vote about a case that the panel did not decide. */
export type CaseBallot = Extract<Ballot, { right: unknown }>;
export const anAnswer = (parts: Partial<CaseBallot> = {}): CaseBallot => ({
  ...cast,
  right: decisionIs('fail'),
  ...parts,
});

export const aRuling = (parts: Partial<Adjudication> = {}): Adjudication => ({
  verdictId: 'v1',
  right: { kind: 'decision', decision: 'pass' },
  role: 'safety lead',
  at: saturday + 2000,
  ...parts,
});

export const aCheck = (parts: Partial<SpotCheck> = {}): SpotCheck => ({
  id: 'check-1',
  at: saturday,
  surface: 'slack',
  team: 'T1',
  channel: 'C1',
  thread: null,
  requestedBy: 'U1',
  input: { kind: 'cases', cases: [{ evalCase: aCase(), assumed: [] }] },
  wish: {},
  again: null,
  progress: { placeholder: null, replies: {}, verdicts: {} },
  ...parts,
});

/** Mondays at nine in Berlin, made the Saturday before. */
export const aSchedule = (parts: Partial<DigestSchedule> = {}): DigestSchedule => ({
  id: 'weekly',
  cron: '0 9 * * 1',
  timezone: 'Europe/Berlin',
  target: { surface: 'slack', team: 'T1', channel: 'C1' },
  owner: 'U1',
  benchmarks: [],
  by: null,
  since: saturday,
  paused: false,
  ...parts,
});
