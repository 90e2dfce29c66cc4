import { existsSync, readFileSync } from 'node:fs';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { parseEnv } from 'node:util';
import * as z from 'zod';
import {
  createSecretFilter,
  describeIssue,
  fileReason,
  JuryError,
  messageOf,
  type SecretFilter,
  secretsIn,
} from './common/index.ts';
import { readJson } from './common/text/index.ts';
import {
  admins,
  apiTokens,
  emailDomains,
  host,
  httpUrl,
  issuer,
  number,
  pageFile,
  publicUrl,
  redaction,
  redisUrl,
  seconds,
  settingPairs,
  teamsCloud,
  text,
  webhooks,
  wholeNumber,
} from './env-values.ts';
import {
  baseUrlVariable,
  createOutgoing,
  createPrices,
  keyVariable,
  noProxies,
  type Outgoing,
  PriceFile,
  type Prices,
  type ProviderSettings,
  providers,
  readProxies,
} from './judges/llm/index.ts';
import { parseRedisUrl } from './stores/index.ts';

/** Every setting the environment can provide. Empty values count as unset. */
const Settings = z.object({
  JURY_MODEL: text.regex(/^rules$|^[^/\s]+\/\S+$/, 'must be "rules" or provider/model').default('rules'),
  JURY_READER: text.regex(/^off$|^rules$|^[^/\s]+\/\S+$/, 'must be "off" or provider/model').optional(),
  JURY_DATA_DIR: text.default('.jury'),
  JURY_PROMPTS_DIR: text.optional(),
  JURY_SETTINGS: settingPairs.prefault(''),
  JURY_DAILY_BUDGET_USD: number('US dollars, 0 or more', (value) => value >= 0).optional(),
  JURY_PERSON_DAILY_USD: number('US dollars, 0 or more', (value) => value >= 0).optional(),
  JURY_CONVERSATION_DAILY_USD: number('US dollars, 0 or more', (value) => value >= 0).optional(),
  JURY_TOKEN_DAILY_USD: number('US dollars, 0 or more', (value) => value >= 0).optional(),
  JURY_PRICES: text.optional(),
  JURY_MAX_CASE_CHARS: wholeNumber(100).default(32_000),
  JURY_REDACT: redaction.prefault(''),
  JURY_CALL_TIMEOUT_S: seconds.default(120),
  JURY_VERDICT_TIMEOUT_S: seconds.default(600),
  JURY_ROUTE_URL: httpUrl.optional(),
  JURY_CALLS_AT_ONCE: wholeNumber(1, 10_000).default(64),
  JURY_SECRET: text.optional(),
  JURY_ADMINS: admins.optional(),
  JURY_WEBHOOKS: webhooks.prefault(''),
  REDIS_URL: redisUrl.optional(),
  JURY_RETENTION_DAYS: wholeNumber(0, 36_500).default(400),
  JURY_CACHE_MB: wholeNumber(1).default(1024),
  PORT: wholeNumber(0, 65_535).default(3000),
  HOST: host.default('127.0.0.1'),
  JURY_CONSOLE: z.enum(['on', 'off']).default('on'),
  JURY_API_TOKENS: apiTokens.prefault(''),
  JURY_METRICS_TOKEN: text.min(16, 'must have 16 characters or more').optional(),
  JURY_PUBLIC_URL: publicUrl.optional(),
  JURY_PRIVACY_FILE: pageFile.optional(),
  JURY_TERMS_FILE: pageFile.optional(),
  OIDC_ISSUER: issuer.optional(),
  OIDC_CLIENT_ID: text.optional(),
  OIDC_CLIENT_SECRET: text.optional(),
  OIDC_EMAIL_DOMAINS: emailDomains.prefault(''),
  LOG_FORMAT: z.enum(['text', 'json']).optional(),
  LOG_LEVEL: z.enum(['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent']).default('info'),
  SLACK_BOT_TOKEN: z.string().startsWith('xoxb-', 'must begin with xoxb-').optional(),
  SLACK_APP_TOKEN: z.string().startsWith('xapp-', 'must begin with xapp-').optional(),
  SLACK_SIGNING_SECRET: text.optional(),
  SLACK_API_URL: httpUrl.optional(),
  TEAMS_CLIENT_ID: z
    .guid('must be the application (client) id, such as 01234567-89ab-cdef-0123-456789abcdef')
    .optional(),
  TEAMS_CLIENT_SECRET: text.optional(),
  TEAMS_TENANT_ID: z
    .guid('must be the directory (tenant) id, such as 01234567-89ab-cdef-0123-456789abcdef')
    .optional(),
  TEAMS_CLOUD: teamsCloud.default('public'),
  TEAMS_PLAYGROUND_URL: httpUrl.optional(),
});

/** The model that reads pastes which plain reading refuses; null if none does. */
export function readerModel({
  JURY_READER,
  JURY_MODEL,
}: Pick<z.infer<typeof Settings>, 'JURY_READER' | 'JURY_MODEL'>): string | null {
  const model = JURY_READER ?? JURY_MODEL;
  return model === 'off' || model === 'rules' ? null : model;
}

type Variables = Readonly<Record<string, string | undefined>>;

export interface Env {
  settings: z.infer<typeof Settings>;
  /** The values of `<PROVIDER>_API_KEY` and `<PROVIDER>_BASE_URL`. */
  provider: ProviderSettings;
  /** Reads any variable, for files that refer to one by name. @throws JuryError `config` if `NAME_FILE` names a file that cannot be read */
  variable: (name: string) => string | undefined;
  /** The environment that child processes inherit. */
  inherited: Variables;
  /** Removes the environment's secrets from text that comes from outside. */
  secrets: SecretFilter;
  /** Names of the variables that were read from files. */
  fromFiles: readonly string[];
  outgoing: Outgoing;
  prices: Prices;
  /** Folders to read prompts from: the built-in one, then `JURY_PROMPTS_DIR`. */
  promptFolders: readonly [builtIn: string, ...own: string[]];
  /** The built-in docs. */
  docsFolder: string;
  /** Scripts and styles for the browser. */
  browserFolder: string;
  /** The worker script that reads long pastes off the main thread. */
  pasteWorker: URL;
  /** The worker script that prepares pages of runs off the main thread. */
  reportWorker: URL;
}

/** The path of a folder that ships with the program. */
export const shippedFolder = (name: string): string => fileURLToPath(new URL(`../${name}`, import.meta.url));

const builtInPrompts = shippedFolder('prompts');
const docsFolder = shippedFolder('docs');
const browserFolder = shippedFolder('dist/browser');
const pasteWorker = pathToFileURL(shippedFolder('dist/paste-worker.js'));
const reportWorker = pathToFileURL(shippedFolder('dist/report-worker.js'));

const withoutEmpty = (variables: Variables): Variables =>
  Object.fromEntries(
    Object.entries(variables).filter(([, value]) => value !== undefined && value.trim() !== ''),
  );

/**
 * Settings, besides the providers' API keys, that are secret or can hold a password. Each can be read from the file named by
 * `NAME_FILE`, and is removed from text that comes from outside.
 */
const SECRETS = [
  'HTTP_PROXY',
  'HTTPS_PROXY',
  'JURY_API_TOKENS',
  'JURY_METRICS_TOKEN',
  'JURY_ROUTE_URL',
  'JURY_SECRET',
  'JURY_WEBHOOKS',
  'OIDC_CLIENT_SECRET',
  'REDIS_URL',
  'SLACK_APP_TOKEN',
  'SLACK_BOT_TOKEN',
  'SLACK_SIGNING_SECRET',
  'TEAMS_CLIENT_SECRET',
];

/** Reads a secret from its file. @throws JuryError `config` that names the file but never quotes its contents */
function readSecret(name: string, path: string): string {
  const wrong = (why: string) => new JuryError('config', `${name}_FILE: ${path} ${why}`);
  let held: string;
  try {
    held = readFileSync(path, 'utf8');
  } catch (thrown) {
    throw wrong(`cannot be read: ${fileReason(thrown)}`);
  }
  if (held.trim() === '') throw wrong('is empty');
  return held.replace(/(\r?\n)+$/, '');
}

/** Runs a read; on failure, records the problem and returns undefined. */
type Attempt = <T>(read: () => T) => T | undefined;

/** The secrets given as files, by variable name. */
function secretsInFiles(all: Variables, attempt: Attempt): Map<string, string> {
  const named = Object.keys(all).flatMap((name) => /^(\w+)_BASE_URL$/.exec(name)?.[1] ?? []);
  const keys = [...Object.keys(providers), ...named].map(keyVariable);
  const secrets = new Map<string, string>();
  for (const name of new Set([...SECRETS, ...keys])) {
    const path = all[`${name}_FILE`];
    if (path === undefined) continue;
    const value = attempt(() => {
      if (all[name] === undefined) return readSecret(name, path.trim());
      throw new JuryError('config', `${name} and ${name}_FILE are both set: unset one`);
    });
    if (value !== undefined) secrets.set(name, value);
  }
  return secrets;
}

/** A filter for every secret in the environment, including the keys of all providers. */
function filterOf(
  all: Variables,
  { JURY_API_TOKENS, JURY_WEBHOOKS }: z.infer<typeof Settings>,
): SecretFilter {
  const filter = createSecretFilter();
  for (const [name, value = ''] of Object.entries(all)) {
    if (!SECRETS.includes(name.toUpperCase()) && !/_(?:API_KEY|BASE_URL)$/.test(name)) continue;
    // A proxy URL is not secret except for a password in it.
    const address = /_PROXY$/i.test(name) && !value.includes('://') ? `http://${value}` : value;
    if (name === 'REDIS_URL') filter.add(parseRedisUrl(value).login.password ?? '', name);
    else if (address.includes('://') && name !== 'JURY_WEBHOOKS')
      for (const secret of secretsIn(address)) filter.add(secret, name);
    else filter.add(value, name);
  }
  for (const token of JURY_API_TOKENS.values()) filter.add(token, 'JURY_API_TOKENS');
  for (const address of JURY_WEBHOOKS.values()) filter.add(address, 'JURY_WEBHOOKS');
  return filter;
}

/** @throws JuryError `config` that lists every problem in the file */
function pricesIn(path: string): Prices {
  const wrong = (why: string) => new JuryError('config', `JURY_PRICES: ${path} ${why}`);
  let held: string;
  try {
    held = readFileSync(path, 'utf8');
  } catch (thrown) {
    throw wrong(`cannot be read: ${fileReason(thrown)}`);
  }
  const file = readJson(z.unknown(), held);
  if (file === null) throw wrong('is not valid JSON');
  const prices = PriceFile.safeParse(file.value, { jitless: true });
  if (prices.success) return createPrices(prices.data);
  const described = prices.error.issues.map((issue) => describeIssue(PriceFile, issue));
  throw wrong(described.map(({ key, message }) => `${key}: ${message}`).join('; '));
}

/**
 * Reads the environment, which takes precedence over a `.env` file in the working directory.
 * @throws JuryError `config` that lists every invalid variable at once, without values (they may be secrets)
 */
export function readEnv(variables: Variables = process.env, file = '.env'): Env {
  const problems: string[] = [];
  let fromFile: Variables = {};
  try {
    if (existsSync(file)) fromFile = parseEnv(readFileSync(file, 'utf8'));
  } catch (thrown) {
    problems.push(`${file} cannot be read: ${messageOf(thrown)}`);
  }
  const attempt: Attempt = (read) => {
    try {
      return read();
    } catch (thrown) {
      problems.push(messageOf(thrown));
      return undefined;
    }
  };
  const given = { ...withoutEmpty(fromFile), ...withoutEmpty(variables) };
  const inFiles = secretsInFiles(given, attempt);
  const all: Variables = { ...given, ...Object.fromEntries(inFiles) };
  const proxies = attempt(() => readProxies(all)) ?? noProxies;
  if (all.NODE_EXTRA_CA_CERTS !== undefined && variables.NODE_EXTRA_CA_CERTS === undefined)
    problems.push(`NODE_EXTRA_CA_CERTS: Node does not read it from ${file}; set it in the environment`);
  const checked = Settings.safeParse(all, { jitless: true });
  for (const issue of checked.error?.issues ?? []) {
    const { key, message } = describeIssue(Settings, issue);
    problems.push(`${key}: ${message}`);
  }
  for (const name of Object.keys(providers).map(baseUrlVariable)) {
    const value = all[name];
    if (value !== undefined && !/^https?:\/\/\S+$/.test(value.trim()))
      problems.push(`${name}: must be a URL that begins with http:// or https://`);
  }
  const { JURY_PRICES: priceFile } = checked.data ?? {};
  const prices = priceFile === undefined ? createPrices() : attempt(() => pricesIn(priceFile));
  if (!checked.success || prices === undefined || problems.length > 0)
    throw new JuryError(
      'config',
      `The settings are wrong; nothing was started.\n${problems.map((problem) => `  ${problem}`).join('\n')}\nSee .env.example for every variable.`,
    );
  const ownFolder = checked.data.JURY_PROMPTS_DIR;
  return {
    settings: checked.data,
    docsFolder,
    browserFolder,
    pasteWorker,
    reportWorker,
    variable: (name) => {
      const path = all[`${name}_FILE`];
      return all[name] ?? (path === undefined ? undefined : readSecret(name, path));
    },
    inherited: process.env,
    secrets: filterOf(all, checked.data),
    fromFiles: [...inFiles.keys()],
    outgoing: createOutgoing(proxies),
    prices,
    promptFolders: ownFolder === undefined ? [builtInPrompts] : [builtInPrompts, ownFolder],
    provider: (name) => {
      const [apiKey, baseUrl] = [all[keyVariable(name)], all[baseUrlVariable(name)]];
      return { ...(apiKey === undefined ? {} : { apiKey }), ...(baseUrl === undefined ? {} : { baseUrl }) };
    },
  };
}

/** Reads the environment with some variables overridden. @throws JuryError `config` */
export const environmentWith = (variables: Readonly<Record<string, string>>): Env =>
  readEnv({ ...process.env, ...variables });
