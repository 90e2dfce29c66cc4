import { execFileSync } from 'node:child_process';
import { copyFileSync, statSync, utimesSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { expect, test } from 'vitest';
import { compiledFile, compileProgram } from '../../src/launch/compile-program.ts';
import { main, scratch } from '../support/run-jury.ts';

/** A program that tells what it is given, by a function that has to be compiled. */
const source = `(function (require, __filename, __dirname) {
  const sum = (upTo) => upTo === 0 ? 0 : upTo + sum(upTo - 1);
  require('node:fs').writeSync(1, __dirname + ' ' + sum(4));
})`;

/** A folder with that program and the entry as it is built. */
function aBuild(): string {
  const folder = scratch();
  writeFileSync(join(folder, 'program.cjs'), source);
  for (const file of ['main.js', 'package.json']) copyFileSync(join(dirname(main), file), join(folder, file));
  return folder;
}

/** In a process of its own: V8 compiles the same text only once in a process. */
const run = (folder: string): string =>
  execFileSync(process.execPath, [join(folder, 'main.js')], { encoding: 'utf8' });

test('what V8 compiled of the program is kept by the build, and taken at a start', () => {
  expect(compileProgram(dirname(main)).isCompiled).toBe(true);
});

test('a program runs where nothing was kept', () => {
  const folder = aBuild();
  expect(compileProgram(folder).isCompiled).toBe(false);
  expect(run(folder)).toBe(`${folder} 10`);
});

test.each([
  ['is as it was', (code: Buffer) => code],
  ['has a damaged beginning', (code: Buffer) => code.fill(0, 0, 64)],
  ['was cut off', (code: Buffer) => code.subarray(0, code.length / 2)],
  ['is empty', () => Buffer.alloc(0)],
])('a program runs where what was kept %s', (_, spoil) => {
  const folder = aBuild();
  writeFileSync(compiledFile(folder), spoil(compileProgram(folder).compiled()));
  expect(run(folder)).toBe(`${folder} 10`);
});

test('what was kept of a program that was changed since is not run', () => {
  const folder = aBuild();
  writeFileSync(compiledFile(folder), compileProgram(folder).compiled());
  const program = join(folder, 'program.cjs');
  writeFileSync(program, source.replace('sum(4)', 'sum(5)'));
  const later = new Date(statSync(program).mtimeMs + 1000);
  utimesSync(program, later, later);
  expect(run(folder)).toBe(`${folder} 15`);
});
