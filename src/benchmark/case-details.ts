import type { EvalCase } from '../case/case.ts';
import type { PersonaTexts } from '../judging/card.ts';
import { caseIdOf } from '../judging/judge-case.ts';
import { requestOf } from './assistant/answers.ts';
import { readSpoken, requireRun } from './make-report.ts';
import type { Comparison } from './reports/comparison.ts';
import { contentHash, createMatrix, type RunMatrix } from './reports/matrix.ts';
import type { Mistake, Words } from './reports/mistake.ts';
import { judgementsOf, textsOf } from './reports/mistake.ts';
import { tabulate } from './reports/report-of.ts';
import { repeatsOf, setupsOf } from './reports/trial-facts.ts';
import { trialKey } from './run.ts';
import { outcomeOf, type SpokenTrial } from './trial.ts';
import type { TrialStore } from './trial-store.ts';

/** What a configuration came to on a case, and what its judges said. */
export interface TrialDetails extends Pick<Words, 'judgements'> {
  /** Id of the configuration without its repeat. */
  setup: string;
  repeat: number;
  outcome: Mistake['outcome'];
  score: number | null;
  why: string;
  /** Ids of criteria that it finds broken. */
  failed: string[];
}

/** A case with what every configuration said of it. */
export interface CaseDetails extends Omit<Words, 'judgements'> {
  /** Of two runs, the answer in the first if it is another one. */
  responseBefore?: string;
  trials: TrialDetails[];
}

/** @param setup the id of its configuration without the repeat */
export function trialDetails(trial: SpokenTrial, setup: string, repeat: number): TrialDetails {
  const { score, why, criteria } = trial;
  return {
    ...{ setup, repeat, score, why },
    outcome: outcomeOf(trial),
    failed: criteria.flatMap(({ id, decision }) => (decision === 'fail' ? [id] : [])),
    judgements: judgementsOf(trial),
  };
}

/** A trial whose judges have the titles of their personas, as people see them. */
export const titled = (trial: TrialDetails, { personaTitle }: PersonaTexts): TrialDetails => ({
  ...trial,
  judgements: trial.judgements.map((said) => ({
    ...said,
    persona: said.persona && personaTitle(said.persona),
  })),
});

/**
 * Reads one case of a run with what every configuration said of it.
 * @throws JuryError `usage` if there is no such run, `internal` if it has no such case
 */
export async function readCaseDetails(store: TrialStore, run: string, place: number): Promise<CaseDetails> {
  const manifest = await requireRun(store, run);
  const evalCase = await store.caseAt(run, place);
  const keys = new Set(manifest.configurations.map((_, at) => trialKey(at, place)));
  const places = repeatsOf(manifest);
  const order = [...places.keys()];
  const found: SpokenTrial[] = [];
  for await (const trial of readSpoken(store, manifest, () => evalCase, { keys })) found.push(trial);
  found.sort((a, b) => order.indexOf(a.configuration) - order.indexOf(b.configuration));
  return {
    ...textsOf(evalCase),
    trials: found.map((trial) => {
      const { setup = trial.configuration, repeat = 1 } = places.get(trial.configuration) ?? {};
      return trialDetails(trial, setup, repeat);
    }),
  };
}

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
