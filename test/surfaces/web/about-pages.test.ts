import { writeFileSync } from 'node:fs';
import { request } from 'node:http';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { readEnv } from '../../../src/env.ts';
import { closeAfterEach, newFolder } from '../../support/resources.ts';
import { runService } from '../../support/run-service.ts';

closeAfterEach();

const PAGES = ['/about', '/privacy', '/terms'];

/** As Teams and its administrators reach a page: through a proxy, under the public name. */
const got = (port: number, path: string, headers: Record<string, string> = {}) =>
  new Promise<{ status: number; type: string; text: string }>((resolve, reject) => {
    request({ host: '127.0.0.1', port, path, headers }, (response) => {
      let text = '';
      response.on('data', (part) => {
        text += part;
      });
      response.on('end', () =>
        resolve({
          status: response.statusCode ?? 0,
          type: response.headers['content-type'] ?? '',
          text,
        }),
      );
    })
      .on('error', reject)
      .end();
  });

test.each([
  ['on this machine alone', {}],
  ['with the console off', { JURY_CONSOLE: 'off' }],
  ['on every address, without sign-in', { HOST: '0.0.0.0' }],
])('about, privacy and terms are for everyone: %s', async (_how, env) => {
  const { service } = await runService(env);
  const proxied = {
    host: 'jury.example.com',
    'x-forwarded-for': '203.0.113.7',
    'x-forwarded-proto': 'https',
  };
  for (const path of PAGES)
    for (const headers of [{}, proxied]) {
      const { status, type, text } = await got(service.port, path, headers);
      expect({ path, status, type }).toEqual({ path, status: 200, type: 'text/html; charset=utf-8' });
      expect(text).toContain('<h1');
    }
});

test("the operator's own text takes the place of ours, and nothing in it takes effect", async () => {
  const folder = newFolder();
  const [privacy, terms] = [join(folder, 'privacy.md'), join(folder, 'terms.md')];
  writeFileSync(
    privacy,
    '# Our privacy\n\nAsk [Legal](https://legal.example.com). <script>alert(1)</script>\n',
  );
  writeFileSync(terms, '# Our terms\n\n[here](javascript:alert(1))\n');
  const { service } = await runService({ JURY_PRIVACY_FILE: privacy, JURY_TERMS_FILE: terms });
  const ours = await got(service.port, '/privacy');
  expect(ours.text).toContain('Our privacy');
  expect(ours.text).toContain('<a href="https://legal.example.com"');
  expect(ours.text).not.toContain('<script>alert');
  const other = await got(service.port, '/terms');
  expect(other.text).toContain('Our terms');
  expect(other.text).not.toContain('javascript:');
});

test('a file that is no text to show stops the start, and is named', () => {
  const folder = newFolder();
  const empty = join(folder, 'empty.md');
  const bytes = join(folder, 'bytes.md');
  const long = join(folder, 'long.md');
  writeFileSync(empty, ' \n');
  writeFileSync(bytes, Buffer.from([0xff, 0xfe, 0x00]));
  writeFileSync(long, 'x'.repeat(200_001));
  const read = (JURY_PRIVACY_FILE: string) => () => readEnv({ JURY_PRIVACY_FILE }, '');
  expect(read(join(folder, 'none.md'))).toThrow(/JURY_PRIVACY_FILE: .*none\.md cannot be read/);
  expect(read(empty)).toThrow(/empty\.md is empty/);
  expect(read(bytes)).toThrow(/bytes\.md is no text in UTF-8/);
  expect(read(long)).toThrow(/long\.md is longer than 200000 characters/);
});
