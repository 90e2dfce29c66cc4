import { randomBytes } from 'node:crypto';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { createSecretFilter, secretsIn } from '../../src/common/secrets.ts';

const KEY = 'sk-Proj-0aB1/cD2+eF3"gH4\\iJ5=k';

const filter = (...secrets: string[]) => {
  const made = createSecretFilter();
  for (const [at, secret] of secrets.entries()) made.add(secret, `KEY_${at}`);
  return made;
};
const hidden = (text: string) => filter(KEY).hide(text);

const base64 = (text: string) => Buffer.from(text).toString('base64');
const base64url = (text: string) => Buffer.from(text).toString('base64url');
const inJson = (text: string) => JSON.stringify(text).slice(1, -1);
const asUnits = (text: string) =>
  [...text].map((one) => `\\u${one.charCodeAt(0).toString(16).padStart(4, '0')}`).join('');
const asBytes = (text: string) =>
  [...Buffer.from(text)].map((byte) => `%${byte.toString(16).padStart(2, '0')}`).join('');

describe('a known secret becomes its name', () => {
  test.each([
    ['as it is', KEY],
    ['in JSON', inJson(KEY)],
    ['in JSON in JSON', inJson(inJson(KEY))],
    ['in JSON with escaped slashes', inJson(KEY).replaceAll('/', '\\/')],
    ['in JSON as code units', asUnits(KEY)],
    ['in a URL', encodeURIComponent(KEY)],
    ['in a URL, every byte', asBytes(KEY)],
    ['in a URL in a URL', encodeURIComponent(encodeURIComponent(KEY))],
  ])('%s', (_, echo) => {
    expect(hidden(`before ${echo} after`)).toBe('before [KEY_0] after');
  });

  test.each(['', 'B', 'Be', 'Bearer ', 'user:'])('in Base64, behind "%s"', (before) => {
    for (const after of ['', '1', '12', '\n'])
      for (const encode of [base64, base64url]) {
        const echo = hidden(`Basic ${encode(before + KEY + after)} `);
        expect(echo).toContain('[KEY_0]');
        const rest = echo.replace('[KEY_0]', '').replace('Basic ', '');
        expect(Buffer.from(rest, 'base64').toString('latin1')).not.toMatch(/.*sk-|J5=k/);
      }
  });

  test('in Base64 in a URL and in JSON', () => {
    for (const echo of [encodeURIComponent(base64(KEY)), base64(KEY).replaceAll('/', '\\/')])
      expect(hidden(`before ${echo} after`)).toMatch(/^before \[KEY_0\]\S{0,6} after$/);
  });

  test('in part, as a gateway that shortens keys shows it', () => {
    expect(hidden(`Incorrect key: ${KEY.slice(0, 16)}***`)).toBe('Incorrect key: [KEY_0]***');
  });

  test('beyond ASCII', () => {
    const { hide } = filter('pässwörter 🔑 0815');
    for (const echo of [
      'pässwörter 🔑 0815',
      encodeURIComponent('pässwörter 🔑 0815'),
      encodeURIComponent('pässwörter 🔑 0815').replaceAll('%20', '+'),
      String.raw`p\u00e4ssw\u00f6rter \ud83d\udd11 0815`,
      base64('pässwörter 🔑 0815'),
    ])
      expect(hide(`before ${echo} after`)).toMatch(/^before \[KEY_0\](?:[A-Za-z]=*)? after$/);
  });

  test('however it is escaped, no eight characters of it in a row remain', () => {
    const one = fc.constantFrom((text: string) => text, inJson, asUnits, encodeURIComponent, asBytes);
    const key = fc.integer({ min: 12, max: 60 }).map((bytes) => randomBytes(bytes).toString('base64'));
    fc.assert(
      fc.property(key, fc.array(one, { maxLength: 2 }), fc.string(), fc.string(), (secret, ways, a, b) => {
        const encode = (text: string) => ways.reduce((written, way) => way(written), text);
        const shown = filter(secret).hide(`${a}${encode(secret)}${b}`);
        for (let at = 0; at + 8 <= secret.length; at += 1)
          expect(shown).not.toContain(encode(secret.slice(at, at + 8)));
      }),
    );
  });
});

test('what is no secret stays to the letter', () => {
  const { hide } = filter(KEY, 'hunter22', 'correct horse battery staple');
  for (const text of [
    '',
    'The restaurant at 52.53, 13.41 is open until 22:00 % "ok" \\n \\u00fc',
    'hunter2 sits on a correct horse',
    '{"decision":"fail","rationale":"closed \\u2013 50 %25 of the time"}',
  ])
    expect(hide(text)).toBe(text);
});

test('a short secret is a placeholder, not looked for', () => {
  expect(filter('test', 'none').hide('none of the test cases')).toBe('none of the test cases');
});

test('several secrets in one text have their own names', () => {
  expect(filter('first-secret', 'other-secret').hide('a first-secret, b other-secret')).toBe(
    'a [KEY_0], b [KEY_1]',
  );
});

test('of an address, the password and what is named like a secret are secret', () => {
  expect(secretsIn('https://ann:p%40ss@models.test/v1?api-version=2024-06-01&api-key=k1')).toEqual([
    'p%40ss',
    'p@ss',
    'k1',
  ]);
  expect(secretsIn('https://sk-alone@models.test/v1')).toEqual(['sk-alone']);
  expect(secretsIn('not an address')).toEqual([]);
});
