/// <reference lib="dom" />
/// <reference lib="dom.iterable" />
// Draws the charts of a page on canvases. Loaded only on pages that have charts.
import { LineChart, ScatterChart } from 'echarts/charts';
import { GridComponent, TooltipComponent } from 'echarts/components';
import { init, use } from 'echarts/core';
import { LabelLayout } from 'echarts/features';
import { CanvasRenderer } from 'echarts/renderers';
import { type ChartData, tradeOffOption } from '../report/chart-option.ts';

use([LineChart, ScatterChart, GridComponent, TooltipComponent, LabelLayout, CanvasRenderer]);

const dark = matchMedia('(prefers-color-scheme: dark)');

for (const figure of document.querySelectorAll<HTMLElement>('[data-chart]')) {
  const place = figure.querySelector<HTMLElement>('.drawing');
  if (place === null) continue;
  place.classList.add('live');
  const data: ChartData = JSON.parse(figure.dataset.chart ?? '');
  const chart = init(place, null, { renderer: 'canvas' });
  const draw = () => {
    const looks = getComputedStyle(document.documentElement);
    const color = (name: string) => looks.getPropertyValue(name).trim();
    chart.setOption(
      tradeOffOption(
        data,
        {
          ink: color('--ink'),
          pale: color('--pale'),
          line: color('--line'),
          ground: color('--ground'),
          accent: color('--link'),
        },
        { width: place.clientWidth, height: place.clientHeight },
      ),
    );
  };
  dark.addEventListener('change', draw);
  new ResizeObserver(() => {
    chart.resize();
    draw();
  }).observe(place);
}
