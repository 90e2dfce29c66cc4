import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { readVoteQueue } from '../../../src/labels/queue/read-queue.ts';
import { openSqliteStore } from '../../../src/stores/sqlite/sqlite-store.ts';
import { jury, scratch } from '../../support/run-jury.ts';
import { aRecord } from '../../support/store-builders.ts';

const labeled = (rating: number, label: object) =>
  JSON.stringify({
    id: `rating-${rating}`,
    conversation: [{ role: 'user', text: 'Find me a sushi place rated at least 4.5' }],
    response: 'Sakura is five minutes away.',
    recommendation: { name: 'Sakura', cuisine: 'Japanese', rating },
    label,
  });
const input = [
  labeled(4.3, { decision: 'fail', errorType: 'rating' }),
  labeled(4.8, { decision: 'pass' }),
].join('\n');

describe('jury gold', () => {
  test('keeps labeled cases for the queue of a channel, ruled on, hidden, and without what tells their answer', async () => {
    const cwd = scratch();
    expect(await jury(['gold', 'C0EVALS', '-', '--every', '2'], { cwd, input })).toMatchObject({
      code: 0,
      out: '2 added, 0 already there.\n',
      err: expect.stringContaining('only to people who vote before they see the verdict'),
    });
    expect(await jury(['gold', 'C0EVALS'], { cwd, input })).toMatchObject({
      out: '0 added, 2 already there.\n',
    });
    const store = await openSqliteStore(join(cwd, 'data', 'jury.db'));
    const rulings = await store.adjudications();
    expect(rulings.map(({ right, errorType }) => [right, errorType])).toEqual(
      expect.arrayContaining([
        [{ kind: 'decision', decision: 'fail' }, 'rating'],
        [{ kind: 'decision', decision: 'pass' }, undefined],
      ]),
    );
    const records = await store.recentVerdicts({ channel: 'C0EVALS', limit: 9 });
    expect(records.map(({ blind, source }) => [blind, source.message])).toEqual([
      [true, null],
      [true, null],
    ]);
    expect(JSON.stringify(records)).not.toMatch(/rating-4|"label"/);
    expect(await store.channelSettings('C0EVALS')).toEqual({ wish: {}, goldEvery: 2 });

    const asked = { ...aRecord({ id: 'asked', channel: 'C0EVALS', at: Date.now() }), blind: true };
    await store.saveVerdict(asked);
    const viewer = { voter: 'ada', maySee: async () => true };
    const { queue, recent } = await readVoteQueue(store, viewer, Date.now());
    // The one that was asked for brings one of the two along; neither stands among the verdicts that were asked for.
    expect(queue.map(({ record }) => record.id)).toContain('asked');
    expect(queue).toHaveLength(2);
    expect(recent).toEqual([]);
    await store.close();
  });

  test('takes a corrected answer, and leaves what was ruled since', async () => {
    const cwd = scratch();
    const adding = (label: object) => jury(['gold', 'C0EVALS'], { cwd, input: labeled(4.3, label) });
    const rulings = async () => {
      const store = await openSqliteStore(join(cwd, 'data', 'jury.db'));
      const all = await store.adjudications();
      await store.close();
      return all;
    };
    await adding({ decision: 'pass' });
    expect((await adding({ decision: 'fail' })).err).toContain(
      '1 case had a different answer from a dataset before.',
    );
    const [corrected] = await rulings();
    expect(corrected?.right).toEqual({ kind: 'decision', decision: 'fail' });
    await jury(['labels', 'adjudicate', corrected?.verdictId ?? '', 'pass', '--by', 'safety lead'], { cwd });
    const again = await adding({ decision: 'fail' });
    expect(again.out).toBe('0 added, 1 already there.\n');
    expect(again.err).toContain('1 case has a different ruling since');
    expect(await rulings()).toMatchObject([{ role: 'safety lead', right: { decision: 'pass' } }]);
  });

  test('leaves out an answer that its rubric cannot give, exit 1', async () => {
    const cwd = scratch();
    const ran = await jury(['gold', 'C0EVALS'], { cwd, input: labeled(4.3, { score: 3 }) });
    expect(ran).toMatchObject({ code: 1, out: '0 added, 0 already there.\n' });
    expect(ran.err).toContain('left out: "3" is neither pass nor fail');
    const store = await openSqliteStore(join(cwd, 'data', 'jury.db'));
    expect(await store.recentVerdicts({ channel: null, limit: 1 })).toEqual([]);
    await store.close();
  });

  test('takes a case once that stands twice in a file, and none where its answers contradict each other', async () => {
    const cwd = scratch();
    const twice = (...labels: object[]) =>
      jury(['gold', 'C0EVALS'], { cwd, input: labels.map((label) => labeled(4.3, label)).join('\n') });
    const torn = await twice({ decision: 'pass' }, { decision: 'fail' });
    expect(torn).toMatchObject({ code: 64, out: '' });
    expect(torn.err).toContain('same case as standard input, line 1, with a different answer');
    expect((await twice({ decision: 'fail' }, { decision: 'fail' })).out).toBe('1 added, 0 already there.\n');
  });

  test('adds nothing where a case has no answer or the channel is none, exit 64', async () => {
    const unlabeled = await jury(['gold', 'C0EVALS'], { input: `${input}\n${labeled(4.9, {})}` });
    expect(unlabeled.code).toBe(64);
    expect(unlabeled.err).toContain('standard input, line 3: no answer');
    expect((await jury(['gold', '#evals'], { input })).err).toContain('"#evals" is not a channel id');
    expect((await jury(['gold', 'C0EVALS', '--every', '1'], { input })).code).toBe(64);
  });
});
