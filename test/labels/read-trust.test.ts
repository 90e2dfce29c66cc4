import { join } from 'node:path';
import { expect, test } from 'vitest';
import { createTrust } from '../../src/labels/agreement/trust.ts';
import { saveJudged } from '../../src/labels/record/hiding-channels.ts';
import type { CountRow } from '../../src/labels/record/verdict-record.ts';
import { openSqliteStore } from '../../src/stores/sqlite/sqlite-store.ts';
import { counted } from '../digests/world.ts';
import { closeAfterEach, closing } from '../support/resources.ts';
import { scratch } from '../support/run-jury.ts';
import { aBallot, aRecord, dayMs, saturday } from '../support/store-builders.ts';

closeAfterEach();

const { verdict } = aRecord();
const channelSettings = async (channel: string) => ({ wish: {}, blind: channel === 'hiding' });
const rows = (items: number): CountRow[] => [counted(items, [3, 0], { models: 'other/model,test/model' })];

function reading(answers: (() => Promise<CountRow[]>)[]) {
  const ranges: { from: string; to: string }[] = [];
  let now = saturday;
  const counts = (range: { from: string; to: string }) => {
    ranges.push(range);
    return answers[ranges.length - 1]?.() ?? expect.fail('read too often');
  };
  const readTrust = createTrust({ counts, channelSettings, get: async () => null }, () => now);
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
  expect(ranges[0]).toEqual({ from: '2026-05-26', to: '2026-11-21', kinds: ['verdict'] });
  const days = Date.parse('2026-11-21') - Date.parse('2026-05-26');
  expect(days / dayMs + 1).toBe(180);
});

test('a read that fails is reported, and the next verdict reads anew', async () => {
  const { readTrust } = reading([() => Promise.reject(new Error('away')), async () => rows(20)]);
  await expect(readTrust(verdict)).rejects.toThrow('away');
  expect(await readTrust(verdict)).toMatchObject({ n: 20 });
});

test('what is hidden until people have voted is in no trust line for a week, whether its channel still hides or did', async () => {
  const store = await openSqliteStore(join(scratch(), 'jury.db'));
  closing(() => store.close());
  await store.saveChannelSettings('C0BLIND', { wish: {}, blind: true });
  let now = saturday;
  const settle = async (id: string, channel: string, blind: boolean) => {
    await saveJudged(store, { ...aRecord({ id, at: saturday, channel }), ...(blind ? { blind } : {}) });
    for (const voter of ['ada', 'bea', 'cleo'])
      await store.castVote(aBallot({ verdictId: id, voter, value: 'agree' }));
  };
  await settle('hidden-once', 'C0ONCE', true);
  for (let n = 0; n < 3; n += 1) await settle(`hidden-${n}`, 'C0BLIND', true);
  for (let n = 0; n < 100; n += 1) await settle(`open-${n}`, 'C0OPEN', false);
  const readTrust = createTrust(store, () => now);
  expect(await readTrust(verdict)).toMatchObject({ n: 100 });
  now = Math.floor(saturday / dayMs + 7) * dayMs - 5_000;
  expect(await readTrust(verdict)).toMatchObject({ n: 100 });
  now += 5_000;
  expect(await readTrust(verdict)).toMatchObject({ n: 104 });
});

test('fresh verdicts of a conversation that hides them do not enter, older ones do', async () => {
  const such = { models: 'other/model,test/model', channel: 'hiding' };
  const fresh = counted(5, [0, 3], such);
  const old = counted(5, [0, 3], { ...such, day: '2026-11-13' });
  const { readTrust } = reading([async () => [...rows(20), fresh, old]]);
  expect(await readTrust(verdict)).toMatchObject({ agreed: 20, n: 25 });
});
