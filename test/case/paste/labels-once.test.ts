import { expect, it, vi } from 'vitest';

/** How often the label of each text was read. */
const counted = vi.hoisted(() => ({ reads: 0 }));

vi.mock('../../../src/case/paste/line-labels.ts', async (importOriginal) => {
  const original = await importOriginal<typeof import('../../../src/case/paste/line-labels.ts')>();
  return {
    ...original,
    readLabel: (...given: Parameters<typeof original.readLabel>) => {
      counted.reads += 1;
      return original.readLabel(...given);
    },
  };
});

const { parseAll } = await import('./parse.ts');

const readsOf = (text: string): number => {
  counted.reads = 0;
  parseAll(text);
  return counted.reads;
};

const turns = (count: number, between = '\n') =>
  Array.from({ length: count }, (_, at) => `User: find ${at}\nSystem: Luigi ${at}`).join(between);

it.each([
  ['turns', turns(400)],
  ['cases between lines of dashes', turns(200, '\n---\n')],
  ['numbered cases', Array.from({ length: 200 }, (_, at) => `${at + 1})\nUser: a\nSystem: b`).join('\n')],
  ['one long answer', `User: a\nSystem: b\n${'and so on\n'.repeat(900)}`],
  ['the data of a place', `User: a\nSystem: b\n${'Rating: 4.6\nDuration: 6 min\n'.repeat(300)}`],
  ['a quote', `> ${turns(300, '\n> ').replaceAll('\nSystem', '\n> System')}`],
  ['messages of a chat', 'Anna Weber  10:32 AM\nhi\nCarBot  APP  10:33 AM\nhello\n'.repeat(150)],
])('the label of each line is read once: %s', (_, text) => {
  const lines = text.split('\n').length;
  // What stands behind a label may itself begin with one, `Actual: System: …`, and a line that a format gave a label is read anew.
  expect(readsOf(text)).toBeLessThanOrEqual(lines * 2 + 20);
});

it('a text of twice the length takes twice as many reads', () => {
  for (const make of [
    turns,
    (count: number) => turns(count, '\n\n'),
    (count: number) => turns(count, '\n---\n'),
  ])
    expect(readsOf(make(200))).toBeLessThanOrEqual(readsOf(make(100)) * 2 + 20);
});
