import { describe, expect, test } from 'vitest';
import { readEnv } from '../../../src/env.ts';
import { consoleUrl } from '../../../src/surfaces/web/ids.ts';
import { CLIENT, startOpenIdProvider } from '../../support/openid-provider.ts';
import { PASTE } from '../../support/pastes.ts';
import { closeAfterEach, until } from '../../support/resources.ts';
import type { RunningService } from '../../support/run-service.ts';
import { payloadsOf } from '../../support/slack-requests.ts';
import { startJury, withSlack } from '../../support/slack-service.ts';
import { aTeam, CHANNEL, saying } from '../../support/teams-service.ts';

closeAfterEach();

const JURY = 'https://jury.example';

/** A console that people sign in to at its address. */
async function signIn(): Promise<Record<string, string>> {
  const { issuer } = await startOpenIdProvider([`${JURY}/sign-in/done`], { ann: {} });
  return {
    JURY_PUBLIC_URL: JURY,
    OIDC_ISSUER: issuer,
    OIDC_CLIENT_ID: CLIENT.id,
    OIDC_CLIENT_SECRET: CLIENT.secret,
  };
}

const judgedIn = ({ parts }: RunningService): Promise<string> =>
  until(async () => {
    const store = await parts.store();
    const [record] = await store.recentVerdicts({ channel: null, limit: 1 });
    return (await store.pendingSpotChecks()) === 0 && record?.id;
  });

describe.each([true, false])('where people can open the console: %s', (canOpen) => {
  const links = (said: unknown, id: string) => {
    const text = JSON.stringify(said);
    return { queue: text.includes(`${JURY}/queue`), verdict: text.includes(`${JURY}/verdicts/${id}`) };
  };
  const env = async () => (canOpen ? signIn() : { JURY_PUBLIC_URL: JURY });

  test('the queue and the details in Slack link to its pages only then', async () => {
    const slack = await withSlack();
    const jury = await startJury(slack, 'http', await env());
    const { click, mention } = payloadsOf(slack);
    const ts = await slack.say(PASTE);
    await jury.deliver.event(mention(PASTE, ts));
    const id = await judgedIn(jury);
    await jury.deliver.command('queue', { channel: slack.channel, user: slack.users.ann });
    const queue = await until(() => slack.called('chat.postEphemeral')[0]);
    expect(links(queue.args, id)).toMatchObject({ queue: canOpen });
    await jury.deliver.interaction(click('verdict_details', id, ts));
    const details = await until(() => slack.called('views.open')[0]);
    expect(links(details.args, id)).toMatchObject({ verdict: canOpen });
    expect(slack.problems).toEqual([]);
  });

  test('the queue and the details in Teams link to its pages only then', async () => {
    const { teams, ann, bob, jury } = await aTeam(await env());
    const { port } = jury.service;
    await ann.deliver(port, ann.message(CHANNEL, PASTE));
    const id = await judgedIn(jury);
    await bob.deliver(port, bob.message(CHANNEL, 'queue'));
    const { activity } = await saying(teams, /needs? your vote/);
    expect(links(activity, id)).toMatchObject({ queue: canOpen });
    const { body } = await bob.deliver(
      port,
      bob.invoke(CHANNEL, null, 'task/fetch', { data: { do: 'details', id } }),
    );
    expect(links(body, id)).toMatchObject({ verdict: canOpen });
  });
});

test('a console that this machine alone reaches has an address for it alone', () => {
  const addressOf = (env: Record<string, string>) => consoleUrl(readEnv(env, '').settings);
  expect(addressOf({})).toBeNull();
  expect(addressOf({ JURY_PUBLIC_URL: 'http://localhost:3000' })).toBe('http://localhost:3000');
  expect(addressOf({ JURY_PUBLIC_URL: 'http://localhost:3000', JURY_CONSOLE: 'off' })).toBeNull();
  expect(addressOf({ JURY_PUBLIC_URL: JURY, OIDC_CLIENT_ID: 'jury' })).toBeNull();
});
