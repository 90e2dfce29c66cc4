import { expect, test } from 'vitest';
import { caseBins, countCases } from '../../src/reports/estimates/case-statistics.ts';
import type { TrialFacts } from '../../src/reports/facts/trial-facts.ts';
import { agreement } from '../../src/reports/metrics/agreement.ts';
import { plainFacts } from '../support/coverage.ts';

/** `p3-1` is a case that is right, of whose judges three said pass and one fail in the first round. */
function facts(place: number, text: string, outcome: TrialFacts['outcome'], repeat = 1): TrialFacts {
  const [, truth, pass, fail] = /^([pf])(\d)-(\d)$/.exec(text) ?? [];
  return {
    ...plainFacts,
    place,
    unit: place,
    repeat,
    truth: truth === 'p' ? 'pass' : 'fail',
    outcome,
    firstRound: { pass: Number(pass), fail: Number(fail) },
  };
}

const setup = {
  id: '',
  method: 'mad',
  models: [],
  temperature: null,
  equalCallsOf: null,
  pooledFrom: [],
  configurations: [],
};

const agreementIn = (facts: readonly TrialFacts[]) =>
  agreement.of({ setup, facts, labeled: caseBins(countCases(facts)) });

test('decisions agree with labels as kappa says, with no decision as the wrong one, or left out', () => {
  // tp 2, fn 1, fp 1, tn 4: observed 6/8; by chance (3·3 + 5·5)/64 = 34/64; (48 − 34)/(64 − 34) = 14/30.
  const { labels, decided } = agreementIn([
    facts(0, 'p3-0', 'pass'),
    facts(1, 'p3-0', 'pass'),
    facts(2, 'p0-3', 'fail'),
    facts(3, 'f3-0', 'pass'),
    facts(4, 'f0-3', 'fail'),
    facts(5, 'f0-3', 'fail'),
    facts(6, 'f0-3', 'fail'),
    facts(7, 'f0-3', 'fail'),
    facts(8, 'f1-1', 'undecided'),
  ]);
  expect(decided.measure).toMatchObject({ defined: true, n: 8, value: expect.closeTo(14 / 30, 12) });
  // With the undecided one as a pass: observed 6/9; by chance (3·4 + 6·5)/81; (54 − 42)/(81 − 42).
  expect(labels.measure).toMatchObject({ defined: true, n: 9, value: expect.closeTo(12 / 39, 12) });
  expect(labels.interval).toMatchObject({ defined: true, by: 'jackknife' });
});

test('whoever abstains agrees with labels no better than whoever guesses as often rightly', () => {
  // Of four answers, two right: one of each kind is decided rightly. As an answer of its own no decision came to
  // (1/2 − 1/4) / (1 − 1/4) = 1/3; as the wrong one, like the guesses, observed and expected are 1/2.
  const judged = (...outcomes: TrialFacts['outcome'][]) =>
    agreementIn(outcomes.map((outcome, place) => facts(place, place < 2 ? 'p1-0' : 'f0-1', outcome))).labels
      .measure;
  expect(judged('pass', 'undecided', 'fail', 'no-quorum')).toEqual({ defined: true, n: 4, value: 0 });
  expect(judged('pass', 'fail', 'fail', 'pass')).toEqual({ defined: true, n: 4, value: 0 });
});

test('judges agree with each other as alpha says of the first round, repeats of a case drawn together', () => {
  // Pass 3+1+2 = 6, fail 0+2+1 = 3 of 9 ratings. Disagreeing ordered pairs: 0, 2·1·2, 2·2·1, each by (3 − 1): 0 + 2 + 2 = 4.
  // Expected: 2·6·3 = 36. Alpha = 1 − (9 − 1)·4/36 = 1/9.
  const { judges } = agreementIn([
    facts(0, 'p3-0', 'pass'),
    facts(1, 'f1-2', 'fail'),
    facts(1, 'f2-1', 'pass', 2),
    facts(2, 'f1-0', 'pass'),
  ]);
  expect(judges?.measure).toMatchObject({ defined: true, n: 3 });
  expect(judges?.measure.defined && judges.measure.value).toBeCloseTo(1 / 9, 12);
});

test('of a panel that stopped once decided, agreement among judges is not measured: who was asked depends on the answers', () => {
  const all = [facts(0, 'p2-0', 'pass'), facts(1, 'p2-1', 'pass')];
  expect(agreementIn(all).judges?.measure.n).toBe(2);
  expect(agreementIn(all.map((one, index) => ({ ...one, stopped: index === 0 }))).judges).toBeNull();
});

test('a lone judge agrees with no other, and a panel of one opinion is said to have no alpha', () => {
  expect(agreementIn([facts(0, 'p1-0', 'pass')]).judges).toBeNull();
  const { judges, labels } = agreementIn([facts(0, 'p3-0', 'pass'), facts(1, 'p3-0', 'pass')]);
  expect(judges?.measure).toEqual({ defined: false, n: 2, why: 'every rating is the same' });
  expect(labels.measure).toEqual({
    defined: false,
    n: 2,
    why: 'both raters gave every item the same rating',
  });
});
