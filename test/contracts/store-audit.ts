import { expect, test } from 'vitest';
import type { Change } from '../../src/labels/access/audit.ts';
import { dayMs, saturday } from '../support/store-builders.ts';
import type { StoresOfTest } from './store.ts';

export const aChange = (changed: Partial<Change> = {}): Change => ({
  id: 'c1',
  at: saturday,
  by: { people: [{ surface: 'slack', team: '', user: 'U0ANN' }], email: null },
  what: 'settings',
  surface: 'slack',
  channel: 'C1',
  about: null,
  before: { wish: {} },
  after: { wish: { method: 'it’s "mad" |\n2' }, blind: true },
  ...changed,
});

export function auditContract({ current, another }: StoresOfTest): void {
  test('comes back as it was, oldest first, from a time on', async () => {
    const later = aChange({ id: 'c2', at: saturday + 0.5, before: null, what: 'alert', about: 'a1' });
    await current().addChange(later);
    await current().addChange(aChange());
    const other = await another();
    expect(await other.changes(0)).toEqual([aChange(), later]);
    expect(await other.changes(saturday + 0.25)).toEqual([later]);
    expect(await other.changes(saturday + 1)).toEqual([]);
  });

  test('is kept once, whatever number of times it is added', async () => {
    await current().addChange(aChange());
    await current().addChange(aChange());
    expect(await current().changes(0)).toHaveLength(1);
  });

  test('goes when it is as old as verdicts may be', async () => {
    await current().addChange(aChange({ at: saturday - dayMs }));
    await current().addChange(aChange({ id: 'c2' }));
    await current().prune(saturday, saturday);
    expect((await current().changes(0)).map(({ id }) => id)).toEqual(['c2']);
  });
}
