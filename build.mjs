// Builds dist/: one entry and the parts that are loaded when they are needed. Bundled, because opening several hundred
// small modules is most of a command's start-up time. Types are checked by `npm run check`, not here.
import { chmodSync, rmSync } from 'node:fs';
import { build } from 'esbuild';

rmSync('dist', { recursive: true, force: true });
await build({
  entryPoints: ['src/main.ts'],
  outdir: 'dist',
  bundle: true,
  splitting: true,
  platform: 'node',
  target: 'node20.19',
  format: 'esm',
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
  // CommonJS packages in the bundle call require() for Node's own modules.
  banner: {
    js: "import { createRequire } from 'node:module'; const require = createRequire(import.meta.url);",
  },
  logLevel: 'warning',
});
chmodSync('dist/main.js', 0o755);
