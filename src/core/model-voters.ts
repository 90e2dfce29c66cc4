import type { Voted } from './label.ts';
import { type DawidSkene, type DawidSkeneOptions, dawidSkene, type ItemVote } from './metrics/dawid-skene.ts';
import { rightOf } from './right.ts';

const classes = ['pass', 'fail'] as const;

/** What the votes on many verdicts tell of the verdicts and of the voters. */
export interface VoterModel {
  /** Probability that the case of a verdict is to pass, by verdict id; verdicts of which no vote says what is right are missing. */
  passProbability: ReadonlyMap<string, number>;
  /** Share of the verdicts that a voter gets right, with the number of votes; by pseudonym. */
  voters: DawidSkene<'pass' | 'fail'>['voters'];
  converged: boolean;
  iterations: number;
  logLikelihood: number;
}

/** What a voter says of a verdict's case. */
export type StatedVote = ItemVote<'pass' | 'fail'>;

/** What votes say is right, one entry a vote that says something; of verdicts with a score nothing. */
export function statedVotes({ record, votes }: Pick<Voted, 'record' | 'votes'>): StatedVote[] {
  return votes.flatMap((vote) => {
    const right = rightOf(vote, record.verdict);
    return right?.kind === 'decision' ? [{ item: record.id, voter: vote.voter, label: right.decision }] : [];
  });
}

/** Estimates at once what is right and how reliable each voter is. Dawid and Skene, 1979, see `dawidSkene`. */
export function modelOf(votes: readonly StatedVote[], options: DawidSkeneOptions = {}): VoterModel {
  const { items, ...model } = dawidSkene(votes, classes, options);
  const { voters, converged, iterations, logLikelihood } = model;
  return {
    passProbability: new Map(items.map(({ item, posterior }) => [item, posterior[0] ?? 0.5])),
    voters,
    converged,
    iterations,
    logLikelihood,
  };
}

/** The same from verdicts with their votes, corrections included. Verdicts with a score take no part. */
export const modelVoters = (voted: Iterable<Voted>, options: DawidSkeneOptions = {}): VoterModel =>
  modelOf([...voted].flatMap(statedVotes), options);
