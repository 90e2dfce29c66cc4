import { describe, expect, test } from 'vitest';
import { PASTE } from '../../support/pastes.ts';
import { closeAfterEach, until } from '../../support/resources.ts';
import { payloadsOf } from '../../support/slack-requests.ts';
import { startJury, type Transport, withSlack } from '../../support/slack-service.ts';

closeAfterEach();

describe.each<Transport>(['http', 'socket'])('a mention with a paste over %s', (transport) => {
  test('gets a placeholder in the thread of the message, which becomes the card', async () => {
    const slack = await withSlack();
    const jury = await startJury(slack, transport);
    const ts = await slack.say(PASTE);
    const release = slack.hold('chat.update');
    await jury.deliver.event(payloadsOf(slack).mention(PASTE, ts));
    const [placeholder] = await until(async () => {
      const written = await slack.written(slack.channel, ts);
      return written.length > 0 && written;
    });
    expect(JSON.stringify(placeholder?.blocks)).toContain('check_stop');
    release();
    const card = await until(async () => {
      const [message] = await slack.written(slack.channel, ts);
      return message?.text.startsWith('FAIL') && message;
    });
    expect(card.ts).toBe(placeholder?.ts);
    expect(JSON.stringify(card.blocks)).toContain('vote_agree');
    expect(await slack.written(slack.channel, ts)).toHaveLength(1);
    expect(slack.problems).toEqual([]);
  });
});
