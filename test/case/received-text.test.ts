import { expect, test } from 'vitest';
import { stretchesOf } from '../../src/case/paste/received-text.ts';

test('a text in stretches is the text, whatever its spans are', () => {
  const text = 'User: hi\nSystem: yo\n\n';
  const label = { from: 0, to: 5, is: 'label' as const };
  const user = { from: 6, to: 8, is: 'user' as const, why: 'labeled' };
  const system = { from: 9, to: 19, is: 'system' as const };
  expect(stretchesOf({ text, spans: [label, user, system] })).toEqual([
    { is: 'label', text: 'User:' },
    { is: null, text: ' ' },
    { is: 'user', text: 'hi', why: 'labeled' },
    { is: null, text: '\n' },
    { is: 'system', text: 'System: yo' },
    { is: null, text: '\n\n' },
  ]);
  for (const spans of [[], [system, label], [label, { ...user, from: 2, to: 99 }], [{ ...user, from: 50 }]])
    expect(
      stretchesOf({ text, spans })
        .map((stretch) => stretch.text)
        .join(''),
    ).toBe(text);
});
