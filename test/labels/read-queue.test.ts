import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { Verdict } from '../../src/judging/verdict/verdict.ts';
import type { Viewer } from '../../src/labels/access/permissions.ts';
import { readVoteQueue } from '../../src/labels/queue/read-queue.ts';
import { castBlind, takeBackBlind } from '../../src/labels/voting/cast-vote.ts';
import { openSqliteStore } from '../../src/stores/sqlite/sqlite-store.ts';
import type { Store } from '../../src/stores/store.ts';
import { scratch } from '../support/run-jury.ts';
import { aBallot, aRecord, aRuling, dayMs, saturday } from '../support/store-builders.ts';

let store: Store;
beforeEach(async () => {
  store = await openSqliteStore(join(scratch(), 'jury.db'));
});
afterEach(() => store.close());

const ada: Viewer = { voter: 'ada', maySee: async () => true };
const read = (viewer = ada, now = saturday + dayMs) => readVoteQueue(store, viewer, now);
const idsOf = (queue: Awaited<ReturnType<typeof read>>['queue']) => queue.map(({ record }) => record.id);

interface Parts {
  channel?: string;
  blind?: boolean;
  verdict?: Partial<Verdict>;
}

/** Verdicts with a card, as they are given where a person asked. */
async function judged(ids: readonly string[], { channel = 'C1', blind, verdict = {} }: Parts = {}) {
  await Promise.all(
    ids.map((id, index) => {
      const record = aRecord({ id, channel, verdict, at: saturday + index });
      const source = { ...record.source, message: `1.${index}` };
      return store.saveVerdict({ ...record, source, ...(blind === undefined ? {} : { blind }) });
    }),
  );
}

/** A panel of one mind. */
const agreed = { judgements: aRecord().verdict.judgements.filter((_, index) => index < 2) };

describe('a person’s queue', () => {
  test('has what they have not voted on, what is not ruled on, and only what they may see', async () => {
    await judged(['mine', 'open', 'ruled']);
    await judged(['secret'], { channel: 'C2' });
    await store.castVote(aBallot({ verdictId: 'mine' }));
    await store.castVote(aBallot({ verdictId: 'open', voter: 'bea' }));
    await store.adjudicate(aRuling({ verdictId: 'ruled' }));
    const viewer = {
      ...ada,
      maySee: async ({ source }: { source: { channel: string } }) => source.channel === 'C1',
    };
    const { queue, recent } = await read(viewer);
    expect(idsOf(queue)).toEqual(['open']);
    expect(recent.map(({ record }) => record.id)).toEqual(['ruled', 'open', 'mine']);
  });

  test('has ruled cases among the others where the channel asks for them, without a sign of it', async () => {
    await store.saveChannelSettings('C1', { wish: {}, goldEvery: 2 });
    await judged(['a', 'b', 'c', 'ruled']);
    await store.adjudicate(aRuling({ verdictId: 'ruled' }));
    const { queue } = await read();
    // Every case brings one along at a rate of 1 in 2, and there is one.
    expect(idsOf(queue).toSorted()).toEqual(['a', 'b', 'c', 'ruled']);
    const alike = queue.map(({ record, ...rest }) => ({ ...rest, keys: Object.keys(record) }));
    for (const one of alike) expect(one).toEqual(alike[0]);
    await store.castVote(aBallot({ verdictId: 'ruled' }));
    expect(idsOf((await read()).queue)).toEqual(['a', 'b', 'c']);
  });

  test('mixes hidden known cases among shown ones for those alone who vote before they see any outcome', async () => {
    await store.saveChannelSettings('C1', { wish: {}, goldEvery: 2 });
    await judged(['a', 'b', 'c']);
    await judged(['known'], { blind: true });
    await store.adjudicate(aRuling({ verdictId: 'known' }));
    expect(idsOf((await read()).queue).toSorted()).toEqual(['a', 'b', 'c']);
    const { queue } = await readVoteQueue(store, ada, saturday + dayMs, true);
    expect(idsOf(queue).toSorted()).toEqual(['a', 'b', 'c', 'known']);
  });

  test('is found below 2,000 verdicts of others; beyond that it says that it stopped looking', async () => {
    await judged(['asked']);
    const others = Array.from({ length: 2_000 }, (_, n) => `other${n}`);
    const viewer = { ...ada, maySee: async ({ id }: { id: string }) => id === 'asked' };
    await judged(others.slice(1), { channel: 'C2' });
    const found = await read(viewer);
    expect(idsOf(found.queue)).toEqual(['asked']);
    expect(found.lookedAt).toEqual({ most: 200, isCut: false });
    await store.saveVerdict(aRecord({ id: 'newest', channel: 'C2', at: saturday + 9_000 }));
    const cut = await read(viewer);
    expect(cut.queue).toEqual([]);
    expect(cut.lookedAt).toEqual({ most: 2_000, isCut: true });
    expect((await read()).lookedAt).toEqual({ most: 200, isCut: false });
    // 200 that one may see are all that is asked for, also where they are the last ones looked at.
    const lasting = new Set(others.slice(1, 201));
    const last = { ...ada, maySee: async ({ id }: { id: string }) => lasting.has(id) };
    expect((await read(last)).lookedAt).toEqual({ most: 200, isCut: false });
  });

  test('is not pushed out by labeled cases, however many were added at once', async () => {
    await store.saveChannelSettings('C1', { wish: {}, goldEvery: 2 });
    await judged(['asked']);
    for (let n = 0; n < 230; n += 1) {
      const id = `known${n}`;
      await store.saveVerdict({ ...aRecord({ id, at: saturday + 100 + n }) });
      await store.adjudicate(aRuling({ verdictId: id }));
    }
    const { queue, recent } = await read();
    expect(idsOf(queue)).toContain('asked');
    expect(queue).toHaveLength(2);
    expect(recent.map(({ record }) => record.id)).toEqual(['asked']);
  });

  test('loses what was answered and nothing else: neither what stood beside it, nor a known case for another', async () => {
    await store.saveChannelSettings('C1', { wish: {}, goldEvery: 2 });
    await judged(['a', 'b', 'c', 'd']);
    const known = Array.from({ length: 9 }, (_, n) => `known${n}`);
    await judged(known);
    for (const verdictId of known) await store.adjudicate(aRuling({ verdictId }));
    // The first moment of a day belongs to it.
    const now = Date.UTC(2026, 10, 22);
    let expected = idsOf((await read(ada, now)).queue);
    expect(expected.filter((id) => known.includes(id))).toHaveLength(4);
    while (expected.length > 0) {
      const [answered = '', ...others] = expected;
      await store.castVote(aBallot({ verdictId: answered, at: now }));
      expected = others;
      expect(idsOf((await read(ada, now)).queue)).toEqual(expected);
    }
  });

  test('continues with earlier ruled cases when the newest are answered, or were ruled on elsewhere', async () => {
    await store.saveChannelSettings('C1', { wish: {}, goldEvery: 2 });
    await judged(['asked']);
    await judged(['earlier', ...Array.from({ length: 110 }, (_, n) => `answered${n}`)]);
    await judged(
      Array.from({ length: 60 }, (_, n) => `elsewhere${n}`),
      { channel: 'C2' },
    );
    const ruled = (await store.recentVerdicts({ channel: null, limit: 200 })).filter(
      ({ id }) => id !== 'asked',
    );
    for (const { id } of ruled) {
      const at = saturday + (id === 'earlier' ? 0 : 1);
      await store.adjudicate({ ...aRuling({ verdictId: id }), at });
      if (id.startsWith('answered')) await store.castVote(aBallot({ verdictId: id }));
    }
    expect(idsOf((await read()).queue).toSorted()).toEqual(['asked', 'earlier']);
  });

  test('has no ruled case that nothing gives cause to vote on, unless no cause is shown', async () => {
    for (const [channel, blind] of [
      ['C1', false],
      ['C2', true],
    ] as const) {
      await store.saveChannelSettings(channel, { wish: {}, goldEvery: 2 });
      await judged([`open ${channel}`, `ruled ${channel}`], { channel, blind, verdict: agreed });
      for (const voter of ['bea', 'cleo', 'dan'])
        await store.castVote(aBallot({ verdictId: `ruled ${channel}`, voter }));
      await store.adjudicate(aRuling({ verdictId: `ruled ${channel}` }));
    }
    expect(idsOf((await read()).queue).toSorted()).toEqual(['open C1', 'open C2', 'ruled C2']);
  });

  test('has a hidden case until it was answered, and not again after the answer was taken back', async () => {
    await judged(['h1', 'h2', 'h3'], { blind: true });
    for (const id of ['h2', 'h3']) {
      const record = { ...aRecord({ id }), blind: true };
      const who = { voter: 'ada', surface: 'slack', at: saturday };
      await castBlind(store, record, who, { kind: 'unsure' });
      if (id === 'h3') await takeBackBlind(store, record, who);
    }
    const { queue, hidden } = await read();
    expect(idsOf(queue)).toEqual(['h1']);
    expect([...hidden]).toEqual(['h1']);
  });

  test('tells its viewer of their own answers to ruled cases, up to yesterday, and of no one else’s', async () => {
    await store.saveChannelSettings('C1', { wish: {}, goldEvery: 2 });
    await judged(['r1', 'r2', 'r3', 'r4']);
    for (const verdictId of ['r1', 'r2', 'r3', 'r4']) await store.adjudicate(aRuling({ verdictId }));
    await store.castVote(aBallot({ verdictId: 'r1', value: 'disagree' }));
    await store.castVote(aBallot({ verdictId: 'r2', value: 'agree' }));
    await store.castVote(aBallot({ verdictId: 'r3', value: 'unsure' }));
    await store.castVote(aBallot({ verdictId: 'r4', value: 'disagree', at: saturday + dayMs }));
    await store.castVote(aBallot({ verdictId: 'r4', voter: 'bea', value: 'disagree' }));
    // Ruled to pass against a panel that failed them: r1 is right, r2 wrong; r4 was answered today.
    expect((await read()).own).toEqual({ right: 1, of: 2 });
    expect((await read(ada, saturday + 2 * dayMs)).own).toEqual({ right: 2, of: 3 });
  });
});
