import type { EvalCase } from '../case/index.ts';
import { groupedBy, JuryError, yieldToEventLoop } from '../common/index.ts';
import { counted } from '../common/text/index.ts';
import { betterOf, betterText, type Verdict } from '../judging/verdict/index.ts';
import { dawidSkene, type ItemVote } from '../statistics/raters/index.ts';
import { type Language, wordsIn } from '../words/index.ts';
import { commonest, type LabelBy, type LabelRule, medianOf, moreThanHalf, usualRule } from './label-rule.ts';
import {
  isSameRight,
  type Right,
  rightOf,
  rightText,
  tallyOf,
  type VerdictRecord,
  type VerdictStore,
  type Vote,
} from './record/index.ts';
import type { AdjudicationStore, Voted, VoteStore } from './voting/index.ts';

type Basis = 'adjudication' | LabelBy;

type NotSettled = { settled: false; why: 'too few votes' | 'votes are split' };

export type Settled = { settled: true; right: Right; basis: Basis } | NotSettled;

const SPLIT: NotSettled = { settled: false, why: 'votes are split' };
const TOO_FEW: NotSettled = { settled: false, why: 'too few votes' };

/** The answer that more than half of the votes give (pass or fail, or one of two answers); for scores, their median. */
export function majorityOf(
  said: readonly Right[],
  { minVotes }: Pick<LabelRule, 'minVotes'>,
  { preference }: Pick<Verdict, 'preference'> = {},
): Settled {
  if (said.length < minVotes || said.length === 0) return TOO_FEW;
  const scores = said.flatMap((right) => (right.kind === 'score' ? [right.score] : []));
  if (preference === undefined && scores.length > 0)
    return { settled: true, right: { kind: 'score', score: medianOf(scores) }, basis: 'majority' };
  const most = moreThanHalf(said.map(rightText));
  const right = said.find((one) => rightText(one) === most);
  return right === undefined ? SPLIT : { settled: true, right, basis: 'majority' };
}

function byModel(passProbability: number, votes: number, { minVotes, posterior }: LabelRule): Settled {
  if (votes < minVotes) return TOO_FEW;
  const decision = passProbability >= 0.5 ? 'pass' : 'fail';
  return Math.max(passProbability, 1 - passProbability) >= posterior
    ? { settled: true, right: { kind: 'decision', decision }, basis: 'dawid-skene' }
    : SPLIT;
}

/**
 * The errors that fail votes name. The panel's failed criteria are left out, because labels are there to measure the
 * panel.
 */
const errorsNamed = ({ verdict }: VerdictRecord, votes: readonly Vote[]): string[] =>
  votes.flatMap((vote) => {
    const right = rightOf(vote, verdict);
    const isFail = right?.kind === 'decision' && right.decision === 'fail';
    return isFail ? (vote.correction?.errorType ?? []) : [];
  });

/** A verdict's label. Keeps apart what the judges decided, what each vote implies and what is right. */
export type VerdictLabel = ReturnType<typeof labelOf>;

/**
 * @param passProbability from `modelVoters`; null: label by majority
 * @param by what settles a label that has no ruling
 */
export function labelOf(
  { record, votes, adjudication }: Voted,
  passProbability: number | null,
  rule: LabelRule,
  by: LabelBy = 'dawid-skene',
) {
  const answers = votes.flatMap((vote) => {
    const right = rightOf(vote, record.verdict);
    return right === null ? [] : [{ voter: vote.voter, right }];
  });
  const majority = majorityOf(
    answers.map(({ right }) => right),
    rule,
    record.verdict,
  );
  const modelled = passProbability === null ? null : byModel(passProbability, answers.length, rule);
  const byVotes = by === 'dawid-skene' ? (modelled ?? majority) : majority;
  const label: Settled =
    adjudication === null ? byVotes : { settled: true, right: adjudication.right, basis: 'adjudication' };
  const fails = label.settled && label.right.kind === 'decision' && label.right.decision === 'fail';
  return {
    verdictId: record.id,
    judged: { decision: record.verdict.decision, score: record.verdict.score },
    /** Set if the verdict compares two answers. */
    preference: record.verdict.preference,
    tally: tallyOf(votes),
    /** What each vote implies is right, without votes that imply nothing. */
    said: answers,
    majority,
    /** Probability of pass from the voter model; null without one. */
    passProbability,
    /** The voter model's label; null without a probability. */
    modelled,
    adjudication,
    /** The label that counts: the ruling, otherwise the label by majority or voter model, as requested. */
    label,
    /** The criterion or error type that fail votes name most often. */
    errorType: fails ? (adjudication?.errorType ?? commonest(errorsNamed(record, votes))) : null,
  };
}

/** `pass`, `fail`, `3`, `New is better`. */
export const rightWords = (
  right: Right,
  preference: Verdict['preference'],
  language: Language = 'en',
): string =>
  preference !== undefined && right.kind === 'score'
    ? betterText({ better: betterOf(right.score), names: preference.names }, language)
    : right.kind === 'decision'
      ? wordsIn(language).verdict.decision[right.decision]
      : wordsIn(language).verdict.number(right.score);

/** `pass`, `fail`, `3`, or why there is no label. */
export const settledText = (settled: Settled, preference?: Verdict['preference']): string =>
  settled.settled ? rightWords(settled.right, preference) : `open: ${settled.why}`;

/** `3 agree, 1 disagree, 0 unsure`; for an undecided verdict, `2 fail, 1 pass, 0 unsure`. */
export function tallyWords({ judged, said, tally, preference }: VerdictLabel): string {
  const { agree, disagree, unsure } = tally;
  const answers = [...groupedBy(said, ({ right }) => rightWords(right, preference))]
    .sort(([, a], [, b]) => b.length - a.length)
    .map(([words, same]) => `${same.length} ${words}`);
  const sides = judged.decision === 'undecided' ? answers : [`${agree} agree`, `${disagree} disagree`];
  return [...sides, `${unsure} unsure`].join(', ');
}

/** One vote with its remarks, without names. */
export function voteText({ record }: Voted, vote: Vote): string {
  const right = rightOf(vote, record.verdict);
  const { criteria = [], errorType, judges = [], comment } = vote.correction ?? {};
  const rightText = right === null ? null : rightWords(right, record.verdict.preference);
  const isAnswer = 'right' in vote;
  const parts = [
    ...(isAnswer || rightText === null ? [] : [`right: ${rightText}`]),
    ...(errorType === undefined ? [] : [`error: ${errorType}`]),
    ...(criteria.length === 0 ? [] : [`wrong about ${criteria.join(', ')}`]),
    ...(judges.length === 0 ? [] : [`wrong judges: ${judges.join(', ')}`]),
  ];
  const word = isAnswer ? (rightText ?? 'unsure') : vote.value;
  const whole = `${word}${parts.length === 0 ? '' : ` (${parts.join('; ')})`}`;
  return comment === undefined ? whole : `${whole}: ${comment}`;
}

/** The label and its basis: `fail, ruled by safety lead`; `pass by majority of 4 votes`; `open, too few votes (2)`. */
export function labelText({ label, adjudication, said, errorType, preference }: VerdictLabel): string {
  if (!label.settled) return said.length === 0 ? 'open, no votes yet' : `open, ${label.why} (${said.length})`;
  const votes = counted(said.length, 'vote');
  const what = `${rightWords(label.right, preference)}${errorType === null ? '' : ` (${errorType})`}`;
  switch (label.basis) {
    case 'adjudication':
      return `${what}, ruled by ${adjudication?.role ?? 'an unknown role'}`;
    case 'majority':
      return `${what} by majority of ${votes}`;
    case 'dawid-skene':
      return `${what} by the voter model from ${votes}`;
  }
}

/** Category of cases without an error. */
export const NO_ERROR = 'no error';

/** Category of failed cases whose label names no error. */
const ANY_ERROR = 'error of no stated type';

/** The error category of a label; null if it has no decision. */
export function categoryOfLabel(label: EvalCase['label'] | null): string | null {
  if (label?.decision === undefined) return null;
  return label.decision === 'pass' ? NO_ERROR : (label.errorType ?? ANY_ERROR);
}

const classes = ['pass', 'fail'] as const;

/** What the votes on many verdicts reveal about the verdicts and the voters. */
export type VoterModel = Awaited<ReturnType<typeof modelVoters>>;

/**
 * Jointly estimates what is right and how reliable each voter is (Dawid and Skene, 1979, see `dawidSkene`). Rulings
 * count as certain; votes and rulings with a score are ignored. Keeps one entry per vote in memory, but no verdicts.
 */
export async function modelVoters(voted: AsyncIterable<Voted> | Iterable<Voted>) {
  const answers: ItemVote<'pass' | 'fail'>[] = [];
  const ruled = new Map<string, 'pass' | 'fail'>();
  for await (const { record, votes, adjudication } of voted) {
    if (adjudication?.right.kind === 'decision') ruled.set(record.id, adjudication.right.decision);
    for (const vote of votes) {
      const right = rightOf(vote, record.verdict);
      if (right?.kind === 'decision')
        answers.push({ item: record.id, voter: vote.voter, label: right.decision });
    }
  }
  const { items, voters, converged, iterations, logLikelihood } = dawidSkene(answers, classes, {
    known: ruled,
  });
  return {
    /** Probability of pass by verdict id, only for verdicts with a vote that implies pass or fail. */
    passProbability: new Map(items.map(({ item, posterior }) => [item, posterior[0] ?? 0.5])),
    /** Share of verdicts each voter gets right and their number of votes, by pseudonym. */
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

/** Every verdict with a vote or a ruling, oldest first, optionally of one rubric. Holds one at a time in memory. */
export async function* walkVoted(store: LabelStore, rubric: string | undefined): AsyncGenerator<Voted> {
  for await (const voted of store.allVoted()) {
    await yieldToEventLoop();
    if (rubric === undefined || voted.record.verdict.rubric === rubric) yield voted;
  }
}

/** Fits the voter model to all votes and rulings. */
export const readModel = (store: LabelStore, rubric: string | undefined): Promise<VoterModel> =>
  modelVoters(walkVoted(store, rubric));

/**
 * Labels verdicts one by one.
 *
 * @param model null if neither the labels nor the output need it
 */
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
      `There is no verdict "${id}". "jury judge --save" prints whole ids; "jury labels aggregate" lists verdicts with votes.`,
    );
  return { record, votes: await store.votes(id), adjudication: await store.adjudication(id) };
}

/** How the majority label compares with the voter model's. */
export type Agreeing = 'same' | 'other' | 'only majority' | 'only dawid-skene' | 'neither';

function compared(majority: Settled, modelled: Settled | null): Agreeing {
  if (majority.settled && modelled?.settled)
    return isSameRight(majority.right, modelled.right) ? 'same' : 'other';
  if (majority.settled) return 'only majority';
  return modelled?.settled ? 'only dawid-skene' : 'neither';
}

export type LabelComparison = ReturnType<typeof createComparison>;

/**
 * Compares labels by majority with labels by the voter model, counting as they are added.
 *
 * @param most how many rows of each kind are kept
 */
export function createComparison(most: number) {
  const all = {
    counts: new Map<Agreeing, number>(),
    verdicts: 0,
    scored: 0,
    settled: 0,
    ruled: 0,
    /** The first rows where the two differ, and the first of the others. */
    rows: { differing: [] as LabeledVerdict[], others: [] as LabeledVerdict[] },
    add: (one: LabeledVerdict): void => {
      const { label } = one;
      const agreeing = compared(label.majority, label.modelled);
      const isRuled = label.adjudication !== null;
      all.verdicts += 1;
      if (label.label.settled) all.settled += 1;
      // Rulings are an input to the model, so there is nothing to compare.
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
