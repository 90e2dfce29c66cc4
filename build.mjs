// Builds dist/: the program and the parts that commands load when they need them, as bundled modules with source maps. Bundled, because
// opening several hundred small modules is most of a command's start-up time; and what browsers load. Types are checked elsewhere.
import { chmodSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { build } from 'esbuild';

const folder = 'dist';

// What users install beside the bundle. zod is bundled all the same: only types need the package.
const { dependencies } = JSON.parse(readFileSync('package.json', 'utf8'));
const external = Object.keys(dependencies).filter((name) => name !== 'zod');

const options = {
  bundle: true,
  platform: 'node',
  target: 'node20.19',
  format: 'esm',
  external,
  logLevel: 'warning',
  // CommonJS packages in a bundle call require() for Node's own modules.
  banner: {
    js: "import { createRequire as requireInBundle } from 'node:module'; const require = requireInBundle(import.meta.url);",
  },
};

// `src/prompting/prepared.ts` becomes the built-in prompts: read, checked and compiled. Source maps hold the lines of src/, and of
// packages the file names alone: every start reads the maps of what it loads.
const parts = {
  name: 'parts',
  async setup(building) {
    const outfile = resolve(folder, 'prepare.mjs');
    await build({ ...options, entryPoints: ['src/prompting/read-library.ts'], outfile });
    const { preparedModule } = await import(pathToFileURL(outfile).href);
    rmSync(outfile);
    const { source, files } = preparedModule('prompts');
    building.onLoad({ filter: /src.prompting.prepared\.ts$/ }, () => ({ contents: source }));
    building.onLoad({ filter: /node_modules.*\.[cm]?js$/ }, ({ path }) => {
      const map = encodeURIComponent(JSON.stringify({ version: 3, sources: [path], mappings: 'AAAA' }));
      return { contents: `${readFileSync(path, 'utf8')}\n//# sourceMappingURL=data:application/json,${map}` };
    });
    for (const [name, text] of Object.entries(files)) writeFileSync(join(folder, name), text);
  },
};

/** The licenses of all packages that parts of the bundle come from. */
function licensesOf({ inputs }) {
  const packages = new Set(
    Object.keys(inputs).flatMap((path) => /^node_modules\/(?:@[^/]+\/)?[^/]+/.exec(path) ?? []),
  );
  return [...packages].sort().map((path) => {
    const { name, version, license } = JSON.parse(readFileSync(join(path, 'package.json'), 'utf8'));
    const texts = readdirSync(path).filter((file) => /^(licen[cs]e|notice)(\.|-|$)/i.test(file));
    const text = texts.map((file) => readFileSync(join(path, file), 'utf8').trim()).join('\n\n');
    return `${name} ${version} (${license})\n\n${text}\n`;
  });
}

rmSync(folder, { recursive: true, force: true });
const { metafile } = await build({
  ...options,
  metafile: true,
  entryPoints: { main: 'src/start.ts', index: 'src/index.ts', 'paste-worker': 'src/paste-worker.ts' },
  outdir: folder,
  chunkNames: '[name]-[hash]',
  splitting: true,
  sourcemap: true,
  sourcesContent: false,
  // Less to read at every start; names stay.
  minifyWhitespace: true,
  minifySyntax: true,
  legalComments: 'none',
  plugins: [parts],
});
chmodSync(join(folder, 'main.js'), 0o755);
writeFileSync(join(folder, 'THIRD-PARTY-LICENSES'), licensesOf(metafile).join(`\n${'-'.repeat(72)}\n\n`));
const browsers = ['console.ts', 'console.css', 'report.tsx', 'charts.ts'];
const entryPoints = browsers.map((name) => `src/surfaces/web/browser/${name}`);
await build({ bundle: true, minify: true, target: 'es2022', entryPoints, outdir: join(folder, 'browser') });
