import { createRequire as requireFrom } from 'node:module';
import { type RenderedImage, renderAsync } from '@resvg/resvg-js';
import { LineChart } from 'echarts/charts';
import { GridComponent, LegendComponent, TitleComponent } from 'echarts/components';
import { init, use } from 'echarts/core';
import { SVGRenderer } from 'echarts/renderers';
import { indexedPng } from './indexed-png.ts';
import type { Trend } from './trend.ts';
import { CHART_WIDTH, chartHeight, SMALL_WIDTH, trendOption } from './trend-option.ts';

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
