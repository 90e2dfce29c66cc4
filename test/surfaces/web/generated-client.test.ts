import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { generateSource } from 'oazapfts';
import { expect, expectTypeOf, test } from 'vitest';
import { openApi } from '../../../src/surfaces/web/open-api.ts';
import { builtInLibrary } from '../../support/built-in.ts';
import * as jury from '../../support/generated-client.ts';
import { PASTE } from '../../support/pastes.ts';
import { closeAfterEach, newFolder } from '../../support/resources.ts';
import { runService } from '../../support/run-service.ts';
import { serviceModel } from '../../support/service-model.ts';

closeAfterEach();

const TOKEN = 'a-token-for-ci-0123456789';

/** A service, and the generated client set up for it. */
async function connected(env: Record<string, string> = {}) {
  const { port } = (await runService({ JURY_API_TOKENS: `ci:${TOKEN}`, ...env })).service;
  jury.defaults.baseUrl = `http://127.0.0.1:${port}/api/v1`;
  jury.defaults.headers = { authorization: `Bearer ${TOKEN}` };
  return jury.defaults.baseUrl;
}

test('the client is the one that the description gives', async () => {
  const description = join(newFolder(), 'openapi.json');
  writeFileSync(description, JSON.stringify(openApi(builtInLibrary())));
  const generated = await generateSource(description, { allSchemas: true, futureStripLegacyMethods: true });
  // The generator knows nothing of `exactOptionalPropertyTypes`.
  const source = `// @ts-nocheck\n${generated}`;
  // To write it anew: `npx vitest run test/surfaces/web/generated-client.test.ts -u`.
  await expect(source).toMatchFileSnapshot(
    new URL('../../support/generated-client.ts', import.meta.url).pathname,
  );
});

test('a program judges, reads, finds and votes by names that say what they do', async () => {
  await connected();
  const judged = await jury.judge({ paste: PASTE }, { idempotencyKey: 'build-17' });
  if (judged.status !== 200 || 'hidden' in judged.data) throw new Error('There is no verdict.');
  const verdict = judged.data;
  expectTypeOf(verdict.decision).toEqualTypeOf<'pass' | 'fail' | 'scored' | 'undecided'>();
  expectTypeOf(verdict.judgements).toEqualTypeOf<jury.Judgement[]>();
  expect(verdict.decision).toBe('fail');
  expect(verdict.criteria.filter(({ decision }) => decision === 'fail').map(({ id }) => id)).toEqual([
    'rating',
  ]);
  const found = await jury.listVerdicts({ decision: 'fail', limit: 10 });
  expect(found).toMatchObject({ status: 200, data: { verdicts: [{ id: verdict.id }], cursor: null } });
  expect(await jury.getVerdict(verdict.id)).toMatchObject({ status: 200, data: { why: verdict.why } });
  const voted = await jury.vote(verdict.id, { value: 'agree', comment: 'It said 3.8.' });
  expect(voted).toMatchObject({ status: 200, data: { vote: 'agree', tally: { agree: 1 } } });
});

test('a program lists what there is', async () => {
  await connected();
  const [rubrics, methods, personas, models] = await Promise.all([
    jury.listRubrics(),
    jury.listMethods(),
    jury.listPersonas(),
    jury.listModels(),
  ]);
  if (rubrics.status !== 200 || methods.status !== 200 || personas.status !== 200 || models.status !== 200)
    throw new Error('There is no list.');
  expect(rubrics.data.find(({ id }) => id === 'navigation')?.criteria.map(({ id }) => id)).toContain('time');
  expect(methods.data.find(({ id }) => id === 'mad')?.rounds).toBeGreaterThan(1);
  expect(personas.data.map(({ id }) => id)).toContain('auditor');
  expect(models.data).toContainEqual({ id: 'rules', ready: true });
  expect(await jury.listRuns()).toEqual({ status: 200, data: [], headers: expect.anything() });
});

test('an error has a code to decide by and a message that says what to do', async () => {
  await connected();
  const refused = await jury.judge({ paste: 'hello' });
  if (refused.status !== 422) throw new Error('It was not refused.');
  expectTypeOf(refused.data.error.message).toBeString();
  expect(refused.data.error.code).toBe('unclear');
  expect(await jury.getRun('nope')).toMatchObject({ status: 404, data: { error: { code: 'not-found' } } });
});

test('the events of a stream are those that are described', async () => {
  const { env } = await serviceModel({ delayMs: 50, answer: () => ({ fields: { decision: 'pass' } }) });
  const url = await connected(env);
  const body: jury.CaseToJudge = {
    conversation: [{ role: 'user', text: 'Tell me a joke' }],
    response: 'No.',
    method: 'mab',
  };
  const response = await fetch(`${url}/verdicts`, {
    method: 'POST',
    headers: {
      authorization: `Bearer ${TOKEN}`,
      'content-type': 'application/json',
      accept: 'text/event-stream',
    },
    body: JSON.stringify(body),
  });
  const events = (await response.text()).matchAll(/id: (\d+)\nevent: (\w+)\ndata: (.*)\n\n/g);
  const seen = [...events].map(
    ([, id, event, data = '']): jury.JudgingEvent =>
      JSON.parse(`{"id":${id},"event":"${event}","data":${data}}`),
  );
  const answered = seen.flatMap((one) =>
    one.event === 'progress' ? one.data.judges.filter(({ state }) => state === 'answered').length : [],
  );
  expect(answered).toEqual(answered.toSorted((a, b) => a - b));
  const last = seen.at(-1);
  expect(last?.event === 'verdict' && 'decision' in last.data && last.data.decision).toBe('pass');
});
