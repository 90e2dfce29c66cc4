import { describe, expect, test } from 'vitest';
import type { Trial } from '../../src/benchmark/trial.ts';
import { tabulate } from '../../src/reports/facts/trial-table.ts';
import { reportOf } from '../../src/reports/make-report.ts';
import { reportHtml } from '../support/report-html.ts';
import { aConfiguration, aManifest, aTrial, aVerdict } from '../support/run-builders.ts';

async function* each(trials: readonly Trial[]): AsyncGenerator<Trial> {
  yield* trials;
}

async function pageOf(names: readonly string[], trials: readonly Trial[]): Promise<string> {
  const manifest = aManifest({
    configurations: names.map((name) => aConfiguration({ id: `${name} x t0 #1`, method: name })),
    dataset: { source: 'x', cases: 10, labeled: 10, hash: 'h' },
  });
  return reportHtml(reportOf(manifest, await tabulate(manifest, each(trials))));
}

const trialAt = (place: number, name: string, index: number, parts: Partial<Trial>): Trial => ({
  ...aTrial(`${place}-${index}`, aVerdict()),
  configuration: `${name} x t0 #1`,
  ...parts,
});

const range = Array.from({ length: 10 }, (_, index) => index);

describe('the page of a run', () => {
  test('with labels by criterion draws the front over two of them, and shows no F1 that does not exist', async () => {
    const rightOf: Record<string, [number, number]> = { one: [45, 25], two: [25, 45], three: [25, 25] };
    const trials = Object.entries(rightOf).flatMap(([name, [consistent, relevant]], place) =>
      Array.from({ length: 50 }, (_none, index) =>
        trialAt(place, name, index, {
          label: { criteria: { consistency: 'pass', relevance: 'pass' } },
          criteria: [
            { id: 'consistency', decision: index < consistent ? 'pass' : 'fail', score: null },
            { id: 'relevance', decision: index < relevant ? 'pass' : 'fail', score: null },
          ],
        }),
      ),
    );
    const page = await pageOf(Object.keys(rightOf), trials);
    expect(page).toContain('On the Pareto front of consistency and relevance together: <b>1 one, ');
    expect(page).toContain('Accuracy on relevance against consistency');
    const points = [...page.matchAll(/<th scope="row">(\d \w+), rules<\/th>(.*?)<\/tr>/g)].map(
      ([, name, rest]) =>
        [
          name,
          rest
            ?.replaceAll(/<[^>]*>/g, ' ')
            .replaceAll(/ +/g, ' ')
            .trim(),
        ].join(': '),
    );
    expect(points).toEqual([
      '1 one: 0.900 0.500 0.366–0.634 on it',
      '2 two: 0.500 0.900 0.786–0.957 on it',
      '3 three: 0.500 0.500 0.366–0.634',
    ]);
    expect(page.match(/◆ front/g)?.length).toBe(2);
    expect(page).not.toContain('F1 by method and model');
    expect(page).not.toContain('id="mistakes"');
  });

  test('of scores shows the means, and what labels say of them', async () => {
    const trials = range.map((index) =>
      trialAt(0, 'one', index, {
        decision: 'scored',
        score: index,
        label: { score: 9 - index },
        criteria: [{ id: 'tone', decision: 'scored', score: 2 }],
      }),
    );
    const page = await pageOf(['one'], trials);
    expect(page).toContain('Scores, not decisions. Mean score: <b>4.50</b>');
    // The labels fall as the scores rise.
    expect(page).toContain('<td>−1.000');
    expect(page).toContain('Mean scores by criterion');
    expect(page).not.toContain('id="f1"');
  });
});
