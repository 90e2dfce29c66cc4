import { createReadStream } from 'node:fs';

const LINE_FEED = 10;

export interface Line {
  text: string;
  /** Where the line begins, in bytes, and whether it ends with a line break. */
  at: number;
  whole: boolean;
}

/** The lines of a file, one after the other; none where there is no file. Unlike `readline` it tells a torn last line. */
export async function* readLines(path: string): AsyncGenerator<Line> {
  let rest: Buffer = Buffer.alloc(0);
  let at = 0;
  try {
    for await (const chunk of createReadStream(path, { highWaterMark: 256 * 1024 })) {
      const bytes = rest.length === 0 ? Buffer.from(chunk) : Buffer.concat([rest, Buffer.from(chunk)]);
      let from = 0;
      for (let end = bytes.indexOf(LINE_FEED); end >= 0; end = bytes.indexOf(LINE_FEED, from)) {
        yield { text: bytes.toString('utf8', from, end), at: at + from, whole: true };
        from = end + 1;
      }
      at += from;
      rest = bytes.subarray(from);
    }
  } catch (thrown) {
    if (thrown instanceof Error && 'code' in thrown && thrown.code === 'ENOENT') return;
    throw thrown;
  }
  if (rest.length > 0) yield { text: rest.toString('utf8'), at, whole: false };
}
