import { randomBytes } from 'node:crypto';
import { link, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { hasCode, JuryError, makeFolder, messageOf } from '../common/index.ts';

/** A secret in a file of the data folder, readable only by its owner. */
export interface KeptSecret {
  folder: string;
  name: string;
  /** What to do if it can be neither read nor created. */
  advice: string;
}

export const pathOfSecret = ({ folder, name }: KeptSecret): string => join(folder, name);

const newText = (): string => randomBytes(32).toString('base64url');

/** Writes a secret to a temporary file and moves that into place. */
async function write(
  secret: KeptSecret,
  text: string,
  place: (draft: string, path: string) => Promise<void>,
): Promise<string> {
  const path = pathOfSecret(secret);
  await makeFolder(secret.folder);
  const draft = `${path}.${randomBytes(6).toString('hex')}.tmp`;
  try {
    await writeFile(draft, text, { mode: 0o600, flush: true });
    await place(draft, path);
  } finally {
    await rm(draft, { force: true });
  }
  return text;
}

/** Only the first of several processes can link its draft into place. */
const linkOnce = (draft: string, path: string): Promise<void> =>
  link(draft, path).catch((thrown) => {
    if (!hasCode(thrown, 'EEXIST')) throw thrown;
  });

const failed = (secret: KeptSecret, cause: unknown): JuryError =>
  new JuryError(
    'config',
    `Cannot read or create the secret ${pathOfSecret(secret)} (${messageOf(cause)}). ${secret.advice}`,
    { cause },
  );

/**
 * Reads the secret, creating it on first use; '' if the file is empty.
 *
 * @throws JuryError `config` if it can be neither read nor created
 */
export async function keepSecret(secret: KeptSecret): Promise<string> {
  const read = () => readFile(pathOfSecret(secret), 'utf8');
  try {
    const text = await read().catch(async (thrown) => {
      if (!hasCode(thrown, 'ENOENT') && !hasCode(thrown, 'ENOTDIR')) throw thrown;
      await write(secret, newText(), linkOnce);
      return read();
    });
    return text.trim();
  } catch (thrown) {
    throw failed(secret, thrown);
  }
}

/**
 * Replaces the secret.
 *
 * @param text default: a random one
 * @throws JuryError `config` if it cannot be written
 */
export async function replaceSecret(secret: KeptSecret, text = newText()): Promise<string> {
  try {
    return await write(secret, text, rename);
  } catch (thrown) {
    throw failed(secret, thrown);
  }
}
