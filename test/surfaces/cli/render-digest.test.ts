import { Chalk } from 'chalk';
import { describe, expect, test } from 'vitest';
import type { Digest, DigestBlock } from '../../../src/digests/digest.ts';
import { renderDigest } from '../../../src/surfaces/terminal/render-card.ts';

type Trend = Extract<DigestBlock, { kind: 'trend' }>;

const digestOf = (parts: Pick<Trend, 'categories' | 'series'>): Digest => ({
  headline: 'Steady.',
  trend: 'steady',
  quiet: false,
  note: null,
  blocks: [{ kind: 'trend', title: 'Right', ...parts }],
  details: [],
});

const screen = { width: 90, colors: new Chalk({ level: 0 }) };
const categories = ['Mon', 'Tue', 'Wed', 'Thu'];
const drawn = (series: Trend['series']) => renderDigest(screen, digestOf({ categories, series }));

describe('the bars of a digest in a terminal', () => {
  test('stand between the lowest and the highest value', () => {
    expect(drawn([{ name: 'trip', values: [30, 40, 50, 100] }])).toContain(
      '▁▂▃█  trip: 30 % (Mon) to 100 % (Thu)',
    );
  });

  test('do not make half a point look like everything', () => {
    // 45.2 to 55.2: 50 lies 48 % up, 50.4 52 %, the fourth and the fifth of eight steps.
    expect(drawn([{ name: 'agree', values: [50, 50, 50, 50.4] }])).toContain(
      '▄▄▄▅  agree: 50 % (Mon) to 50.4 % (Thu)',
    );
    expect(drawn([{ name: 'agree', values: [80, 80, 80, 80] }])).toContain('▅▅▅▅');
  });

  test('name the days of the values that there are, where a line begins late or ends early', () => {
    expect(drawn([{ name: 'late', values: [null, 60, 70, null] }])).toContain(
      '·▁█·  late: 60 % (Tue) to 70 % (Wed)',
    );
  });
});

test('a newly failing answer stands with its request and the reason', () => {
  const item = {
    title: 'Time · c1',
    request: 'Find me sushi',
    answer: 'Sakura.',
    reason: 'It is closed.',
    link: null,
    issue: 'https://x.test/new?title=a%20b',
  };
  const blocks: DigestBlock[] = [{ kind: 'cases', title: '2 answers newly fail', items: [item], more: 1 }];
  const digest: Digest = {
    headline: 'Worse.',
    trend: 'worse',
    quiet: false,
    note: null,
    blocks: [],
    details: blocks,
  };
  expect(renderDigest(screen, digest).split('\n').slice(2)).toEqual([
    '2 answers newly fail',
    '  Time · c1',
    '    Find me sushi',
    '    → Sakura.',
    '    ✗ It is closed.',
    '    https://x.test/new?title=a%20b',
    '  … 1 more',
  ]);
});
