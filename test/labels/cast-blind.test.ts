import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { CaseAnswer } from '../../src/labels/record/vote.ts';
import { addToBlind, castBlind, standingVote, takeBackBlind } from '../../src/labels/voting/cast-vote.ts';
import { openSqliteStore } from '../../src/stores/sqlite/sqlite-store.ts';
import type { Store } from '../../src/stores/store.ts';
import { scratch } from '../support/run-jury.ts';
import { aRecord, saturday } from '../support/store-builders.ts';

let store: Store;
const record = { ...aRecord(), blind: true };
beforeEach(async () => {
  store = await openSqliteStore(join(scratch(), 'jury.db'));
  await store.saveVerdict(record);
});
afterEach(() => store.close());

const right: CaseAnswer = { kind: 'decision', decision: 'pass' };
const wrong: CaseAnswer = { kind: 'decision', decision: 'fail' };
const ada = (at = saturday) => ({ voter: 'ada', surface: 'slack', at });
const none = { criteria: [], judges: [] };

describe('a blind answer', () => {
  test('is kept once: the first of a person stands, and others have their own', async () => {
    expect(await castBlind(store, record, ada(), right)).toMatchObject({
      kind: 'kept',
      vote: { value: 'disagree' },
    });
    expect(await castBlind(store, record, ada(saturday + 5), wrong)).toMatchObject({
      kind: 'stood',
      vote: { value: 'disagree', blind: { answer: right } },
    });
    await castBlind(store, record, { ...ada(), voter: 'bea' }, wrong);
    expect(await store.tally('v1')).toEqual({ agree: 1, disagree: 1, unsure: 0 });
  });

  test('is the same for all who ask when two are under way at once', async () => {
    const outcomes = await Promise.all([
      castBlind(store, record, ada(), right),
      castBlind(store, record, ada(saturday + 5), wrong),
    ]);
    const [vote] = await store.votes('v1');
    expect(outcomes.map((outcome) => 'vote' in outcome && outcome.vote.blind?.answer)).toEqual([
      vote?.blind?.answer,
      vote?.blind?.answer,
    ]);
    expect(outcomes.map(({ kind }) => kind).sort()).toEqual(['kept', 'stood']);
  });

  test('of the wrong kind is refused and claims nothing', async () => {
    await expect(castBlind(store, record, ada(), { kind: 'score', score: 3 })).rejects.toThrow(
      'answered with a decision',
    );
    expect(await castBlind(store, record, ada(), wrong)).toMatchObject({ kind: 'kept' });
  });

  test('stays taken back, whatever was being added to it', async () => {
    await castBlind(store, record, ada(), right);
    await Promise.all([
      addToBlind(store, record, ada(saturday + 9), wrong, none),
      takeBackBlind(store, record, ada(saturday + 5)),
    ]);
    expect(await store.tally('v1')).toEqual({ agree: 0, disagree: 0, unsure: 0 });
  });

  test('that was under way while its voter took an earlier one back counts no more', async () => {
    const slow: Store = {
      ...store,
      castVote: async (ballot) => {
        // The same answer, sent twice: the first is cast and taken back before the second is.
        await castBlind(store, record, ada(), right);
        await takeBackBlind(store, record, ada(saturday + 9));
        return store.castVote(ballot);
      },
    };
    expect(await castBlind(slow, record, ada(saturday + 20), right)).toEqual({ kind: 'seen' });
    expect(await store.votes('v1')).toEqual([]);
  });

  test('keeps a change of mind beside it, and drops it again when the mind changes back', async () => {
    await castBlind(store, record, ada(), right);
    const judges = ['ann@test/model'];
    expect(
      await addToBlind(store, record, ada(saturday + 5), wrong, { ...none, judges, decision: 'fail' }),
    ).toBe(true);
    const [changed] = await store.votes('v1');
    expect(changed).toMatchObject({
      value: 'disagree',
      correction: { judges },
      blind: { answer: right, later: { answer: wrong, at: saturday + 5 } },
    });
    expect(changed?.correction).not.toHaveProperty('decision');
    await addToBlind(store, record, ada(saturday + 6), right, none);
    expect((await store.votes('v1'))[0]?.blind).toEqual({ answer: right });
  });

  test('takes what is added or taken back at once, or from a machine whose clock is behind', async () => {
    const judges = ['ann@test/model'];
    for (const [voter, at] of [
      ['bea', saturday],
      ['cleo', saturday - 60_000],
    ] as const) {
      await castBlind(store, record, { ...ada(), voter }, right);
      const later = { ...ada(at), voter };
      expect(await addToBlind(store, record, later, right, { ...none, judges })).toBe(true);
      expect(await standingVote(store, 'v1', voter)).toMatchObject({ correction: { judges } });
      expect(await takeBackBlind(store, record, later)).toBe(true);
      expect(await standingVote(store, 'v1', voter)).toBeNull();
    }
  });

  test('cannot be added to by who has not answered', async () => {
    expect(await addToBlind(store, record, ada(), wrong, none)).toBe(false);
    expect(await store.votes('v1')).toEqual([]);
  });

  test('is gone for good once it is taken back', async () => {
    expect(await takeBackBlind(store, record, ada())).toBe(false);
    await castBlind(store, record, ada(), right);
    expect(await takeBackBlind(store, record, ada(saturday + 5))).toBe(true);
    expect(await castBlind(store, record, ada(saturday + 6), wrong)).toEqual({ kind: 'seen' });
    expect(await store.tally('v1')).toEqual({ agree: 0, disagree: 0, unsure: 0 });
  });

  test('to a verdict that is not kept counts nowhere', async () => {
    expect(await castBlind(store, { ...record, id: 'gone' }, ada(), right)).toEqual({ kind: 'gone' });
  });
});
