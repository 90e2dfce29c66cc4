import { describe, expect, it } from 'vitest';
import { fillSchema } from './fill-schema.ts';

const part = {
  type: 'object',
  properties: { rationale: { type: 'string' }, decision: { enum: ['pass', 'fail', 'unscored'] } },
};
const schema = {
  type: 'object',
  $defs: { part },
  properties: {
    criteria: { type: 'object', properties: { time: { $ref: '#/$defs/part' }, cost: part } },
    list: { type: 'array', items: { anyOf: [{ type: 'null' }, part] } },
    decision: { type: 'string', enum: ['pass', 'fail'] },
    confidence: { type: 'number', minimum: 0, maximum: 1 },
  },
};

describe('filling a schema', () => {
  it('fills every field and scripts some, more closely in parts', () => {
    const filled = fillSchema(schema, {
      decision: 'pass',
      confidence: 0.65,
      criteria: { time: { decision: 'fail' } },
    });
    const reason = { rationale: 'because the case says so' };
    expect(filled).toEqual({
      criteria: { time: { ...reason, decision: 'fail' }, cost: { ...reason, decision: 'pass' } },
      list: [{ ...reason, decision: 'pass' }],
      decision: 'pass',
      confidence: 0.65,
    });
  });

  it('takes the first of an enum that does not know the wanted value', () => {
    expect(fillSchema(schema, { decision: 'scored' })).toMatchObject({ decision: 'pass', confidence: 0 });
  });
});
