import { isSplitTrial, type RunManifest, type Trial, type TrialStore } from '../../benchmark/index.ts';
import { weekdayOf } from '../../case/format/index.ts';
import {
  type AnswerNames,
  answerNamesOf,
  type EvalCase,
  GROUP_TAG,
  isPair,
  requestHash,
  responseHash,
} from '../../case/index.ts';
import { JuryError } from '../../common/index.ts';
import { caseIdOf } from '../../judging/index.ts';
import type { Preference } from '../../judging/verdict/index.ts';
import { sum } from '../../statistics/index.ts';
import type { Outcome } from '../../statistics/raters/index.ts';
import { commonest, countOutcomes } from '../estimates/index.ts';
import { clustersOf, type Setup, setupsOf, type TrialFacts, tabulate } from '../facts/index.ts';

/** Judges' preferences between two answers to one request, one entry per repeat. */
export interface Compared {
  /** See `TrialFacts`. */
  unit: number;
  names: AnswerNames;
  /** Mean over the repeats, from −1 (A) to 1 (B); null if there is no decision. */
  score: number | null;
  judges: readonly Preference['judges'][];
}

/** What counts of a trial of an answer: little, because there may be 100,000. */
export interface AnswerFacts
  extends Pick<TrialFacts, 'place' | 'unit' | 'repeat' | 'truth' | 'outcome' | 'score' | 'labelScore'> {
  /** Whether the judges of the deciding round disagreed. */
  isSplit: boolean;
}

/** A request's answer and its judgement, without the texts. */
export interface Answer {
  /** Index of the case in the dataset. */
  place: number;
  /** See `TrialFacts`. */
  unit: number;
  caseId: string;
  /** The case's own id; requests without one are identified by their content. */
  id: string;
  /** Content hashes of the request and of the response. */
  request: string;
  response: string;
  rubric: string;
  tags: Readonly<Record<string, string>>;
  latencyMs: number | null;
  /** One per repeat. */
  facts: readonly AnswerFacts[];
  /** The most common outcome. */
  outcome: Outcome;
  /** Key of the first trial with that outcome. */
  key: string;
  /** For requests with two answers: their names, and the judges' preferences, one entry per repeat. Null otherwise. */
  compared: Pick<Compared, 'names' | 'judges'> | null;
  /** Criteria that the answer fails in that trial. */
  failing: readonly string[];
  /** The run that judged that trial: another one, if it was taken over. */
  judgedIn: string;
}

/** A run's answers as judged by its first configuration, in dataset order. */
export interface Answers {
  manifest: RunManifest;
  setup: Setup;
  answers: readonly Answer[];
  /** The tag of requests that belong together. */
  clusterBy: string;
}

/** A changed answer, with the criteria whose outcome changed. */
export interface Changed {
  answer: Answer;
  criteria: readonly string[];
}

/** The case's tags, plus the request's language and weekday. */
function tagsOf({ tags, language, context }: EvalCase): Record<string, string> {
  const date = context?.date;
  const weekday = date === undefined ? null : weekdayOf(date);
  // Set one by one: a spread would give each of many objects a shape of its own, which takes more memory than the tags.
  const all: Record<string, string> = {};
  for (const [name, value] of Object.entries(tags ?? {})) all[name] = value;
  if (language !== undefined) all.language = language;
  if (weekday !== null) all.weekday = weekday;
  return all;
}

/** What is known about an answer before it is judged. */
type Asked = Pick<Answer, 'place' | 'caseId' | 'id' | 'request' | 'response' | 'tags' | 'latencyMs'> & {
  names: Compared['names'] | null;
};

/** One trial of an answer. */
type Judged = Pick<Answer, 'rubric' | 'key' | 'failing' | 'judgedIn'> & {
  fact: AnswerFacts;
  judges: Compared['judges'][number] | null;
};

/**
 * Collects a run's answers while its cases and trials are read.
 * @param clusterBy tag that groups related cases
 */
export function createAnswers(manifest: RunManifest, clusterBy: string = GROUP_TAG) {
  const [setup] = setupsOf(manifest);
  if (setup === undefined)
    throw new JuryError('internal', `The run "${manifest.name}" has no configuration.`);
  const asked: Asked[] = [];
  const judged = new Map<number, Judged[]>();
  return {
    /** Adds the next case of the dataset. */
    addCase(evalCase: EvalCase): void {
      const request = requestHash(evalCase);
      asked.push({
        place: asked.length,
        caseId: caseIdOf(evalCase),
        id: evalCase.id ?? request,
        request,
        response: responseHash(evalCase),
        tags: tagsOf(evalCase),
        latencyMs: evalCase.latencyMs ?? null,
        names: isPair(evalCase) ? answerNamesOf(evalCase) : null,
      });
    },
    /** Adds a trial of the setup with ID `of`. Trials of setups other than the first are ignored. */
    addTrial(trial: Trial, of: string, whole: TrialFacts): null {
      if (of !== setup.id) return null;
      const { key, rubric, criteria, preference } = trial;
      const { place, unit, repeat, truth, outcome, score, labelScore } = whole;
      const isSplit = isSplitTrial(trial);
      const fact = { place, unit, repeat, truth, outcome, score, labelScore, isSplit };
      const failing = criteria.filter(({ decision }) => decision === 'fail').map(({ id }) => id);
      const judgedIn = trial.takenFrom?.run ?? manifest.name;
      const one = { key, rubric, failing, judgedIn, fact, judges: preference?.judges ?? null };
      const others = judged.get(fact.place);
      if (others === undefined) judged.set(fact.place, [one]);
      else others.push(one);
      return null;
    },
    result: (): Answers => ({
      manifest,
      setup,
      clusterBy,
      answers: asked.flatMap((one): Answer[] => {
        const trials = (judged.get(one.place) ?? []).sort((a, b) => a.fact.repeat - b.fact.repeat);
        const facts = trials.map(({ fact }) => fact);
        const outcome = commonest(countOutcomes(facts));
        const shown = trials.find(({ fact }) => fact.outcome === outcome) ?? trials[0];
        if (shown === undefined) return [];
        const { rubric, key, failing, judgedIn } = shown;
        const { unit } = shown.fact;
        const judges = trials.flatMap(({ judges: said }) => said ?? []);
        const compared = one.names === null ? null : { names: one.names, judges };
        // Mutated, not copied: with a spread, 100,000 answers take ten times the memory.
        return [Object.assign(one, { unit, rubric, facts, outcome, key, compared, failing, judgedIn })];
      }),
    }),
  };
}

/**
 * Reads the answers of a run.
 * @param clusterBy tag that groups related cases; default: `group`
 * @throws JuryError `store-unavailable`, or `bad-file` if data is damaged
 */
export async function readAnswers(
  store: Pick<TrialStore, 'readCases' | 'readTrials'>,
  manifest: RunManifest,
  clusterBy?: string,
): Promise<Answers> {
  const answers = createAnswers(manifest, clusterBy);
  const tags: Pick<EvalCase, 'tags'>[] = [];
  for await (const evalCase of store.readCases(manifest.name)) {
    answers.addCase(evalCase);
    tags.push({ tags: evalCase.tags });
  }
  // A run whose cases lack the tag can still be compared with one that has it.
  const isThere = clusterBy !== undefined && tags.some((one) => one.tags?.[clusterBy] !== undefined);
  const { unitOf } = clustersOf(tags, isThere ? clusterBy : undefined);
  await tabulate(manifest, store.readTrials(manifest.name), answers.addTrial, null, { unitOf });
  return answers.result();
}

/** The assistant builds that answered, from the tag `build`, sorted. */
export const buildsOf = ({ answers }: Answers): string[] =>
  [...new Set(answers.flatMap(({ tags: { build } }) => build ?? []))].sort();

/** Share of an answer's decided repeats that pass; null if none is decided. */
export function passShare({ facts }: Answer): number | null {
  const { pass, fail } = countOutcomes(facts);
  return pass + fail === 0 ? null : pass / (pass + fail);
}

/** Mean score of an answer over its repeats; null if it has none. */
export function meanScore({ facts }: Answer): number | null {
  const scores = facts.flatMap(({ score }) => score ?? []);
  return scores.length === 0 ? null : sum(scores) / scores.length;
}
