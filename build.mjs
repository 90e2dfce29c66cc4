// Builds dist/: the program and the parts that commands load when they need them, as bundled modules with source maps. Bundled, because
// opening several hundred small modules is most of a command's start-up time; and what browsers load. Types are checked elsewhere.
//
// Rolldown makes the program: of a room's face it loads only the modules whose names are used. esbuild would load all that a face names.
import { chmodSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join, relative, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { build } from 'esbuild';
import { rolldown } from 'rolldown';

const folder = 'dist';

// What users install beside the bundle. zod is bundled all the same: only types need the package.
const { dependencies } = JSON.parse(readFileSync('package.json', 'utf8'));
const external = Object.keys(dependencies).filter((name) => name !== 'zod');
const isExternal = (id) => external.some((name) => id === name || id.startsWith(`${name}/`));

/** Bundles modules for Node with source maps, which hold no sources. Returns the chunks. */
async function bundle(input, { plugins = [], groups = [] } = {}) {
  const bundled = await rolldown({
    input,
    platform: 'node',
    external: isExternal,
    transform: { target: 'node20.19' },
    plugins,
  });
  const { output } = await bundled.write({
    dir: folder,
    format: 'esm',
    entryFileNames: '[name].js',
    chunkFileNames: '[name]-[hash].js',
    codeSplitting: { groups },
    sourcemap: true,
    sourcemapExcludeSources: true,
    comments: false,
    // Less to read at every start; names stay.
    minify: { compress: false, mangle: false, codegen: { removeWhitespace: true } },
  });
  await bundled.close();
  return output.filter(({ type }) => type === 'chunk');
}

/** The licenses of all packages that parts of the bundle come from. */
function licensesOf(modules) {
  const packages = new Set(
    modules.flatMap((id) => /^node_modules\/(?:@[^/]+\/)?[^/]+/.exec(relative('.', id)) ?? []),
  );
  return [...packages].sort().map((path) => {
    const { name, version, license } = JSON.parse(readFileSync(join(path, 'package.json'), 'utf8'));
    const texts = readdirSync(path).filter((file) => /^(licen[cs]e|notice)(\.|-|$)/i.test(file));
    const text = texts.map((file) => readFileSync(join(path, file), 'utf8').trim()).join('\n\n');
    return `${name} ${version} (${license})\n\n${text}\n`;
  });
}

rmSync(folder, { recursive: true, force: true });

// The built-in prompts: read, checked and compiled once, here.
await bundle({ prepare: 'src/prompting/read-library.ts' });
const { preparedModule } = await import(pathToFileURL(resolve(folder, 'prepare.js')).href);
rmSync(folder, { recursive: true });
const prepared = preparedModule('prompts');

// Source maps hold the lines of src/, and of packages the file names alone: every start reads the maps of what it loads.
const loading = {
  name: 'loading',
  load: {
    filter: { id: /src.prompting.prepared\.ts$|node_modules.*\.[cm]?js$/ },
    handler(id) {
      if (id.endsWith('prepared.ts')) return { code: prepared.source, moduleType: 'js' };
      const map = { version: 3, sources: [id], names: [], mappings: 'AAAA' };
      return { code: readFileSync(id, 'utf8'), map };
    },
  },
};

/** The modules that are loaded at once with some files of `src/`. */
async function loadedWith(...files) {
  const input = files.map((file) => `src/${file}`);
  const chunks = await bundle(input, { plugins: [loading] });
  rmSync(folder, { recursive: true });
  const found = new Set(chunks.filter(({ isEntry }) => isEntry));
  for (const { imports } of found)
    for (const chunk of chunks) if (imports.includes(chunk.fileName)) found.add(chunk);
  return new Set([...found].flatMap(({ moduleIds }) => moduleIds));
}

// Two files hold what is loaded together, because opening a file costs more than most of them hold: what commands load that judge a
// case, which most others need nearly all of, too, and the part of it that every command needs at start.
const start = await loadedWith('main.ts');
const judging = await loadedWith('env.ts', 'compose.ts', 'surfaces/cli/judge.ts');
const groups = [
  { name: 'base', test: (id) => judging.has(id) && start.has(id) },
  { name: 'judging', test: (id) => judging.has(id) },
];

const chunks = await bundle(
  {
    main: 'src/start.ts',
    index: 'src/index.ts',
    'paste-worker': 'src/paste-worker.ts',
    'report-worker': 'src/report-worker.ts',
  },
  { plugins: [loading], groups },
);
for (const [name, text] of Object.entries(prepared.files)) writeFileSync(join(folder, name), text);
chmodSync(join(folder, 'main.js'), 0o755);
writeFileSync(
  join(folder, 'THIRD-PARTY-LICENSES'),
  licensesOf(chunks.flatMap(({ moduleIds }) => moduleIds)).join(`\n${'-'.repeat(72)}\n\n`),
);

// A face also names what only a server runs. A browser uses none of it, so it falls away, and its packages need not be read.
const browsers = ['console.ts', 'console.css', 'report.tsx', 'charts.ts'];
await build({
  bundle: true,
  minify: true,
  target: 'es2022',
  external: ['node:*', ...external],
  entryPoints: browsers.map((name) => `src/surfaces/web/browser/${name}`),
  outdir: join(folder, 'browser'),
});
