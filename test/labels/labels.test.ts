import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import {
  type LabeledVerdict,
  type LabelQuery,
  readModel,
  walkLabels,
  walkVoted,
} from '../../src/labels/label.ts';
import { openSqliteStore } from '../../src/stores/sqlite/sqlite-store.ts';
import type { Store } from '../../src/stores/store.ts';
import { scratch } from '../support/run-jury.ts';
import { aBallot, aRecord, aRuling, saturday } from '../support/store-builders.ts';

let store: Store;
beforeEach(async () => {
  store = await openSqliteStore(join(scratch(), 'jury.db'));
});
afterEach(() => store.close());

const vote = (verdictId: string, voters: readonly string[], value: 'agree' | 'disagree') =>
  Promise.all(voters.map((voter) => store.castVote(aBallot({ verdictId, voter, value }))));

async function readLabels(query: LabelQuery = {}) {
  const model = await readModel(store, query.rubric);
  const labels: LabeledVerdict[] = [];
  for await (const one of walkLabels(store, query, query.by === 'dawid-skene' ? model : null))
    labels.push(one);
  return { labels, model };
}

describe('labels', () => {
  test('are read with their verdicts, oldest first; a ruling without votes counts too', async () => {
    await store.saveVerdict(aRecord({ id: 'late', at: saturday + 2 }));
    await store.saveVerdict(aRecord({ id: 'ruled', at: saturday + 1 }));
    await store.saveVerdict(aRecord({ id: 'silent', at: saturday }));
    await vote('late', ['ada', 'bea', 'cleo'], 'disagree');
    await store.adjudicate(aRuling({ verdictId: 'ruled' }));
    const { labels } = await readLabels();
    expect(labels.map(({ label }) => [label.verdictId, label.label])).toEqual([
      ['ruled', { settled: true, right: { kind: 'decision', decision: 'pass' }, basis: 'adjudication' }],
      ['late', { settled: true, right: { kind: 'decision', decision: 'pass' }, basis: 'majority' }],
    ]);
  });

  test('follow the model of voters where that is asked for, of one rubric alone', async () => {
    await store.saveVerdict(aRecord({ id: 'v1' }));
    await store.saveVerdict(aRecord({ id: 'other', verdict: { rubric: 'in-car' } }));
    for (const id of ['v1', 'other']) await vote(id, ['ada', 'bea', 'cleo'], 'agree');
    const { labels, model } = await readLabels({ rubric: 'navigation', by: 'dawid-skene' });
    expect(labels.map(({ label }) => label.label)).toEqual([
      { settled: true, right: { kind: 'decision', decision: 'fail' }, basis: 'dawid-skene' },
    ]);
    expect(model.voters).toHaveLength(3);
    expect([...model.passProbability.keys()]).toEqual(['v1']);
  });

  test('come in the order of their verdicts, rulings without votes among them, each once', async () => {
    for (const [id, at] of [
      ['e', 3],
      ['d', 3],
      ['c', 2],
      ['b', 1],
      ['a', 9],
    ] as const)
      await store.saveVerdict(aRecord({ id, at: saturday + at }));
    for (const id of ['b', 'd']) await vote(id, ['ada'], 'agree');
    for (const verdictId of ['a', 'c', 'd', 'e']) await store.adjudicate(aRuling({ verdictId }));
    const found: [string, number][] = [];
    for await (const { record, votes } of walkVoted(store, undefined)) found.push([record.id, votes.length]);
    expect(found).toEqual([
      ['b', 1],
      ['c', 0],
      ['d', 1],
      ['e', 0],
      ['a', 0],
    ]);
  });

  test('are of one rubric where one is named, those that were only ruled on too', async () => {
    await store.saveVerdict(aRecord({ id: 'other', verdict: { rubric: 'in-car' } }));
    await store.saveVerdict(aRecord({ id: 'v1' }));
    for (const verdictId of ['other', 'v1']) await store.adjudicate(aRuling({ verdictId }));
    const { labels } = await readLabels({ rubric: 'in-car' });
    expect(labels.map(({ label }) => label.verdictId)).toEqual(['other']);
  });
});
