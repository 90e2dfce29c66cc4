import { createHash } from 'node:crypto';
import * as z from 'zod';
import type { CaseFormat } from '../case/format/index.ts';
import { contentOf, type EvalCase, KeptCase } from '../case/index.ts';
import { changeText, FOREVER_MS, Id, JuryError, type KeyValue } from '../common/index.ts';
import { noSuch, readJson } from '../common/text/index.ts';
import { labeledCase } from '../labels/exchange/index.ts';
import { type LabelStore, labelOf, labelText, readVoted, usualRule } from '../labels/index.ts';

/** Named sets of cases, collected from verdicts and kept until they are removed. */

export const Names = z.array(z.string());
const NAMES = 'sets';
const listKey = (set: string): string => `set:${set}`;
const caseKey = (set: string, hash: string): string => `set:${set}:${hash}`;

/** A content hash that does not depend on the order of keys: parsing puts them in the schema's order. */
function hashOf(evalCase: EvalCase): string {
  const { rubric = null, ...rest } = KeptCase.parse(evalCase);
  return createHash('sha256')
    .update(JSON.stringify([rubric, contentOf(rest)]))
    .digest('base64url');
}

async function readNames(store: Pick<KeyValue, 'get'>, key: string, now: number): Promise<string[]> {
  return readJson(Names, (await store.get(key, now)) ?? '')?.value ?? [];
}

/** Changes a list of names safely, even if other processes change it at the same time. */
const changeNames = (
  store: KeyValue,
  key: string,
  change: (names: readonly string[]) => string[],
  now: number,
): Promise<string | null> => {
  const next = (text: string | null) => JSON.stringify(change(readJson(Names, text ?? '')?.value ?? []));
  return changeText(store, key, next, now, FOREVER_MS);
};

const having = (name: string) => (names: readonly string[]) =>
  names.includes(name) ? [...names] : [...names, name];

/** @throws JuryError `usage` for an invalid set name */
export function requireSetName(name: string): void {
  const { error } = Id.safeParse(name);
  if (error !== undefined)
    throw new JuryError(
      'usage',
      `"${name}" cannot be the name of a set: it ${error.issues[0]?.message ?? 'is wrong'}.`,
    );
}

/**
 * Adds a case to a set, creating the set if needed. A case already in the set is not added again; its label is replaced.
 * @throws JuryError `usage` for an invalid set name
 */
export async function addToSet(
  store: KeyValue,
  set: string,
  evalCase: EvalCase,
  now: number,
): Promise<'added' | 'known' | 'relabeled'> {
  requireSetName(set);
  const hash = hashOf(evalCase);
  const key = caseKey(set, hash);
  const text = JSON.stringify(evalCase);
  const kept = await store.setIfAbsent(key, text, now, FOREVER_MS);
  // For known cases too: the process that stored one may have died before this step.
  await changeNames(store, listKey(set), having(hash), now);
  await changeNames(store, NAMES, having(set), now);
  if (kept.set) return 'added';
  const before = readJson(KeptCase, kept.value)?.value;
  const isNew =
    evalCase.label !== undefined && JSON.stringify(evalCase.label) !== JSON.stringify(before?.label);
  const next = JSON.stringify({ ...before, ...evalCase });
  return isNew && (await store.compareAndSet(key, kept.value, next, now, FOREVER_MS)) ? 'relabeled' : 'known';
}

/** Names of all sets, in order of creation. */
export const setNames = (store: Pick<KeyValue, 'get'>, now: number): Promise<string[]> =>
  readNames(store, NAMES, now);

/**
 * The cases of a set, in the order they were added.
 * @throws JuryError `usage` if there is no such set
 */
export async function readSet(store: Pick<KeyValue, 'get'>, set: string, now: number): Promise<EvalCase[]> {
  const names = await setNames(store, now);
  if (!names.includes(set)) throw noSuch('set', set, names, '"jury dataset add" makes one.');
  const cases: EvalCase[] = [];
  for (const hash of await readNames(store, listKey(set), now)) {
    const kept = readJson(KeptCase, (await store.get(caseKey(set, hash), now)) ?? '');
    if (kept !== null) cases.push(kept.value);
  }
  return cases;
}

/**
 * Removes cases from a set, or the whole set.
 * @param ids IDs of the cases; null: all
 * @returns the number of cases removed
 */
export async function removeFromSet(
  store: KeyValue,
  set: string,
  ids: readonly string[] | null,
  now: number,
): Promise<number> {
  const cases = await readSet(store, set, now);
  const gone = cases.filter(({ id = '' }) => ids === null || ids.includes(id)).map(hashOf);
  await changeNames(store, listKey(set), (names) => names.filter((hash) => !gone.includes(hash)), now);
  if (ids === null) await changeNames(store, NAMES, (names) => names.filter((name) => name !== set), now);
  for (const hash of gone) await store.delete(caseKey(set, hash));
  return gone.length;
}

/**
 * Adds the case of a verdict, with its settled label if there is one, so that a failed check becomes a test case.
 * @param note records in the audit log what came of it; not called if the case was there already
 * @returns a sentence that says what was done
 * @throws JuryError `usage` for an invalid set name or an unknown verdict, `bad-input` for a case that can no longer be judged
 */
export async function addVerdictToSet(
  store: KeyValue & LabelStore,
  set: string,
  verdictId: string,
  format: CaseFormat,
  now: number,
  note: (outcome: 'added' | 'relabeled') => Promise<void> = async () => {},
): Promise<string> {
  const voted = await readVoted(store, verdictId);
  const label = labelOf(voted, null, usualRule, 'majority');
  const made = labeledCase({ voted, label }, new Map(), { format, all: true });
  if ('leftOut' in made)
    throw new JuryError('bad-input', `Verdicts like this cannot be added: they ${made.leftOut}.`);
  const outcome = await addToSet(store, set, made.evalCase, now);
  if (outcome !== 'known') await note(outcome);
  const labeled = label.label.settled
    ? `labeled ${labelText(label)}`
    : `without a label (${labelText(label)}); add it again once people agree, and it gets one`;
  switch (outcome) {
    case 'added':
      return `Added to the set "${set}", ${labeled}.`;
    case 'relabeled':
      return `It was in the set "${set}" already and is now ${labeled}.`;
    case 'known':
      return `It is in the set "${set}" already, ${labeled}.`;
  }
}
