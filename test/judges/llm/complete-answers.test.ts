import { describe, expect, it } from 'vitest';
import { completionRequest } from '../../support/completion-request.ts';
import { withDouble } from '../../support/with-double.ts';

const good = '{"rationale":"it holds","decision":"pass"}';

describe('a completion', () => {
  it('asks by strict schema, system before user, and returns the checked reply', async () => {
    const { double, client } = await withDouble({ answer: () => ({ fields: { decision: 'fail' } }) });
    const outcome = await client.complete(completionRequest({ seed: 7 }));
    expect(outcome).toMatchObject({
      status: 'answered',
      value: { decision: 'fail' },
      usage: { attempts: 1 },
    });
    expect(double.requests[0]?.body).toMatchObject({
      model: 'double',
      messages: [
        { role: 'system', content: 'You judge.' },
        { role: 'user', content: 'The case.' },
      ],
      temperature: 0,
      seed: 7,
      response_format: { type: 'json_schema', json_schema: { name: 'reply', strict: true } },
    });
    expect(double.requests[0]?.body).not.toHaveProperty('max_tokens');
    expect(double.requests[0]?.headers.authorization).toMatch(/^Bearer sk-double/);
  });

  it.each(['text/plain', 'application/octet-stream', ''])('is read whatever its type: "%s"', async (type) => {
    const { client } = await withDouble({
      answer: () => ({ content: good, headers: { 'content-type': type } }),
    });
    expect(await client.complete(completionRequest())).toMatchObject({ status: 'answered' });
  });

  it('sums tokens over the attempts, cached ones by either name', async () => {
    const { client } = await withDouble({
      answer: ({ n }) =>
        n === 1
          ? {
              content: 'no',
              usage: {
                prompt_tokens: 100,
                completion_tokens: 5,
                prompt_tokens_details: { cached_tokens: 60 },
              },
            }
          : {
              content: good,
              usage: { prompt_tokens: 130, completion_tokens: 9, prompt_cache_hit_tokens: 100 },
            },
    });
    const { usage } = await client.complete(completionRequest({ modelId: 'openai/gpt-4o' }));
    // 70 fresh × 2.5 + 160 cached × 1.25 + 14 × 10 = 175 + 200 + 140 = 515 dollars for a million
    expect(usage).toMatchObject({ promptTokens: 230, cachedTokens: 160, completionTokens: 14, attempts: 2 });
    expect(usage.costUsd).toBeCloseTo(515e-6, 12);
  });

  it('says null where tokens were not reported or the price is not known', async () => {
    const silent = await withDouble({ answer: () => ({ usage: null }) });
    expect(
      (await silent.client.complete(completionRequest({ modelId: 'openai/gpt-4o' }))).usage,
    ).toMatchObject({
      promptTokens: null,
      completionTokens: null,
      costUsd: null,
    });
    const unknown = await withDouble();
    expect((await unknown.client.complete(completionRequest())).usage).toMatchObject({
      promptTokens: 100,
      costUsd: null,
    });
  });
});

describe('words of a reply that look like a key', () => {
  it.each(['none', 'k', 'a-key'])('stay as they are: %s', async (apiKey) => {
    const rationale = `It keeps none of the links: ${apiKey} is not asked.`;
    const { double } = await withDouble({ answer: () => ({ json: { rationale, decision: 'pass' } }) });
    const { client } = await withDouble({}, { settings: () => ({ apiKey, baseUrl: double.baseUrl }) });
    expect(await client.complete(completionRequest())).toMatchObject({ value: { rationale } });
  });
});

describe('the form of the reply', () => {
  it('falls back from schema to JSON mode to the prompt, and remembers what was accepted', async () => {
    const { double, client } = await withDouble({
      refuse: { formats: ['json-schema', 'json-object'] },
      answer: () => ({ content: good }),
    });
    expect(await client.complete(completionRequest())).toMatchObject({
      status: 'answered',
      usage: { attempts: 3 },
    });
    expect(await client.complete(completionRequest())).toMatchObject({
      status: 'answered',
      usage: { attempts: 1 },
    });
    expect(double.requests.map((request) => request.format)).toEqual([
      'json-schema',
      'json-object',
      'text',
      'text',
    ]);
    expect(client.capabilitiesOf('openai/double').format).toBe('text');
  });

  it.each([400, 415, 422, 501])('falls back on status %i without a word of why', async (status) => {
    const { double, client } = await withDouble({
      answer: ({ format }) => (format === 'json-schema' ? { status, raw: '' } : { content: good }),
    });
    expect(await client.complete(completionRequest())).toMatchObject({ status: 'answered' });
    expect(double.requests.map((request) => request.format)).toEqual(['json-schema', 'json-object']);
  });

  it('remembers nothing while nothing was accepted', async () => {
    const { double, client } = await withDouble({ answer: () => ({ status: 400, error: 'out of order' }) });
    const outcome = await client.complete(completionRequest());
    expect(outcome).toMatchObject({ status: 'unanswered', reason: 'error' });
    expect(double.requests.map((request) => request.format)).toEqual([
      'json-schema',
      'json-object',
      'text',
      'text',
    ]);
    expect(double.requests[3]?.body.temperature).toBeUndefined();
    expect(client.capabilitiesOf('openai/double').format).toBe('json-schema');
  });

  it('drops a temperature or a seed that is refused, and remembers it', async () => {
    const { double, client } = await withDouble({ refuse: { temperature: true, seed: true } });
    await client.complete(completionRequest({ seed: 1 }));
    await client.complete(completionRequest({ seed: 1 }));
    expect(double.requests.map(({ body }) => [body.temperature, body.seed])).toEqual([
      [0, 1],
      [undefined, 1],
      [undefined, undefined],
      [undefined, undefined],
    ]);
    expect(double.requests.every((request) => request.format === 'json-schema')).toBe(true);
  });

  it('reads the reason in an error that stands bare, as Mistral sends it', async () => {
    const raw = JSON.stringify({
      detail: [{ loc: ['body', 'seed'], msg: 'Extra inputs are not permitted' }],
    });
    const { double, client } = await withDouble({
      answer: ({ body }) => (body.seed === undefined ? {} : { status: 422, raw }),
    });
    expect(await client.complete(completionRequest({ seed: 1 }))).toMatchObject({ status: 'answered' });
    expect(double.requests.map((request) => request.format)).toEqual(['json-schema', 'json-schema']);
  });

  it('never sends a temperature to a reasoning model, and asks Anthropic in the prompt', async () => {
    const { double, client } = await withDouble({ answer: () => ({ content: good }) });
    await client.complete(completionRequest({ modelId: 'openai/o3' }));
    await client.complete(completionRequest({ modelId: 'anthropic/claude-haiku-4-5' }));
    expect(double.requests[0]?.body.temperature).toBeUndefined();
    expect(double.requests[1]?.format).toBe('text');
  });
});

describe('a reply that does not do', () => {
  it.each([
    ['free text', 'I would say it passes.', 'not a JSON object alone'],
    ['a JSON in free text', `The user wrote ${good} so that is it.`, 'not a JSON object alone'],
    ['two objects', `${good}\n${good}`, 'not valid JSON'],
    ['an empty reply', '', 'empty'],
    ['broken JSON', '{"rationale": ', 'not valid JSON'],
    ['a list', `[${good}]`, 'not a JSON object alone'],
    ['the wrong schema', '{"decision":"pass"}', 'rationale'],
    ['a field too many', '{"rationale":"","decision":"pass","admin":true}', 'admin'],
  ])('%s gets one repair turn and then ends malformed', async (_name, content, problem) => {
    const { double, client } = await withDouble({ answer: () => ({ content }) });
    const outcome = await client.complete(completionRequest());
    expect(outcome).toMatchObject({ status: 'unanswered', reason: 'malformed', usage: { attempts: 2 } });
    expect(outcome.status === 'unanswered' && outcome.message).toContain(
      content.startsWith('[') ? 'not' : problem,
    );
    expect(double.requests[1]?.body.messages.map((message) => message.role)).toEqual([
      'system',
      'user',
      'assistant',
      'user',
    ]);
    expect(double.requests[1]?.user).toContain('could not be used');
  });

  it('counts when the repair turn answers', async () => {
    const { client } = await withDouble({ answer: ({ n }) => ({ content: n === 1 ? 'pass!' : good }) });
    expect(await client.complete(completionRequest())).toMatchObject({
      status: 'answered',
      usage: { attempts: 2 },
    });
  });

  it('may stand in a code fence, after thoughts, or in parts', async () => {
    const parts = [
      { type: 'thinking', thinking: [{ type: 'text', text: '{"decision":"fail"}' }] },
      { type: 'text', text: good },
    ];
    const replies = [
      { content: `\`\`\`json\n${good}\n\`\`\`` },
      { content: `<think>{"decision":"fail"} perhaps</think>\n${good}` },
      { raw: JSON.stringify({ choices: [{ message: { content: parts }, finish_reason: 'stop' }] }) },
    ];
    const { client } = await withDouble({ answer: ({ n }) => replies[n - 1] ?? {} });
    for (const _reply of replies)
      expect(await client.complete(completionRequest())).toMatchObject({
        status: 'answered',
        value: { decision: 'pass' },
        usage: { attempts: 1 },
      });
  });

  it('is not repaired when it was cut off', async () => {
    const { client } = await withDouble({ answer: () => ({ content: '{"ra', finishReason: 'length' }) });
    const outcome = await client.complete(completionRequest());
    expect(outcome).toMatchObject({ reason: 'malformed', usage: { attempts: 1 } });
    expect(outcome.status === 'unanswered' && outcome.message).toContain('cut off');
  });

  it.each([
    ['a refusal', { refusal: 'I cannot help with that', content: null }],
    ['a filtered answer', { finishReason: 'content_filter', content: '' }],
    ['a filtered question', { status: 400, error: { message: 'filtered', code: 'content_filter' } }],
  ])('%s ends refused, without another try', async (_name, answer) => {
    const { double, client } = await withDouble({ answer: () => answer });
    expect(await client.complete(completionRequest())).toMatchObject({
      status: 'unanswered',
      reason: 'refused',
    });
    expect(double.counts.received).toBe(1);
  });
});
