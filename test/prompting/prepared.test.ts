import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { beforeAll, describe, expect, test } from 'vitest';
import { promptsKey } from '../../src/prompting/library.ts';
import { loadLibrary } from '../../src/prompting/load-library.ts';
import type { PreparedPrompts } from '../../src/prompting/prepared.ts';
import { preparedModule, readLibrary } from '../../src/prompting/read-library.ts';
import { builtIn, folderWith } from '../support/built-in.ts';

const values = { key: 'k', material: 'm', interaction: true, leftOut: [], ratings: [], arguments: [] };
const folder = mkdtempSync(join(tmpdir(), 'jury-prepared-'));
let prepared: PreparedPrompts;

beforeAll(async () => {
  const file = join(folder, 'prepared.mjs');
  const { source, files } = preparedModule(builtIn);
  for (const [name, text] of Object.entries({ 'prepared.mjs': source, ...files }))
    writeFileSync(join(folder, name), text);
  ({ prepared } = await import(/* @vite-ignore */ pathToFileURL(file).href));
});

/** The built-in prompts in a folder of their own, where a test can change them. */
function copied(): string {
  const copy = mkdtempSync(join(tmpdir(), 'jury-prompts-'));
  cpSync(builtIn, copy, { recursive: true });
  return copy;
}

describe('prompts that were prepared', () => {
  test('are what reading the files comes to', async () => {
    const [quick, slow] = [await loadLibrary([builtIn], prepared), readLibrary([builtIn])];
    for (const kind of ['rubrics', 'methods', 'personas'] as const)
      expect([...quick[kind]]).toEqual([...slow[kind]]);
    expect(quick.caseFormat.paths).toEqual(slow.caseFormat.paths);
    expect([...quick.caseFormat.groups]).toEqual([...slow.caseFormat.groups]);
    expect(quick.template('case', values)).toBe(slow.template('case', values));
    for (const id of ['none', ...slow.rubrics.keys()])
      expect(quick.exemplars(id)).toEqual(slow.exemplars(id));
    for (const id of ['none', ...Object.keys(prepared.lexicons())])
      expect(quick.lexicons().get(id)).toEqual(slow.lexicons().get(id));
  });

  test('are not read again while the files are the same, wherever they are', async () => {
    const marked = { ...prepared, data: () => ({ ...prepared.data(), methods: [] }) };
    expect((await loadLibrary([copied()], marked)).methods.size).toBe(0);
  });

  test.each([
    ['a method', 'methods/io.yaml'],
    ['a persona', 'personas/auditor.md'],
  ])('give way to the files when %s was edited', async (_, path) => {
    const copy = copied();
    writeFileSync(join(copy, path), 'title: [');
    expect(promptsKey(copy)).not.toBe(prepared.key);
    await expect(loadLibrary([copy], prepared)).rejects.toThrow(path.split('/')[1]);
  });

  test('give way to the files when a template was edited', async () => {
    const copy = copied();
    writeFileSync(join(copy, 'templates/neutral.md'), 'edited');
    const { template } = await loadLibrary([copy], prepared);
    expect(template('neutral', {})).toBe('edited');
  });

  test('give way to the files when words or examples were edited', async () => {
    const copy = copied();
    const file = join(copy, 'lexicons/cuisine.yaml');
    writeFileSync(file, readFileSync(file, 'utf8').replace(/^title: .*$/m, 'title: edited'));
    writeFileSync(join(copy, 'exemplars/navigation.yaml'), '[]');
    const { lexicons, exemplars } = await loadLibrary([copy], prepared);
    expect(lexicons().get('cuisine')?.title).toBe('edited');
    expect(exemplars('navigation')).toEqual([]);
  });

  test('give way to the files when a lexicon is gone that a rubric names', async () => {
    const copy = copied();
    rmSync(join(copy, 'lexicons/cuisine.yaml'));
    await expect(loadLibrary([copy], prepared)).rejects.toThrow('no lexicon "cuisine"');
  });

  test('give way to the files where a user has a folder', async () => {
    const own = folderWith({ 'personas/nobody.md': 'no front matter' });
    await expect(loadLibrary([builtIn, own], prepared)).rejects.toThrow('nobody.md');
    expect(promptsKey(own)).toBeNull();
  });
});
