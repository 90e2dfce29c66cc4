const hasBom = (bytes: Uint8Array, first: number, second: number): boolean =>
  bytes[0] === first && bytes[1] === second;

function encodingOf(bytes: Uint8Array): 'utf-8' | 'utf-16le' | 'utf-16be' {
  if (hasBom(bytes, 0xff, 0xfe)) return 'utf-16le';
  if (hasBom(bytes, 0xfe, 0xff)) return 'utf-16be';
  return 'utf-8';
}

/**
 * Bytes of a file or of standard input as text. A byte order mark is dropped; UTF-16 is read where a mark announces
 * it. Anything else than text is a problem, never replacement characters.
 */
export function decodeInput(bytes: Uint8Array): { text: string } | { problem: string } {
  const encoding = encodingOf(bytes);
  let text: string;
  try {
    text = new TextDecoder(encoding, { fatal: true }).decode(bytes);
  } catch {
    return {
      problem:
        encoding === 'utf-8'
          ? 'This is not text in UTF-8 (a binary file, or another encoding): save it as UTF-8 text and try again.'
          : 'This starts like UTF-16 text but is not: save it as UTF-8 text and try again.',
    };
  }
  return text.includes('\0') ? { problem: BINARY } : { text };
}

/** What is said of text that holds a NUL character. */
export const BINARY =
  'This holds binary data (NUL characters), not text: give a paste, a JSON case or JSONL, saved as UTF-8 text.';
