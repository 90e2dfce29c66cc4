import { describe, expect, it } from 'vitest';
import { completionRequest } from '../../support/completion-request.ts';
import { type DoubleAnswer, doubleKey } from '../../support/model-double.ts';
import { repeated } from '../../support/repeated.ts';
import { until } from '../../support/resources.ts';
import { withDouble } from '../../support/with-double.ts';

const messageOf = (outcome: object) => ('message' in outcome ? String(outcome.message) : '');

describe('failures that may pass', () => {
  it.each<[string, DoubleAnswer]>([
    ['429', { status: 429, error: 'slow down' }],
    ['408', { status: 408, error: 'too slow' }],
    ['409', { status: 409, error: 'locked' }],
    ['500', { status: 500, error: 'oops' }],
    ['503 without a body', { status: 503, raw: '' }],
    ['a closed connection', { drop: true }],
    ['an upstream error in a 200', { raw: '{"error":{"code":502,"message":"upstream"}}' }],
  ])('%s is tried again', async (_name, failure) => {
    const { double, client } = await withDouble({ answer: ({ n }) => (n < 3 ? failure : {}) });
    expect(await client.complete(completionRequest())).toMatchObject({
      status: 'answered',
      usage: { attempts: 3 },
    });
    expect(double.counts.received).toBe(3);
  });

  it('ends after the most attempts, by the kind of the failure', async () => {
    const limited = await withDouble({ answer: () => ({ status: 429, error: 'slow down' }) });
    expect(await limited.client.complete(completionRequest())).toMatchObject({
      reason: 'rate-limited',
      usage: { attempts: 8, costUsd: null, promptTokens: 0 },
    });
    const broken = await withDouble({ answer: () => ({ status: 500, error: 'oops' }) });
    expect(await broken.client.complete(completionRequest())).toMatchObject({
      reason: 'error',
      usage: { attempts: 6 },
    });
  });

  it.each([
    ['retry-after-ms', '60000'],
    ['retry-after', '60'],
  ])('waits as long as %s asks', async (header, value) => {
    const { double, client } = await withDouble({
      answer: ({ n }) => (n === 1 ? { status: 429, error: 'later', headers: { [header]: value } } : {}),
    });
    const stop = new AbortController();
    const waiting = client.complete(completionRequest({ signal: stop.signal }));
    await until(() => double.counts.rateLimited === 1);
    // Meanwhile others are asked and answered.
    for (let n = 0; n < 3; n += 1)
      expect(await client.complete(completionRequest({ modelId: 'mistral/other' }))).toMatchObject({
        status: 'answered',
      });
    stop.abort();
    expect(await waiting).toMatchObject({ reason: 'cancelled', usage: { attempts: 1 } });
    expect(double.counts.received).toBe(4);
  });

  it('ends at once when the wait would pass the deadline, and says what was asked', async () => {
    const { double, client } = await withDouble({
      answer: () => ({ status: 429, error: 'later', headers: { 'retry-after': '300' } }),
    });
    const outcome = await client.complete(completionRequest());
    expect(outcome).toMatchObject({ status: 'unanswered', reason: 'rate-limited' });
    expect(messageOf(outcome)).toMatch(/asks to wait 300 s, but only \d+ s are left/);
    expect(double.counts.received).toBe(1);
  });

  it('does not blame the endpoint for a wait of its own', async () => {
    const { client } = await withDouble(
      { answer: () => ({ status: 429, error: 'later', headers: { 'retry-after': '0' } }) },
      { backoff: { baseMs: 900_000, capMs: 900_000, random: () => 1 } },
    );
    const message = messageOf(await client.complete(completionRequest()));
    expect(message).toMatch(/the next attempt would wait 900 s, but only/);
  });

  it('holds no slot while it waits', async () => {
    const { double, client } = await withDouble(
      {
        answer: ({ user, n }) =>
          user === 'slow' && n < 4
            ? { status: 503, error: 'wait', headers: { 'retry-after-ms': '150' } }
            : {},
      },
      { concurrency: 1 },
    );
    const finished: string[] = [];
    const ask = async (user: string) => {
      await client.complete(completionRequest({ user }));
      finished.push(user);
    };
    await Promise.all([ask('slow'), ask('one'), ask('two'), ask('three')]);
    expect(finished.at(-1)).toBe('slow');
    expect(double.counts.most).toBe(1);
  });
});

describe('failures that only a person can mend', () => {
  it.each([
    [401, 'Incorrect API key provided', 'set OPENAI_API_KEY'],
    [402, 'Insufficient Balance', 'needs credit'],
    [403, 'not allowed', 'OPENAI_API_KEY may use double'],
    [404, 'The model `double` does not exist', "check the model's name (double)"],
    [400, 'maximum context length is 8192 tokens', 'shorten the case'],
    [308, '', 'OPENAI_BASE_URL'],
  ])('%i ends at once and says what to do', async (status, error, todo) => {
    const { double, client } = await withDouble({ answer: () => ({ status, error }) });
    const outcome = await client.complete(completionRequest());
    expect(outcome).toMatchObject({ status: 'unanswered', reason: 'error' });
    expect(messageOf(outcome)).toContain(todo);
    expect('misconfigured' in outcome).toBe(status !== 400);
    expect(double.counts.received).toBe(1);
  });

  it('asks a refusing endpoint once, also for what is asked right after', async () => {
    const { double, client } = await withDouble({ answer: () => ({ status: 401, error: 'No such key' }) });
    await client.complete(completionRequest());
    const again = await client.complete(completionRequest({ user: 'other' }));
    expect(again).toMatchObject({ reason: 'error', misconfigured: true, usage: { attempts: 0 } });
    expect(double.counts.received).toBe(1);
    await client.complete(completionRequest({ modelId: 'openai/other' }));
    expect(double.counts.received).toBe(2);
  });

  it('is not what a case says that a 400 quotes', async () => {
    const quoted = `validation failed for input: ${'x'.repeat(300)} the model was not found`;
    const { client } = await withDouble({ answer: () => ({ status: 400, error: quoted }) });
    expect(await client.complete(completionRequest())).not.toHaveProperty('misconfigured');
  });

  it('does not wait for quota that is used up', async () => {
    const { double, client } = await withDouble({
      answer: () => ({
        status: 429,
        error: { message: 'You exceeded your quota', code: 'insufficient_quota' },
      }),
    });
    expect(await client.complete(completionRequest())).toMatchObject({ reason: 'rate-limited' });
    expect(double.counts.received).toBe(1);
  });

  it('says what is missing where a provider has no key or no address', async () => {
    const { client } = await withDouble({}, { settings: () => ({}) });
    expect(messageOf(await client.complete(completionRequest()))).toContain('OPENAI_API_KEY');
    expect(messageOf(await client.complete(completionRequest({ modelId: 'acme/x' })))).toContain(
      'ACME_BASE_URL',
    );
  });

  it('says that nothing answers at the address, without the password in it', async () => {
    const { double } = await withDouble();
    await double.close();
    const { client } = await withDouble(
      {},
      { settings: () => ({ baseUrl: double.baseUrl.replace('//', '//me:secret@') }) },
    );
    const outcome = await client.complete(completionRequest());
    expect(outcome).toMatchObject({ reason: 'error', unavailable: true, usage: { attempts: 3 } });
    expect(messageOf(outcome)).toContain(`no connection to ${double.baseUrl}: connect ECONNREFUSED`);
    expect(messageOf(outcome)).toContain('check that it runs, and that OPENAI_BASE_URL is right');
  });

  it('waits longer for an endpoint that has answered before and is gone', async () => {
    const { double, client } = await withDouble();
    await client.complete(completionRequest());
    await double.close();
    const outcome = await client.complete(completionRequest());
    expect(outcome).toMatchObject({ reason: 'error', unavailable: true, usage: { attempts: 6 } });
  });

  it('holds a request that is too long against the request, not the endpoint', async () => {
    const { client } = await withDouble({
      answer: () => ({ status: 400, error: { message: 'too long', code: 'context_length_exceeded' } }),
    });
    const outcome = await client.complete(completionRequest());
    expect(outcome).toMatchObject({ reason: 'error', usage: { attempts: 1 } });
    expect(outcome).not.toHaveProperty('unavailable');
  });

  it('says that the address is none of an API where a page answers', async () => {
    const { client } = await withDouble({
      answer: () => ({ raw: '<html>hello</html>', headers: { 'content-type': 'text/html' } }),
    });
    expect(messageOf(await client.complete(completionRequest()))).toContain('not a chat completion');
  });

  it.each([
    ['json', '{"choices":[{"message":{"content":"{'],
    ['text', 'upstream request failed'],
  ])('says that a reply is not valid JSON, asked twice: %s', async (_name, raw) => {
    const { double, client } = await withDouble({ answer: () => ({ raw }) });
    const outcome = await client.complete(completionRequest());
    expect(outcome).toMatchObject({ reason: 'malformed', usage: { attempts: 2, costUsd: null } });
    expect(messageOf(outcome)).toContain('is not valid JSON');
    expect(messageOf(outcome)).not.toContain('no connection');
    expect(double.counts.received).toBe(2);
  });

  it('gets over one reply that is not valid JSON', async () => {
    const { client } = await withDouble({ answer: ({ n }) => (n === 1 ? { raw: '{"choices' } : {}) });
    expect(await client.complete(completionRequest())).toMatchObject({ status: 'answered' });
  });

  it.each(['none', 'test', 'k', 'sk-1'])(
    'leaves the words of a message alone for the key "%s"',
    async (apiKey) => {
      const { double } = await withDouble({
        answer: () => ({ status: 401, error: 'nonetheless, test the sk-1 task. Bearer token is missing' }),
      });
      const { client } = await withDouble({}, { settings: () => ({ apiKey, baseUrl: double.baseUrl }) });
      expect(messageOf(await client.complete(completionRequest()))).toContain(
        'nonetheless, test the sk-1 task. Bearer token is missing',
      );
    },
  );

  it('never shows a key', async () => {
    const { client } = await withDouble({
      answer: () => ({ status: 401, error: `Incorrect API key provided: ${doubleKey}. Bearer ${doubleKey}` }),
    });
    const message = messageOf(await client.complete(completionRequest()));
    expect(message).toContain('Incorrect API key provided: [OPENAI_API_KEY]. Bearer [OPENAI_API_KEY]');
    expect(message).not.toContain('0123456789');
  });

  it('shortens long messages and says so', async () => {
    const { client } = await withDouble({ answer: () => ({ status: 403, error: 'x'.repeat(5000) }) });
    const message = messageOf(await client.complete(completionRequest()));
    expect(message.length).toBeLessThan(500);
    expect(message).toContain('more characters');
  });
});

describe('an end from outside', () => {
  it('cancels in flight, in the queue and while waiting, promptly', async () => {
    const { double, client } = await withDouble(
      {
        answer: ({ user }) =>
          user === 'waits' ? { status: 503, error: 'x', headers: { 'retry-after': '60' } } : { hang: true },
      },
      { concurrency: 2 },
    );
    const controller = new AbortController();
    const { signal } = controller;
    const all = ['waits', 'flies', 'flies', 'queues'].map((user) =>
      client.complete(completionRequest({ user, signal })),
    );
    while (double.counts.received < 3) await new Promise((done) => setTimeout(done, 5));
    // Not after the minute that the endpoint asks to wait: the test's own time limit is shorter.
    controller.abort();
    for (const outcome of await Promise.all(all)) expect(outcome).toMatchObject({ reason: 'cancelled' });
    expect(double.counts.received).toBe(3);
    expect(await client.complete(completionRequest({ signal }))).toMatchObject({
      reason: 'cancelled',
      usage: { attempts: 0 },
    });
  });

  it('times out by the limit of a call and by the deadline of its verdict', async () => {
    const { client } = await withDouble({ answer: () => ({ hang: true }) }, { limitMs: 60, concurrency: 1 });
    const byLimit = await client.complete(completionRequest());
    expect(byLimit).toMatchObject({ reason: 'timeout', usage: { promptTokens: null, attempts: 1 } });
    expect(messageOf(byLimit)).toMatch(/no answer within \d+\.\d s from openai/);
    const waiting = client.complete(completionRequest());
    const queued = client.complete(completionRequest({ deadlineAt: performance.now() + 20 }));
    expect(await queued).toMatchObject({ reason: 'timeout', usage: { attempts: 0 } });
    expect(await waiting).toMatchObject({ reason: 'timeout' });
  });

  it('gives the connection of an abandoned request free', async () => {
    const { double, client } = await withDouble(
      { answer: ({ n }) => (n === 1 ? { hang: true } : {}) },
      { concurrency: 1 },
    );
    const stop = new AbortController();
    const abandoned = client.complete(completionRequest({ signal: stop.signal }));
    await until(() => double.counts.received === 1);
    stop.abort();
    expect(await abandoned).toMatchObject({ reason: 'cancelled' });
    expect(await client.complete(completionRequest())).toMatchObject({ status: 'answered' });
  });
});

describe('many at the same time', () => {
  it('loses none of many evaluations of which some get a request to slow down', async () => {
    const count = repeated(600);
    const { double, client } = await withDouble({
      delayMs: 4,
      rateLimit: { share: 12 / count, seed: 5 },
      record: false,
    });
    let next = 0;
    let answered = 0;
    const worker = async () => {
      while (next++ < count)
        if ((await client.complete(completionRequest())).status === 'answered') answered++;
    };
    await Promise.all(Array.from({ length: 20 }, worker));
    expect(answered).toBe(count);
    expect(double.counts.rateLimited).toBeGreaterThan(3);
    expect(double.counts.most).toBeLessThanOrEqual(20);
  });

  it('keeps within the ceiling', async () => {
    let letGo = () => {};
    const later = new Promise<void>((done) => {
      letGo = done;
    });
    const answer = async () => {
      await later;
      return {};
    };
    const { double, client } = await withDouble({ answer }, { concurrency: 7 });
    const all = Array.from({ length: 40 }, () => client.complete(completionRequest()));
    await until(() => double.counts.received === 7);
    letGo();
    await Promise.all(all);
    expect(double.counts.most).toBe(7);
  });

  it('raises no warning about listeners when many calls share a signal', async () => {
    const warnings: string[] = [];
    const note = (warning: Error) => warnings.push(warning.message);
    process.on('warning', note);
    const { client } = await withDouble({ delayMs: 5 });
    const { signal } = new AbortController();
    await Promise.all(Array.from({ length: 60 }, () => client.complete(completionRequest({ signal }))));
    await new Promise((done) => setImmediate(done));
    process.off('warning', note);
    expect(warnings).toEqual([]);
  });
});
