import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import express from 'express';
import { expect, test } from 'vitest';
import * as z from 'zod';
import { requireVisitor } from '../../../src/surfaces/web/access.ts';
import { openEventStream } from '../../../src/surfaces/web/event-stream.ts';
import { redisOfRun } from '../../support/redis.ts';
import { closeAfterEach, closing, newFolder, until } from '../../support/resources.ts';
import { runService } from '../../support/run-service.ts';
import { oneQuickJudge, serviceModel } from '../../support/service-model.ts';
import { ownRedis } from '../../support/slack-service.ts';

closeAfterEach();

const TOKEN = 'a-token-for-ci-0123456789';
const tokens = { JURY_API_TOKENS: `ci:${TOKEN}` };
const joke = {
  conversation: [{ role: 'user', text: 'Tell me a joke' }],
  response: 'No.',
  method: 'mab',
};

const Progress = z.looseObject({ title: z.string(), judges: z.array(z.looseObject({ state: z.string() })) });

interface Received {
  id: number | null;
  name: string;
  data: unknown;
}

const Event = /^(?:id: (\d+)\n)?event: (\w+)\ndata: (.*)$/;

/** The events in what was received of a stream. */
const eventsIn = (text: string): Received[] =>
  text.split('\n\n').flatMap((part) => {
    const [whole, id, name = '', data = ''] = Event.exec(part) ?? [];
    return whole === undefined
      ? []
      : [{ id: id === undefined ? null : Number(id), name, data: JSON.parse(data) }];
  });

/** Asks for a stream of events, as a program with a token does. */
function streamFrom(
  port: number,
  headers: Record<string, string>,
  signal?: AbortSignal,
  body: object = joke,
) {
  return fetch(`http://127.0.0.1:${port}/api/v1/verdicts`, {
    method: 'POST',
    headers: {
      authorization: `Bearer ${TOKEN}`,
      'content-type': 'application/json',
      accept: 'text/event-stream',
      ...headers,
    },
    body: JSON.stringify(body),
    ...(signal === undefined ? {} : { signal }),
  });
}

/** Reads a stream until an event for which `isEnough` holds, and then hangs up. */
async function lose(port: number, headers: Record<string, string>, isEnough: (event: Received) => boolean) {
  const hangUp = new AbortController();
  const response = await streamFrom(port, headers, hangUp.signal);
  let text = '';
  const decoder = new TextDecoder();
  for await (const chunk of response.body ?? []) {
    text += decoder.decode(chunk, { stream: true });
    if (eventsIn(text).some(isEnough)) break;
  }
  hangUp.abort();
  return { response, events: eventsIn(text) };
}

const hasAnswer = ({ data }: Received): boolean =>
  Progress.safeParse(data).data?.judges.some(({ state }) => state === 'answered') === true;

test('an open stream sends a heartbeat, until it ends or its visitor is no longer let in', async () => {
  const app = express();
  const known = new Map([['ci', TOKEN]]);
  app.use(
    requireVisitor({ tokens: known, people: null }, true, (status, why, _request, response) => {
      response.status(status).send(why);
    }),
  );
  app.get('/', (request, response) => {
    openEventStream(request, response, 10).send({ id: 7, name: 'progress', data: { a: 'b\nc' } });
  });
  const server = createServer(app).listen(0, '127.0.0.1');
  await once(server, 'listening');
  closing(async () => server.close());
  const { port } = server.address() as AddressInfo;
  const response = await fetch(`http://127.0.0.1:${port}/`, {
    headers: { authorization: `Bearer ${TOKEN}` },
  });
  let text = '';
  for await (const chunk of response.body ?? []) {
    text += Buffer.from(chunk).toString();
    if (text.split(': still here\n\n').length > 2) known.clear();
  }
  expect(text).toMatch(/^id: 7\nevent: progress\ndata: \{"a":"b\\nc"\}\n\n(?:: still here\n\n)+$/);
});

test('who loses the stream sends the same again and gets what came since; nothing is judged again', async () => {
  const { env, double, letGo } = await oneQuickJudge();
  const { port } = (await runService({ ...env, ...tokens })).service;
  const key = { 'idempotency-key': 'build-17' };
  const { events } = await lose(port, key, hasAnswer);
  const last = events.at(-1)?.id ?? 0;
  const again = await streamFrom(port, { ...key, 'last-event-id': String(last) });
  letGo();
  const rest = eventsIn(await again.text());
  const ids = [...events, ...rest].map(({ id }) => id);
  expect(ids).toEqual([...new Set(ids)].sort((a, b) => Number(a) - Number(b)));
  expect(rest[0]?.id).toBeGreaterThan(last);
  const verdict = rest.at(-1);
  expect(verdict).toMatchObject({ name: 'verdict', data: { decision: 'fail' } });
  const asked = double.counts.received;
  // Even who has had the verdict may ask for it again, with or without a stream.
  const once = await streamFrom(port, { ...key, 'last-event-id': String(verdict?.id) });
  expect(eventsIn(await once.text())).toEqual([verdict]);
  const plain = await streamFrom(port, { ...key, accept: 'application/json' });
  expect(await plain.json()).toEqual(verdict?.data);
  expect(double.counts.received).toBe(asked);
});

test('a client without a key of its own finds one in the response', async () => {
  const { env, double } = await serviceModel({ answer: () => ({ fields: { decision: 'pass' } }) });
  const { port } = (await runService({ ...env, ...tokens })).service;
  const { response } = await lose(port, {}, () => true);
  const key = response.headers.get('idempotency-key') ?? '';
  const again = await streamFrom(port, { 'idempotency-key': key, 'last-event-id': '1' });
  const [verdict] = eventsIn(await again.text()).slice(-1);
  expect(verdict?.name).toBe('verdict');
  const asked = double.counts.received;
  expect((await streamFrom(port, { 'idempotency-key': key })).status).toBe(200);
  expect(double.counts.received).toBe(asked);
});

test('where there is no stream to continue, nothing is judged', async () => {
  const { env, double } = await serviceModel({ answer: () => ({ fields: { decision: 'pass' } }) });
  const { port } = (
    await runService({ ...env, JURY_API_TOKENS: `ci:${TOKEN},other:another-token-012345678` })
  ).service;
  const messageOf = async (answer: Promise<Response>) => {
    const response = await answer;
    return [
      response.status,
      z.object({ error: z.object({ message: z.string() }) }).parse(await response.json()).error.message,
    ];
  };
  const key = { 'idempotency-key': 'build-17' };
  expect(await messageOf(streamFrom(port, { 'last-event-id': '3' }))).toEqual([
    400,
    'Last-Event-ID continues a lost stream: send the Idempotency-Key of that request too.',
  ]);
  expect(await messageOf(streamFrom(port, { ...key, 'last-event-id': 'x' }))).toEqual([
    400,
    'Last-Event-ID: must be the id of an event.',
  ]);
  expect(await messageOf(streamFrom(port, { ...key, 'last-event-id': '3' }))).toEqual([
    422,
    expect.stringContaining('there is no stream to continue'),
  ]);
  expect(double.counts.received).toBe(0);
  await (await streamFrom(port, key)).text();
  const asked = double.counts.received;
  // Neither another body nor another program's token has that stream.
  const other = { ...joke, response: 'Yes.' };
  expect((await streamFrom(port, { ...key, 'last-event-id': '3' }, undefined, other)).status).toBe(422);
  const foreign = { ...key, 'last-event-id': '3', authorization: 'Bearer another-token-012345678' };
  expect((await streamFrom(port, foreign)).status).toBe(422);
  expect(double.counts.received).toBe(asked);
});

test('the stream continues after a restart of the service; answers that judges have given stand', async () => {
  const { env, double, letGo } = await oneQuickJudge();
  const settings = { ...env, ...tokens, JURY_DATA_DIR: newFolder() };
  const first = await runService(settings);
  const key = { 'idempotency-key': 'build-17' };
  const { events } = await lose(first.service.port, key, hasAnswer);
  const answered = double.counts.received;
  await first.close();
  letGo();
  const { port } = (await runService(settings)).service;
  const again = await streamFrom(port, { ...key, 'last-event-id': String(events.at(-1)?.id) });
  const rest = eventsIn(await again.text());
  expect(rest[0]?.id).toBeGreaterThan(events.at(-1)?.id ?? Number.POSITIVE_INFINITY);
  expect(rest.at(-1)).toMatchObject({ name: 'verdict', data: { decision: 'fail' } });
  // The judge that had answered is not asked again; those whose answers were cut off are.
  expect(double.counts.received).toBeLessThan(2 * answered);
});

test.skipIf(redisOfRun().binary === null)(
  'a stream that one replica began is continued by another',
  async () => {
    const { env, double, letGo } = await oneQuickJudge();
    const { url } = await ownRedis();
    const settings = { ...env, ...tokens, REDIS_URL: url, JURY_SECRET: 'of-this-test' };
    const [one, two] = [await runService(settings), await runService(settings)];
    const key = { 'idempotency-key': 'build-17' };
    const { events } = await lose(one.service.port, key, hasAnswer);
    const again = await streamFrom(two.service.port, { ...key, 'last-event-id': String(events.at(-1)?.id) });
    const asked = await until(() => double.counts.received > 2 && double.counts.received);
    letGo();
    const rest = eventsIn(await again.text());
    expect(rest.at(-1)).toMatchObject({ name: 'verdict', data: { decision: 'fail' } });
    expect(double.counts.received).toBe(asked);
  },
);
