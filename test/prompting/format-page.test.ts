import { readFileSync } from 'node:fs';
import { load } from 'js-yaml';
import { expect, test } from 'vitest';
import { readLibrary } from '../../src/prompting/read-library.ts';
import { builtIn, folderWith } from '../support/built-in.ts';

const page = readFileSync(new URL('../../prompts/README.md', import.meta.url), 'utf8');

/** The code blocks of a section. */
const blocksOf = (title: string): string[] => {
  const section = page.split(/^## /m).find((part) => part.startsWith(`${title}\n`)) ?? '';
  return [...section.matchAll(/^```\w+\n([\s\S]*?)^```$/gm)].map(([, block = '']) => block);
};

test('the files that the page of formats shows can be loaded together', () => {
  const [rubric = ''] = blocksOf('Rubric');
  const [fields = ''] = blocksOf('Fields');
  const [words = '', formats = ''] = blocksOf('Paste');
  const [method = ''] = blocksOf('Method');
  const [persona = ''] = blocksOf('Persona');
  const [reader = ''] = blocksOf('Traces');
  const [car = ''] = blocksOf('Car');
  const folder = folderWith({
    // Which check it is stands for any.
    'rubrics/shown.yaml': rubric.replace(/^ *check: \{ type: … \}.*\n/m, ''),
    'fields/shown.yaml': fields,
    'paste/shown.yaml': words,
    'paste/shown-log.yaml': formats,
    'methods/shown.yaml': method,
    'personas/shown.md': persona,
    'traces/shown.yaml': reader,
    'cars/shown.yaml': car,
  });
  const { rubrics, methods, personas, cars } = readLibrary([builtIn, folder]);
  for (const kind of [rubrics, methods, personas]) expect([...kind.keys()]).toContain('shown');
  expect(cars.get('shown')?.tools).toHaveProperty('set_heating');
});

test.each(['Rubric', 'Fields', 'Paste', 'Traces', 'Method', 'Car', 'Generated data', 'Benchmark'])(
  'what the page shows of %s is YAML',
  (title) => {
    const blocks = blocksOf(title);
    expect(blocks.length).toBeGreaterThan(0);
    for (const block of blocks) expect(load(block)).toEqual(expect.objectContaining({}));
  },
);
