import { expect, test } from 'vitest';
import { isWithdrawn, withdrawVerdict } from '../../src/labels/access/permissions.ts';
import { type VerdictQuery, wordsIn } from '../../src/labels/record/verdict-record.ts';
import { findPeople, keepPeople } from '../../src/requests/requesters.ts';
import { aCase } from '../support/builders.ts';
import { countsOf, recount } from '../support/recount.ts';
import { aBallot, aRecord, dayMs, declared, saturday } from '../support/store-builders.ts';
import type { StoresOfTest } from './store.ts';

export function verdictsContract({ current, another }: StoresOfTest): void {
  test('comes back as it was saved, to another process too', async () => {
    const record = aRecord({ id: 'a{b}:c', channel: 'C{1}' });
    expect(await current().saveVerdict(record)).toBe('saved');
    expect(await (await another()).verdict('a{b}:c')).toEqual(record);
    expect(await current().verdict('nothing')).toBeNull();
  });

  test('comes back with fields that only a prompt file declares, whether it is still there or not', async () => {
    const record = aRecord({ evalCase: aCase(declared) });
    await current().saveVerdict(record);
    expect(await (await another()).verdict('v1')).toEqual(record);
    expect(await current().recentVerdicts({ channel: null, limit: 1 })).toEqual([record]);
    expect(JSON.stringify(record.evalCase)).toContain('"action":{"device":["window"]');
  });

  test('is saved once: the same id again changes neither it nor the counts', async () => {
    await current().saveVerdict(aRecord());
    const counts = await countsOf(current());
    expect(await current().saveVerdict(aRecord({ channel: 'C9' }))).toBe('known');
    expect((await current().verdict('v1'))?.source.channel).toBe('C1');
    expect(await countsOf(current())).toEqual(counts);
  });

  test('lists newest first, of one channel or of all, in pages', async () => {
    for (let n = 1; n <= 9; n++)
      await current().saveVerdict(aRecord({ id: `v${n}`, at: saturday + n, channel: `C${n % 2}` }));
    const ids = async (query: Parameters<ReturnType<typeof current>['recentVerdicts']>[0]) =>
      (await current().recentVerdicts(query)).map(({ id }) => id);
    expect(await ids({ channel: null, limit: 3 })).toEqual(['v9', 'v8', 'v7']);
    expect(await ids({ channel: 'C1', limit: 9 })).toEqual(['v9', 'v7', 'v5', 'v3', 'v1']);
    expect(await ids({ channel: 'C2', limit: 9 })).toEqual([]);
    expect(await ids({ channel: null, limit: 0 })).toEqual([]);
    const walked: string[] = [];
    for await (const { id } of current().allVerdicts()) walked.push(id);
    expect(walked).toEqual(['v9', 'v8', 'v7', 'v6', 'v5', 'v4', 'v3', 'v2', 'v1']);
  });

  test('is found by its words, its rubric, its decision and more, newest first and in pages', async () => {
    const said = (text: string) => aCase({ conversation: [{ role: 'user', text }] });
    const texts = [
      'Sushi in Zürich, please',
      'the best SUSHI',
      'ramen: rubric:navigation',
      'sushi and ramen',
      'ramen',
    ];
    for (const [n, text] of texts.entries())
      await current().saveVerdict(aRecord({ id: `v${n}`, at: saturday + n, evalCase: said(text) }));
    const find = async (query: Partial<VerdictQuery>, store = current()) =>
      (await store.searchVerdicts({ limit: 9, ...query })).map(({ id }) => id);
    const { verdict, source } = aRecord();
    expect(await find({ words: wordsIn('sushi') })).toEqual(['v3', 'v1', 'v0']);
    expect(await find({ words: wordsIn('zurich SUSHI') })).toEqual(['v0']);
    expect(await find({ words: wordsIn('sush') })).toEqual([]);
    expect(await find({ words: wordsIn('sushi'), since: saturday + 1, until: saturday + 3 })).toEqual(['v1']);
    expect(await find({ rubric: verdict.rubric })).toEqual(['v4', 'v3', 'v2', 'v1', 'v0']);
    expect(await find({ rubric: 'navi' })).toEqual([]);
    expect(await find({ decision: verdict.decision, surface: source.surface, words: ['ramen'] })).toEqual([
      'v4',
      'v3',
      'v2',
    ]);
    expect(await find({ since: saturday + 3 })).toEqual(['v4', 'v3']);
    for (const query of [{}, { words: ['sushi'] }, { words: ['sushi'], rubric: verdict.rubric }]) {
      const all = await find(query);
      const paged: string[] = [];
      for (let page = await find({ ...query, limit: 2 }); page.length > 0; ) {
        paged.push(...page);
        page = await find({ ...query, limit: 2, after: page.at(-1) ?? '' });
      }
      expect(paged).toEqual(all);
    }
    expect(await find({ words: ['sushi'] }, await another())).toEqual(['v3', 'v1', 'v0']);
    await current().prune(saturday + 2, saturday + 9);
    expect(await find({ words: ['sushi'] }, await another())).toEqual(['v3']);
    expect(await find({ rubric: verdict.rubric })).toEqual(['v4', 'v3', 'v2']);
  });

  test('counts with no votes from the start, once for each of its subjects', async () => {
    await current().saveVerdict(aRecord());
    await current().saveVerdict(aRecord({ id: 'v2' }));
    const rows = await countsOf(current());
    // The verdict, three judges, and the two criteria that were judged; each twice.
    expect(rows).toHaveLength(6);
    expect(new Set(rows.map(({ items }) => items))).toEqual(new Set([2]));
    expect(rows.find(({ key }) => key.kind === 'criterion' && key.subject === 'time')).toEqual({
      key: {
        day: '2026-11-21',
        channel: 'C1',
        rubric: 'navigation',
        method: 'mab',
        models: 'other/model,test/model',
        kind: 'criterion',
        subject: 'time',
        decision: 'fail',
      },
      tally: { agree: 0, disagree: 0, unsure: 0 },
      items: 2,
    });
  });

  test('counts on its day in UTC, first and last day of a range included', async () => {
    for (const days of [0, 1, 2, 3])
      await current().saveVerdict(aRecord({ id: `v${days}`, at: saturday + days * dayMs }));
    const rows = await current().counts({ from: '2026-11-22', to: '2026-11-23' });
    expect([...new Set(rows.map(({ key }) => key.day))].sort()).toEqual(['2026-11-22', '2026-11-23']);
    expect(await current().counts({ from: '2026-11-25', to: '2026-12-31' })).toEqual([]);
    // Of some kinds alone: the same rows without the others.
    for (const kinds of [['verdict'], ['judge', 'verdict'], []] as const) {
      const some = await current().counts({ from: '2026-11-22', to: '2026-11-23', kinds });
      const wanted = rows.filter(({ key }) => kinds.some((kind) => kind === key.kind));
      expect(new Set(some.map((row) => JSON.stringify(row)))).toEqual(
        new Set(wanted.map((row) => JSON.stringify(row))),
      );
    }
    expect(await countsOf(current())).toEqual(await recount(current()));
  });

  test('goes with its votes and who asked for it when it is too old, and its counts stay', async () => {
    for (const days of [0, 1, 2])
      await current().saveVerdict(aRecord({ id: `v${days}`, at: saturday + days * dayMs }));
    await current().castVote(aBallot({ verdictId: 'v0' }));
    await current().castVote(aBallot({ verdictId: 'v2' }));
    for (const id of ['v0', 'v2'])
      await keepPeople(current(), id, { askedBy: 'U1', stoppedBy: null }, saturday);
    for (const id of ['v0', 'v2']) await withdrawVerdict(current(), id, saturday);
    const counts = await countsOf(current());
    const now = saturday + 3 * dayMs;
    expect(await current().prune(saturday + 2 * dayMs, now)).toBe(2);
    expect(await current().prune(saturday + 2 * dayMs, now)).toBe(0);
    expect(await current().verdict('v0')).toBeNull();
    expect(await current().votes('v0')).toEqual([]);
    expect(await current().votes('v2')).toHaveLength(1);
    expect(await findPeople(current(), 'v0', now)).toBeNull();
    expect(await findPeople(current(), 'v2', now)).not.toBeNull();
    expect(await isWithdrawn(current(), 'v0', now)).toBe(false);
    // However long verdicts are kept.
    expect(await isWithdrawn(current(), 'v2', saturday + 5000 * dayMs)).toBe(true);
    expect((await current().recentVerdicts({ channel: 'C1', limit: 9 })).map(({ id }) => id)).toEqual(['v2']);
    expect(await current().castVote(aBallot({ verdictId: 'v0' }))).toEqual({ status: 'unknown-verdict' });
    expect(await countsOf(current())).toEqual(counts);
  });

  test('survives being large and hostile', async () => {
    const record = aRecord({
      id: 'x',
      verdict: { why: `'; DROP TABLE verdicts; -- \u0000 ${'ü😀'.repeat(50_000)}` },
    });
    await current().saveVerdict(record);
    expect(await current().verdict('x')).toEqual(record);
  });
}
