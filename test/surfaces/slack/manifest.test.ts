import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { Ajv } from 'ajv';
import { describe, expect, test } from 'vitest';
import * as z from 'zod';
import { withoutScope } from '../../../src/surfaces/slack/clients.ts';
import { suggestedPrompts } from '../../../src/surfaces/wording/examples.ts';
import { featureScopes, handled, webApiScopes } from './handled.ts';

const fileOf = (path: string): unknown =>
  JSON.parse(readFileSync(new URL(`../../../${path}`, import.meta.url), 'utf8'));

/** The parts that are compared with what is handled. */
const Manifest = z.looseObject({
  features: z.looseObject({
    agent_view: z.looseObject({ suggested_prompts: z.array(z.unknown()) }),
    shortcuts: z.array(z.looseObject({ type: z.string(), callback_id: z.string() })),
    slash_commands: z.array(z.looseObject({ command: z.string(), url: z.string().optional() })),
  }),
  oauth_config: z.object({ scopes: z.object({ bot: z.array(z.string()) }) }),
  settings: z.looseObject({
    event_subscriptions: z.object({ bot_events: z.array(z.string()), request_url: z.string().optional() }),
    interactivity: z.object({
      is_enabled: z.boolean(),
      request_url: z.string().optional(),
      message_menu_options_url: z.string().optional(),
    }),
    socket_mode_enabled: z.boolean(),
  }),
});

const schema = z.record(z.string(), z.unknown()).parse(fileOf('test/fixtures/slack/manifest.schema.json'));
const validate = new Ajv({ allErrors: true }).compile(schema);
const problemsOf = (manifest: unknown) => (validate(manifest) ? [] : validate.errors);

describe.each(['manifests/slack.json', 'manifests/slack-http.json'])('%s', (path) => {
  const manifest = Manifest.parse(fileOf(path));

  test('is what Slack takes as a manifest', () => {
    expect(problemsOf(fileOf(path))).toEqual([]);
  });

  test('names exactly the shortcuts, commands and events that are handled', () => {
    const { features, settings } = manifest;
    expect(features.shortcuts.map(({ type, callback_id }) => ({ type, callbackId: callback_id }))).toEqual(
      handled.shortcuts,
    );
    expect(features.slash_commands.map(({ command }) => command)).toEqual(handled.commands);
    expect(settings.event_subscriptions.bot_events).toEqual(Object.keys(handled.events));
  });

  test('asks for exactly the scopes that events, features and Web API calls need', () => {
    const needed = new Set([
      ...Object.values(handled.events).flatMap((scope) => (scope === null ? [] : [scope])),
      ...Object.values(webApiScopes).flat(),
      ...Object.keys(manifest.features).flatMap((feature) => featureScopes[feature] ?? []),
    ]);
    expect(manifest.oauth_config.scopes.bot).toEqual([...needed].sort());
  });

  test('asks for the scopes whose reason the docs give and whose lack the doctor explains', () => {
    const docs = readFileSync(new URL('../../../docs/slack.md', import.meta.url), 'utf8');
    const [, table = ''] = docs.split('| scope | for |');
    const rows = table.split('\n\n')[0]?.split('\n').slice(2) ?? [];
    const explained = rows.flatMap((row) => [...(row.split('|')[1] ?? '').matchAll(/`([\w:]+)`/g)]);
    const { bot } = manifest.oauth_config.scopes;
    expect(explained.map(([, scope]) => scope).sort()).toEqual(bot);
    expect(Object.keys(withoutScope).sort()).toEqual(bot);
  });

  test('offers the prompts that the app offers where no model is connected', () => {
    expect(manifest.features.agent_view.suggested_prompts).toEqual(suggestedPrompts(false));
  });
});

describe('the two manifests', () => {
  const socket = Manifest.parse(fileOf('manifests/slack.json'));
  const http = Manifest.parse(fileOf('manifests/slack-http.json'));

  test('differ in how Slack reaches the app, and in nothing else', () => {
    const { url } = http.features.slash_commands[0] ?? {};
    expect(url).toMatch(/^https:.*\/slack\/events$/);
    expect(http.settings.event_subscriptions.request_url).toBe(url);
    expect(http.settings.interactivity.request_url).toBe(url);
    expect(http.settings.interactivity.message_menu_options_url).toBe(url);
    expect([socket.settings.socket_mode_enabled, http.settings.socket_mode_enabled]).toEqual([true, false]);
    const bare = JSON.parse(
      JSON.stringify(http, (key, value) => (/(^|_)url$/.test(key) ? undefined : value)),
    );
    expect({ ...bare, settings: { ...bare.settings, socket_mode_enabled: true } }).toEqual(socket);
  });
});

describe('the Web API', () => {
  const folder = fileURLToPath(new URL('../../../src/surfaces/slack', import.meta.url));
  const GROUPS =
    'auth|chat|views|conversations|files|assistant\\.threads|agents\\.sessions|reactions|users|team|bots';
  const callsIn = (source: string): string[] =>
    [...source.matchAll(new RegExp(`\\.(${GROUPS})\\s*\\.([a-zA-Z]+)\\(`, 'g'))].map(
      ([, group, name]) => `${group}.${name}`,
    );

  test('is called by exactly the methods whose scopes are known', () => {
    const sources = readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter((name) =>
      name.endsWith('.ts'),
    );
    const called = sources.flatMap((name) => callsIn(readFileSync(join(folder, name), 'utf8')));
    expect([...new Set(called)].sort()).toEqual(Object.keys(webApiScopes).sort());
  });

  test('is found in calls', () => {
    expect(callsIn('await clients.now.chat.postMessage({}); client.users.info(x)')).toEqual([
      'chat.postMessage',
      'users.info',
    ]);
  });
});

describe('the check of manifests', () => {
  const manifest = z
    .looseObject({ display_information: z.looseObject({}), features: z.looseObject({}) })
    .parse(fileOf('manifests/slack.json'));

  test.each([
    [
      'a name of 36 characters',
      { display_information: { ...manifest.display_information, name: 'x'.repeat(36) } },
    ],
    ['a key that Slack does not know', { festures: {} }],
    [
      'a shortcut whose name has 25 characters',
      {
        features: {
          shortcuts: [{ name: 'x'.repeat(25), type: 'message', callback_id: 'x', description: 'x' }],
        },
      },
    ],
    ['a command without a slash', { features: { slash_commands: [{ command: 'jury', description: 'x' }] } }],
  ])('refuses %s', (_what, change) => {
    expect(problemsOf({ ...manifest, ...change })).not.toEqual([]);
  });
});
