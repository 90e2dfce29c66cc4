import { describe, expect, test } from 'vitest';
import { decide } from '../../src/judging/decide.ts';
import { deliberate } from '../../src/judging/deliberate.ts';
import { decidingRound } from '../../src/judging/reduce.ts';
import { Rubric, type SetAside } from '../../src/judging/standards/rubric.ts';
import type { Judgement } from '../../src/judging/verdict/judgement.ts';
import { rangeOfVerdict } from '../../src/judging/verdict/verdict.ts';
import {
  aCase,
  aDebate,
  aMethod,
  aPanel,
  aRubric,
  aScoreRubric,
  fail,
  judgementOf,
  pass,
  type Said,
} from '../support/builders.ts';

interface Answered {
  said: readonly Said[];
  method?: ReturnType<typeof aMethod>;
  rubric?: Rubric;
  setAside?: readonly SetAside[];
  /** Whether the judges give reasons. */
  reasons?: boolean;
}

/** The outcome of one round in which the judges say this. */
function outcomeOf({
  said,
  method = aMethod(),
  rubric = aRubric(),
  setAside = [],
  reasons = true,
}: Answered) {
  const round = aPanel(said.length).seats.flatMap(({ judge }, seat): Judgement[] => {
    const answer = said[seat];
    if (answer === undefined) return [];
    const judgement = judgementOf({ judge, round: 0 }, answer);
    if (reasons || judgement.status === 'unscored') return [judgement];
    const criteria = judgement.criteria.map((finding) => ({ ...finding, rationale: null }));
    return [{ ...judgement, rationale: null, criteria }];
  });
  const deliberation = { rounds: [round], cancelled: false };
  return decide({ deliberation, panelSize: said.length, method, criteria: rubric.criteria, setAside });
}

const scored = (...scales: { min: number; max: number }[]) =>
  aRubric({
    decide: 'mean',
    criteria: scales.map((scale, at) => ({ id: `c${at}`, title: `C${at}`, rule: 'How good.', scale })),
  });

describe('the scale of a verdict', () => {
  const four = { min: 0, max: 4 };
  test.each([
    ['is that of its only criterion', [four], four],
    ['is the one that all criteria share', [four, four, four], four],
    ['is missing where they differ in the least score', [four, { min: 1, max: 4 }], undefined],
    ['is missing where they differ in the highest score', [four, { min: 0, max: 5 }], undefined],
    ['is missing where only the last differs', [four, four, { min: 0, max: 5 }], undefined],
  ])('%s', (_, scales, scale) => {
    const said = [{ score: 2 }];
    expect(outcomeOf({ said, method: aMethod({ reduce: 'mean' }), rubric: scored(...scales) }).scale).toEqual(
      scale,
    );
  });

  test('spans its criteria where they differ, for lists that need one range', () => {
    const { criteria } = outcomeOf({
      said: [{ score: 2 }],
      method: aMethod({ reduce: 'mean' }),
      rubric: scored({ min: 1, max: 4 }, { min: 0, max: 3 }),
    });
    expect(rangeOfVerdict({ criteria })).toEqual({ min: 0, max: 4 });
    expect(rangeOfVerdict({ criteria, scale: { min: -1, max: 1 } })).toEqual({ min: -1, max: 1 });
    expect(rangeOfVerdict({ criteria: outcomeOf({ said: [pass] }).criteria })).toBeNull();
  });
});

test('a mean does not depend on the seats of the judges, to the last bit', () => {
  const means = [
    [0.1, 0.2, 0.3],
    [0.3, 0.2, 0.1],
    [0.2, 0.3, 0.1],
  ].map((scores) =>
    outcomeOf({
      said: scores.map((score) => ({ score })),
      method: aMethod({ reduce: 'mean' }),
      rubric: aScoreRubric(),
    }),
  );
  // In floating point 0.1 + 0.2 + 0.3 is not 0.3 + 0.2 + 0.1.
  expect(new Set(means.map(({ score }) => score)).size).toBe(1);
});

describe('the reason of a verdict', () => {
  test('names what holds or fails if the judges were asked for no reasons', () => {
    const alone = aRubric({ criteria: [{ id: 'first', title: 'First', rule: 'It fits.' }] });
    const holds = { decision: 'pass' as const, findings: { first: 'pass' as const } };
    expect(outcomeOf({ said: [holds], rubric: alone, reasons: false }).why).toBe('1 of 1 judge: First holds');
    const both = { decision: 'fail' as const, findings: { first: 'fail' as const, second: 'fail' as const } };
    expect(outcomeOf({ said: [fail], reasons: false }).why).toBe('1 of 1 judge: First does not hold');
    expect(outcomeOf({ said: [both], reasons: false }).why).toBe(
      '1 of 1 judge: First and Second do not hold',
    );
  });

  test('is the first judge’s own where no criterion fails', () => {
    const overall = { decision: 'fail' as const, findings: { first: 'pass' as const } };
    expect(outcomeOf({ said: [overall, overall] }).why).toBe('2 of 2 judges: p0 in round 0');
    expect(outcomeOf({ said: [overall] }).why).toBe('1 of 1 judge: p0 in round 0');
  });

  test('names the criteria that were set aside, once for each reason', () => {
    const aside = (id: string, reason: string): SetAside[] =>
      Rubric.parse({ ...aRubric(), criteria: [{ id, title: id, rule: 'It fits.' }] }).criteria.map(
        (criterion) => ({ criterion, reason }),
      );
    const setAside = [
      ...aside('time', 'no date'),
      ...aside('cost', 'no price'),
      ...aside('opening', 'no date'),
    ];
    expect(outcomeOf({ said: [pass], setAside }).why).toMatch(
      /; not judged: time, opening \(no date\); cost \(no price\)$/,
    );
  });
});

test('a method that rates criteria first needs raters, and a rubric with an overall question', async () => {
  const method = aDebate({
    sees: 'all-rounds',
    reduce: 'mean',
    ratedFirst: { criteria: 'one-by-one', examples: 0, reasoning: 'brief', temperature: 0 },
  });
  const overall = { title: 'All in all', task: 'Say.', rule: 'A number.', scale: { min: 0, max: 100 } };
  const run = (raters: ReturnType<typeof aPanel> | null, rubric: Rubric) =>
    deliberate({
      panel: aPanel(1),
      raters,
      method,
      rubric,
      criteria: rubric.criteria,
      evalCase: aCase(),
      seed: null,
      deadlineAt: Number.POSITIVE_INFINITY,
      ask: (question) => Promise.resolve(judgementOf(question, { score: 1 })),
      signal: new AbortController().signal,
    });
  const whole = aRubric({ ...scored({ min: 0, max: 4 }), overall });
  const needs = /needs raters and a rubric with an overall question/;
  await expect(run(null, whole)).rejects.toThrow(needs);
  await expect(run(aPanel(1), aScoreRubric())).rejects.toThrow(needs);
});

describe('a criterion that judges found not relevant', () => {
  const ifRelevant = (...said: ('pass' | 'fail' | 'unscored')[]) => {
    const round = aPanel(said.length).seats.map(({ judge }, seat): Judgement => {
      const finding = { id: 'first', decision: 'not-relevant' as const, score: null, rationale: 'No.' };
      const judgement = judgementOf({ judge, round: 0 }, { unscored: 'not-relevant' });
      return { ...judgement, criteria: [{ ...finding, ifRelevant: said[seat] ?? 'unscored' }] };
    });
    const { criteria } = decide({
      deliberation: { rounds: [round], cancelled: false },
      panelSize: said.length,
      method: aMethod(),
      criteria: aRubric().criteria.slice(0, 1),
      setAside: [],
    });
    return criteria[0];
  };

  test('has what most of them would say if it were', () => {
    expect(ifRelevant('fail', 'fail', 'pass')).toMatchObject({
      decision: 'not-relevant',
      ifRelevant: 'fail',
    });
    expect(ifRelevant('pass', 'pass', 'unscored')).toMatchObject({ ifRelevant: 'pass' });
  });

  test('has none of it where they are split, or most would not say', () => {
    expect(ifRelevant('pass', 'fail')).toMatchObject({ ifRelevant: 'undecided' });
    expect(ifRelevant('pass', 'unscored', 'unscored')).toMatchObject({ ifRelevant: 'undecided' });
  });
});

describe('a judge that finds the rubric not relevant', () => {
  const aside: Said = { unscored: 'not-relevant' };
  const late: Said = { unscored: 'timeout' };

  test('is left out: more than half of the others decide', () => {
    const decision = (...said: Said[]) => outcomeOf({ said }).decision;
    expect(decision(pass, pass, aside)).toBe('pass');
    expect(decision(pass, late, aside)).toBe('undecided');
    expect(decision(pass, pass, late, aside)).toBe('pass');
    expect(decision(pass, aside, aside)).toBe('undecided');
  });

  test('makes a round whole like one that answers, if a later round is cut short', () => {
    const roundOf = (round: number, ...said: Said[]) =>
      aPanel(said.length).seats.map(({ judge }, seat) => judgementOf({ judge, round }, said[seat] ?? late));
    const deciding = (...first: Said[]) =>
      decidingRound([roundOf(0, ...first), roundOf(1, pass, late, late)], 3).index;
    expect(deciding(pass, pass, late)).toBe(0);
    expect(deciding(pass, aside, late)).toBe(0);
    // One of three is no quorum in either round, so the last one stands.
    expect(deciding(pass, late, late)).toBe(1);
  });
});

test('a criterion is set aside where most judges find it not relevant, and otherwise the others decide on it', () => {
  const found = (...said: ('pass' | 'fail' | 'not-relevant')[]) => {
    const round = aPanel(said.length).seats.map(({ judge }, seat): Judgement => {
      const decision = said[seat] ?? 'pass';
      const finding = { id: 'first', decision, score: null, rationale: 'So.' };
      return { ...judgementOf({ judge, round: 0 }, pass), criteria: [finding] };
    });
    const { criteria } = decide({
      deliberation: { rounds: [round], cancelled: false },
      panelSize: said.length,
      method: aMethod(),
      criteria: aRubric().criteria.slice(0, 1),
      setAside: [],
    });
    return criteria[0]?.decision;
  };
  expect(found('fail', 'fail', 'not-relevant')).toBe('fail');
  expect(found('fail', 'not-relevant', 'not-relevant')).toBe('not-relevant');
  expect(found('fail', 'not-relevant')).toBe('fail');
});
