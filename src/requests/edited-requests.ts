import type { KeyValue } from '../common/index.ts';
import type { Person } from '../labels/access/index.ts';
import { noteOwnId, ownIds } from './own-ids.ts';
import { type Edit, noteShown, SHOWN_KEPT_MS, type Shown, shownFor } from './shown-messages.ts';
import { type Recorded, type RequestStore, recordRequest } from './spot-check.ts';

/** The store key for the ids of a person's edited requests. */
const editsKey = (surface: string, user: string): string => `edits:${surface}:${user}`;

/**
 * Stores the edited text of a request.
 *
 * @returns what is known about the request if judging it again should be offered, which is done once until it has been
 * judged; otherwise null, also for a request that was never answered
 * @throws JuryError `store-unavailable`
 */
export async function noteEdit(
  store: KeyValue,
  check: string,
  edit: Edit,
  now: number,
): Promise<Shown | null> {
  if ((await shownFor(store, check, now)) === null) return null;
  await noteOwnId(store, editsKey(edit.surface, edit.requestedBy), check, now, SHOWN_KEPT_MS);
  const before = await noteShown(store, check, () => ({ edit }), now);
  return before.edit === null ? before : null;
}

/**
 * Forgets an edit whose offer could not be shown, so that the next delivery makes it again.
 *
 * @throws JuryError `store-unavailable`
 */
export const forgetEdit = (store: KeyValue, check: string, now: number): Promise<Shown> =>
  noteShown(store, check, () => ({ edit: null }), now);

/**
 * Erases the texts of a person's edited requests that were not judged; resolves to their number.
 *
 * @throws JuryError `store-unavailable`
 */
export async function forgetEdits(
  store: KeyValue,
  { surface, user }: Pick<Person, 'surface' | 'user'>,
  now: number,
): Promise<number> {
  const key = editsKey(surface, user);
  let forgotten = 0;
  for (const check of await ownIds(store, key, now)) {
    if ((await shownFor(store, check, now))?.edit?.requestedBy !== user) continue;
    await forgetEdit(store, check, now);
    forgotten += 1;
  }
  await store.delete(key);
  return forgotten;
}

/**
 * Records an edited request as a new one, once per edit. `judged`: there is no unjudged edit. `deleted`: the request is
 * gone.
 *
 * @throws JuryError `store-unavailable`
 */
export async function recordEdit(
  store: KeyValue & RequestStore,
  original: string,
  now: number,
): Promise<Recorded | 'judged' | 'deleted'> {
  const { edit = null, withdrawn = false, edits = [] } = (await shownFor(store, original, now)) ?? {};
  if (withdrawn) return 'deleted';
  if (edit === null) return 'judged';
  const recorded = await recordRequest(store, { ...edit, replaces: edits.at(-1) ?? original }, now);
  const judged = (shown: Shown): Partial<Shown> => ({
    edit: shown.edit?.key === edit.key ? null : shown.edit,
    edits: [...new Set([...shown.edits, recorded.check.id])],
  });
  const before = await noteShown(store, original, judged, now);
  if (!before.withdrawn) return recorded;
  // The original was deleted in the meantime, before this request was linked to it.
  await noteShown(store, recorded.check.id, () => ({ withdrawn: true }), now);
  return 'deleted';
}
