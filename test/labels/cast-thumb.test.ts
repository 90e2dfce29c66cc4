import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { noRemarks, type Said, type TakenBack } from '../../src/labels/record/vote.ts';
import { castThumbVote, standingVote } from '../../src/labels/voting/cast-vote.ts';
import { openSqliteStore } from '../../src/stores/sqlite/sqlite-store.ts';
import type { Store } from '../../src/stores/store.ts';
import { scratch } from '../support/run-jury.ts';
import { aRecord, saturday } from '../support/store-builders.ts';

let store: Store;
let at = saturday;
beforeEach(async () => {
  store = await openSqliteStore(join(scratch(), 'jury.db'));
});
afterEach(() => store.close());

async function cast(verdictId: string, said: Said | TakenBack) {
  at += 1;
  await castThumbVote(store, { verdictId, voter: 'ada', surface: 'slack', at }, said);
  const vote = await standingVote(store, verdictId, 'ada');
  if (vote === null) return null;
  const { correction } = vote;
  return {
    said: 'right' in vote ? vote.right : vote.value,
    ...(correction === undefined ? {} : { correction }),
  };
}

describe('a thumb', () => {
  const remarks = { ...noRemarks, comment: 'Closed.' };
  beforeEach(() => store.saveVerdict(aRecord()));

  test('that repeats a vote keeps the remarks made with it', async () => {
    await cast('v1', { value: 'disagree', correction: remarks });
    expect(await cast('v1', { value: 'disagree' })).toEqual({ said: 'disagree', correction: remarks });
  });

  test('that says otherwise, or follows a vote that was taken back, has none of them', async () => {
    await cast('v1', { value: 'disagree', correction: remarks });
    expect(await cast('v1', { value: 'agree' })).toEqual({ said: 'agree' });
    await cast('v1', { value: 'disagree', correction: remarks });
    expect(await cast('v1', { value: null })).toBeNull();
    expect(await cast('v1', { value: 'disagree' })).toEqual({ said: 'disagree' });
  });

  test('with another score replaces the one before; the same score keeps its remarks', async () => {
    await store.saveVerdict(
      aRecord({ id: 'scored', verdict: { decision: 'scored', score: 3, scale: { min: 0, max: 4 } } }),
    );
    const scored = (score: number, comment?: string): Said => ({
      value: 'disagree',
      correction: { ...noRemarks, score, ...(comment === undefined ? {} : { comment }) },
    });
    await cast('scored', scored(1, 'Too kind.'));
    expect(await cast('scored', scored(1))).toMatchObject({ correction: { score: 1, comment: 'Too kind.' } });
    expect((await cast('scored', scored(2)))?.correction).toEqual({ ...noRemarks, score: 2 });
  });
});

describe('an answer about a case that the panel did not decide', () => {
  const pass = { kind: 'decision', decision: 'pass' } as const;
  const fail = { kind: 'decision', decision: 'fail' } as const;

  test('replaces the one before, and keeps its remarks if it is the same', async () => {
    await store.saveVerdict(aRecord({ id: 'open', verdict: { decision: 'undecided' } }));
    const correction = { ...noRemarks, comment: 'It is open.' };
    await cast('open', { right: pass, correction });
    expect(await cast('open', { right: pass })).toEqual({ said: pass, correction });
    expect(await cast('open', { right: fail })).toEqual({ said: fail });
    expect(await store.tally('open')).toMatchObject({ right: { fail: 1 } });
  });
});
