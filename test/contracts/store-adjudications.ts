import { expect, test } from 'vitest';
import { aBallot, aRecord, aRuling, dayMs, saturday } from '../support/store-builders.ts';
import type { StoresOfTest } from './store.ts';

export function adjudicationsContract({ current, another }: StoresOfTest): void {
  test('on a verdict that is not kept is refused', async () => {
    expect(await current().adjudicate(aRuling())).toBe('unknown-verdict');
    expect(await current().adjudications()).toEqual([]);
  });

  test('comes back as it was given, whatever it says', async () => {
    await current().saveVerdict(aRecord());
    const ruling = aRuling({ comment: 'it’s "open" | until\n2', errorType: 'time', at: saturday + 0.25 });
    expect(await current().adjudicate(ruling)).toBe('kept');
    expect(await (await another()).adjudications()).toEqual([ruling]);
    expect(await (await another()).adjudication(ruling.verdictId)).toEqual(ruling);
    expect(await current().adjudication('another')).toBeNull();
  });

  test('is replaced by a newer one only', async () => {
    await current().saveVerdict(aRecord());
    expect(await current().adjudicate(aRuling({ at: 5 }))).toBe('kept');
    expect(await current().adjudicate(aRuling({ at: 5, role: 'other' }))).toBe('unchanged');
    expect(await current().adjudicate(aRuling({ at: 4, role: 'other' }))).toBe('outdated');
    const newer = aRuling({ at: 6, right: { kind: 'score', score: 2.5 } });
    expect(await current().adjudicate(newer)).toBe('kept');
    expect(await current().adjudications()).toEqual([newer]);
  });

  test('is listed oldest first and goes with its verdict, voted on or not', async () => {
    await current().saveVerdict(aRecord({ id: 'old', at: saturday - dayMs }));
    await current().saveVerdict(aRecord({ id: 'older', at: saturday - 2 * dayMs }));
    await current().saveVerdict(aRecord({ id: 'new' }));
    await current().castVote(aBallot({ verdictId: 'old' }));
    for (const [n, verdictId] of ['new', 'old', 'older'].entries())
      await current().adjudicate(aRuling({ verdictId, at: saturday + n }));
    const ids = async () => (await current().adjudications()).map(({ verdictId }) => verdictId);
    expect(await ids()).toEqual(['new', 'old', 'older']);
    expect(await current().prune(saturday, saturday)).toBe(2);
    expect(await ids()).toEqual(['new']);
  });

  test('is read with the votes on its verdict, and without any, in the order of the verdicts', async () => {
    for (const [n, id] of ['first', 'second', 'third', 'fourth'].entries())
      await current().saveVerdict(aRecord({ id, at: saturday + n }));
    await current().castVote(aBallot({ verdictId: 'first' }));
    await current().castVote(aBallot({ verdictId: 'third' }));
    const [second, third] = [aRuling({ verdictId: 'second' }), aRuling({ verdictId: 'third' })];
    for (const ruling of [third, second]) await current().adjudicate(ruling);
    const walked: unknown[] = [];
    for await (const { record, votes, adjudication } of current().allVoted())
      walked.push([record.id, votes.length, adjudication]);
    expect(walked).toEqual([
      ['first', 1, null],
      ['second', 0, second],
      ['third', 1, third],
    ]);
  });
}
