import { chmodSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { readEnv } from '../src/env.ts';
import { aCase } from './support/builders.ts';
import { startModelDouble } from './support/model-double.ts';
import { closeAfterEach, closing, newFolder } from './support/resources.ts';
import { jury, scratch, verdictsOf } from './support/run-jury.ts';

closeAfterEach();

/** A file with this content. */
function held(content: string): string {
  const path = join(newFolder(), 'held');
  writeFileSync(path, content);
  return path;
}

const problemsOf = (variables: Record<string, string>): string => {
  try {
    readEnv(variables, '');
  } catch (thrown) {
    return String(thrown);
  }
  return '';
};

/** The variables in .env.example that hold a secret, by their names. */
const secretNames = readFileSync(new URL('../.env.example', import.meta.url), 'utf8')
  .split('\n')
  .flatMap((line) => /^([A-Z][A-Z0-9_]*_(?:PASSWORD|TOKENS?|SECRET|KEY)S?)=/.exec(line)?.[1] ?? []);

describe('secrets in files', () => {
  test('there are some of each kind', () => {
    expect(secretNames).toEqual(
      expect.arrayContaining(['JURY_SECRET', 'SLACK_BOT_TOKEN', 'JURY_API_TOKENS', 'OPENAI_API_KEY']),
    );
  });

  test('stand on the page of deployment', () => {
    const page = readFileSync(new URL('../docs/deployment.md', import.meta.url), 'utf8');
    const [, section = ''] = /\n## Secrets from files\n([\s\S]*?)\n## /.exec(page) ?? [];
    const own = secretNames.filter((name) => !name.endsWith('_API_KEY'));
    expect(own.filter((name) => !section.includes(`\`${name}\``))).toEqual([]);
  });

  test.each(secretNames)('%s is looked for in its file', (name) => {
    expect(problemsOf({ [`${name}_FILE`]: '/nowhere/secret' })).toContain(
      `${name}_FILE: /nowhere/secret cannot be read`,
    );
  });

  test.each(secretNames)('%s is hidden in text from outside', (name) => {
    // Each of the forms that these settings have.
    const forms = [
      'hidden-0123456789abcdef',
      'xoxb-0123456789abcdef',
      'xapp-0123456789abcdef',
      'ci:0123456789abcdef',
    ];
    const value = forms.find((form) => problemsOf({ [name]: form }) === '') ?? '';
    const { secrets } = readEnv({ [name]: value }, '');
    expect(value).toContain('0123456789abcdef');
    expect(secrets.hide(`it says ${value}`)).not.toContain('0123456789abcdef');
  });

  test.each([
    ['JURY_SECRET', 'a secret'],
    ['REDIS_URL', 'redis://:password@redis.test:6379'],
    ['SLACK_BOT_TOKEN', 'xoxb-1'],
    ['SLACK_APP_TOKEN', 'xapp-1'],
    ['SLACK_SIGNING_SECRET', 'signing'],
    ['TEAMS_CLIENT_SECRET', 'secret'],
    ['JURY_ROUTE_URL', 'https://routes.test/driving?access_token=1'],
  ] as const)('%s', (name, value) => {
    for (const ending of ['', '\n', '\r\n'])
      expect(readEnv({ [`${name}_FILE`]: held(`${value}${ending}`) }, '').settings[name]).toBe(value);
  });

  test('tokens of the API, webhooks, proxies, keys of providers, and variables that files of systems name', () => {
    const env = readEnv(
      {
        JURY_API_TOKENS_FILE: held('ci:0123456789abcdef\n'),
        JURY_WEBHOOKS_FILE: held('pager=https://hooks.test/secret\n'),
        HTTPS_PROXY_FILE: held('http://a:b@proxy.test:3128\n'),
        OPENAI_API_KEY_FILE: held('sk-1\n'),
        MINE_BASE_URL: 'https://mine.test/v1',
        MINE_API_KEY_FILE: held('sk-2\n'),
        ASSISTANT_TOKEN_FILE: held('token\n'),
      },
      '',
    );
    expect(env.settings.JURY_API_TOKENS.get('ci')).toBe('0123456789abcdef');
    expect(env.settings.JURY_WEBHOOKS.get('pager')).toBe('https://hooks.test/secret');
    expect(env.outgoing.proxies.https?.url.host).toBe('proxy.test:3128');
    expect(env.provider('openai').apiKey).toBe('sk-1');
    expect(env.provider('mine').apiKey).toBe('sk-2');
    expect(env.variable('ASSISTANT_TOKEN')).toBe('token');
    expect(env.variable('OTHER_TOKEN')).toBeUndefined();
  });

  test('given twice, missing, empty or malformed are all named at once, without what they hold', () => {
    const said = problemsOf({
      JURY_SECRET: 'hidden-1',
      JURY_SECRET_FILE: held('hidden-2'),
      REDIS_URL_FILE: '/nowhere/redis-url',
      OIDC_CLIENT_SECRET_FILE: held('\n'),
      SLACK_BOT_TOKEN_FILE: held('hidden-3'),
    });
    expect(said).toContain('JURY_SECRET and JURY_SECRET_FILE are both set: unset one');
    expect(said).toContain('REDIS_URL_FILE: /nowhere/redis-url cannot be read: no such file or folder');
    expect(said).toMatch(/OIDC_CLIENT_SECRET_FILE: \S+ is empty/);
    expect(said).toContain('SLACK_BOT_TOKEN: must begin with xoxb-');
    expect(said).not.toContain('hidden');
  });

  test('a folder is no secret, and files that mean nothing to Jury are not looked at', () => {
    const folder = newFolder();
    mkdirSync(join(folder, 'x'));
    expect(problemsOf({ JURY_SECRET_FILE: folder })).toContain(`JURY_SECRET_FILE: ${folder} cannot be read`);
    expect(problemsOf({ AWS_WEB_IDENTITY_TOKEN_FILE: '/nowhere', DD_API_KEY_FILE: '/nowhere' })).toBe('');
  });

  test('the doctor says which ones are in files', async () => {
    const path = held('a secret\n');
    chmodSync(path, 0o400);
    const ran = await jury(['doctor'], { env: { JURY_SECRET_FILE: path } });
    expect(ran.out).toContain('✓ environment: every variable is well-formed; from files: JURY_SECRET');
  });
});

describe('a file of prices', () => {
  const prices = (content: unknown) => held(JSON.stringify(content));
  const pricesOf = (content: unknown) => readEnv({ JURY_PRICES: prices(content) }, '').prices.of;
  const own = { input: 2.5, cachedInput: 1.25, output: 10 };

  test('comes before list prices; "*" prices what is not known; Ollama is free unless it is priced', () => {
    const of = pricesOf({
      'Azure/my-deployment': own,
      'openai/gpt-4o': { input: 1, output: 2 },
      'ollama/big': own,
      '*': { input: 7, output: 8 },
    });
    expect(of('azure/my-deployment')).toEqual(own);
    expect(of('openai/gpt-4o-2024-08-06')).toEqual({ input: 1, cachedInput: null, output: 2 });
    expect(of('openai/gpt-4o-mini')).toEqual({ input: 0.15, cachedInput: 0.075, output: 0.6 });
    expect(of('mine/model')).toEqual({ input: 7, cachedInput: null, output: 8 });
    expect(of('ollama/llama3')).toEqual({ input: 0, cachedInput: null, output: 0 });
    expect(of('ollama/big')).toEqual(own);
    expect(pricesOf({})('mine/model')).toBeNull();
  });

  test('that is wrong is named with every key and what it may be', () => {
    const said = problemsOf({
      JURY_PRICES: prices({
        'gpt-4o': own,
        'openai/a': { input: -1, output: 'x' },
        'openai/b': { input: 1, out: 2, output: 3 },
        'openai/c': { input: 1 },
      }),
    });
    expect(said).toMatch(/JURY_PRICES: \S+ gpt-4o: is no model: write provider\/model, or "\*"/);
    expect(said).toContain('openai/a.input: must be 0 or more');
    expect(said).toContain('openai/a.output: must be a number');
    expect(said).toContain('openai/b.out: is not a known key; choose from: input, cachedInput, output');
    expect(said).toContain('openai/c.output: is missing');
    expect(problemsOf({ JURY_PRICES: held('{') })).toMatch(/JURY_PRICES: \S+ is not valid JSON/);
    expect(problemsOf({ JURY_PRICES: '/nowhere' })).toContain('no such file');
  });

  test('counts on verdicts and in lists of models', async () => {
    const double = await startModelDouble();
    closing(double.close);
    const cwd = scratch();
    const env = {
      MINE_BASE_URL: double.baseUrl,
      JURY_PRICES: prices({ 'mine/judge': { input: 1000, output: 1000 } }),
    };
    const ran = await jury(['judge', '--json', '--model', 'mine/judge', '--method', 'io'], {
      cwd,
      env,
      input: JSON.stringify(aCase()),
    });
    // 120 tokens at $1000 a million.
    expect(verdictsOf(ran)[0]?.usage.costUsd).toBeCloseTo(0.12, 10);
    expect((await jury(['models'], { cwd, env })).out).toMatch(/mine\/judge[\s\S]*\$1000 in, \$1000 out/);
  });
});

describe('JURY_ADMINS', () => {
  test('takes people as each platform names them; addresses and ids of Entra ID in any case', () => {
    const tenant = '9F0E8D7C-6b5a-4c3d-8e2f-1a0b9c8d7e6f';
    const listed = `U0123ABCD, teams:${tenant}:${tenant},Ann@Example.com oidc:https://id.example:A@b,page:local,api:ci`;
    const { JURY_ADMINS: admins } = readEnv({ JURY_ADMINS: listed }, '').settings;
    expect([...(admins ?? [])]).toEqual([
      'U0123ABCD',
      `teams:${tenant}:${tenant}`.toLowerCase(),
      'ann@example.com',
      'oidc:https://id.example:A@b',
      'page:local',
      'api:ci',
    ]);
    for (const none of ['', '  '])
      expect(readEnv({ JURY_ADMINS: none }, '').settings.JURY_ADMINS).toBeUndefined();
  });

  test.each([
    'ann',
    'U0123ABCD,C0123ABCD',
    'teams:acme:ann',
    'name:ann',
    'slack:T1:U1',
    '@ann',
    ',',
    'u0123abcd',
  ])('does not take %s', (value) => {
    const problem = problemsOf({ JURY_ADMINS: value });
    expect(problem).toMatch(/JURY_ADMINS: must list people, separated by commas/);
    if (value.includes('C0')) expect(problem).toContain('(number 2 is none of these)');
  });
});

test.each(['JURY_ROUTE_URL', 'SLACK_API_URL', 'TEAMS_PLAYGROUND_URL'])(
  '%s takes addresses alone, and says so',
  (name) => {
    for (const wrong of ['there', 'ftp://there'])
      expect(problemsOf({ [name]: wrong })).toContain(
        `${name}: must be an address that begins with http:// or https://`,
      );
    expect(problemsOf({ [name]: 'http://127.0.0.1:5000/there' })).toBe('');
  },
);

describe('where the service listens', () => {
  test.each(['127.999.1.1', '127.1', '10.0.0.256', '127.0.0.1:3000', 'http://localhost', '::g', 'a b'])(
    'is refused at the start where no machine can have that address: %s',
    (host) => {
      expect(problemsOf({ HOST: host })).toContain('HOST: must be an address or a name of this machine');
    },
  );

  test.each([
    ['127.0.0.1', '127.0.0.1'],
    ['127.1.2.3', '127.1.2.3'],
    ['localhost', 'localhost'],
    ['::1', '::1'],
    ['[::1]', '::1'],
    ['0.0.0.0', '0.0.0.0'],
    ['jury-1.example.com', 'jury-1.example.com'],
  ])('%s is %s', (host, read) => {
    expect(readEnv({ HOST: host }, '').settings.HOST).toBe(read);
  });
});
