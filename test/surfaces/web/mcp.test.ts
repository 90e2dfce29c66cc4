import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { getDefaultEnvironment, StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js';
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import { describe, expect, test } from 'vitest';
import * as z from 'zod';
import { Verdict } from '../../../src/judging/verdict/verdict.ts';
import { createFolderTrialStore } from '../../../src/stores/folder/runs.ts';
import { agentAt, textOf } from '../../support/agent-at.ts';
import { keepMadeRun, manyHabits } from '../../support/made-run.ts';
import { keyIn, openLink } from '../../support/open-link.ts';
import { callWithout } from '../../support/page-service.ts';
import { PASTE, UNSURE, UNSURE_LINE } from '../../support/pastes.ts';
import { closeAfterEach, newFolder, until } from '../../support/resources.ts';
import { runService } from '../../support/run-service.ts';
import { oneQuickJudge, serviceModel } from '../../support/service-model.ts';

closeAfterEach();

const TOKENS = { ci: 'a-token-for-ci-0123456789', nightly: 'a-token-for-nightly-0123456789' };
const tokens = { JURY_API_TOKENS: `ci:${TOKENS.ci},nightly:${TOKENS.nightly}` };
const joke = { conversation: [{ role: 'user', text: 'Tell me a joke' }], response: 'No.' };

/** What agents are configured with. */
const Server = z.object({
  mcpServers: z.object({
    jury: z.object({
      command: z.string().optional(),
      args: z.array(z.string()).optional(),
      env: z.record(z.string(), z.string()).optional(),
      url: z.string().optional(),
      headers: z.record(z.string(), z.string()).optional(),
    }),
  }),
});

/** What is sent to begin a session. */
const hello = {
  jsonrpc: '2.0',
  id: 0,
  method: 'initialize',
  params: {
    protocolVersion: '2025-06-18',
    capabilities: {},
    clientInfo: { name: 'by hand', version: '1' },
  },
};
const list = { jsonrpc: '2.0', id: 1, method: 'tools/list' };

/** One message by hand. */
const send = (port: number, body: unknown, headers: Record<string, string> = {}, method = 'POST') =>
  callWithout(port, '/mcp', {
    method,
    body,
    headers: {
      accept: 'application/json, text/event-stream',
      authorization: `Bearer ${TOKENS.ci}`,
      ...headers,
    },
  });

/** Begins a session by hand. @returns the header that names it */
async function begun(port: number, headers: Record<string, string> = {}) {
  const answer = await send(port, hello, headers);
  return { 'mcp-session-id': String(answer.headers['mcp-session-id']), ...headers };
}

describe('an agent at a service', () => {
  test('finds the same tools as over standard input, judges, and reads the verdict again', async () => {
    const { service } = await runService(tokens);
    const { client, call } = await agentAt(service.port, TOKENS.ci);
    expect(client.getInstructions()).toContain('call `judge` with a paste');
    const { tools } = await client.listTools();
    expect(tools.map(({ name }) => name)).toEqual([
      'judge',
      'parse',
      'get_verdict',
      'list_rubrics',
      'list_methods',
      'list_personas',
      'list_runs',
      'compare_runs',
    ]);
    // The client checks every answer against the output schema of its tool.
    expect(tools.filter(({ outputSchema }) => outputSchema === undefined)).toEqual([]);
    const judged = await call('judge', { paste: PASTE });
    expect(textOf(judged)).toMatch(/^✗ FAIL/);
    const { id, ...verdict } = z.looseObject({ id: z.string() }).parse(judged.structuredContent);
    expect(Verdict.parse(verdict)).toMatchObject({ decision: 'fail', rubric: 'navigation' });
    const read = await call('get_verdict', { id });
    expect(read.structuredContent).toMatchObject({
      id,
      decision: 'fail',
      case: { response: expect.stringContaining('Sakura') },
    });
    expect((await call('list_personas')).structuredContent?.personas).toContainEqual(
      expect.objectContaining({ id: 'auditor' }),
    );
    const parsed = await call('parse', { paste: PASTE });
    expect(parsed.structuredContent).toMatchObject({
      cases: [{ case: { recommendation: { rating: 4.3 } } }],
    });
    expect((await call('list_runs')).structuredContent).toEqual({ runs: [], all: 0 });
    expect(await call('get_verdict', { id: 'nope' })).toMatchObject({ isError: true });
    // The console and the API show it, too.
    const found = await callWithout(service.port, `/api/v1/verdicts/${id}`, {
      headers: { authorization: `Bearer ${TOKENS.nightly}` },
    });
    expect(JSON.parse(found.text).decision).toBe('fail');
  });

  test('connects as the docs print it, to a service and by starting it', async () => {
    const { service } = await runService(tokens);
    const docs = readFileSync(new URL('../../../docs/programs.md', import.meta.url), 'utf8');
    const blocks = [...docs.matchAll(/^\{ "mcpServers": .*$/gm)].map(([block]) =>
      Server.parse(JSON.parse(block)),
    );
    const [started, connected] = blocks.map(({ mcpServers: { jury } }) => jury);
    if (connected?.url === undefined || started?.command === undefined)
      throw new Error('The docs have no such block.');
    const http = new StreamableHTTPClientTransport(
      new URL(connected.url.replace(':3000', `:${service.port}`)),
      {
        requestInit: {
          headers: { Authorization: connected.headers?.Authorization?.replace('TOKEN', TOKENS.ci) ?? '' },
        },
      },
    );
    const { command, args = [], env = {} } = started;
    const stdio = new StdioClientTransport({
      command,
      args,
      cwd: fileURLToPath(new URL('../../../examples/mcp', import.meta.url)),
      // The first npx in a checkout builds it anew, in the way of other tests.
      env: {
        ...getDefaultEnvironment(),
        ...env,
        JURY_DATA_DIR: newFolder(),
        npm_config_ignore_scripts: 'true',
      },
    });
    for (const transport of [Object.assign(http, {}), stdio]) {
      const client = new Client({ name: 'agent', version: '1.0.0' });
      await client.connect(transport);
      const { tools } = await client.listTools();
      expect(tools.map(({ name }) => name)).toContain('judge');
      await client.close();
    }
  });

  test('is told what to do where nothing can be judged', async () => {
    const { service } = await runService(tokens);
    const { call } = await agentAt(service.port, TOKENS.ci);
    const unsure = await call('judge', { paste: UNSURE });
    expect([unsure.isError, textOf(unsure)]).toEqual([true, expect.stringContaining('"unsure": "remark"')]);
    expect((await call('judge', { paste: UNSURE, unsure: 'remark' })).structuredContent?.leftOut).toBe(
      UNSURE_LINE,
    );
    for (const [args, words] of [
      [{ paste: 'hello' }, 'write "User:" before what the user said'],
      [{ paste: PASTE, rubric: 'navigatoin' }, 'navigation'],
      [{ paste: PASTE, models: ['mistral/small'] }, 'MISTRAL_API_KEY'],
      [{}, 'Give either "paste" or "case".'],
      [{ paste: PASTE, case: joke }, 'Give either "paste" or "case".'],
    ] as const) {
      const refused = await call('judge', args);
      expect([refused.isError, textOf(refused)]).toEqual([true, expect.stringContaining(words)]);
    }
    const compared = await call('compare_runs', { first: 'monday', second: 'tuesday' });
    expect([compared.isError, textOf(compared)]).toEqual([true, expect.stringContaining('no run "monday"')]);
  });

  test('sees how far the panel is, of how many answers', async () => {
    let asked = 0;
    // One answer after the other, so that there is a moment at which some are there and others are not.
    const answer = () => ({ fields: { decision: 'pass' }, delayMs: 600 * asked++ });
    const { env } = await serviceModel({ answer });
    const { service } = await runService({ ...env, ...tokens });
    const { client } = await agentAt(service.port, TOKENS.ci);
    const seen: { progress: number; total?: number | undefined; message?: string | undefined }[] = [];
    await client.callTool({ name: 'judge', arguments: { case: joke, method: 'mab' } }, undefined, {
      onprogress: (progress) => seen.push(progress),
    });
    const numbers = seen.map(({ progress }) => progress);
    expect(numbers.length).toBeGreaterThan(0);
    expect(numbers).toEqual([...new Set(numbers)].sort((a, b) => a - b));
    expect(new Set(seen.map(({ total }) => total)).size).toBe(1);
    expect(seen[0]?.total).toBeGreaterThanOrEqual(numbers.at(-1) ?? Number.POSITIVE_INFINITY);
    expect(seen[0]?.message).toMatch(/so far/);
  });

  test('that cancels, or hangs up, stops its judging; with a key of its own the verdict is there later', async () => {
    const { env, double, letGo } = await oneQuickJudge();
    const { service, parts } = await runService({ ...env, ...tokens });
    const store = await parts.store();
    const pending = async (n: number) => until(async () => (await store.pendingSpotChecks()) === n);
    const ask = (client: Client, args: object, signal?: AbortSignal) =>
      client
        .callTool({ name: 'judge', arguments: { case: joke, method: 'mab', ...args } }, undefined, {
          ...(signal === undefined ? {} : { signal }),
        })
        .catch((thrown) => String(thrown));
    const { client } = await agentAt(service.port, TOKENS.ci);
    const cancel = new AbortController();
    const cancelled = ask(client, {}, cancel.signal);
    await until(() => double.counts.received > 1);
    cancel.abort('enough');
    expect(await cancelled).toContain('enough');
    await pending(0);
    // By hand, since the SDK's client says goodbye: this one is just gone.
    const session = await begun(service.port);
    const before = double.counts.received;
    const gone = new AbortController();
    const asked = { name: 'judge', arguments: { case: { ...joke, response: 'Never.' }, method: 'mab' } };
    const hungUp = fetch(`http://127.0.0.1:${service.port}/mcp`, {
      method: 'POST',
      headers: {
        ...session,
        accept: 'application/json, text/event-stream',
        'content-type': 'application/json',
        authorization: `Bearer ${TOKENS.ci}`,
      },
      body: JSON.stringify({ jsonrpc: '2.0', id: 2, method: 'tools/call', params: asked }),
      signal: gone.signal,
    })
      .then((response) => response.text())
      .catch(() => 'gone');
    await until(() => double.counts.received > before);
    await pending(1);
    gone.abort();
    expect(await hungUp).toBe('gone');
    await pending(0);
    // With a key it goes on.
    const { client: other } = await agentAt(service.port, TOKENS.ci);
    const kept = { case: { ...joke, response: 'Later.' }, idempotencyKey: 'build-17' };
    void ask(other, kept);
    await pending(1);
    await other.close();
    letGo();
    await pending(0);
    const judges = double.counts.received;
    const { client: again } = await agentAt(service.port, TOKENS.ci);
    expect(await ask(again, kept)).toMatchObject({
      structuredContent: { decision: 'fail', cancelled: false },
    });
    expect(double.counts.received).toBe(judges);
  });

  test('lists runs and says what changed from one to another', async () => {
    const folder = newFolder();
    const runs = createFolderTrialStore(join(folder, 'runs'));
    const [first, second] = manyHabits;
    if (first === undefined || second === undefined) throw new Error('There are no habits.');
    await keepMadeRun(runs, { name: 'nightly-20261101', cases: 12, repeats: 1, habits: [first] });
    await keepMadeRun(runs, { name: 'nightly-20261102', cases: 12, repeats: 1, habits: [first] });
    await keepMadeRun(runs, { name: 'other', cases: 6, repeats: 1, habits: [second] });
    const { service } = await runService({ ...tokens, JURY_DATA_DIR: folder });
    const { call } = await agentAt(service.port, TOKENS.ci);
    const listed = await call('list_runs', { series: 'nightly', limit: 1 });
    expect(listed.structuredContent).toMatchObject({ runs: [{ series: 'nightly', cases: 12 }], all: 2 });
    expect(textOf(listed)).toMatch(/series nightly\nand 1 more run: ask with a larger "limit"$/);
    const sides = { first: 'nightly-20261101', second: 'nightly-20261102' };
    const compared = await call('compare_runs', sides);
    expect(compared.structuredContent).toMatchObject({ ...sides, sharedCases: 12, leftOut: [] });
    expect(textOf(compared)).toMatch(/^nightly-20261101 → nightly-20261102\n/);
    expect(textOf(compared)).toContain('12 cases with the same answer in both');
  });

  test('reads nothing that is not for it', async () => {
    const { service, parts } = await runService(tokens);
    const { call } = await agentAt(service.port, TOKENS.ci);
    const judged = await call('judge', { paste: PASTE });
    const store = await parts.store();
    const record = await store.verdict(String(judged.structuredContent?.id));
    if (record === null) throw new Error('It is not kept.');
    await store.saveVerdict({
      ...record,
      id: 'private',
      source: { ...record.source, surface: 'slack', channel: 'C1' },
    });
    await store.saveVerdict({ ...record, id: 'hidden', blind: true });
    expect(await call('get_verdict', { id: 'private' })).toMatchObject({
      isError: true,
      content: [{ text: 'There is no such verdict, or you may not see it.' }],
    });
    const hidden = await call('get_verdict', { id: 'hidden' });
    expect([hidden.isError, hidden.structuredContent]).toEqual([true, undefined]);
    expect(textOf(hidden)).not.toMatch(/fail|rating|4\.3/i);
  });

  test('is one of many, and none sees another’s session', async () => {
    const { service } = await runService(tokens);
    const agents = await Promise.all(Array.from({ length: 20 }, () => agentAt(service.port, TOKENS.ci)));
    const answers = await Promise.all(agents.map(({ call }) => call('parse', { paste: PASTE })));
    expect(new Set(agents.map(({ transport }) => transport.sessionId)).size).toBe(20);
    expect(new Set(answers.map((answer) => JSON.stringify(answer))).size).toBe(1);
    const session = await begun(service.port);
    expect((await send(service.port, list, session)).status).toBe(200);
    const foreign = { ...session, authorization: `Bearer ${TOKENS.nightly}` };
    expect((await send(service.port, list, foreign)).status).toBe(404);
    expect((await send(service.port, undefined, foreign, 'DELETE')).status).toBe(404);
    expect((await send(service.port, list, { 'mcp-session-id': 'made-up' })).status).toBe(404);
    expect((await send(service.port, list, session)).status).toBe(200);
  });
});

describe('a session', () => {
  test('ends when the agent says so, or after half an hour without a word', async () => {
    let now = Date.now();
    const { service } = await runService(tokens, undefined, () => now);
    const session = await begun(service.port);
    expect((await send(service.port, undefined, session, 'DELETE')).status).toBe(200);
    const ended = await send(service.port, list, session);
    expect([ended.status, JSON.parse(ended.text).error.code]).toEqual([404, -32_001]);
    const idle = await begun(service.port);
    now += 29 * 60_000;
    expect((await send(service.port, list, idle)).status).toBe(200);
    now += 31 * 60_000;
    expect((await send(service.port, list, idle)).status).toBe(404);
  });

  test('is the hundredth of a program at most: one more ends the one that was idle the longest', async () => {
    let now = Date.now();
    const { service } = await runService(tokens, undefined, () => now);
    const all: Record<string, string>[] = [];
    for (let n = 0; n < 101; n += 1) {
      all.push(await begun(service.port));
      now += 1;
    }
    const statusOf = async (session: Record<string, string> = {}) =>
      (await send(service.port, list, session)).status;
    expect([await statusOf(all[0]), await statusOf(all[1]), await statusOf(all[100])]).toEqual([
      404, 200, 200,
    ]);
    const other = await begun(service.port, { authorization: `Bearer ${TOKENS.nightly}` });
    expect((await send(service.port, list, other)).status).toBe(200);
  });

  test('does not keep a service from stopping, and judging that no one waits for stops with it', async () => {
    const { env } = await oneQuickJudge();
    const folder = newFolder();
    const first = await runService({ ...env, ...tokens, JURY_DATA_DIR: folder });
    const { client } = await agentAt(first.service.port, TOKENS.ci);
    const call = { name: 'judge', arguments: { case: joke, method: 'mab' } };
    const failed = client.callTool(call).catch(() => 'gone');
    const store = await first.parts.store();
    await until(async () => (await store.pendingSpotChecks()) === 1);
    await client.close();
    await first.close();
    expect(await failed).toBe('gone');
  });
});

describe('the door of /mcp', () => {
  test('takes tokens and, on this machine, the key; no browser’s session', async () => {
    const folder = newFolder();
    const { service } = await runService({ ...tokens, JURY_DATA_DIR: folder });
    const { port, link } = service;
    expect((await send(port, hello)).status).toBe(200);
    expect((await send(port, hello, keyIn(folder))).status).toBe(200);
    const nobody = await callWithout(port, '/mcp', { method: 'POST', body: hello });
    expect([nobody.status, nobody.headers['www-authenticate']]).toEqual([401, 'Bearer']);
    expect(JSON.parse(nobody.text).error.message).toContain('JURY_API_TOKENS');
    expect((await send(port, hello, { authorization: 'Bearer another-token-0123456789' })).status).toBe(401);
    const { cookie } = await openLink(link ?? '');
    expect(
      (await callWithout(port, '/mcp', { method: 'POST', body: hello, headers: { cookie } })).status,
    ).toBe(401);
    // Where the console is off, the tokens still open it; elsewhere there is no key.
    const off = await runService({ ...tokens, JURY_CONSOLE: 'off' });
    expect((await send(off.service.port, hello)).status).toBe(200);
  });

  test('is shut for names and pages of others, whatever token they have', async () => {
    const { service } = await runService(tokens);
    const { port } = service;
    const own = `127.0.0.1:${port}`;
    const statusOf = async (headers: Record<string, string>) => (await send(port, hello, headers)).status;
    for (const host of [own, `localhost:${port}`, `[::1]:${port}`])
      expect(await statusOf({ host })).toBe(200);
    expect(await statusOf({ host: own, origin: `http://${own}` })).toBe(200);
    // A name that someone else's DNS has for this machine.
    for (const host of ['evil.example', `evil.example:${port}`, '127.0.0.1.evil.example'])
      expect([host, await statusOf({ host })]).toEqual([host, 403]);
    expect(await statusOf({ host: `evil.example:${port}`, origin: `http://evil.example:${port}` })).toBe(403);
    for (const origin of ['https://evil.example', 'null', `https://${own}`, `http://localhost:${port}`])
      expect([origin, await statusOf({ host: own, origin })]).toEqual([origin, 403]);
    // Behind a proxy with a name of its own.
    const named = await runService({ ...tokens, JURY_PUBLIC_URL: 'https://jury.example.com' });
    const at = (headers: Record<string, string>) => send(named.service.port, hello, headers);
    expect((await at({ host: 'jury.example.com' })).status).toBe(200);
    expect((await at({ host: 'jury.example.com', origin: 'https://jury.example.com' })).status).toBe(200);
    expect((await at({ host: 'jury.example.com', origin: 'http://jury.example.com' })).status).toBe(403);
    expect((await at({ host: 'evil.example' })).status).toBe(403);
  });

  test('takes no message that is too large, too deep or none at all', async () => {
    const { service } = await runService(tokens);
    const { port } = service;
    const session = await begun(port);
    const asked = (paste: unknown) => ({
      ...list,
      method: 'tools/call',
      params: { name: 'judge', arguments: { paste } },
    });
    expect((await send(port, asked('x'.repeat(2 ** 20)), session)).status).toBe(413);
    const raw = async (body: string) => {
      const headers = {
        ...session,
        accept: 'application/json, text/event-stream',
        'content-type': 'application/json',
        authorization: `Bearer ${TOKENS.ci}`,
      };
      const answer = await fetch(`http://127.0.0.1:${port}/mcp`, { method: 'POST', headers, body });
      return [answer.status, await answer.text()];
    };
    expect(await raw('{')).toEqual([400, expect.stringContaining('cannot be read')]);
    const deep = `${'{"a":'.repeat(50_000)}1${'}'.repeat(50_000)}`;
    for (const place of [
      deep,
      `{"jsonrpc":"2.0","id":3,"method":"tools/call","params":{"name":"judge","arguments":{"case":${deep}}}}`,
    ]) {
      const [, text] = await raw(place);
      expect(text).not.toMatch(/\n\s+at |node_modules/);
    }
    for (const body of [{}, [], 'text', { jsonrpc: '2.0', id: 1 }]) {
      const answer = await send(port, body, session);
      expect([400, 202]).toContain(answer.status);
    }
    expect((await send(port, list)).status).toBe(400);
    expect((await send(port, undefined, session, 'GET')).status).toBe(405);
    // It still answers.
    expect((await send(port, list, session)).status).toBe(200);
  });
});
