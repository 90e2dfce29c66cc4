import { describe, expect, test } from 'vitest';
import type { Ask, Question } from '../../src/judging/ask.ts';
import { decide } from '../../src/judging/decide.ts';
import { deliberate } from '../../src/judging/deliberate.ts';
import {
  explainMisfit,
  Method,
  overrideMethod,
  type Panel,
  ratingMethod,
} from '../../src/judging/standards/method.ts';
import { overallRubric } from '../../src/judging/standards/rubric.ts';
import type { Judgement } from '../../src/judging/verdict/judgement.ts';
import { aCase, aDebate, aMethod, aPanel, aRubric, judgementOf, type Said } from '../support/builders.ts';

const scale = { min: 0, max: 4 };
const rubric = aRubric({
  decide: 'mean',
  criteria: ['first', 'second'].map((id) => ({ id, title: id, rule: 'How good.', scale })),
  overall: {
    title: 'All in all',
    task: 'Say how good it is.',
    rule: 'A number.',
    scale: { min: 0, max: 100 },
  },
});
const debate = aDebate({
  sees: 'all-rounds',
  reduce: 'mean',
  ratedFirst: { criteria: 'one-by-one', examples: 2, reasoning: 'stepwise', temperature: 0.5 },
});
const raters: Panel = {
  seats: [{ persona: null, judge: { persona: null, model: 'test/model', sample: 0 } }],
  cast: [],
  notes: [],
};

const rating = (question: Question, scores: readonly (number | null)[]): Judgement => ({
  ...judgementOf(question, scores.includes(null) ? { unscored: 'unsupported' } : { score: 2 }),
  criteria: question.criteria.map(({ id }, index) => {
    const score = scores[index] ?? null;
    return { id, decision: score === null ? 'unscored' : 'scored', score, rationale: `${id} rated` };
  }),
});

/** Runs the debate: ratings of the two criteria, then scores by round and seat. */
async function run(
  script: readonly (readonly number[])[],
  ratings: readonly (number | null)[] = [1, 4],
  stop = new AbortController(),
  method: Method = debate,
) {
  const panel = aPanel(script[0]?.length ?? 0);
  const asked: Question[] = [];
  const ask: Ask = async (question) => {
    asked.push(question);
    if (question.ratings === undefined) return { ...rating(question, ratings), calls: 2 };
    const seat = panel.seats.findIndex(({ judge }) => judge.persona === question.judge.persona);
    const score = script[Math.min(question.round, script.length - 1)]?.[seat];
    const said: Said = score === undefined ? { unscored: 'error' } : { score };
    return judgementOf(question, said);
  };
  const deliberation = await deliberate({
    panel,
    raters,
    method,
    rubric,
    criteria: rubric.criteria,
    evalCase: aCase(),
    seed: null,
    deadlineAt: Number.POSITIVE_INFINITY,
    ask,
    signal: stop.signal,
  });
  const outcome = decide({
    deliberation,
    panelSize: panel.seats.length,
    method,
    criteria: rubric.criteria,
    setAside: [],
    ...(rubric.overall === undefined ? {} : { overall: rubric.overall }),
  });
  return { outcome, asked };
}

describe('criteria that are rated before the panel speaks', () => {
  test('are rated once, then the panel answers one question about the whole', async () => {
    const { asked } = await run([[50, 50, 50, 50]]);
    expect(asked.map(({ criteria }) => criteria.map(({ id }) => id))).toEqual([
      ['first', 'second'],
      ...Array.from({ length: 4 }, () => ['overall']),
    ]);
    expect(asked[0]).toMatchObject({
      persona: null,
      method: { criteria: 'one-by-one', reasoning: 'stepwise' },
    });
    expect(asked[1]).toMatchObject({ rubric: { task: 'Say how good it is.', decide: 'mean' } });
  });

  test('are shown to everybody in every round, beside what was said', async () => {
    const { asked } = await run([
      [10, 20],
      [30, 40],
    ]);
    const debaters = asked.slice(1);
    expect(debaters).toHaveLength(8);
    for (const { ratings, seen, round } of debaters) {
      expect(ratings?.judgements[0]?.criteria.map(({ score }) => score)).toEqual([1, 4]);
      expect(seen).toHaveLength(round);
    }
  });

  test('stand in the verdict as rated, and the panel’s scores beside them', async () => {
    const { outcome } = await run([[50, 50, 50, 50]]);
    expect(outcome).toMatchObject({ decision: 'scored', score: 50, scale: { min: 0, max: 100 }, rounds: 1 });
    expect(outcome.criteria).toMatchObject([
      { id: 'first', decision: 'scored', score: 1, scale },
      { id: 'second', decision: 'scored', score: 4, scale },
    ]);
    expect(outcome.ratings).toHaveLength(1);
    expect(outcome.judgements).toHaveLength(4);
    expect(outcome.why).toBe('50 of 100 (the same from 4 judges): p0 in round 0');
  });

  test('count among the calls, each question of theirs: 2 + 4 when all agree, 2 + 16 when they never do', async () => {
    expect((await run([[50, 50, 50, 50]])).outcome).toMatchObject({ calls: 6, rounds: 1 });
    const never = await run([[20, 40, 30, 10]]);
    expect(never.outcome).toMatchObject({ calls: 18, rounds: 4 });
    expect(never.outcome.judgements).toHaveLength(16);
  });

  test('leave the mean of the last round exact', async () => {
    // (72 + 75 + 71 + 68) / 4 = 286 / 4
    const { outcome } = await run([
      [10, 90, 50, 30],
      [72, 75, 71, 68],
    ]);
    expect(outcome.score).toBe(71.5);
    expect(outcome.why).toBe('71.5 of 100 (68–75 across 4 judges): p0 in round 3');
  });

  test('leave a gap where one has no rating, and the panel speaks of the rest', async () => {
    const { outcome, asked } = await run([[50, 50]], [3, null]);
    expect(asked).toHaveLength(3);
    expect(outcome).toMatchObject({
      decision: 'scored',
      criteria: [{ score: 3 }, { decision: 'undecided' }],
    });
    expect(outcome.why).toBe('50 of 100 (the same from 2 judges): p0 in round 0; no rating of second');
  });

  test('leave nothing to discuss where none has a rating: the panel is not asked', async () => {
    const { outcome, asked } = await run([[50, 50]], [null, null]);
    expect(asked).toHaveLength(1);
    expect(outcome).toMatchObject({ decision: 'undecided', score: null, rounds: 0, calls: 2 });
    expect(outcome.why).toMatch(
      /^no criterion could be rated, so there was nothing to discuss \(1 could not judge this/,
    );
  });

  test('are kept where it is stopped before the panel spoke', async () => {
    const stop = new AbortController();
    const running = run([[50, 50]], [1, 4], stop);
    stop.abort();
    const { outcome, asked } = await running;
    expect(asked).toHaveLength(1);
    expect(outcome).toMatchObject({
      decision: 'undecided',
      cancelled: true,
      criteria: [{ score: 1 }, { score: 4 }],
    });
    expect(outcome.why).toBe('stopped early; no judge had answered');
  });
});

describe('a method that has criteria rated first', () => {
  test('goes with a rubric that has an overall question, whatever its own criteria are', () => {
    expect(explainMisfit(debate, rubric)).toBeNull();
    expect(explainMisfit(debate, aRubric())).toMatch(/rubric "plain" has no "overall"/);
    expect(explainMisfit(debate, aRubric({ ...(rubric.overall && { overall: rubric.overall }) }))).toBeNull();
    expect(explainMisfit(aMethod({ reduce: 'mean' }), aRubric())).toMatch(/averages scores/);
  });

  test('has a first stage of neutral judges, one for each model, who answer alone', () => {
    expect(ratingMethod(debate)).toMatchObject({
      seats: 'models',
      rounds: 1,
      sees: 'nothing',
      criteria: 'one-by-one',
      temperature: 0.5,
      examples: 2,
    });
    expect(ratingMethod(aMethod())).toBeNull();
  });

  test('takes a temperature of the caller’s for both stages', () => {
    const changed = overrideMethod(debate, { temperature: 1 });
    expect([changed.temperature, changed.ratedFirst?.temperature]).toEqual([1, 1]);
  });

  test.each([
    [{ criteria: 'one-by-one' }, /a single question/],
    [{ examples: 1 }, /under ratedFirst/],
  ])('is refused with %j', (more, message) => {
    const checked = Method.safeParse({ ...debate, ...more });
    expect(checked.error?.issues[0]?.message).toMatch(message);
  });

  test('keeps interests and the panel in the rubric of its second stage', () => {
    const whole = aRubric({ ...rubric, interests: { ann: ['first'] } });
    expect(overallRubric(whole)).toMatchObject({
      interests: { ann: ['first'] },
      panel: ['ann'],
      decide: 'mean',
    });
  });

  test('asks the overall question about every case', () => {
    expect(overallRubric(rubric)?.criteria).toMatchObject([
      { rule: 'A number.', needs: [], unlessSaid: [], mayNotApply: false, judgedBy: 'panel' },
    ]);
  });
});
