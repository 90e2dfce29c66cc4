import { createRequire as requireFrom } from 'node:module';
import { renderAsync } from '@resvg/resvg-js';
import { LineChart } from 'echarts/charts';
import { GridComponent, LegendComponent, TitleComponent } from 'echarts/components';
import { init, use } from 'echarts/core';
import { SVGRenderer } from 'echarts/renderers';
import type { Trend } from './trend.ts';
import { CHART_WIDTH, chartHeight, trendOption } from './trend-option.ts';

use([LineChart, GridComponent, LegendComponent, TitleComponent, SVGRenderer]);

/** Pixels a point, for screens of high density. */
const ZOOM = 2;

const fontFile = (name: string): string =>
  requireFrom(import.meta.url).resolve(`dejavu-fonts-ttf/ttf/${name}.ttf`);

/**
 * Draws a chart without a browser and without the system's fonts, so that it looks the same everywhere. What it draws with takes long to
 * load: import this module only when there is something to draw.
 *
 * @returns a PNG, 1800 pixels wide
 */
export async function trendPng(trend: Trend): Promise<Uint8Array> {
  const chart = init(null, null, {
    renderer: 'svg',
    ssr: true,
    width: CHART_WIDTH,
    height: chartHeight(trend),
  });
  try {
    chart.setOption(trendOption(trend));
    const picture = await renderAsync(chart.renderToSVGString(), {
      fitTo: { mode: 'zoom', value: ZOOM },
      font: {
        loadSystemFonts: false,
        fontFiles: ['DejaVuSans', 'DejaVuSans-Bold'].map(fontFile),
        defaultFontFamily: 'DejaVu Sans',
      },
    });
    return picture.asPng();
  } finally {
    chart.dispose();
  }
}
