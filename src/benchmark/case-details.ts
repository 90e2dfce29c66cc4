import type { PersonaTexts } from '../judging/card.ts';
import { readSpoken, requireRun } from './make-report.ts';
import { judgementsOf, textsOf } from './reports/format.ts';
import type { Mistake, Words } from './reports/mistake.ts';
import { setupsOf } from './reports/trial-facts.ts';
import type { RunManifest } from './run.ts';
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

/** The setup and the repeat of every configuration of a run, by its id. */
export const repeatsOf = (manifest: Pick<RunManifest, 'configurations'>) =>
  new Map(
    setupsOf(manifest).flatMap(({ id: setup, configurations }) =>
      configurations.map(({ id, repeat }) => [id, { setup, repeat }] as const),
    ),
  );

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
