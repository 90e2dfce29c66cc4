import { expect, test } from 'vitest';
import type { Actor, Membership, Viewer } from '../../src/labels/access/permissions.ts';
import { noteRulingShown, rulingsToShow } from '../../src/labels/voting/rulings-to-show.ts';
import { loadLibrary } from '../../src/prompting/load-library.ts';
import { ruleOn } from '../../src/surfaces/desks/card-desk.ts';
import type { Announcement } from '../../src/surfaces/surface.ts';
import { builtIn } from '../support/built-in.ts';
import { inDataOf } from '../support/data-store.ts';
import { scratch } from '../support/run-jury.ts';
import { aRecord, saturday } from '../support/store-builders.ts';

const ann: Actor = { people: [{ surface: 'slack', team: '', user: 'U0ANN' }], at: null };
const seeing: Viewer = { voter: 'ann', maySee: async () => true };
const RULING = { right: 'fail', role: 'safety lead', comment: 'Twice the price.' };

test('a ruling is kept, logged with who made it, and shown and announced in its conversation, once', () =>
  inDataOf(scratch(), async (store) => {
    await store.saveVerdict(aRecord({ id: 'v1' }));
    await store.saveVerdict({ ...aRecord({ id: 'v2' }), blind: true });
    const told: string[] = [];
    const refreshed: string[] = [];
    let membership: Membership = 'member';
    const desk = {
      store,
      library: await loadLibrary([builtIn]),
      texts: { language: 'en' } as const,
      now: () => saturday + told.length,
      roles: { admins: null, membership: async () => membership, store },
      announce: async (_: object, says: Announcement) => {
        told.push(
          says('en')
            .map((part) => (typeof part === 'string' ? part : part.person))
            .join(''),
        );
        return true;
      },
      refreshElsewhere: ({ id }: { id: string }) => refreshed.push(id),
    };
    const rule = (more: Partial<typeof RULING> = {}, viewer = seeing, id = 'v1') =>
      ruleOn(desk, viewer, ann, id, { ...RULING, ...more });

    expect(await rule({ right: 'purple' })).toMatchObject({
      why: expect.stringContaining('neither pass nor fail'),
    });
    expect(await rule({}, { ...seeing, maySee: async () => false })).toMatchObject({
      why: expect.stringContaining('no longer kept'),
    });
    expect(await rule({}, seeing, 'v2')).toMatchObject({ why: expect.stringContaining('Answer first') });
    membership = 'unknown';
    expect(await rule()).toMatchObject({ why: expect.stringContaining('cannot see who is') });
    expect(await store.adjudications()).toEqual([]);
    expect(await store.changes(0)).toEqual([]);

    membership = 'member';
    expect(await rule()).toEqual({ ruled: 'kept' });
    expect(await rule()).toEqual({ ruled: 'unchanged' });
    expect(await rule({ right: 'pass', comment: '' })).toEqual({ ruled: 'replaced' });
    expect(told).toEqual([
      expect.stringMatching(/^U0ANN ruled as safety lead on “.*”: fail\.$/),
      expect.stringMatching(/^U0ANN ruled as safety lead on “.*”: pass\.$/),
    ]);
    expect(refreshed).toEqual(['v1', 'v1']);
    // Cards that this process cannot change are left to the service.
    expect(await rulingsToShow(store, saturday)).toEqual(['v1']);
    await noteRulingShown(store, 'v1', saturday);
    expect(await rulingsToShow(store, saturday)).toEqual([]);
    const changes = await store.changes(0);
    expect(changes.map(({ what, about, by, channel }) => [what, about, by.people, channel])).toEqual(
      [1, 2].map(() => ['ruling', 'v1', ann.people, 'C1']),
    );
    expect(changes[1]?.before).toMatchObject({ right: { decision: 'fail' }, comment: RULING.comment });
    expect(changes[1]?.after).toMatchObject({ right: { decision: 'pass' } });
  }));
