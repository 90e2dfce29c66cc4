import { readFileSync } from 'node:fs';
import express from 'express';
import { zipSync } from 'fflate';
import pino from 'pino';
import * as z from 'zod';
import { JuryError, messageOf } from '../../common/errors.ts';
import { type Env, shippedFolder } from '../../env.ts';
import type { CommandAction } from '../cli/command.ts';
import { writeOutput } from '../cli/output.ts';
import type { Inspection } from '../surface.ts';
import { MESSAGES_PATH } from './ids.ts';
import type { TeamsCloud } from './teams-app.ts';

const text = (most: number) => z.string().min(1).max(most, `may have at most ${most} characters`);
const url = text(2_048).startsWith('https://', 'must begin with https://');

/** What Teams takes of a manifest, as far as it can be edited by hand; the whole is checked by tests against the official schema. */
const Manifest = z.looseObject({
  version: text(256),
  id: z.guid(),
  developer: z.looseObject({ name: text(32), websiteUrl: url, privacyUrl: url, termsOfUseUrl: url }),
  name: z.looseObject({ short: text(30), full: text(100) }),
  description: z.looseObject({ short: text(80), full: text(4_000) }),
  bots: z.tuple([
    z.looseObject({
      botId: z.guid(),
      commandLists: z
        .array(
          z.looseObject({
            commands: z
              .array(z.looseObject({ title: text(32), description: text(128) }))
              .max(12, 'may have at most 12 commands'),
          }),
        )
        .max(3),
    }),
  ]),
  composeExtensions: z.tuple([
    z.looseObject({
      botId: z.guid(),
      commands: z.array(z.looseObject({ title: text(32), description: text(128) })),
    }),
  ]),
  validDomains: z.array(z.string()),
});

/** A host name without scheme, port and path; `localhost` and addresses are not reachable for Teams. */
const DOMAIN = /^(?=.{4,253}$)(?:[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?\.)+[a-z]{2,63}$/i;

function requireDomain(domain: string): void {
  if (DOMAIN.test(domain)) return;
  throw new JuryError(
    'usage',
    `"${domain.slice(0, 100)}" is not a public host name: give the one at which Teams reaches this service, such as jury.example.com, without https:// and path.`,
  );
}

/** Width and height of a PNG, which stand at fixed places in its header. */
function sizeOfPng(file: Buffer): string {
  if (file.length < 24 || file.toString('latin1', 1, 4) !== 'PNG') return 'no PNG';
  return `${file.readUInt32BE(16)}×${file.readUInt32BE(20)}`;
}

const ICONS = { 'color.png': '192×192', 'outline.png': '32×32' } as const;
const LANGUAGES = ['de.json'];

export interface AppPackage {
  /** The application (client) id. */
  id: string;
  /** Where Teams reaches the service, such as `jury.example.com`. */
  domain: string;
}

/**
 * The app package for Teams: manifest, languages and icons, zipped.
 *
 * @throws JuryError `usage` for an id or a domain that is not one; `bad-file` for a manifest or an icon that Teams would refuse
 */
export function buildAppPackage(
  { id, domain }: AppPackage,
  from = `${shippedFolder('manifests')}/teams/`,
): Uint8Array {
  if (!z.guid().safeParse(id).success)
    throw new JuryError(
      'usage',
      `"${id.slice(0, 100)}" is not an application id: copy the application (client) id of the app registration, such as 01234567-89ab-cdef-0123-456789abcdef.`,
    );
  requireDomain(domain);
  // Every address that is given as an example names the domain.
  const raw: unknown = JSON.parse(readFileSync(`${from}manifest.json`, 'utf8'), (key, value: unknown) => {
    if (key === 'botId') return id.toLowerCase();
    return typeof value === 'string' ? value.replace('jury.example.com', domain.toLowerCase()) : value;
  });
  const checked = Manifest.safeParse(raw);
  if (!checked.success)
    throw new JuryError('bad-file', `${from}manifest.json: ${z.prettifyError(checked.error)}`);
  const icons = Object.entries(ICONS).map(([name, size]) => {
    const file = readFileSync(`${from}${name}`);
    const found = sizeOfPng(file);
    if (found !== size) throw new JuryError('bad-file', `${from}${name}: has to be ${size}, is ${found}`);
    return [name, file] as const;
  });
  const manifest = { ...checked.data, id: id.toLowerCase(), validDomains: [domain.toLowerCase()] };
  const languages = LANGUAGES.map((name) => [name, readFileSync(`${from}${name}`)] as const);
  return zipSync({
    'manifest.json': Buffer.from(JSON.stringify(manifest, null, 2)),
    ...Object.fromEntries([...icons, ...languages]),
  });
}

const Options = z.object({ id: z.string(), domain: z.string(), out: z.string() });

/** `jury teams package`. */
export const packageApp: CommandAction = async ({ out: say }, options) => {
  const { out, ...about } = Options.parse(options);
  await writeOutput(out, buildAppPackage(about));
  say(`${out}: upload it in Teams under Apps, Manage your apps, Upload an app.`);
};

const REACHED_MS = 10_000;

/**
 * Whether Jury is found at an address: a request without a token has to get 401, as its own door answers.
 *
 * @returns why that is not known, because nothing answers; null if it is found
 * @throws JuryError `config` where something else answers
 */
export async function tryDoor(origin: string, fetch = globalThis.fetch): Promise<string | null> {
  const door = `${origin}${MESSAGES_PATH}`;
  let status: number;
  try {
    ({ status } = await fetch(door, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: '{"type":"message"}',
      redirect: 'manual',
      signal: AbortSignal.timeout(REACHED_MS),
    }));
  } catch (thrown) {
    return `${door} could not be reached (${messageOf(thrown)}): start Jury, and point the address at it`;
  }
  if (status === 401) return null;
  throw new JuryError('config', `${door} answers ${status}, not 401: point JURY_PUBLIC_URL at this service`);
}

/** Tries the credentials and the address that the app package names. @throws JuryError that says which setting is wrong */
export async function inspectTeams(env: Env, microsoft: TeamsCloud = {}): Promise<Inspection> {
  const { createTeamsApp, requireToken } = await import('./teams-app.ts');
  const { app } = createTeamsApp(env, express(), pino({ level: 'silent' }), microsoft);
  await requireToken(app);
  const { TEAMS_CLIENT_ID: id = '', TEAMS_TENANT_ID, TEAMS_PLAYGROUND_URL, JURY_PUBLIC_URL } = env.settings;
  if (TEAMS_PLAYGROUND_URL !== undefined)
    return { works: `a local playground at ${TEAMS_PLAYGROUND_URL}`, lacks: [] };
  const tenants =
    TEAMS_TENANT_ID === undefined ? 'every tenant that installs it' : `tenant ${TEAMS_TENANT_ID}`;
  const works = `app ${id} for ${tenants}`;
  if (JURY_PUBLIC_URL === undefined)
    return { works, lacks: ['set JURY_PUBLIC_URL to have the domain of the app package checked'] };
  const { hostname: domain, origin } = new URL(JURY_PUBLIC_URL);
  buildAppPackage({ id, domain });
  const problem = await tryDoor(origin, env.outgoing.fetch);
  return problem === null
    ? { works: `${works}, reached at ${domain}`, lacks: [] }
    : { works, lacks: [problem] };
}
