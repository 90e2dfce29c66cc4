import { cpSync, mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { readLibrary } from '../../src/prompting/read-library.ts';
import { builtIn } from '../support/built-in.ts';
import { newFolder } from '../support/resources.ts';

test('a link that leaves a prompts folder is refused, and one within it is followed', () => {
  const own = newFolder();
  mkdirSync(join(own, 'methods'));
  const outside = join(newFolder(), 'secret.yaml');
  writeFileSync(outside, 'password: hunter22');
  symlinkSync(outside, join(own, 'methods/leak.yaml'));
  expect(() => readLibrary([builtIn, own])).toThrow(
    `${join(own, 'methods/leak.yaml')}: is a link out of the folder: put the file itself there`,
  );
  expect(() => readLibrary([builtIn, own])).not.toThrow('hunter22');
  // As a mounted volume has its files.
  const mounted = newFolder();
  mkdirSync(join(mounted, 'methods/.data'), { recursive: true });
  cpSync(join(builtIn, 'methods/core-average.yaml'), join(mounted, 'methods/.data/own.yaml'));
  symlinkSync('.data/own.yaml', join(mounted, 'methods/own.yaml'));
  expect(readLibrary([builtIn, mounted]).methods.has('own')).toBe(true);
});
