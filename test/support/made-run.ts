import { type Configuration, plannedTrials, type RunManifest } from '../../src/benchmark/run-manifest.ts';
import { trialOf } from '../../src/benchmark/trial.ts';
import type { TrialStore } from '../../src/benchmark/trial-store.ts';
import type { EvalCase } from '../../src/case/case.ts';
import type { Judgement } from '../../src/judging/verdict/judgement.ts';
import type { Verdict } from '../../src/judging/verdict/verdict.ts';
import { createRandom } from '../../src/statistics/random.ts';
import { aManifest, aVerdict, someSettings } from './run-builders.ts';

/** How one configuration of a made run behaves. */
export interface Habit {
  method: string;
  models: string[];
  /** Share of right decisions, on each kind of error too. */
  skill: number;
  costUsd: number | null;
  latencyMs: number;
  /** Judges that are asked, in one round. */
  judges: number;
  /** Share of trials without a decision, and whether it is a vote of equal calls. */
  undecided?: number;
  vote?: boolean;
}

export interface MadeRun {
  name: string;
  cases: number;
  repeats: number;
  habits: readonly Habit[];
  /** Replaces parts of a case. */
  shape?: (index: number) => Partial<EvalCase>;
  /** What every judge says, or what the next one says. */
  rationale?: string | (() => string);
  /** Default: navigation. */
  rubric?: string;
  createdAt?: string;
}

const ERRORS = ['cost', 'cuisine', 'location', 'rating', 'time'];

/** One right case and one of each kind of error, in turn. */
const caseAt = (index: number, shape: MadeRun['shape']): EvalCase => {
  const kind = index % (ERRORS.length + 1);
  const errorType = ERRORS[kind - 1];
  return {
    id: `u${Math.floor(index / 6) + 1}-${errorType ?? 'right'}`,
    conversation: [
      { role: 'user', text: `Find me a sushi place that is open now and rated at least 4 (${index}).` },
    ],
    context: { date: '2024-03-04', time: '20:35' },
    response: 'Sakura is 5 minutes away, rated 4.3, and open until 22:00.',
    label: errorType === undefined ? { decision: 'pass' } : { decision: 'fail', errorType },
    ...shape?.(index),
  };
};

const configurationsOf = ({ habits, repeats }: MadeRun): Configuration[] =>
  Array.from({ length: repeats }, (_, index) => index + 1).flatMap((repeat) =>
    habits.map(({ method, models, vote = false }): Configuration => {
      const id = `${method} ${models.join('+')} t0 #${repeat}`;
      const own = { method, models, temperature: null, repeat };
      return vote ? { ...own, id: `${id} vote`, equalCallsOf: id } : { ...own, id, equalCallsOf: null };
    }),
  );

const PERSONAS = ['auditor', 'passenger', 'skeptic', 'local', 'driver'];

function verdictOf(habit: Habit, evalCase: EvalCase, random: () => number, rationale: () => string): Verdict {
  const { models, judges, skill, costUsd, latencyMs, undecided = 0 } = habit;
  const truth = evalCase.label?.decision ?? 'pass';
  const right = random() < skill - (evalCase.label?.errorType === 'cost' ? 0.08 : 0);
  const decision = random() < undecided ? 'undecided' : right === (truth === 'pass') ? 'pass' : 'fail';
  const took = Math.round(latencyMs * (0.7 + 0.6 * random()));
  const judgements = Array.from({ length: judges }, (_, seat): Judgement => {
    const said = decision === 'undecided' ? (seat % 2 === 0 ? 'pass' : 'fail') : decision;
    return {
      round: 0,
      judge: {
        persona: judges > 1 ? (PERSONAS[seat % PERSONAS.length] ?? null) : null,
        model: models[seat % models.length] ?? '',
        sample: 0,
      },
      usage: {
        promptTokens: 812,
        cachedTokens: 512,
        completionTokens: 96,
        costUsd: costUsd === null ? null : costUsd / judges,
        latencyMs: took,
        attempts: 1,
        fromCache: false,
      },
      promptHash: 'sha256:1',
      status: 'scored',
      decision: said,
      score: null,
      confidence: Math.round((0.6 + 0.4 * random()) * 100) / 100,
      rationale: `${rationale()} So I say ${said}.`,
      criteria: [],
    };
  });
  return {
    ...aVerdict(),
    caseId: evalCase.id ?? '',
    method: habit.method,
    decision,
    criteria: ERRORS.map((id) => ({
      id,
      title: id,
      decision: decision === 'fail' && id === (evalCase.label?.errorType ?? ERRORS[0]) ? 'fail' : 'pass',
      score: null,
      tally: { pass: judges, fail: 0, scored: 0, unscored: 0, notRelevant: 0 },
      rationale: 'As asked for.',
    })),
    why: `${judges} judges: ${decision}, because of the opening hours`,
    judgements,
    calls: judges,
    usage: { promptTokens: 812 * judges, cachedTokens: 512 * judges, completionTokens: 96 * judges, costUsd },
    durationMs: took,
  };
}

const rubricOf = ({ rubric }: MadeRun): Partial<Verdict> => (rubric === undefined ? {} : { rubric });

/** A run as `jury bench run` would have kept it, its trials made up by habits; the same every time. */
export async function keepMadeRun(store: TrialStore, made: MadeRun): Promise<RunManifest> {
  const cases = Array.from({ length: made.cases }, (_, index) => caseAt(index, made.shape));
  const configurations = configurationsOf(made);
  const manifest = aManifest({
    name: made.name,
    ...(made.createdAt === undefined ? {} : { createdAt: made.createdAt }),
    settings: someSettings({ repeats: made.repeats }),
    configurations,
    dataset: { source: 'cases.jsonl', cases: cases.length, labeled: cases.length, hash: 'sha256:made' },
    rubrics: [made.rubric ?? 'navigation'],
  });
  await store.create(manifest, cases);
  const writer = await store.write(made.name);
  const random = createRandom(7).fraction;
  const { rationale = 'On Mondays it is open until 20:00 and the user asks at 20:35.' } = made;
  const say = typeof rationale === 'string' ? () => rationale : rationale;
  for (const [index, evalCase] of cases.entries())
    for (const [place, configuration] of configurations.entries()) {
      const habit = made.habits[place % made.habits.length];
      if (habit === undefined) continue;
      const verdict = { ...verdictOf(habit, evalCase, random, say), ...rubricOf(made) };
      const trial = trialOf(`${place}-${index}`, configuration.id, evalCase.label ?? null, verdict);
      await writer.save(trial, verdict);
    }
  await writer.close();
  if (plannedTrials(manifest) !== configurations.length * cases.length) throw new Error('wrong plan');
  return manifest;
}

const model = (
  name: string,
  skills: readonly [io: number, sc: number, mab: number, mad: number],
  costUsd: number,
  latencyMs: number,
): Habit[] => [
  { method: 'io', models: [name], skill: skills[0], costUsd, latencyMs, judges: 1 },
  {
    method: 'sc-3',
    models: [name],
    skill: skills[1],
    costUsd: costUsd * 3,
    latencyMs: latencyMs * 1.3,
    judges: 3,
  },
  {
    method: 'mab',
    models: [name],
    skill: skills[2],
    costUsd: costUsd * 3.1,
    latencyMs: latencyMs * 1.4,
    judges: 3,
    undecided: 0.01,
  },
  {
    method: 'mad',
    models: [name],
    skill: skills[3],
    costUsd: costUsd * 7,
    latencyMs: latencyMs * 3,
    judges: 5,
  },
  {
    method: 'mad',
    models: [name],
    skill: skills[3] - 0.005,
    costUsd: costUsd * 7,
    latencyMs: latencyMs * 1.5,
    judges: 5,
    vote: true,
  },
];

/** Habits of a benchmark of several models and methods, with a free baseline and a panel of all models. */
export const manyHabits: readonly Habit[] = [
  { method: 'io', models: ['rules'], skill: 0.93, costUsd: 0, latencyMs: 3, judges: 1 },
  ...model('openai/gpt-4o-mini', [0.9, 0.92, 0.93, 0.94], 0.0002, 900),
  ...model('openai/gpt-4o', [0.955, 0.965, 0.97, 0.96], 0.004, 1500),
  ...model('deepseek/deepseek-chat', [0.965, 0.975, 0.98, 0.975], 0.0009, 2400),
  {
    method: 'roundtable',
    models: ['openai/gpt-4o-mini', 'openai/gpt-4o', 'deepseek/deepseek-chat'],
    skill: 0.98,
    costUsd: 0.016,
    latencyMs: 9000,
    judges: 3,
    undecided: 0.02,
  },
];
