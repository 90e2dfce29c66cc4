import { createHash } from 'node:crypto';
import type { EvalCase } from '../../case/case.ts';
import { shortened } from '../../common/text.ts';
import { caseIdOf } from '../../judging/judge-case.ts';
import { gapNames, type Outcome } from '../../statistics/classification.ts';
import { sum } from '../../statistics/measure.ts';
import { placesOf } from '../run.ts';
import type { Trial } from '../trial.ts';
import type { TrialStore } from '../trial-store.ts';
import { commonest, countOutcomes } from './case-statistics.ts';
import type { TrialFacts } from './trial-facts.ts';

const letters: Readonly<Record<Outcome, string>> = {
  pass: 'p',
  fail: 'f',
  undecided: 'u',
  'no-quorum': 'n',
  unanswered: 'a',
};

const outcomeBy = new Map<string, Outcome>(
  (['pass', 'fail', ...gapNames] as const).map((outcome) => [letters[outcome], outcome]),
);

/** One case in all configurations. */
export interface MatrixRow {
  id: string;
  /** The run that the case is first in, and its place there. */
  run: string;
  place: number;
  /** The beginning of what the user asked last. */
  request: string;
  truth: 'pass' | 'fail' | null;
  errorType: string | null;
  labelScore: number | null;
  /**
   * One for each configuration: null without a trial; the mean score; or a letter for the most frequent outcome (a tie is
   * undecided), followed by one for each repeat where there are several: `p` pass, `f` fail, `u` undecided, `n` no quorum,
   * `a` unanswered.
   */
  cells: (string | number | null)[];
}

/** What every configuration said of every case, in order. */
export interface RunMatrix {
  /** Ids of the configurations, in the order of the report. */
  setups: string[];
  rows: MatrixRow[];
  /** The number of the row of each case of a run, by its place there. */
  places: ReadonlyMap<string, readonly number[]>;
}

/** Characters of a request: what tells cases apart in a list. */
const MAX_REQUEST = 160;

/** Identifies a case by what was judged; what it belongs to is not part of that. */
export function contentHash({ tags: _, ...judged }: EvalCase): string {
  return createHash('sha256').update(JSON.stringify(judged)).digest('base64');
}

function rowOf(run: string, place: number, evalCase: EvalCase): MatrixRow {
  const { conversation, label } = evalCase;
  const request = conversation.findLast(({ role }) => role === 'user')?.text ?? '';
  return {
    id: caseIdOf(evalCase),
    ...{ run, place },
    request: shortened(request, MAX_REQUEST),
    truth: label?.decision ?? null,
    errorType: label?.errorType ?? null,
    labelScore: label?.score ?? null,
    cells: [],
  };
}

/** What was gathered of a case. */
interface Gathered {
  row: MatrixRow;
  /** By configuration: a letter for each repeat. */
  said: Record<string, string>;
  /** By configuration; null where nothing is scored. */
  scores: Record<string, number[]> | null;
}

function cellOf(said = '', scores: readonly number[] = []): MatrixRow['cells'][number] {
  if (scores.length > 0) return sum(scores) / scores.length;
  if (said.length < 2) return said === '' ? null : said;
  const outcomes = [...said].flatMap((letter) => {
    const outcome = outcomeBy.get(letter);
    return outcome === undefined ? [] : [{ outcome }];
  });
  return letters[commonest(countOutcomes(outcomes))] + said;
}

export interface MatrixBuilder {
  /** The number of a trial's row; undefined for a case that is in none of the runs. */
  rowOf: (trial: Pick<Trial, 'key'>) => number | undefined;
  /** @param trial whose key may begin with its run, `nightly:0-3`; else it is of the first run */
  add: (trial: Pick<Trial, 'key'>, setup: string, facts: TrialFacts) => void;
  /** @param setups ids of the configurations in order */
  result: (setups: readonly string[]) => RunMatrix;
}

/**
 * Gathers the matrix of some runs while their trials are read. A case that is the same in several runs is one row.
 * @param onRow called with the case of each row
 */
export async function createMatrix(
  store: Pick<TrialStore, 'readCases'>,
  runs: readonly string[],
  onRow: (row: number, evalCase: EvalCase) => void = () => {},
): Promise<MatrixBuilder> {
  const rows: Gathered[] = [];
  const places = new Map<string, number[]>();
  const known = new Map<string, number>();
  /** The row of a case that another run has too. Cases of one run alone are all different, and are not hashed. */
  const knownRow = (evalCase: EvalCase, seen: Map<string, number>): number => {
    if (runs.length === 1) return rows.length;
    const hash = contentHash(evalCase);
    const times = (seen.get(hash) ?? 0) + 1;
    seen.set(hash, times);
    const at = known.get(`${hash} ${times}`) ?? rows.length;
    known.set(`${hash} ${times}`, at);
    return at;
  };
  for (const run of runs) {
    const own: number[] = [];
    const seen = new Map<string, number>();
    for await (const evalCase of store.readCases(run)) {
      const at = knownRow(evalCase, seen);
      if (at === rows.length) {
        rows.push({ row: rowOf(run, own.length, evalCase), said: {}, scores: null });
        onRow(at, evalCase);
      }
      own.push(at);
    }
    places.set(run, own);
  }
  const find: MatrixBuilder['rowOf'] = ({ key }) => {
    const [own = '', run = runs[0] ?? ''] = key.split(':').reverse();
    return places.get(run)?.[placesOf(own)?.index ?? -1];
  };
  return {
    rowOf: find,
    add: (trial, setup, { outcome, score }) => {
      const gathered = rows[find(trial) ?? -1];
      if (gathered === undefined) return;
      gathered.said[setup] = (gathered.said[setup] ?? '') + letters[outcome];
      if (score === null) return;
      gathered.scores ??= {};
      gathered.scores[setup] = [...(gathered.scores[setup] ?? []), score];
    },
    result: (setups) => ({
      setups: [...setups],
      places,
      rows: rows.map(({ row, said, scores }) => {
        // Not copied, because there may be a hundred thousand of them.
        row.cells = setups.map((id) => cellOf(said[id], scores?.[id]));
        return row;
      }),
    }),
  };
}
