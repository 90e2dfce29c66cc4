import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { cardTexts } from '../../src/judging/card/card.ts';
import type { Person } from '../../src/labels/access/permissions.ts';
import { importVotes } from '../../src/labels/exchange/import-labels.ts';
import { decisionIs } from '../../src/labels/record/vote.ts';
import { standingVote } from '../../src/labels/voting/cast-vote.ts';
import { keepPeople } from '../../src/requests/requesters.ts';
import { openSqliteStore } from '../../src/stores/sqlite/sqlite-store.ts';
import {
  castAnswer,
  castCorrection,
  castThumb,
  type VoteDesk,
  type Voting,
} from '../../src/surfaces/desks/vote-desk.ts';
import { builtInLibrary } from '../support/built-in.ts';
import { closeAfterEach, closing } from '../support/resources.ts';
import { scratch } from '../support/run-jury.ts';
import { aRecord, aRuling, saturday } from '../support/store-builders.ts';

closeAfterEach();

const ada: Person = { surface: 'slack', team: '', user: 'UADA' };
let clock = saturday;

async function openDesk(): Promise<VoteDesk> {
  const store = await openSqliteStore(join(scratch(), 'jury.db'));
  closing(() => store.close());
  const library = builtInLibrary();
  const texts = cardTexts(library, 'en');
  return {
    ...{ store, library, onVote: () => {}, now: () => clock },
    ...{ cards: { refresh: () => {} }, texts },
  };
}

const by = (place: Voting['place'], person = ada): Voting => {
  clock += 1;
  return {
    voter: person.user,
    maySee: async () => true,
    people: [person],
    surface: 'slack',
    at: clock,
    place,
  };
};

const offeredOn = async ({ store }: VoteDesk, id = 'v1', voter = 'UADA') =>
  (await standingVote(store, id, voter))?.offered;

describe('why a verdict was offered is kept with a vote:', () => {
  test.each(['card', 'queue', 'volunteer'] as const)('%s', async (place) => {
    const desk = await openDesk();
    await desk.store.saveVerdict(aRecord());
    await castThumb(desk, by(place), 'v1', 'disagree');
    expect(await offeredOn(desk)).toEqual({ why: place });
  });

  test('a person’s own paste, wherever they vote on it', async () => {
    const desk = await openDesk();
    await desk.store.saveVerdict(aRecord());
    await keepPeople(desk.store, 'v1', { askedBy: 'UADA', stoppedBy: null }, clock);
    await castThumb(desk, by('queue'), 'v1', 'agree');
    const bea = { ...ada, user: 'UBEA' };
    await castThumb(desk, by('card', bea), 'v1', 'agree');
    expect(await offeredOn(desk)).toEqual({ why: 'own' });
    expect(await offeredOn(desk, 'v1', 'UBEA')).toEqual({ why: 'card' });
  });

  test('the same id on another platform is another person', async () => {
    const desk = await openDesk();
    await desk.store.saveVerdict(aRecord());
    await keepPeople(desk.store, 'v1', { askedBy: 'UADA', stoppedBy: null }, clock);
    await castThumb(desk, by('card', { ...ada, surface: 'teams' }), 'v1', 'agree');
    expect(await offeredOn(desk)).toEqual({ why: 'card' });
  });

  test('a case with a known answer, which is in the queue like others', async () => {
    const desk = await openDesk();
    const record = aRecord();
    await desk.store.saveVerdict({
      ...record,
      blind: true,
      source: { ...record.source, thread: null, message: null },
    });
    await desk.store.adjudicate(aRuling({ role: 'dataset' }));
    await castAnswer(desk, by('queue'), 'v1', decisionIs('fail'));
    expect(await offeredOn(desk)).toEqual({ why: 'gold' });
  });

  test('a verdict without a card on which a person has ruled is none of those', async () => {
    const desk = await openDesk();
    const record = aRecord();
    await desk.store.saveVerdict({
      ...record,
      blind: true,
      source: { ...record.source, thread: null, message: null },
    });
    await desk.store.adjudicate(aRuling());
    await castAnswer(desk, by('queue'), 'v1', decisionIs('fail'));
    expect(await offeredOn(desk)).toEqual({ why: 'queue' });
  });

  test('a vote that is changed elsewhere, or corrected, keeps what brought its voter there first', async () => {
    const desk = await openDesk();
    await desk.store.saveVerdict(aRecord());
    await castThumb(desk, by('queue'), 'v1', 'agree');
    await castThumb(desk, by('card'), 'v1', 'disagree');
    expect(await offeredOn(desk)).toEqual({ why: 'queue' });
    const corrected = await castCorrection(desk, by('card'), 'v1', { comment: 'Closed.' });
    expect(corrected.kind).toBe('kept');
    expect((await standingVote(desk.store, 'v1', 'UADA'))?.correction?.comment).toBe('Closed.');
    expect(await offeredOn(desk)).toEqual({ why: 'queue' });
  });

  test('an import', async () => {
    const { store } = await openDesk();
    await store.saveVerdict(aRecord());
    const row = {
      where: 'Row 1',
      verdictId: 'v1',
      caseId: null,
      exchange: null,
      rubric: null,
      voter: 'cem',
      label: 'fail',
    };
    await importVotes(store, [row], saturday);
    expect((await standingVote(store, 'v1', 'cem'))?.offered).toEqual({ why: 'import' });
  });
});
