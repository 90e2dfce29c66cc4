import { expect, test } from 'vitest';
import { readingLines } from '../../src/surfaces/wording/model-reading.ts';

const format = { groups: new Map() };

test('of many turns the latest are shown, and always the answer and what is left out', () => {
  const conversation = Array.from({ length: 41 }, (_, at) => ({
    role: at % 2 === 0 ? ('user' as const) : ('system' as const),
    text: `turn ${at + 1}`,
  }));
  const read = {
    case: { conversation, response: `${'long '.repeat(150)}end` },
    assumed: ['left out: "not"'],
  };
  const lines = readingLines(read, format, 'en');
  expect(lines).toHaveLength(30);
  expect(lines[0]).toEqual({ name: '…', text: '14 earlier turns not shown' });
  expect(lines[1]?.text).toBe('turn 15');
  expect(lines.at(-2)?.text).toMatch(/end$/);
  expect(lines.at(-1)?.text).toBe('"not"');
  expect(readingLines(read, format, 'de')[0]?.text).toBe('14 frühere Beiträge hier nicht gezeigt');
  const few = { ...read, case: { ...read.case, conversation: conversation.slice(0, 3) } };
  expect(readingLines(few, format, 'en').map(({ text }) => text)[0]).toBe('turn 1');
});
