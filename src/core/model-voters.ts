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
}

/**
 * Estimates at once what is right and how reliable each voter is (Dawid and Skene, 1979, see `dawidSkene`), from what
 * votes say of the case, corrections included. Rulings are known for certain, and voters are measured by them. Verdicts
 * with a score take no part.
 */
export function modelVoters(
  voted: Iterable<Voted>,
  options: Omit<DawidSkeneOptions, 'known'> = {},
): VoterModel {
  const votes: ItemVote<'pass' | 'fail'>[] = [];
  const known = new Map<string, 'pass' | 'fail'>();
  for (const { record, votes: cast, adjudication } of voted) {
    if (adjudication?.right.kind === 'decision') known.set(record.id, adjudication.right.decision);
    for (const vote of cast) {
      const right = rightOf(vote, record.verdict);
      if (right?.kind === 'decision')
        votes.push({ item: record.id, voter: vote.voter, label: right.decision });
    }
  }
  const { items, voters, converged, iterations } = dawidSkene(votes, classes, { ...options, known });
  return {
    passProbability: new Map(items.map(({ item, posterior }) => [item, posterior[0] ?? 0.5])),
    voters,
    converged,
    iterations,
  };
}
