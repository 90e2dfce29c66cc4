import { createHmac, randomBytes } from 'node:crypto';
import { readFile, stat } from 'node:fs/promises';
import type { Request } from 'express';
import { JuryError } from '../../common/index.ts';
import { type KeptSecret, keepSecret, pathOfSecret, replaceSecret } from '../../stores/index.ts';
import { cookieOf, isSame, KEY_HOLDER, type People } from './access.ts';
import { isSecret } from './sessions.ts';

/** How long a browser that has opened the link stays signed in: 30 days, in ms. */
export const KEY_SESSION_MS = 30 * 24 * 3_600_000;

const NOT_A_KEY = 'holds no key: npx jury open --new-key makes another one.';

/**
 * The key of a console on a loopback address. It is needed because every account on the machine, and anyone behind a forwarded port, can
 * reach that address. All processes with the same data folder share the key. It signs the sessions, so replacing it ends them all.
 * @param learn called with each new key that is read from the file
 */
export function createConsoleKey(folder: string, now: () => number, learn: (key: string) => void = () => {}) {
  const kept: KeptSecret = {
    folder,
    name: 'console-key',
    advice:
      'It opens the console: set JURY_DATA_DIR to a writable folder, or turn the console off with JURY_CONSOLE=off.',
  };
  const path = pathOfSecret(kept);
  let lastRead = { version: '', key: '' };

  /** The key in the file, read again whenever the file has changed: another process may have replaced it. Null if none can be read. */
  async function read(): Promise<string | null> {
    try {
      const { ino, mtimeNs } = await stat(path, { bigint: true });
      const version = `${ino} ${mtimeNs}`;
      if (version !== lastRead.version) {
        lastRead = { version, key: (await readFile(path, 'utf8')).trim() };
        if (isSecret(lastRead.key)) learn(lastRead.key);
      }
      return isSecret(lastRead.key) ? lastRead.key : null;
    } catch {
      return null;
    }
  }

  const sign = (key: string, text: string): string =>
    createHmac('sha256', key).update(`console session ${text}`).digest('base64url');

  return {
    /** The key; created on first use. @throws JuryError `config` */
    keep: async (): Promise<string> => {
      const key = await keepSecret(kept);
      if (isSecret(key)) return key;
      throw new JuryError('config', `${path} ${NOT_A_KEY}`);
    },
    /** Replaces the key, which ends all sessions. @returns the new key @throws JuryError `config` */
    replace: (): Promise<string> => replaceSecret(kept),
    isKey: async (given: string): Promise<boolean> => {
      const key = await read();
      return key !== null && isSame(key, given);
    },
    /** Begins a session. @returns its cookie's value; null if there is no key */
    begin: async (): Promise<string | null> => {
      const key = await read();
      if (key === null) return null;
      const text = `${now().toString(36)}.${randomBytes(16).toString('base64url')}`;
      return `${text}.${sign(key, text)}`;
    },
    isSession: async (session: string): Promise<boolean> => {
      const [begun = '', nonce = '', signature = ''] = session.split('.');
      const key = signature === '' ? null : await read();
      if (key === null || !isSame(sign(key, `${begun}.${nonce}`), signature)) return false;
      return Number.parseInt(begun, 36) + KEY_SESSION_MS > now();
    },
  };
}

export type ConsoleKey = ReturnType<typeof createConsoleKey>;

/** The path of the link that begins a session. */
export const OPEN = '/open';

/** The link that begins a session. @param origin of the console in the browser */
export const linkWith = (origin: string, key: string): string =>
  `${origin}${OPEN}?${new URLSearchParams({ key })}`;

/** The name of the session cookie. Browsers share a host's cookies among all its ports, so the name has the port, as the browser knows it. */
export const sessionCookie = ({ headers: { host = '' } }: Request): string =>
  `jury-${/:(\d{1,5})$/.exec(host)?.[1] ?? '80'}`;

/** Lets in requests with the key as a bearer token, and browsers that have opened the link. */
export const keyHolders = ({ isKey, isSession }: Pick<ConsoleKey, 'isKey' | 'isSession'>): People => ({
  origin: null,
  find: async (request) => {
    const session = cookieOf(request, sessionCookie(request));
    return session !== undefined && (await isSession(session)) ? KEY_HOLDER : null;
  },
  byToken: async (given) => ((await isKey(given)) ? KEY_HOLDER : null),
  advice: {
    people: 'This console asks for its key: open the link that npx jury open prints, then reload the page.',
    programs:
      'Programs send the key, or one of JURY_API_TOKENS, as Authorization: Bearer …; npx jury open prints a link with the key, and the file console-key in the data folder holds it.',
  },
});
