import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import * as z from 'zod';
import { selectRubric } from '../../src/judging/standards/choose-rubric.ts';
import { currentOf, entry } from '../../src/judging/standards/library.ts';
import { readLibrary } from '../../src/prompting/read-library.ts';
import { aCase } from '../support/builders.ts';
import { builtIn, builtInLibrary, folderWith } from '../support/built-in.ts';
import { recordOf } from '../support/recorded-wording.ts';

const library = builtInLibrary();

/** What judges read, by rubric, as recorded when the version was current. Never changes. */
const recorded = (version: number): [id: string, hash: string][] => {
  const file = new URL(`../fixtures/prompts/version-${version}.json`, import.meta.url);
  return Object.entries(z.record(z.string(), z.string()).parse(JSON.parse(readFileSync(file, 'utf8'))));
};

test.each(
  [1, 2].flatMap((version) =>
    recorded(version).map(([id, hash]): [string, string] => [`${id}@${version}`, hash]),
  ),
)('%s reads as it was recorded', (id, hash) => {
  expect(recordOf(library, id)).toBe(hash);
});

test('version 3 changes what judges by core and navigation-paper read, and nothing else', () => {
  const now = new Map(recorded(3));
  const changed = recorded(2).filter(([id, hash]) => now.get(id) !== hash);
  expect(changed.map(([id]) => id)).toEqual(['core', 'navigation-paper']);
  const then = new Map(recorded(2));
  expect([...now.keys()].filter((id) => !then.has(id))).toEqual([
    'factual-consistency-paper',
    'factual-relevance-paper',
  ]);
});

/**
 * A failure means that what judges read has changed. Once the version is released, make a new one (prompts/README.md, Versions) and
 * record it with -u; until then, record it again with -u.
 */
test('the current version reads as it was recorded', async () => {
  const current = currentOf(library.rubrics);
  const [{ version } = { version: undefined }] = current;
  const record = Object.fromEntries(current.map(({ id }) => [id, recordOf(library, id)]).sort());
  await expect(`${JSON.stringify(record, null, 2)}\n`).toMatchFileSnapshot(
    `../fixtures/prompts/version-${version}.json`,
  );
});

describe('an earlier version', () => {
  test('has the wording of its files and of the templates of its time', () => {
    const rule = (id: string) =>
      entry('rubric', library.rubrics, id).criteria.find((criterion) => criterion.id === 'time')?.rule;
    expect(rule('navigation@1')).toContain('that weekday');
    expect(rule('navigation')).toContain('weekday of that date');
    expect(library.rubrics.get('core@1')?.wording?.templates).toEqual({ case: 'case@1', system: 'system@1' });
  });

  test('is in no list or choice, and is never selected by itself', () => {
    expect(currentOf(library.rubrics).every(({ id }) => !id.includes('@'))).toBe(true);
    expect(selectRubric(library.rubrics, aCase()).id).toBe('navigation');
    expect(() => entry('rubric', library.rubrics, 'navigatoin')).toThrow(
      /^(?!.*@).*Did you mean "navigation"/,
    );
  });

  test('can be the current one, by its number', () => {
    expect(entry('rubric', library.rubrics, 'navigation@3').id).toBe('navigation');
    expect(() => entry('rubric', library.rubrics, 'navigation@4')).toThrow(
      'There is no rubric "navigation@4". Its versions are navigation@1, navigation@2, navigation@3.',
    );
  });

  test('has worked examples', () => {
    expect(library.exemplars('navigation@1')).toEqual(library.exemplars('navigation'));
  });
});

const polite = (rule: string, more = '') =>
  `title: Polite\nsource: us\n${more}task: Judge.\ndecide: all\npanel: [ann]\nmethod: io\ncriteria:\n  - id: tone\n    title: Tone\n    rule: ${rule}\n`;
const ann = (voice: string, more = '') => `---\ntitle: Ann\nsource: us\n${more}---\n${voice}`;

describe('versions of a folder of one’s own', () => {
  test('count for its own files alone: the built-in templates of the first version are not theirs', () => {
    const folder = folderWith({
      'rubrics/polite.yaml': polite('It is warm.', 'version: 3\n'),
      'archive/rubrics/polite@1.yaml': polite('It is curt.'),
      'archive/rubrics/polite@2.yaml': polite('It is friendly.', 'version: 2\n'),
      'personas/ann.md': ann('You are Ann, older.', 'version: 2\n'),
      'archive/personas/ann@1.md': ann('You are Ann.'),
    });
    const own = readLibrary([builtIn, folder]);
    const found = ['polite@1', 'polite@2', 'polite'].map((id) => own.rubrics.get(id));
    expect(found.map((one) => one?.criteria[0]?.rule)).toEqual([
      'It is curt.',
      'It is friendly.',
      'It is warm.',
    ]);
    expect(found.map((one) => one?.panel)).toEqual([['ann@1'], ['ann'], ['ann']]);
    expect(own.personas.get('ann@1')?.voice).toBe('You are Ann.');
    expect(found[0]?.wording?.templates).toEqual({});
    expect(own.rubrics.get('navigation@1')).toEqual(library.rubrics.get('navigation@1'));
  });

  test.each([
    [{ 'archive/rubrics/polite.yaml': polite('x') }, /polite\.yaml: the name must be ID@VERSION/],
    [{ 'archive/rubrics/rude@1.yaml': polite('x') }, /there is no .*rude\.yaml/],
    [{ 'archive/rubrics/polite@1.yaml': polite('x') }, /polite\.yaml: version: must be above 1/],
    [{ 'archive/methods/io@1.yaml': 'x' }, /archive\/methods: is not a known folder/],
  ])('are checked: %#', (files, message) => {
    const folder = folderWith({
      'rubrics/polite.yaml': polite('y'),
      'personas/ann.md': ann('Ann.'),
      ...files,
    });
    expect(() => readLibrary([builtIn, folder])).toThrow(message);
  });
});
