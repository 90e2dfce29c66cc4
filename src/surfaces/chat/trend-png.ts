import { createRequire as requireFrom } from 'node:module';
import { crc32, deflateSync } from 'node:zlib';
import { type RenderedImage, renderAsync } from '@resvg/resvg-js';
import type { EChartsOption } from 'echarts';
import { LineChart } from 'echarts/charts';
import { GridComponent, LegendComponent, TitleComponent } from 'echarts/components';
import { init, use } from 'echarts/core';
import { SVGRenderer } from 'echarts/renderers';
import { shortLine } from '../wording/index.ts';
import { distinctNames, type Trend } from './digest-words.ts';

/** In points; PNGs have twice as many pixels. */
export const CHART_WIDTH = 900;
/** In points; narrow enough that letters stay readable on a phone. */
export const SMALL_WIDTH = 440;
const PLOT_HEIGHT = 300;
const TITLE_HEIGHT = 70;
const AXIS_HEIGHT = 44;
const LEGEND_ROW = 22;
const FONT = 'DejaVu Sans';
const MARGIN = { left: 64, right: 64 };

/** The most that a 13-point letter takes on average, and the gap between two dates below the axis; in points. */
const LETTER = 8;
const GAP = 24;
/** Points to allow for each letter of a name and of a title. */
const NAME_LETTER = 15;
const TITLE_LETTER = 12.8;

/**
 * Okabe and Ito's colors, which color-blind readers can tell apart, without the yellow that is faint on white. Shapes tell the
 * lines apart in grayscale.
 */
const COLORS = ['#0072b2', '#d55e00', '#009e73', '#cc79a7', '#56b4e9', '#e69f00'];
const SHAPES = ['circle', 'rect', 'triangle', 'diamond', 'emptyCircle', 'emptyRect'];
const INK = '#1d1c1d';
const PALE = '#5e5d60';
const GRID = '#e3e3e3';

/** The axis range: whole tens around all values with some room, so that small changes are visible; within 0 to 100. */
function percentRange(values: readonly number[]): { min: number; max: number } {
  if (values.length === 0) return { min: 0, max: 100 };
  const min = Math.max(0, Math.floor((Math.min(...values) - 4) / 10) * 10);
  const max = Math.min(100, Math.ceil((Math.max(...values) + 4) / 10) * 10);
  return { min, max };
}

/** The height of a chart in points. With more than one line, each has a row in the legend. */
export const chartHeight = ({ series }: Trend): number =>
  TITLE_HEIGHT + PLOT_HEIGHT + AXIS_HEIGHT + (series.length > 1 ? series.length * LEGEND_ROW + 8 : 8);

/** One line of the chart. It is drawn across gaps; a lone point still shows as a symbol. */
const lineOf = (name: string, values: readonly (number | null)[], index: number) => ({
  type: 'line' as const,
  name,
  data: [...values],
  connectNulls: true,
  symbol: SHAPES[index % SHAPES.length] ?? 'circle',
  symbolSize: 9,
  lineStyle: { width: 2.5 },
});

/** Label every how many points, so that the dates fit. */
function labelStep(categories: readonly string[], width: number): number {
  const widest = Math.max(...categories.map((label) => label.length)) * LETTER + GAP;
  const room = Math.floor((width - MARGIN.left - MARGIN.right) / widest) + 1;
  return Math.max(1, Math.ceil((categories.length - 1) / Math.max(1, room - 1)));
}

/** The chart's options. It has its own background, since chats may be light or dark. */
function trendOption(trend: Trend, width: number): EChartsOption {
  const { title, categories, series } = trend;
  const values = series.flatMap((line) => line.values.filter((value) => value !== null));
  const step = labelStep(categories, width);
  const names = distinctNames(
    series.map(({ name }) => name),
    Math.floor(width / NAME_LETTER),
  );
  const text = { fontFamily: FONT, color: PALE, fontSize: 13 };
  return {
    animation: false,
    backgroundColor: '#ffffff',
    color: COLORS,
    textStyle: { fontFamily: FONT },
    title: {
      text: shortLine(title, Math.floor(width / TITLE_LETTER)),
      subtext: names.length === 1 ? (names[0] ?? '') : '',
      left: 20,
      top: 14,
      itemGap: 4,
      textStyle: { fontFamily: FONT, color: INK, fontSize: 17, fontWeight: 'bold' },
      subtextStyle: { ...text },
    },
    legend: {
      show: series.length > 1,
      orient: 'vertical',
      left: MARGIN.left - 8,
      top: TITLE_HEIGHT + PLOT_HEIGHT + AXIS_HEIGHT - 6,
      itemGap: 6,
      itemHeight: 10,
      textStyle: { ...text, color: INK },
    },
    grid: { ...MARGIN, top: TITLE_HEIGHT + 6, height: PLOT_HEIGHT - 6 },
    xAxis: {
      type: 'category',
      data: [...categories],
      boundaryGap: categories.length === 1,
      axisLine: { lineStyle: { color: PALE } },
      axisTick: { alignWithLabel: true },
      // Counted from the newest point, so that it always has a date.
      axisLabel: { ...text, interval: (index: number) => (categories.length - 1 - index) % step === 0 },
    },
    yAxis: {
      type: 'value',
      ...percentRange(values),
      axisLabel: { ...text, formatter: '{value} %' },
      splitLine: { lineStyle: { color: GRID } },
    },
    series: series.map(({ values: all }, index) => lineOf(names[index] ?? '', all, index)),
  };
}

/** Six shades of red, green and blue: the chart stays clear, and the file is a quarter of the size. */
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

/** Encodes a PNG with a palette of few colors. @param pixels RGBA; alpha is ignored, since all pixels are opaque */
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
  // Each row starts with its filter type: 0, none.
  const rows = Buffer.alloc(height * (width + 1));
  for (let y = 0; y < height; y += 1)
    for (let x = 0; x < width; x += 1) {
      const at = (y * width + x) * 4;
      rows[y * (width + 1) + 1 + x] = (shade(at) * SHADES + shade(at + 1)) * SHADES + shade(at + 2);
    }
  const header = Buffer.alloc(13);
  header.writeUInt32BE(width, 0);
  header.writeUInt32BE(height, 4);
  // 8 bits per pixel; color type 3: index into the palette.
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

/** Pixels per point, for high-density screens. */
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
 * Draws a chart without a browser or system fonts, so that it looks the same everywhere. This module's libraries load slowly:
 * import it only when there is something to draw.
 *
 * @returns a PNG, 1800 pixels wide
 */
export const trendPng = async (trend: Trend): Promise<Uint8Array> =>
  (await drawn(trend, CHART_WIDTH, ZOOM)).asPng();

/** From easy to read to just readable. */
const SMALL_ZOOMS = [1.8, 1.5, 1.2, 1, 0.8];

/** The same for phones, with fewer colors and pixels, in at most `mostBytes` bytes; null if it does not get that small. */
export async function smallTrendPng(trend: Trend, mostBytes: number): Promise<Uint8Array | null> {
  for (const zoom of SMALL_ZOOMS) {
    const png = indexedPng(await drawn(trend, SMALL_WIDTH, zoom));
    if (png.length <= mostBytes) return png;
  }
  return null;
}
