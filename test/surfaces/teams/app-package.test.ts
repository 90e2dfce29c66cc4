import { cpSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { AppManifestUtils } from '@microsoft/app-manifest';
import { unzipSync } from 'fflate';
import { expect, test } from 'vitest';
import { COMMANDS } from '../../../src/surfaces/teams/answer-activity.ts';
import { buildAppPackage } from '../../../src/surfaces/teams/app-package.ts';
import { newFolder } from '../../support/resources.ts';
import { jury } from '../../support/run-jury.ts';

const ID = '01234567-89AB-cdef-0123-456789abcdef';
const folder = 'manifests/teams/';

const textIn = (zip: Uint8Array, name: string): string => Buffer.from(unzipSync(zip)[name] ?? []).toString();
const manifestIn = (zip: Uint8Array) => JSON.parse(textIn(zip, 'manifest.json'));

/** The folder with one file changed. */
function changed(name: string, change: (text: string) => string | Buffer): string {
  const copy = newFolder();
  cpSync(folder, copy, { recursive: true });
  writeFileSync(join(copy, name), change(readFileSync(join(copy, name), 'utf8')));
  return `${copy}/`;
}

test('the package holds manifest, languages and icons at its root, with id and domain filled in', () => {
  const zip = buildAppPackage({ id: ID, domain: 'Judge.Example.org' }, folder);
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
  });
  expect(textIn(zip, 'manifest.json')).not.toContain('example.com');
});

test('the manifest fits the official schema', async () => {
  const manifest = manifestIn(buildAppPackage({ id: ID, domain: 'judge.example.org' }, folder));
  expect(await AppManifestUtils.validateAgainstSchema(manifest)).toEqual([]);
  const wrong = { ...manifest, bots: [{ ...manifest.bots[0], scopes: ['nowhere'] }] };
  expect(await AppManifestUtils.validateAgainstSchema(wrong)).not.toEqual([]);
});

test('the manifest offers the commands that there are', () => {
  const [bot] = manifestIn(buildAppPackage({ id: ID, domain: 'judge.example.org' }, folder)).bots;
  for (const { commands } of bot.commandLists)
    expect(commands.map(({ title }: { title: string }) => title)).toEqual(COMMANDS);
});

test('every text of the other language belongs to a text of the manifest', () => {
  const manifest = manifestIn(buildAppPackage({ id: ID, domain: 'judge.example.org' }, folder));
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
  expect(() => buildAppPackage({ id, domain }, folder)).toThrow(message);
});

test('what Teams would refuse is refused here, with file and key', () => {
  const build = (from: string) => () => buildAppPackage({ id: ID, domain: 'judge.example.org' }, from);
  const long = changed('manifest.json', (text) =>
    text.replace('"short": "Jury"', `"short": "${'J'.repeat(31)}"`),
  );
  expect(build(long)).toThrow(/at most 30 characters[\s\S]*name\.short/);
  const small = changed('color.png', () => readFileSync(`${folder}outline.png`));
  expect(build(small)).toThrow(/color\.png: has to be 192×192, is 32×32/);
  const none = changed('outline.png', () => 'x');
  expect(build(none)).toThrow(/no PNG/);
});

test('the command writes the package, and says what to do with it', async () => {
  const out = join(newFolder(), 'app.zip');
  const args = ['teams', 'package', '--id', ID, '--domain', 'judge.example.org', '--out', out];
  const ran = await jury(args);
  expect(ran).toMatchObject({ code: 0, err: '' });
  expect(ran.out).toContain(`${out}: upload it in Teams`);
  expect(manifestIn(readFileSync(out)).validDomains).toEqual(['judge.example.org']);
  const refused = await jury(['teams', 'package', '--id', 'x', '--domain', 'judge.example.org']);
  expect(refused.code).toBe(64);
});
