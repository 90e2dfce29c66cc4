import { inflateSync } from 'node:zlib';
import { JuryError } from '../../common/index.ts';

const RGBA = 4;

/** A picture's pixels, four bytes each: red, green, blue, alpha. */
interface Pixels {
  width: number;
  height: number;
  bytes: Uint8Array;
}

/** A PNG's chunks by name; chunks with the same name are joined. */
function chunksOf(file: Buffer): Map<string, Buffer> {
  const chunks = new Map<string, Buffer>();
  for (let at = 8; at + 8 <= file.length; ) {
    const end = at + 8 + file.readUInt32BE(at);
    const name = file.toString('latin1', at + 4, at + 8);
    chunks.set(name, Buffer.concat([chunks.get(name) ?? Buffer.alloc(0), file.subarray(at + 8, end)]));
    at = end + 4;
  }
  return chunks;
}

/** PNG's Paeth filter: whichever of the bytes to the left, above and above left is closest to their prediction. */
function paeth(left: number, up: number, corner: number): number {
  const predicted = left + up - corner;
  const [toLeft, toUp, toCorner] = [left, up, corner].map((one) => Math.abs(predicted - one));
  if (toLeft === undefined || toUp === undefined || toCorner === undefined) return 0;
  if (toLeft <= toUp && toLeft <= toCorner) return left;
  return toUp <= toCorner ? up : corner;
}

/**
 * Reads a PNG of eight bits a channel with an alpha channel, as drawing programs export icons.
 *
 * @throws JuryError `bad-file` for any other file
 */
function readPng(file: Buffer): Pixels {
  const wrong = (why: string) => new JuryError('bad-file', why);
  if (file.length < 33 || file.toString('latin1', 1, 4) !== 'PNG') throw wrong('is no PNG');
  const [width, height] = [file.readUInt32BE(16), file.readUInt32BE(20)];
  const [depth, color, , , interlaced] = file.subarray(24, 29);
  if (depth !== 8 || color !== 6 || interlaced !== 0)
    throw wrong('must be a PNG of 32 bits (8 bits a channel, with alpha), not interlaced');
  let lines: Buffer;
  try {
    lines = inflateSync(chunksOf(file).get('IDAT') ?? Buffer.alloc(0));
  } catch (cause) {
    throw new JuryError('bad-file', 'is a damaged PNG', { cause });
  }
  const stride = width * RGBA;
  if (lines.length !== height * (stride + 1)) throw wrong('is a damaged PNG');
  const bytes = new Uint8Array(height * stride);
  for (let at = 0; at < bytes.length; at += 1) {
    const [x, y] = [at % stride, Math.floor(at / stride)];
    const left = x < RGBA ? 0 : (bytes[at - RGBA] ?? 0);
    const up = bytes[at - stride] ?? 0;
    const corner = x < RGBA ? 0 : (bytes[at - stride - RGBA] ?? 0);
    const filter = lines[y * (stride + 1)];
    const added = [0, left, up, Math.floor((left + up) / 2), paeth(left, up, corner)][filter ?? 0] ?? 0;
    bytes[at] = (lines[y * (stride + 1) + 1 + x] ?? 0) + added;
  }
  return { width, height, bytes };
}

/** Whether a picture contains only white pixels, at least one of them fully transparent. */
const isWhiteOnTransparent = ({ bytes }: Pixels): boolean => {
  let isAnyClear = false;
  for (let at = 0; at < bytes.length; at += RGBA) {
    const isClear = bytes[at + 3] === 0;
    isAnyClear ||= isClear;
    if (!isClear && bytes.subarray(at, at + 3).some((channel) => channel !== 255)) return false;
  }
  return isAnyClear;
};

/** Why Teams would refuse an icon; null if it would not. */
export function iconProblem(kind: 'color' | 'outline', file: Buffer): string | null {
  const side = kind === 'color' ? 192 : 32;
  let pixels: Pixels;
  try {
    pixels = readPng(file);
  } catch (thrown) {
    if (thrown instanceof JuryError) return thrown.message;
    throw thrown;
  }
  const { width, height } = pixels;
  if (width !== side || height !== side) return `must be ${side}×${side}, is ${width}×${height}`;
  if (kind === 'outline' && !isWhiteOnTransparent(pixels))
    return 'must be white on a transparent background, without any other color';
  return null;
}
