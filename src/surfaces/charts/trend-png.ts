import { createRequire as requireFrom } from 'node:module';
import { crc32, deflateSync } from 'node:zlib';
import { type RenderedImage, renderAsync } from '@resvg/resvg-js';
import { LineChart } from 'echarts/charts';
import { GridComponent, LegendComponent, TitleComponent } from 'echarts/components';
import { init, use } from 'echarts/core';
import { SVGRenderer } from 'echarts/renderers';
import { CHART_WIDTH, chartHeight, SMALL_WIDTH, type Trend, trendOption } from './trend.ts';

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
function indexedPng({
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

use([LineChart, GridComponent, LegendComponent, TitleComponent, SVGRenderer]);

/** Pixels a point, for screens of high density. */
const ZOOM = 2;

const fontFile = (name: string): string =>
  requireFrom(import.meta.url).resolve(`dejavu-fonts-ttf/ttf/${name}.ttf`);

async function drawn(trend: Trend, width: number, zoom: number): Promise<RenderedImage> {
  const chart = init(null, null, {
    renderer: 'svg',
    ssr: true,
    width,
    height: chartHeight(trend),
  });
  try {
    chart.setOption(trendOption(trend, width));
    return await renderAsync(chart.renderToSVGString(), {
      fitTo: { mode: 'zoom', value: zoom },
      font: {
        loadSystemFonts: false,
        fontFiles: ['DejaVuSans', 'DejaVuSans-Bold'].map(fontFile),
        defaultFontFamily: 'DejaVu Sans',
      },
    });
  } finally {
    chart.dispose();
  }
}

/**
 * Draws a chart without a browser and without the system's fonts, so that it looks the same everywhere. What it draws with takes long to
 * load: import this module only when there is something to draw.
 *
 * @returns a PNG, 1800 pixels wide
 */
export const trendPng = async (trend: Trend): Promise<Uint8Array> =>
  (await drawn(trend, CHART_WIDTH, ZOOM)).asPng();

/** From what is good to read to what can be read. */
const SMALL_ZOOMS = [1.8, 1.5, 1.2, 1, 0.8];

/** The same for a phone within so many bytes, with fewer colors and pixels; null if it does not get that small. */
export async function smallTrendPng(trend: Trend, mostBytes: number): Promise<Uint8Array | null> {
  for (const zoom of SMALL_ZOOMS) {
    const png = indexedPng(await drawn(trend, SMALL_WIDTH, zoom));
    if (png.length <= mostBytes) return png;
  }
  return null;
}
