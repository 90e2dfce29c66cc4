import { type Configuration, outcomeOf, placesOf, type RunManifest, type Trial } from '../benchmark/index.ts';
import { groupedBy } from '../common/index.ts';
import { categoryOfLabel } from '../labels/index.ts';
import { sum } from '../statistics/index.ts';
import type { Gap, Outcome } from '../statistics/raters/index.ts';

/** What a report counts of a trial. Without texts; many are kept in a list, see `createFactList`. */
export interface TrialFacts {
  /** Index of the case in the dataset. */
  place: number;
  /** The same for cases that belong together, see `Clusters`; otherwise the place. */
  unit: number;
  repeat: number;
  truth: 'pass' | 'fail' | null;
  outcome: Outcome;
  category: string | null;
  score: number | null;
  labelScore: number | null;
  /** Judges for pass and for fail in the first round, before they saw other answers. */
  firstRound: Readonly<{ pass: number; fail: number }>;
  /** Stated probability that the decision is right, 0 to 1. */
  confidence: number | null;
  calls: number;
  savedCalls: number;
  tokens: number | null;
  outputTokens: number | null;
  costUsd: number | null;
  latencyMs: number | null;
  /** Latencies of all calls added up, ms. */
  sequentialMs: number | null;
  fromCache: boolean;
  /** Criteria with a label or a score, and those that were found not relevant. */
  criteria: readonly CriterionFact[];
}

/** The finding on a criterion, with its label. */
interface CriterionFact {
  id: string;
  truth: 'pass' | 'fail' | null;
  outcome: Outcome;
  score: number | null;
  labelScore: number | null;
  /** Whether the label, and the panel, find the criterion relevant; null if not known. */
  isRelevant: boolean | null;
  foundRelevant: boolean | null;
  /** The outcome whether or not the panel found it relevant. */
  anyway: Outcome;
}

/** The verdict's confidence, or that of the only judge that answered. */
function confidenceOf({ confidence, judgements }: Trial): number | null {
  if (confidence !== null) return confidence;
  const [only, ...others] = judgements.filter(({ decision }) => decision !== 'unscored');
  return only !== undefined && others.length === 0 ? only.confidence : null;
}

function firstRoundOf({ judgements }: Trial): TrialFacts['firstRound'] {
  const count = (wanted: 'pass' | 'fail') =>
    judgements.filter(({ round, decision }) => round === 0 && decision === wanted).length;
  return { pass: count('pass'), fail: count('fail') };
}

const plus = (a: number | null, b: number | null): number | null => (a === null || b === null ? null : a + b);

/**
 * What a label implies for a criterion: by its id, or by the overall decision. Unknown for other criteria than the one that a failing
 * case is labeled with: they may fail too.
 */
function truthOf(
  { label, criteria }: Trial,
  { id, decision }: Trial['criteria'][number],
): Pick<CriterionFact, 'truth' | 'labelScore' | 'isRelevant'> {
  const own = label?.criteria?.[id];
  if (typeof own === 'number') return { truth: null, labelScore: own, isRelevant: true };
  if (own === 'not-relevant') return { truth: null, labelScore: null, isRelevant: false };
  const only = criteria.length === 1;
  if (decision === 'scored')
    return { truth: null, labelScore: (only ? label?.score : undefined) ?? null, isRelevant: null };
  const failed = label?.errorType === id || (only && label?.decision === 'fail');
  const truth = own ?? (label?.decision === 'pass' ? 'pass' : failed ? 'fail' : null);
  return { truth, labelScore: null, isRelevant: own === undefined ? null : true };
}

function criteriaOf(trial: Trial, whole: Outcome): readonly CriterionFact[] {
  return trial.criteria.flatMap((criterion): CriterionFact[] => {
    const { id, decision, ifRelevant, score } = criterion;
    if (decision === 'not-judged') return [];
    const known = truthOf(trial, criterion);
    const isAside = decision === 'not-relevant';
    const isLabeled = known.truth !== null || known.labelScore !== null || known.isRelevant !== null;
    if (!isLabeled && score === null && !isAside) return [];
    const isMute = decision === 'undecided' && (whole === 'no-quorum' || whole === 'unanswered');
    const isDecided = decision === 'pass' || decision === 'fail';
    // A panel that finds a criterion not relevant does not decide it.
    const outcome = isMute ? whole : isDecided ? decision : 'undecided';
    const foundRelevant = isAside ? false : isDecided ? true : null;
    return [{ id, outcome, score, ...known, foundRelevant, anyway: ifRelevant ?? outcome }];
  });
}

const sequentialMsOf = ({ sequentialMs, judgements, ratings = [] }: Trial): number =>
  sequentialMs ?? sum([...ratings, ...judgements].map(({ latencyMs }) => latencyMs));

/** How trials are read. */
export interface Reading {
  /** See `Clusters`. */
  unitOf: (place: number) => number;
  /** An overall label on the scale of the judges' scores, see `readLabelScale`. */
  labelOf: (score: number) => number;
}

export function factsOf(
  trial: Trial,
  repeat: number,
  { unitOf = (place) => place, labelOf = (score) => score }: Partial<Reading> = {},
): TrialFacts {
  const { usage, cached } = trial;
  const outcome = outcomeOf(trial);
  // Cached answers say nothing about tokens, cost and latency.
  const fresh = cached === 0;
  const place = placesOf(trial.key)?.index ?? 0;
  return {
    place,
    unit: unitOf(place),
    repeat,
    truth: trial.label?.decision ?? null,
    outcome,
    category: categoryOfLabel(trial.label),
    score: trial.score,
    labelScore: trial.label?.score === undefined ? null : labelOf(trial.label.score),
    firstRound: firstRoundOf(trial),
    confidence: confidenceOf(trial),
    calls: trial.calls,
    savedCalls: trial.savedCalls ?? 0,
    tokens: fresh ? plus(usage.promptTokens, usage.completionTokens) : null,
    outputTokens: fresh ? usage.completionTokens : null,
    costUsd: fresh ? usage.costUsd : null,
    latencyMs: fresh ? trial.latencyMs : null,
    sequentialMs: fresh ? sequentialMsOf(trial) : null,
    fromCache: !fresh,
    criteria: criteriaOf(trial, outcome),
  };
}

/** One way of judging with all its repeats. */
export interface Setup {
  id: string;
  method: string;
  models: readonly string[];
  temperature: number | null;
  /** For a plain vote: ID of the debate whose number of calls it matches; otherwise null. */
  equalCallsOf: string | null;
  /** One per repeat. */
  configurations: readonly Configuration[];
}

/** A configuration's id, `mad openai/gpt-4o t0 #2` or `… #2 vote`, without the repeat. */
const withoutRepeat = (id: string, repeat: number): string => {
  const mark = ` #${repeat}`;
  const at = id.lastIndexOf(mark);
  return at < 0 ? id : id.slice(0, at) + id.slice(at + mark.length);
};

/** Groups a run's configurations that differ only in the repeat, in order. */
export function setupsOf({ configurations }: Pick<RunManifest, 'configurations'>): Setup[] {
  const groups = groupedBy(configurations, ({ id, repeat }) => withoutRepeat(id, repeat));
  return [...groups].flatMap(([id, own]) => {
    const [first] = own;
    if (first === undefined) return [];
    const { method, models, temperature, equalCallsOf, repeat } = first;
    const debate = equalCallsOf === null ? null : withoutRepeat(equalCallsOf, repeat);
    return [{ id, method, models, temperature, equalCallsOf: debate, configurations: own }];
  });
}

/** The setup and the repeat of every configuration of a run, by its id. */
export const repeatsOf = (manifest: Pick<RunManifest, 'configurations'>) =>
  new Map(
    setupsOf(manifest).flatMap(({ id: setup, configurations }) =>
      configurations.map(({ id, repeat }) => [id, { setup, repeat }] as const),
    ),
  );

/** Rows of a block: few, because there are many lists of a few rows. */
const BLOCK = 256;

/** Rows of numbers, null if not known, in blocks: as objects, those of a hundred thousand trials would take most of the memory. */
export function createRows(width: number) {
  const blocks: Float64Array[] = [];
  let length = 0;
  return {
    get length() {
      return length;
    },
    add(row: readonly (number | null)[]): void {
      const at = (length % BLOCK) * width;
      const block = blocks[Math.floor(length / BLOCK)] ?? new Float64Array(BLOCK * width);
      if (at === 0) blocks.push(block);
      for (let column = 0; column < width; column += 1) block[at + column] = row[column] ?? Number.NaN;
      length += 1;
    },
    at(row: number, column: number): number | null {
      const value = blocks[Math.floor(row / BLOCK)]?.[(row % BLOCK) * width + column] ?? Number.NaN;
      return Number.isNaN(value) ? null : value;
    },
  };
}

/** Numbers values that recur in the order in which they first appear. @param keyOf equal for equal values */
function createNumbering<T>(keyOf: (value: T) => string) {
  const values: T[] = [];
  const numbers = new Map<string, number>();
  return {
    numberOf(value: T): number {
      const key = keyOf(value);
      const known = numbers.get(key) ?? values.push(value) - 1;
      numbers.set(key, known);
      return known;
    },
    at: (number: number | null): T | undefined => (number === null ? undefined : values[number]),
  };
}

/** The facts that are neither numbers nor findings. Many trials share the same ones. */
type Kind = Pick<TrialFacts, 'truth' | 'outcome' | 'category' | 'firstRound' | 'fromCache'>;

const noKind: Kind = {
  truth: null,
  outcome: 'unanswered' satisfies Gap,
  category: null,
  firstRound: { pass: 0, fail: 0 },
  fromCache: false,
};

/** Stores the facts of many trials in little memory. */
export function createFactList() {
  const kinds = createNumbering<Kind>(
    ({ truth, outcome, category, firstRound: { pass, fail }, fromCache }) =>
      `${truth} ${outcome} ${pass} ${fail} ${fromCache} ${JSON.stringify(category)}`,
  );
  const findings = createNumbering<CriterionFact>(
    ({ id, truth, outcome, score, labelScore, isRelevant, foundRelevant, anyway }) =>
      `${outcome} ${truth} ${score} ${labelScore} ${isRelevant} ${foundRelevant} ${anyway} ${id}`,
  );
  const rows = createRows(15);
  /** The numbers of the findings of all trials, one after another. */
  const found = createRows(1);

  function factsAt(row: number): TrialFacts {
    const number = (column: number) => rows.at(row, column) ?? 0;
    const { truth, outcome, category, firstRound, fromCache } = kinds.at(rows.at(row, 0)) ?? noKind;
    const end = row + 1 < rows.length ? (rows.at(row + 1, 1) ?? 0) : found.length;
    const criteria: CriterionFact[] = [];
    for (let at = number(1); at < end; at += 1) {
      const finding = findings.at(found.at(at, 0));
      if (finding !== undefined) criteria.push(finding);
    }
    // Written out: with a spread, this many objects take several times the memory.
    return {
      place: number(2),
      unit: number(3),
      repeat: number(4),
      truth,
      outcome,
      category,
      firstRound,
      fromCache,
      criteria,
      score: rows.at(row, 5),
      labelScore: rows.at(row, 6),
      confidence: rows.at(row, 7),
      calls: number(8),
      savedCalls: number(9),
      tokens: rows.at(row, 10),
      outputTokens: rows.at(row, 11),
      costUsd: rows.at(row, 12),
      latencyMs: rows.at(row, 13),
      sequentialMs: rows.at(row, 14),
    };
  }
  return {
    add(facts: TrialFacts): void {
      const { place, unit, repeat, score, labelScore, confidence, calls, savedCalls } = facts;
      const { tokens, outputTokens, costUsd, latencyMs, sequentialMs } = facts;
      rows.add([
        ...[kinds.numberOf(facts), found.length, place, unit, repeat, score, labelScore, confidence],
        ...[calls, savedCalls, tokens, outputTokens, costUsd, latencyMs, sequentialMs],
      ]);
      for (const finding of facts.criteria) found.add([findings.numberOf(finding)]);
    },
    /** All facts, created anew on every call. */
    read: (): TrialFacts[] => Array.from({ length: rows.length }, (_, row) => factsAt(row)),
  };
}
