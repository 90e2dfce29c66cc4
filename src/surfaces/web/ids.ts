import { isLoopback } from '../../common/text.ts';
import type { Env } from '../../env.ts';
import type { Person } from '../../labels/permissions.ts';
import type { ConversationKind } from '../../labels/verdict-record.ts';
import { stillNeeded } from '../surface.ts';

/** The surface's name, as it is stored. */
export const PAGE = 'page';

/** The one conversation of the console: everyone who may use it sees what was asked there. */
export const CONVERSATION = 'page';

/** Everyone who uses a console without sign-in: it answers to its key alone. */
export const LOCAL_USER = 'page:local';

export const kindOf = (conversation: string): ConversationKind | null =>
  conversation === CONVERSATION ? 'page' : null;

/** `page:local`, `oidc:<issuer>:<subject>`, `api:<name>`. */
export const isPerson = (id: string): boolean => id === LOCAL_USER || /^(?:oidc|api):./.test(id);

export const personOf = (user: string): Person => ({ surface: PAGE, team: '', user });

/** A service's own address, for a browser on this machine where it listens on every address. */
export function ownOrigin(host: string, port: number): string {
  const name = ['0.0.0.0', '::'].includes(host) ? 'localhost' : host.includes(':') ? `[${host}]` : host;
  return `http://${name}:${port}`;
}

/** What signing in takes. */
export interface SignInSettings {
  issuer: string;
  clientId: string;
  clientSecret: string;
  /** The console's origin, as browsers know it. */
  publicUrl: string;
}

/** How people come to the console: not at all, with the key of this machine, or by signing in. */
export type ConsoleAccess =
  | { kind: 'off'; needs: string; begun: boolean }
  | { kind: 'local' }
  | ({ kind: 'sign-in' } & SignInSettings);

const NEEDED = ['OIDC_ISSUER', 'OIDC_CLIENT_ID', 'OIDC_CLIENT_SECRET'] as const;

/** How people come to the console, as it is set up. Sign-in that is set up in part opens nothing. */
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

/** Where people open the console; null where only this machine reaches it, or no one does. */
export function consoleUrl(settings: Parameters<typeof consoleAccess>[0]): string | null {
  const { kind } = consoleAccess(settings);
  const { JURY_PUBLIC_URL: url } = settings;
  if (url === undefined || kind === 'off') return null;
  return kind === 'sign-in' || isLoopback(new URL(url).hostname) ? url : null;
}

/** The console's origin, as links name it that are opened on this machine. @param port where it listens */
export const consoleOrigin = (settings: Parameters<typeof consoleAccess>[0], port: number): string =>
  consoleUrl(settings) ?? ownOrigin(settings.HOST, port);
