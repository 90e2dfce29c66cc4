import { isIP } from 'node:net';
import type { Env } from '../../env.ts';
import type { Person } from '../../labels/person.ts';
import type { ConversationKind } from '../../labels/verdict-record.ts';

/** The surface's name, as it is stored. */
export const PAGE = 'page';

/** The one conversation of the console: everyone who may use it sees what was asked there. */
export const CONVERSATION = 'page';

/** Everyone who uses a console without sign-in: it answers on this machine alone. */
export const LOCAL_USER = 'page:local';

export const kindOf = (conversation: string): ConversationKind | null =>
  conversation === CONVERSATION ? 'page' : null;

/** `page:local`, `oidc:<issuer>:<subject>`, `api:<name>`. */
export const isPerson = (id: string): boolean => id === LOCAL_USER || /^(?:oidc|api):./.test(id);

export const personOf = (user: string): Person => ({ surface: PAGE, team: '', user });

/** Whether only this machine can reach an address to listen on. */
const isLoopback = (host: string): boolean =>
  host === 'localhost' || host === '::1' || (isIP(host) === 4 && host.startsWith('127.'));

/** Whether there are pages for people, and an API without a token. */
export const hasPages = ({ JURY_CONSOLE, HOST }: Pick<Env['settings'], 'JURY_CONSOLE' | 'HOST'>): boolean =>
  JURY_CONSOLE === 'on' && isLoopback(HOST);
