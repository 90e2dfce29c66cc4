import { execFile } from 'node:child_process';
import { copyFileSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { load } from 'js-yaml';
import { expect, test } from 'vitest';
import { z } from 'zod';
import { readEnv } from '../src/env.ts';
import { createMetrics } from '../src/surfaces/web/web-host.ts';
import { call } from './support/page-service.ts';
import { PASTE } from './support/pastes.ts';
import { closeAfterEach, newFolder } from './support/resources.ts';
import { runService } from './support/run-service.ts';

closeAfterEach();

const root = fileURLToPath(new URL('..', import.meta.url));
const page = readFileSync(join(root, 'docs/deployment.md'), 'utf8');

/** The section of the page with this title. */
const section = (title: string): string => page.split(/^## /m).find((part) => part.startsWith(title)) ?? '';

/** The commands of a section, block by block. */
const commandsOf = (title: string): string[] =>
  section(title)
    .split(/\n(?! {4}|\n)/)
    .map((block) => [...block.matchAll(/^ {4}(.+)$/gm)].map(([, line = '']) => line).join('\n'))
    .filter((block) => block !== '');

test('a backup of SQLite that the page describes, made while the service runs, restores everything', async () => {
  const folder = newFolder();
  const data = join(folder, '.jury');
  symlinkSync(join(root, 'node_modules'), join(folder, 'node_modules'));
  const run = (command = '') => promisify(execFile)('sh', ['-ec', command], { cwd: folder });
  const [backUp, restore] = commandsOf('Backup and restore');
  const running = await runService({ JURY_DATA_DIR: data });
  const ask = () =>
    call(running.service.port, '/api/v1/verdicts', { method: 'POST', body: { paste: PASTE } });
  const { id } = z.object({ id: z.string() }).parse(JSON.parse((await ask()).text));
  mkdirSync(join(data, 'runs'), { recursive: true });
  writeFileSync(join(data, 'runs', 'kept'), 'a run');
  await run(backUp);
  const after = z.object({ id: z.string() }).parse(JSON.parse((await ask()).text));
  await running.close();

  const secret = readFileSync(join(data, 'secret'), 'utf8');
  writeFileSync(join(data, 'secret'), 'lost');
  copyFileSync(join(data, 'secret'), join(data, 'jury.db'));
  await run(restore);
  expect(readFileSync(join(data, 'secret'), 'utf8')).toBe(secret);
  expect(readFileSync(join(data, 'runs', 'kept'), 'utf8')).toBe('a run');
  const { service } = await runService({ JURY_DATA_DIR: data });
  expect((await call(service.port, `/api/v1/verdicts/${id}`)).status).toBe(200);
  expect((await call(service.port, `/api/v1/verdicts/${after.id}`)).status).toBe(404);
  const found = await call(service.port, '/api/v1/verdicts?q=sushi');
  expect(found.text).toContain(id);
});

test('alerts name metrics that there are', async () => {
  const known = await createMetrics().read();
  const named = [...page.matchAll(/\b(?:jury|process|nodejs)_[a-z0-9_]+\b/g)].map(([name]) =>
    name.replace(/_bucket$/, ''),
  );
  expect(named.length).toBeGreaterThan(10);
  expect(named.filter((name) => !known.includes(`# HELP ${name} `))).toEqual([]);
});

const Deployment = z.object({
  apiVersion: z.literal('apps/v1'),
  kind: z.literal('Deployment'),
  spec: z.object({
    selector: z.object({ matchLabels: z.record(z.string(), z.string()) }),
    template: z.object({
      metadata: z.object({ labels: z.record(z.string(), z.string()) }),
      spec: z.object({
        securityContext: z.object({ runAsNonRoot: z.literal(true), fsGroup: z.number() }),
        containers: z.tuple([
          z.object({
            env: z.array(z.object({ name: z.string(), value: z.string() })),
            securityContext: z.object({ readOnlyRootFilesystem: z.literal(true) }),
            livenessProbe: z.object({ httpGet: z.object({ path: z.string() }) }),
            readinessProbe: z.object({ httpGet: z.object({ path: z.string() }) }),
            volumeMounts: z.array(z.object({ name: z.string(), mountPath: z.string() })),
          }),
        ]),
        volumes: z.array(z.looseObject({ name: z.string() })),
      }),
    }),
  }),
});

test('the example for Kubernetes is whole, and names settings and addresses that there are', async () => {
  const [, yaml = ''] = /```yaml\n([\s\S]*?)```/.exec(section('Kubernetes')) ?? [];
  const { selector, template } = Deployment.parse(load(yaml)).spec;
  expect(template.metadata.labels).toEqual(selector.matchLabels);
  const [container] = template.spec.containers;
  const volumes = template.spec.volumes.map(({ name }) => name);
  expect(container.volumeMounts.map(({ name }) => name)).toEqual(volumes);
  const { service } = await runService({});
  for (const { httpGet } of [container.livenessProbe, container.readinessProbe])
    expect((await call(service.port, httpGet.path)).status).toBe(200);
  // As the program reads them, with each file as a secret that it would take.
  const value: Record<string, string> = {
    REDIS_URL: 'redis://redis:6379',
    SLACK_BOT_TOKEN: 'xoxb-1',
    SLACK_APP_TOKEN: 'xapp-1',
  };
  const secrets = newFolder();
  const given = container.env.map((one): [string, string] => {
    const name = one.name.replace(/_FILE$/, '');
    if (name === one.name) return [name, one.value];
    const file = join(secrets, name);
    writeFileSync(file, value[name] ?? 'a secret');
    return [one.name, file];
  });
  const env = readEnv(Object.fromEntries(given), '');
  expect(env.settings.JURY_MODEL).toBe('openai/gpt-4o-mini');
  expect(env.fromFiles.map((name) => `${name}_FILE`).sort()).toEqual(
    given
      .map(([name]) => name)
      .filter((name) => name.endsWith('_FILE'))
      .sort(),
  );
});

test('every secret that can be in a file is named', () => {
  const secrets =
    readFileSync(join(root, 'src/env.ts'), 'utf8').match(/const SECRETS = \[([^\]]*)\]/)?.[1] ?? '';
  const names = [...secrets.matchAll(/'(\w+)'/g)].map(([, name = '']) => name);
  expect(names.length).toBeGreaterThan(10);
  const said = section('Secrets from files');
  expect(names.filter((name) => !said.includes(`\`${name}\``))).toEqual([]);
});
