import { type Agreement, agreementOf } from './agreement.ts';
import type { VoteStore } from './cast-vote.ts';
import { countGroups, type Grouping, kindOf } from './count-groups.ts';
import { type ScoreAgreement, scoreAgreement } from './score-agreement.ts';
import { type ScoredItem, scoredItems } from './scored-items.ts';
import type { CountRow, CountStore } from './vote-counts.ts';

export interface AgreementWish {
  by: Grouping;
  /** Of one rubric or one channel alone. */
  rubric?: string;
  channel?: string;
  /** Of verdicts from this day on (UTC), `2026-11-21`. */
  since?: string;
  /** Votes that agree or disagree without which a verdict does not enter. */
  least?: number;
}

export interface AgreementReport {
  by: Grouping;
  /** Verdicts that are kept or counted in all, with and without votes. */
  verdicts: number;
  /** Days by their order, others by how many verdicts they have. Groups without a vote are left out. */
  groups: { name: string; agreement: Agreement }[];
  /** All verdicts together; null where the groups are of single judges or criteria, or there is only one. */
  all: Agreement | null;
  /** Of rubrics that give scores. */
  scores: ScoreAgreement[];
}

async function readScores(
  store: Pick<VoteStore, 'allVotes'>,
  { by, rubric, channel, since, least }: AgreementWish,
): Promise<ScoredItem[]> {
  const items: ScoredItem[] = [];
  for await (const { record, votes } of store.allVotes()) {
    const { verdict, source, at } = record;
    if (rubric !== undefined && verdict.rubric !== rubric) continue;
    if (channel !== undefined && source.channel !== channel) continue;
    if (since !== undefined && new Date(at).toISOString().slice(0, 10) < since) continue;
    items.push(...scoredItems({ record, votes }, by, least));
  }
  return items;
}

const isTime = (by: Grouping): boolean => by === 'day' || by === 'week' || by === 'month';

const hasVotes = ({ tally: { agree, disagree, unsure } }: CountRow): boolean => agree + disagree + unsure > 0;

/**
 * How far people agree with the judges and among themselves, from counts alone: costs by groups and distinct tallies. Only where
 * somebody voted on scores are votes read one by one, since only they say which score is right.
 */
export async function readAgreement(
  store: CountStore & Pick<VoteStore, 'allVotes'>,
  wish: AgreementWish,
): Promise<AgreementReport> {
  const { by, rubric, channel, since = '0000-01-01', least } = wish;
  const rows = (await store.counts({ from: since, to: '9999-12-31' })).filter(
    ({ key }) =>
      (rubric === undefined || key.rubric === rubric) && (channel === undefined || key.channel === channel),
  );
  const groups = [...countGroups(rows, by)]
    .map(([name, counts]) => ({ name, agreement: agreementOf(counts, least) }))
    .filter(({ agreement }) => agreement.verdicts > 0)
    .sort(
      (a, b) =>
        (isTime(by) ? 0 : b.agreement.verdicts - a.agreement.verdicts) ||
        (a.name < b.name ? -1 : Number(a.name > b.name)),
    );
  const verdictRows = rows.filter(({ key }) => key.kind === 'verdict');
  const scored = verdictRows.filter((row) => row.key.decision === 'scored' && hasVotes(row));
  return {
    by,
    verdicts: verdictRows.reduce((total, { items }) => total + items, 0),
    groups,
    all: kindOf(by) === 'verdict' && groups.length > 1 ? agreementOf(verdictRows, least) : null,
    scores: scored.length === 0 ? [] : scoreAgreement(await readScores(store, wish)),
  };
}
