import { expect, test } from 'vitest';
import type { CountRow } from '../../src/core/vote-counts.ts';
import { createTrust } from '../../src/flows/trust.ts';
import { counted } from '../digest/world.ts';
import { aRecord, dayMs, saturday } from '../support/store-builders.ts';

const { verdict } = aRecord();
const channelSettings = async (channel: string) => ({ wish: {}, blind: channel === 'hiding' });
const rows = (items: number): CountRow[] => [counted(items, [1, 0], { models: 'other/model,test/model' })];

function reading(answers: (() => Promise<CountRow[]>)[]) {
  const ranges: { from: string; to: string }[] = [];
  let now = saturday;
  const counts = (range: { from: string; to: string }) => {
    ranges.push(range);
    return answers[ranges.length - 1]?.() ?? expect.fail('read too often');
  };
  const readTrust = createTrust({ counts, channelSettings }, () => now);
  return { ranges, readTrust, wait: (ms: number) => (now += ms) };
}

test('verdicts that come close together share one read of 180 days; later ones see newer votes', async () => {
  const { ranges, readTrust, wait } = reading([async () => rows(20), async () => rows(30)]);
  expect(await Promise.all([readTrust(verdict), readTrust(verdict)])).toMatchObject([{ n: 20 }, { n: 20 }]);
  wait(4_999);
  expect(await readTrust(verdict)).toMatchObject({ n: 20 });
  wait(1);
  expect(await readTrust(verdict)).toMatchObject({ agreed: 30, n: 30 });
  expect(ranges).toHaveLength(2);
  expect(ranges[0]).toEqual({ from: '2026-05-26', to: '2026-11-21' });
  const days = Date.parse('2026-11-21') - Date.parse('2026-05-26');
  expect(days / dayMs + 1).toBe(180);
});

test('a read that fails is told, and the next verdict reads anew', async () => {
  const { readTrust } = reading([() => Promise.reject(new Error('away')), async () => rows(20)]);
  await expect(readTrust(verdict)).rejects.toThrow('away');
  expect(await readTrust(verdict)).toMatchObject({ n: 20 });
});

test('fresh verdicts of a conversation that hides them do not enter, older ones do', async () => {
  const such = { models: 'other/model,test/model', channel: 'hiding' };
  const fresh = counted(5, [0, 1], such);
  const old = counted(5, [0, 1], { ...such, day: '2026-11-13' });
  const { readTrust } = reading([async () => [...rows(20), fresh, old]]);
  expect(await readTrust(verdict)).toMatchObject({ agreed: 20, n: 25 });
});
