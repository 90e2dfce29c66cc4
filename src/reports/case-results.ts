import {
  outcomeOf,
  placesOf,
  type SpokenTrial,
  type Trial,
  type TrialStore,
  trialKey,
} from '../benchmark/index.ts';
import { caseHash, type EvalCase, lastRequest, requestHash } from '../case/index.ts';
import { groupedBy } from '../common/index.ts';
import { shortened } from '../common/text/index.ts';
import type { PersonaTexts } from '../judging/card/index.ts';
import { caseIdOf } from '../judging/index.ts';
import { sum } from '../statistics/index.ts';
import { gapNames, type Outcome } from '../statistics/raters/index.ts';
import type { Comparison } from './comparison/index.ts';
import { commonest, countOutcomes } from './estimates/index.ts';
import {
  judgementsOf,
  type Mistake,
  readSpoken,
  repeatsOf,
  requireRun,
  setupsOf,
  type TrialFacts,
  tabulate,
  textsOf,
  type Words,
} from './facts/index.ts';
import type { MatrixCell, MatrixRow } from './matrix-cells.ts';

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

/** Outcomes of every case in every configuration, in order. */
export interface RunMatrix {
  /** Ids of the configurations, in the order of the report. */
  setups: string[];
  rows: MatrixRow[];
  /** Row numbers of each run's cases, by place. */
  places: ReadonlyMap<string, readonly number[]>;
}

/** Request length in characters: enough to tell cases apart in a list. */
const MAX_REQUEST = 160;

function rowOf(run: string, place: number, evalCase: EvalCase): MatrixRow {
  const { label } = evalCase;
  const request = lastRequest(evalCase);
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

/** What the trials of one configuration came to, by row: columns, because objects for each of many rows would take more memory. */
interface MatrixColumn {
  /** One letter per repeat; absent where there is no trial. */
  letters: string[];
  /** One score per repeat, absent where there is none; null if no trial has a score. */
  scores: number[][] | null;
}

function cellOf(repeats = '', scores: readonly number[] = []): MatrixCell {
  if (scores.length > 0) return sum(scores) / scores.length;
  if (repeats.length < 2) return repeats === '' ? null : repeats;
  const outcomes = [...repeats].flatMap((letter) => {
    const outcome = outcomeBy.get(letter);
    return outcome === undefined ? [] : [{ outcome }];
  });
  return letters[commonest(countOutcomes(outcomes))] + repeats;
}

/**
 * Builds the matrix of one or more runs while their trials are read. A case that is the same in several runs is one row.
 * @param onRow called with each row's case
 */
export async function createMatrix(
  store: Pick<TrialStore, 'readCases'>,
  runs: readonly string[],
  onRow: (row: number, evalCase: EvalCase) => void = () => {},
) {
  const rows: MatrixRow[] = [];
  const columns = new Map<string, MatrixColumn>();
  const places = new Map<string, number[]>();
  const rowsByHash = new Map<string, number>();
  /** The row of a case that another run also has. Within a single run all cases are distinct, so they need no hashing. */
  const knownRow = (evalCase: EvalCase, seen: Map<string, number>): number => {
    if (runs.length === 1) return rows.length;
    const hash = caseHash(evalCase);
    const times = (seen.get(hash) ?? 0) + 1;
    seen.set(hash, times);
    const at = rowsByHash.get(`${hash} ${times}`) ?? rows.length;
    rowsByHash.set(`${hash} ${times}`, at);
    return at;
  };
  for (const run of runs) {
    const rowsOfRun: number[] = [];
    const seen = new Map<string, number>();
    for await (const evalCase of store.readCases(run)) {
      const at = knownRow(evalCase, seen);
      if (at === rows.length) {
        rows.push(rowOf(run, rowsOfRun.length, evalCase));
        onRow(at, evalCase);
      }
      rowsOfRun.push(at);
    }
    places.set(run, rowsOfRun);
  }
  /**
   * The row number of a trial, if its case is in a run. Keys may start with the run, as in `nightly:0-3`; those without one belong to the
   * first run.
   */
  const findRow = ({ key }: Pick<Trial, 'key'>): number | undefined => {
    const [own = '', run = runs[0] ?? ''] = key.split(':').reverse();
    return places.get(run)?.[placesOf(own)?.index ?? -1];
  };
  return {
    rowOf: findRow,
    /** Adds a trial of the configuration with this ID. */
    add: (trial: Pick<Trial, 'key'>, setup: string, { outcome, score }: TrialFacts): void => {
      const row = findRow(trial);
      if (row === undefined) return;
      const column = columns.get(setup) ?? { letters: [], scores: null };
      columns.set(setup, column);
      column.letters[row] = (column.letters[row] ?? '') + letters[outcome];
      if (score === null) return;
      column.scores ??= [];
      column.scores[row] = [...(column.scores[row] ?? []), score];
    },
    /** @param setups IDs of the configurations, in order */
    result: (setups: readonly string[]): RunMatrix => ({
      setups: [...setups],
      places,
      rows: rows.map((row, at) => {
        // Mutated, not copied: there may be 100,000 rows.
        row.cells = setups.map((id) => {
          const column = columns.get(id);
          return cellOf(column?.letters[at], column?.scores?.[at]);
        });
        return row;
      }),
    }),
  };
}

/** Result of one configuration on a case, and what its judges wrote. */
export interface TrialDetails extends Pick<Words, 'judgements'> {
  /** ID of the configuration without its repeat. */
  setup: string;
  repeat: number;
  outcome: Mistake['outcome'];
  score: number | null;
  why: string;
  /** IDs of the criteria that fail. */
  failed: string[];
}

/** A case with the results of all configurations. */
export interface CaseDetails extends Omit<Words, 'judgements'> {
  /** When comparing two runs: the answer in the first, if it differs. */
  responseBefore?: string;
  trials: TrialDetails[];
}

/** @param setup ID of its configuration without the repeat */
export function trialDetails(trial: SpokenTrial, setup: string, repeat: number): TrialDetails {
  const { score, why, criteria } = trial;
  return {
    ...{ setup, repeat, score, why },
    outcome: outcomeOf(trial),
    failed: criteria.flatMap(({ id, decision }) => (decision === 'fail' ? [id] : [])),
    judgements: judgementsOf(trial),
  };
}

/** The trial with personas shown by their titles. */
export const titled = (trial: TrialDetails, { personaTitle }: PersonaTexts): TrialDetails => ({
  ...trial,
  judgements: trial.judgements.map((said) => ({
    ...said,
    persona: said.persona && personaTitle(said.persona),
  })),
});

/**
 * Reads one case of a run with the results of every configuration.
 * @throws JuryError `usage` if there is no such run, `internal` if it has no such case
 */
export async function readCaseDetails(store: TrialStore, run: string, place: number): Promise<CaseDetails> {
  const manifest = await requireRun(store, run);
  const evalCase = await store.caseAt(run, place);
  const keys = new Set(manifest.configurations.map((_, at) => trialKey(at, place)));
  const places = repeatsOf(manifest);
  const order = [...places.keys()];
  const trials: SpokenTrial[] = [];
  for await (const trial of readSpoken(store, manifest, () => evalCase, { keys })) trials.push(trial);
  trials.sort((a, b) => order.indexOf(a.configuration) - order.indexOf(b.configuration));
  return {
    ...textsOf(evalCase),
    trials: trials.map((trial) => {
      const { setup = trial.configuration, repeat = 1 } = places.get(trial.configuration) ?? {};
      return trialDetails(trial, setup, repeat);
    }),
  };
}

/** The cases of two runs, for the configurations being compared. */
export interface ComparedCases {
  /** Rows are the cases of the second run; cells are missing if the first run lacks the case. There are two setups per pair. */
  matrix: RunMatrix;
  /** IDs of the setups, before and after. */
  pairs: { first: string; second: string }[];
  /** For each case of the second run, its place in the first. */
  before: ReadonlyMap<number, number>;
}

/** ID of a configuration in a matrix of both runs. */
export const sideId = (side: 'before' | 'after', setup: string): string => `${side} ${setup}`;

/** Key by which cases of two runs are matched: for an assistant, the request; for judges, everything that they were shown. */
export const matchingKey = (evalCase: EvalCase, isOfAssistant: boolean): string =>
  isOfAssistant
    ? `${evalCase.id ?? ''} ${requestHash(evalCase)}`
    : `${caseIdOf(evalCase)} ${caseHash(evalCase)}`;

async function matchedPlaces(
  store: TrialStore,
  { first, second, assistant }: Comparison,
): Promise<Map<number, number>> {
  const isOfAssistant = assistant !== null;
  const keysOf = async (run: string): Promise<string[]> => {
    const keys: string[] = [];
    for await (const evalCase of store.readCases(run)) keys.push(matchingKey(evalCase, isOfAssistant));
    return keys;
  };
  const placesByKey = groupedBy((await keysOf(first)).entries(), ([, key]) => key);
  const before = new Map<number, number>();
  for (const [place, key] of (await keysOf(second)).entries()) {
    const [then] = placesByKey.get(key)?.shift() ?? [];
    if (then !== undefined) before.set(place, then);
  }
  return before;
}

/**
 * Reads the outcomes of a comparison's cases in both runs.
 * @throws JuryError `usage` if there is no such run
 */
export async function readComparedCases(store: TrialStore, comparison: Comparison): Promise<ComparedCases> {
  const { first, second } = comparison;
  const manifests = { before: await requireRun(store, first), after: await requireRun(store, second) };
  const before = await matchedPlaces(store, comparison);
  const after = new Map([...before].map(([now, then]) => [then, now]));
  const matrix = await createMatrix(store, [second]);
  for (const side of ['before', 'after'] as const) {
    const { name } = manifests[side];
    await tabulate(manifests[side], store.readTrials(name), (_trial, setup, facts) => {
      const place = side === 'before' ? after.get(facts.place) : facts.place;
      if (place !== undefined && before.has(place))
        matrix.add({ key: `0-${place}` }, sideId(side, setup), facts);
      return null;
    });
  }
  const [one, other] = [setupsOf(manifests.before)[0], setupsOf(manifests.after)[0]];
  const pairs =
    comparison.pairs.length > 0
      ? comparison.pairs.map(({ pair }) => ({ first: pair.first, second: pair.second }))
      : // Answers differ, so judges cannot be compared: the assistant's are by the first configuration of each run.
        [{ first: one?.id ?? '', second: other?.id ?? '' }];
  const ids = pairs.flatMap((pair) => [sideId('before', pair.first), sideId('after', pair.second)]);
  return { matrix: matrix.result(ids), pairs, before };
}

/**
 * Reads one case of a comparison with the results of both runs.
 * @param places the case's place in the first and in the second run
 */
export async function readComparedCase(
  store: TrialStore,
  { first, second }: Pick<Comparison, 'first' | 'second'>,
  places: { before: number; after: number },
): Promise<CaseDetails> {
  const [then, now] = [
    await readCaseDetails(store, first, places.before),
    await readCaseDetails(store, second, places.after),
  ];
  return {
    ...now,
    ...(then.response === now.response ? {} : { responseBefore: then.response }),
    trials: [
      ...then.trials.map((trial) => ({ ...trial, setup: sideId('before', trial.setup) })),
      ...now.trials.map((trial) => ({ ...trial, setup: sideId('after', trial.setup) })),
    ],
  };
}
