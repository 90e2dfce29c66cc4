import { readdirSync, readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { parseInput } from '../../../src/core/paste/parse-input.ts';
import { aQuestion, ask } from './world.ts';

const folder = new URL('../../../prompts/samples/navigation/', import.meta.url);

const expected: Record<string, string> = {
  'closed.txt': 'fail: time',
  'low-rating.txt': 'fail: rating',
  'right.txt': 'pass: ',
  'too-expensive.txt': 'fail: cost',
  'too-far.txt': 'fail: location',
  'wrong-cuisine.txt': 'fail: cuisine',
};

describe('the sample pastes', () => {
  it('are the six that are known here', () => {
    expect(readdirSync(folder).sort()).toEqual(Object.keys(expected));
  });

  it.each(Object.entries(expected))('%s → %s, and nothing is left unchecked', async (file, decision) => {
    const [item, ...others] = parseInput(readFileSync(new URL(file, folder), 'utf8'), {
      maxCaseChars: 32_000,
    });
    expect(others).toEqual([]);
    if (item === undefined || !('case' in item)) throw new Error(`not understood: ${JSON.stringify(item)}`);
    const judgement = await ask(aQuestion(item.case));
    const failing = judgement.criteria.filter((finding) => finding.decision === 'fail').map(({ id }) => id);
    expect(judgement.status === 'scored' && `${judgement.decision}: ${failing.join()}`).toBe(decision);
    expect(judgement.criteria.filter((finding) => finding.decision === 'unscored')).toEqual([]);
  });
});
