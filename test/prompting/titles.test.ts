import { describe, expect, test } from 'vitest';
import { planRun } from '../../src/benchmark/plan-run.ts';
import { cardTexts } from '../../src/judging/card/card.ts';
import type { Method } from '../../src/judging/standards/method.ts';
import type { Rubric } from '../../src/judging/standards/rubric.ts';
import { titleIn } from '../../src/judging/standards/titles.ts';
import type { Library } from '../../src/prompting/library.ts';
import { readLibrary } from '../../src/prompting/read-library.ts';
import { createRenderer } from '../../src/prompting/render.ts';
import { aCase } from '../support/builders.ts';
import { builtIn, builtInLibrary, folderWith } from '../support/built-in.ts';
import { someSettings } from '../support/run-builders.ts';

/** All hashes that a run by a rubric keeps: of prompts, of the rubric and of the methods. */
function hashesOf(library: Library, rubric: string): unknown[] {
  const render = createRenderer(library);
  const methods = [...library.methods.values()];
  return methods.flatMap(({ id: method }) => {
    const settings = { ...someSettings(), methods: [method], models: ['test/a', 'test/b'], rubric };
    const evalCase = { ...aCase(), rubric };
    try {
      const { wordings, sources } = planRun(
        { library, wordingOf: (question) => ({ hash: render(question).promptHash, chars: 1 }) },
        { name: 'r', settings, cases: [evalCase], source: 'c', now: 0 },
      );
      return [{ wordings, sources }];
    } catch {
      // Not every method fits every rubric.
      return [];
    }
  });
}

/** The same without any title in another language. */
const untitled = <T>(value: T): T =>
  JSON.parse(JSON.stringify(value), (key, inner: unknown) => (key === 'titles' ? undefined : inner));

const mapped = <T extends { id: string }>(all: ReadonlyMap<string, T>): ReadonlyMap<string, T> =>
  new Map([...all].map(([id, one]) => [id, untitled(one)]));

describe('titles in German', () => {
  const library = builtInLibrary();

  test('change no prompt, rubric or method as it is hashed', () => {
    const bare = {
      ...library,
      rubrics: mapped(library.rubrics),
      methods: mapped(library.methods),
      personas: mapped(library.personas),
    };
    const hashes = [...library.rubrics.keys()].map((rubric) => hashesOf(library, rubric));
    expect(hashes).toEqual([...bare.rubrics.keys()].map((rubric) => hashesOf(bare, rubric)));
    // Some rubrics take other data than the case has, and not every method fits every rubric.
    expect(hashes.flat().length).toBeGreaterThan(200);
  });

  test('are there for everything that comes with the program, or the title is the same in German', () => {
    const missing = (all: Iterable<Pick<Rubric | Method, 'id' | 'title' | 'titles'>>) =>
      [...all].filter(({ titles }) => titles === undefined).map(({ title }) => title);
    const current = [...library.rubrics.values()].filter(({ id }) => !id.includes('@'));
    expect([
      ...missing(current),
      ...missing(current.flatMap(({ criteria }) => criteria)),
      ...missing(library.methods.values()),
      ...missing(library.personas.values()),
    ]).toEqual(['Auditor', 'Journalist', 'Linguist']);
  });

  test('a rubric of one’s own may have them; where it has none, the English one stands', () => {
    const folder = folderWith({
      'rubrics/polite.yaml': `title: Politeness
titles: {de: Höflichkeit}
source: ours
task: Is the answer polite?
criteria:
  - {id: tone, title: Tone, titles: {de: Ton}, rule: It is friendly.}
  - {id: form, title: Form of address, rule: It says du.}
decide: all
method: io
panel: [auditor]
`,
    });
    const own = readLibrary([builtIn, folder]);
    const { rubric } = cardTexts(own, 'de');
    expect(rubric('polite')).toMatchObject({
      title: 'Höflichkeit',
      criteria: [{ title: 'Ton' }, { title: 'Form of address' }],
    });
    expect(cardTexts(own, 'en').rubric('polite')).toMatchObject({ title: 'Politeness' });
    expect(titleIn({ title: 'Auditor' }, 'de')).toBe('Auditor');
  });

  test('of a language that there is not, a file is refused with its key', () => {
    const folder = folderWith({
      'personas/own.md': '---\ntitle: Own\ntitles: {fr: Propre}\nsource: ours\n---\nYou judge.\n',
    });
    expect(() => readLibrary([builtIn, folder])).toThrow(/personas\/own\.md: titles/);
  });
});
