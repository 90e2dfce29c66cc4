import { expect, test } from 'vitest';
import { createFactList } from '../../src/reports/facts/fact-list.ts';
import type { TrialFacts } from '../../src/reports/facts/trial-facts.ts';
import { createRandom } from '../../src/statistics/random.ts';

const random = createRandom('fact-list');
const oneOf = <T>(...values: readonly T[]): T => random.pick(values.map((value) => ({ value }))).value;
const number = (): number | null => oneOf(null, 0, -1, 0.1 + 0.2, 1e-9, 1234567.5);

const someFacts = (place: number): TrialFacts => ({
  place,
  unit: place % 7,
  repeat: oneOf(1, 2, 3),
  truth: oneOf(null, 'pass', 'fail'),
  outcome: oneOf('pass', 'fail', 'undecided', 'no-quorum', 'unanswered'),
  category: oneOf(null, 'none', 'a b', 'null'),
  firstRound: { pass: oneOf(0, 1, 12), fail: oneOf(0, 2) },
  stopped: oneOf(true, false),
  fromCache: oneOf(true, false),
  takenFrom: oneOf(null, 'main-1', 'null'),
  score: number(),
  labelScore: number(),
  confidence: number(),
  tokens: number(),
  outputTokens: number(),
  costUsd: number(),
  latencyMs: number(),
  sequentialMs: number(),
  calls: oneOf(0, 1, 15),
  savedCalls: oneOf(0, 2),
  pooledCalls: oneOf(0, 3),
  ownCostUsd: number(),
  criteria: ['time', 'cost', 'rating'].slice(0, oneOf(0, 1, 3)).map((id) => ({
    id,
    truth: oneOf(null, 'pass', 'fail'),
    outcome: oneOf('pass', 'undecided'),
    score: number(),
    labelScore: number(),
    isRelevant: oneOf(null, true, false),
    foundRelevant: oneOf(null, true, false),
    anyway: oneOf('fail', 'unanswered'),
  })),
});

test('a list gives back the facts of every trial as they were, in order', () => {
  // More than fit into a block.
  const facts = Array.from({ length: 1000 }, (_, place) => someFacts(place));
  const list = createFactList();
  for (const one of facts) list.add(one);
  expect(list.read()).toEqual(facts);
  expect(createFactList().read()).toEqual([]);
});
