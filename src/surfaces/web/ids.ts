import { isLoopback } from '../../common/text/index.ts';
import type { Env } from '../../env.ts';
import type { Person } from '../../labels/access/index.ts';
import type { ConversationKind } from '../../labels/record/index.ts';
import { stillNeeded } from '../index.ts';

/** The surface's name in stored data. */
export const PAGE = 'page';

/** The console's one conversation: everyone with access to the console sees what was asked in it. */
export const CONVERSATION = 'page';

/** The user that everyone with the key of a console without sign-in counts as. */
export const LOCAL_USER = 'page:local';

export const kindOf = (conversation: string): ConversationKind | null =>
  conversation === CONVERSATION ? 'page' : null;

/** Whether an id has the form of a user's: `page:local`, `oidc:<issuer>:<subject>` or `api:<name>`. */
export const isPerson = (id: string): boolean => id === LOCAL_USER || /^(?:oidc|api):./.test(id);

/** Whether a user is a program that has a token. */
export const isProgram = (user: string): boolean => user.startsWith('api:');

export const personOf = (user: string): Person => ({ surface: PAGE, team: '', user });

/** The service's own origin. If it listens on all addresses, that for browsers on the same machine. */
export function ownOrigin(host: string, port: number): string {
  const name = ['0.0.0.0', '::'].includes(host) ? 'localhost' : host.includes(':') ? `[${host}]` : host;
  return `http://${name}:${port}`;
}

/** The settings for sign-in with an OpenID provider. */
export interface SignInSettings {
  issuer: string;
  clientId: string;
  clientSecret: string;
  /** The console's origin in the browser. */
  publicUrl: string;
}

/**
 * How people get into the console: not at all, with its key, or by signing in. `needs`: why it is off and what would turn it on. `begun`:
 * whether sign-in is set up in part.
 */
export type ConsoleAccess =
  | { kind: 'off'; needs: string; begun: boolean }
  | { kind: 'local' }
  | ({ kind: 'sign-in' } & SignInSettings);

const NEEDED = ['OIDC_ISSUER', 'OIDC_CLIENT_ID', 'OIDC_CLIENT_SECRET'] as const;

/** How people get into the console with these settings. An incomplete sign-in setup turns it off rather than falling back to the key. */
export function consoleAccess(
  settings: Pick<Env['settings'], 'JURY_CONSOLE' | 'HOST' | 'JURY_PUBLIC_URL' | (typeof NEEDED)[number]>,
): ConsoleAccess {
  const { JURY_CONSOLE, HOST, JURY_PUBLIC_URL: publicUrl } = settings;
  if (JURY_CONSOLE === 'off') return { kind: 'off', needs: 'JURY_CONSOLE is off', begun: false };
  const { OIDC_ISSUER: issuer, OIDC_CLIENT_ID: clientId, OIDC_CLIENT_SECRET: clientSecret } = settings;
  if (issuer !== undefined && clientId !== undefined && clientSecret !== undefined && publicUrl !== undefined)
    return { kind: 'sign-in', issuer, clientId, clientSecret, publicUrl };
  const set = NEEDED.filter((name) => settings[name] !== undefined);
  const missing = [...NEEDED, 'JURY_PUBLIC_URL' as const].filter((name) => settings[name] === undefined);
  if (set.length > 0) return { kind: 'off', needs: stillNeeded(set, missing), begun: true };
  if (isLoopback(HOST)) return { kind: 'local' };
  return {
    kind: 'off',
    needs: `HOST is ${HOST}, where other machines can reach it: ${stillNeeded([], missing)} to have people sign in, or HOST=127.0.0.1`,
    begun: false,
  };
}

/** The configured address of the console; null if there is none or the console is off, or if it takes a key and the address isn't loopback. */
export function consoleUrl(settings: Parameters<typeof consoleAccess>[0]): string | null {
  const { kind } = consoleAccess(settings);
  const { JURY_PUBLIC_URL: url } = settings;
  if (url === undefined || kind === 'off') return null;
  return kind === 'sign-in' || isLoopback(new URL(url).hostname) ? url : null;
}

/** The console's origin in links that are opened on this machine. @param port the port that the service listens on */
export const consoleOrigin = (settings: Parameters<typeof consoleAccess>[0], port: number): string =>
  consoleUrl(settings) ?? ownOrigin(settings.HOST, port);
