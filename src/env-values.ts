// Schemas for the values of environment variables, which are always text.
import { readFileSync } from 'node:fs';
import { isIPv4, isIPv6 } from 'node:net';
import * as z from 'zod';
import { createRedactor, isRedactable, readTemplates, redactable } from './case/redact/index.ts';
import { fileReason, messageOf } from './common/index.ts';
import { isLoopback } from './common/text/index.ts';
import { readSettings } from './judging/standards/index.ts';
import { parseRedisUrl } from './stores/index.ts';

export const text = z.string().trim().min(1);
export const number = (wanted: string, isRight: (value: number) => boolean) =>
  text.transform(Number).refine((value) => Number.isFinite(value) && isRight(value), `must be ${wanted}`);

export const wholeNumber = (least: number, most = Number.MAX_SAFE_INTEGER) =>
  number(
    `a whole number${most === Number.MAX_SAFE_INTEGER ? `, at least ${least}` : ` from ${least} to ${most}`}`,
    (value) => Number.isInteger(value) && value >= least && value <= most,
  );

export const seconds = number('seconds above 0', (value) => value > 0);

/** `brand=Aurora,domain=films`. A value that contains a comma can only be given on the command line. */
export const settingPairs = z.string().transform((value, context) => {
  try {
    return readSettings(value.split(',').filter((pair) => pair.trim() !== ''));
  } catch (thrown) {
    context.addIssue({ code: 'custom', message: messageOf(thrown) });
    return z.NEVER;
  }
});

/** `pager=https://…,ci=https://…`. The URLs may be secrets, so error messages never quote them. */
export const webhooks = z.string().transform((value, context) => {
  const pairs = value.split(',').flatMap((pair) => (pair.trim() === '' ? [] : [pair.trim()]));
  const read = pairs.map((pair) => /^(?<name>[\w-]{1,40})=(?<url>https?:\/\/\S+)$/i.exec(pair)?.groups);
  if (read.every((found) => found !== undefined && URL.canParse(found.url ?? '')))
    return new Map(read.map(({ name = '', url = '' } = {}): [string, string] => [name, url]));
  context.addIssue({ code: 'custom', message: 'must be name=https://… pairs, separated by commas' });
  return z.NEVER;
});

/** `ci:…,nightly:…`. Error messages never quote a token. */
export const apiTokens = z.string().transform((value, context) => {
  const pairs = value.split(',').flatMap((pair) => (pair.trim() === '' ? [] : [pair.trim()]));
  const read = pairs.map((pair) => /^(?<name>[\w.-]{1,40}):(?<token>\S{16,})$/.exec(pair)?.groups);
  const names = new Set(read.map((found) => found?.name));
  if (read.every((found) => found !== undefined) && names.size === pairs.length)
    return new Map(read.map(({ name = '', token = '' } = {}): [string, string] => [name, token]));
  const message =
    'must be name:token pairs, separated by commas; each name once, tokens of 16 characters or more';
  context.addIssue({ code: 'custom', message });
  return z.NEVER;
});

/** `phone,email,file:/etc/jury/own.json`: kinds of details to redact, and files with custom patterns. */
export const redaction = z.string().transform((value, context) => {
  const names = value.split(',').flatMap((name) => name.trim() || []);
  const problems: string[] = [];
  const fromFiles = names
    .filter((name) => name.startsWith('file:'))
    .flatMap((name) => {
      const file = name.slice('file:'.length);
      try {
        const read = readTemplates(JSON.parse(readFileSync(file, 'utf8')));
        if (!('problem' in read)) return read;
        problems.push(`${file}: ${read.problem}`);
      } catch (thrown) {
        problems.push(`${file} cannot be read as JSON: ${messageOf(thrown)}`);
      }
      return [];
    });
  for (const name of names)
    if (!name.startsWith('file:') && !isRedactable(name))
      problems.push(`"${name}" is none of ${Object.keys(redactable).join(', ')} or file:PATH`);
  for (const message of problems) context.addIssue({ code: 'custom', message });
  return problems.length > 0 ? z.NEVER : createRedactor(names.filter(isRedactable), fromFiles);
});

/** An address or name of this machine. An IPv6 address may be in brackets, as in URLs. */
export const host = text
  .transform((value) => value.replace(/^\[(.*)\]$/, '$1'))
  .refine((value) => {
    if (/^[\d.]+$/.test(value)) return isIPv4(value);
    return value.includes(':') ? isIPv6(value) : /^[\w.-]+$/.test(value);
  }, 'must be an address or a name of this machine, such as 127.0.0.1; PORT sets the port');

export const httpUrl = z.url({
  protocol: /^https?$/,
  error: 'must be an address that begins with http:// or https://',
});

const LONGEST_PAGE = 200_000;

/** The path of a Markdown page. Parses to the contents of the file. */
export const pageFile = text.transform((path, context) => {
  const wrong = (why: string) => {
    context.addIssue({ code: 'custom', message: `${path} ${why}` });
    return z.NEVER;
  };
  let held: string;
  try {
    held = readFileSync(path, 'utf8');
  } catch (thrown) {
    return wrong(`cannot be read: ${fileReason(thrown)}`);
  }
  if (held.trim() === '') return wrong('is empty');
  if (held.length > LONGEST_PAGE) return wrong(`is longer than ${LONGEST_PAGE} characters`);
  return held.includes('\uFFFD') || held.includes('\0') ? wrong('is no text in UTF-8') : held;
});

/** Microsoft's clouds, under the names its SDKs use. */
export const teamsCloud = z
  .string()
  .trim()
  .toLowerCase()
  .pipe(z.enum(['public', 'usgov', 'usgovdod', 'china']));

/** URLs that passwords and sessions may be sent to: https, or plain http on this machine only. */
const secureUrl = z.url({ error: 'must be an address that begins with https://' }).refine((url) => {
  const { protocol, hostname } = new URL(url);
  return protocol === 'https:' || (protocol === 'http:' && isLoopback(hostname));
}, 'must begin with https:// (http:// only for localhost)');

export const publicUrl = secureUrl
  .refine((url) => {
    const { origin, href } = new URL(url);
    return href === `${origin}/`;
  }, 'must be an address without a path, such as https://jury.example.com')
  .transform((url) => new URL(url).origin);

/** Issuers that would let anyone with a Microsoft account sign in. */
const EVERY_TENANT = /^https:\/\/login\.microsoftonline\.com\/(?:common|organizations|consumers)(?:\/|$)/;
export const issuer = secureUrl
  .refine((url) => !EVERY_TENANT.test(url), 'must name your tenant in the place of "common"')
  .refine((url) => !/[?#]/.test(url), 'must be an address without ? and #');

/** `example.com,example.org`. */
export const emailDomains = z.string().transform((value, context) => {
  const domains = value.split(',').flatMap((one) => (one.trim() === '' ? [] : [one.trim().toLowerCase()]));
  if (domains.every((one) => /^[\w-]+(?:\.[\w-]+)+$/.test(one))) return domains;
  context.addIssue({ code: 'custom', message: 'must be domains such as example.com, separated by commas' });
  return z.NEVER;
});

const ADMIN =
  /^(?:[UW][A-Z0-9]{2,}|teams:[0-9a-f-]{36}:[0-9a-f-]{36}|[^\s@:]+@[^\s@:]+\.[^\s@:]+|page:local|oidc:\S+|api:[\w.-]+)$/;

/** User ids and e-mail addresses. E-mail addresses are lowercased. */
export const admins = z.string().transform((value, context) => {
  const listed = value.split(/[\s,]+/).filter((one) => one !== '');
  const ids = listed.map((one) =>
    /@|^teams:/i.test(one) && !one.startsWith('oidc:') ? one.toLowerCase() : one,
  );
  const wrong = ids.findIndex((id) => !ADMIN.test(id));
  if (ids.length > 0 && wrong < 0) return new Set(ids);
  const which = ids.length === 0 ? '' : ` (number ${wrong + 1} is none of these)`;
  const message = `must list people, separated by commas, as U0123ABCD, teams:TENANT:OBJECT-ID, ann@example.com, page:local, oidc:ISSUER:SUBJECT or api:NAME${which}`;
  context.addIssue({ code: 'custom', message });
  return z.NEVER;
});

export const redisUrl = text.superRefine((url, context) => {
  try {
    parseRedisUrl(url);
  } catch (thrown) {
    context.addIssue({ code: 'custom', message: messageOf(thrown).replace('REDIS_URL: ', '') });
  }
});
