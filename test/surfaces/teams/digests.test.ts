import { inflateSync } from 'node:zlib';
import { describe, expect, test } from 'vitest';
import { JuryError } from '../../../src/common/errors.ts';
import type { Digest, DigestBlock } from '../../../src/digests/digest.ts';
import { type SendOutcome, sendDigest, type Watched } from '../../../src/digests/send-digest.ts';
import { chartHeight, SMALL_WIDTH, smallTrendPng } from '../../../src/surfaces/chat/trend-png.ts';
import { digestMessage } from '../../../src/surfaces/teams/render/digest.ts';
import { teams as surface } from '../../../src/surfaces/teams/surface.ts';
import { digestSenderOf } from '../../support/digest-sender.ts';
import { closeAfterEach, until } from '../../support/resources.ts';
import { aBallot, aRecord, aSchedule } from '../../support/store-builders.ts';
import { textOfPost } from '../../support/teams-double.ts';
import { aTeam, CHANNEL, executes, GROUP, saying, TENANT } from '../../support/teams-service.ts';

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
  // Posted again, as after a crash, it is the same message.
  expect(await posters.digests.post(target, digest, key, null, journal)).toBe(id);
  expect(teams.posts).toHaveLength(2);
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

test('a digest whose headline someone deletes before it is complete is posted anew', async () => {
  const { teams, jury } = await aTeam();
  const posters = await surface.posters(jury.parts);
  if ('needs' in posters || posters.digests === null) throw new Error('no poster');
  const release = teams.hold();
  const target = { surface: 'teams', team: TENANT, channel: CHANNEL };
  const key = { schedule: 'd1', slot: 1, part: 'main' as const };
  const journal = { picture: null, keep: async () => {} };
  const posting = posters.digests.post(target, digestOf([facts]), key, null, journal);
  await until(() => teams.posts.length === 1);
  const [deleted] = teams.posts.splice(0);
  release();
  const id = await posting;
  expect(id).not.toBe(deleted?.id);
  expect(teams.posts.map((post) => [post.id, post.changes])).toEqual([[id, 1]]);
  expect(JSON.stringify(teams.posts)).toContain('Costs');
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
    const { card } = digestMessage(digestOf([trend(3, 12), many, many, many]), picture, 'en');
    expect(Buffer.byteLength(JSON.stringify(card))).toBeLessThan(28_000);
  });
});

test('a small picture is narrow enough that its letters can be read on a phone', async () => {
  const png = Buffer.from((await smallTrendPng(trend(1, 2), 9_000)) ?? []);
  const [width, height] = [png.readUInt32BE(16), png.readUInt32BE(20)];
  // Letters of 13 points in a card of 356 points.
  expect((13 * 356) / SMALL_WIDTH).toBeGreaterThan(10);
  expect(width / height).toBeCloseTo(SMALL_WIDTH / chartHeight(trend(1, 2)), 1);
});

test('a small picture has room for three lines with long names', async () => {
  const three = trend(3, 12);
  const named = three.series.map((line) => ({ ...line, name: `${line.name} of the navigation team` }));
  expect(await smallTrendPng({ ...three, series: named }, 9_000)).not.toBeNull();
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
    '❌ It is closed.',
    '1 more',
  ])
    expect(said).toContain(text);
});

test('the post of an alert has a button that pauses it, in its own conversation alone', async () => {
  const { teams, ann, bob, jury } = await aTeam();
  const { port } = jury.service;
  const store = await jury.parts.store();
  const { card } = digestMessage({ ...digestOf([]), trend: 'alert', pause: 'a1' }, null, 'en');
  expect(JSON.stringify(card.actions)).toContain('"do":"pause-alert","id":"a1"');
  expect(JSON.stringify(digestMessage(digestOf([]), null, 'en').card)).not.toContain('pause-alert');
  await ann.deliver(port, ann.message(CHANNEL, 'alert navigation below 90 %'));
  await saying(teams, /^Ann set an alert \(a1\): navigation below 90 %/);
  expect(teams.posts).toHaveLength(1);
  const press = async (channel: string) =>
    (await bob.deliver(port, bob.invoke(channel, null, 'adaptiveCard/action', executes('a1', 'pause-alert'))))
      .body.value;
  expect(await press(GROUP)).toContain('belongs to another channel');
  expect(await press(CHANNEL)).toBe('a1 is paused.');
  await saying(teams, /^Bob paused the alert a1 \(navigation below 90 %\), which Ann had set\.$/m);
  const said = teams.posts.length;
  // Pressed once more, no one is notified again.
  expect(await press(CHANNEL)).toBe('a1 is paused.');
  expect(teams.posts).toHaveLength(said);
  expect(await store.schedules()).toMatchObject([{ id: 'a1', paused: true }]);
});

describe('a digest that is due', () => {
  const slot = Date.UTC(2026, 10, 23, 8);

  /** A schedule of Ann's for a channel, and senders of processes that die after so many writes. */
  async function due() {
    const team = await aTeam();
    const { teams, ann, jury } = team;
    const store = await jury.parts.store();
    await ann.deliver(jury.service.port, ann.message(CHANNEL, 'queue'));
    await until(async () => teams.posts.length === 1);
    const schedule = aSchedule({
      target: { surface: 'teams', team: TENANT, channel: CHANNEL },
      owner: ann.user,
    });
    await store.saveSchedule(schedule);
    await store.saveVerdict(aRecord({ id: 'v1' }));
    await store.castVote(aBallot({ verdictId: 'v1' }));
    const clock = { now: slot, steady: 0 };
    const watched: Watched = new Map();
    async function send(writes = Number.POSITIVE_INFINITY): Promise<SendOutcome | 'died'> {
      let left = writes;
      const dying = (target: typeof store) =>
        new Proxy(target, {
          get: (of, name, receiver) => {
            const writing = name === 'setIfAbsent' || name === 'replaceDigestProgress';
            if (writing && left-- <= 0)
              return async () => {
                throw new JuryError('store-unavailable', 'dead');
              };
            return Reflect.get(of, name, receiver);
          },
        });
      const kept = dying(store);
      const posters = await surface.posters({ ...jury.parts, store: async () => kept });
      if ('needs' in posters || posters.digests === null) throw new Error('no poster');
      const sender = digestSenderOf(kept, posters.digests, clock);
      return sendDigest(sender, schedule, watched).catch(() => 'died' as const);
    }
    const digests = () => teams.posts.slice(1);
    return { ...team, send, clock, digests };
  }

  test.each([1, 2, 3, 4, 5, 6, 7, 8])(
    'is posted once, its details as a reply, by the next process after one that died at write %i',
    async (writes) => {
      const { send, clock, digests } = await due();
      await send(writes);
      for (let n = 0; n < 3; n += 1) {
        clock.now += 61_000;
        clock.steady += 61_000;
        await send();
      }
      expect(await send()).toBe('nothing-due');
      const inChannel = digests().filter(({ conversation }) => conversation === CHANNEL);
      const whole = inChannel.filter(({ changes }) => changes > 0);
      expect(whole).toHaveLength(1);
      const replies = digests().filter(({ conversation }) => conversation !== CHANNEL);
      expect(replies.filter(({ changes }) => changes > 0).map(({ conversation }) => conversation)).toEqual([
        `${CHANNEL};messageid=${whole[0]?.id}`,
      ]);
      // What is left behind is a headline alone, of one moment at most.
      const left = digests().filter(({ changes }) => changes === 0);
      expect(left.length).toBeLessThanOrEqual(1);
      for (const { activity } of left)
        expect(JSON.stringify(activity.attachments)).not.toMatch(/Action|Chart|Image|FactSet/);
    },
  );

  test('is tried again, and who scheduled it reads why in their own chat, once', async () => {
    const { teams, ann, jury, send, clock, digests } = await due();
    await ann.deliver(jury.service.port, ann.message(ann.personal, 'help'));
    await until(() => teams.posts.length === 2);
    // Not a status after which Teams is asked again at once.
    const away = { status: 400, conversation: CHANNEL };
    teams.refuse({ ...away, times: Number.POSITIVE_INFINITY });
    for (let n = 0; n < 3; n += 1) {
      expect(await send()).toBe('failed');
      clock.now += 60_000;
    }
    teams.refuse({ ...away, times: 0 });
    expect(await send()).toBe('posted');
    const said = digests().filter(({ conversation }) => conversation === ann.personal);
    expect(
      said.map((post) => textOfPost(post)).filter((text) => text.includes('could not be posted')),
    ).toEqual([expect.stringContaining('Jury keeps trying')]);
  });

  test('of someone without a personal chat is tried again; they read why once they have one', async () => {
    const { teams, ann, jury, send, clock } = await due();
    // Not a status after which Teams is asked again at once.
    const away = { status: 400, conversation: CHANNEL };
    teams.refuse({ ...away, times: Number.POSITIVE_INFINITY });
    for (let n = 0; n < 3; n += 1) {
      expect(await send()).toBe('failed');
      clock.now += 60_000;
    }
    expect(teams.posts).toHaveLength(1);
    await ann.deliver(jury.service.port, ann.installed());
    expect(await send()).toBe('failed');
    await saying(teams, /could not be posted/);
    clock.now += 60_000;
    teams.refuse({ ...away, times: 0 });
    expect(await send()).toBe('posted');
  });
});
