import { writeSync } from 'node:fs';
import { open } from 'node:fs/promises';
import { JuryError, messageOf } from '../../../common/errors.ts';

/** A file that is only appended to. */
export interface AppendFile {
  /** Resolves when the line is with the system: it then outlasts this process, however that ends. */
  append(line: string): Promise<void>;
  /** Resolves when all that was appended is on the disk: it then outlasts a power cut. */
  sync(): Promise<void>;
  close(): Promise<void>;
}

/** Hands bytes to the system, all of them: it may take fewer at a time. */
function writeAll(file: number, bytes: Uint8Array): void {
  for (let at = 0; at < bytes.length; ) at += writeSync(file, bytes, at);
}

/**
 * Lines that come in one turn go out together, in one write. It is a synchronous one: to hand the system a few kilobytes
 * takes a sixth of what it takes to have a thread do it, at every trial. Forcing them to the disk does take time and is
 * left to a thread. After a write that failed, on a full disk, nothing more is appended: it may have left half a line.
 */
export async function openAppendFile(path: string): Promise<AppendFile> {
  const file = await open(path, 'a');
  let failed: JuryError | null = null;
  let next: { lines: string[]; written: Promise<void> } | null = null;
  let dirty = false;

  function write(lines: readonly string[]): void {
    if (failed !== null) throw failed;
    dirty = true;
    try {
      writeAll(file.fd, Buffer.from(lines.join('')));
    } catch (cause) {
      failed = new JuryError(
        'store-unavailable',
        `Cannot write to ${path}: ${messageOf(cause)}. What was kept before is safe; mend that and start the same command again.`,
        { cause },
      );
      throw failed;
    }
  }
  function batch() {
    const lines: string[] = [];
    const written = Promise.resolve().then(() => {
      next = null;
      write(lines);
    });
    return { lines, written };
  }
  async function sync(): Promise<void> {
    if (!dirty) return;
    dirty = false;
    await file.datasync();
  }
  return {
    append(line) {
      next ??= batch();
      next.lines.push(`${line}\n`);
      return next.written;
    },
    sync,
    close: async () => {
      await next?.written.catch(() => {});
      await sync();
      await file.close();
    },
  };
}
