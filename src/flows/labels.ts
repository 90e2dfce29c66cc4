import { type LabelRule, labelOf, usualRule, type VerdictLabel, type Voted } from '../core/label.ts';
import { modelVoters, type VoterModel } from '../core/model-voters.ts';
import type { Store } from '../store/store.ts';

type LabelStore = Pick<Store, 'allVotes' | 'adjudications' | 'verdict'>;

export interface LabelWish {
  /** Of one rubric only. */
  rubric?: string;
  /** What settles a label that nobody has ruled on: default majority. */
  by?: 'majority' | 'dawid-skene';
  rule?: LabelRule;
}

/** Labels with the verdicts that they are about, oldest verdict first, and the model that was asked for them. */
export interface Labels {
  labels: { voted: Voted; label: VerdictLabel }[];
  model: VoterModel;
}

/** Every verdict that somebody voted on or ruled on, oldest first. */
async function votedOn(store: LabelStore, rubric: string | undefined): Promise<Voted[]> {
  const rulings = new Map((await store.adjudications()).map((ruling) => [ruling.verdictId, ruling]));
  const found: Voted[] = [];
  for await (const { record, votes } of store.allVotes()) {
    found.push({ record, votes, adjudication: rulings.get(record.id) ?? null });
    rulings.delete(record.id);
  }
  for (const adjudication of rulings.values()) {
    const record = await store.verdict(adjudication.verdictId);
    if (record !== null) found.push({ record, votes: [], adjudication });
  }
  return found
    .filter(({ record }) => rubric === undefined || record.verdict.rubric === rubric)
    .sort((a, b) => a.record.at - b.record.at || (a.record.id < b.record.id ? -1 : 1));
}

/** Reads all votes and rulings and settles what is right. Costs a walk over every verdict with votes. */
export async function readLabels(
  store: LabelStore,
  { rubric, by = 'majority', rule = usualRule }: LabelWish = {},
): Promise<Labels> {
  const voted = await votedOn(store, rubric);
  const model = modelVoters(voted);
  return {
    labels: voted.map((one) => ({
      voted: one,
      label: labelOf(
        one,
        by === 'dawid-skene' ? (model.passProbability.get(one.record.id) ?? null) : null,
        rule,
      ),
    })),
    model,
  };
}
