import { inflateSync } from 'node:zlib';
import { describe, expect, test } from 'vitest';
import type { Digest, DigestBlock } from '../../../src/digests/digest.ts';
import { smallTrendPng } from '../../../src/surfaces/charts/trend-png.ts';
import { digestMessage } from '../../../src/surfaces/teams/render/digest.ts';
import { teams as surface } from '../../../src/surfaces/teams/surface.ts';
import { closeAfterEach } from '../../support/resources.ts';
import { aTeam, CHANNEL, GROUP, TENANT } from '../../support/teams-service.ts';

closeAfterEach();

const trend = (lines: number, points: number) => ({
  kind: 'trend' as const,
  title: 'Answers that pass',
  categories: Array.from({ length: points }, (_, n) => `2026-11-${String(n + 1).padStart(2, '0')}`),
  series: Array.from({ length: lines }, (_, line) => ({
    name: `benchmark ${line}`,
    values: Array.from({ length: points }, (_, n) => 50 + ((n * 37 + line * 53) % 50)),
  })),
});

const facts: DigestBlock = { kind: 'facts', title: 'Costs', facts: [{ label: 'Judges', value: '$1' }] };
const digestOf = (blocks: DigestBlock[], details: DigestBlock[] = []): Digest => ({
  headline: 'All is well',
  trend: 'steady',
  quiet: false,
  note: null,
  blocks,
  details,
});

/** Posts a digest and its details. */
async function posted(channel: string, digest: Digest) {
  const { teams, jury } = await aTeam();
  const posters = await surface.posters(jury.parts);
  if ('needs' in posters || posters.digests === null) throw new Error('no poster');
  const target = { surface: 'teams', team: TENANT, channel };
  const key = { schedule: 'd1', slot: 1, part: 'main' as const };
  const journal = { picture: null, keep: async () => {} };
  const id = await posters.digests.post(target, digest, key, null, journal);
  await posters.digests.post(target, digest, { ...key, part: 'details' }, id, journal);
  expect(await posters.digests.find(target, key, null)).toBe(id);
  return teams.posts;
}

test.each([
  [CHANNEL, /;messageid=/],
  [GROUP, /^19:lunch@thread\.v2$/],
])('the details of a digest in %s stand below it', async (channel, where) => {
  const [, details] = await posted(channel, digestOf([], [facts, trend(1, 2)]));
  expect(details?.conversation).toMatch(where);
  expect(JSON.stringify(details?.activity)).toContain('2026-11-01 50 % → 2026-11-02 87 %');
});

describe('a chart in Teams', () => {
  test('is drawn by Teams, else a picture that lies in the card; who listens hears its points', async () => {
    const [main] = await posted(CHANNEL, digestOf([facts, trend(3, 12)]));
    const text = JSON.stringify(main?.activity.attachments?.[0]?.content);
    const card = JSON.parse(text);
    const chart = card.body.find(({ type }: { type: string }) => type === 'Chart.Line');
    expect(chart.data).toHaveLength(3);
    const { type, url, altText } = chart.fallback;
    expect(type).toBe('Image');
    expect(altText).toContain('benchmark 1: 2026-11-01 53 %');
    expect(card.speak).toMatch(/^All is well .*benchmark 0: 2026-11-01 50 %/);
    const [, base64 = ''] = /^data:image\/png;base64,(.+)$/.exec(url) ?? [];
    const png = Buffer.from(base64, 'base64');
    expect(png.readUInt32BE(16)).toBeLessThanOrEqual(1_024);
    expect(Buffer.byteLength(text)).toBeLessThan(28_000);
  });

  test('is said in words where it would take too much of the card', async () => {
    const [main] = await posted(CHANNEL, digestOf([trend(6, 20)]));
    const text = JSON.stringify(main?.activity.attachments?.[0]?.content);
    expect(text).not.toContain('data:image');
    expect(text).toContain('"fallback":{"type":"Container"');
    expect(Buffer.byteLength(text)).toBeLessThan(28_000);
  });

  test('never takes a card over what Teams takes, whatever stands beside it', () => {
    const words = '長い'.repeat(60);
    const many: DigestBlock = {
      kind: 'list',
      title: words,
      items: Array.from({ length: 40 }, () => ({ text: words, link: 'https://example.com/x' })),
      more: 7,
    };
    const picture = `data:image/png;base64,${'A'.repeat(12_000)}`;
    const { card } = digestMessage(digestOf([trend(3, 12), many, many, many]), picture);
    expect(Buffer.byteLength(JSON.stringify(card))).toBeLessThan(28_000);
  });
});

test('a small picture is a PNG of as many pixels as it says', async () => {
  const png = Buffer.from((await smallTrendPng(trend(1, 5), 9_000)) ?? []);
  expect(png.length).toBeLessThanOrEqual(9_000);
  expect(png.subarray(1, 4).toString()).toBe('PNG');
  const [width, height] = [png.readUInt32BE(16), png.readUInt32BE(20)];
  const at = png.indexOf('IDAT');
  const rows = inflateSync(png.subarray(at + 4, at + 4 + png.readUInt32BE(at - 4)));
  expect(rows).toHaveLength(height * (width + 1));
  // White in the corner, and colors elsewhere.
  expect(rows[1]).toBe(215);
  expect(new Set(rows).size).toBeGreaterThan(5);
});

test('a newly failing answer stands below the digest with its request and the reason', async () => {
  const item = {
    title: 'Time · c1',
    request: 'Find me *sushi*',
    answer: 'Sakura.',
    reason: 'It is closed.',
    link: null,
    issue: 'https://x.test/new?title=a%20b',
  };
  const cases: DigestBlock = { kind: 'cases', title: '2 answers newly fail', items: [item], more: 1 };
  const [, details] = await posted(CHANNEL, digestOf([], [cases]));
  const said = JSON.stringify(details);
  for (const text of [
    '2 answers newly fail',
    'Time · c1',
    'Find me *sushi*',
    '→ Sakura.',
    '✗ It is closed.',
    '1 more',
  ])
    expect(said).toContain(text);
});
