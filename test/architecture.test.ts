import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { dirname, join, relative, resolve, sep } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, test } from 'vitest';

const root = fileURLToPath(new URL('..', import.meta.url));
const src = join(root, 'src');

const filesBelow = (folder: string): string[] =>
  readdirSync(folder).flatMap((name) => {
    const path = join(folder, name);
    return statSync(path).isDirectory() ? filesBelow(path) : [path];
  });

const sources = filesBelow(src).filter((path) => path.endsWith('.ts'));
const nameOf = (path: string): string => relative(src, path).split(sep).join('/');

/** What a source file imports, with `import()` too: relative ones as paths below src, others by name. */
const importsOf = (path: string): string[] =>
  [
    ...readFileSync(path, 'utf8').matchAll(
      /^(?:import|export|\})[^'\n]* from '([^']+)';$|\bimport\('([^']+)'\)/gm,
    ),
  ]
    .map(([, stated, dynamic]) => stated ?? dynamic ?? '')
    .map((target) => (target.startsWith('.') ? nameOf(resolve(dirname(path), target)) : target));

const allowed: Record<string, RegExp> = {
  common: /^common\//,
  core: /^(core\/|zod$|js-yaml$)/,
  prompting: /^(core\/|prompting\/|zod$|js-yaml$|handlebars$|node:(fs|path|crypto)$)/,
  'judges/llm': /^(core\/|prompting\/|judges\/llm\/|make-folder\.ts$|zod$|openai|p-limit$|node:)/,
  models: /^(core\/|prompting\/|models\/|zod$|node:)/,
  flows:
    /^(common\/|core\/|prompting\/|digest\/|flows\/|store\/store\.ts$|benchmark\/(runs\/trial-store\.ts$|reports\/)|zod$|node:(crypto|events)$)/,
  digest: /^(core\/|digest\/|zod$|node-cron$)/,
  store: /^(core\/|store\/|make-folder\.ts$|zod$|ioredis$|@photostructure\/sqlite$|node:)/,
  'core/metrics': /^core\/(metrics\/|errors\.ts$)/,
  'benchmark/runs':
    /^(core\/|benchmark\/runs\/|store\/(redis\/|parse-stored\.ts$)|make-folder\.ts$|zod$|ioredis$|bullmq$|node:)/,
  csv: /^csv-(parse|stringify)\/sync$/,
  'benchmark/reports': /^(core\/|csv\/|benchmark\/(reports|published)\/|zod$|node:crypto$)/,
  'benchmark/published': /^(benchmark\/published\/|zod$)/,
  'benchmark/datasets': /^(core\/|csv\/|prompting\/|models\/|judges\/llm\/|benchmark\/|zod$|node:)/,
};

describe('imports', () => {
  test.each(Object.entries(allowed))('of %s go one way', (folder, may) => {
    const strays = sources
      .filter((path) => nameOf(path).startsWith(`${folder}/`))
      .flatMap((path) =>
        importsOf(path)
          .filter((target) => !may.test(target))
          .map((target) => `${nameOf(path)} → ${target}`),
      );
    expect(strays).toEqual([]);
  });

  test('of surfaces stand nowhere but in surfaces and main', () => {
    const strays = sources
      .filter((path) => !/^(surfaces\/|main\.ts$)/.test(nameOf(path)))
      .filter((path) => importsOf(path).some((target) => target.startsWith('surfaces/')));
    expect(strays).toEqual([]);
  });
});

describe('the core', () => {
  test('knows no clock, randomness or environment', () => {
    const impure =
      /\b(Date\.now|new Date\(\)|performance\.|Math\.random|process\.|setTimeout|setInterval|fetch\()/;
    const strays = sources.filter(
      (path) => nameOf(path).startsWith('core/') && impure.test(withoutComments(path)),
    );
    expect(strays.map(nameOf)).toEqual([]);
  });
});

const withoutComments = (path: string): string =>
  readFileSync(path, 'utf8').replaceAll(/\/\*[\s\S]*?\*\/|\/\/.*$/gm, '');

describe('the sources', () => {
  test('read the environment in one place only', () => {
    const readers = sources.filter((path) => withoutComments(path).includes('process.env'));
    expect(readers.map(nameOf)).toEqual(['env.ts']);
  });

  test('have no module over 300 lines', () => {
    const long = sources.filter((path) => readFileSync(path, 'utf8').split('\n').length > 300);
    expect(long.map(nameOf)).toEqual([]);
  });
});

describe('the documents', () => {
  const documents = [
    ...readdirSync(root).filter((name) => name.endsWith('.md')),
    'src/README.md',
    'prompts/README.md',
    ...filesBelow(join(root, 'docs'))
      .filter((path) => path.endsWith('.md'))
      .map((path) => relative(root, path)),
  ];

  test.each(documents)('%s has no dead link', (document) => {
    const text = readFileSync(join(root, document), 'utf8');
    const targets = [...text.matchAll(/\]\(([^)\s]+)\)/g)].map(([, target = '']) => target);
    const dead = targets
      .filter((target) => !/^(https?:|mailto:|#)/.test(target))
      .filter((target) => !existsSync(resolve(root, dirname(document), target.replace(/#.*/, ''))));
    expect(dead).toEqual([]);
  });

  test('list every environment variable in .env.example', () => {
    const example = readFileSync(join(root, '.env.example'), 'utf8');
    const names = [...readFileSync(join(src, 'env.ts'), 'utf8').matchAll(/^ {2}([A-Z][A-Z_]+):/gm)].map(
      ([, name = '']) => name,
    );
    expect(names.length).toBeGreaterThan(10);
    expect(names.filter((name) => !example.includes(`${name}=`))).toEqual([]);
  });
});
