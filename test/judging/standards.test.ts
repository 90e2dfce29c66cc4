import { describe, expect, test } from 'vitest';
import type { z } from 'zod';
import { currentOf, exemplarOf } from '../../src/judging/standards/library.ts';
import { explainMisfit, Method } from '../../src/judging/standards/method.ts';
import { Persona } from '../../src/judging/standards/persona.ts';
import { comparing, fittedTo, hiddenFields, Scale } from '../../src/judging/standards/rubric.ts';
import { Check } from '../../src/judging/standards/rubric-checks.ts';
import { Judgement } from '../../src/judging/verdict/judgement.ts';
import {
  aCase,
  aDebate,
  aMethod,
  aPersona,
  aRubric,
  aScoreRubric,
  judgementOf,
} from '../support/builders.ts';
import { contractFormat } from '../support/format.ts';

const accepts = (schema: z.ZodType, value: unknown): boolean => schema.safeParse(value).success;

describe('a file of the prompts', () => {
  test('may set temperatures from 0 to 2, for ratings too', () => {
    const ratedFirst = { criteria: 'together', examples: 0, reasoning: 'brief', temperature: 0 } as const;
    for (const [temperature, isFine] of [
      [0, true],
      [2, true],
      [2.1, false],
      [-0.1, false],
    ] as const) {
      expect(accepts(Method, { ...aMethod(), temperature })).toBe(isFine);
      expect(accepts(Method, { ...aMethod(), ratedFirst: { ...ratedFirst, temperature } })).toBe(isFine);
    }
  });

  test('of a debate says what judges see: the last round or all of them', () => {
    for (const sees of ['last-round', 'all-rounds'])
      expect(accepts(Method, { ...aDebate(), sees })).toBe(true);
    expect(accepts(Method, { ...aDebate(), sees: 'nothing' })).toBe(false);
  });

  test('may have short names and begins with version 1', () => {
    expect(accepts(Persona, { ...aPersona('ann'), title: 'A', version: 1 })).toBe(true);
    expect(accepts(Persona, { ...aPersona('ann'), title: ' ' })).toBe(false);
    expect(accepts(Persona, { ...aPersona('ann'), version: 0 })).toBe(false);
    const all = { type: 'has-all', lexicon: 'l', field: 'f', name: 'n', reported: 'r' };
    const same = { type: 'says-same', lexicon: 'l', field: 'f', name: 'n' };
    for (const check of [all, same]) {
      expect(accepts(Check, check)).toBe(true);
      for (const key of Object.keys(check)) expect(accepts(Check, { ...check, [key]: '' })).toBe(false);
    }
  });

  test('of a persona whose voice uses a setting that it does not declare says which it has', () => {
    const voice = 'You judge for {{brand}} in {{city}}.';
    const settings = { brand: { title: 'the name on the car', default: 'the car' } };
    const found = Persona.safeParse({ ...aPersona('ann'), voice, settings });
    expect(found.error?.issues.map(({ message }) => message)).toEqual([
      'uses {{city}}, which is not one of its settings (brand)',
    ]);
    const none = Persona.safeParse({ ...aPersona('ann'), voice });
    expect(none.error?.issues.map(({ message }) => message)).toEqual([
      'uses {{brand}}, which is not one of its settings (none)',
      'uses {{city}}, which is not one of its settings (none)',
    ]);
  });

  test('has scales that go up', () => {
    expect(accepts(Scale, { min: 0, max: 1 })).toBe(true);
    expect(accepts(Scale, { min: 1, max: 1 })).toBe(false);
    expect(accepts(Scale, { min: 2, max: 1 })).toBe(false);
  });

  test('of worked examples says pass, fail, unscored or not relevant of a criterion, or scores it', () => {
    const example = (finding: object) => ({
      id: 'one',
      case: { conversation: [{ role: 'user', text: 'a b' }], response: 'A.' },
      reply: { criteria: { first: { rationale: 'So.', ...finding } }, rationale: 'So.', confidence: 1 },
    });
    const schema = exemplarOf(contractFormat.schema);
    for (const decision of ['pass', 'fail', 'unscored', 'not-relevant'])
      expect(accepts(schema, example({ decision }))).toBe(true);
    expect(accepts(schema, example({ score: 3 }))).toBe(true);
    expect(accepts(schema, example({ decision: 'good' }))).toBe(false);
  });
});

describe('a kept judgement', () => {
  const judge = { persona: null, model: 'test/model', sample: 0 };
  test.each([
    'malformed',
    'refused',
    'timeout',
    'rate-limited',
    'budget',
    'unsupported',
    'cancelled',
    'error',
    'not-relevant',
  ] as const)('can be without an answer: %s', (reason) => {
    const judgement = judgementOf({ judge, round: 0 }, { unscored: reason });
    expect(Judgement.parse(judgement)).toEqual(judgement);
  });

  test('is at most sure', () => {
    const sure = (confidence: number) => judgementOf({ judge, round: 0 }, { decision: 'pass', confidence });
    expect([0, 1, 1.1, -0.1].map((confidence) => accepts(Judgement, sure(confidence)))).toEqual([
      true,
      true,
      false,
      false,
    ]);
  });
});

test('lists have current entries, and earlier versions only where they were chosen', () => {
  const entries = new Map([
    ['navigation', 2],
    ['navigation@1', 1],
    ['in-car@1', 3],
  ]);
  expect(currentOf(entries)).toEqual([2]);
  expect(currentOf(entries, ['navigation@1'])).toEqual([2, 1]);
});

describe('a method that does not fit a rubric says why', () => {
  const rated = aDebate({
    ratedFirst: { criteria: 'together', examples: 0, reasoning: 'brief', temperature: 0 },
  });
  const overall = { title: 'All in all', task: 'Say.', rule: 'A number.', scale: { min: 0, max: 100 } };

  test('where it rates criteria first', () => {
    const whole = aRubric({ overall });
    expect(explainMisfit(rated, comparing(whole))).toBe(
      'rates criteria first, so it cannot compare two answers',
    );
    expect(explainMisfit(rated, aRubric())).toContain('rubric "plain" has no "overall"');
    expect(explainMisfit(rated, whole)).toBeNull();
  });

  test('where it averages scores', () => {
    const mean = aMethod({ reduce: 'mean' });
    expect(explainMisfit(mean, aRubric())).toBe('averages scores, but rubric "plain" is pass or fail');
    expect(explainMisfit(mean, aScoreRubric())).toBeNull();
    expect(explainMisfit(aMethod(), aRubric())).toBeNull();
  });
});

describe('a rubric that differs between cases', () => {
  const rubric = aRubric({
    criteria: [
      { id: 'answer', title: 'Answer', rule: 'It fits.' },
      { id: 'calls', title: 'Calls', rule: 'They are right.', onlyWith: ['toolCalls'] },
    ],
    seenBy: { history: [], groundTruth: ['calls'], expectedCalls: ['calls'] },
  });
  const plain = fittedTo(rubric, aCase());
  const viewer = { criteria: ['answer'], personas: ['bob'] };

  test('hides what it shows to nobody, or only beside a criterion that the case lacks', () => {
    expect(plain.criteria.map(({ id }) => id)).toEqual(['answer']);
    expect(hiddenFields(plain, viewer)).toEqual(expect.arrayContaining(['history', 'groundTruth']));
    expect(hiddenFields(plain, viewer)).toEqual(expect.arrayContaining(['expectedCalls', 'initialState']));
  });

  test('says nothing of what is hidden anyway', () => {
    expect(Object.keys(plain.seenBy ?? {})).not.toContain('expectedCalls');
    const needs = aRubric({
      criteria: [
        { id: 'answer', title: 'Answer', rule: 'It fits.', needs: ['expectedCalls'] },
        { id: 'calls', title: 'Calls', rule: 'They are right.', onlyWith: ['toolCalls'] },
      ],
      seenBy: { expectedCalls: ['calls'] },
    });
    expect(hiddenFields(fittedTo(needs, aCase()), viewer)).toContain('expectedCalls');
  });
});
