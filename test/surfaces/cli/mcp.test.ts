import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js';
import { expect, test } from 'vitest';
import * as z from 'zod';
import { Verdict } from '../../../src/judging/verdict/verdict.ts';
import { doubleKey, startModelDouble } from '../../support/model-double.ts';
import { UNSURE, UNSURE_LINE } from '../../support/pastes.ts';
import { closeAfterEach, closing, until } from '../../support/resources.ts';
import { main, scratch, variables } from '../../support/run-jury.ts';

closeAfterEach();

const closed =
  'User: Find a place that is open\nSystem: Da Mario.\nDate: 2026-03-02\nTime: 20:35\nHours: 10-20';

/** An agent that started `jury mcp` as agents do, and what the program said beside the protocol. */
async function agent(env: Record<string, string> = {}) {
  const cwd = scratch();
  const client = new Client({ name: 'agent', version: '1.0.0' });
  const command = { command: process.execPath, args: [main, 'mcp'], cwd, env: variables(cwd, env) };
  const transport = new StdioClientTransport({ ...command, stderr: 'pipe' });
  const said: string[] = [];
  transport.stderr?.on('data', (chunk) => said.push(String(chunk)));
  await client.connect(transport);
  closing(() => client.close());
  // The client drops progress that arrives together with the result, so it is read from the wire.
  const progress: z.infer<typeof Progress>['params'][] = [];
  const { onmessage } = transport;
  transport.onmessage = (message) => {
    const { data } = Progress.safeParse(message);
    if (data !== undefined) progress.push(data.params);
    onmessage?.(message);
  };
  return { client, said, progress };
}

const Progress = z.looseObject({
  method: z.literal('notifications/progress'),
  params: z.looseObject({ message: z.string(), progress: z.int(), total: z.int() }),
});

const Told = z.looseObject({
  content: z.tuple([z.looseObject({ text: z.string() })]),
  structuredContent: z.unknown().optional(),
  isError: z.boolean().optional(),
});

test('an agent finds the tools, lists what there is and gets a verdict', async () => {
  const { client, said } = await agent();
  const { tools } = await client.listTools();
  expect(tools.map(({ name }) => name).sort()).toEqual([
    'compare_runs',
    'get_verdict',
    'judge',
    'list_methods',
    'list_personas',
    'list_rubrics',
    'list_runs',
    'parse',
  ]);
  const rubrics = Told.parse(await client.callTool({ name: 'list_rubrics' }));
  expect(rubrics.content[0].text).toContain('"id": "navigation"');
  const methods = Told.parse(await client.callTool({ name: 'list_methods' }));
  expect(methods.content[0].text).toContain('"id": "mad"');
  const { content, structuredContent } = Told.parse(
    await client.callTool({ name: 'judge', arguments: { paste: closed } }),
  );
  expect(content[0].text).toMatch(/^✗ FAIL/);
  expect(Verdict.parse(structuredContent)).toMatchObject({ decision: 'fail', rubric: 'navigation' });
  expect(said).toEqual([]);
});

test('with a key the verdict is kept: the same call gets it, and get_verdict reads it', async () => {
  const { client } = await agent();
  const judge = async (given: Record<string, unknown>) =>
    Told.parse(await client.callTool({ name: 'judge', arguments: { paste: closed, ...given } }));
  const WithId = z.looseObject({ id: z.string(), startedAt: z.string() });
  expect(WithId.safeParse((await judge({})).structuredContent).success).toBe(false);
  const kept = WithId.parse((await judge({ idempotencyKey: 'a' })).structuredContent);
  expect(WithId.parse((await judge({ idempotencyKey: 'a' })).structuredContent)).toEqual(kept);
  const other = WithId.parse((await judge({ idempotencyKey: 'b' })).structuredContent);
  expect(other.id).not.toBe(kept.id);
  const read = Told.parse(await client.callTool({ name: 'get_verdict', arguments: { id: kept.id } }));
  expect(read.structuredContent).toMatchObject({ ...kept, case: { response: 'Da Mario.' } });
});

test('a line whose reading the outcome depends on is an error with both readings, until one is chosen', async () => {
  const { client } = await agent();
  const judge = async (given: Record<string, unknown>) =>
    Told.parse(await client.callTool({ name: 'judge', arguments: { paste: UNSURE, ...given } }));
  expect(await judge({})).toMatchObject({
    isError: true,
    content: [{ text: expect.stringContaining('as part of it, the answer is') }],
  });
  expect(await judge({ unsure: 'remark' })).toMatchObject({ structuredContent: { leftOut: UNSURE_LINE } });
});

test('what cannot be judged is an error that says what to do', async () => {
  const { client } = await agent();
  const judge = async (given: Record<string, unknown>) =>
    Told.parse(await client.callTool({ name: 'judge', arguments: given }));
  expect(await judge({ paste: 'hello' })).toMatchObject({
    isError: true,
    content: [{ text: expect.stringContaining('write "User:" before what the user said') }],
  });
  expect(await judge({ paste: closed, rubric: 'navigatoin' })).toMatchObject({
    isError: true,
    content: [{ text: expect.stringContaining('navigation') }],
  });
  expect(await judge({})).toMatchObject({
    isError: true,
    content: [{ text: 'Give either "paste" or "case".' }],
  });
  expect(await judge({ case: { conversation: [], response: 'x' } })).toMatchObject({ isError: true });
});

test('an agent sees judges as they answer, and a call that it cancels asks no more of them', async () => {
  let hold = false;
  const double = await startModelDouble({
    answer: () => (hold ? { hang: true } : { fields: { decision: 'pass' } }),
  });
  closing(double.close);
  const model = 'openai/gpt-4o-mini';
  const { client, progress } = await agent({
    OPENAI_API_KEY: doubleKey,
    OPENAI_BASE_URL: double.baseUrl,
    JURY_MODEL: model,
  });
  const evalCase = { conversation: [{ role: 'user', text: 'Tell me a joke' }], response: 'No.' };
  const call = { name: 'judge', arguments: { case: evalCase, method: 'max-vote' } };
  const verdict = Told.parse(await client.callTool(call, undefined, { onprogress: () => {} }));
  const { judgements } = Verdict.parse(verdict.structuredContent);
  expect(progress).toHaveLength(judgements.length);
  expect(progress[0]).toMatchObject({ progress: 1, total: judgements.length });
  expect(progress[0]?.message).toMatch(/ has answered$/);
  hold = true;
  const stop = new AbortController();
  // Another case: the answers about the first one may be in the cache by now.
  const other = { ...call, arguments: { ...call.arguments, case: { ...evalCase, response: 'Later.' } } };
  const cancelled = client
    .callTool(other, undefined, { signal: stop.signal })
    .catch((thrown) => String(thrown));
  await until(() => double.counts.received > judgements.length);
  stop.abort('enough');
  expect(await cancelled).toContain('enough');
  hold = false;
  expect(Told.parse(await client.callTool(call)).isError).toBeUndefined();
});
