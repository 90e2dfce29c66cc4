import { describe, expect, test } from 'vitest';
import { replyContract, replyFormText } from '../../src/prompting/read-reply.ts';
import { aRubric, aScoreRubric } from '../support/builders.ts';

const binary = replyContract({
  criteria: aRubric().criteria,
  decide: 'all',
  confidence: false,
  reasons: true,
});
const reply = {
  criteria: {
    first: { rationale: 'fits', decision: 'pass' },
    second: { rationale: 'rude', decision: 'fail' },
  },
  rationale: 'It is rude.',
  decision: 'fail',
};

describe('the reply schema', () => {
  test('is strict: every key required, none besides, as structured output wants it', () => {
    const objects = JSON.stringify(binary.json).match(/"type":"object"/g) ?? [];
    const closed = JSON.stringify(binary.json).match(/"additionalProperties":false/g) ?? [];
    expect(closed).toHaveLength(objects.length);
    expect(binary.json.required).toEqual(['criteria', 'rationale', 'decision']);
  });

  test('has a confidence between 0 and 1 where asked for', () => {
    const sure = replyContract({
      criteria: aRubric().criteria,
      decide: 'all',
      confidence: true,
      reasons: true,
    });
    expect(sure.read({ ...reply, confidence: 0.4 })).toMatchObject({ ok: true, value: { confidence: 0.4 } });
    expect(sure.read({ ...reply, confidence: 40 })).toMatchObject({
      ok: false,
      problem: expect.stringContaining('confidence'),
    });
    expect(sure.read(reply)).toMatchObject({ ok: false });
  });
});

describe('reading a reply', () => {
  test('takes its decision, reasons and findings', () => {
    expect(binary.read(reply)).toEqual({
      ok: true,
      value: {
        status: 'scored',
        decision: 'fail',
        score: null,
        confidence: null,
        rationale: 'It is rude.',
        criteria: [
          { id: 'first', decision: 'pass', score: null, rationale: 'fits' },
          { id: 'second', decision: 'fail', score: null, rationale: 'rude' },
        ],
      },
    });
  });

  test.each([
    ['another decision', { ...reply, decision: 'PASS!' }],
    ['a missing criterion', { ...reply, criteria: { first: reply.criteria.first } }],
    [
      'a criterion that was not asked for',
      { ...reply, criteria: { ...reply.criteria, third: reply.criteria.first } },
    ],
    ['an extra key', { ...reply, score: 100 }],
    ['a list', [reply]],
    ['a text', 'pass'],
    ['null', null],
  ])('refuses %s', (_name, value) => {
    expect(binary.read(value)).toMatchObject({ ok: false });
  });

  test('is no answer where it passes without a finding on a single criterion', () => {
    const untold = { rationale: 'no idea', decision: 'unscored' };
    const idle = { ...reply, criteria: { first: untold, second: untold }, decision: 'pass' };
    expect(binary.read(idle)).toMatchObject({ value: { status: 'unscored', reason: 'unsupported' } });
  });

  test('keeps a pass beside a criterion that it could not tell, and says so', () => {
    const criteria = { ...reply.criteria, second: { rationale: 'no idea', decision: 'unscored' } };
    expect(binary.read({ ...reply, criteria, decision: 'pass' })).toMatchObject({
      value: { decision: 'pass', caveat: 'says pass although it could not decide second' },
    });
  });

  test('refuses reasons that are too long to be read', () => {
    expect(binary.read({ ...reply, rationale: 'a'.repeat(20_001) })).toMatchObject({ ok: false });
  });

  describe('where a criterion may not apply', () => {
    const criteria = aRubric().criteria.map((one) => ({ ...one, mayNotApply: true }));
    const { json, read } = replyContract({ criteria, decide: 'all', confidence: false, reasons: true });
    const found = (relevant: boolean, decision: string) => ({ rationale: 'r', relevant, decision });
    const replied = (first: object, second: object) => read({ criteria: { first, second }, rationale: 'r' });

    test('does not ask for the decision: it follows from what is relevant', () => {
      expect(json.required).toEqual(['criteria', 'rationale']);
      expect(replied(found(true, 'pass'), found(false, 'fail'))).toMatchObject({
        value: { status: 'scored', decision: 'pass' },
      });
    });

    test('is neither pass nor fail where nothing is relevant', () => {
      expect(replied(found(false, 'fail'), found(false, 'unscored'))).toMatchObject({
        value: { status: 'unscored', reason: 'not-relevant' },
      });
    });
  });

  test('keeps a decision that its findings contradict, and says so', () => {
    const torn = { ...reply, decision: 'pass' };
    expect(binary.read(torn)).toMatchObject({
      value: { decision: 'pass', caveat: expect.stringContaining('second') },
    });
  });

  test('scores are the mean of the criteria’s scores, within the scale', () => {
    const scores = replyContract({
      criteria: aScoreRubric().criteria,
      decide: 'mean',
      confidence: false,
      reasons: true,
    });
    const scored = (score: number) =>
      scores.read({ criteria: { overall: { rationale: 'r', score } }, rationale: 'r' });
    expect(scored(55)).toMatchObject({ ok: true, value: { decision: 'scored', score: 55 } });
    expect(scored(101)).toMatchObject({ ok: false });
  });
});

describe('a reply without reasons', () => {
  const form = { criteria: aRubric().criteria, decide: 'all', confidence: false, reasons: false } as const;
  const found = Object.fromEntries(form.criteria.map(({ id }) => [id, { decision: 'fail' }]));

  test('has none in its schema and its form, takes none, and its rationales are null', () => {
    const { json, read } = replyContract(form);
    expect(`${JSON.stringify(json)}${replyFormText(form)}`).not.toContain('rationale');
    expect(read({ criteria: found, rationale: 'so', decision: 'fail' }).ok).toBe(false);
    const reply = read({ criteria: found, decision: 'fail' });
    expect(reply).toMatchObject({ ok: true, value: { decision: 'fail', rationale: null } });
    expect(reply.ok && reply.value.criteria.every(({ rationale }) => rationale === null)).toBe(true);
  });

  test('that decides nothing says so in our words', () => {
    const open = Object.fromEntries(form.criteria.map(({ id }) => [id, { decision: 'unscored' }]));
    expect(replyContract(form).read({ criteria: open, decision: 'pass' })).toMatchObject({
      value: { status: 'unscored', message: 'could not decide any criterion' },
    });
  });

  test('about two answers says which is better, and nothing of either', () => {
    const pair = { ...form, decide: 'pair' } as const;
    const better = Object.fromEntries(form.criteria.map(({ id }) => [id, { better: 'second' }]));
    expect(replyFormText(pair)).not.toContain('the first answer');
    const reply = replyContract(pair).read({ criteria: better, better: 'second' });
    expect(reply).toMatchObject({ ok: true, value: { score: 1, rationale: null } });
    expect(reply.ok && 'sides' in reply.value).toBe(false);
  });
});

test('a finding that is not relevant keeps what was decided all the same', () => {
  const [first] = aRubric().criteria;
  if (first === undefined) throw new Error('a rubric has criteria');
  const criteria = [{ ...first, mayNotApply: true }];
  const { read } = replyContract({ criteria, decide: 'all', confidence: false, reasons: true });
  const said = { rationale: 'no occasion', relevant: false, decision: 'fail' };
  expect(read({ criteria: { [first.id]: said }, rationale: 'none' })).toMatchObject({
    value: { reason: 'not-relevant', criteria: [{ decision: 'not-relevant', ifRelevant: 'fail' }] },
  });
});
