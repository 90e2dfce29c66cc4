import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { type VoteValue, valueIn } from '../../src/labels/record/vote.ts';
import {
  castByReaction,
  castThumbVote,
  standingVote,
  takeBackReaction,
} from '../../src/labels/voting/cast-vote.ts';
import { openSqliteStore } from '../../src/stores/sqlite/sqlite-store.ts';
import { closeAfterEach, closing } from '../support/resources.ts';
import { scratch } from '../support/run-jury.ts';
import { aRecord, saturday } from '../support/store-builders.ts';

closeAfterEach();

type Event = readonly [what: 'added' | 'removed', reaction: VoteValue];

const ordersOf = <T>(items: readonly T[]): T[][] =>
  items.length === 0
    ? [[]]
    : items.flatMap((item, at) =>
        ordersOf(items.filter((_, other) => other !== at)).map((rest) => [item, ...rest]),
      );

describe('reactions, in whatever order their events arrive', () => {
  test.each<[says: string, events: readonly Event[], left: VoteValue | null]>([
    ['one', [['added', 'agree']], 'agree'],
    [
      'one that was taken back',
      [
        ['added', 'agree'],
        ['removed', 'agree'],
      ],
      null,
    ],
    [
      'one taken back and added again',
      [
        ['added', 'agree'],
        ['removed', 'agree'],
        ['added', 'agree'],
      ],
      'agree',
    ],
    [
      'another one since',
      [
        ['added', 'agree'],
        ['added', 'disagree'],
      ],
      'disagree',
    ],
    [
      'another one since, taken back',
      [
        ['added', 'agree'],
        ['added', 'disagree'],
        ['removed', 'disagree'],
      ],
      'agree',
    ],
    [
      'one exchanged for another',
      [
        ['added', 'agree'],
        ['added', 'disagree'],
        ['removed', 'agree'],
      ],
      'disagree',
    ],
    [
      'both taken back',
      [
        ['added', 'agree'],
        ['added', 'disagree'],
        ['removed', 'agree'],
        ['removed', 'disagree'],
      ],
      null,
    ],
    [
      'both taken back, and one added again',
      [
        ['added', 'agree'],
        ['added', 'disagree'],
        ['removed', 'disagree'],
        ['removed', 'agree'],
        ['added', 'agree'],
      ],
      'agree',
    ],
  ])('%s: what is left on the card is the vote', async (_, events, left) => {
    const store = await openSqliteStore(join(scratch(), 'jury.db'));
    closing(() => store.close());
    const timed = events.map(([what, reaction], at) => ({ what, reaction, at: saturday + at }));
    for (const [run, order] of ordersOf(timed).entries()) {
      const record = aRecord({ id: `v${run}` });
      await store.saveVerdict(record);
      for (const { what, reaction, at } of order) {
        const who = { verdictId: record.id, voter: 'ada', surface: 'slack', at };
        const act = what === 'added' ? castByReaction : takeBackReaction;
        await act(store, who, reaction, saturday);
      }
      const said = order.map(({ what, reaction }) => `${reaction} ${what}`).join(', ');
      const vote = await standingVote(store, record.id, 'ada');
      expect([said, valueIn(vote)]).toEqual([said, left]);
    }
  });
});

describe('taking a reaction back', () => {
  const cast = async (events: readonly ['reacts' | 'presses' | 'takes back', VoteValue, number][]) => {
    const store = await openSqliteStore(join(scratch(), 'jury.db'));
    closing(() => store.close());
    await store.saveVerdict(aRecord());
    for (const [what, value, minute] of events) {
      const who = { verdictId: 'v1', voter: 'ada', surface: 'slack', at: saturday + minute * 60_000 };
      if (what === 'reacts') await castByReaction(store, who, value, saturday);
      else if (what === 'takes back') await takeBackReaction(store, who, value, saturday);
      else await castThumbVote(store, who, { value });
    }
    return valueIn(await standingVote(store, 'v1', 'ada'));
  };

  test('leaves another vote that was cast since with a button', async () => {
    expect(
      await cast([
        ['reacts', 'agree', 1],
        ['presses', 'disagree', 2],
        ['takes back', 'agree', 3],
      ]),
    ).toBe('disagree');
  });

  test('leaves the same vote cast with a button after it, if the removal arrives late', async () => {
    expect(
      await cast([
        ['reacts', 'agree', 1],
        ['presses', 'agree', 3],
        ['takes back', 'agree', 2],
      ]),
    ).toBe('agree');
  });

  test('takes back the vote of the reaction itself', async () => {
    expect(
      await cast([
        ['reacts', 'agree', 1],
        ['takes back', 'agree', 2],
      ]),
    ).toBeNull();
  });
});
