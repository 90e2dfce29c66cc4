import { yieldToEventLoop } from '../common/async.ts';
import { JuryError } from '../common/errors.ts';
import { dawidSkene, type ItemVote } from '../statistics/dawid-skene.ts';
import type { AdjudicationStore } from './adjudication.ts';
import { type LabelBy, type LabelRule, usualRule } from './answers.ts';
import type { VoteStore } from './cast-vote.ts';
import { labelOf, type Settled, type VerdictLabel, type Voted } from './label.ts';
import type { VerdictStore } from './verdict-record.ts';
import { isSameRight, rightOf } from './vote.ts';

const classes = ['pass', 'fail'] as const;

/** What the votes on many verdicts say about the verdicts and the voters. */
export type VoterModel = Awaited<ReturnType<typeof modelVoters>>;

/**
 * Estimates jointly what is right and how reliable each voter is (Dawid and Skene, 1979, see `dawidSkene`). Rulings count as certain;
 * votes and rulings that give a score do not count. Keeps one entry per vote in memory, no verdicts.
 */
export async function modelVoters(voted: AsyncIterable<Voted> | Iterable<Voted>) {
  const said: ItemVote<'pass' | 'fail'>[] = [];
  const known = new Map<string, 'pass' | 'fail'>();
  for await (const { record, votes, adjudication } of voted) {
    if (adjudication?.right.kind === 'decision') known.set(record.id, adjudication.right.decision);
    for (const vote of votes) {
      const right = rightOf(vote, record.verdict);
      if (right?.kind === 'decision')
        said.push({ item: record.id, voter: vote.voter, label: right.decision });
    }
  }
  const { items, voters, converged, iterations, logLikelihood } = dawidSkene(said, classes, { known });
  return {
    /** Probability of pass by verdict id; verdicts without a vote that implies pass or fail are missing. */
    passProbability: new Map(items.map(({ item, posterior }) => [item, posterior[0] ?? 0.5])),
    /** The share of verdicts that a voter gets right, with the number of votes; by pseudonym. */
    voters,
    converged,
    iterations,
    logLikelihood,
  };
}

export type LabelStore = VoteStore & AdjudicationStore & VerdictStore;

export interface LabelQuery {
  /** Only verdicts by this rubric. */
  rubric?: string;
  /** Default: majority. */
  by?: LabelBy;
  rule?: LabelRule;
}

export interface LabeledVerdict {
  voted: Voted;
  label: VerdictLabel;
}

/** Every verdict with a vote or a ruling, oldest first, perhaps by one rubric only. One at a time is in memory. */
export async function* walkVoted(store: LabelStore, rubric: string | undefined): AsyncGenerator<Voted> {
  for await (const voted of store.allVoted()) {
    await yieldToEventLoop();
    if (rubric === undefined || voted.record.verdict.rubric === rubric) yield voted;
  }
}

/** The voter model of all votes and rulings. */
export const readModel = (store: LabelStore, rubric: string | undefined): Promise<VoterModel> =>
  modelVoters(walkVoted(store, rubric));

/** Labels verdict by verdict. @param model null if neither labels nor output need it */
export async function* walkLabels(
  store: LabelStore,
  { rubric, by = 'majority', rule = usualRule }: LabelQuery,
  model: Pick<VoterModel, 'passProbability'> | null,
): AsyncGenerator<LabeledVerdict> {
  for await (const voted of walkVoted(store, rubric)) {
    const probability = model?.passProbability.get(voted.record.id) ?? null;
    yield { voted, label: labelOf(voted, probability, rule, by) };
  }
}

/**
 * One verdict with its votes and the ruling on it.
 * @throws JuryError `usage` if there is no such verdict
 */
export async function readVoted(store: LabelStore, id: string): Promise<Voted> {
  const record = await store.verdict(id);
  if (record === null)
    throw new JuryError(
      'usage',
      `There is no verdict "${id}". "jury labels aggregate" lists the verdicts that have votes.`,
    );
  return { record, votes: await store.votes(id), adjudication: await store.adjudication(id) };
}

/** How two ways of settling a label compare. */
export type Agreeing = 'same' | 'other' | 'only majority' | 'only dawid-skene' | 'neither';

function compared(majority: Settled, modelled: Settled | null): Agreeing {
  if (majority.settled && modelled?.settled)
    return isSameRight(majority.right, modelled.right) ? 'same' : 'other';
  if (majority.settled) return 'only majority';
  return modelled?.settled ? 'only dawid-skene' : 'neither';
}

export type LabelComparison = ReturnType<typeof createComparison>;

/**
 * Labels by majority beside those by the model of voters, counted as they are added.
 *
 * @param most rows of each kind that are kept
 */
export function createComparison(most: number) {
  const all = {
    counts: new Map<Agreeing, number>(),
    verdicts: 0,
    scored: 0,
    settled: 0,
    ruled: 0,
    /** The first of those where both differ, and of the others. */
    rows: { differing: [] as LabeledVerdict[], others: [] as LabeledVerdict[] },
    add: (one: LabeledVerdict): void => {
      const { label } = one;
      const agreeing = compared(label.majority, label.modelled);
      const isRuled = label.adjudication !== null;
      all.verdicts += 1;
      if (label.label.settled) all.settled += 1;
      // The model knows what was ruled: there is nothing to compare.
      if (isRuled) all.ruled += 1;
      else if (label.judged.decision === 'scored') all.scored += 1;
      else all.counts.set(agreeing, (all.counts.get(agreeing) ?? 0) + 1);
      const differs = !isRuled && (agreeing === 'other' || agreeing.startsWith('only'));
      const rows = differs && label.modelled !== null ? all.rows.differing : all.rows.others;
      if (rows.length < most) rows.push(one);
    },
  };
  return all;
}
