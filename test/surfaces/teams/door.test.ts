import { generateKeyPairSync, type KeyObject, sign } from 'node:crypto';
import { once } from 'node:events';
import { statSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import { join } from 'node:path';
import { PUBLIC, withOverrides } from '@microsoft/teams.api';
import express from 'express';
import pino from 'pino';
import { afterEach, describe, expect, test, vi } from 'vitest';
import { readEnv } from '../../../src/env.ts';
import { inspectTeams, tryDoor } from '../../../src/surfaces/teams/app-package.ts';
import { createAppToken, entraProblem, requireToken } from '../../../src/surfaces/teams/entra-tokens.ts';
import { playgroundProblem } from '../../../src/surfaces/teams/playground.ts';
import { createTeamsApp } from '../../../src/surfaces/teams/teams-app.ts';
import { closeAfterEach, closing, newFolder, until } from '../../support/resources.ts';
import { playgroundAt, runService } from '../../support/run-service.ts';
import { aTeam, type TeamsActivity } from '../../support/teams-service.ts';

closeAfterEach();

const APP = '01234567-89ab-cdef-0123-456789abcdef';
const SERVICE = 'https://smba.trafficmanager.net/emea/';

const rsa = () => generateKeyPairSync('rsa', { modulusLength: 2048 });
const encoded = (value: object): string => Buffer.from(JSON.stringify(value)).toString('base64url');

function tokenOf(key: KeyObject, claims: object, kid = 'known'): string {
  const head = `${encoded({ alg: 'RS256', typ: 'JWT', kid })}.${encoded(claims)}`;
  return `${head}.${sign('RSA-SHA256', Buffer.from(head), key).toString('base64url')}`;
}

const portOf = (server: Server): number => {
  const address = server.address();
  return typeof address === 'object' && address !== null ? address.port : 0;
};

/** The app on a real server, with Microsoft's keys in a local file of keys. */
async function aDoor() {
  const keys = rsa();
  const web = express();
  web.get('/v1/.well-known/keys', (_request, response) => {
    response.json({
      keys: [{ ...keys.publicKey.export({ format: 'jwk' }), kid: 'known', use: 'sig', alg: 'RS256' }],
    });
  });
  const server = createServer(web).listen(0, '127.0.0.1');
  await once(server, 'listening');
  closing(async () => void server.close());
  const port = portOf(server);
  const logged: string[] = [];
  const { app } = createTeamsApp(
    readEnv({ TEAMS_CLIENT_ID: APP, TEAMS_CLIENT_SECRET: 'not-a-real-secret' }, ''),
    web,
    pino({ level: 'trace' }, { write: (line: string) => void logged.push(line) }),
    {
      cloud: withOverrides(PUBLIC, {
        openIdMetadataUrl: `http://127.0.0.1:${port}/v1/.well-known/openidconfiguration`,
      }),
      token: async () => `${encoded({ alg: 'none' })}.${encoded({ appid: APP })}.x`,
    },
  );
  const heard: string[] = [];
  app.use(({ activity }) => void heard.push(activity.type));
  await app.initialize();
  const now = Math.floor(Date.now() / 1000);
  const good = {
    iss: 'https://api.botframework.com',
    aud: APP,
    serviceurl: SERVICE,
    nbf: now - 10,
    exp: now + 600,
  };
  const said: TeamsActivity = {
    type: 'message',
    text: 'the words of a paste',
    id: '1',
    serviceUrl: SERVICE,
    channelId: 'msteams',
    from: { id: '29:a' },
    recipient: { id: '28:b' },
    conversation: { id: 'a:1', conversationType: 'personal' },
  };
  const post = async (authorization: string | null) => {
    const response = await fetch(`http://127.0.0.1:${port}/api/messages`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', ...(authorization === null ? {} : { authorization }) },
      body: JSON.stringify(said),
    });
    await response.text();
    return response.status;
  };
  return { app, key: keys.privateKey, good, now, post, heard, logged };
}

test('a token that Microsoft signed for this app is let in', async () => {
  const { key, good, post, heard } = await aDoor();
  expect(await post(`Bearer ${tokenOf(key, good)}`)).toBe(200);
  expect(heard).toEqual(['message']);
});

test('everything else gets 401, is not heard, and leaves no word of a paste in the log', async () => {
  const { key, good, now, post, heard, logged } = await aDoor();
  const { serviceurl: _, ...unbound } = good;
  const { exp: __, ...endless } = good;
  const wrong: Record<string, string | null> = {
    'no token': null,
    'no JWT': 'Bearer abc',
    'no signature': `Bearer ${encoded({ alg: 'none' })}.${encoded(good)}.`,
    'another key': `Bearer ${tokenOf(rsa().privateKey, good)}`,
    'an unknown key': `Bearer ${tokenOf(key, good, 'unknown')}`,
    'another audience': `Bearer ${tokenOf(key, { ...good, aud: '99999999-89ab-cdef-0123-456789abcdef' })}`,
    'another issuer': `Bearer ${tokenOf(key, { ...good, iss: 'https://issuer.example.com' })}`,
    'another service': `Bearer ${tokenOf(key, { ...good, serviceurl: 'https://elsewhere.example.com/' })}`,
    'no service': `Bearer ${tokenOf(key, unbound)}`,
    expired: `Bearer ${tokenOf(key, { ...good, exp: now - 600 })}`,
    'without an end': `Bearer ${tokenOf(key, endless)}`,
    'with an end that is no time': `Bearer ${tokenOf(key, { ...good, exp: '2099-01-01' })}`,
    'of the future': `Bearer ${tokenOf(key, { ...good, nbf: now + 900 })}`,
  };
  for (const [name, authorization] of Object.entries(wrong))
    expect(await post(authorization), name).toBe(401);
  expect(heard).toEqual([]);
  expect(logged.join()).not.toContain('the words of a paste');
});

describe('variables of the environment that are there for other programs', () => {
  afterEach(() => void vi.unstubAllEnvs());
  const foreign = {
    CLOUD: 'aws',
    CLIENT_ID: '99999999-89ab-cdef-0123-456789abcdef',
    CLIENT_SECRET: 'of another program',
    TENANT_ID: '99999999-89ab-cdef-0123-456789abcdef',
    MANAGED_IDENTITY_CLIENT_ID: 'system',
    SERVICE_URL: 'https://elsewhere.example.com',
    OAUTH_URL: 'https://elsewhere.example.com',
    DANGEROUSLY_ALLOW_UNAUTHENTICATED_REQUESTS: 'true',
    LOG: '*',
    LOG_LEVEL: 'trace',
  };

  test('open no door, and change neither the cloud nor who is asked for what', async () => {
    for (const [name, value] of Object.entries(foreign)) vi.stubEnv(name, value);
    const printed = vi.spyOn(console, 'log').mockImplementation(() => {});
    const { key, good, post, heard } = await aDoor();
    expect(await post(null)).toBe(401);
    expect(await post(`Bearer ${tokenOf(key, { ...good, aud: foreign.CLIENT_ID })}`)).toBe(401);
    expect(heard).toEqual([]);
    expect(await post(`Bearer ${tokenOf(key, good)}`)).toBe(200);
    const asked: unknown[] = [];
    const env = readEnv({ TEAMS_CLIENT_ID: APP, TEAMS_CLIENT_SECRET: 's' }, '');
    const { app } = createTeamsApp(env, express(), pino({ level: 'silent' }), {
      token: async (scope, tenant) => {
        asked.push([scope, tenant]);
        return `${encoded({ alg: 'none' })}.${encoded({ appid: APP })}.x`;
      },
    });
    await requireToken(app);
    expect(asked).toEqual([[PUBLIC.botScope, 'botframework.com']]);
    expect(app.cloud).toBe(PUBLIC);
    expect(app.api.serviceUrl).toBe('https://smba.trafficmanager.net/teams');
    expect(JSON.stringify([app.api.bots, app.api.users])).not.toContain('elsewhere');
    expect(printed).not.toHaveBeenCalled();
  });

  test('do not keep the service from starting', async () => {
    for (const [name, value] of Object.entries(foreign)) vi.stubEnv(name, value);
    vi.stubEnv('DANGEROUSLY_ALLOW_UNAUTHENTICATED_REQUESTS', 'perhaps');
    const jury = await runService({
      TEAMS_PLAYGROUND_URL: 'http://127.0.0.1:9',
      ...foreign,
      LOG_LEVEL: 'info',
    });
    expect(jury.logged.join()).toContain('teams: on');
  });
});

describe('TEAMS_CLOUD', () => {
  test.each([
    ['USGov', 'https://login.microsoftonline.us', 'https://smba.infra.gov.teams.microsoft.us/teams'],
    ['usgovdod', 'https://login.microsoftonline.us', 'https://smba.infra.dod.teams.microsoft.us/teams'],
    ['Public', 'https://login.microsoftonline.com', 'https://smba.trafficmanager.net/teams'],
  ])('%s says where tokens come from and where conversations are', (TEAMS_CLOUD, login, teams) => {
    const { app, apiFor } = createTeamsApp(
      readEnv({ TEAMS_CLIENT_ID: APP, TEAMS_CLIENT_SECRET: 's', TEAMS_CLOUD }, ''),
      express(),
      pino({ level: 'silent' }),
    );
    expect(app.cloud.loginEndpoint).toBe(login);
    expect(apiFor(null).serviceUrl).toBe(teams);
  });

  test('in China only conversations are reached that Teams has told an address of', () => {
    const env = readEnv({ TEAMS_CLIENT_ID: APP, TEAMS_CLIENT_SECRET: 's', TEAMS_CLOUD: 'China' }, '');
    const { apiFor } = createTeamsApp(env, express(), pino({ level: 'silent' }));
    expect(apiFor('https://teams.example.cn/').serviceUrl).toBe('https://teams.example.cn');
    expect(() => apiFor(null)).toThrow(/mention Jury in it first/);
  });

  test('of another name is refused with those that there are', () => {
    expect(() => readEnv({ TEAMS_CLOUD: 'aws' }, '')).toThrow(
      /TEAMS_CLOUD: must be "public", "usgov", "usgovdod" or "china"/,
    );
  });
});

describe('a playground', () => {
  const url = 'http://127.0.0.1:56150/_connector';

  test.each([
    [
      'beside credentials',
      { TEAMS_PLAYGROUND_URL: url, TEAMS_CLIENT_ID: APP },
      /TEAMS_CLIENT_ID is set: unset one/,
    ],
    [
      'beside a secret',
      { TEAMS_PLAYGROUND_URL: url, TEAMS_CLIENT_SECRET: 's' },
      /TEAMS_CLIENT_SECRET is set/,
    ],
    [
      'on another machine',
      { TEAMS_PLAYGROUND_URL: 'http://10.0.0.5:56150' },
      /must be an address of this machine/,
    ],
  ])('%s turns Teams off, which is named; the rest runs', async (_which, env, why) => {
    const jury = await runService(env);
    expect(jury.logged.find((line) => line.includes('teams: off'))).toMatch(why);
    const at = `http://127.0.0.1:${jury.service.port}`;
    expect((await fetch(`${at}/healthz`)).status).toBe(200);
    expect((await fetch(`${at}/api/messages`, { method: 'POST' })).status).toBe(404);
  });

  test('is refused where HOST is an address that others can reach', () => {
    const { settings } = readEnv({ TEAMS_PLAYGROUND_URL: url, HOST: '0.0.0.0' }, '');
    expect(playgroundProblem(settings)).toMatch(/HOST is 0\.0\.0\.0: unset HOST/);
  });

  test('is let in by the key in its address, whatever else a request says', async () => {
    const { teams, ann, jury } = await aTeam();
    const post = async (path: string) => {
      const response = await fetch(`http://127.0.0.1:${jury.service.port}/api/messages${path}`, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify(ann.message(ann.personal, 'help')),
      });
      return response.status;
    };
    for (const path of ['', '/', '/guessed', '/%2e%2e', '?key=guessed'])
      expect(await post(path), path).toBe(404);
    expect(teams.posts).toEqual([]);
    expect(await ann.deliver(jury.service.port, ann.message(ann.personal, 'help'))).toMatchObject({
      status: 200,
    });
    await until(() => teams.posts.length > 0);
    expect(teams.posts).toHaveLength(1);
  });

  test('has the same key at every start; the doctor prints the command with it, and no log has it', async () => {
    const folder = newFolder();
    const env = { TEAMS_PLAYGROUND_URL: url, JURY_DATA_DIR: folder };
    const jury = await runService(env);
    const [, key = ''] = /messages\/([\w-]{43})$/.exec(playgroundAt(jury.service.port)) ?? [];
    expect(key).not.toBe('');
    expect(statSync(join(folder, 'playground-key')).mode & 0o777).toBe(0o600);
    const { works } = await inspectTeams(readEnv({ ...env, PORT: '3111' }, ''));
    expect(works).toContain(
      `start -e http://127.0.0.1:3111/api/messages/${key} -c msteams -p 56150 --su ${url}`,
    );
    expect(jury.logged.join()).not.toContain(key);
  });
});

test('a redirect does not take the secret elsewhere', async () => {
  const asked: string[] = [];
  const server = createServer((request, response) => {
    asked.push(request.url ?? '');
    response.writeHead(307, { location: '/elsewhere' }).end();
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  closing(async () => void server.close());
  const login = { clientId: APP, clientSecret: 's', loginEndpoint: `http://127.0.0.1:${portOf(server)}` };
  await expect(createAppToken(login, fetch)('scope', 'tenant')).rejects.toThrow('fetch failed');
  expect(asked).toEqual(['/tenant/oauth2/v2.0/token']);
});

test('what Microsoft says of wrong credentials names the setting', async () => {
  const { app } = await aDoor();
  await requireToken(app);
  expect(
    entraProblem(
      new Error('invalid_client: AADSTS7000215: Invalid client secret'),
      'login.microsoftonline.us',
    ),
  ).toMatch(/^TEAMS_CLIENT_SECRET is not valid/);
  expect(entraProblem(new Error('AADSTS700016: Application not found'), 'login.microsoftonline.us')).toMatch(
    /^TEAMS_CLIENT_ID/,
  );
  expect(entraProblem(new Error('AADSTS7000222'), 'login.microsoftonline.us')).toMatch(
    /^TEAMS_CLIENT_SECRET has expired/,
  );
  expect(entraProblem(new Error('AADSTS7000112'), 'login.microsoftonline.us')).toContain('disabled');
  expect(entraProblem(new Error('AADSTS90002'), 'login.microsoftonline.us')).toMatch(/^TEAMS_TENANT_ID/);
  expect(entraProblem(new Error('AADSTS50001'), 'login.microsoftonline.us')).toContain('AADSTS50001');
  expect(entraProblem(new Error('getaddrinfo ENOTFOUND'), 'login.microsoftonline.us')).toMatch(
    /^login\.microsoftonline\.us could not be asked/,
  );
});

test.each([
  ['AADSTS7000215: Invalid client secret', false],
  ['getaddrinfo ENOTFOUND login.microsoftonline.com', true],
])('“%s” turns Teams off only where a setting is wrong', async (answer, retryable) => {
  const env = readEnv({ TEAMS_CLIENT_ID: APP, TEAMS_CLIENT_SECRET: 's' }, '');
  const token = async () => {
    throw new Error(answer);
  };
  const { app } = createTeamsApp(env, express(), pino({ level: 'silent' }), { token });
  await expect(requireToken(app)).rejects.toMatchObject({ code: 'config', retryable });
});

describe('what the doctor says of Teams', () => {
  const answering = async (status: number) => {
    const server = createServer((_request, response) => response.writeHead(status).end()).listen(
      0,
      '127.0.0.1',
    );
    await once(server, 'listening');
    closing(async () => {
      server.close();
    });
    return `http://127.0.0.1:${portOf(server)}`;
  };
  const inspected = (env: Record<string, string>) =>
    inspectTeams(readEnv({ TEAMS_CLIENT_ID: APP, TEAMS_CLIENT_SECRET: 's', ...env }, ''), {
      token: async () => `${encoded({ alg: 'none' })}.${encoded({ appid: APP })}.x`,
    });

  test('is which app works for whom, and that the domain can be checked', async () => {
    const { works, lacks } = await inspected({});
    expect(works).toBe(`app ${APP} for every tenant that installs it`);
    expect(lacks).toEqual([expect.stringContaining('JURY_PUBLIC_URL')]);
  });

  test.each(['https://localhost', 'https://10.0.0.1', 'https://jury'])(
    'is that an app package cannot name %s',
    async (JURY_PUBLIC_URL) => {
      await expect(inspected({ JURY_PUBLIC_URL })).rejects.toThrow(/is not a public host name/);
    },
  );

  test('is that nothing answers at the domain, which may only not be started', async () => {
    const { lacks } = await inspected({ JURY_PUBLIC_URL: 'https://jury.invalid' });
    expect(lacks).toEqual([
      expect.stringContaining('https://jury.invalid/api/messages could not be reached'),
    ]);
  });

  test('is whether Jury answers there: its own door asks for a token', async () => {
    expect(await tryDoor(await answering(401))).toBeNull();
    await expect(tryDoor(await answering(404))).rejects.toThrow(
      /answers 404, not 401: point JURY_PUBLIC_URL/,
    );
  });

  test('refuses an address that is not https', () => {
    expect(() => readEnv({ JURY_PUBLIC_URL: 'http://jury.example.com' }, '')).toThrow(
      /JURY_PUBLIC_URL.*https/,
    );
  });
});
