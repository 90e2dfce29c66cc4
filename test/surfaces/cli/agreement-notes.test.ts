import { expect, test } from 'vitest';
import { agreementOf } from '../../../src/labels/agreement/agreement.ts';
import type { Grouping } from '../../../src/labels/agreement/read-agreement.ts';
import { agreementNotes } from '../../../src/surfaces/cli/labels-stats.ts';
import { counted } from '../../digests/world.ts';

const notes = (by: Grouping, ...rows: Parameters<typeof counted>[]) =>
  agreementNotes({
    by,
    settledFrom: 3,
    verdicts: 5,
    groups: [{ name: 'one', agreement: agreementOf(rows.map((row) => counted(...row))) }],
    all: null,
    scores: [],
  })[0];

test('how often people were unsure is said of verdicts, and not of answers, several of which one vote is about', () => {
  expect(notes('rubric', [3, [1, 0, 2]])).toContain('“Unsure”, said 6 times, counts as a missing vote');
  const judges = ['ann@m', 'ben@m'].map(
    (subject): Parameters<typeof counted> => [3, [1, 0, 2], { kind: 'judge', subject }],
  );
  expect(notes('model', ...judges)).toContain('“Unsure” counts as a missing vote');
});
