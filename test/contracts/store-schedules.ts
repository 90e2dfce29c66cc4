import { expect, test } from 'vitest';
import { aSchedule } from '../support/store-builders.ts';
import type { StoresOfTest } from './store.ts';

export function schedulesContract({ current, another }: StoresOfTest): void {
  test('is kept, changed and listed by id', async () => {
    await current().saveSchedule(aSchedule({ id: 'b' }));
    await current().saveSchedule(aSchedule({ id: 'a', paused: true }));
    await current().saveSchedule(aSchedule({ id: 'b', cron: '0 8 * * 1' }));
    const other = await another();
    expect(await other.schedules()).toEqual([
      aSchedule({ id: 'a', paused: true }),
      aSchedule({ id: 'b', cron: '0 8 * * 1' }),
    ]);
  });

  test('is added by one of many that give it the same id', async () => {
    const stores = [current(), await another()];
    const crons = Array.from({ length: 20 }, (_, n) => `${n} 9 * * 1`);
    const added = await Promise.all(
      crons.map((cron, n) => stores[n % 2]?.addSchedule(aSchedule({ id: 's', cron }))),
    );
    expect(added.filter((one) => one === true)).toHaveLength(1);
    const cron = crons[added.indexOf(true)] ?? '';
    expect(await current().schedules()).toEqual([aSchedule({ id: 's', cron })]);
  });

  test('has progress that one of many writers of the same version replaces', async () => {
    await current().saveSchedule(aSchedule({ id: 's' }));
    const stores = [current(), await another()];
    const wrote = await Promise.all(
      Array.from({ length: 20 }, (_, n) => stores[n % 2]?.replaceDigestProgress('s', 0, `writer ${n}`)),
    );
    expect(wrote.filter((one) => one === true)).toHaveLength(1);
    const text = `writer ${wrote.indexOf(true)}`;
    expect(await current().digestProgress('s')).toEqual({ version: 1, text });
    expect(await current().replaceDigestProgress('s', 0, 'late')).toBe(false);
    expect(await current().replaceDigestProgress('s', 1, 'a|b\n{"c":1}')).toBe(true);
    expect(await current().digestProgress('s')).toEqual({ version: 2, text: 'a|b\n{"c":1}' });
  });

  test('keeps its progress when it is changed, and loses it when it is removed', async () => {
    await current().saveSchedule(aSchedule({ id: 's' }));
    expect(await current().digestProgress('s')).toEqual({ version: 0, text: '' });
    await current().replaceDigestProgress('s', 0, 'posted');
    await current().saveSchedule(aSchedule({ id: 's', paused: true }));
    expect(await current().digestProgress('s')).toEqual({ version: 1, text: 'posted' });
    expect(await current().removeSchedule('s')).toBe(true);
    expect(await current().removeSchedule('s')).toBe(false);
    expect(await current().digestProgress('s')).toBeNull();
    expect(await current().replaceDigestProgress('s', 1, 'after its end')).toBe(false);
    expect(await current().schedules()).toEqual([]);
    await current().saveSchedule(aSchedule({ id: 's' }));
    expect(await current().digestProgress('s')).toEqual({ version: 0, text: '' });
  });
}
