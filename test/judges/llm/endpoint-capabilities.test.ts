import { describe, expect, it } from 'vitest';
import { completionRequest } from '../../support/completion-request.ts';
import type { DoubleRequest } from '../../support/model-double.ts';
import { withDouble } from '../../support/with-double.ts';

const good = '{"rationale":"it holds","decision":"pass"}';
const formatsOf = (requests: DoubleRequest[]) => requests.map((request) => request.format);
const bad = { status: 400, error: 'temporarily bad' };

describe('a refusal that does not say of what', () => {
  it('is heeded in its own call alone, the repair turn included', async () => {
    const { double, client } = await withDouble({
      answer: ({ n }) => (n === 1 ? bad : n === 2 ? { content: 'no' } : { content: good }),
    });
    expect(await client.complete(completionRequest())).toMatchObject({ status: 'answered' });
    expect(client.capabilitiesOf('openai/double').format).toBe('json-schema');
    expect(await client.complete(completionRequest())).toMatchObject({ usage: { attempts: 1 } });
    expect(formatsOf(double.requests)).toEqual(['json-schema', 'json-object', 'json-object', 'json-schema']);
  });

  it('is remembered once a second call came to the same', async () => {
    const { double, client } = await withDouble({
      answer: ({ format }) => (format === 'json-schema' ? bad : { content: good }),
    });
    for (let n = 0; n < 3; n++) await client.complete(completionRequest());
    expect(formatsOf(double.requests)).toEqual([
      'json-schema',
      'json-object',
      'json-schema',
      'json-object',
      'json-object',
    ]);
    expect(client.capabilitiesOf('openai/double').format).toBe('json-object');
  });

  it('is not confirmed by calls of the same moment', async () => {
    const { client } = await withDouble({
      answer: ({ n }) => (n <= 8 ? { ...bad, delayMs: 20 } : { content: good }),
    });
    await Promise.all(Array.from({ length: 8 }, () => client.complete(completionRequest())));
    expect(client.capabilitiesOf('openai/double').format).toBe('json-schema');
  });

  it('is forgotten when the setting was taken in between', async () => {
    const { client } = await withDouble({
      answer: ({ n }) => (n === 1 || n === 4 ? bad : { content: good }),
    });
    for (let n = 0; n < 3; n++) await client.complete(completionRequest());
    expect(client.capabilitiesOf('openai/double').format).toBe('json-schema');
  });
});

describe('a refusal that names a setting', () => {
  it('is remembered at once, by its param or its words, for every spelling of the provider', async () => {
    const { double, client } = await withDouble({
      answer: ({ body, format }) => {
        if (format === 'json-schema') return { error: { message: 'not here', param: 'response_format' } };
        if (body.temperature !== undefined)
          return { error: `${'x'.repeat(400)} temperature is not supported` };
        return { content: good };
      },
    });
    expect(await client.complete(completionRequest())).toMatchObject({ usage: { attempts: 3 } });
    expect(await client.complete(completionRequest({ modelId: 'OpenAI/double' }))).toMatchObject({
      usage: { attempts: 1 },
    });
    expect(double.requests[3]).toMatchObject({ format: 'json-object' });
    expect(client.capabilitiesOf('openai/double')).toEqual({
      format: 'json-object',
      temperature: false,
      seed: true,
    });
  });

  it('does not bring with it what was given up for no stated reason', async () => {
    const { client } = await withDouble({
      answer: ({ n, body }) => {
        if (n === 1) return bad;
        return body.seed === undefined ? { content: good } : { error: 'seed is not supported' };
      },
    });
    await client.complete(completionRequest({ seed: 1 }));
    expect(client.capabilitiesOf('openai/double')).toEqual({
      format: 'json-schema',
      temperature: true,
      seed: false,
    });
  });
});

describe('a wrong address or model', () => {
  it.each([
    [404, 'Cannot POST /chat/completions'],
    [404, ''],
    [400, 'Invalid model: double'],
    [400, 'double is not a valid model ID'],
  ])('costs one request: %i %s', async (status, error) => {
    const { double, client } = await withDouble({ answer: () => ({ status, error }) });
    expect(await client.complete(completionRequest())).toMatchObject({ reason: 'error' });
    expect(double.counts.received).toBe(1);
  });

  it('is distinguished from a 404 for the format of the reply', async () => {
    const { client } = await withDouble({
      answer: ({ format }) =>
        format === 'json-schema'
          ? { status: 404, error: 'no endpoint supports response_format json_schema' }
          : { content: good },
    });
    expect(await client.complete(completionRequest())).toMatchObject({ status: 'answered' });
    expect(client.capabilitiesOf('openai/double').format).toBe('json-object');
  });
});
