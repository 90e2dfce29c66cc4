import type { Gap } from '../../statistics/raters/index.ts';
import type { CriterionFact, TrialFacts } from './trial-facts.ts';

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
      const number = numbers.get(key) ?? values.push(value) - 1;
      numbers.set(key, number);
      return number;
    },
    at: (number: number | null): T | undefined => (number === null ? undefined : values[number]),
  };
}

/** The facts that are neither numbers nor findings. Many trials share the same ones. */
type Kind = Pick<
  TrialFacts,
  'truth' | 'outcome' | 'category' | 'firstRound' | 'stopped' | 'fromCache' | 'takenFrom'
>;

const noKind: Kind = {
  truth: null,
  outcome: 'unanswered' satisfies Gap,
  category: null,
  firstRound: { pass: 0, fail: 0 },
  stopped: false,
  fromCache: false,
  takenFrom: null,
};

/** Stores the facts of many trials in little memory. */
export function createFactList() {
  const kinds = createNumbering<Kind>(
    ({ truth, outcome, category, firstRound: { pass, fail }, stopped, fromCache, takenFrom }) =>
      `${truth} ${outcome} ${pass} ${fail} ${stopped} ${fromCache} ${JSON.stringify(takenFrom)} ${JSON.stringify(category)}`,
  );
  const findings = createNumbering<CriterionFact>(
    ({ id, truth, outcome, score, labelScore, isRelevant, foundRelevant, anyway }) =>
      `${outcome} ${truth} ${score} ${labelScore} ${isRelevant} ${foundRelevant} ${anyway} ${id}`,
  );
  const rows = createRows(17);
  /** The numbers of the findings of all trials, one after another. */
  const findingNumbers = createRows(1);

  function factsAt(row: number): TrialFacts {
    const number = (column: number) => rows.at(row, column) ?? 0;
    const { truth, outcome, category, firstRound, stopped, fromCache, takenFrom } =
      kinds.at(rows.at(row, 0)) ?? noKind;
    const end = row + 1 < rows.length ? (rows.at(row + 1, 1) ?? 0) : findingNumbers.length;
    const criteria: CriterionFact[] = [];
    for (let at = number(1); at < end; at += 1) {
      const finding = findings.at(findingNumbers.at(at, 0));
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
      stopped,
      fromCache,
      takenFrom,
      // A copy has no room for more, which would be most of the memory.
      criteria: criteria.slice(),
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
      pooledCalls: number(15),
      ownCostUsd: rows.at(row, 16),
    };
  }
  return {
    add(facts: TrialFacts): void {
      const { place, unit, repeat, score, labelScore, confidence, calls, savedCalls } = facts;
      const { tokens, outputTokens, costUsd, latencyMs, sequentialMs, pooledCalls, ownCostUsd } = facts;
      rows.add([
        ...[kinds.numberOf(facts), findingNumbers.length, place, unit, repeat, score, labelScore, confidence],
        ...[
          calls,
          savedCalls,
          tokens,
          outputTokens,
          costUsd,
          latencyMs,
          sequentialMs,
          pooledCalls,
          ownCostUsd,
        ],
      ]);
      for (const finding of facts.criteria) findingNumbers.add([findings.numberOf(finding)]);
    },
    /** All facts, created anew on every call. */
    read: (): TrialFacts[] => Array.from({ length: rows.length }, (_, row) => factsAt(row)),
  };
}
