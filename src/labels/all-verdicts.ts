import type { Store } from '../stores/store.ts';
import type { VerdictRecord } from './verdict-record.ts';

const PAGE = 200;

/** Every verdict that is kept, newest first, a page at a time. */
export async function* allVerdicts(store: Pick<Store, 'recentVerdicts'>): AsyncGenerator<VerdictRecord> {
  let before: number | undefined;
  let seen = new Set<string>();
  for (let limit = PAGE; ; ) {
    const page: VerdictRecord[] = await store.recentVerdicts({
      channel: null,
      limit,
      ...(before === undefined ? {} : { before }),
    });
    for (const record of page) if (!seen.has(record.id)) yield record;
    const last = page.at(-1);
    if (page.length < limit || last === undefined) return;
    // The next page begins among those of the same moment: which of them were here already is known by their ids.
    const next = nextAfter(last.at);
    const isStuck = before !== undefined && next >= before;
    limit = isStuck ? limit * 2 : PAGE;
    before = next;
    seen = new Set(page.filter(({ at }) => at === last.at || isStuck).map(({ id }) => id));
  }
}

/** The least number above a time in ms since the epoch; times carry fractions. */
function nextAfter(at: number): number {
  const bits = new DataView(new ArrayBuffer(8));
  bits.setFloat64(0, at);
  bits.setBigInt64(0, bits.getBigInt64(0) + (at >= 0 ? 1n : -1n));
  return bits.getFloat64(0);
}
