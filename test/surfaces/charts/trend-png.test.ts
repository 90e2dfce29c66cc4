import { Resvg } from '@resvg/resvg-js';
import { describe, expect, test } from 'vitest';
import { distinctNames, type Trend } from '../../../src/surfaces/chat/digest-words.ts';
import { CHART_WIDTH, chartHeight, trendPng } from '../../../src/surfaces/chat/trend-png.ts';

const aTrend = (parts: Partial<Trend> = {}): Trend => ({
  kind: 'trend',
  title: 'Right decisions by run, %',
  categories: ['16 Nov 2026', '23 Nov 2026'],
  series: [{ name: 'nightly', values: [80, 90] }],
  ...parts,
});

/** Width and height, from the first chunk of a PNG. */
const sizeOf = (png: Uint8Array): [number, number] => {
  const view = new DataView(png.buffer, png.byteOffset);
  return [view.getUint32(16), view.getUint32(20)];
};

/** The picture's points as red, green, blue, how opaque. */
function pixelsOf(png: Uint8Array): Uint8Array {
  const [width, height] = sizeOf(png);
  const href = `data:image/png;base64,${Buffer.from(png).toString('base64')}`;
  const size = `width="${width}" height="${height}"`;
  const svg = `<svg xmlns="http://www.w3.org/2000/svg" ${size}><image href="${href}" ${size}/></svg>`;
  return new Resvg(svg).render().pixels;
}

/** How many points have nearly a color. */
function pointsOf(pixels: Uint8Array, color: readonly [number, number, number]): number {
  let count = 0;
  for (let at = 0; at < pixels.length; at += 4)
    if (color.every((want, n) => Math.abs((pixels[at + n] ?? 0) - want) < 12)) count += 1;
  return count;
}

const BLUE = [0, 114, 178] as const;
const INK = [29, 28, 29] as const;

describe('a chart', () => {
  test('is a PNG of the expected size, with a line and letters, opaque so that it can be read on any ground', async () => {
    const trend = aTrend();
    const png = await trendPng(trend);
    expect([...png.slice(0, 8)]).toEqual([137, 80, 78, 71, 13, 10, 26, 10]);
    expect(sizeOf(png)).toEqual([2 * CHART_WIDTH, 2 * chartHeight(trend)]);
    const pixels = pixelsOf(png);
    expect(pointsOf(pixels, BLUE)).toBeGreaterThan(5000);
    expect(pointsOf(pixels, INK)).toBeGreaterThan(1000);
    expect(pixels.filter((_, at) => at % 4 === 3).every((opaque) => opaque === 255)).toBe(true);
  });

  test.each([
    ['one point', aTrend({ categories: ['23 Nov 2026'], series: [{ name: 'nightly', values: [80] }] })],
    ['gaps', aTrend({ categories: ['a', 'b', 'c'], series: [{ name: 'n', values: [80, null, 90] }] })],
    ['100% throughout', aTrend({ series: [{ name: 'nightly', values: [100, 100] }] })],
    ['markup in its names', aTrend({ title: '</text><script>', series: [{ name: '<b>&', values: [1, 2] }] })],
  ])('of %s is drawn', async (_, trend) => {
    expect(pointsOf(pixelsOf(await trendPng(trend)), BLUE)).toBeGreaterThan(100);
  });

  test('of lines with names as long as that is drawn in colors of their own, the taller for each', async () => {
    const series = ['x', 'y'].map((end) => ({ name: `${'long'.repeat(30)}${end}`, values: [80, 90] }));
    const many = aTrend({ series });
    expect(chartHeight(many)).toBeGreaterThan(chartHeight(aTrend()));
    const pixels = pixelsOf(
      await trendPng({
        ...many,
        series: [many.series[0], { name: series[1]?.name ?? '', values: [20, 30] }].flatMap(
          (one) => one ?? [],
        ),
      }),
    );
    expect(pointsOf(pixels, BLUE)).toBeGreaterThan(1000);
    expect(pointsOf(pixels, [213, 94, 0])).toBeGreaterThan(1000);
  });
});

test('names that are the same once shortened are numbered', () => {
  expect(distinctNames(['nightly-a', 'nightly-b', 'trip'], 8)).toEqual(['nig … 1', 'nig … 2', 'trip']);
});
