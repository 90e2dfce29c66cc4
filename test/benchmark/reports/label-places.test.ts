import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { labelPlaces, type Marked } from '../../../src/benchmark/reports/html/label-places.ts';

const area = { left: 50, right: 460, top: 14, bottom: 306 };

const mark = (x: number, y: number, text: string): Marked => ({ x, y, text, bar: null });

/** Pairs of labels whose boxes, of 7 by 11 a digit, lie on each other. */
function overlaps(marks: readonly Marked[]): string[] {
  const places = labelPlaces(marks, area).map((place, index) => ({
    ...place,
    text: marks[index]?.text ?? '',
  }));
  return places.flatMap((a, index) =>
    places
      .slice(index + 1)
      .filter((b) => Math.abs(a.x - b.x) < 3.5 * (a.text.length + b.text.length) && Math.abs(a.y - b.y) < 11)
      .map((b) => `${a.text} on ${b.text}`),
  );
}

describe('the numbers in a chart', () => {
  test('of sixteen points on the spot of a few do not lie on each other', () => {
    const crowd = Array.from({ length: 16 }, (_, index) =>
      mark(240 + (index % 4) * 9, 120 + Math.floor(index / 4) * 9, String(index + 1)),
    );
    expect(overlaps(crowd)).toEqual([]);
  });

  test.each([4, 8, 12])('of %i equal points in a corner do not lie on each other', (count) => {
    const bar = { top: 14, bottom: 69 };
    const same = Array.from({ length: count }, (_, index) => ({ ...mark(68, 14, String(index + 1)), bar }));
    expect(overlaps(same)).toEqual([]);
  });

  test('stay within the chart, also of points at its edge', () => {
    fc.assert(
      fc.property(
        fc.array(
          fc.tuple(
            fc.double({ min: 50, max: 460, noNaN: true }),
            fc.double({ min: 14, max: 306, noNaN: true }),
          ),
          {
            minLength: 1,
            maxLength: 6,
          },
        ),
        (points) => {
          const marks = points.map(([x, y], index) => mark(x, y, String(index + 1)));
          for (const { x, y } of labelPlaces(marks, area)) {
            expect(x > area.left && x < area.right && y > area.top && y < area.bottom).toBe(true);
          }
        },
      ),
      { numRuns: 50 },
    );
  });

  test('stand beside a lone point without a line to it, and never on it', () => {
    const [place] = labelPlaces([mark(200, 150, '7')], area);
    expect(place?.away).toBe(false);
    expect(Math.hypot((place?.x ?? 0) - 200, (place?.y ?? 0) - 150)).toBeGreaterThan(10);
  });
});
