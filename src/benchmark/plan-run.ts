import { createHash } from 'node:crypto';
import type { EvalCase } from '../case/case.ts';
import { JuryError } from '../common/errors.ts';
import { type CasePlan, caseIdOf, type JudgeOptions, planCase, settlePanel } from '../judging/judge-case.ts';
import { entry } from '../judging/library.ts';
import { type Method, ratingMethod } from '../judging/method.ts';
import type { Panel } from '../judging/panel.ts';
import type { Question, Ratings } from '../judging/ports.ts';
import { type Criterion, overallRubric, type Rubric } from '../judging/rubric.ts';
import { criterionLabelProblems } from '../labels/label-cases.ts';
import type { Library } from '../prompting/library.ts';
import { voteMethod, voteOfEqualCalls } from './equal-calls.ts';
import { type Configuration, configurationsOf, type RunManifest, type RunSettings } from './run.ts';

/** Seeds of repeats are so far apart that samples never share one. */
const SEEDS_BETWEEN_REPEATS = 1000;

/** A configuration as options of `jury judge`. */
function judgeOptionsOf(
  { method, models, temperature, repeat }: Configuration,
  { rubric, panel, seed, values }: RunSettings,
): JudgeOptions {
  return {
    method,
    models,
    settings: values,
    ...(rubric === null ? {} : { rubric }),
    ...(panel === null ? {} : { panel }),
    ...(temperature === null ? {} : { temperature }),
    ...(seed === null ? {} : { seed: seed + (repeat - 1) * SEEDS_BETWEEN_REPEATS }),
  };
}

/**
 * Plans a case for a configuration.
 *
 * @param answers number of answers in the debate that this vote is compared with; ignored for other configurations
 * @throws JuryError as `planCase` does
 */
export function planConfigured(
  library: Library,
  evalCase: EvalCase,
  configuration: Configuration,
  settings: RunSettings,
  answers: number,
): CasePlan {
  const plan = planCase(library, evalCase, judgeOptionsOf(configuration, settings));
  return configuration.equalCallsOf === null
    ? plan
    : { ...plan, ...voteOfEqualCalls(plan.method, plan.panel, answers) };
}

interface Stage {
  method: Method;
  panel: Panel;
  rubric: Rubric;
  criteria: readonly Criterion[];
  ratings: Ratings | null;
}

type Seated = Pick<CasePlan, 'rubric' | 'criteria' | 'method' | 'panel' | 'raters'>;

/** The stages of a plan: the panel, after the raters if the method has them. */
function stagesOf({ rubric, criteria, method, panel, raters }: Seated): {
  rating: Stage | null;
  panel: Stage;
} {
  const [rating, overall] = [ratingMethod(method), overallRubric(rubric)];
  if (rating === null || overall === null || raters === null)
    return { rating: null, panel: { rubric, criteria, method, panel, ratings: null } };
  return {
    rating: { rubric, criteria, method: rating, panel: raters, ratings: null },
    panel: {
      rubric: overall,
      criteria: overall.criteria,
      method,
      panel,
      ratings: { rubric, judgements: [] },
    },
  };
}

function questionsOf(stage: Stage, evalCase: EvalCase): Question[] {
  const { rubric, criteria, method, panel, ratings } = stage;
  const oneByOne = method.criteria === 'one-by-one' && criteria.length > 1;
  return panel.seats.flatMap(({ judge, persona }) =>
    (oneByOne ? criteria.map((criterion) => [criterion]) : [criteria]).map((asked) => ({
      judge,
      persona,
      cast: panel.cast,
      rubric,
      criteria: asked,
      method,
      evalCase,
      round: 0,
      seen: [],
      ...(ratings === null ? {} : { ratings }),
      temperature: method.temperature,
      seed: null,
      deadlineAt: Number.POSITIVE_INFINITY,
      signal: new AbortController().signal,
    })),
  );
}

/** The questions to the raters, if any, and to the panel in its first round. */
export function openingQuestions(plan: Seated & Pick<CasePlan, 'evalCase'>): {
  rating: Question[];
  panel: Question[];
} {
  const { rating, panel } = stagesOf(plan);
  return {
    rating: rating === null ? [] : questionsOf(rating, plan.evalCase),
    panel: questionsOf(panel, plan.evalCase),
  };
}

export interface RunRequest {
  name: string | null;
  settings: RunSettings;
  cases: readonly EvalCase[];
  /** The files of the cases. */
  source: string;
  /** Milliseconds since the epoch. */
  now: number;
}

export interface PlanParts {
  library: Library;
  /** Hash of a judge's prompt, or of the data that exact checks use. */
  wordingOf: (question: Question) => string;
}

const MAX_PROBLEMS = 20;

const hashOf = (parts: Iterable<string>): string => {
  const hash = createHash('sha256');
  for (const part of parts) hash.update(part).update('\n');
  return hash.digest('hex');
};

/** Checks every case with every rubric and method, so that a run that starts can finish. */
function rubricsOf(
  library: Library,
  request: RunRequest,
  configurations: readonly Configuration[],
): string[] {
  const { cases, settings } = request;
  const rubrics = new Map<string, EvalCase>();
  const ids = new Map<string, number>();
  const problems: string[] = [];
  const [first, ...others] = configurations;
  if (first === undefined || cases.length === 0)
    throw new JuryError('bad-input', 'There is no case in the dataset. Nothing was judged.');
  for (const [index, evalCase] of cases.entries()) {
    const id = caseIdOf(evalCase);
    const before = ids.get(id);
    ids.set(id, index);
    if (before !== undefined)
      problems.push(
        `cases ${before + 1} and ${index + 1} have the same id, ${id}: give each a different one`,
      );
    try {
      const { rubric } = planConfigured(library, evalCase, first, settings, 1);
      if (!rubrics.has(rubric.id)) rubrics.set(rubric.id, evalCase);
      problems.push(...criterionLabelProblems(evalCase, rubric).map((problem) => `case ${id}: ${problem}`));
    } catch (thrown) {
      if (!(thrown instanceof JuryError) || thrown.code !== 'bad-input') throw thrown;
      problems.push(thrown.message);
    }
  }
  if (problems.length > 0) {
    const more = problems.length - MAX_PROBLEMS;
    throw new JuryError(
      'bad-input',
      `${problems.slice(0, MAX_PROBLEMS).join('\n')}${more > 0 ? `\nand ${more} more like these` : ''}\nNothing was judged.`,
    );
  }
  for (const evalCase of rubrics.values())
    for (const other of others) planConfigured(library, evalCase, other, settings, 1);
  return [...rubrics.keys()].sort();
}

/** A placeholder: prompts are hashed without the case. */
const anyCase: EvalCase = { conversation: [{ role: 'user', text: '…' }], response: '…' };

function questionsOfCase(
  library: Library,
  rubric: Rubric,
  configuration: Configuration,
  settings: RunSettings,
): Question[] {
  const settled = settlePanel(library, rubric, judgeOptionsOf(configuration, settings));
  const method = configuration.equalCallsOf === null ? settled.method : voteMethod(settled.method);
  const { rating, panel } = openingQuestions({
    ...settled,
    method,
    rubric,
    criteria: rubric.criteria,
    evalCase: anyCase,
  });
  return [...rating, ...panel];
}

/**
 * Hashes of all prompts of a run, by their use. They depend on the prompt files, not on the cases.
 */
export function wordingsOf(
  { configurations, rubrics, settings }: Pick<RunManifest, 'configurations' | 'rubrics' | 'settings'>,
  { library, wordingOf }: PlanParts,
): Record<string, string> {
  const wordings = new Map<string, Set<string>>();
  for (const id of rubrics)
    for (const configuration of configurations)
      for (const question of questionsOfCase(
        library,
        entry('rubric', library.rubrics, id),
        configuration,
        settings,
      )) {
        const { persona, model } = question.judge;
        const kind = model === 'rules' ? 'rules' : question.method.id;
        const use = [id, kind, ...(persona === null || kind === 'rules' ? [] : [persona])].join(', ');
        wordings.set(use, (wordings.get(use) ?? new Set()).add(wordingOf(question)));
      }
  return Object.fromEntries(
    [...wordings]
      .sort(([a], [b]) => (a < b ? -1 : 1))
      .map(([use, hashes]) => [use, hashOf([...hashes].sort())]),
  );
}

/**
 * Plans a run.
 *
 * @throws JuryError `usage` for unknown ids and invalid combinations, `bad-input` for cases that cannot be judged
 */
export function planRun(parts: PlanParts, request: RunRequest): RunManifest {
  const { library } = parts;
  const { cases, settings, source } = request;
  const methods = settings.methods.map((id) => entry('method', library.methods, id));
  const configurations = configurationsOf(settings, methods);
  if (settings.equalCalls && configurations.every(({ equalCallsOf }) => equalCallsOf === null))
    throw new JuryError(
      'usage',
      'Equal calls compare debates with plain votes, but no method named has more than one round: name one such as mad.',
    );
  const ids = new Set(configurations.map(({ id }) => id));
  if (ids.size < configurations.length)
    throw new JuryError('usage', 'The same configuration is named twice: name each method and model once.');
  const rubrics = rubricsOf(library, request, configurations);
  const wordings = wordingsOf({ configurations, rubrics, settings }, parts);
  const hash = hashOf(cases.map((evalCase) => JSON.stringify(evalCase)));
  const identity = hashOf([hash, JSON.stringify(settings), JSON.stringify(wordings)]);
  return {
    version: 1,
    name: request.name ?? `${nameOf(source)}-${identity.slice(0, 8)}`,
    createdAt: new Date(request.now).toISOString(),
    settings,
    configurations,
    dataset: {
      source,
      cases: cases.length,
      labeled: cases.filter(({ label }) => label !== undefined).length,
      hash,
    },
    rubrics,
    wordings,
  };
}

/** The first file's name without extensions, reduced to what a run's name allows. */
function nameOf(source: string): string {
  const base = (source.split(/[,\s]/)[0] ?? '').split(/[/\\]/).at(-1) ?? '';
  const safe = base
    .replace(/\..*$/, '')
    .replaceAll(/[^A-Za-z0-9._-]+/g, '-')
    .replace(/^[^A-Za-z0-9]+/, '');
  return safe.slice(0, 60) || 'run';
}
