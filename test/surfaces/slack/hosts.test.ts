import { expect, test } from 'vitest';
import { isSlackHost } from '../../../src/surfaces/slack/message-source.ts';
import { voteOfReaction } from '../../../src/surfaces/slack/receiver.ts';

test.each([
  ['https://files.slack.com/files-pri/T1-F1/a.txt', true],
  ['https://acme.slack.com/files/a.txt', true],
  ['https://files.slack-gov.com/a.txt', true],
  ['http://files.slack.com/a.txt', false],
  ['https://files.slack.com.evil.example/a.txt', false],
  ['https://evilslack.com/a.txt', false],
  ['https://files.slack.com@evil.example/a.txt', false],
  ['file:///etc/passwd', false],
  ['', false],
])('the token goes to %s: %s', (address, may) => {
  expect(isSlackHost(address, undefined)).toBe(may);
});

test('the token goes to the server that is set in the place of Slack, at its own port only', () => {
  expect(isSlackHost('http://127.0.0.1:4003/files/a', 'http://127.0.0.1:4003/api/')).toBe(true);
  expect(isSlackHost('http://127.0.0.1:4004/files/a', 'http://127.0.0.1:4003/api/')).toBe(false);
});

test.each([
  ['+1', 'agree'],
  ['thumbsup::skin-tone-6', 'agree'],
  ['-1::skin-tone-2', 'disagree'],
  ['thumbsdown', 'disagree'],
  ['+1-and-more', null],
  ['tada', null],
])('the reaction %s stands for %s', (name, vote) => {
  expect(voteOfReaction(name)).toBe(vote);
});
