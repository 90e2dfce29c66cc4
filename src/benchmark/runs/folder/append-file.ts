import { open } from 'node:fs/promises';
import { JuryError, messageOf } from '../../../core/errors.ts';

/** A file that is only appended to. */
export interface AppendFile {
  /** Resolves when the line is with the system: it then outlasts this process, however that ends. */
  append(line: string): Promise<void>;
  /** Resolves when all that was appended is on the disk: it then outlasts a power cut. */
  sync(): Promise<void>;
  close(): Promise<void>;
}

/**
 * Lines that come while others are being written go out together, in one write. After a write that failed, on a full
 * disk, nothing more is appended: it may have left half a line.
 */
export async function openAppendFile(path: string): Promise<AppendFile> {
  const file = await open(path, 'a');
  let last: Promise<void> = Promise.resolve();
  let next: { lines: string[]; written: Promise<void> } | null = null;
  let dirty = false;

  function batch() {
    const lines: string[] = [];
    const written = last.then(async () => {
      next = null;
      dirty = true;
      try {
        await file.appendFile(lines.join(''));
      } catch (cause) {
        throw new JuryError(
          'store-unavailable',
          `Cannot write to ${path}: ${messageOf(cause)}. What was kept before is safe; mend that and start the same command again.`,
          { cause },
        );
      }
    });
    last = written;
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
      await last.catch(() => {});
      await sync();
      await file.close();
    },
  };
}
