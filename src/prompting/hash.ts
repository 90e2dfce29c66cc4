import { createHash } from 'node:crypto';

/** Content hash of wording, as it stands on every judgement. */
export const contentHash = (...parts: readonly string[]): string => {
  const hash = createHash('sha256');
  for (const part of parts) hash.update(part).update('\0');
  return `sha256:${hash.digest('hex')}`;
};
