import {
  type DawidSkene,
  type DawidSkeneOptions,
  dawidSkene,
  type ItemVote,
} from '../statistics/dawid-skene.ts';
import type { Voted } from './label.ts';
import { rightOf } from './vote.ts';

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

/** What is said of many verdicts, and what is known. */
export interface VoterEvidence {
  votes: ItemVote<'pass' | 'fail'>[];
  /** What was ruled, by verdict id. */
  known: Map<string, 'pass' | 'fail'>;
}

export const noEvidence = (): VoterEvidence => ({ votes: [], known: new Map() });

/** Adds what votes say is right, and what was ruled; of verdicts with a score nothing. */
export function addEvidence(
  { votes, known }: VoterEvidence,
  { record, votes: cast, adjudication }: Voted,
): void {
  if (adjudication?.right.kind === 'decision') known.set(record.id, adjudication.right.decision);
  for (const vote of cast) {
    const right = rightOf(vote, record.verdict);
    if (right?.kind === 'decision') votes.push({ item: record.id, voter: vote.voter, label: right.decision });
  }
}

/**
 * Estimates at once what is right and how reliable each voter is (Dawid and Skene, 1979, see `dawidSkene`). Rulings are
 * known for certain, and voters are measured by them.
 */
export function modelOf(
  { votes, known }: VoterEvidence,
  options: Omit<DawidSkeneOptions, 'known'> = {},
): VoterModel {
  const { items, ...model } = dawidSkene(votes, classes, { ...options, known });
  const { voters, converged, iterations, logLikelihood } = model;
  return {
    passProbability: new Map(items.map(({ item, posterior }) => [item, posterior[0] ?? 0.5])),
    voters,
    converged,
    iterations,
    logLikelihood,
  };
}

/** The same from verdicts with their votes, corrections included. */
export function modelVoters(
  voted: Iterable<Voted>,
  options: Omit<DawidSkeneOptions, 'known'> = {},
): VoterModel {
  const evidence = noEvidence();
  for (const one of voted) addEvidence(evidence, one);
  return modelOf(evidence, options);
}
