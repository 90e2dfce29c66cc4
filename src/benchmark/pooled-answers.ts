import type { CasePlan, Question } from '../judging/index.ts';
import { isSameJudge, isScored, type Judgement, type Verdict } from '../judging/verdict/index.ts';
import { openingQuestions, requestsOf, type WordingOf } from './configured-case.ts';
import type { Configuration } from './run-manifest.ts';

type Opening = ReturnType<typeof openingQuestions>;

/**
 * Identifies what a judge is sent, and the judge, so that configurations which ask the same can share the answer: the same prompts,
 * persona, model, sample, temperature and seed, before anybody has answered. Null if the answer depends on other answers, or costs
 * nothing. It does not name the case.
 */
function questionKey(question: Question, wordingOf: WordingOf): string | null {
  const { rubric, criteria, judge, temperature, seed, round, ratings } = question;
  if (round > 0 || ratings !== undefined) return null;
  const sent = requestsOf(question).map(wordingOf);
  if (sent.every(({ chars }) => chars === 0)) return null;
  return JSON.stringify([
    [rubric.id, rubric.decide, ...criteria.map(({ id }) => id)],
    sent.map(({ hash }) => hash),
    [judge.persona, judge.model, judge.sample],
    [temperature, seed],
  ]);
}

/**
 * The keys of what a configuration asks first and may share. A panel that asks one judge several times draws its answers for itself, since
 * how much they differ is what it measures.
 */
export const questionKeys = ({ rating, panel }: Opening, wordingOf: WordingOf): string[] =>
  [rating, panel]
    .filter((questions) => questions.every(({ judge }) => judge.sample === 0))
    .flatMap((questions) => questions.flatMap((question) => questionKey(question, wordingOf) ?? []));

/**
 * Finds configurations that ask what an earlier one of the same repeat asks as well, such as a vote of models beside each model alone.
 * @param keys by rubric, then by configuration
 */
export function withSources(
  configurations: readonly Configuration[],
  keys: readonly (readonly (readonly string[])[])[],
): Configuration[] {
  const sources = configurations.map(() => new Set<string>());
  for (const asked of keys) {
    const askers = new Map<string, string>();
    for (const [place, { id, repeat }] of configurations.entries())
      for (const key of asked[place] ?? []) {
        const known = `${repeat} ${key}`;
        const asker = askers.get(known) ?? id;
        askers.set(known, asker);
        if (asker !== id) sources[place]?.add(asker);
      }
  }
  return configurations.map((configuration, place) => {
    const pooledFrom = configurations.map(({ id }) => id).filter((id) => sources[place]?.has(id));
    return pooledFrom.length === 0 ? configuration : { ...configuration, pooledFrom };
  });
}

/** Remembers what the configurations of a run ask about one case. */
export function createAskedQuestions(wordingOf: WordingOf) {
  const askers = new Map<string, string>();
  const known = ({ repeat }: Configuration, key: string) => `${repeat} ${key}`;
  return {
    /** Whether the configuration uses the answer of an earlier one. */
    has(configuration: Configuration, question: Question): boolean {
      const { pooledFrom = [] } = configuration;
      if (pooledFrom.length === 0) return false;
      const key = questionKey(question, wordingOf);
      return key !== null && pooledFrom.includes(askers.get(known(configuration, key)) ?? '');
    },
    add(configuration: Configuration, opening: Opening): void {
      for (const key of questionKeys(opening, wordingOf)) {
        const asked = known(configuration, key);
        if (!askers.has(asked)) askers.set(asked, configuration.id);
      }
    },
  };
}

/** What a configuration decided on a case. */
export interface Decided {
  /** ID of the configuration. */
  id: string;
  plan: CasePlan;
  verdict: Pick<Verdict, 'judgements' | 'ratings'>;
}

/** Whether a judge answered. Failures are not shared: another try may succeed. */
const isAnswer = (judgement: Judgement): boolean =>
  isScored(judgement) || judgement.reason === 'not-relevant';

/**
 * Looks up what judges have answered in other configurations on the same case.
 * @param plan of the configuration that is to use the answers
 */
export function knownAnswers(
  plan: CasePlan,
  sources: readonly Decided[],
  wordingOf: WordingOf,
): (question: Question) => Judgement | null {
  if (sources.length === 0) return () => null;
  const wanted = new Set(questionKeys(openingQuestions(plan), wordingOf));
  const answers = new Map<string, Judgement>();
  for (const { id, plan: asked, verdict } of sources) {
    const { rating, panel } = openingQuestions(asked);
    const first = verdict.judgements.filter(({ round }) => round === 0);
    for (const [questions, judgements] of [
      [rating, verdict.ratings ?? []],
      [panel, first],
    ] as const)
      for (const question of questions) {
        const key = questionKey(question, wordingOf);
        const answer = judgements.find(({ judge }) => isSameJudge(judge, question.judge));
        if (key !== null && wanted.has(key) && answer !== undefined && isAnswer(answer) && !answers.has(key))
          answers.set(key, { ...answer, pooledFrom: answer.pooledFrom ?? id });
      }
  }
  return (question) => {
    const key = answers.size === 0 ? null : questionKey(question, wordingOf);
    return key === null ? null : (answers.get(key) ?? null);
  };
}

const slowest = (judgements: readonly Judgement[]): number =>
  Math.max(0, ...judgements.map(({ usage }) => usage.latencyMs));

/**
 * How much longer a verdict would have taken if its judges had been asked for the answers that it took from other configurations, ms. Judges
 * of a stage are asked at once, so only the slowest counts.
 */
export function pooledMs({ judgements, ratings = [] }: Pick<Verdict, 'judgements' | 'ratings'>): number {
  const stages = [ratings, judgements.filter(({ round }) => round === 0)];
  return stages.reduce((total, stage) => {
    const asked = stage.filter(({ pooledFrom }) => pooledFrom === undefined);
    return total + Math.max(0, slowest(stage) - slowest(asked));
  }, 0);
}
