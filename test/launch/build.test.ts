import { readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { expect, test } from 'vitest';
import { main } from '../support/run-jury.ts';

const built = (file: string): string => readFileSync(join(dirname(main), file), 'utf8');

test('the openai client is part of the program, its log is not', () => {
  const program = built('program.cjs');
  expect(program).toContain('chat.completions');
  expect(program).not.toContain('x-amz-security-token');
});

test('what draws charts is not read at a start', () => {
  expect(built('program.cjs')).not.toContain('zrender');
  expect(built('trend-png.cjs')).toContain('zrender');
});
