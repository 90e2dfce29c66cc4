import { expect, test } from 'vitest';
import { saturday } from '../support/store-builders.ts';
import type { StoresOfTest } from './store.ts';

const now = saturday;

export function keyValueContract({ current, another }: StoresOfTest): void {
  test('is set by one among many and tells the others its value', async () => {
    const stores = [current(), await another()];
    const outcomes = await Promise.all(
      Array.from({ length: 20 }, (_, n) => stores[n % 2]?.setIfAbsent('slot {1}', `owner ${n}`, now, 1000)),
    );
    const winner = outcomes.findIndex((outcome) => outcome?.set === true);
    const rest = outcomes.filter((_, n) => n !== winner);
    expect(rest).toEqual(Array.from({ length: 19 }, () => ({ set: false, value: `owner ${winner}` })));
    expect(await current().get('slot {1}', now)).toBe(`owner ${winner}`);
  });

  test('is gone when its time is over', async () => {
    await current().setIfAbsent('k', 'first', now, 1000);
    expect(await current().get('k', now + 999)).toBe('first');
    expect(await current().get('k', now + 1000)).toBeNull();
    expect(await current().setIfAbsent('k', 'second', now + 1000, 1000)).toEqual({ set: true });
    expect(await current().get('k', now + 1000)).toBe('second');
    expect(await current().get('other', now)).toBeNull();
  });

  test('is replaced only where it holds what was expected, and stands longer then', async () => {
    await current().setIfAbsent('k', 'one', now, 1000);
    expect(await current().compareAndSet('k', 'two', 'three', now, 1000)).toBe(false);
    expect(await current().compareAndSet('k', 'one', 'a|b\n"c"', now + 500, 1000)).toBe(true);
    expect(await current().get('k', now + 1499)).toBe('a|b\n"c"');
    expect(await current().compareAndSet('k', 'a|b\n"c"', 'late', now + 1500, 1000)).toBe(false);
    expect(await current().compareAndSet('other', '', 'x', now, 1000)).toBe(false);
  });

  test('can be cleared', async () => {
    await current().setIfAbsent('k', '', now, 1000);
    expect(await current().get('k', now)).toBe('');
    await current().delete('k');
    await current().delete('k');
    expect(await current().get('k', now)).toBeNull();
    expect(await current().setIfAbsent('k', 'again', now, 1000)).toEqual({ set: true });
  });
}
