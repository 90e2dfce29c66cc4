import { rename, rm } from 'node:fs/promises';
import { openAppendFile } from './append-file.ts';
import { readLines } from './read-lines.ts';

/** Writes a file anew with only the whole lines that stay, beside it, and puts it in its place. */
export async function rewriteLines(path: string, stays: (line: string) => boolean): Promise<void> {
  const draft = `${path}.tmp`;
  await rm(draft, { force: true });
  const file = await openAppendFile(draft);
  for await (const { text, whole } of readLines(path)) if (whole && stays(text)) await file.append(text);
  await file.close();
  await rename(draft, path);
}
