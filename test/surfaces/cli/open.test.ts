import { chmodSync, existsSync, mkdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { expect, test } from 'vitest';
import { callWithout } from '../../support/page-service.ts';
import { closeAfterEach, newFolder, until } from '../../support/resources.ts';
import { jury, scratch, spawnedJury } from '../../support/run-jury.ts';
import { runService } from '../../support/run-service.ts';

closeAfterEach();

test('prints the link, which opens the console of a service with the same data folder', async () => {
  const folder = newFolder();
  const { service } = await runService({ JURY_DATA_DIR: folder });
  const { code, out, err } = await jury(['open'], {
    env: { JURY_DATA_DIR: folder, PORT: `${service.port}` },
  });
  expect([code, out, err]).toEqual([0, `${service.link}\n`, '']);
});

test('makes the key before the first start, and says that nothing answers yet', async () => {
  const folder = join(newFolder(), 'new');
  const { code, out, err } = await jury(['open'], { env: { JURY_DATA_DIR: folder, PORT: '9' } });
  const key = readFileSync(join(folder, 'console-key'), 'utf8');
  expect([code, out]).toEqual([0, `http://127.0.0.1:9/open?key=${key}\n`]);
  expect(statSync(join(folder, 'console-key')).mode & 0o777).toBe(0o600);
  expect(err).toContain('Nothing answers at http://127.0.0.1:9: start Jury with npm start');
});

test('names the host as cards do, so that one session serves both', async () => {
  const env = { JURY_PUBLIC_URL: 'http://localhost:3999', PORT: '9' };
  const { out } = await jury(['open'], { env });
  expect(out).toMatch(/^http:\/\/localhost:3999\/open\?key=/);
  expect((await jury(['open'], { env: { HOST: '::1', PORT: '9' } })).out).toMatch(/^http:\/\/\[::1\]:9\//);
});

test('where people sign in there is no key, and where the console is off no link', async () => {
  const signIn = {
    OIDC_ISSUER: 'https://id.example',
    OIDC_CLIENT_ID: 'a',
    OIDC_CLIENT_SECRET: 'b',
    JURY_PUBLIC_URL: 'https://jury.example',
  };
  const cwd = scratch();
  expect(await jury(['open'], { cwd, env: signIn })).toEqual({
    code: 0,
    out: 'https://jury.example/\n',
    err: 'There is no key: people sign in at https://id.example.\n',
  });
  for (const [env, why] of [
    [{ JURY_CONSOLE: 'off' }, 'JURY_CONSOLE is off'],
    [{ HOST: '0.0.0.0' }, 'HOST is 0.0.0.0'],
  ] as const) {
    const { code, out, err } = await jury(['open'], { cwd, env });
    expect([code, out]).toEqual([64, '']);
    expect(err).toContain(why);
  }
  expect(existsSync(join(cwd, 'data', 'console-key'))).toBe(false);
});

test('opens a browser on a desktop alone, and does not fail without one', async () => {
  const folder = newFolder();
  const { service } = await runService({ JURY_DATA_DIR: folder });
  const programs = join(folder, 'programs');
  const opened = join(folder, 'opened');
  mkdirSync(programs);
  writeFileSync(join(programs, 'xdg-open'), `#!/bin/sh\necho "$1" >> '${opened}'\n`);
  chmodSync(join(programs, 'xdg-open'), 0o700);
  const env = { JURY_DATA_DIR: folder, PORT: `${service.port}`, DISPLAY: ':0' };
  const PATH = `${programs}${delimiter}${process.env.PATH}`;
  // No desktop, one on another machine, and one without a program to open links.
  for (const other of [
    { ...env, PATH, DISPLAY: '' },
    { ...env, PATH, SSH_CONNECTION: '203.0.113.7 1 203.0.113.8 22' },
    { ...env, PATH: newFolder() },
  ])
    expect(await spawnedJury(['open'], { env: other })).toEqual({
      code: 0,
      out: `${service.link}\n`,
      err: '',
    });
  expect(existsSync(opened)).toBe(false);
  await spawnedJury(['open'], { env: { ...env, PATH } });
  // Not the link itself, which every account of the machine could read in the list of processes.
  const page = join(folder, 'open-console.html');
  expect(await until(() => existsSync(opened) && readFileSync(opened, 'utf8'))).toBe(`${page}\n`);
  expect(statSync(page).mode & 0o777).toBe(0o600);
  expect(readFileSync(page, 'utf8')).toContain(`content="0; url=${service.link}"`);
  expect((await callWithout(service.port, '/')).status).toBe(401);
});
