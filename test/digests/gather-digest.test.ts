import { join } from 'node:path';
import { expect, test } from 'vitest';
import { composeDigest } from '../../src/digests/compose-digest.ts';
import { noLabels } from '../../src/digests/digest.ts';
import { gatherDigest, originsOf } from '../../src/digests/gather-digest.ts';
import { withdrawVerdict } from '../../src/labels/access/permissions.ts';
import { saveJudged } from '../../src/labels/record/hiding-channels.ts';
import { openSqliteStore } from '../../src/stores/sqlite/sqlite-store.ts';
import { closeAfterEach, closing } from '../support/resources.ts';
import { scratch } from '../support/run-jury.ts';
import { aRecord, aSchedule, dayMs, saturday } from '../support/store-builders.ts';
import { aGroup, anAssistant } from './world.ts';

closeAfterEach();

/** What a digest says of the cost of verdicts, $0.01 each, so many of them open and then so many hidden, judged so long before. */
async function costOf(parts: { open: number; hidden: number; ageMs: number; isFirst: boolean }) {
  const store = await openSqliteStore(join(scratch(), 'jury.db'));
  closing(() => store.close());
  for (let n = 0; n < parts.open + parts.hidden; n += 1) {
    const record = aRecord({ id: `v${n}`, at: saturday - parts.ageMs + n });
    const { verdict } = record;
    await saveJudged(store, {
      ...record,
      verdict: { ...verdict, usage: { ...verdict.usage, costUsd: 0.01 } },
      source: { ...record.source, channel: n < parts.open ? 'C0OPEN' : 'C0BLIND' },
      ...(n < parts.open ? {} : { blind: true }),
    });
  }
  const last = parts.isFirst ? null : { at: saturday - 2 * dayMs, labels: noLabels, runs: {} };
  const due = { slot: saturday, late: false };
  const sources = { store, benchmarks: null, now: () => saturday, personas: new Map() };
  const { digest } = composeDigest(
    await gatherDigest(sources, aSchedule({ votes: 'everywhere' }), due, last, [], 'en'),
  );
  const facts = digest.blocks.flatMap((block) => (block.kind === 'facts' ? block.facts : []));
  return facts.find(({ label }) => label === 'Cost of the spot checks')?.value;
}

test.each([
  { what: 'all that were judged since', open: 30, hidden: 10, ageMs: dayMs, isFirst: false, said: '$0.40' },
  {
    // The newest 60 are looked at, which is more than are open.
    what: 'at least those that were looked at, however many are hidden',
    open: 30,
    hidden: 40,
    ageMs: dayMs,
    isFirst: false,
    said: 'at least $0.60',
  },
  {
    what: 'that of all that there ever were, in a first digest, which counts older ones too',
    open: 3,
    hidden: 0,
    ageMs: 8 * dayMs,
    isFirst: true,
    said: '$0.030',
  },
])('the cost of spot checks is $what', async ({ said, ...parts }) => {
  expect(await costOf(parts)).toBe(said);
});

test('a lost case that was judged in a conversation leads there; one of a generated dataset has no address', async () => {
  const store = await openSqliteStore(join(scratch(), 'jury.db'));
  closing(() => store.close());
  const record = aRecord({ id: 'v1' });
  const permalink = 'https://acme.slack.com/archives/C1/p1';
  await store.saveVerdict({ ...record, source: { ...record.source, permalink } });
  const run = { name: 'trip-2', at: saturday, correct: 1, n: 3, cases: 3, costUsd: 0 };
  const regressions = ['v1', 'u7'].map((caseId) => ({ caseId, category: 'time', why: 'it is closed' }));
  const compared = { against: 'trip-1', gained: 0, lost: 2, n: 3, cases: 3, regressions };
  const benchmarks = async () => [
    { name: 'trip', subject: 'judges' as const, runs: [{ ...run, name: 'trip-1' }, run], compared },
  ];
  const last = { at: saturday - dayMs, labels: noLabels, runs: { trip: 'trip-1' } };
  const sources = { store, benchmarks, now: () => saturday, personas: new Map() };
  const due = { slot: saturday, late: false };
  const { digest } = composeDigest(await gatherDigest(sources, aSchedule(), due, last, [], 'en'));
  const lists = digest.details.flatMap((block) => (block.kind === 'list' ? block.items : []));
  expect(lists.filter(({ text }) => text.startsWith('trip, '))).toEqual([
    { text: 'trip, v1 (time): it is closed', link: permalink },
    { text: 'trip, u7 (time): it is closed', link: null },
  ]);
});

test('a case whose verdict is kept no longer or was withdrawn is quoted in no channel', async () => {
  const store = await openSqliteStore(join(scratch(), 'jury.db'));
  closing(() => store.close());
  const [own, gone, taken] = ['0123456789abcdef0123', '123456789abcdef01234', '23456789abcdef012345'];
  for (const id of [own, gone, taken]) {
    const record = aRecord({ id, at: id === gone ? saturday - 40 * dayMs : saturday });
    await store.saveVerdict({ ...record, source: { ...record.source, channel: 'C1' } });
  }
  await store.prune(saturday - 30 * dayMs, saturday);
  await withdrawVerdict(store, taken, saturday);
  const answers = [own, gone, taken, 'trip-7'].map((caseId) => ({
    ...{ caseId, request: `request of ${caseId}`, answer: 'No.', reason: 'it is closed' },
  }));
  const group = { ...aGroup('Time', 3), answers };
  const origins = await originsOf(store, 'C1', [anAssistant('trip', { failing: [group] })], saturday);
  const ids = [own, gone, taken, 'trip-7'];
  expect(ids.map((id) => origins.get(id)?.hidden)).toEqual([false, true, true, undefined]);
});

test('votes and spot checks are those of the schedule’s own conversation, unless it asks for all', async () => {
  const store = await openSqliteStore(join(scratch(), 'jury.db'));
  closing(() => store.close());
  for (const [id, channel] of [
    ['v1', 'C1'],
    ['v2', 'C2'],
    ['v3', 'C2'],
  ] as const)
    await store.saveVerdict(aRecord({ id, channel }));
  const sources = { store, benchmarks: null, now: () => saturday, personas: new Map() };
  const due = { slot: saturday, late: false };
  const counted = async (votes?: 'here' | 'everywhere') => {
    const schedule = aSchedule(votes === undefined ? {} : { votes });
    const { counts, recent } = await gatherDigest(sources, schedule, due, null, [], 'en');
    const verdicts = counts.filter(({ key }) => key.kind === 'verdict');
    return [verdicts.reduce((sum, { items }) => sum + items, 0), recent.read];
  };
  expect(await counted()).toEqual([1, 1]);
  expect(await counted('here')).toEqual([1, 1]);
  expect(await counted('everywhere')).toEqual([3, 3]);
});
