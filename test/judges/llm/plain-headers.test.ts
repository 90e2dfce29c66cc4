import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { PlainHeaders } from '../../../src/judges/llm/plain-headers.ts';

type Operation =
  | { kind: 'append' | 'set'; name: string; value: string }
  | { kind: 'delete' | 'get' | 'has'; name: string };

/** Names that collide but for their case, the one with a rule of its own, and ones that are none. */
const names = fc.constantFrom(
  'A',
  'a',
  'b-c',
  'Set-Cookie',
  'set-cookie',
  'x-request-id',
  '',
  'a b',
  'ä',
  'a:',
);
const values = fc.oneof(
  fc.string({ unit: 'binary' }),
  fc.constantFrom('', ' 1 ', '\t2\r\n', '3\n4', 'a\0', 'é', '€', 'one, two'),
);
const operations: fc.Arbitrary<Operation[]> = fc.array(
  fc.oneof(
    fc.record({ kind: fc.constantFrom('append' as const, 'set' as const), name: names, value: values }),
    fc.record({ kind: fc.constantFrom('delete' as const, 'get' as const, 'has' as const), name: names }),
  ),
);

/** What an operation answers, or that it refuses. */
function applied(headers: Headers, operation: Operation): unknown {
  try {
    return operation.kind === 'append' || operation.kind === 'set'
      ? headers[operation.kind](operation.name, operation.value)
      : headers[operation.kind](operation.name);
  } catch (thrown) {
    return thrown instanceof TypeError ? 'refused' : thrown;
  }
}

const all = (headers: Headers) => {
  const told: [string, string, boolean][] = [];
  headers.forEach((value, name, self) => {
    told.push([name, value, self === headers]);
  });
  return {
    told,
    pairs: [...headers],
    entries: [...headers.entries()],
    keys: [...headers.keys()],
    values: [...headers.values()],
    cookies: headers.getSetCookie(),
  };
};

describe('headers by themselves', () => {
  test('answer whatever is done with them as the global ones do', () => {
    fc.assert(
      fc.property(operations, (steps) => {
        const [own, global] = [new PlainHeaders(), new Headers()];
        for (const step of steps) expect(applied(own, step)).toEqual(applied(global, step));
        expect(all(own)).toEqual(all(global));
      }),
      { numRuns: 500 },
    );
  });

  test.each([
    ['nothing', undefined],
    ['an object', { B: '2', a: ' 1' }],
    [
      'pairs',
      [
        ['a', '1'],
        ['A', '2'],
      ],
    ],
    ['global headers', new Headers({ a: '1' })],
    ['their own kind', new PlainHeaders({ a: '1' })],
  ])('are made of %s', (_, given) => {
    expect(all(new PlainHeaders(given))).toEqual(all(new Headers(given)));
  });

  test.each([[[['a']]], [[['a', '1', '2']]], [{ 'a b': '1' }], [{ a: '1\n2' }]])(
    'are not made of %j',
    (given) => {
      expect(() => new Headers(given)).toThrow(TypeError);
      expect(() => new PlainHeaders(given)).toThrow(TypeError);
    },
  );

  test('are made of a value with a very long row of spaces within', () => {
    const value = `a${' '.repeat(100_000)}é`;
    expect(new PlainHeaders({ a: value }).get('a')).toBe(value);
  });

  test('do not tell what a value holds that cannot be sent', () => {
    expect(() => new PlainHeaders({ authorization: 'Bearer secret\nx' })).toThrow(/^(?!.*secret)/);
  });
});
