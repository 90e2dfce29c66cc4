import { expect, test } from 'vitest';
import { aCase } from '../support/builders.ts';
import { aCheck, declared, saturday } from '../support/store-builders.ts';
import type { StoresOfTest } from './store.ts';

const now = saturday;
const lease = 60_000;

export function checksContract({ current, another }: StoresOfTest): void {
  const abandoned = async (at: number, limit = 10) =>
    (await current().abandonedSpotChecks(at, limit)).readable.map(({ id }) => id);

  test('is known once it is added, also when it is finished, as long as that is kept', async () => {
    expect(await current().addSpotCheck(aCheck())).toBe('added');
    expect(await (await another()).addSpotCheck(aCheck())).toBe('known');
    await current().finishSpotCheck('check-1', now, 1000);
    expect(await current().addSpotCheck(aCheck({ at: now + 999 }))).toBe('known');
    expect(await current().pendingSpotChecks()).toBe(0);
    expect(await current().addSpotCheck(aCheck({ at: now + 1000 }))).toBe('added');
    expect(await current().pendingSpotChecks()).toBe(1);
  });

  test('that is finished can be opened again, once, and is not found as known meanwhile', async () => {
    const again = aCheck({ at: now + 5 });
    expect(await current().addSpotCheck(aCheck())).toBe('added');
    expect(await current().reopenSpotCheck(again)).toBe('known');
    await current().claimSpotCheck('check-1', 'a', now, lease);
    await current().finishSpotCheck('check-1', now, 1000);
    const opened = await Promise.all([
      current().reopenSpotCheck(again),
      (await another()).reopenSpotCheck(again),
    ]);
    expect(opened.sort()).toEqual(['added', 'known']);
    expect(await current().pendingSpotChecks()).toBe(1);
    expect(await current().addSpotCheck(aCheck())).toBe('known');
    // Its earlier lease went with it.
    expect(await current().claimSpotCheck('check-1', 'b', now, lease)).toEqual(again);
    await current().finishSpotCheck('check-1', now, 1000);
    expect(await current().reopenSpotCheck(aCheck({ id: 'check-new' }))).toBe('added');
  });

  test('is claimed by one, comes back as it was, and is free again when the lease is over', async () => {
    await current().addSpotCheck(aCheck());
    const other = await another();
    const claims = await Promise.all([
      current().claimSpotCheck('check-1', 'a', now, lease),
      other.claimSpotCheck('check-1', 'b', now, lease),
    ]);
    expect(claims.filter((claim) => claim !== null)).toEqual([aCheck()]);
    const [owner, loser] = claims[0] === null ? ['b', 'a'] : ['a', 'b'];
    expect(await current().claimSpotCheck('check-1', loser, now + lease - 1, lease)).toBeNull();
    expect(await current().claimSpotCheck('check-1', owner, now + 10, lease)).toEqual(aCheck());
    expect(await current().claimSpotCheck('check-1', loser, now + lease + 10, lease)).toEqual(aCheck());
    expect(await current().claimSpotCheck('nothing', 'a', now, lease)).toBeNull();
  });

  test('is found while it is pending, held or not', async () => {
    await current().addSpotCheck(aCheck());
    expect(await (await another()).spotCheck('check-1')).toEqual(aCheck());
    await current().claimSpotCheck('check-1', 'a', now, lease);
    expect(await current().spotCheck('check-1')).toEqual(aCheck());
    await current().finishSpotCheck('check-1', now, 1000);
    expect(await current().spotCheck('check-1')).toBeNull();
    expect(await current().spotCheck('nothing')).toBeNull();
  });

  test('comes back with fields of its cases that only a prompt file declares', async () => {
    const check = aCheck({
      input: { kind: 'cases', cases: [{ evalCase: aCase(declared), assumed: [] }] },
    });
    await current().addSpotCheck(check);
    expect(await (await another()).claimSpotCheck('check-1', 'a', now, lease)).toEqual(check);
  });

  test('is noted by its owner only, which lengthens the lease', async () => {
    const noted = aCheck({ progress: { placeholder: '1.2', replies: { '0': '1.3' }, verdicts: {} } });
    await current().addSpotCheck(aCheck());
    expect(await current().noteSpotCheck(noted, 'a', now, lease)).toBe(false);
    await current().claimSpotCheck('check-1', 'a', now, lease);
    expect(await current().noteSpotCheck(noted, 'a', now + lease - 1, lease)).toBe(true);
    expect(await current().claimSpotCheck('check-1', 'b', now + lease, lease)).toBeNull();
    expect(await current().claimSpotCheck('check-1', 'b', now + 2 * lease, lease)).toEqual(noted);
    expect(await current().noteSpotCheck(aCheck(), 'a', now + 2 * lease, lease)).toBe(false);
    await current().finishSpotCheck('check-1', now + 2 * lease, lease);
    expect(await current().noteSpotCheck(aCheck(), 'b', now + 2 * lease, lease)).toBe(false);
    expect(await current().claimSpotCheck('check-1', 'b', now + 9 * lease, lease)).toBeNull();
  });

  test('is only counted where a newer version wrote what this one does not know, and holds up no other', async () => {
    const newer = { ...aCheck({ id: 'newer' }), wishedFor: 'something new' };
    await current().addSpotCheck(newer);
    await current().addSpotCheck(aCheck());
    const { readable, unreadable } = await current().abandonedSpotChecks(now, 10);
    expect(readable).toEqual([aCheck()]);
    expect(unreadable).toBe(1);
  });

  test('is abandoned while no process holds it; the oldest come first', async () => {
    for (const n of [3, 1, 2, 4]) await current().addSpotCheck(aCheck({ id: `c${n}`, at: now + n }));
    expect(await abandoned(now + 10)).toEqual(['c1', 'c2', 'c3', 'c4']);
    expect(await abandoned(now + 10, 2)).toEqual(['c1', 'c2']);
    await current().claimSpotCheck('c1', 'a', now + 10, lease);
    await current().finishSpotCheck('c3', now + 10, lease);
    expect(await abandoned(now + 11)).toEqual(['c2', 'c4']);
    expect(await abandoned(now + 10 + lease)).toEqual(['c1', 'c2', 'c4']);
    expect(await current().pendingSpotChecks()).toBe(3);
  });

  test('is free where its lease seems to last for an hour: the clock was set back', async () => {
    await current().addSpotCheck(aCheck());
    await current().claimSpotCheck('check-1', 'a', now + 3_600_000, lease);
    expect(await abandoned(now)).toEqual(['check-1']);
    expect(await current().claimSpotCheck('check-1', 'b', now, lease)).toEqual(aCheck());
    expect(await current().claimSpotCheck('check-1', 'c', now, lease)).toBeNull();
    expect(await abandoned(now)).toEqual([]);
    // The first owner learns that it is not its own any more.
    expect(await current().noteSpotCheck(aCheck(), 'a', now, lease)).toBe(false);
  });

  test('that was not added is finished without a trace', async () => {
    await current().finishSpotCheck('nothing', now, lease);
    expect(await current().addSpotCheck(aCheck({ id: 'nothing' }))).toBe('added');
  });
}
