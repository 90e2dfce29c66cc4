import { beforeEach, describe, expect, test } from 'vitest';
import { EvalCase } from '../../src/case/case.ts';
import type { KeyValue } from '../../src/common/key-value.ts';
import { addToSet, readSet, removeFromSet, setNames } from '../../src/datasets/named-case-sets.ts';
import { openSqliteStore } from '../../src/stores/sqlite/sqlite-store.ts';
import { aCase } from '../support/builders.ts';
import { placeInRedis, redisOfRun } from '../support/redis.ts';
import { closeAfterEach, closing } from '../support/resources.ts';
import { scratch } from '../support/run-jury.ts';

const now = Date.UTC(2026, 10, 23, 8);
const later = now + 10 * 365 * 86_400_000;

closeAfterEach();
const { url } = redisOfRun();

const stores: [name: string, open: () => Promise<KeyValue>][] = [
  [
    'SQLite',
    async () => {
      const store = await openSqliteStore(`${scratch()}/jury.db`);
      closing(() => store.close());
      return store;
    },
  ],
  ...(url === null
    ? []
    : [
        [
          'Redis',
          async () => {
            const place = placeInRedis(url);
            const store = await place.open();
            closing(async () => {
              await store.close();
              await place.remove();
            });
            return store;
          },
        ] satisfies [string, () => Promise<KeyValue>],
      ]),
];

const caseOf = (id: string, response: string, more: object = {}) =>
  aCase({ id, response, rubric: 'question-answering', ...more });

describe.each(stores)('a set of cases in %s', (_name, open) => {
  let store: KeyValue;
  beforeEach(async () => {
    store = await open();
  });

  test('has each case once, in the order in which they were added, for years', async () => {
    expect(await addToSet(store, 'regressions', caseOf('a', 'one'), now)).toBe('added');
    expect(await addToSet(store, 'regressions', caseOf('b', 'two'), now)).toBe('added');
    expect(await addToSet(store, 'regressions', caseOf('other-id', 'one'), now)).toBe('known');
    expect((await readSet(store, 'regressions', later)).map(({ id }) => id)).toEqual(['a', 'b']);
    const swapped = Object.fromEntries(Object.entries(caseOf('a', 'one')).reverse());
    expect(await addToSet(store, 'regressions', EvalCase.parse(swapped), now)).toBe('known');
    expect(await addToSet(store, 'smoke', caseOf('a', 'one'), now)).toBe('added');
    expect(await setNames(store, later)).toEqual(['regressions', 'smoke']);
  });

  test('takes the label of a case that comes with another', async () => {
    const fail = { label: { decision: 'fail' as const } };
    await addToSet(store, 'regressions', caseOf('a', 'one'), now);
    expect(await addToSet(store, 'regressions', caseOf('a', 'one', fail), now)).toBe('relabeled');
    expect(await addToSet(store, 'regressions', caseOf('a', 'one', fail), now)).toBe('known');
    expect(await addToSet(store, 'regressions', caseOf('a', 'one'), now)).toBe('known');
    expect(await readSet(store, 'regressions', now)).toMatchObject([{ id: 'a', ...fail }]);
  });

  test('loses nothing when many add at once', async () => {
    const cases = Array.from({ length: 20 }, (_, at) => caseOf(`c${at}`, `answer ${at}`));
    await Promise.all(cases.map((one) => addToSet(store, 'regressions', one, now)));
    expect(new Set((await readSet(store, 'regressions', now)).map(({ id }) => id)).size).toBe(20);
  });

  test('is whole again when a case is added whose process died before the set knew of it', async () => {
    await addToSet(store, 'regressions', caseOf('a', 'one'), now);
    await store.delete('set:regressions');
    await store.delete('sets');
    expect(await addToSet(store, 'regressions', caseOf('a', 'one'), now)).toBe('known');
    expect(await readSet(store, 'regressions', now)).toHaveLength(1);
  });

  test('gives cases back, one or all', async () => {
    await addToSet(store, 'regressions', caseOf('a', 'one'), now);
    await addToSet(store, 'regressions', caseOf('b', 'two'), now);
    expect(await removeFromSet(store, 'regressions', ['a', 'not-there'], now)).toBe(1);
    expect(await readSet(store, 'regressions', now)).toMatchObject([{ id: 'b' }]);
    expect(await addToSet(store, 'regressions', caseOf('a', 'one'), now)).toBe('added');
    expect(await removeFromSet(store, 'regressions', null, now)).toBe(2);
    await expect(readSet(store, 'regressions', now)).rejects.toThrow('There is no set "regressions"');
  });

  test('has a name that files can have, and an unknown one is answered with the nearest', async () => {
    await expect(addToSet(store, 'My set', caseOf('a', 'one'), now)).rejects.toThrow('lower-case letters');
    await addToSet(store, 'regressions', caseOf('a', 'one'), now);
    await expect(readSet(store, 'regresions', now)).rejects.toThrow('Did you mean "regressions"?');
  });
});
