import { expect, test } from 'vitest';
import { firstPaste } from '../../../src/surfaces/wording/examples.ts';
import { closeAfterEach, until } from '../../support/resources.ts';
import { textOfPost } from '../../support/teams-double.ts';
import { aTeam, CHANNEL, GROUP, presses, recent, saying } from '../../support/teams-service.ts';

closeAfterEach();

const WELCOME = /^Paste what a user said/;

test.each(['channel', 'group chat', 'personal chat'] as const)(
  'in a %s the button of the welcome judges the example by the way that a paste takes',
  async (where) => {
    const { teams, ann, jury } = await aTeam();
    const { port } = jury.service;
    const channel = { channel: CHANNEL, 'group chat': GROUP, 'personal chat': ann.personal }[where];
    const asked = ann.message(channel, 'help');
    await ann.deliver(port, asked);
    const welcome = await saying(teams, WELCOME);
    expect(JSON.stringify(welcome.activity)).toContain('"title":"Judge this example"');
    const [, data] = /"data":(\{[^{}]*"do":"example"[^{}]*\})/.exec(JSON.stringify(welcome.activity)) ?? [];
    const thread = where === 'channel' ? asked.id : null;
    const press = () =>
      ann.deliver(
        port,
        ann.invoke(channel, thread, 'adaptiveCard/action', presses(JSON.parse(data ?? '{}')), welcome.id),
      );
    expect((await press()).body.value).toBe('Judging the example: its card comes in this conversation.');
    const card = await saying(teams, /^FAIL – .*3\.8/);
    expect(card.conversation).toBe(welcome.conversation);
    const record = await until(async () => (await recent(jury))[0]);
    expect(record).toMatchObject({
      source: { surface: 'teams', channel },
      verdict: { decision: 'fail', rubric: 'navigation' },
      evalCase: { response: 'Sakura is five minutes away.', recommendation: { rating: 3.8 } },
    });
    expect((await press()).body.value).toBe('The example was judged already.');
    expect(await recent(jury)).toHaveLength(1);
  },
);

test('another person, or another welcome, has it judged anew', async () => {
  const { ann, bob, jury } = await aTeam();
  const { port } = jury.service;
  const press = (who: typeof ann, id: string) =>
    who.deliver(port, who.invoke(GROUP, null, 'adaptiveCard/action', presses({ do: 'example' }), id));
  await press(ann, '1');
  await press(bob, '1');
  await press(ann, '2');
  await until(async () => (await recent(jury)).length === 3);
});

test('the example is judged in the words that the welcome shows', async () => {
  const { teams, ann, jury } = await aTeam();
  await ann.deliver(jury.service.port, ann.message(ann.personal, 'help'));
  expect(textOfPost(await saying(teams, WELCOME))).toContain(firstPaste.split('\n')[0]);
});
