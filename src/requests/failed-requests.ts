import type { Redactor } from '../case/redact/index.ts';
import type { KeyValue } from '../common/index.ts';
import type { Person } from '../labels/access/index.ts';
import { dropOwnIds, noteOwnId, ownIds } from './own-ids.ts';
import type { CheckProblem } from './presenter.ts';
import { type RequestStore, SpotCheck } from './spot-check.ts';

/** Long enough to come back to a message after a weekend. */
const KEPT_MS = 3 * 86_400_000;

const failedKey = (id: string): string => `failed:${id}`;
const ownKey = ({ surface, user }: Pick<Person, 'surface' | 'user'>): string =>
  `failed-of:${surface}:${user}`;
const ownKeyOf = ({ surface, requestedBy: user }: SpotCheck): string => ownKey({ surface, user });

/** Whether another try of the same request may succeed: nothing in it has to change. */
export function canTryAgain(problem: CheckProblem, { input }: Pick<SpotCheck, 'input'>): boolean {
  switch (problem.kind) {
    case 'failed':
      return problem.isWaiting !== true;
    case 'budget':
    case 'stopped':
      return true;
    case 'unclear':
      // A file may have been unreadable only for a moment.
      return input.kind === 'message' && input.files.length > 0;
    default:
      return false;
  }
}

/** What was asked, redacted, since it is kept for days. */
function redacted({ input, ...check }: SpotCheck, { text, case: redact }: Redactor): SpotCheck {
  if (input.kind === 'message') return { ...check, input: { ...input, text: text(input.text) } };
  const cases = input.cases.map(({ evalCase, assumed, unsure, reader }) => ({
    evalCase: redact(evalCase),
    assumed: assumed.map(text),
    ...(unsure && { unsure: { text: text(unsure.text), withIt: redact(unsure.withIt) } }),
    ...(reader && { reader }),
  }));
  return { ...check, input: { ...input, cases } };
}

/**
 * Keeps a request that failed, so that it can be tried again.
 *
 * @throws JuryError `store-unavailable`
 */
export async function keepFailed(
  store: KeyValue,
  check: SpotCheck,
  redactor: Redactor,
  now: number,
): Promise<void> {
  const [key, own] = [failedKey(check.id), ownKeyOf(check)];
  await noteOwnId(store, own, check.id, now, KEPT_MS);
  await store.delete(key);
  await store.setIfAbsent(key, JSON.stringify(redacted(check, redactor)), now, KEPT_MS);
  const expired = new Set<string>();
  for (const id of await ownIds(store, own, now))
    if ((await store.get(failedKey(id), now)) === null) expired.add(id);
  await dropOwnIds(store, own, expired, now, KEPT_MS);
  // Another process may have dropped it just before it was kept.
  await noteOwnId(store, own, check.id, now, KEPT_MS);
}

/**
 * A request that failed; null if it did not or is no longer kept.
 *
 * @throws JuryError `store-unavailable`
 */
export async function failedRequest(store: KeyValue, id: string, now: number): Promise<SpotCheck | null> {
  const text = await store.get(failedKey(id), now);
  return text === null ? null : SpotCheck.parse(JSON.parse(text));
}

/**
 * Keeps nothing more of a request that failed before, since it was answered or deleted.
 *
 * @throws JuryError `store-unavailable`
 */
export async function dropFailed(store: KeyValue, id: string, now: number): Promise<void> {
  const failed = await failedRequest(store, id, now);
  if (failed === null) return;
  await store.delete(failedKey(id));
  await dropOwnIds(store, ownKeyOf(failed), new Set([id]), now, KEPT_MS);
}

/**
 * Opens a failed request again; what it has brought so far stays. Whether people vote first is decided anew, since the settings may
 * have changed in the days between. `known`: it is pending already.
 *
 * @throws JuryError `store-unavailable`
 */
export function reopen(
  store: Pick<RequestStore, 'reopenSpotCheck'>,
  { progress, blind: _blind, ...check }: SpotCheck,
  now: number,
): Promise<'added' | 'known'> {
  const { failures: _failures, ...kept } = progress;
  return store.reopenSpotCheck({ ...check, at: now, progress: kept });
}

/**
 * Erases what a person asked and could not be judged; resolves to the number of requests.
 *
 * @throws JuryError `store-unavailable`
 */
export async function forgetFailed(
  store: KeyValue,
  person: Pick<Person, 'surface' | 'user'>,
  now: number,
): Promise<number> {
  let forgotten = 0;
  for (const id of await ownIds(store, ownKey(person), now)) {
    if ((await store.get(failedKey(id), now)) !== null) forgotten += 1;
    await store.delete(failedKey(id));
  }
  await store.delete(ownKey(person));
  return forgotten;
}
