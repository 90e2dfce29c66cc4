import { execFileSync } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { builtinModules } from 'node:module';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { z } from 'zod';
import { main, spawnedJury } from './support/run-jury.ts';

const root = fileURLToPath(new URL('..', import.meta.url));
const dist = dirname(main);
const built = (file: string): string => readFileSync(join(dist, file), 'utf8');
const modules = readdirSync(dist).filter((name) => name.endsWith('.js'));

/** What a built module imports: at once, or when it gets there. */
const importsOf = (text: string) => ({
  static: [
    ...text.matchAll(/(?:^|[;}\n])\s*(?:import|export)\s*(?:[^'"()=;]*?from\s*)?["`]([^"`]+)["`]/g),
  ].map(([, target = '']) => target),
  dynamic: [...text.matchAll(/\bimport\(["`]([^"`]+)["`]\)/g)].map(([, target = '']) => target),
});

/** The text of a module and of everything that is loaded with it. */
function loadedWith(file: string, seen = new Map<string, string>()): Map<string, string> {
  if (seen.has(file)) return seen;
  const text = built(file);
  seen.set(file, text);
  for (const target of importsOf(text).static) if (target.startsWith('./')) loadedWith(target.slice(2), seen);
  return seen;
}

const [program = ''] = importsOf(built('main.js')).dynamic.map((target) => target.slice(2));

test('a stack trace names the lines of the sources', async () => {
  const broken = "data:text/javascript,Date.now = () => { throw new Error('no clock') }";
  const { code, err } = await spawnedJury(['demo'], { env: { NODE_OPTIONS: `--import "${broken}"` } });
  expect(code).toBe(70);
  const [, file = '', line = ''] = /\((?:file:\/\/)?([^()]*\/src\/[\w/-]+\.ts):(\d+):\d+\)/.exec(err) ?? [];
  expect(readFileSync(file, 'utf8').split('\n')[Number(line) - 1]).toMatch(/now\(\)/);
});

test.each([
  ['charts', 'zrender'],
  ['schemas', 'ZodObject'],
  ['prompts', 'Handlebars'],
])('what deals with %s is loaded only by a command that needs it', (_, mark) => {
  expect(modules.some((name) => built(name).includes(mark))).toBe(true);
  const loaded = [...loadedWith(program)].filter(([, text]) => text.includes(mark));
  expect(loaded.map(([name]) => name)).toEqual([]);
});

test.each([
  ['speaks HTTP through proxies', 'llhttp'],
  ['measures text on a terminal', 'Intl.Segmenter'],
  ['runs the command line', 'CommanderError'],
])('what %s is not loaded with what judges', (_, mark) => {
  expect(modules.some((name) => built(name).includes(mark))).toBe(true);
  const loaded = modules
    .filter((name) => name.startsWith('judging-'))
    .flatMap((name) => [...loadedWith(name)]);
  expect(loaded.length).toBeGreaterThan(0);
  expect(loaded.flatMap(([name, text]) => (text.includes(mark) ? name : []))).toEqual([]);
});

test('packages that the bundle imports are the run-time dependencies', () => {
  const { dependencies } = z
    .object({ dependencies: z.record(z.string(), z.string()) })
    .parse(JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')));
  const imported = modules
    .flatMap((name) => Object.values(importsOf(built(name))).flat())
    .filter((target) => !target.startsWith('.') && !target.startsWith('node:'))
    .map((target) => (target.startsWith('@') ? target.split('/').slice(0, 2) : target.split('/').slice(0, 1)))
    .map((parts) => parts.join('/'))
    .filter((name) => !builtinModules.includes(name));
  // zod is bundled and there for its types; the font is found by its path.
  const known = ['zod', 'dejavu-fonts-ttf'];
  expect([...new Set([...imported, ...known])].sort()).toEqual(Object.keys(dependencies).sort());
});

test('the entry can be run by its name', () => {
  expect(execFileSync(main, ['--version'], { encoding: 'utf8' })).toMatch(/^\d+\.\d+\.\d+\n$/);
});

test('the package holds what the demo and the errors point to, and no sources', () => {
  const Packed = z.tuple([z.object({ files: z.array(z.object({ path: z.string() })) })]);
  const args = ['pack', '--dry-run', '--json', '--ignore-scripts', '--silent'];
  const [{ files }] = Packed.parse(JSON.parse(execFileSync('npm', args, { cwd: root, encoding: 'utf8' })));
  const paths = files.map(({ path }) => path);
  expect(paths).toEqual(
    expect.arrayContaining([
      'dist/main.js',
      'prompts/templates/system.md',
      'manifests/slack.json',
      'docs/cases.md',
      '.env.example',
    ]),
  );
  expect(paths.filter((path) => /^(src|test|bench)\//.test(path))).toEqual([]);
});
