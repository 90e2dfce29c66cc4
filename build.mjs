// Builds dist/: the program as one file, what V8 compiled of it, and the entry that starts it with both. Bundled, because
// opening several hundred small modules is most of a command's start-up time. Types are checked by `npm run check`, not here.
import { execFile } from 'node:child_process';
import { chmodSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { json } from 'node:stream/consumers';
import { pathToFileURL } from 'node:url';
import { promisify } from 'node:util';
import { build } from 'esbuild';

const folder = 'dist';
const bundled = {
  bundle: true,
  platform: 'node',
  target: 'node20.19',
  logLevel: 'warning',
};
const asModule = {
  ...bundled,
  format: 'esm',
  // CommonJS packages in a bundle call require() for Node's own modules.
  banner: {
    js: "import { createRequire as requireFrom } from 'node:module'; const require = requireFrom(import.meta.url);",
  },
};

/** Builds something that only the build itself needs, and takes it away again when it was used. */
async function withTool(source, use) {
  const outfile = join(folder, 'tool.mjs');
  await build({ ...asModule, entryPoints: [source], outfile });
  try {
    return await use(outfile);
  } finally {
    rmSync(outfile);
  }
}

/** Puts the prompts, read and checked, in the place of the module that stands for them. */
const preparedPrompts = {
  name: 'prepared-prompts',
  async setup(building) {
    const contents = await withTool('src/prompting/prepare.ts', async (tool) => {
      const { preparedModule } = await import(pathToFileURL(tool).href);
      return preparedModule('prompts');
    });
    building.onLoad({ filter: /src.prompting.prepared\.ts$/ }, () => ({ contents, loader: 'js' }));
  },
};

/** Puts a log that says nothing in the place of the one of the `openai` client. */
const silentLog = {
  name: 'silent-log',
  setup(building) {
    building.onLoad({ filter: /openai.internal.utils.log\.mjs$/ }, () => ({
      contents: readFileSync('src/launch/in-place-of-log.ts', 'utf8'),
      loader: 'ts',
    }));
  },
};

/**
 * What draws is a third of all code, and hardly any command draws: a file of its own. It has copies of its own of what it imports, and so
 * must throw no error whose class anybody asks for.
 */
const DRAWING = 'src/surfaces/charts/trend-png.ts';
const drawingApart = {
  name: 'drawing-apart',
  setup(building) {
    building.onResolve({ filter: /charts.trend-png\.ts$/ }, ({ kind }) =>
      kind === 'dynamic-import' ? { path: './trend-png.cjs', external: true } : undefined,
    );
  },
};

// In ASCII, which is read fastest. Other characters are left in regular expressions and in templates with a tag, where an escape is the
// same unless the tag is `String.raw`.
const escaped = (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`;

/** Builds a file of the program: one function, or where it is loaded by another one, a module of it. */
async function buildPart(entryPoint, outfile, options) {
  await build({
    ...bundled,
    entryPoints: [entryPoint],
    outfile,
    format: 'cjs',
    // The `openai` client asks whether there are streams, which loads all that Node has of these. Nothing here sends one.
    define: { 'import.meta.url': 'importMetaUrl', 'globalThis.ReadableStream': 'undefined' },
    // What is not in the bundle is required: of code that was kept V8 forgets how to import.
    supported: { 'dynamic-import': false },
    inject: ['src/launch/in-place-of-globals.ts'],
    plugins: [preparedPrompts, silentLog, drawingApart],
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
    ...options,
  });
  writeFileSync(outfile, readFileSync(outfile, 'utf8').replaceAll(/[^\0-\x7F]/g, escaped));
}

rmSync(folder, { recursive: true, force: true });
const importMetaUrl = "const importMetaUrl = require('node:url').pathToFileURL(__filename).href;";
// A function of what a module is given: `compileProgram` calls it.
await buildPart('src/main.ts', join(folder, 'program.cjs'), {
  banner: {
    js: `(function (require, __filename, __dirname) { const module = { exports: {} }; ${importMetaUrl}`,
  },
  footer: { js: '})' },
});
await buildPart(DRAWING, join(folder, 'trend-png.cjs'), { banner: { js: importMetaUrl } });

// No module either: to load Node's own loader of these is a third of what Node takes to start.
writeFileSync(join(folder, 'package.json'), '{ "type": "commonjs" }\n');
const entry = join(folder, 'main.js');
await build({
  ...bundled,
  entryPoints: ['src/launch/launch.ts'],
  outfile: entry,
  format: 'cjs',
  define: { 'import.meta.dirname': '__dirname' },
});
chmodSync(entry, 0o755);

/** A model for the trial runs: it finds everything right that it is asked about. */
const finding = { rationale: 'It holds.', decision: 'pass' };
function completionOf(request) {
  const asked = request.response_format?.json_schema?.schema?.properties?.criteria?.required ?? [];
  const content = JSON.stringify({
    criteria: Object.fromEntries(asked.map((id) => [id, finding])),
    ...finding,
  });
  return {
    id: 'one',
    object: 'chat.completion',
    created: 0,
    model: 'trial',
    choices: [{ index: 0, finish_reason: 'stop', message: { role: 'assistant', content } }],
    usage: { prompt_tokens: 1, completion_tokens: 1 },
  };
}
const model = createServer(async (request, response) => {
  const completion = completionOf(await json(request));
  response.setHeader('content-type', 'application/json').end(JSON.stringify(completion));
});
await new Promise((listening) => model.listen(0, '127.0.0.1', listening));
const scratch = mkdtempSync(join(tmpdir(), 'jury-build-'));
const cases = join(scratch, 'cases.jsonl');
const sample = {
  conversation: [{ role: 'user', text: 'A French restaurant rated at least 4.5' }],
  response: 'Chez Luc is 4 minutes away.',
  context: { date: '2024-03-04', time: '20:35' },
  recommendation: { name: 'Chez Luc', cuisine: 'French', rating: 4.6, durationMin: 4 },
};
writeFileSync(
  cases,
  ['a', 'b'].map((id) => JSON.stringify({ id, rubric: 'navigation', ...sample })).join('\n'),
);
const asked = ['--json', '--no-cache'];
const runs = [
  ['demo'],
  ['bench', 'run', cases, '--methods', 'io', '--models', 'openai/trial', '--name', 'trial', ...asked],
  ['judge', cases, '--method', 'io', '--model', 'openai/trial', ...asked],
];
// Of the environment nothing: what is kept does not depend on who builds.
const env = {
  OPENAI_API_KEY: 'none',
  OPENAI_BASE_URL: `http://127.0.0.1:${model.address().port}/v1`,
  JURY_DATA_DIR: join(scratch, 'data'),
};
await withTool('src/launch/keep-compiled.ts', async (tool) => {
  for (const args of runs)
    try {
      await promisify(execFile)(process.execPath, [join('..', tool), ...args], { cwd: folder, env });
    } catch ({ code, stderr }) {
      // Whoever changes prompts may take from the trial what it asks for. The program is built all the same.
      console.warn(`The trial run "jury ${args[0]}" ended with ${code}: starts will take longer.\n${stderr}`);
    }
}).finally(() => {
  rmSync(scratch, { recursive: true });
  model.close();
});
