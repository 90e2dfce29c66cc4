import { describe, expect, test } from 'vitest';
import {
  correctedExemplar,
  type ExampleNotes,
  exemplarIdOf,
  readFindings,
} from '../../src/labels/exchange/corrected-exemplar.ts';
import { labelOf } from '../../src/labels/label.ts';
import { usualRule } from '../../src/labels/label-rule.ts';
import type { Correction, VoteValue } from '../../src/labels/record/vote.ts';
import type { Voted } from '../../src/labels/voting/adjudication.ts';
import { aRubric, aScoreRubric } from '../support/builders.ts';
import { aRecord, aRuling, saturday } from '../support/store-builders.ts';

const rubric = aRubric({
  id: 'navigation',
  criteria: ['time', 'cost', 'rating'].map((id) => ({ id, title: id, rule: `About ${id}.` })),
});

type Said = [value: VoteValue, correction?: Partial<Correction>];

/** A verdict (fail for its time, cost passed, rating was not judged) with votes. */
const voted = (said: readonly Said[], parts: Partial<Voted> = {}): Voted => ({
  record: aRecord(),
  votes: said.map(([value, correction], n) => ({
    verdictId: 'v1',
    voter: `voter ${n}`,
    value,
    ...(correction === undefined ? {} : { correction: { criteria: [], judges: [], ...correction } }),
    surface: 'slack',
    at: saturday,
  })),
  adjudication: null,
  ...parts,
});

const plain: ExampleNotes = { findings: new Map() };

const made = (one: Voted, wish: ExampleNotes = plain, by = rubric) =>
  correctedExemplar(one, labelOf(one, null, usualRule), by, wish);

const why = 'It is open until 22:00 on Mondays.';
const wrongly: Said[] = [['disagree', { comment: why }], ['disagree'], ['disagree']];

describe('a worked example of a corrected case', () => {
  test('turns over what was wrongly found, with the reason that people gave; the rest stands', () => {
    const { case: evalCase, ...example } = made(voted(wrongly));
    expect(example).toEqual({
      id: 'from-v1',
      reply: {
        criteria: {
          time: { rationale: why, decision: 'pass' },
          cost: { rationale: 'about cost', decision: 'pass' },
          rating: { rationale: 'about rating', decision: 'unscored' },
        },
        rationale: why,
        confidence: 1,
        decision: 'pass',
      },
    });
    expect(Object.keys(evalCase)).not.toContain('id');
  });

  const otherError: Said[] = [
    ['disagree', { decision: 'fail', errorType: 'cost', criteria: ['time', 'cost'], comment: 'Dear.' }],
    ['agree'],
    ['agree'],
  ];

  test('takes no reason for two: where the error is another one, each finding needs its own', () => {
    expect(() => made(voted(otherError))).toThrow(
      'its label overturns 2 findings, and one reason cannot explain them all. Give a reason for each: --finding "time=pass: …" --finding "cost=fail: …"',
    );
    const told = new Map([['time', { rationale: 'Open until 22:00.', decision: 'pass' as const }]]);
    const { reply } = made(voted(otherError), { findings: told });
    expect(reply.decision).toBe('fail');
    expect(reply.criteria).toMatchObject({
      time: { rationale: 'Open until 22:00.', decision: 'pass' },
      cost: { rationale: 'Dear.', decision: 'fail' },
    });
  });

  test('takes back a finding that those who agree with the label name as wrong', () => {
    const wrongReason: Said[] = [
      ['agree', { errorType: 'cost', criteria: ['time'], comment: 'Dear.' }],
      ['agree'],
      ['agree'],
    ];
    const told = new Map([['time', { rationale: 'Open until 22:00.', decision: 'pass' as const }]]);
    expect(() => made(voted(wrongReason))).toThrow('--finding "time=pass: …" --finding "cost=fail: …"');
    expect(made(voted(wrongReason), { findings: told }).reply.criteria).toMatchObject({
      time: { decision: 'pass' },
      cost: { rationale: 'Dear.', decision: 'fail' },
    });
  });

  test('is as sure as those who voted agree: two of three', () => {
    const { reply } = made(voted([...wrongly.slice(0, 2), ['agree']]));
    expect(reply.confidence).toBe(0.67);
  });

  test('is as sure as the model of voters where that settles the label', () => {
    const sure = (said: readonly Said[], passProbability: number) => {
      const one = voted(said);
      return correctedExemplar(one, labelOf(one, passProbability, usualRule), rubric, plain).reply.confidence;
    };
    expect(sure(wrongly, 0.93)).toBe(0.93);
    expect(sure([['agree', { comment: 'Closed.' }], ['agree'], ['agree']], 0.04)).toBe(0.96);
  });

  test('is not made where the panel found nothing on a criterion, or gave no reason', () => {
    for (const found of [{ rationale: ' ' }, { rationale: null }, { decision: 'undecided' as const }]) {
      const criteria = aRecord().verdict.criteria.map((one) =>
        one.id === 'cost' ? { ...one, ...found } : one,
      );
      expect(() => made(voted(wrongly, { record: aRecord({ verdict: { criteria } }) }))).toThrow(
        'the panel has no finding on "cost". State one with --finding "cost=pass: …"',
      );
    }
    const criteria = aRecord().verdict.criteria.filter(({ id }) => id !== 'cost');
    expect(() => made(voted(wrongly, { record: aRecord({ verdict: { criteria } }) }))).toThrow(
      'the panel has no finding on "cost"',
    );
  });

  test('takes the note of a ruling before comments, and what is said now before both', () => {
    const ruled = voted(wrongly, { adjudication: aRuling({ comment: 'Checked by phone.' }) });
    expect(made(ruled).reply.rationale).toBe('Checked by phone.');
    expect(made(ruled, { ...plain, reasoning: ' Seen myself. ' }).reply.rationale).toBe('Seen myself.');
  });

  test('is not made where no reason was written', () => {
    expect(() => made(voted([['disagree'], ['disagree'], ['disagree']]))).toThrow(
      'no comment explains why it is right. Explain it with --reasoning',
    );
  });

  test('is not made where several have written why: none is chosen unasked', () => {
    const two = voted([['disagree', { comment: 'one' }], ['disagree', { comment: 'two' }], ['disagree']]);
    expect(() => made(two)).toThrow(/2 comments explain why[\s\S]*- one\n {2}- two/);
  });

  test('does not take the comment of a person who says otherwise', () => {
    const other = voted([['agree', { comment: 'closed, surely' }], ['disagree'], ['disagree'], ['disagree']]);
    expect(() => made(other)).toThrow('no comment explains why');
  });

  test('is not made where the label is open, or of another rubric', () => {
    expect(() => made(voted(wrongly.slice(1)))).toThrow('its label is open (too few votes)');
    expect(() => made(voted(wrongly), plain, aRubric({ id: 'in-car' }))).toThrow(
      'it was judged by the rubric "navigation", not "in-car"',
    );
  });

  test('is not made where findings and label contradict each other; what to say is said', () => {
    const passed = aRecord({ verdict: { decision: 'pass', criteria: aRecord().verdict.criteria.slice(1) } });
    const two = aRubric({
      id: 'navigation',
      criteria: rubric.criteria.slice(1).map(({ id }) => ({ id, title: id, rule: id })),
    });
    const one = voted(wrongly, { record: passed });
    expect(() => made(one, plain, two)).toThrow(
      'its findings add up to pass, but its label is fail. State findings on single criteria, such as --finding "cost=fail: …"',
    );
    const told = new Map([['cost', { rationale: 'Twice the price.', decision: 'fail' as const }]]);
    expect(made(one, { findings: told }, two).reply.criteria.cost).toEqual({
      rationale: 'Twice the price.',
      decision: 'fail',
    });
  });

  test('refuses findings on criteria that there are not', () => {
    const told = new Map([['nope', { rationale: 'x', decision: 'fail' as const }]]);
    expect(() => made(voted(wrongly), { findings: told })).toThrow(
      'the panel judges no criterion "nope"; its criteria: time, cost, rating',
    );
  });

  test('gives the score that people settled on', () => {
    const scored = aRecord({
      verdict: { rubric: 'plain', decision: 'scored', score: 20, scale: { min: 0, max: 100 }, criteria: [] },
    });
    const said: Said[] = [80, 70, 90].map((score) => ['disagree', { score, comment: 'Polite.' }]);
    const { reply } = made(voted(said, { record: scored }), plain, aScoreRubric());
    // The median is what one of the three says, and that one's comment is the same.
    expect(reply).toEqual({
      criteria: { overall: { rationale: 'Polite.', score: 80 } },
      rationale: 'Polite.',
      confidence: 1,
    });
  });

  test('keeps the scores that the panel gave where people agree with what they come to', () => {
    const scale = { min: 0, max: 4 };
    const [first, second] = aRecord().verdict.criteria;
    if (!first || !second) throw new Error('the verdict has criteria');
    const criteria = [
      { ...first, decision: 'scored' as const, score: 4 },
      { ...second, decision: 'scored' as const, score: 1 },
    ];
    const record = aRecord({ verdict: { decision: 'scored', score: 2.5, scale, criteria } });
    const two = aRubric({
      id: 'navigation',
      decide: 'mean',
      criteria: ['time', 'cost'].map((id) => ({ id, title: id, rule: id, scale })),
    });
    const { reply } = made(
      voted([['agree', { comment: 'Fast, but dear.' }], ['agree'], ['agree']], { record }),
      plain,
      two,
    );
    expect(reply.criteria).toEqual({
      time: { rationale: 'about time', score: 4 },
      cost: { rationale: 'about cost', score: 1 },
    });
  });

  test('fails the criterion that people name as the error, though the panel passed it', () => {
    const criteria = aRecord().verdict.criteria.map((one) =>
      one.id === 'time' ? { ...one, decision: 'pass' as const } : one,
    );
    const record = aRecord({ verdict: { decision: 'pass', criteria } });
    const { reply } = made(
      voted([['disagree', { errorType: 'cost', comment: 'Dear.' }], ['disagree'], ['disagree']], { record }),
    );
    expect(reply.criteria).toMatchObject({
      time: { rationale: 'about time', decision: 'pass' },
      cost: { rationale: 'Dear.', decision: 'fail' },
    });
  });

  test('is named so that a file can hold it, whatever the verdict is called', () => {
    expect(exemplarIdOf(`Ev/É:${'x'.repeat(99)}`)).toMatch(/^[a-z0-9][a-z0-9-]{0,63}$/);
  });
});

describe('findings as they are typed', () => {
  test('are pass, fail, unscored, not relevant or a score, each with its reason', () => {
    const texts = [
      'time=fail: It closes at 18:00.',
      'cost=3.5 : Fair: for once.',
      'rating=unscored:  None. ',
    ];
    expect(Object.fromEntries(readFindings(texts))).toEqual({
      time: { rationale: 'It closes at 18:00.', decision: 'fail' },
      cost: { rationale: 'Fair: for once.', score: 3.5 },
      rating: { rationale: 'None.', decision: 'unscored' },
    });
  });

  test.each(['time', 'time=pass', 'time=pass:', 'time=good: It is.', '=pass: It is.', ''])(
    'are refused as %j',
    (text) => {
      expect(() => readFindings([text])).toThrow('write it as criterion=finding: reason');
    },
  );
});
