// Builds dist/: one entry and the parts that are loaded when they are needed. Bundled, because opening several hundred
// small modules is most of a command's start-up time. Types are checked by `npm run check`, not here.
import { chmodSync, rmSync } from 'node:fs';
import { pathToFileURL } from 'node:url';
import { build } from 'esbuild';

// CommonJS packages in a bundle call require() for Node's own modules.
const banner = {
  js: "import { createRequire } from 'node:module'; const require = createRequire(import.meta.url);",
};
const bundled = {
  bundle: true,
  platform: 'node',
  target: 'node20.19',
  format: 'esm',
  banner,
  logLevel: 'warning',
};

/** Puts the prompts, read and checked, in the place of the module that stands for them. */
const preparedPrompts = {
  name: 'prepared-prompts',
  async setup(building) {
    const outfile = 'dist/prepare.mjs';
    await build({ ...bundled, entryPoints: ['src/prompting/prepare.ts'], outfile });
    const { preparedModule } = await import(pathToFileURL(outfile).href);
    rmSync(outfile);
    const contents = preparedModule('prompts');
    building.onLoad({ filter: /src.prompting.prepared\.ts$/ }, () => ({ contents, loader: 'js' }));
  },
};

rmSync('dist', { recursive: true, force: true });
await build({
  ...bundled,
  entryPoints: ['src/main.ts'],
  outdir: 'dist',
  splitting: true,
  plugins: [preparedPrompts],
  // Less to read at every start; names stay, for stack traces.
  minifyWhitespace: true,
  minifySyntax: true,
  legalComments: 'none',
  // Only the service and workers load these; they look for files of their own.
  external: [
    'express',
    'pino',
    'bullmq',
    'prom-client',
    'node-cron',
    'ioredis',
    '@photostructure/sqlite',
    '@slack/bolt',
    '@slack/web-api',
    '@resvg/resvg-js',
  ],
});
chmodSync('dist/main.js', 0o755);
