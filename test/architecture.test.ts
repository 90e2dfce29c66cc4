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

const sources = filesBelow(src).filter((path) => /\.tsx?$/.test(path));
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

/** The rooms of src. Each may import itself and the rooms before it; surfaces may also import what was read of the environment. */
const ROOMS = [
  'common',
  'common/text',
  'words',
  'statistics',
  'statistics/raters',
  'case',
  'case/format',
  'case/traces',
  'case/paste',
  'case/redact',
  'judging/verdict',
  'judging/standards',
  'judging',
  'judging/card',
  'prompting',
  'judges/llm',
  'judges/rules',
  'reading',
  'labels/record',
  'labels/voting',
  'labels/access',
  'labels',
  'labels/agreement',
  'labels/queue',
  'labels/exchange',
  'studies',
  'requests',
  'datasets',
  'benchmark',
  'benchmark/collect',
  'benchmark/imported',
  'reviews',
  'reports/facts',
  'reports/estimates',
  'reports/metrics',
  'reports/assistant',
  'reports/comparison',
  'reports/published',
  'reports',
  'reports/gates',
  'reports/history',
  'digests',
  'stores',
  'surfaces/wording',
  'surfaces',
  'surfaces/views',
  'surfaces/forms',
  'surfaces/chat',
  'surfaces/desks',
  'surfaces/terminal',
  'surfaces/agents',
  'surfaces/web',
  'surfaces/slack',
  'surfaces/teams',
  'surfaces/service',
  'surfaces/cli',
];

/** Puts the rooms together, reads the environment, starts the program: files that may import everything. */
const ROOTS = [
  'compose.ts',
  'env-values.ts',
  'env.ts',
  'index.ts',
  'main.ts',
  'paste-worker.ts',
  'public.ts',
  'report-worker.ts',
  'start.ts',
];

/** The innermost room that a file is in. A root is in a room of its own. */
const roomOf = (name: string): string =>
  ROOMS.filter((room) => name.startsWith(`${room}/`)).sort((a, b) => b.length - a.length)[0] ?? name;

/** The names in a face, and what each file of a room takes from other rooms' faces. */
const namesIn = (path: string): { name: string; from: string }[] =>
  [
    ...readFileSync(path, 'utf8').matchAll(
      /^(?:import|export)(?: type)? \{(?<names>[^}]*)\} from '(?<from>\.[^']+)';$/gm,
    ),
  ].flatMap(({ groups: { names = '', from = '' } = {} }) =>
    names
      .split(',')
      .map((name) =>
        name
          .trim()
          .replace(/^type /, '')
          .replace(/ as .*/, ''),
      )
      .filter((name) => name !== '')
      .map((name) => ({ name, from: nameOf(resolve(dirname(path), from)) })),
  );

describe('the rooms', () => {
  const inside = new Map(
    sources.map((path) => [nameOf(path), importsOf(path).filter((to) => /\.tsx?$/.test(to))]),
  );

  test('are those of the design, and every file stands in one of them', () => {
    const strays = [...inside.keys()].filter((name) => ![...ROOMS, ...ROOTS].includes(roomOf(name)));
    expect(strays).toEqual([]);
  });

  test('import only rooms before them, values and types alike', () => {
    const upward = [...inside].flatMap(([name, imports]) =>
      ROOTS.includes(name)
        ? []
        : imports
            .filter((to) => !(to === 'env.ts' && name.startsWith('surfaces/')))
            .filter((to) => ROOTS.includes(to) || ROOMS.indexOf(roomOf(to)) > ROOMS.indexOf(roomOf(name)))
            .map((to) => `${name} → ${to}`),
    );
    expect(upward).toEqual([]);
  });

  test('are entered by their faces alone', () => {
    const faces = ROOMS.flatMap((room) => [`${room}/index.ts`, `${room}/lazy.ts`]);
    // The package ships the declarations of what public.ts reaches, and no more of them than it must: it is a face itself.
    const pastFaces = [...inside].flatMap(([name, imports]) =>
      (name === 'public.ts' ? [] : imports)
        .filter((to) => !ROOTS.includes(to) && roomOf(to) !== roomOf(name) && !faces.includes(to))
        .map((to) => `${name} → ${to}`),
    );
    expect(pastFaces).toEqual([]);
  });

  test.each(ROOMS)('%s has a face that says what the room is for and names only what others use', (room) => {
    const face = join(src, room, 'index.ts');
    const text = readFileSync(face, 'utf8');
    expect(text, 'begins with a comment: a sentence or two, then "Start reading: …"').toMatch(
      /^\/\*\*\n \* [\s\S]{60,}Start[\s*]+reading:\s[\s\S]+?\*\/\nexport /,
    );
    expect(text).not.toMatch(/export \*/);
    const used = sources
      .filter((path) => roomOf(nameOf(path)) !== room)
      .flatMap((path) => namesIn(path).filter(({ from }) => from === `${room}/index.ts`));
    const names = new Set(used.map(({ name }) => name));
    expect(
      namesIn(face)
        .map(({ name }) => name)
        .filter((name) => !names.has(name)),
    ).toEqual([]);
  });

  test('stand in docs/architecture.md in this order, each with the first sentence of its face', () => {
    const rows = readFileSync(join(root, 'docs/architecture.md'), 'utf8').matchAll(
      /^\| \[(?<room>[\w/]+)\]\(\.\.\/src\/[\w/]+\/index\.ts\) \| (?<what>.*) \|$/gm,
    );
    const shown = [...rows].map(({ groups }) => ({ room: groups?.room, what: groups?.what }));
    const sentence = (room: string): string =>
      readFileSync(join(src, room, 'index.ts'), 'utf8')
        .replace(/ \*\/[\s\S]*/, '')
        .replace('/**\n', '')
        .replaceAll(/^ \* /gm, '')
        .replaceAll('\n', ' ')
        .trim()
        .replace(/(?<=\.) (?=[A-Z]).*/, '');
    expect(shown).toEqual(ROOMS.map((room) => ({ room, what: sentence(room) })));
  });

  test('have no circle between files', () => {
    // Takes away, again and again, what imports nothing that is left: only circles and what leads into them remain.
    const left = new Map(inside);
    for (let before = -1; before !== left.size; ) {
      before = left.size;
      for (const [name, imports] of left) if (!imports.some((to) => left.has(to))) left.delete(name);
    }
    const circles = [...left.keys()].filter((start) => {
      const seen = new Set<string>();
      const next = [...(left.get(start) ?? [])];
      for (let name = next.pop(); name !== undefined; name = next.pop()) {
        if (name === start) return true;
        if (!seen.has(name)) next.push(...(left.get(name) ?? []));
        seen.add(name);
      }
      return false;
    });
    expect(circles).toEqual([]);
  });
});

/** Packages and Node modules that do I/O, and the only places that may import them. */
const IO: [what: RegExp, where: RegExp][] = [
  [/^(ioredis|bullmq|@photostructure\/sqlite)$/, /^stores\//],
  [/^(openai|undici)(\/|$)/, /^judges\/llm\//],
  [/^express$/, /^surfaces\//],
  [/^@slack\//, /^surfaces\/slack\//],
  [/^@microsoft\//, /^surfaces\/teams\//],
  [
    /^node:(fs|http|https|net|tls|dns|child_process|worker_threads)(\/|$)/,
    /^(judges\/llm\/|prompting\/|stores\/|surfaces\/|datasets\/|common\/make-folder\.ts|env(-values)?\.ts|(main|paste-worker|report-worker)\.ts)/,
  ],
];

/** What measures or limits the time that judging takes. */
const CLOCKED: ReadonlySet<string> = new Set(['judging/ask-promptly.ts', 'judging/judge-case.ts']);

describe('I/O', () => {
  test('is done only in the rooms that may', () => {
    const strays = sources.flatMap((path) =>
      importsOf(path)
        .filter((target) => IO.some(([what, where]) => what.test(target) && !where.test(nameOf(path))))
        .map((target) => `${nameOf(path)} → ${target}`),
    );
    expect(strays).toEqual([]);
  });

  test.each(['statistics', 'case', 'judging', 'labels', 'studies'])(
    '%s knows no clock, randomness or environment',
    (room) => {
      const impure =
        /\b(Date\.now|new Date\(\)|performance\.|Math\.random|process\.|setTimeout|setInterval|fetch\()/;
      const strays = sources.filter(
        (path) =>
          nameOf(path).startsWith(`${room}/`) &&
          !CLOCKED.has(nameOf(path)) &&
          impure.test(withoutComments(path)),
      );
      expect(strays.map(nameOf)).toEqual([]);
    },
  );
});

const withoutComments = (path: string): string =>
  readFileSync(path, 'utf8').replaceAll(/\/\*[\s\S]*?\*\/|\/\/.*$/gm, '');

/** What only one platform says: its name, its markup, and what its ids begin with. */
const PLATFORM = /slack|\bteams\b|mrkdwn|startsWith\('[A-Z]'\)|\^\[?[CDGUW]{1,3}\]?\[A-Z0-9\]/i;

describe('platforms', () => {
  test('are spoken of in their own folder alone, and where the parts and the environment are read', () => {
    const strays = sources
      .filter((path) => !/^(surfaces\/(slack|teams)\/|compose\.ts$|env(-values)?\.ts$)/.test(nameOf(path)))
      .filter((path) => PLATFORM.test(readFileSync(path, 'utf8')));
    expect(strays.map(nameOf)).toEqual([]);
  });
});

describe('the sources', () => {
  test('read the environment in one place only', () => {
    const readers = sources.filter((path) => withoutComments(path).includes('process.env'));
    expect(readers.map(nameOf)).toEqual(['env.ts']);
  });
});

describe('the documents', () => {
  const documents = [
    ...readdirSync(root).filter((name) => name.endsWith('.md')),
    'src/README.md',
    'prompts/README.md',
    'examples/README.md',
    'prompts/samples/README.md',
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

  /** The anchors of a page's headings, as GitHub makes them. */
  const anchorsOf = (path: string): string[] =>
    [...readFileSync(path, 'utf8').matchAll(/^#{1,6} (.+)$/gm)].map(([, title = '']) =>
      title
        .toLowerCase()
        .replaceAll(/[^\p{L}\p{N}\p{M}_ -]/gu, '')
        .replaceAll(' ', '-'),
    );

  test.each(documents)('%s links to headings that are there', (document) => {
    const targets = [
      ...readFileSync(join(root, document), 'utf8').matchAll(/\]\(([^)\s:#]*)#([^)\s]+)\)/g),
    ].map(([, path = '', anchor = '']) => ({ path, anchor }));
    const dead = targets.filter(({ path, anchor }) => {
      const page = path === '' ? join(root, document) : resolve(root, dirname(document), path);
      return page.endsWith('.md') && !anchorsOf(page).includes(anchor);
    });
    expect(dead).toEqual([]);
  });

  test.each(documents)('%s names a file by its name where it links to one', (document) => {
    const links = readFileSync(join(root, document), 'utf8').matchAll(/\[`?([\w./-]+\.\w+)`?\]\(([^)#\s]+)/g);
    const wrong = [...links].filter(([, text = '', target = '']) => !target.endsWith(text));
    expect(wrong.map(([link]) => link)).toEqual([]);
  });

  const settings = ['action.yml', 'compose.yaml', 'Dockerfile', '.env.example', 'package.json', 'build.mjs'];
  const places = ['src', 'test', 'bench', 'prompts', 'docs', 'examples', 'schemas', 'manifests', '.github'];
  const inPlaces = places
    .flatMap((folder) => filesBelow(join(root, folder)))
    .map((path) => relative(root, path));
  const machines = inPlaces.filter((path) =>
    /^(?:\.github|manifests|examples)\/.*\.(?:ya?ml|json|sh)$/.test(path),
  );

  test.each([...documents, ...settings, ...machines, '.ci/run'])(
    '%s names paths that are there',
    (document) => {
      const named = readFileSync(join(root, document), 'utf8').matchAll(
        /(?<![\w/.@{}$-])(?:src|test|bench|prompts|docs|examples|schemas|manifests|\.github)\/[\w@*./-]*\w/g,
      );
      const missing = [...named]
        .map(([path]) => path)
        .filter((path) => !path.includes('NAME'))
        .filter((path) => {
          const pattern = path.replaceAll(/[.*]/g, (one) => (one === '*' ? '[^/]*' : '\\.'));
          // A folder, a file, or the number of a decision.
          return !inPlaces.some((known) => new RegExp(`^${pattern}(?:/|-|$)`).test(known));
        });
      expect(missing).toEqual([]);
    },
  );

  test.each(['docs/architecture.md', 'docs/extending.md'])('%s names files that are there', (document) => {
    const missing = readFileSync(join(root, document), 'utf8')
      .split(/^#+ /m)
      .flatMap((section) => {
        const paths = [...section.matchAll(/(?:\]\(\.\.\/|`)((?:src|test)(?:\/[\w.-]+)*)[)`]/g)].map(
          ([, path = '']) => join(root, path),
        );
        // A bare name, such as `checks.ts`, is a file in or below a folder that the section names.
        const files = paths
          .map((path) => (/\.\w+$/.test(path) ? dirname(path) : path))
          .filter(existsSync)
          .flatMap(filesBelow);
        const names = [...section.matchAll(/`((?:[\w-]+\/)*[\w.-]+\.(?:tsx?|json))`/g)]
          .map(([, name = '']) => name)
          .filter(
            (name) => !existsSync(join(root, name)) && !files.some((file) => file.endsWith(`/${name}`)),
          );
        return [...paths.filter((path) => !existsSync(path)), ...names].filter(
          (path) => !/NAME|^summary\.json$/.test(path),
        );
      });
    expect(missing).toEqual([]);
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
