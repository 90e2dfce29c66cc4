import { describe, expect, test } from 'vitest';
import { assemble } from '../../src/compose.ts';
import { readEnv } from '../../src/env.ts';

/** Conversations of each surface, as its platform names them. */
const ids: Record<string, readonly string[]> = {
  slack: ['C0123ABCD', 'G0123ABCD', 'D0123ABCD'],
  teams: [
    '19:0123abcd@thread.tacv2',
    '19:0123abcd@thread.skype',
    '19:0123abcd@thread.v2',
    'a:0123ABCD',
    '19:0123_abcd@unq.gbl.spaces',
  ],
  page: ['page'],
};

describe('the id of a conversation', async () => {
  const { surfaces } = await assemble(readEnv({}, ''), { cache: false, warn: () => {} });

  test('has an example from every surface', () => {
    expect(Object.keys(ids).toSorted()).toEqual(surfaces.map(({ name }) => name).toSorted());
  });

  test.each(Object.entries(ids).flatMap(([name, own]) => own.map((id) => [id, name] as const)))(
    '%s is of %s alone',
    (id, name) => {
      expect(surfaces.filter(({ kindOf }) => kindOf(id) !== null).map((one) => one.name)).toEqual([name]);
    },
  );
});
