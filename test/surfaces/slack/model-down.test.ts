import { describe, expect, test } from 'vitest';
import { CHECKABLE, PASTE } from '../../support/pastes.ts';
import { closeAfterEach, until } from '../../support/resources.ts';
import { serviceModel } from '../../support/service-model.ts';
import { payloadsOf } from '../../support/slack-requests.ts';
import { startJury, withSlack } from '../../support/slack-service.ts';

closeAfterEach();

const BODY = 'Incorrect API key provided: sk-acme-98765fedcba43210xyz. See https://example.com/keys.';
const REFUSED = 'endpoint refuses the key. Ask your Jury admin to set a valid one.';

/** A service whose model's endpoint answers so. */
async function aService(status: number, message: string, env: Record<string, string> = {}) {
  const slack = await withSlack();
  const model = await serviceModel({ answer: () => ({ status, error: { message } }) });
  const jury = await startJury(slack, 'http', { ...model.env, ...env });
  const ann = payloadsOf(slack);
  const ask = async (text: string, settled: RegExp) => {
    const ts = await slack.say(text);
    await jury.deliver.event(ann.mention(text, ts));
    return until(async () =>
      (await slack.written(slack.channel, ts)).find((one) => settled.test(JSON.stringify(one))),
    );
  };
  return { jury, ask };
}

describe('a model that is down', () => {
  test('is named on the card in one line that says what to do; what it said stands in Details and in the log', async () => {
    const { jury, ask } = await aService(401, BODY);
    const card = await ask(PASTE, /exact checks only/);
    const shown = JSON.stringify(card);
    expect(shown).toContain(REFUSED);
    expect(shown).not.toMatch(/401|Incorrect API key|OPENAI_API_KEY/);
    const store = await jury.parts.store();
    const [record] = await store.recentVerdicts({ channel: null, limit: 1 });
    expect(record?.verdict).toMatchObject({ fallback: 'refused', trouble: 'key' });
    const pages = JSON.stringify(record?.verdict.remarks);
    expect(pages).toContain('no model judged this: openai answered 401 Incorrect API key provided: [key]');
    const warned = jury.logged.find((line) => line.includes('"trouble":"key"'));
    expect(warned).toContain('Incorrect API key provided: [key]');
    expect(warned).toContain('"level":40');
    expect([pages, ...jury.logged].join()).not.toContain('sk-acme-98765fedcba43210xyz');
  });

  test('is named where nothing can be judged without it, with a way to try again', async () => {
    const { jury, ask } = await aService(401, BODY);
    const failed = await ask('User: Tell me a joke.\nSystem: Why did the car nap? It was tired.', /refuses/);
    const shown = JSON.stringify(failed);
    expect(failed.text).toMatch(/^This could not be judged: the model’s endpoint refuses the key\./);
    expect(shown).toContain('check_try_again');
    expect(shown).not.toMatch(/401|Incorrect|OPENAI/);
    expect(jury.logged.find((line) => line.includes('a request failed'))).toContain('Incorrect API key');
  });

  test.each([
    [404, 'The model `gpt-9` does not exist', 'The endpoint does not know the model.'],
    [402, 'Payment required', 'The account for the model is used up.'],
  ])('says something else for status %i', async (status, message, says) => {
    const { ask } = await aService(status, message);
    expect(JSON.stringify(await ask(CHECKABLE, /exact checks only/))).toContain(says);
  });
});
