import { once } from 'node:events';
import { cpSync, readFileSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { join } from 'node:path';
import { AppManifestUtils } from '@microsoft/app-manifest';
import { Resvg } from '@resvg/resvg-js';
import { unzipSync } from 'fflate';
import { describe, expect, test } from 'vitest';
import { appVersion, buildAppPackage, deadLinks } from '../../../src/surfaces/teams/app-package.ts';
import { COMMANDS } from '../../../src/surfaces/teams/text-commands.ts';
import { newFolder } from '../../support/resources.ts';
import { jury } from '../../support/run-jury.ts';

const ID = '01234567-89AB-cdef-0123-456789abcdef';
const folder = 'manifests/teams/';

const textIn = (zip: Uint8Array, name: string): string => Buffer.from(unzipSync(zip)[name] ?? []).toString();
const manifestIn = (zip: Uint8Array) => JSON.parse(textIn(zip, 'manifest.json'));

const built = (from = folder, domain = 'judge.example.org') =>
  buildAppPackage({ id: ID, domain, version: '1.2.0' }, from).zip;

/** The folder with one file changed. */
function changed(name: string, change: (text: string) => string | Buffer): string {
  const copy = newFolder();
  cpSync(folder, copy, { recursive: true });
  writeFileSync(join(copy, name), change(readFileSync(join(copy, name), 'utf8')));
  return `${copy}/`;
}

test('the package holds manifest, languages and icons at its root, with id and domain filled in', () => {
  const zip = built(folder, 'Judge.Example.org');
  expect(Object.keys(unzipSync(zip)).sort()).toEqual([
    'color.png',
    'de.json',
    'manifest.json',
    'outline.png',
  ]);
  const manifest = manifestIn(zip);
  expect(manifest).toMatchObject({
    id: ID.toLowerCase(),
    bots: [{ botId: ID.toLowerCase(), scopes: ['personal', 'team', 'groupChat'] }],
    composeExtensions: [{ botId: ID.toLowerCase() }],
    validDomains: ['judge.example.org'],
    version: '1.2.0',
    developer: {
      websiteUrl: 'https://judge.example.org/about',
      privacyUrl: 'https://judge.example.org/privacy',
      termsOfUseUrl: 'https://judge.example.org/terms',
    },
  });
  expect(textIn(zip, 'manifest.json')).not.toContain('example.com');
});

test('the manifest fits the official schema', async () => {
  const manifest = manifestIn(built());
  expect(await AppManifestUtils.validateAgainstSchema(manifest)).toEqual([]);
  const wrong = { ...manifest, bots: [{ ...manifest.bots[0], scopes: ['nowhere'] }] };
  expect(await AppManifestUtils.validateAgainstSchema(wrong)).not.toEqual([]);
});

test('a package that reads messages asks for that alone, says what for, and fits the official schema', async () => {
  const about = { id: ID, domain: 'judge.example.org', version: '1.2.0' };
  const { zip } = buildAppPackage({ ...about, readsMessages: true }, folder);
  const manifest = manifestIn(zip);
  expect(await AppManifestUtils.validateAgainstSchema(manifest)).toEqual([]);
  expect(manifest.authorization.permissions).toEqual({
    resourceSpecific: [
      { name: 'ChannelMessage.Read.Group', type: 'Application' },
      { name: 'ChatMessage.Read.Chat', type: 'Application' },
    ],
  });
  expect(manifest.webApplicationInfo.id).toBe(ID.toLowerCase());
  expect(manifest.description.full).toContain('reads the messages of a thread above a mention');
  expect(JSON.parse(textIn(zip, 'de.json'))['description.full']).toContain('liest Jury die Nachrichten');
  // Without it, nothing is asked for.
  const usual = manifestIn(built());
  expect([usual.authorization, usual.webApplicationInfo]).toEqual([undefined, undefined]);
  const { authorization: _a, webApplicationInfo: _w, description: _d, ...rest } = manifest;
  expect(rest).toEqual({ ...usual, description: undefined });
});

test('the manifest offers the commands that there are', () => {
  const [bot] = manifestIn(built()).bots;
  for (const { commands } of bot.commandLists)
    expect(commands.map(({ title }: { title: string }) => title)).toEqual(COMMANDS);
});

test('every text of the other language belongs to a text of the manifest', () => {
  const manifest = manifestIn(built());
  const paths = Object.keys(JSON.parse(readFileSync(`${folder}de.json`, 'utf8'))).filter(
    (path) => path !== '$schema',
  );
  expect(paths.length).toBeGreaterThan(8);
  for (const path of paths) {
    const value = path
      .split(/[.[\]]+/)
      .filter((key) => key !== '')
      .reduce((held, key) => held?.[key], manifest);
    expect(value, path).toBeTypeOf('string');
  }
});

test.each([
  ['jury', 'judge.example.org', /application \(client\) id/],
  [ID, 'https://judge.example.org', /without https/],
  [ID, 'judge.example.org/api', /without https/],
  [ID, 'localhost', /public host name/],
  [ID, '127.0.0.1', /public host name/],
])('id %s and domain %s are refused with what to give', (id, domain, message) => {
  expect(() => buildAppPackage({ id, domain, version: '1.0.0' }, folder)).toThrow(message);
});

const LONG_URL = `https://judge.example.org/${'a'.repeat(2_048)}`;
const J = (length: number): string => 'J'.repeat(length);
const COMMAND = { title: 'a', description: 'b' };
const LIST = { scopes: ['team'], commands: [] };
const SHORT: string = JSON.parse(readFileSync(`${folder}manifest.json`, 'utf8')).description.short;

/** Each rule of `docs/teams.md` by what breaks it, a path and a value (undefined: it goes), and what is said of that. */
const RULES: Record<string, [path: string, value: unknown, said: RegExp][]> = {
  'the schema belongs to the version of the manifest': [
    ['$schema', undefined, /\$schema/],
    ['manifestVersion', '1.24', /\$schema: must be the schema of manifest 1\.24/],
    ['manifestVersion', undefined, /manifestVersion/],
  ],
  'the developer has a name of at most 32 characters': [
    ['developer.name', J(33), /developer\.name: may have at most 32 characters/],
    ['developer.name', undefined, /developer\.name/],
  ],
  'links are https, of at most 2,048 characters': [
    ['developer.websiteUrl', 'http://judge.example.org', /websiteUrl: must begin with https/],
    ['developer.privacyUrl', LONG_URL, /privacyUrl: may have at most 2048/],
    ['developer.termsOfUseUrl', undefined, /termsOfUseUrl/],
  ],
  'names have at most 30 and 100 characters, and differ': [
    ['name.short', J(31), /name\.short: may have at most 30 characters/],
    ['name.full', J(101), /name\.full: may have at most 100 characters/],
    ['name.full', 'Jury', /name\.full: must differ from name\.short/],
    ['name.short', '', /name\.short/],
  ],
  'descriptions have at most 80 and 4,000 characters, and do not repeat each other': [
    ['description.short', J(81), /description\.short: may have at most 80/],
    ['description.full', J(4_001), /description\.full: may have at most 4000/],
    ['description.full', `Jury. ${SHORT}.`, /description\.full: must not repeat/],
  ],
  'the accent color is a color': [['accentColor', 'navy', /accentColor: must be a color/]],
  'commands are at most 12 in at most 3 lists, with titles of 32 and descriptions of 128 characters': [
    ['bots.0.commandLists.0.commands.0.title', J(33), /title: may have at most 32/],
    ['bots.0.commandLists.0.commands.0.description', J(129), /description: may have at most 128/],
    ['bots.0.commandLists.0.commands', Array(13).fill(COMMAND), /at most 12 commands/],
    ['bots.0.commandLists', Array(4).fill(LIST), /at most 3 lists/],
    ['composeExtensions.0.commands.0.title', J(33), /composeExtensions.*title: may have at most 32/],
    ['composeExtensions.0.commands', Array(11).fill(COMMAND), /at most 10 commands/],
  ],
  'a bot in teams declares all kinds of channels, and does so in one way': [
    ['supportsChannelFeatures', undefined, /supportsChannelFeatures: must be "tier1"/],
    ['supportsChannelFeatures', 'tier2', /supportsChannelFeatures: must be "tier1"/],
    ['supportedChannelTypes', ['sharedChannels'], /supportedChannelTypes: is not allowed/],
  ],
  'default scopes are scopes of the bot': [
    ['defaultInstallScope', 'meetings', /defaultInstallScope: must be a scope of the bot: personal, team/],
    ['bots.0.scopes', ['personal', 'groupChat'], /defaultInstallScope: must be a scope/],
    ['defaultGroupCapability', { groupChat: 'bot' }, /groupChat: must be one of team, groupchat, meetings/],
    ['defaultGroupCapability', { team: 'tab' }, /defaultGroupCapability\.team: must be "bot"/],
    ['bots.0.scopes', ['personal', 'team'], /defaultGroupCapability\.groupchat: is not a scope of the bot/],
    ['bots.0.scopes', ['personal', 'team'], /commandLists\[0\]\.scopes: must be scopes of the bot/],
  ],
  'domains are own host names, at most 16': [
    ['validDomains', ['https://judge.example.org'], /validDomains\.0: must be one of your host names/],
    ['validDomains', ['judge.example.org/x'], /validDomains\.0/],
    ['validDomains', ['*.example.org'], /validDomains\.0/],
    ['validDomains', ['*'], /validDomains\.0/],
    ['validDomains', ['localhost'], /validDomains\.0/],
    ['validDomains', Array(17).fill('judge.example.org'), /validDomains: may have at most 16/],
  ],
  'languages are in the package': [
    ['localizationInfo.additionalLanguages.0.file', 'fr.json', /fr\.json is not in the package/],
    ['localizationInfo.defaultLanguageTag', undefined, /defaultLanguageTag/],
  ],
  'icons are in the package': [['icons.outline', 'line.png', /line\.png: is not there/]],
};

/** The folder with one value of the manifest changed. */
const edited = (path: string, value: unknown): string =>
  changed('manifest.json', (text) => {
    const manifest: object = JSON.parse(text);
    const keys = path.split('.');
    const last = keys.pop() ?? '';
    const held = keys.reduce((inner, key) => Reflect.get(inner, key), manifest);
    Reflect.set(held, last, value);
    return JSON.stringify(manifest);
  });

describe('of what Teams checks at an upload, it is checked here that', () => {
  test.each(Object.entries(RULES))('%s', (_rule, broken) => {
    for (const [path, value, said] of broken) expect(() => built(edited(path, value)), path).toThrow(said);
  });

  test.each(['0.2.0', '1.2', '1.2.3.4', 'v1.2.0', '1.2.0-beta.1', '01.2.0', '1.02.0', '', '1.2.x'])(
    'the version is three numbers, the first at least 1, and not "%s"',
    (version) => {
      expect(() => buildAppPackage({ id: ID, domain: 'judge.example.org', version }, folder)).toThrow(
        /is not a version: it must be three numbers such as 1\.2\.0, the first at least 1/,
      );
    },
  );

  test('texts in other languages keep the same limits, and belong to a text of the manifest', () => {
    const german = (key: string, text: string) =>
      changed('de.json', (before) => JSON.stringify({ ...JSON.parse(before), [key]: text }));
    expect(() => built(german('name.short', 'J'.repeat(31)))).toThrow(
      /de\.json: name\.short: may have at most 30/,
    );
    expect(() => built(german('composeExtensions[0].commands[0].title', 'J'.repeat(33)))).toThrow(
      /de\.json: composeExtensions.*at most 32/,
    );
    expect(() => built(german('bots[0].commandLists[0].commands[99].title', 'x'))).toThrow(
      /commands\[99\]\.title is not in the manifest/,
    );
  });

  test('the color icon is 192×192, the outline 32×32', () => {
    const small = changed('color.png', () => readFileSync(`${folder}outline.png`));
    expect(() => built(small)).toThrow(/color\.png: must be 192×192, is 32×32/);
    const large = changed('outline.png', () => readFileSync(`${folder}color.png`));
    expect(() => built(large)).toThrow(/outline\.png: must be 32×32, is 192×192/);
    expect(() => built(changed('outline.png', () => 'x'))).toThrow(/outline\.png: is no PNG/);
  });

  test.each([
    ['a color', '<circle cx="16" cy="16" r="12" fill="#e00"/>', /must be white on a transparent background/],
    ['a faint color', '<circle cx="16" cy="16" r="12" fill="#fee" opacity=".1"/>', /must be white/],
    ['no transparency', '<rect width="32" height="32" fill="#fff"/>', /must be white/],
    ['white lines', '<circle cx="16" cy="16" r="12" fill="none" stroke="#fff"/>', null],
  ])('the outline icon is white on a transparent background: %s', (_what, drawn, said) => {
    const svg = `<svg xmlns="http://www.w3.org/2000/svg" width="32" height="32">${drawn}</svg>`;
    const from = changed('outline.png', () => new Resvg(svg).render().asPng());
    if (said === null) expect(built(from)).toBeInstanceOf(Uint8Array);
    else expect(() => built(from)).toThrow(said);
  });

  test.each(['color.png', 'outline.png'])('a damaged %s is not packed', (name) => {
    const whole = readFileSync(`${folder}${name}`);
    expect(() => built(changed(name, () => whole.subarray(0, 200)))).toThrow(/is a damaged PNG/);
    const gray = Buffer.from(whole);
    gray[25] = 0;
    expect(() => built(changed(name, () => gray))).toThrow(/must be a PNG of 32 bits/);
  });
});

test('every rule that is checked is in the docs with its source', () => {
  const docs = readFileSync('docs/teams.md', 'utf8');
  const rows = docs.split('\n').filter((line) => line.startsWith('| ') && line.includes('](https://'));
  expect(rows.length).toBeGreaterThan(9);
  for (const row of rows) expect(row).toMatch(/\]\(https:\/\/(?:learn\.microsoft\.com|github\.com)\//);
});

test.each([
  ['0.1.0', '1.1.0'],
  ['0.2.0', '1.2.0'],
  ['0.10.3', '1.10.3'],
  ['1.0.0', '2.0.0'],
  ['1.0.0-rc.1', '2.0.0'],
])('for Jury %s the package has version %s', (jury, app) => {
  expect(appVersion(jury)).toBe(app);
});

/** The command, which reaches no host: the proxy refuses. */
const packaged = (...args: string[]) =>
  jury(['teams', 'package', '--id', ID, '--domain', 'judge.example.org', ...args], {
    env: { HTTPS_PROXY: 'http://127.0.0.1:9' },
  });

describe('the command', () => {
  test('writes the package, says its version and what to do with it, and names the links that do not answer', async () => {
    const out = join(newFolder(), 'app.zip');
    const ran = await packaged('--out', out);
    expect(ran.code).toBe(0);
    expect(ran.out).toMatch(/app\.zip: version [1-9]\d*\.\d+\.\d+\. Upload it in Teams/);
    for (const path of ['about', 'privacy', 'terms'])
      expect(ran.err).toContain(`https://judge.example.org/${path} could not be reached`);
    expect(ran.err).toContain('127.0.0.1:9');
    expect(manifestIn(readFileSync(out)).validDomains).toEqual(['judge.example.org']);
  });

  test('takes another version, and refuses one that Teams would not take', async () => {
    const out = join(newFolder(), 'app.zip');
    expect(await packaged('--out', out, '--app-version', '7.0.1')).toMatchObject({ code: 0 });
    expect(manifestIn(readFileSync(out)).version).toBe('7.0.1');
    const refused = await packaged('--out', out, '--app-version', '0.9.0');
    expect(refused).toMatchObject({ code: 64 });
    expect(refused.err).toContain('the first at least 1');
    expect((await jury(['teams', 'package', '--id', 'x', '--domain', 'judge.example.org'])).code).toBe(64);
  });

  test('says where a changed package has no higher version than the one before it', async () => {
    const out = join(newFolder(), 'app.zip');
    const again = async (version: string, domain = 'judge.example.org') =>
      (await packaged('--out', out, '--domain', domain, '--app-version', version)).err;
    await again('1.9.0');
    expect(await again('1.9.0')).not.toContain('only with a higher one');
    expect(await again('1.9.0', 'other.example.org')).toContain(
      'has version 1.9.0, this one 1.9.0: Teams takes an update only with a higher one',
    );
    expect(await again('1.10.0')).not.toContain('only with a higher one');
    expect(await again('1.9.9')).toContain('has version 1.10.0, this one 1.9.9');
  });
});

test('a link counts as dead that answers with an error or not at all', async () => {
  const server = createServer(({ url }, response) =>
    response.writeHead(url === '/privacy' ? 403 : 200).end(),
  );
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  const at = `http://127.0.0.1:${typeof address === 'object' && address !== null ? address.port : 0}`;
  const developer = {
    name: 'Jury',
    websiteUrl: `${at}/about`,
    privacyUrl: `${at}/privacy`,
    termsOfUseUrl: 'http://127.0.0.1:9/terms',
  };
  try {
    expect(await deadLinks({ developer })).toEqual([
      `${at}/privacy answers 403`,
      expect.stringContaining('http://127.0.0.1:9/terms could not be reached'),
    ]);
  } finally {
    server.close();
  }
});
