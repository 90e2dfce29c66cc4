import type { EvalCase } from '../case/case.ts';
import { caseIdOf } from '../judging/judge-case.ts';
import { requestOf } from './assistant/answers.ts';
import { type CaseDetails, readCaseDetails } from './case-details.ts';
import { requireRun } from './make-report.ts';
import type { Comparison } from './reports/comparison.ts';
import { contentHash, createMatrix, type RunMatrix } from './reports/matrix.ts';
import { tabulate } from './reports/report-of.ts';
import { setupsOf } from './reports/trial-facts.ts';
import type { TrialStore } from './trial-store.ts';

/** The cases of two runs in the configurations that are compared. */
export interface ComparedCases {
  /** Rows are the cases of the second run; without cells where the first has no such case. Its setups are two for each pair. */
  matrix: RunMatrix;
  /** Setups before and after. */
  pairs: { first: string; second: string }[];
  /** Places in the first run of the cases of the second. */
  before: ReadonlyMap<number, number>;
}

/** What a configuration is called in a matrix of both runs. */
export const sideId = (side: 'before' | 'after', setup: string): string => `${side} ${setup}`;

/** The same for cases that are compared: of an assistant what was asked, of judges everything that they were shown. */
const keyOf = (evalCase: EvalCase, isOfAssistant: boolean): string =>
  isOfAssistant
    ? `${evalCase.id ?? ''} ${requestOf(evalCase)}`
    : `${caseIdOf(evalCase)} ${contentHash(evalCase)}`;

async function matchedPlaces(
  store: TrialStore,
  { first, second, assistant }: Comparison,
): Promise<Map<number, number>> {
  const isOfAssistant = assistant !== null;
  const known = new Map<string, number[]>();
  let place = 0;
  for await (const evalCase of store.readCases(first)) {
    const key = keyOf(evalCase, isOfAssistant);
    known.set(key, [...(known.get(key) ?? []), place]);
    place += 1;
  }
  const before = new Map<number, number>();
  place = 0;
  for await (const evalCase of store.readCases(second)) {
    const then = known.get(keyOf(evalCase, isOfAssistant))?.shift();
    if (then !== undefined) before.set(place, then);
    place += 1;
  }
  return before;
}

/**
 * Reads how the cases of a comparison came out in both runs.
 * @throws JuryError `usage` if there is no such run
 */
export async function readComparedCases(store: TrialStore, comparison: Comparison): Promise<ComparedCases> {
  const { first, second } = comparison;
  const manifests = { before: await requireRun(store, first), after: await requireRun(store, second) };
  const before = await matchedPlaces(store, comparison);
  const after = new Map([...before].map(([now, then]) => [then, now]));
  const matrix = await createMatrix(store, [second]);
  for (const [side, manifest] of Object.entries(manifests)) {
    const isBefore = side === 'before';
    await tabulate(manifest, store.readTrials(manifest.name), (_trial, setup, facts) => {
      const place = isBefore ? after.get(facts.place) : before.has(facts.place) ? facts.place : undefined;
      if (place !== undefined)
        matrix.add({ key: `0-${place}` }, sideId(isBefore ? 'before' : 'after', setup), facts);
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
 * Reads one case of a comparison, with what both runs say of it.
 * @param places in the first and in the second run
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
