import { expect, test } from 'vitest';
import { withoutScope } from '../../../src/surfaces/slack/clients.ts';
import { closeAfterEach } from '../../support/resources.ts';
import { jury } from '../../support/run-jury.ts';
import { tokens } from '../../support/slack-double.ts';
import { slackEnv, withSlack } from '../../support/slack-service.ts';

closeAfterEach();

test('the doctor says as whom the tokens work, over which way', async () => {
  const slack = await withSlack();
  const socket = await jury(['doctor'], { env: slackEnv(slack, 'socket') });
  expect(socket.out).toContain(`✓ Slack: bot ${slack.users.jury} in https://acme.slack.com/, in Socket Mode`);
  const http = await jury(['doctor'], { env: slackEnv(slack, 'http') });
  expect(http.out).toContain('over signed HTTP');
  expect([socket.code, http.code]).toEqual([0, 0]);
});

test('the doctor names each scope that is missing, and what it costs', async () => {
  const scopes = Object.keys(withoutScope).filter((scope) => scope !== 'reactions:write');
  const slack = await withSlack({ scopes });
  const { code, out } = await jury(['doctor'], { env: slackEnv(slack, 'http') });
  expect(out).toContain('– Slack: the scope reactions:write is missing: thank-you messages get no reaction');
  expect(out.match(/the scope/g)).toHaveLength(1);
  expect(code).toBe(0);
});

test('the doctor names the token that Slack refuses, and never shows it', async () => {
  const slack = await withSlack();
  const app = await jury(['doctor'], {
    env: { ...slackEnv(slack, 'socket'), SLACK_APP_TOKEN: 'xapp-wrong' },
  });
  expect(app.out).toContain('✗ Slack: Slack refuses SLACK_APP_TOKEN (invalid_auth)');
  slack.refuse('auth.test', 'token_revoked');
  const bot = await jury(['doctor'], { env: slackEnv(slack, 'http') });
  expect(bot.out).toContain('✗ Slack: Slack refuses SLACK_BOT_TOKEN (token_revoked)');
  expect([app.code, bot.code]).toEqual([1, 1]);
  expect(app.out + bot.out).not.toMatch(/xapp-wrong|xoxb/);
  expect(tokens.bot).toMatch(/^xoxb/);
});

test('the doctor finds half a configuration broken and says what is missing', async () => {
  const { code, out } = await jury(['doctor'], { env: { SLACK_BOT_TOKEN: 'xoxb-alone' } });
  expect(code).toBe(1);
  expect(out).toMatch(/✗ Slack: .*set SLACK_APP_TOKEN .*or SLACK_SIGNING_SECRET/);
});

test('the doctor finds the other half broken too', async () => {
  const env = { SLACK_APP_TOKEN: 'xapp-alone', SLACK_SIGNING_SECRET: 'alone' };
  const { code, out } = await jury(['doctor'], { env });
  expect(code).toBe(1);
  expect(out).toContain('✗ Slack: SLACK_APP_TOKEN and SLACK_SIGNING_SECRET are set; set SLACK_BOT_TOKEN too');
});
