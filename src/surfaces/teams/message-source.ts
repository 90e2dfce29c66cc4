import { JuryError } from '../../common/errors.ts';
import type { MessageSource } from '../../requests/read-message.ts';
import { downloadSignal, readDownload } from '../download.ts';
import { kindOf } from './ids.ts';

/** Where Teams keeps files: SharePoint and OneDrive, whose download addresses carry their own short-lived permission. */
const FILE_HOSTS =
  /^(?:[a-z0-9-]+\.)+(?:sharepoint\.com|sharepoint\.us|sharepoint\.cn|onedrive\.com|1drv\.com)$/;

/** The part of Teams that messages come from, which asks for the app's token. */
const CONNECTORS =
  /^(?:smba\.trafficmanager\.net|smba\.infra\.(?:gcc\.teams\.microsoft\.com|(?:gov|dod)\.teams\.microsoft\.us))$/;

/** With what a file may be fetched from an address; null where it may not be. */
export function accessTo(address: string, playground: string | undefined): 'token' | 'open' | null {
  if (!URL.canParse(address)) return null;
  const { protocol, hostname, host } = new URL(address);
  if (playground !== undefined && new URL(playground).host === host) return 'token';
  if (protocol !== 'https:') return null;
  if (CONNECTORS.test(hostname)) return 'token';
  return FILE_HOSTS.test(hostname) ? 'open' : null;
}

interface Download {
  playground: string | undefined;
  /** The app's token for Teams. */
  token: () => Promise<string>;
  fetch: typeof globalThis.fetch;
}

async function download(
  address: string,
  { playground, token, fetch }: Download,
  signal: AbortSignal,
): Promise<Uint8Array> {
  if (address === '')
    throw new JuryError(
      'bad-input',
      'Teams gives apps no files from channels and group chats, so paste its text or send it to me in our own chat',
    );
  const access = accessTo(address, playground);
  if (access === null)
    throw new JuryError('bad-input', 'it is not on SharePoint, OneDrive or a Teams server');
  const headers = access === 'token' ? { authorization: `Bearer ${await token()}` } : undefined;
  return readDownload(
    () => fetch(address, { redirect: 'error', signal: downloadSignal(signal), ...(headers && { headers }) }),
    signal,
    (status) => `Teams answered ${status}: send it again`,
  );
}

/** What people wrote in Teams, to be read. */
export const teamsMessages = (paste: MessageSource['paste'], from: Download): MessageSource => ({
  kindOf: (conversation) => kindOf(conversation) ?? 'channel',
  paste,
  download: ({ url }, signal) => download(url, from, signal),
  above: async () => {
    throw new JuryError(
      'bad-input',
      'In Teams I see only messages that mention me: mention me with the paste itself, or choose “Ask the jury” in the menu of the message.',
    );
  },
});
