import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { bundled } from '../../support/bundled.ts';
import { scratch } from '../../support/run-jury.ts';

const printing = bundled(fileURLToPath(new URL('../../support/printing.ts', import.meta.url)));
const shell = (command: string): string =>
  execFileSync('sh', ['-c', command, process.execPath, printing], { encoding: 'utf8' });

test.each(['at once', 'by itself'])('results and messages stay in order, where a command ends %s', (end) => {
  const printed = 'one\ntwo\nthree\nfour\n';
  expect(shell(`"$0" "$1" '${end}' 2>&1`)).toBe(printed);
  const file = join(scratch(), 'printed');
  shell(`"$0" "$1" '${end}' > '${file}' 2>&1`);
  expect(readFileSync(file, 'utf8')).toBe(printed);
});
