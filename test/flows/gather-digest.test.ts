import { join } from 'node:path';
import { expect, test } from 'vitest';
import { composeDigest } from '../../src/digest/content.ts';
import { noLabels } from '../../src/digest/label-totals.ts';
import { gatherDigest } from '../../src/flows/gather-digest.ts';
import { openSqliteStore } from '../../src/store/sqlite/sqlite-store.ts';
import { scratch } from '../support/run-jury.ts';
import { closeAfterEach, closing } from '../support/slack-service.ts';
import { aRecord, aSchedule, dayMs, saturday } from '../support/store-builders.ts';

closeAfterEach();

/** What a digest says of the cost of verdicts, $0.01 each, so many of them open and then so many hidden, judged so long before. */
async function costOf(parts: { open: number; hidden: number; ageMs: number; isFirst: boolean }) {
  const store = await openSqliteStore(join(scratch(), 'jury.db'));
  closing(() => store.close());
  for (let n = 0; n < parts.open + parts.hidden; n += 1) {
    const record = aRecord({ id: `v${n}`, at: saturday - parts.ageMs + n });
    const { verdict } = record;
    await store.saveVerdict({
      ...record,
      verdict: { ...verdict, usage: { ...verdict.usage, costUsd: 0.01 } },
      source: { ...record.source, channel: n < parts.open ? 'C0OPEN' : 'C0BLIND' },
      ...(n < parts.open ? {} : { blind: true }),
    });
  }
  const last = parts.isFirst ? null : { at: saturday - 2 * dayMs, labels: noLabels, runs: {} };
  const due = { slot: saturday, late: false };
  const sources = { store, benchmarks: null, now: () => saturday };
  const { digest } = composeDigest(await gatherDigest(sources, aSchedule(), due, last, []));
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
    what: 'at least that of a week, in a first digest that counts older ones',
    open: 3,
    hidden: 0,
    ageMs: 8 * dayMs,
    isFirst: true,
    said: 'at least $0.00',
  },
])('the cost of spot checks is $what', async ({ said, ...parts }) => {
  expect(await costOf(parts)).toBe(said);
});
