import { cpSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { beforeAll, describe, expect, test } from 'vitest';
import { loadLibrary } from '../../src/prompting/library.ts';
import { preparedModule } from '../../src/prompting/prepare.ts';
import type { PreparedPrompts } from '../../src/prompting/prepared.ts';
import { promptsKey } from '../../src/prompting/prompts-key.ts';
import { builtIn, folderWith } from '../support/built-in.ts';

const values = { key: 'k', material: 'm', interaction: true, leftOut: [], ratings: [], arguments: [] };
const folder = mkdtempSync(join(tmpdir(), 'jury-prepared-'));
let prepared: PreparedPrompts;

beforeAll(async () => {
  const file = join(folder, 'prepared.mjs');
  writeFileSync(file, preparedModule(builtIn));
  ({ prepared } = await import(/* @vite-ignore */ pathToFileURL(file).href));
});

/** The built-in prompts in a folder of their own, where a test can change them. */
function copied(): string {
  const copy = mkdtempSync(join(tmpdir(), 'jury-prompts-'));
  cpSync(builtIn, copy, { recursive: true });
  return copy;
}

describe('prompts that were prepared', () => {
  test('are what reading the files comes to', () => {
    const [quick, slow] = [loadLibrary([builtIn], prepared), loadLibrary([builtIn], null)];
    for (const kind of ['rubrics', 'methods', 'personas'] as const)
      expect([...quick[kind]]).toEqual([...slow[kind]]);
    expect(quick.caseFormat.paths).toEqual(slow.caseFormat.paths);
    expect([...quick.caseFormat.groups]).toEqual([...slow.caseFormat.groups]);
    expect(quick.template('case', values)).toBe(slow.template('case', values));
    expect(quick.exemplars('navigation')).toEqual(slow.exemplars('navigation'));
  });

  test('are not read again while the files are the same, wherever they are', () => {
    const marked = { ...prepared, data: { ...prepared.data, methods: [] } };
    expect(loadLibrary([copied()], marked).methods.size).toBe(0);
  });

  test.each([
    ['a method', 'methods/io.yaml'],
    ['a template', 'templates/neutral.md'],
    ['a persona', 'personas/auditor.md'],
  ])('give way to the files when %s was edited', (_, path) => {
    const copy = copied();
    writeFileSync(join(copy, path), 'title: [');
    expect(promptsKey(copy)).not.toBe(prepared.key);
    if (path.startsWith('templates')) {
      const { template } = loadLibrary([copy], prepared);
      expect(template('neutral', {})).toBe('title: [');
    } else expect(() => loadLibrary([copy], prepared)).toThrow(path.split('/')[1]);
  });

  test('give way to the files when a lexicon is gone that a rubric names', () => {
    const copy = copied();
    rmSync(join(copy, 'lexicons/cuisine.yaml'));
    expect(() => loadLibrary([copy], prepared)).toThrow('no lexicon "cuisine"');
  });

  test('give way to the files where a user has a folder', () => {
    const own = folderWith({ 'personas/nobody.md': 'no front matter' });
    expect(() => loadLibrary([builtIn, own], prepared)).toThrow('nobody.md');
    expect(promptsKey(own)).toBeNull();
  });
});
