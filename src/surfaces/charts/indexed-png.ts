import { crc32, deflateSync } from 'node:zlib';

/** Six shades of each color: lines and letters of a chart stay clear, and a file is a quarter as large. */
const SHADES = 6;

const palette = Buffer.from(
  Array.from({ length: SHADES ** 3 }, (_, index) => [
    Math.floor(index / SHADES ** 2),
    Math.floor(index / SHADES) % SHADES,
    index % SHADES,
  ])
    .flat()
    .map((shade) => Math.round((shade * 255) / (SHADES - 1))),
);

function chunk(name: string, data: Buffer): Buffer {
  const body = Buffer.concat([Buffer.from(name, 'latin1'), data]);
  const whole = Buffer.alloc(body.length + 8);
  whole.writeUInt32BE(data.length);
  body.copy(whole, 4);
  whole.writeUInt32BE(crc32(body), body.length + 4);
  return whole;
}

/** A picture as a PNG of few colors. @param pixels four bytes each: red, green, blue, and how opaque, which all are */
export function indexedPng({
  width,
  height,
  pixels,
}: {
  width: number;
  height: number;
  pixels: Uint8Array;
}): Uint8Array {
  const shade = (at: number): number => Math.round(((pixels[at] ?? 0) / 255) * (SHADES - 1));
  // Each row begins with how it is filtered: not at all.
  const rows = Buffer.alloc(height * (width + 1));
  for (let y = 0; y < height; y += 1)
    for (let x = 0; x < width; x += 1) {
      const at = (y * width + x) * 4;
      rows[y * (width + 1) + 1 + x] = (shade(at) * SHADES + shade(at + 1)) * SHADES + shade(at + 2);
    }
  const header = Buffer.alloc(13);
  header.writeUInt32BE(width, 0);
  header.writeUInt32BE(height, 4);
  // Eight bits a pixel, each a number in the palette.
  header.set([8, 3, 0, 0, 0], 8);
  return Buffer.concat([
    Buffer.from('89504e470d0a1a0a', 'hex'),
    chunk('IHDR', header),
    chunk('PLTE', palette),
    chunk('IDAT', deflateSync(rows, { level: 9 })),
    chunk('IEND', Buffer.alloc(0)),
  ]);
}
