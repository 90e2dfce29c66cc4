import { JuryError, messageOf } from '../../common/errors.ts';
import type { MessageSource } from '../../requests/read-message.ts';
import { kindOf } from './ids.ts';

/** Largest file that is read, bytes. */
const MAX_FILE_BYTES = 2_000_000;
const DOWNLOAD_MS = 15_000;

/** Where Teams keeps files: SharePoint and OneDrive, whose download addresses carry their own short-lived permission. */
const FILE_HOSTS =
  /^(?:[a-z0-9-]+\.)+(?:sharepoint\.com|sharepoint\.us|sharepoint\.cn|onedrive\.com|1drv\.com)$/;

/** Whether a file may be fetched from an address. No token is ever sent. */
const isFileHost = (address: string, playground: string | undefined): boolean => {
  if (!URL.canParse(address)) return false;
  const { protocol, hostname, host } = new URL(address);
  if (playground !== undefined && new URL(playground).host === host) return true;
  return protocol === 'https:' && FILE_HOSTS.test(hostname);
};

async function download(
  address: string,
  playground: string | undefined,
  signal: AbortSignal,
): Promise<Uint8Array> {
  if (!isFileHost(address, playground))
    throw new JuryError('bad-input', 'it does not lie on SharePoint or OneDrive');
  let response: Response;
  try {
    response = await fetch(address, {
      redirect: 'error',
      signal: AbortSignal.any([signal, AbortSignal.timeout(DOWNLOAD_MS)]),
    });
  } catch (thrown) {
    if (signal.aborted) throw thrown;
    throw new JuryError('bad-input', `it could not be fetched (${messageOf(thrown)}): send it again`);
  }
  if (!response.ok || response.body === null)
    throw new JuryError('bad-input', `Teams answered ${response.status}: send it again`);
  const chunks: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of response.body) {
    size += chunk.length;
    if (size > MAX_FILE_BYTES)
      throw new JuryError(
        'bad-input',
        `it is larger than ${MAX_FILE_BYTES / 1_000_000} MB: split it, or use the command line`,
      );
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
}

/** What people wrote in Teams, to be read. */
export const teamsMessages = (paste: MessageSource['paste'], playground?: string): MessageSource => ({
  kindOf: (conversation) => kindOf(conversation) ?? 'channel',
  paste,
  download: ({ url }, signal) => download(url, playground, signal),
  above: async () => {
    throw new JuryError(
      'bad-input',
      'In Teams I see only messages that mention me: mention me with the paste itself, or choose “Ask the jury” in the menu of the message.',
    );
  },
});
