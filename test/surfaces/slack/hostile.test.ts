import { describe, expect, test } from 'vitest';
import { PASTE } from '../../support/pastes.ts';
import { closeAfterEach, until } from '../../support/resources.ts';
import type { SlackDouble } from '../../support/slack-double.ts';
import { loudness } from '../../support/slack-limits.ts';
import { nextTs, payloadsOf } from '../../support/slack-requests.ts';
import { type RunningJury, startJury, type Transport, withSlack } from '../../support/slack-service.ts';

closeAfterEach();

const SHOWN = ['chat.postMessage', 'chat.update', 'chat.postEphemeral', 'views.open', 'views.publish'];

const shown = (slack: SlackDouble) =>
  slack.calls.filter(({ method }) => SHOWN.includes(method)).map(({ args }) => ({ ...args }));

async function stillWorks(slack: SlackDouble, jury: RunningJury): Promise<void> {
  const ts = await slack.say(PASTE);
  await jury.deliver.event(payloadsOf(slack).mention(PASTE, ts));
  await until(async () =>
    (await slack.written(slack.channel, ts)).some(({ text }) => text.startsWith('FAIL')),
  );
}

describe('what is pasted', () => {
  test.each([
    'User: <!channel> <@U5F380384D> sushi rated 4\nSystem: <!here> https://evil.example/x *bold* :tada:\nRating: 3',
    'User: &lt;!channel&gt; hi\nSystem: &lt;@U1&gt; &amp;lt;!here&amp;gt;\nName: @channel @here @everyone',
    '{"conversation":[{"role":"user","text":"<!everyone>"}],"response":"<https://evil.example|bank>","id":"<!channel>"}',
    'User: \u202egnp.exe \u200b<!subteam^S1>\nSystem: \u0000<@U2> `<!here>`',
    'nothing to see <!channel>\n\n<@U1> at all',
  ])('notifies no one and links nowhere: %s', async (paste) => {
    const slack = await withSlack();
    const jury = await startJury(slack);
    const ts = await slack.say('x');
    await jury.deliver.event(payloadsOf(slack).mention(paste, ts));
    const store = await jury.parts.store();
    await until(
      async () =>
        (await slack.written(slack.channel, ts)).length > 0 && (await store.pendingSpotChecks()) === 0,
    );
    expect(shown(slack).length).toBeGreaterThan(1);
    expect(shown(slack).flatMap((payload) => loudness(payload))).toEqual([]);
    expect(slack.problems).toEqual([]);
  });

  test('may be as long as a message can be, and is refused with its length where a case must be shorter', async () => {
    const slack = await withSlack();
    const jury = await startJury(slack);
    const paste = `User: ${'a '.repeat(19_000)}\nSystem: b`;
    const ts = await slack.say('x');
    await jury.deliver.event(payloadsOf(slack).mention(paste, ts));
    const message = await until(async () =>
      (await slack.written(slack.channel, ts)).find(({ text }) => text.includes('Too long')),
    );
    expect(message.text).toContain('the limit for one case is 32,000');
  });
});

describe.each<Transport>(['http', 'socket'])('odd payloads over %s', (transport) => {
  test('change nothing and leave the service standing', async () => {
    const slack = await withSlack();
    const jury = await startJury(slack, transport);
    const ann = payloadsOf(slack);
    const odd = [
      jury.deliver.event({ type: 'app_mention' }),
      jury.deliver.event({ type: 'app_mention', ts: 7, channel: null, user: {}, text: [] }),
      jury.deliver.event({ type: 'reaction_added', user: 'U1', reaction: '+1', item: { type: 'file' } }),
      jury.deliver.event({ type: 'app_home_opened', tab: 'home' }),
      jury.deliver.event({ type: 'unheard_of' }),
      jury.deliver.interaction(ann.click('vote_agree', 'agree', '1.1')),
      jury.deliver.interaction(ann.click('vote_agree', 'agree unknown', '1.1')),
      jury.deliver.interaction(ann.click('verdict_details', '../../etc/passwd', '1.1')),
      jury.deliver.interaction(ann.click('open_form', 'no-such-draft', '1.1')),
      jury.deliver.interaction(ann.click('check_stop', 'no-such-check', '1.1')),
      jury.deliver.interaction(ann.submit('judge_form', 'not json', {})),
      jury.deliver.interaction(ann.submit('correction_form', '{"verdict":1}', {})),
      jury.deliver.interaction({ ...ann.click('check_stop', 'x', nextTs()), actions: [] }),
    ];
    // Some get no acknowledgement: Slack then says to their sender that it did not work.
    for (const one of odd) one.catch(() => {});
    await stillWorks(slack, jury);
    expect(await (await jury.parts.store()).recentVerdicts({ channel: null, limit: 9 })).toHaveLength(1);
  });
});
