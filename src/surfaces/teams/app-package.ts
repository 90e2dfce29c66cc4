import { existsSync, readdirSync, readFileSync } from 'node:fs';
import express from 'express';
import { unzipSync, zipSync } from 'fflate';
import pino from 'pino';
import * as z from 'zod';
import { JuryError, messageOf } from '../../common/index.ts';
import { type Env, shippedFolder } from '../../env.ts';
import type { Inspection } from '../index.ts';
import { type CommandAction, writeOutput } from '../terminal/index.ts';
import { iconProblem } from './icons.ts';
import { MESSAGES_PATH } from './ids.ts';
import { HOST_NAME, type Manifest, readManifest, VERSION, VERSION_RULE } from './manifest-rules.ts';
import { playgroundCommand } from './playground.ts';
import type { TeamsCloud } from './teams-app.ts';

function requireDomain(domain: string): void {
  if (HOST_NAME.test(domain)) return;
  throw new JuryError(
    'usage',
    `"${domain.slice(0, 100)}" is not a public host name: give the one at which Teams reaches this service, such as jury.example.com, without https:// and path.`,
  );
}

/**
 * The version of the app package for a version of Jury: 1.2.0 for 0.2.0. Teams accepts no version that begins with 0, and updates
 * only to a higher one, so it rises with every release.
 */
export const appVersion = (jury: string): string =>
  jury.replace(
    /^(\d+)(\.\d+\.\d+).*$/,
    (_whole, major: string, rest: string) => `${Number(major) + 1}${rest}`,
  );

export interface AppPackage {
  /** The application (client) id. */
  id: string;
  /** Where Teams reaches the service, such as `jury.example.com`. */
  domain: string;
  /** Higher than that of the last uploaded package. */
  version: string;
  /** Whether to ask for the permissions to read messages that do not mention the app. */
  readsMessages?: boolean;
}

/**
 * What lets the app read the messages of a team or a chat, and only where an owner of the team or a member of the chat grants it.
 * Teams wants the description to say what for.
 */
const READING = {
  permissions: ['ChannelMessage.Read.Group', 'ChatMessage.Read.Chat'],
  about: 'Where you allow it, Jury reads the messages of a thread above a mention, to judge them.',
  languages: new Map([
    [
      'de.json',
      'Wo Sie es erlauben, liest Jury die Nachrichten eines Threads über einer Erwähnung, um sie zu beurteilen.',
    ],
  ]),
} as const;

function readingParts(id: string) {
  const resourceSpecific = READING.permissions.map((name) => ({ name, type: 'Application' }));
  return {
    // Teams requires a resource and does nothing with it.
    webApplicationInfo: { id: id.toLowerCase(), resource: 'https://RscBasedStoreApp' },
    authorization: { permissions: { resourceSpecific } },
  };
}

const FULL = 'description.full';

const Texts = z.record(z.string(), z.unknown());

/**
 * The app package for Teams, zipped: manifest, languages and icons.
 *
 * @throws JuryError `usage` for an invalid id, domain or version; `bad-file` for files that Teams would refuse
 */
export function buildAppPackage(
  { id, domain, version, readsMessages = false }: AppPackage,
  from = `${shippedFolder('manifests')}/teams/`,
): { manifest: Manifest; zip: Uint8Array } {
  if (!z.guid().safeParse(id).success)
    throw new JuryError(
      'usage',
      `"${id.slice(0, 100)}" is not an application id: copy the application (client) id of the app registration, such as 01234567-89ab-cdef-0123-456789abcdef.`,
    );
  requireDomain(domain);
  if (!VERSION.test(version))
    throw new JuryError('usage', `"${version.slice(0, 100)}" is not a version: it ${VERSION_RULE}.`);
  // The domain replaces the example host in every URL.
  const raw: unknown = JSON.parse(readFileSync(`${from}manifest.json`, 'utf8'), (key, value: unknown) => {
    if (key === 'botId') return id.toLowerCase();
    return typeof value === 'string' ? value.replace('jury.example.com', domain.toLowerCase()) : value;
  });
  const names = readdirSync(from).filter((name) => name.endsWith('.json') && name !== 'manifest.json');
  const languages = new Map(
    names.map((name) => [name, Texts.parse(JSON.parse(readFileSync(`${from}${name}`, 'utf8')))]),
  );
  const whole = Texts.parse(raw);
  if (readsMessages) {
    const description = z.looseObject({ full: z.string() }).parse(whole.description);
    whole.description = { ...description, full: `${description.full} ${READING.about}` };
    for (const [name, texts] of languages)
      texts[FULL] = `${texts[FULL] ?? description.full} ${READING.languages.get(name) ?? READING.about}`;
  }
  const asked = readsMessages ? readingParts(id) : {};
  const filledManifest = { ...whole, ...asked, id: id.toLowerCase(), version };
  const { manifest, problems } = readManifest({ manifest: filledManifest, languages });
  if (manifest === null || problems.length > 0)
    throw new JuryError('bad-file', `Teams would refuse ${from}manifest.json:\n  ${problems.join('\n  ')}`);
  const icons = (['color', 'outline'] as const).map((kind) => {
    const name = manifest.icons[kind];
    if (!existsSync(`${from}${name}`)) throw new JuryError('bad-file', `${from}${name}: is not there`);
    const file = readFileSync(`${from}${name}`);
    const problem = iconProblem(kind, file);
    if (problem !== null) throw new JuryError('bad-file', `${from}${name}: ${problem}`);
    return [name, file] as const;
  });
  const { additionalLanguages } = manifest.localizationInfo;
  const texts = additionalLanguages.map(
    ({ file }) => [file, Buffer.from(JSON.stringify(languages.get(file), null, 2))] as const,
  );
  const manifestFile = ['manifest.json', Buffer.from(JSON.stringify(manifest, null, 2))] as const;
  return { manifest, zip: zipSync(Object.fromEntries([manifestFile, ...icons, ...texts])) };
}

const Packed = z.object({ id: z.string(), version: z.string() });

/** Whether a version is higher than another. */
function isHigher(version: string, than: string): boolean {
  const [one = [], other = []] = [version, than].map((text) => text.split('.').map(Number));
  const at = one.findIndex((part, n) => part !== other[n]);
  return at >= 0 && (one[at] ?? 0) > (other[at] ?? 0);
}

/** A warning if the package to be overwritten has the same or a higher version; null if Teams would accept the new one. */
function overwritten(out: string, zip: Uint8Array): string | null {
  try {
    const [before, now] = [new Uint8Array(readFileSync(out)), zip].map((one) =>
      Buffer.from(unzipSync(one)['manifest.json'] ?? []).toString(),
    );
    const [old, next] = [before, now].map((one) => Packed.parse(JSON.parse(one ?? '')));
    if (before === now || old === undefined || next === undefined) return null;
    if (old.id !== next.id || isHigher(next.version, old.version)) return null;
    return `The package that was here has version ${old.version}, this one ${next.version}: Teams takes an update only with a higher one. If the other was uploaded, give --app-version.`;
  } catch {
    // There is no file, or it is not a package.
    return null;
  }
}

const REACHED_MS = 10_000;

/** The linked pages that Teams and its administrators show and that do not answer, each with the reason. */
export async function deadLinks(
  { developer }: Pick<Manifest, 'developer'>,
  fetch = globalThis.fetch,
): Promise<string[]> {
  const { websiteUrl, privacyUrl, termsOfUseUrl } = developer;
  const answers = [...new Set([websiteUrl, privacyUrl, termsOfUseUrl])].map(async (url) => {
    try {
      const response = await fetch(url, { signal: AbortSignal.timeout(REACHED_MS) });
      await response.body?.cancel();
      return response.ok ? [] : [`${url} answers ${response.status}`];
    } catch (thrown) {
      return [`${url} could not be reached (${messageOf(thrown)})`];
    }
  });
  return (await Promise.all(answers)).flat();
}

const Options = z.object({
  id: z.string(),
  domain: z.string(),
  out: z.string(),
  appVersion: z.string().optional(),
  readMessages: z.boolean().default(false),
});

/** `jury teams package`. */
export const packageApp: CommandAction = async ({ out: say, err, env, version: jury }, options) => {
  const { out, appVersion: given, id, domain, readMessages } = Options.parse(options);
  const version = given ?? appVersion(jury);
  const { manifest, zip } = buildAppPackage({ id, domain, version, readsMessages: readMessages });
  const warning = overwritten(out, zip);
  await writeOutput(out, zip);
  say(`${out}: version ${version}. Upload it in Teams under Apps, Manage your apps, Upload an app.`);
  if (warning !== null) err(warning);
  const { outgoing } = await env();
  const dead = await deadLinks(manifest, outgoing.fetch);
  for (const one of dead) err(`${one}: people in Teams open it from the app's page. Start Jury there first.`);
};

/**
 * Checks that Jury answers at an address: its endpoint rejects a request without a token with 401.
 *
 * @returns the problem if nothing answers; null if Jury does
 * @throws JuryError `config` if something else answers
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

/**
 * Checks the credentials and the address that the app package names.
 * @throws JuryError that says which setting is wrong
 */
export async function inspectTeams(env: Env, microsoft: TeamsCloud = {}): Promise<Inspection> {
  const [{ createTeamsApp }, { requireToken }] = await Promise.all([
    import('./teams-app.ts'),
    import('./entra-tokens.ts'),
  ]);
  const { app } = createTeamsApp(env, express(), pino({ level: 'silent' }), microsoft);
  await requireToken(app);
  const { TEAMS_CLIENT_ID: id = '', TEAMS_TENANT_ID, TEAMS_PLAYGROUND_URL, JURY_PUBLIC_URL } = env.settings;
  if (TEAMS_PLAYGROUND_URL !== undefined)
    return {
      works: `a local playground, started by: ${await playgroundCommand(env, TEAMS_PLAYGROUND_URL)}`,
      lacks: [],
    };
  const tenants =
    TEAMS_TENANT_ID === undefined ? 'every tenant that installs it' : `tenant ${TEAMS_TENANT_ID}`;
  const works = `app ${id} for ${tenants}`;
  if (JURY_PUBLIC_URL === undefined)
    return { works, lacks: ['set JURY_PUBLIC_URL to have the domain of the app package checked'] };
  const { hostname: domain, origin } = new URL(JURY_PUBLIC_URL);
  buildAppPackage({ id, domain, version: '1.0.0' });
  const problem = await tryDoor(origin, env.outgoing.fetch);
  return problem === null
    ? { works: `${works}, reached at ${domain}`, lacks: [] }
    : { works, lacks: [problem] };
}
