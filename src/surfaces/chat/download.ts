import { JuryError, messageOf } from '../../common/index.ts';

/** The largest file that is read, in bytes. */
const MAX_FILE_BYTES = 2_000_000;
const DOWNLOAD_MS = 15_000;

/** For one request of a download: aborts with the check, or when it takes too long. */
export const downloadSignal = (signal: AbortSignal): AbortSignal =>
  AbortSignal.any([signal, AbortSignal.timeout(DOWNLOAD_MS)]);

/** @throws JuryError `bad-input` if a file of this size is not read */
export function requireFileSize(bytes: number): void {
  if (bytes > MAX_FILE_BYTES)
    throw new JuryError(
      'bad-input',
      `it is larger than ${MAX_FILE_BYTES / 1_000_000} MB: split it, or use the command line`,
    );
}

/**
 * The bytes of a file.
 *
 * @param respond asks for it
 * @param refused why it was not given, by the status of the answer
 * @throws JuryError `bad-input` that says why it cannot be read
 */
export async function readDownload(
  respond: () => Promise<Response>,
  signal: AbortSignal,
  refused: (status: number) => string,
): Promise<Uint8Array> {
  let response: Response;
  try {
    response = await respond();
  } catch (thrown) {
    if (thrown instanceof JuryError || signal.aborted) throw thrown;
    throw new JuryError('bad-input', `it could not be fetched (${messageOf(thrown)}): send it again`);
  }
  if (!response.ok || response.body === null) throw new JuryError('bad-input', refused(response.status));
  const chunks: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of response.body) {
    size += chunk.length;
    requireFileSize(size);
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
}
