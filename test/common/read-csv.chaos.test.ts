import { expect, inject, test, vi } from 'vitest';
import { readCsv } from '../../src/common/text/csv.ts';

// What is not linear takes many minutes on this and runs into the time limit.
vi.setConfig({ testTimeout: 300_000 });

test('CSV of hostile quotes is read in linear time', () => {
  const half = 200_000 * inject('counts').baits;
  const text = '"a""\n'.repeat(half) + '"'.repeat(half + 1);
  expect(readCsv(text, ',').length).toBeGreaterThan(0);
});
