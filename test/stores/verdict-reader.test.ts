import { expect, test } from 'vitest';
import { verdictReader } from '../../src/stores/store.ts';
import { aCase } from '../support/builders.ts';
import { aRecord } from '../support/store-builders.ts';

test('a verdict is parsed once for as long as it is read', () => {
  const read = verdictReader();
  const text = JSON.stringify(aRecord());
  expect(read(text)).toEqual(aRecord());
  expect(read(text)).toBe(read(text));
  expect(read(JSON.stringify(aRecord({ id: 'v2' })))).toEqual(aRecord({ id: 'v2' }));
});

test('only so many stay parsed, the last that were read', () => {
  const read = verdictReader();
  const long = (id: string) =>
    JSON.stringify(aRecord({ id, evalCase: aCase({ response: 'x'.repeat(1_000_000) }) }));
  const first = read(long('v0'));
  for (let n = 1; n < 7; n += 1) read(long(`v${n}`));
  expect(read(long('v0'))).toBe(first);
  const second = read(long('v1'));
  for (let n = 10; n < 18; n += 1) read(long(`v${n}`));
  expect(read(long('v1'))).not.toBe(second);
  expect(read(long('v1'))).toEqual(second);
});

test('damaged data is refused each time', () => {
  const read = verdictReader();
  for (const text of ['{', '{}']) {
    expect(() => read(text)).toThrow('a verdict');
    expect(() => read(text)).toThrow('a verdict');
  }
});
