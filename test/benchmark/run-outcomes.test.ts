import { describe, expect, test } from 'vitest';
import {
  compareOutcomes,
  countRight,
  markOf,
  outcomesFrom,
  slotOf,
} from '../../src/benchmark/run-outcomes.ts';
import { fail, mute } from '../support/builders.ts';
import { aConfiguration, aManifest, aTrial, aVerdict } from '../support/run-builders.ts';

const manifest = aManifest({
  configurations: [aConfiguration({ id: 'a' }), aConfiguration({ id: 'b' })],
  dataset: { source: 'x', cases: 3, labeled: 3, hash: 'h' },
});
const of = (marks: string) => ({ configurations: 2, marks });

describe('what became of a trial', () => {
  test('is right or wrong by the label', () => {
    expect(markOf(aTrial('0-0'))).toBe('+');
    expect(markOf(aTrial('0-0', aVerdict(fail)))).toBe('-');
  });

  test('is not known without a label, or where judges did not answer', () => {
    expect(markOf({ ...aTrial('0-0'), label: null })).toBe('?');
    expect(markOf({ ...aTrial('0-0'), label: { errorType: 'cost' } })).toBe('?');
    expect(markOf(aTrial('0-0', aVerdict(mute)))).toBe('?');
  });

  test('is wrong where judges answered and left it undecided', () => {
    expect(markOf({ ...aTrial('0-0'), decision: 'undecided' })).toBe('-');
  });

  test('stands case by case; keys that the run has not are passed over', () => {
    expect(slotOf(manifest, '1-2')).toBe(5);
    for (const key of ['2-0', '0-3', 'k0', '']) expect(slotOf(manifest, key)).toBeNull();
    const marks = outcomesFrom(manifest, [
      ['1-2', '+'],
      ['0-1', '-'],
      ['0-3', '+'],
    ]);
    expect(marks).toEqual(of('..-..+'));
  });
});

describe('the outcomes of a run', () => {
  test('count right decisions, and the cases that decisions are on', () => {
    // Case 0 twice, case 1 not at all, case 2 once.
    expect(countRight(of('+-??.+'))).toEqual({ correct: 2, n: 3, cases: 2 });
    expect(countRight(of('......'))).toEqual({ correct: 0, n: 0, cases: 0 });
  });

  test('are compared where they count in both runs, and what was lost comes case by case', () => {
    expect(compareOutcomes(of('+-+++?'), of('-+-?-+'))).toEqual({
      gained: 1,
      lost: ['0-0', '0-1', '0-2'],
      n: 4,
      cases: 3,
    });
    expect(compareOutcomes(of('++'), of('+-..'))).toMatchObject({ n: 2, lost: ['1-0'] });
  });
});
