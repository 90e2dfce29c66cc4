import { describe, expect, it } from 'vitest';
import { answersOf, pairOf, swapped } from '../../../src/case/pair.ts';
import { comparing, type Rubric } from '../../../src/judging/standards/rubric.ts';
import { aCase, aQuestion, ask, navigation, type VenueChanges } from './world.ts';

const compared: Rubric = comparing(navigation);
const SAID = 'a mid-range Italian';
const open: VenueChanges = {};
const dear: VenueChanges = { cost: 'high' };
const unknown: VenueChanges = { cost: undefined };

const pairWith = (first: VenueChanges, second: VenueChanges) =>
  pairOf(aCase(SAID, first), aCase(SAID, second), ['A', 'B']);

const judged = (first: VenueChanges, second: VenueChanges) =>
  ask(aQuestion(pairWith(first, second), { rubric: compared, criteria: compared.criteria }));

describe('the judge "rules" on two answers', () => {
  it('prefers the one that passes where the other fails, and says why', async () => {
    expect(await judged(dear, open)).toMatchObject({
      status: 'scored',
      decision: 'scored',
      score: 1,
      sides: { first: expect.stringMatching(/^fails: Cost: /), second: 'passes every exact check' },
    });
    expect(await judged(open, dear)).toMatchObject({ status: 'scored', score: -1 });
  });

  it.each([
    ['pass', open, open],
    ['fail', dear, dear],
    ['fail, for another reason', dear, { cuisine: 'Thai' }],
  ])('is silent where both %s', async (_, first, second) => {
    expect(await judged(first, second)).toMatchObject({
      status: 'unscored',
      reason: 'unsupported',
      message: expect.stringContaining('needs a model'),
    });
  });

  it('is silent where one of them could not be checked', async () => {
    for (const other of [open, dear]) {
      expect(await judged(unknown, other)).toMatchObject({ status: 'unscored' });
      expect(await judged(other, unknown)).toMatchObject({ status: 'unscored' });
    }
  });

  it('says of each criterion which answer alone holds', async () => {
    const { criteria } = await judged(dear, open);
    expect(criteria.map(({ id, score }) => [id, score])).toEqual([
      ['location', 0],
      ['time', 0],
      ['cost', 1],
      ['rating', 0],
      ['cuisine', 0],
    ]);
  });
});

describe('a pair', () => {
  it('is its two answers, and swapped twice it is itself', () => {
    const pair = pairWith(dear, open);
    expect(answersOf(pair).map(({ recommendation }) => recommendation?.cost)).toEqual(['high', 'medium']);
    expect(swapped(swapped(pair))).toEqual(pair);
    expect(answersOf(swapped(pair))).toEqual([...answersOf(pair)].reverse());
  });
});
