import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { builtIn, folderWith } from '../../support/built-in.ts';
import { doubleKey, startModelDouble } from '../../support/model-double.ts';
import { petHotel, petHotelPaste } from '../../support/pet-hotel.ts';
import { closeAfterEach, closing, until } from '../../support/resources.ts';
import type { SlackDouble } from '../../support/slack-double.ts';
import { lastView, payloadsOf, unchanged } from '../../support/slack-requests.ts';
import { type RunningJury, startJury, withSlack } from '../../support/slack-service.ts';

closeAfterEach();

const sample = (name: string) => readFileSync(join(builtIn, 'samples', name), 'utf8');

const opened = (slack: SlackDouble, times = 1) =>
  until(() => slack.called('views.open').length >= times && lastView(slack));

const changed = (slack: SlackDouble, times = 1) =>
  until(() => slack.called('views.update').length >= times && lastView(slack, 'views.update'));

const answer = (slack: SlackDouble, thread: string, start: string) =>
  until(async () => (await slack.written(slack.channel, thread)).find(({ text }) => text.startsWith(start)));

async function mention(slack: SlackDouble, jury: RunningJury, text: string): Promise<string> {
  const ts = await slack.say(text);
  await jury.deliver.event(payloadsOf(slack).mention(text, ts));
  return ts;
}

const recordsOf = async (jury: RunningJury) =>
  (await jury.parts.store()).recentVerdicts({ channel: null, limit: 9 });

const typed = (path: string, value: string) => {
  const id = `case_${path.replace('.', '_')}`;
  return { [id]: { [id]: { value } } };
};

describe('a mention with fields that prompt files declare', () => {
  test.each([
    ['car-function/right.txt', 'PASS', 'car-function'],
    ['car-function/nebenwirkung.txt', 'FAIL', 'car-function'],
    ['charging-station/right.txt', 'PASS', 'charging-station'],
    ['charging-station/ohne-wlan.txt', 'FAIL', 'charging-station'],
  ])('%s becomes a card: %s', async (name, decision, rubric) => {
    const slack = await withSlack();
    const jury = await startJury(slack);
    const ts = await mention(slack, jury, sample(name));
    await answer(slack, ts, decision);
    const [record] = await recordsOf(jury);
    expect(record?.verdict.rubric).toBe(rubric);
    expect(slack.problems).toEqual([]);
  });

  test('that says which of them its rubric lacks gets them by name, with a form that asks for them', async () => {
    const slack = await withSlack();
    const jury = await startJury(slack);
    const ann = payloadsOf(slack);
    const lacking = {
      rubric: 'car-function',
      conversation: [{ role: 'user', text: 'Turn on the radio' }],
      response: 'It is on.',
    };
    const ts = await mention(slack, jury, JSON.stringify(lacking));
    const message = await answer(slack, ts, 'This could not be judged');
    const blocks = JSON.stringify(message.blocks);
    expect(blocks).toContain('needs: action.device');
    expect(blocks).toContain('"text":"Device"');
    const value = /"action_id":"open_form","value":"([^"]+)"/.exec(blocks)?.[1] ?? '';
    await jury.deliver.interaction(ann.click('open_form', value, message.ts));
    const view = await opened(slack);
    const values = {
      ...unchanged(view),
      ...typed('action.device', 'radio'),
      ...typed('action.operation', 'turn on'),
    };
    await jury.deliver.interaction(ann.submit('judge_form', view.private_metadata ?? '', values));
    await answer(slack, ts, 'PASS');
    expect(slack.problems).toEqual([]);
  });
});

describe('the message shortcut on such a paste', () => {
  test('opens a form with its fields; submitted with one of them changed, it becomes a card', async () => {
    const slack = await withSlack();
    const jury = await startJury(slack);
    const ann = payloadsOf(slack);
    const text = sample('car-function/right.txt');
    const ts = await slack.say(text);
    await jury.deliver.interaction(ann.messageShortcut({ ts, text }));
    await jury.deliver.interaction(ann.clickIn(await opened(slack), 'form_advanced'));
    const view = await changed(slack);
    const before = unchanged(view);
    expect(before.case_action_device?.case_action_device).toMatchObject({ value: 'window' });
    expect(before.case_action_alsoChanged?.case_action_alsoChanged).toMatchObject({ value: 'none' });
    const wrong = { ...before, ...typed('action.value', 'a bit') };
    const refused = await jury.deliver.interaction(
      ann.submit('judge_form', view.private_metadata ?? '', wrong),
    );
    expect(Object.keys(Object(refused.body).errors)).toEqual(['case_action_value']);
    await jury.deliver.interaction(ann.submit('judge_form', view.private_metadata ?? '', before));
    await answer(slack, ts, 'PASS');
    const values = { ...before, ...typed('action.device', 'sunroof') };
    await jury.deliver.interaction(ann.submit('judge_form', view.private_metadata ?? '', values));
    await answer(slack, ts, 'FAIL');
    const [other, right] = (await recordsOf(jury)).map(({ evalCase }) => evalCase);
    const action = {
      device: ['window'],
      operation: ['open'],
      target: ['driver'],
      value: 50,
      result: 'done',
      alsoChanged: [],
    };
    expect(right).toMatchObject({ action });
    expect(other).toMatchObject({ action: { ...action, device: ['sunroof'] } });
    expect(slack.problems).toEqual([]);
  });
});

describe("a user's own rubric with fields of its own", () => {
  const JURY_PROMPTS_DIR = folderWith(petHotel);

  test('is judged by in a mention, and offered in the form with what it looks at', async () => {
    const slack = await withSlack();
    const jury = await startJury(slack, 'http', { JURY_PROMPTS_DIR });
    const ann = payloadsOf(slack);
    const good = await mention(slack, jury, petHotelPaste('Hunde, Katzen', '1 week'));
    await answer(slack, good, 'PASS');
    const long = await mention(slack, jury, petHotelPaste('Hunde', '2 weeks'));
    const card = await answer(slack, long, 'FAIL');
    expect(JSON.stringify(card.blocks)).toContain('Pet hotel');

    await jury.deliver.interaction(ann.globalShortcut());
    const view = await opened(slack);
    expect(JSON.stringify(view.blocks)).toContain('"value":"pet-hotel"');
    await jury.deliver.interaction(ann.clickIn(view, 'form_advanced'));
    const rubric = { wish_rubric: { form_rubric: { selected_option: { value: 'pet-hotel' } } } };
    await jury.deliver.interaction(ann.clickIn(await changed(slack), 'form_rubric', rubric));
    const updated = await changed(slack, 2);
    for (const label of ['Species taken in', 'Nights', 'Most nights'])
      expect(JSON.stringify(updated.blocks)).toContain(`"text":"${label}"`);
    expect(slack.problems).toEqual([]);
  });

  test('is put to its own persona with the settings of the environment, which Details show', async () => {
    const double = await startModelDouble({ answer: () => ({ fields: { decision: 'pass' } }) });
    closing(double.close);
    const slack = await withSlack();
    const jury = await startJury(slack, 'http', {
      JURY_PROMPTS_DIR: folderWith({
        ...petHotel,
        'rubrics/pet-hotel.yaml': (petHotel['rubrics/pet-hotel.yaml'] ?? '').replace('[auditor]', '[owner]'),
        'personas/owner.md':
          '---\ntitle: Owner\nsource: a test\nsettings:\n  pet: {title: the pet, default: a goldfish}\n---\nYou own {{pet}} and travel a lot.\n',
      }),
      JURY_MODEL: 'openai/judge',
      JURY_SETTINGS: 'pet=a parrot',
      OPENAI_API_KEY: doubleKey,
      OPENAI_BASE_URL: double.baseUrl,
    });
    const ts = await mention(slack, jury, petHotelPaste('Hunde', '3 nights'));
    const card = await answer(slack, ts, 'PASS');
    expect(double.requests[0]?.system).toContain('You own a parrot and travel');
    const [record] = await recordsOf(jury);
    await jury.deliver.interaction(payloadsOf(slack).click('verdict_details', record?.id ?? '', card.ts));
    expect(JSON.stringify((await opened(slack)).blocks)).toContain('a parrot');
    expect(slack.problems).toEqual([]);
  });
});
