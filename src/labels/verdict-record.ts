import * as z from 'zod';
import { KeptCase } from '../case/case.ts';
import { Trust, Verdict } from '../judging/verdict.ts';
import { Subject, VoteTally } from './vote.ts';

/** What a conversation is: of many, of some, with one person, or a page that stands alone. */
export const ConversationKind = z.enum(['channel', 'group', 'direct', 'page']);
export type ConversationKind = z.infer<typeof ConversationKind>;

/** Where a request came from and where its verdict stands. Ids are the platform's own. */
const Source = z.strictObject({
  surface: z.string(),
  team: z.string(),
  channel: z.string(),
  /** Absent in older records: the surface tells it by the id. */
  kind: ConversationKind.optional(),
  /** The thread that it belongs to, and the message that holds the card, where there is one. */
  thread: z.string().nullable(),
  message: z.string().nullable(),
  permalink: z.string().optional(),
});

/** A verdict as it is kept: with its case, where it was given, and what votes on it speak about. */
export const VerdictRecord = z.strictObject({
  id: z.string(),
  at: z.number(),
  evalCase: KeptCase,
  verdict: Verdict,
  source: Source,
  subjects: z.array(Subject),
  /** Whether it is shown to each person only after their own vote. Stays as it was when the verdict was asked for. */
  blind: z.boolean().optional(),
  /** What was known of such verdicts when it was given; it stays so, whatever is voted later. Absent where it was too little. */
  trust: Trust.optional(),
});
export type VerdictRecord = z.infer<typeof VerdictRecord>;

/** Where verdicts are kept. Times are ms since the epoch. Rejects with a `JuryError` `store-unavailable`. */
export interface VerdictStore {
  /** Keeps a verdict. The same id again changes nothing and answers `known`. */
  saveVerdict(record: VerdictRecord): Promise<'saved' | 'known'>;
  verdict(id: string): Promise<VerdictRecord | null>;
  /** Newest first. `channel` null: of all channels. */
  recentVerdicts(query: { channel: string | null; limit: number; before?: number }): Promise<VerdictRecord[]>;
  /**
   * Deletes verdicts older than `before`, with their votes and rulings; counts stay. Deletes keys and finished requests that have
   * expired by `now`. Resolves to how many verdicts went. Verdict by verdict: cut short, the next call continues.
   */
  prune(before: number, now: number): Promise<number>;
}

const DAY_MS = 86_400_000;

/**
 * Deletes verdicts with their votes after the days of retention (0: never), and whatever else has expired. To be done once a day.
 * Resolves to how many verdicts went.
 */
export const pruneExpired = (
  store: Pick<VerdictStore, 'prune'>,
  retentionDays: number,
  now: number,
): Promise<number> =>
  store.prune(retentionDays === 0 ? -Number.MAX_VALUE : now - retentionDays * DAY_MS, now);

const PAGE = 200;

/** Every verdict that is kept, newest first, a page at a time. */
export async function* allVerdicts(store: VerdictStore): AsyncGenerator<VerdictRecord> {
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

/** What is counted together: all subjects alike of one day. */
export const CountKey = z.strictObject({
  /** Day of the verdict, UTC. */
  day: z.string(),
  channel: z.string(),
  rubric: z.string(),
  method: z.string(),
  /** Models of the panel, sorted, with commas between them. */
  models: z.string(),
  kind: z.enum(['verdict', 'judge', 'criterion']),
  subject: z.string(),
  decision: z.string(),
});
export type CountKey = z.infer<typeof CountKey>;

/**
 * How many subjects of one key have which votes: `items` verdicts with exactly this tally. From these rows every agreement
 * statistic follows, with intervals by verdict, at a cost that does not grow with the number of votes.
 */
export const CountRow = z.strictObject({ key: CountKey, tally: VoteTally, items: z.int() });
export type CountRow = z.infer<typeof CountRow>;

export interface CountStore {
  /** The counts of verdicts whose day (UTC) lies between two days, both included, `2026-11-21`. */
  counts(range: { from: string; to: string }): Promise<CountRow[]>;
}

/** The models of a verdict's panel, as they stand in a key. */
export const panelModels = ({ settings }: Verdict): string =>
  [...new Set(settings.panel.map(({ model }) => model))].sort().join(',');

/**
 * Whether votes can go both ways on what is counted under a key. Of a judge that gave a score they cannot: who disagrees with
 * the panel's score says nothing of that judge's, so that only agreement is counted.
 */
export const isTwoSided = ({ kind, decision }: CountKey): boolean =>
  kind !== 'judge' || decision !== 'scored';

/** The keys under which the subjects of a verdict are counted, in the order of `record.subjects`. */
export function countKeys(record: VerdictRecord): CountKey[] {
  const { verdict, at, source, subjects } = record;
  const day = new Date(at).toISOString().slice(0, 10);
  const models = panelModels(verdict);
  return subjects.map(({ kind, id, decision }) => ({
    day,
    channel: source.channel,
    rubric: verdict.rubric,
    method: verdict.method,
    models,
    kind,
    subject: id,
    decision,
  }));
}
