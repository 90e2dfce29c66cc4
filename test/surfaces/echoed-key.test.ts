import { once } from 'node:events';
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js';
import { Redis } from 'ioredis';
import { describe, expect, test } from 'vitest';
import * as z from 'zod';
import { fillSchema } from '../support/fill-schema.ts';
import { openLink } from '../support/open-link.ts';
import { PASTE } from '../support/pastes.ts';
import { closeAfterEach, closing, newFolder, until } from '../support/resources.ts';
import { jury, main, variables } from '../support/run-jury.ts';
import { payloadsOf } from '../support/slack-requests.ts';
import { ownRedis, startJury, withSlack } from '../support/slack-service.ts';

closeAfterEach();

/** Random, and with a sign that JSON and URLs escape. */
const KEY = 'sk-proj-9fQ2/xL7+Zt4Vb8Rk1Wm6Yc3Hd5Ng0Js';

const json = (text: string) => JSON.stringify(text).slice(1, -1);
const units = (text: string) =>
  [...text].map((one) => `\\u${one.charCodeAt(0).toString(16).padStart(4, '0')}`).join('');

/** The ways in which an endpoint writes what it was sent. */
const WRITTEN: readonly ((text: string) => string)[] = [
  (text) => text,
  json,
  (text) => encodeURIComponent(text),
  (text) => Buffer.from(text).toString('base64'),
  (text) => Buffer.from(`u:${text}`).toString('base64url'),
  (text) => Buffer.from(`key ${text}!`).toString('base64').replaceAll('=', ''),
  (text) => text.slice(0, 24),
];

const Body = z.looseObject({
  response_format: z
    .looseObject({ json_schema: z.looseObject({ schema: z.unknown() }).optional() })
    .optional(),
});

/** The places in which an endpoint may echo: the body of its answer to a request. */
const PLACES: Readonly<
  Record<
    string,
    (echo: string, schema: unknown) => { status?: number; body: string; headers?: Record<string, string> }
  >
> = {
  rationale: (echo, schema) => ({ body: completion(filled(schema, echo)) }),
  'rationale, in parts': (echo, schema) => {
    const content = filled(schema, echo);
    const half = content.indexOf(echo.slice(0, 10)) + 12;
    const parts = [content.slice(0, half), content.slice(half)].map((text) => ({ type: 'text', text }));
    return { body: JSON.stringify({ choices: [{ message: { content: parts }, finish_reason: 'stop' }] }) };
  },
  'rationale, as code units': (echo, schema) => ({
    body: completion(filled(schema, '@').replaceAll('@', units(echo))),
  }),
  'content that is no answer': (echo) => ({ body: completion(`You sent ${echo}`) }),
  refusal: (echo) => ({
    body: JSON.stringify({ choices: [{ message: { content: null, refusal: `Not for ${echo}` } }] }),
  }),
  'error body': (echo) => ({
    status: 401,
    body: JSON.stringify({ error: { message: `Invalid: ${echo}`, code: echo, type: echo } }),
  }),
  'error without JSON': (echo) => ({ status: 400, body: `<p>bad header ${echo}</p>` }),
  'error in a 200': (echo) => ({
    body: JSON.stringify({ error: { message: `upstream got ${echo}`, code: 400 } }),
  }),
  header: (echo) => ({
    status: 302,
    headers: {
      location: `https://gateway.test/?from=${encodeURIComponent(echo)}`,
      'x-request-auth': encodeURIComponent(echo),
    },
    body: '',
  }),
};

const filled = (schema: unknown, rationale: string): string =>
  JSON.stringify(fillSchema(schema, { rationale: `As ${rationale} says.`, decision: 'fail' }));
const completion = (content: string): string =>
  JSON.stringify({ choices: [{ message: { content }, finish_reason: 'stop' }] });

/** An endpoint that echoes the key of each request in one place and one way after the other, a few bytes at a time. */
async function startEcho(place: string) {
  let requests = 0;
  const echo = PLACES[place];
  if (echo === undefined) throw new Error(`there is no place ${place}`);
  async function handle(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(Buffer.from(chunk));
    const { response_format: format } = Body.parse(JSON.parse(Buffer.concat(chunks).toString()));
    const key = (request.headers.authorization ?? '').replace('Bearer ', '');
    const way = WRITTEN[requests++ % WRITTEN.length] ?? json;
    const answer = echo?.(way(key), format?.json_schema?.schema) ?? { body: '' };
    response.writeHead(answer.status ?? 200, { 'content-type': 'application/json', ...answer.headers });
    for (let at = 0; at < answer.body.length; at += 101) {
      response.write(answer.body.slice(at, at + 101));
      await sleep(1);
    }
    response.end();
  }
  const server = createServer((request, response) => {
    handle(request, response).catch(() => response.destroy());
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  closing(async () => {
    server.closeAllConnections();
    server.close();
  });
  const { port } = z.object({ port: z.number() }).parse(server.address());
  const env = {
    JURY_MODEL: 'openai/gpt-4o-mini',
    OPENAI_API_KEY: KEY,
    OPENAI_BASE_URL: `http://127.0.0.1:${port}/v1`,
  };
  return { env, count: () => requests };
}

const WINDOW = 8;
/** Parts of the key that a text has, in any of the ways. */
function shownIn(text: string): string[] {
  const found: string[] = [];
  for (const write of [...WRITTEN.slice(0, 3), units])
    for (let at = 0; at + WINDOW <= KEY.length; at += 1) {
      const part = KEY.slice(at, at + WINDOW);
      // What every key of the provider begins with is not the key.
      if (part !== 'sk-proj-' && text.includes(write(part))) found.push(part);
    }
  // Base64 is undone wherever it may stand.
  for (const [run] of text.matchAll(/[\w+/-]{12,}/g))
    for (let shift = 0; shift < 4; shift += 1) {
      const plain = Buffer.from(run.slice(shift), 'base64').toString('latin1');
      for (let at = 0; at + WINDOW <= KEY.length; at += 1)
        if (plain.includes(KEY.slice(at, at + WINDOW))) found.push(`base64 of ${KEY.slice(at, at + WINDOW)}`);
    }
  return [...new Set(found)];
}

const filesBelow = (folder: string): string[] =>
  readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => readFileSync(join(entry.parentPath, entry.name), 'latin1'));

/** Everything that a Redis holds. */
async function redisText(url: string): Promise<string> {
  const client = new Redis(url);
  const texts: unknown[] = [];
  for await (const keys of client.scanStream()) {
    for (const key of z.array(z.string()).parse(keys)) {
      const kind = await client.type(key);
      texts.push(key);
      if (kind === 'string') texts.push(await client.get(key));
      else if (kind === 'hash') texts.push(await client.hgetall(key));
      else if (kind === 'list') texts.push(await client.lrange(key, 0, -1));
      else if (kind === 'set') texts.push(await client.smembers(key));
      else if (kind === 'zset') texts.push(await client.zrange(key, '0', '-1'));
      else throw new Error(`${key} is a ${kind}, which is not looked at`);
    }
  }
  client.disconnect();
  return JSON.stringify(texts);
}

/** A service that is asked in Slack and through the API. @returns all that it shows */
async function asked(env: Record<string, string>): Promise<string[]> {
  const slack = await withSlack();
  const service = await startJury(slack, 'http', { ...env, JURY_API_TOKENS: 'test:0123456789abcdef' });
  const ts = await slack.say(PASTE);
  await service.deliver.event(payloadsOf(slack).mention(PASTE, ts));
  const address = `http://127.0.0.1:${service.service.port}`;
  const headers = { authorization: 'Bearer 0123456789abcdef', 'content-type': 'application/json' };
  const body = JSON.stringify({ paste: PASTE });
  const given = await (await fetch(`${address}/api/v1/verdicts`, { method: 'POST', headers, body })).text();
  const { id } = z.looseObject({ id: z.string().optional() }).parse(JSON.parse(given));
  const listed = await (await fetch(`${address}/api/v1/verdicts`, { headers })).text();
  const page =
    id === undefined
      ? ''
      : await (
          await fetch(`${address}/verdicts/${id}`, { headers: await openLink(service.service.link ?? '') })
        ).text();
  await until(() => service.logged.filter((line) => line.includes('request done with')).length === 2);
  await service.close();
  return [given, listed, page, JSON.stringify(slack.calls), service.logged.join('\n')];
}

const SET = [1, 2, 3]
  .map((n) =>
    JSON.stringify({ id: `c${n}`, conversation: [{ role: 'user', text: `Joke ${n}?` }], response: 'No.' }),
  )
  .join('\n');

describe.each(Object.keys(PLACES))('an endpoint that echoes our key in: %s', (place) => {
  test('shows it nowhere in a service: not on cards or pages, in the API, logs or the store', async () => {
    const { env, count } = await startEcho(place);
    const folder = newFolder();
    const seen = await asked({ ...env, JURY_DATA_DIR: folder });
    expect(count()).toBeGreaterThan(0);
    for (const text of [...seen, ...filesBelow(folder)]) expect(shownIn(text)).toEqual([]);
  });

  test('shows it nowhere on the command line: not in verdicts, the cache, runs, reports or exports', async () => {
    const { env } = await startEcho(place);
    const cwd = newFolder();
    writeFileSync(join(cwd, 'set.jsonl'), SET);
    const commands = [
      ['judge', 'set.jsonl', '--save'],
      ['judge', 'set.jsonl', '--json'],
      ['judge', 'set.jsonl', '--format', 'csv'],
      ['doctor', '--model', 'openai/gpt-4o-mini'],
      ['bench', 'run', 'set.jsonl', '--methods', 'io', '--models', 'openai/gpt-4o-mini', '--name', 'echo'],
      ['bench', 'report', 'echo', '--out', 'report'],
      ['labels', 'export', '--all'],
    ];
    for (const command of commands) {
      const { out, err } = await jury(command, { env, cwd });
      expect([command, shownIn(out + err)]).toEqual([command, []]);
    }
    for (const text of filesBelow(cwd)) expect(shownIn(text)).toEqual([]);
  });
});

test('an agent and a Redis are not shown it either', async () => {
  const { env } = await startEcho('rationale');
  const redis = await ownRedis();
  const [shown = '', ...more] = await asked({ ...env, REDIS_URL: redis.url });
  expect(shown).toContain('[OPENAI_API_KEY]');
  for (const text of [shown, ...more, await redisText(redis.url)]) expect(shownIn(text)).toEqual([]);
  const client = new Client({ name: 'agent', version: '1.0.0' });
  const cwd = newFolder();
  await client.connect(
    new StdioClientTransport({
      command: process.execPath,
      args: [main, 'mcp'],
      cwd,
      env: variables(cwd, env),
    }),
  );
  closing(() => client.close());
  const told = JSON.stringify(await client.callTool({ name: 'judge', arguments: { paste: PASTE } }));
  expect(told).toContain('[OPENAI_API_KEY]');
  expect(shownIn(told)).toEqual([]);
});

test('the check itself finds a key that is shown', () => {
  for (const write of WRITTEN) expect(shownIn(`before ${write(KEY)} after`)).not.toEqual([]);
  expect(shownIn(Buffer.from(`x${KEY}y`).toString('base64'))).not.toEqual([]);
  expect(shownIn('[OPENAI_API_KEY]')).toEqual([]);
});
