import { expect, test } from 'vitest';
import * as z from 'zod';
import { isAllowedModel, modelsIn } from '../../src/labels/access/channel-settings.ts';
import { readSettingsForm, settingsChange, settingsForm } from '../../src/surfaces/forms/judging-fields.ts';
import { defaultsText } from '../../src/surfaces/views/lists.ts';
import { CONVERSATION } from '../../src/surfaces/web/ids.ts';
import { startModelDouble } from '../support/model-double.ts';
import { call } from '../support/page-service.ts';
import { PASTE } from '../support/pastes.ts';
import { closeAfterEach, closing, newFolder } from '../support/resources.ts';
import { jury } from '../support/run-jury.ts';
import { runService } from '../support/run-service.ts';

closeAfterEach();

const MINI = 'openai/gpt-4o-mini';
const LARGE = 'openai/gpt-4o';

test('a channel without a limit takes what is asked for', () => {
  expect(modelsIn({}, [LARGE], MINI)).toEqual([LARGE]);
  expect(modelsIn({}, undefined, MINI)).toEqual([MINI]);
});

test('a limit refuses other models, and says which may judge', () => {
  const settings = { allowedModels: [MINI, 'ollama/llama3.1'] };
  expect(modelsIn(settings, [MINI, 'rules'], LARGE)).toEqual([MINI, 'rules']);
  expect(() => modelsIn(settings, [LARGE, MINI], MINI)).toThrow(
    `${LARGE} may not judge in this channel. Its settings allow ${MINI}, ollama/llama3.1 and rules.`,
  );
  // What was not asked for gives way.
  expect(modelsIn(settings, undefined, LARGE)).toEqual([MINI]);
  expect(modelsIn(settings, undefined, 'rules')).toEqual(['rules']);
  expect(isAllowedModel(settings, 'rules')).toBe(true);
});

const none = new Map<string, { id: string; title: string }>();
const choices = { rubrics: none, methods: none, personas: none, models: [MINI, LARGE, 'rules'] };
const filled = (values: Record<string, string[]>, more = {}) => {
  const before = { wish: {}, ...more };
  return readSettingsForm({ ...settingsForm(before, choices), expanded: true }, values, before);
};

const titles = { rubrics: new Map(), methods: new Map(), personas: new Map() };

test('the settings form sets it, and says what changed', () => {
  expect(filled({ settings_allowed: [MINI] })).toEqual({
    settings: { wish: {}, allowedModels: [MINI] },
    vanished: [],
  });
  expect(filled({ settings_allowed: [] }, { allowedModels: [MINI] })).toMatchObject({
    settings: { wish: {} },
  });
  expect(settingsChange({ wish: {} }, { wish: {}, allowedModels: [MINI] }, titles, 'en')).toBe(
    `models that may judge: all → ${MINI}`,
  );
  expect(defaultsText({ wish: {}, allowedModels: [MINI] }, titles, 'en')).toContain(
    `models that may judge: ${MINI}`,
  );
});

test('defaults must be allowed, and a limit never opens by itself', () => {
  expect(filled({ settings_allowed: [MINI], wish_models: [LARGE] })).toEqual({
    errors: { wish_models: `${LARGE} may not judge here: allow it below.` },
  });
  expect(filled({ settings_allowed: ['openai/gone'] })).toEqual({
    errors: { settings_allowed: 'None of these models is there any more: choose again.' },
  });
});

const Failure = z.object({ error: z.object({ code: z.string(), message: z.string() }) });

async function setUp(model: string) {
  const double = await startModelDouble();
  closing(double.close);
  return {
    double,
    env: {
      JURY_DATA_DIR: newFolder(),
      JURY_MODEL: model,
      OPENAI_API_KEY: 'sk-test-0123456789',
      OPENAI_BASE_URL: double.baseUrl,
    },
  };
}

test('a conversation refuses other models however they are asked for', async () => {
  const { double, env } = await setUp(LARGE);
  const { service, parts } = await runService(env);
  const post = (path: string, body: object = {}) => call(service.port, path, { method: 'POST', body });
  const store = await parts.store();
  await store.saveChannelSettings(CONVERSATION, { wish: {}, allowedModels: [MINI] });
  const refused = await post('/api/v1/verdicts', { paste: PASTE, models: [LARGE] });
  expect(refused.status).toBe(422);
  expect(Failure.parse(JSON.parse(refused.text)).error.message).toContain(
    `${LARGE} may not judge in this channel. Its settings allow ${MINI} and rules.`,
  );
  expect(double.requests).toEqual([]);
  // The default gives way, and a card's button asks a model that is allowed.
  expect((await post('/api/v1/verdicts', { paste: PASTE })).status).toBe(200);
  expect(new Set(double.requests.map(({ body }) => body.model))).toEqual(new Set(['gpt-4o-mini']));
  const exact = await post('/api/v1/verdicts', { paste: PASTE, models: ['rules'] });
  const { id } = z.looseObject({ id: z.string() }).parse(JSON.parse(exact.text));
  await store.saveChannelSettings(CONVERSATION, { wish: {}, allowedModels: ['ollama/llama3.1'] });
  const pressed = await post(`/ui/verdicts/${id}/ask-model`);
  expect([pressed.status, pressed.text]).toEqual([
    409,
    expect.stringContaining('No model that may judge here'),
  ]);
});

test('the page of a model that is asked is there at once', async () => {
  const { env } = await setUp(LARGE);
  const { service } = await runService(env);
  const post = (path: string, body: object = {}) => call(service.port, path, { method: 'POST', body });
  const exact = await post('/api/v1/verdicts', { paste: PASTE, models: ['rules'] });
  const { id } = z.looseObject({ id: z.string() }).parse(JSON.parse(exact.text));
  const pressed = await post(`/ui/verdicts/${id}/ask-model`);
  const { goTo } = z.object({ goTo: z.string() }).parse(JSON.parse(pressed.text));
  expect((await call(service.port, goTo)).status).toBe(200);
});

test('cases with a known answer are judged by allowed models, too', async () => {
  const { env } = await setUp(LARGE);
  const { parts, close } = await runService(env);
  const store = await parts.store();
  await store.saveChannelSettings('C0123ABCD', { wish: {}, allowedModels: [MINI] });
  await close();
  const input = JSON.stringify({
    conversation: [{ role: 'user', text: 'Hi' }],
    response: 'No.',
    label: { decision: 'fail' },
  });
  const ran = await jury(['gold', 'C0123ABCD', '--model', LARGE, '-'], { env, input });
  expect(ran.code).toBe(64);
  expect(ran.err).toContain(`Its settings allow ${MINI} and rules.`);
});
