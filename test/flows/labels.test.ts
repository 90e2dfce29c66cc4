import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { readLabels } from '../../src/flows/labels.ts';
import { openSqliteStore } from '../../src/store/sqlite/sqlite-store.ts';
import type { Store } from '../../src/store/store.ts';
import { scratch } from '../support/run-jury.ts';
import { aBallot, aRecord, aRuling, saturday } from '../support/store-builders.ts';

let store: Store;
beforeEach(async () => {
  store = await openSqliteStore(join(scratch(), 'jury.db'));
});
afterEach(() => store.close());

const vote = (verdictId: string, voters: readonly string[], value: 'agree' | 'disagree') =>
  Promise.all(voters.map((voter) => store.castVote(aBallot({ verdictId, voter, value }))));

describe('labels', () => {
  test('are read with their verdicts, oldest first; a ruling without votes counts too', async () => {
    await store.saveVerdict(aRecord({ id: 'late', at: saturday + 2 }));
    await store.saveVerdict(aRecord({ id: 'ruled', at: saturday + 1 }));
    await store.saveVerdict(aRecord({ id: 'silent', at: saturday }));
    await vote('late', ['ada', 'bea', 'cleo'], 'disagree');
    await store.adjudicate(aRuling({ verdictId: 'ruled' }));
    const { labels } = await readLabels(store);
    expect(labels.map(({ label }) => [label.verdictId, label.label])).toEqual([
      ['ruled', { settled: true, right: { kind: 'decision', decision: 'pass' }, basis: 'adjudication' }],
      ['late', { settled: true, right: { kind: 'decision', decision: 'pass' }, basis: 'majority' }],
    ]);
  });

  test('follow the model of voters where that is asked for, of one rubric alone', async () => {
    await store.saveVerdict(aRecord({ id: 'v1' }));
    await store.saveVerdict(aRecord({ id: 'other', verdict: { rubric: 'in-car' } }));
    for (const id of ['v1', 'other']) await vote(id, ['ada', 'bea', 'cleo'], 'agree');
    const { labels, model } = await readLabels(store, { rubric: 'navigation', by: 'dawid-skene' });
    expect(labels.map(({ label }) => label.label)).toEqual([
      { settled: true, right: { kind: 'decision', decision: 'fail' }, basis: 'dawid-skene' },
    ]);
    expect(model.voters).toHaveLength(3);
    expect([...model.passProbability.keys()]).toEqual(['v1']);
  });
});
