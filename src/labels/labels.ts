import { yieldToEventLoop } from '../common/async.ts';
import { JuryError } from '../common/errors.ts';
import {
  type DawidSkene,
  type DawidSkeneOptions,
  dawidSkene,
  type ItemVote,
} from '../statistics/dawid-skene.ts';
import type { AdjudicationStore } from './adjudication.ts';
import type { VoteStore } from './cast-vote.ts';
import { type LabelBy, type LabelRule, labelOf, usualRule, type VerdictLabel, type Voted } from './label.ts';
import type { VerdictRecord, VerdictStore } from './verdict-record.ts';
import { rightOf } from './vote.ts';

const classes = ['pass', 'fail'] as const;

/** What the votes on many verdicts say about the verdicts and the voters. */
export interface VoterModel {
  /** Probability of pass by verdict id; verdicts without a vote that implies pass or fail are missing. */
  passProbability: ReadonlyMap<string, number>;
  /** The share of verdicts that a voter gets right, with the number of votes; by pseudonym. */
  voters: DawidSkene<'pass' | 'fail'>['voters'];
  converged: boolean;
  iterations: number;
  logLikelihood: number;
}

interface VoterEvidence {
  votes: ItemVote<'pass' | 'fail'>[];
  /** Rulings by verdict id. */
  known: Map<string, 'pass' | 'fail'>;
}

const noEvidence = (): VoterEvidence => ({ votes: [], known: new Map() });

/** Adds the votes and the ruling on a verdict, unless they are scores. */
function addEvidence({ votes, known }: VoterEvidence, { record, votes: cast, adjudication }: Voted): void {
  if (adjudication?.right.kind === 'decision') known.set(record.id, adjudication.right.decision);
  for (const vote of cast) {
    const right = rightOf(vote, record.verdict);
    if (right?.kind === 'decision') votes.push({ item: record.id, voter: vote.voter, label: right.decision });
  }
}

/**
 * Estimates jointly what is right and how reliable each voter is (Dawid and Skene, 1979, see `dawidSkene`). Rulings count as
 * certain.
 */
function modelOf(
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

/** The voter model of some verdicts. */
export function modelVoters(
  voted: Iterable<Voted>,
  options: Omit<DawidSkeneOptions, 'known'> = {},
): VoterModel {
  const evidence = noEvidence();
  for (const one of voted) addEvidence(evidence, one);
  return modelOf(evidence, options);
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

/** Oldest verdict first. */
export interface Labels {
  labels: LabeledVerdict[];
  model: VoterModel;
}

type Place = Pick<VerdictRecord, 'id' | 'at'>;

const isBefore = (a: Place, b: Place): boolean => a.at < b.at || (a.at === b.at && a.id < b.id);

/** Every verdict with a vote or a ruling, oldest first. Only one verdict, and all rulings, are in memory at a time. */
export async function* walkVoted(store: LabelStore, rubric: string | undefined): AsyncGenerator<Voted> {
  const rulings = new Map((await store.adjudications()).map((ruling) => [ruling.verdictId, ruling]));
  const isWanted = ({ verdict }: VerdictRecord): boolean => rubric === undefined || verdict.rubric === rubric;
  const silent: Place[] = [];
  for (const id of rulings.keys()) {
    if ((await store.votes(id)).length > 0) continue;
    const record = await store.verdict(id);
    if (record !== null && isWanted(record)) silent.push({ id, at: record.at });
  }
  silent.sort((a, b) => (isBefore(a, b) ? -1 : 1));
  async function* silentUntil(end: Place | null): AsyncGenerator<Voted> {
    for (
      let next = silent[0];
      next !== undefined && (end === null || isBefore(next, end));
      next = silent[0]
    ) {
      silent.shift();
      const record = await store.verdict(next.id);
      if (record !== null) yield { record, votes: [], adjudication: rulings.get(next.id) ?? null };
    }
  }
  for await (const { record, votes } of store.allVotes()) {
    await yieldToEventLoop();
    yield* silentUntil(record);
    // It has been voted on in the meantime.
    if (silent[0]?.id === record.id) silent.shift();
    if (isWanted(record)) yield { record, votes, adjudication: rulings.get(record.id) ?? null };
  }
  yield* silentUntil(null);
}

/** The voter model of all votes and rulings. Keeps one entry per vote in memory, no verdicts. */
export async function readModel(store: LabelStore, rubric: string | undefined): Promise<VoterModel> {
  const evidence = noEvidence();
  for await (const voted of walkVoted(store, rubric)) addEvidence(evidence, voted);
  return modelOf(evidence);
}

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

/** All labels with the voter model. Keeps every verdict with votes in memory. */
export async function readLabels(store: LabelStore, query: LabelQuery = {}): Promise<Labels> {
  const model = await readModel(store, query.rubric);
  const labels: LabeledVerdict[] = [];
  for await (const one of walkLabels(store, query, query.by === 'dawid-skene' ? model : null))
    labels.push(one);
  return { labels, model };
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
  const rulings = await store.adjudications();
  return {
    record,
    votes: await store.votes(id),
    adjudication: rulings.find(({ verdictId }) => verdictId === id) ?? null,
  };
}
