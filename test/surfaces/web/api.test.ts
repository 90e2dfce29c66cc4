import { Ajv2020 } from 'ajv/dist/2020.js';
import { expect, test } from 'vitest';
import * as z from 'zod';
import { Verdict } from '../../../src/judging/verdict/verdict.ts';
import { subjectsOf } from '../../../src/labels/record/vote-subjects.ts';
import { draftAgain } from '../../../src/surfaces/forms/ask-desk.ts';
import { sessionOf } from '../../support/open-link.ts';
import { call } from '../../support/page-service.ts';
import { ALIKE_LINE, PASTE, UNSURE, UNSURE_ALIKE, UNSURE_LINE } from '../../support/pastes.ts';
import { isReading, unlabeled, unlabeledParts } from '../../support/reader-double.ts';
import { closeAfterEach } from '../../support/resources.ts';
import { runService } from '../../support/run-service.ts';
import { serviceModel } from '../../support/service-model.ts';

closeAfterEach();

const joke = { conversation: [{ role: 'user', text: 'Tell me a joke' }], response: 'No.' };
const WithId = z.object({ id: z.string(), case: z.unknown(), ...Verdict.shape });
const Failure = z.object({ error: z.looseObject({ code: z.string(), message: z.string() }) });

async function start(env: Record<string, string> = {}) {
  const jury = await runService(env);
  const { port } = jury.service;
  const api = async (method: string, path: string, body?: unknown, headers: Record<string, string> = {}) => {
    const answer = await call(port, `/api/v1${path}`, {
      method,
      headers,
      ...(body === undefined ? {} : { body }),
    });
    return { status: answer.status, json: answer.text === '' ? null : JSON.parse(answer.text) };
  };
  return { jury, port, api };
}

test('judges a paste or a case and keeps the verdict, which can be read and found', async () => {
  const { api } = await start();
  const fail = await api('POST', '/verdicts', { paste: PASTE });
  expect(fail.status).toBe(200);
  const verdict = WithId.parse(fail.json);
  expect(verdict).toMatchObject({ decision: 'fail', rubric: 'navigation' });
  expect((await api('GET', `/verdicts/${verdict.id}`)).json).toEqual(fail.json);
  const other = await api('POST', '/verdicts', {
    ...joke,
    models: ['rules'],
    rubric: 'conversation-quality',
  }).catch(() => null);
  expect(other?.status === 200 || Failure.safeParse(other?.json).success).toBe(true);
  const found = await api('GET', '/verdicts?rubric=navigation&decision=fail');
  expect(found.json).toEqual({ verdicts: [fail.json], cursor: null });
  expect((await api('GET', '/verdicts?decision=pass')).json).toEqual({ verdicts: [], cursor: null });
  expect((await api('GET', '/verdicts?since=2099-01-01')).json).toEqual({ verdicts: [], cursor: null });
  const empty = await api('GET', '/verdicts?rubric=&decision=&since=&cursor=&q=&limit=');
  expect(empty.json.verdicts).toContainEqual(fail.json);
});

test('refuses a line whose reading the outcome depends on with both readings, until one is chosen', async () => {
  const { api } = await start();
  const refused = await api('POST', '/verdicts', { paste: UNSURE });
  expect([refused.status, refused.json.error.code, refused.json.error.unsure]).toEqual([
    422,
    'unsure',
    UNSURE_LINE,
  ]);
  const { remark, answer } = refused.json.error.readings;
  expect([remark.response.includes(UNSURE_LINE), answer.response.includes(UNSURE_LINE)]).toEqual([
    false,
    true,
  ]);
  expect((await api('GET', '/verdicts')).json.verdicts).toEqual([]);
  const left = await api('POST', '/verdicts', { paste: UNSURE, unsure: 'remark' });
  expect([left.status, left.json.leftOut, left.json.case.response]).toEqual([
    200,
    UNSURE_LINE,
    remark.response,
  ]);
  const whole = await api('POST', '/verdicts', { paste: UNSURE, unsure: 'answer' });
  expect([whole.json.leftOut, whole.json.case.response]).toEqual([undefined, answer.response]);
  expect((await api('POST', '/verdicts', { paste: UNSURE_ALIKE })).json.leftOut).toBe(ALIKE_LINE);
  const refuse = await api('POST', '/verdicts', { paste: UNSURE_ALIKE, unsure: 'refuse' });
  expect([refuse.status, refuse.json.error.code]).toEqual([422, 'unsure']);
  expect((await api('POST', '/verdicts', { paste: UNSURE, unsure: 'perhaps' })).status).toBe(400);
  expect((await api('POST', '/verdicts', { ...joke, unsure: 'perhaps' })).status).toBe(400);
});

test('says what is wrong and what to do', async () => {
  const { api } = await start();
  const codeOf = async (answer: ReturnType<typeof api>) => {
    const { status, json } = await answer;
    return [status, Failure.parse(json).error.code];
  };
  expect(await codeOf(api('POST', '/verdicts', { paste: 'hello' }))).toEqual([422, 'unclear']);
  expect(await codeOf(api('POST', '/verdicts', { paste: `${PASTE}\n---\n${PASTE}` }))).toEqual([
    422,
    'unclear',
  ]);
  expect(await codeOf(api('POST', '/verdicts', { ...joke, rubric: 'no-such' }))).toEqual([422, 'refused']);
  expect(await codeOf(api('POST', '/verdicts', { paste: PASTE, modles: ['rules'] }))).toEqual([
    400,
    'bad-request',
  ]);
  expect(await codeOf(api('POST', '/verdicts', { ...joke, models: ['mistral/small'] }))).toEqual([
    422,
    'refused',
  ]);
  expect(await codeOf(api('GET', '/verdicts/nope'))).toEqual([404, 'not-found']);
  expect(await codeOf(api('GET', '/nope'))).toEqual([404, 'not-found']);
  expect(await codeOf(api('GET', '/verdicts?decision=maybe'))).toEqual([400, 'bad-request']);
  for (const path of [
    '/verdicts?rubrik=x',
    '/verdicts?rubrik=',
    '/rubrics?q=x',
    '/verdicts/nope?q=x',
    '/runs?limit=2',
  ])
    expect(await codeOf(api('GET', path))).toEqual([400, 'bad-request']);
  expect(await codeOf(api('POST', '/verdicts?rubric=navigation', { paste: PASTE }))).toEqual([
    400,
    'bad-request',
  ]);
  expect((await api('GET', '/verdicts?rubrik=x')).json.error.message).toBe(
    'rubrik: is not a known key; choose from: q, rubric, decision, since, cursor, limit',
  );
  expect((await api('GET', '/runs?limit=2')).json.error.message).toBe('limit: this address takes no query');
  expect(await codeOf(api('POST', '/verdicts', 'not an object'))).toEqual([400, 'bad-request']);
  expect(await codeOf(api('POST', '/verdicts', { paste: 'x'.repeat(2 ** 20) }))).toEqual([413, 'too-large']);
  const since = await api('GET', '/verdicts?since=yesterday');
  expect(since.json.error.message).toBe('since: must be a day or a time, such as 2026-10-01');
  const { json } = await api('POST', '/verdicts', { paste: 'User: hello' });
  expect(json.error.missing).toEqual(['response']);
});

test('says so of a case that is nested without end', async () => {
  const { port } = await start();
  const body = `${'{"a":'.repeat(50_000)}1${'}'.repeat(50_000)}`;
  const headers = { ...sessionOf(port), 'content-type': 'application/json', 'idempotency-key': 'deep' };
  const answer = await fetch(`http://127.0.0.1:${port}/api/v1/verdicts`, { method: 'POST', headers, body });
  expect([answer.status, await answer.text()]).toEqual([400, expect.stringContaining('nested too deep')]);
});

test('reports an endpoint that refuses the key as a bad gateway', async () => {
  const { env } = await serviceModel({ answer: () => ({ status: 401, error: 'Incorrect API key' }) });
  const { api } = await start(env);
  const { status, json } = await api('POST', '/verdicts', joke);
  expect([status, json.error.code]).toEqual([502, 'failed']);
  expect(json.error.message).toContain('OPENAI_API_KEY');
});

test('sent again with the same key, it is the same request', async () => {
  const { api } = await start();
  const headers = { 'idempotency-key': 'build-17' };
  const first = await api('POST', '/verdicts', { paste: PASTE }, headers);
  const again = await api('POST', '/verdicts', { paste: PASTE }, headers);
  expect(again.json).toEqual(first.json);
  expect((await api('GET', '/verdicts')).json.verdicts).toHaveLength(1);
  // Another case is another request, whatever its key.
  const other = await api('POST', '/verdicts', { paste: PASTE.replace('sushi', 'ramen') }, headers);
  expect(other.json.id).not.toBe(first.json.id);
  const long = { 'idempotency-key': 'k'.repeat(201) };
  expect(await api('POST', '/verdicts', { paste: PASTE }, long)).toEqual({
    status: 400,
    json: { error: { code: 'bad-request', message: 'Idempotency-Key: must have 1 to 200 characters.' } },
  });
});

test('a page of verdicts tells nothing of those that the caller may not see', async () => {
  const { api, jury } = await start({ JURY_API_TOKENS: 'ci:a-token-for-ci-0123456789' });
  const headers = { authorization: 'Bearer a-token-for-ci-0123456789' };
  const { json: own } = await api('POST', '/verdicts', { paste: PASTE }, headers);
  const store = await jury.parts.store();
  const record = await store.verdict(own.id);
  if (record === null) throw new Error('not kept');
  await store.saveVerdict({
    ...record,
    id: 'private',
    at: record.at + 1,
    source: { ...record.source, surface: 'slack', channel: 'C1' },
  });
  await store.saveVerdict({ ...record, id: 'hidden', at: record.at + 2, blind: true });
  for (const search of ['q=sushi', 'decision=fail', 'q=sushi&decision=fail']) {
    const { json } = await api('GET', `/verdicts?limit=1&${search}`, undefined, headers);
    // The hidden one is there by its case alone, and the private one not at all.
    const seen = search === 'q=sushi' ? 'hidden' : own.id;
    expect(json.verdicts.map(({ id }: { id: string }) => id)).toEqual([seen]);
    expect(json.cursor).toBe(search === 'q=sushi' ? 'hidden' : null);
  }
  expect((await api('GET', '/verdicts?q=%3F%3F', undefined, headers)).json.verdicts).toEqual([]);
  // Where a page ends that they may not see, none begins.
  for (const cursor of ['gone', 'private'])
    expect((await api('GET', `/verdicts?cursor=${cursor}`, undefined, headers)).json.error).toMatchObject({
      code: 'bad-request',
      message: expect.stringMatching(/^cursor: no page ends there/),
    });
});

test('streams how the judges get on, the verdict last', async () => {
  const { env } = await serviceModel({ delayMs: 200, answer: () => ({ fields: { decision: 'pass' } }) });
  const { port } = await start(env);
  const headers = { accept: 'text/event-stream' };
  const { text } = await call(port, '/api/v1/verdicts', { method: 'POST', body: joke, headers });
  const events = [...text.matchAll(/event: (\w+)\ndata: (.*)\n\n/g)].map(([, name, data = '']) => ({
    name,
    data: JSON.parse(data),
  }));
  expect(events.length).toBeGreaterThan(1);
  expect(new Set(events.slice(0, -1).map(({ name }) => name))).toEqual(new Set(['progress']));
  expect(events.at(-1)?.name).toBe('verdict');
  expect(WithId.parse(events.at(-1)?.data).decision).toBe('pass');
  const failed = await call(port, '/api/v1/verdicts', { method: 'POST', body: { paste: 'hello' }, headers });
  expect([failed.status, JSON.parse(failed.text).error.code]).toEqual([422, 'unclear']);
});

test('takes what is right about a case that the panel did not decide, and nothing that agrees or disagrees', async () => {
  const { api, jury } = await start();
  const store = await jury.parts.store();
  const { json: kept } = await api('POST', '/verdicts', { paste: PASTE });
  const record = await store.verdict(kept.id);
  if (record === null) throw new Error('the verdict is kept');
  const undecided = (id: string, verdict: object, parts: object = {}) => {
    const made = { ...record.verdict, decision: 'undecided' as const, ...verdict };
    return store.saveVerdict({ ...record, ...parts, id, verdict: made, subjects: subjectsOf(made) });
  };
  await undecided('open', {});
  await undecided('scored', { scale: { min: 0, max: 4 } });
  await undecided('hidden', {}, { blind: true });
  const vote = (id: string, body: unknown) => api('PUT', `/verdicts/${id}/vote`, body);
  const none = { agree: 0, disagree: 0, unsure: 0 };

  for (const value of ['agree', 'disagree']) {
    const refused = await vote('open', { value });
    expect([refused.status, refused.json.error.message]).toEqual([
      422,
      expect.stringContaining('{"right":"pass"} or {"right":"fail"}'),
    ]);
  }
  expect(await store.votes('open')).toEqual([]);
  expect((await vote('open', { right: 'fail' })).json).toEqual({
    vote: 'fail',
    tally: { ...none, right: { fail: 1 } },
  });
  expect((await vote('open', { right: 'fail' })).json.tally.right).toEqual({ fail: 1 });
  expect((await vote('open', { right: 'pass', value: 'agree' })).status).toBe(422);
  expect((await vote('open', { right: 3 })).status).toBe(422);
  expect((await vote('open', { right: 'Fail' })).json.error.message).toContain(
    'must be "pass", "fail" or a number',
  );
  expect((await vote('open', { value: 'unsure' })).json).toEqual({
    vote: 'unsure',
    tally: { ...none, unsure: 1 },
  });
  expect((await vote('open', { value: null, comment: 'why' })).status).toBe(400);
  expect((await vote('open', { value: null })).json).toEqual({ vote: null, tally: none });

  expect((await vote('scored', { right: 3 })).json).toEqual({ vote: 3, tally: { ...none, right: { 3: 1 } } });
  expect((await vote('scored', { right: 7 })).json.error.message).toContain('a number from 0 to 4');
  expect((await vote('scored', { right: 'pass' })).status).toBe(422);

  // Whether it was decided must not show: the same as of any hidden verdict.
  expect((await vote('hidden', { value: 'agree' })).json.error.code).toBe('vote-first');
  expect((await vote('hidden', { right: 'pass' })).json).toEqual({
    vote: 'pass',
    tally: { ...none, right: { pass: 1 } },
  });
  expect((await vote(kept.id, { right: 'pass' })).json.error.message).toContain('{"value":"agree"}');
  const { text } = await call(jury.service.port, '/api/v1/openapi.json');
  expect(text).toContain('"right"');
});

test('counts votes; of a verdict that is hidden it tells nothing before one’s own answer', async () => {
  const { api, jury } = await start();
  const { json: open } = await api('POST', '/verdicts', { paste: PASTE });
  const vote = (id: string, body: unknown) => api('PUT', `/verdicts/${id}/vote`, body);
  expect((await vote(open.id, { value: 'agree' })).json).toEqual({
    vote: 'agree',
    tally: { agree: 1, disagree: 0, unsure: 0 },
  });
  expect(
    (await vote(open.id, { value: 'disagree', criterion: 'rating', comment: 'rounded' })).json.tally.disagree,
  ).toBe(1);
  expect((await vote(open.id, { value: 'disagree', criterion: 'nope' })).json.error.code).toBe('refused');
  expect((await vote(open.id, { value: null })).json).toEqual({
    vote: null,
    tally: { agree: 0, disagree: 0, unsure: 0 },
  });
  const store = await jury.parts.store();
  await store.saveChannelSettings('page', { wish: {}, blind: true });
  const { json: hidden } = await api('POST', '/verdicts', { paste: PASTE });
  expect(hidden).toEqual({ id: hidden.id, rubric: 'navigation', hidden: true });
  expect((await api('GET', `/verdicts/${hidden.id}`)).json).toEqual(hidden);
  expect((await api('GET', '/verdicts?decision=fail')).json.verdicts).toHaveLength(1);
  expect((await vote(hidden.id, { value: 'agree' })).json.error.code).toBe('vote-first');
  const answered = await vote(hidden.id, { answer: { kind: 'decision', decision: 'pass' } });
  expect(answered.json).toEqual({ vote: 'disagree', tally: { agree: 0, disagree: 1, unsure: 0 } });
  expect((await api('GET', `/verdicts/${hidden.id}`)).json.decision).toBe('fail');
  // The first answer counts: the same once more is no other one, and another one is refused with the reason.
  expect((await vote(hidden.id, { answer: { kind: 'decision', decision: 'pass' } })).json).toEqual(
    answered.json,
  );
  const other = await vote(hidden.id, { answer: { kind: 'decision', decision: 'fail' } });
  expect(other.json.error).toMatchObject({
    code: 'refused',
    message: expect.stringContaining('first answer counts'),
  });
});

test('says what to send where a body has another form', async () => {
  const { api } = await start();
  const problem = async (body: unknown) => (await api('POST', '/verdicts', body)).json.error.message;
  expect(await problem([])).toContain('Send one JSON object: {"paste": "…"}');
  expect(await problem({ paste: PASTE, models: 'rules' })).toBe('models: must be a list');
  expect(await problem({ paste: 7 })).toBe('paste: must be text');
});

test('lists what there is, and pages of verdicts', async () => {
  const { api } = await start();
  for (const what of ['rubrics', 'methods', 'personas', 'models'])
    expect((await api('GET', `/${what}`)).json[0]).toMatchObject({ id: expect.any(String) });
  const { json: models } = await api('GET', '/models');
  for (const [id, temperature] of [
    ['openai/gpt-4o-mini', true],
    ['openai/o3', false],
  ])
    expect(models).toContainEqual(expect.objectContaining({ id, temperature, ready: expect.any(Boolean) }));
  for (let n = 0; n < 5; n += 1) await api('POST', '/verdicts', { paste: `${PASTE}\nid: case-${n}` });
  const seen: string[] = [];
  let cursor: string | null = '';
  while (cursor !== null) {
    const { json }: Awaited<ReturnType<typeof api>> = await api(
      'GET',
      `/verdicts?limit=2${cursor === '' ? '' : `&cursor=${cursor}`}`,
    );
    seen.push(...json.verdicts.map(({ id }: { id: string }) => id));
    cursor = json.cursor;
  }
  expect(new Set(seen).size).toBe(5);
});

const Described = z.object({
  content: z.object({ 'application/json': z.object({ schema: z.record(z.string(), z.unknown()) }) }),
});
const Operation = z.object({
  requestBody: Described.optional(),
  responses: z.record(z.string(), Described),
});
const Description = z.object({
  openapi: z.literal('3.1.0'),
  paths: z.record(z.string(), z.object({ get: Operation.optional(), post: Operation.optional() })),
});

test('takes and answers what its own description says', async () => {
  const { api } = await start();
  const { json: description } = await api('GET', '/openapi.json');
  const { paths } = Description.parse(description);
  const ajv = new Ajv2020({ strict: false, validateFormats: false }).addSchema(description, 'api');
  const problems = (described: z.infer<typeof Described> | undefined, value: unknown) => {
    const schema = described?.content['application/json'].schema ?? false;
    // Its references are to other parts of the description.
    const whole = JSON.parse(JSON.stringify(schema).replaceAll('"#/', '"api#/'));
    return ajv.validate(whole, value) ? null : ajv.errors;
  };
  const { requestBody, responses } = Operation.parse(paths['/verdicts']?.post);

  const bodies = [
    { paste: PASTE, models: ['rules'], rubric: 'navigation' },
    { ...joke, models: ['rules'], method: 'mab', panel: ['auditor'], rubric: 'question-answering' },
  ];
  for (const body of bodies) {
    expect(problems(requestBody, body)).toBeNull();
    const { status, json } = await api('POST', '/verdicts', body);
    expect(problems(responses[status], json)).toBeNull();
  }
  expect(problems(requestBody, { ...joke, wrong: 1 })).not.toBeNull();
  expect(problems(responses[200], { id: 'v1', rubric: 'navigation', hidden: true })).toBeNull();

  const [{ id }] = (await api('GET', '/verdicts')).json.verdicts;
  for (const [path, { get }] of Object.entries(paths)) {
    if (get === undefined || path === '/runs/{name}') continue;
    const { status, json } = await api('GET', path.replace('{id}', id));
    expect([path, status, problems(get.responses[200], json)]).toEqual([path, 200, null]);
  }
});

test('answers with the exact checks where no model decides, unless the caller named the models', async () => {
  const { env, double } = await serviceModel();
  const { api } = await start({ ...env, JURY_DAILY_BUDGET_USD: '0' });
  const answer = await api('POST', '/verdicts', { paste: PASTE });
  expect(answer.status).toBe(200);
  expect(WithId.parse(answer.json)).toMatchObject({ decision: 'fail', fallback: 'budget' });
  expect((await api('GET', `/verdicts/${answer.json.id}`)).json).toEqual(answer.json);
  const named = await api('POST', '/verdicts', { paste: PASTE, models: ['openai/gpt-4o-mini'] });
  expect([named.status, Failure.parse(named.json).error.code]).toEqual([429, 'budget']);
  const needsModel = await api('POST', '/verdicts', joke);
  expect([needsModel.status, Failure.parse(needsModel.json).error.code]).toEqual([429, 'budget']);
  expect(double.counts.received).toBe(0);
});

test('an endpoint that refuses the key leaves the exact checks, with the reason among the remarks', async () => {
  const { env } = await serviceModel({
    answer: () => ({ status: 401, error: 'Incorrect API key provided' }),
  });
  const { api } = await start(env);
  const { status, json } = await api('POST', '/verdicts', { paste: PASTE });
  const verdict = WithId.parse(json);
  expect([status, verdict.decision, verdict.fallback]).toEqual([200, 'fail', 'refused']);
  expect(verdict.remarks.join()).toContain('set OPENAI_API_KEY to a valid key');
  expect(verdict.why).toMatch(/^exact checks only, the model's endpoint refuses to answer: /);
  const named = await api('POST', '/verdicts', { paste: PASTE, models: ['openai/gpt-4o-mini'] });
  expect(Failure.parse(named.json).error.message).toContain('set OPENAI_API_KEY to a valid key');
});

test('a card of exact checks that stood in for a model is judged again by the model', async () => {
  const { env } = await serviceModel({ answer: () => ({ fields: { decision: 'pass' } }) });
  const { api, jury } = await start({ ...env, JURY_DAILY_BUDGET_USD: '0' });
  const { json } = await api('POST', '/verdicts', { paste: PASTE });
  const record = await (await jury.parts.store()).verdict(json.id);
  if (record === null) throw new Error('there is no verdict');
  expect(draftAgain(record).wish).toEqual({ rubric: json.rubric, method: json.method });
  const { fallback: _, ...ordinary } = record.verdict;
  expect(draftAgain({ ...record, verdict: ordinary }).wish.models).toEqual(['rules']);
});

test('refuses a paste that a model could not read either, and says that it was asked', async () => {
  const { env } = await serviceModel({ answer: () => ({ content: 'no' }) });
  const { api } = await start({ ...env, JURY_MODEL: 'rules', JURY_READER: 'openai/gpt-4o-mini' });
  const { status, json } = await api('POST', '/verdicts', { paste: unlabeled, trustReader: true });
  expect([status, json.error.code]).toEqual([422, 'unclear']);
  expect(json.error.message).toMatch(
    /^openai\/gpt-4o-mini was asked to read it and gave no usable reading\.\nNo label says who speaks/,
  );
});

test('refuses a paste that a model read, with what it read, until that is trusted; the same request again asks no model', async () => {
  const { env, double } = await serviceModel({ answer: () => ({ json: { parts: unlabeledParts } }) });
  const { api } = await start({ ...env, JURY_MODEL: 'rules', JURY_READER: 'openai/gpt-4o-mini' });
  const refused = await api('POST', '/verdicts', { paste: unlabeled });
  expect([refused.status, refused.json.error.code]).toEqual([422, 'unclear']);
  expect(refused.json.error.message).toContain('openai/gpt-4o-mini read this');
  expect(refused.json.error.message).toContain('"trustReader": true');
  expect(refused.json.error.read).toMatchObject({
    case: {
      response: 'Sakura is five minutes away, Klaus. It is rated 4.3.',
      recommendation: { rating: 4.3 },
    },
    reader: { model: 'openai/gpt-4o-mini' },
  });
  expect((await api('GET', '/verdicts')).json.verdicts).toEqual([]);
  const body = { paste: unlabeled, trustReader: true };
  const trusted = await api('POST', '/verdicts', body, { 'idempotency-key': 'once' });
  expect(trusted.status).toBe(200);
  expect(WithId.parse(trusted.json).reader).toMatchObject({ model: 'openai/gpt-4o-mini' });
  const asked = double.requests.filter(isReading).length;
  expect((await api('POST', '/verdicts', body, { 'idempotency-key': 'once' })).json).toEqual(trusted.json);
  expect(double.requests.filter(isReading)).toHaveLength(asked);
  expect((await api('POST', '/verdicts', { paste: '{"response": 1}', trustReader: true })).status).toBe(422);
  expect((await api('POST', '/verdicts', { paste: unlabeled, trustReader: 'yes' })).status).toBe(400);
});
