import * as z from 'zod';
import { Id, JuryError } from '../../common/index.ts';
import type { Judge } from '../verdict/index.ts';
import type { Persona } from './persona.ts';
import type { Rubric } from './rubric.ts';
import { Titles } from './titles.ts';

const Seats = z.union(
  [
    z.literal('one'),
    z.literal('personas'),
    z.literal('models'),
    z.literal('personas-and-models'),
    z.literal('pairs'),
    z.strictObject({ samples: z.int().min(2).max(50) }),
    z.strictObject({ agents: z.int().min(2).max(50) }),
  ],
  {
    error:
      'must be one of: one, personas, models, personas-and-models, pairs (each persona with a model of its own), {samples: n} (one judge answering n times), {agents: n} (n judges that share the models in turn)',
  },
);

const Criteria = z.enum(['together', 'one-by-one']);
const Reasoning = z.enum(['none', 'brief', 'stepwise']);

/**
 * How criteria are rated before the panel answers: by one neutral judge per model, independently, in one round (Chen et al., CoRE,
 * section 4.1).
 */
const RatedFirst = z.strictObject({
  criteria: Criteria.describe('Whether all criteria are rated in one reply, or each in a call of its own.'),
  examples: z.int().min(0).max(20).describe("Worked examples shown to raters: the rubric's first ones."),
  reasoning: Reasoning.describe('Whether raters give no reason, a short one, or reason step by step.'),
  temperature: z.number().min(0).max(2).describe('Sampling temperature of the ratings.'),
});

/** A way of judging, from `prompts/methods/<id>.yaml`. */
export const Method = z
  .strictObject({
    id: Id,
    title: z.string().trim().min(1).describe('Its name for people.'),
    titles: Titles,
    source: z.string().trim().min(1).describe('Where it comes from, such as a section of a paper.'),
    seats: Seats.describe(
      'Who is on the panel: `one` judge, one for each of the `personas` or `models`, `personas-and-models` (each persona with each model), `pairs` (the first persona with the first model, and so on), `{samples: n}` (one judge asked n times) or `{agents: n}` (n judges that share the models in turn).',
    ),
    examples: z.int().min(0).max(20).describe("Worked examples shown to judges: the rubric's first ones."),
    reasoning: Reasoning.describe(
      'What judges write before they decide: nothing (rationales are then null), a short reason, or their reasoning step by step.',
    ),
    criteria: Criteria.default('together').describe(
      'Whether a judge answers all criteria in one call, or each in a call of its own.',
    ),
    ratedFirst: RatedFirst.optional().describe(
      "Has one neutral judge per model rate the criteria first. The panel then sees the ratings that interest its personas, and answers the rubric's overall question instead of the criteria.",
    ),
    playsPanel: z
      .boolean()
      .default(false)
      .describe("Whether one judge plays all of the panel's personas, and lets them criticize each other."),
    rounds: z
      .int()
      .min(1)
      .max(20)
      .describe(
        'Maximum number of rounds. From the second on, judges may see what was said and answer again.',
      ),
    sees: z
      .enum(['nothing', 'last-round', 'all-rounds'])
      .describe('Whose answers judges see from the second round on. With one round, it must be `nothing`.'),
    stop: z
      .enum(['never', 'decided', 'unanimous'])
      .describe(
        'When to stop early: `decided` asks no more judges once the majority is decided, `unanimous` ends a debate once all judges agree.',
      ),
    reduce: z
      .enum(['majority', 'weighted', 'mean'])
      .describe(
        'How answers become one: the answer with the most votes, with the most weight by stated confidence, or the mean of the scores. A tie is undecided.',
      ),
    confidence: z.boolean().describe('Whether judges state how sure they are, from 0 to 1.'),
    temperature: z.number().min(0).max(2).describe('Sampling temperature.'),
  })
  .superRefine((method, context) => {
    const reject = (path: string, message: string) =>
      context.addIssue({ code: 'custom', path: [path], message });
    if (method.reduce === 'weighted' && !method.confidence)
      reject('confidence', 'must be true if reduce is "weighted": the weights come from the confidences');
    if (method.stop === 'decided' && (method.rounds > 1 || method.reduce !== 'majority'))
      reject('stop', '"decided" needs rounds: 1 and reduce: majority; use "unanimous" or "never"');
    if (method.stop === 'unanimous' && method.rounds === 1)
      reject('stop', '"unanimous" ends a debate early and needs rounds above 1; use "never" or "decided"');
    if (method.rounds > 1 && method.sees === 'nothing')
      reject('sees', 'must be "last-round" or "all-rounds" if there is more than one round');
    if (method.rounds === 1 && method.sees !== 'nothing')
      reject('sees', 'must be "nothing" if there is only one round');
    if (method.ratedFirst !== undefined && method.criteria === 'one-by-one')
      reject(
        'criteria',
        'must be "together" if criteria are rated first: the panel answers a single question',
      );
    if (method.ratedFirst !== undefined && method.examples > 0)
      reject(
        'examples',
        'must be 0 if criteria are rated first; set the examples of ratings under ratedFirst',
      );
    if (method.playsPanel && method.reasoning === 'none')
      reject(
        'reasoning',
        'must be "brief" or "stepwise" if one judge plays the panel: it talks in its reasons',
      );
  });
export type Method = z.infer<typeof Method>;

/** The rating stage of a method, as a separate method; null if criteria are not rated first. */
export function ratingMethod(method: Method): Method | null {
  if (method.ratedFirst === undefined) return null;
  const { ratedFirst, ...rest } = method;
  return {
    ...rest,
    ...ratedFirst,
    seats: 'models',
    playsPanel: false,
    rounds: 1,
    sees: 'nothing',
    stop: 'never',
    reduce: 'majority',
    confidence: false,
  };
}

/** How many worked examples a method shows. */
export const examplesOf = ({ ratedFirst, examples }: Method): number => ratedFirst?.examples ?? examples;

/** Settings of a request that replace those of its method. */
export interface MethodOverrides {
  /** Maximum number of rounds of a debate, 1 to 20. Each round asks every judge again. Default: the method's. */
  rounds?: number;
  /** Sampling temperature, 0 to 2. Models that reason never get one. Default: the method's. */
  temperature?: number;
  /** `false` asks every sample, even if the majority is decided; debates still end once all judges agree. Default: as the method says. */
  earlyStop?: boolean;
  /** `decided` asks no more judges once their majority cannot change. Default: as the method says. */
  stop?: 'decided';
}

/**
 * A method stops once the majority is decided only if its judges answer once, unseen by each other, and every answer counts alike.
 * @throws JuryError `usage` otherwise
 */
function requireStop({ id, rounds, reduce }: Method, earlyStop: boolean | undefined): void {
  if (earlyStop === false)
    throw new JuryError(
      'usage',
      'Either stop once the majority is decided, or ask every sample: the request says both.',
    );
  if (rounds > 1 || reduce !== 'majority')
    throw new JuryError(
      'usage',
      `Method "${id}" cannot stop once the majority is decided: ${reduce === 'majority' ? 'its judges answer again after they have seen each other’s answers' : 'every answer counts towards its result'}. Use a method such as mab or sc-5.`,
    );
}

/**
 * A method with some settings replaced.
 * @throws JuryError `usage` if the result is invalid
 */
export function overrideMethod(
  method: Method,
  { rounds, temperature, earlyStop, stop }: MethodOverrides,
): Method {
  if (stop !== undefined) requireStop({ ...method, rounds: rounds ?? method.rounds }, earlyStop);
  const stopped = stop ?? (earlyStop === false && method.stop === 'decided' ? 'never' : method.stop);
  if (rounds === undefined && temperature === undefined && stopped === method.stop) return method;
  if (rounds !== undefined && rounds > 1 && method.sees === 'nothing')
    throw new JuryError(
      'usage',
      `Method "${method.id}" has one round, in which judges answer independently. For more rounds use a debate such as mad or roundtable.`,
    );
  const single = rounds === 1 && method.rounds > 1 ? { sees: 'nothing', stop: 'never' } : {};
  const changed = Method.safeParse({
    ...method,
    ...single,
    ...(stopped === method.stop ? {} : { stop: stopped }),
    ...(rounds === undefined ? {} : { rounds }),
    ...(temperature === undefined ? {} : { temperature }),
    ...(temperature === undefined || method.ratedFirst === undefined
      ? {}
      : { ratedFirst: { ...method.ratedFirst, temperature } }),
  });
  if (changed.success) return changed.data;
  const problems = changed.error.issues.map((issue) => `${issue.path.join('.')} ${issue.message}`).join('; ');
  throw new JuryError('usage', `Method "${method.id}" does not allow these settings: ${problems}.`);
}

/** Why a method cannot judge by a rubric, as the predicate of a sentence about the method; null if it can. */
export function explainMisfit(method: Method, rubric: Rubric): string | null {
  if (method.ratedFirst !== undefined && rubric.decide === 'pair')
    return 'rates criteria first, so it cannot compare two answers';
  if (method.ratedFirst !== undefined)
    return rubric.overall === undefined
      ? `rates criteria first and then asks an overall question, but rubric "${rubric.id}" has no "overall"`
      : null;
  return method.reduce === 'mean' && rubric.decide === 'all'
    ? `averages scores, but rubric "${rubric.id}" is pass or fail`
    : null;
}

export interface Seat {
  judge: Judge;
  persona: Persona | null;
}

/** The judges of one verdict, in a fixed order. */
export interface Panel {
  seats: readonly Seat[];
  /** The personas that each judge plays in turn, if the method asks for that. */
  cast: readonly Persona[];
  /** Remarks on the panel, such as that it has only one judge. */
  notes: readonly string[];
}

interface SeatingPlan {
  method: Method;
  /** Model ids, at least one; a repeated id gets several seats. */
  models: readonly string[];
  /** Personas that the request named; null: the rubric's. */
  chosen: readonly Persona[] | null;
  rubricPanel: readonly Persona[];
}

type Pair = readonly [Persona | null, string];

const dealt = <T>(items: readonly T[], index: number): T | undefined => items[index % items.length];

/** Numbers identical judges: the second sample of a judge is sample 1. */
function numbered(pairs: readonly Pair[]): Seat[] {
  const taken = new Map<string, number>();
  return pairs.map(([persona, model]) => {
    const key = JSON.stringify([persona?.id ?? null, model]);
    const sample = taken.get(key) ?? 0;
    taken.set(key, sample + 1);
    return { persona, judge: { persona: persona?.id ?? null, model, sample } };
  });
}

function onlyModel({ method, models }: SeatingPlan): string {
  const [model, ...rest] = models;
  if (model === undefined || rest.length > 0)
    throw new JuryError(
      'usage',
      `Method "${method.id}" uses one model, but the request names ${models.length} (${models.join(', ')}). Name one, or use a method with several, such as max-vote or roundtable.`,
    );
  return model;
}

function optionalPersona({ method, chosen }: SeatingPlan): Persona | null {
  if (chosen === null || method.playsPanel) return null;
  if (chosen.length > 1)
    throw new JuryError(
      'usage',
      `Method "${method.id}" uses at most one persona, but the request names ${chosen.length} (${chosen.map((p) => p.id).join(', ')}). Name one, or use a method with several, such as mab or mad.`,
    );
  return chosen[0] ?? null;
}

function onePersonaPerModel({ method, models }: SeatingPlan, personas: readonly Persona[]): Pair[] {
  if (models.length !== personas.length)
    throw new JuryError(
      'usage',
      `Method "${method.id}" seats each persona with a model of its own, but there ${personas.length === 1 ? 'is 1 persona' : `are ${personas.length} personas`} (${personas.map(({ id }) => id).join(', ')}) and ${models.length === 1 ? '1 model' : `${models.length} models`} (${models.join(', ')}). Name as many models as personas, in their order.`,
    );
  return models.flatMap((model, index): Pair[] => {
    const persona = personas[index];
    return persona === undefined ? [] : [[persona, model]];
  });
}

function pairsOf(plan: SeatingPlan): Pair[] {
  const { method, models } = plan;
  const personas = plan.chosen ?? plan.rubricPanel;
  if (typeof method.seats === 'object') {
    if ('samples' in method.seats) {
      const pair: Pair = [optionalPersona(plan), onlyModel(plan)];
      return Array.from({ length: method.seats.samples }, () => pair);
    }
    const voices = plan.chosen ?? [];
    if (Math.max(voices.length, models.length) > method.seats.agents)
      throw new JuryError(
        'usage',
        `Method "${method.id}" has ${method.seats.agents} agents, but the request names more models or personas.`,
      );
    return Array.from(
      { length: method.seats.agents },
      (_, index): Pair => [dealt(voices, index) ?? null, dealt(models, index) ?? onlyModel(plan)],
    );
  }
  switch (method.seats) {
    case 'one':
      return [[optionalPersona(plan), onlyModel(plan)]];
    case 'models': {
      const persona = optionalPersona(plan);
      return models.map((model): Pair => [persona, model]);
    }
    case 'personas': {
      const model = onlyModel(plan);
      return personas.map((persona): Pair => [persona, model]);
    }
    case 'pairs':
      return onePersonaPerModel(plan, personas);
    case 'personas-and-models':
      return models.flatMap((model) => personas.map((persona): Pair => [persona, model]));
  }
}

/**
 * Seats a panel by the method's rule.
 * @throws JuryError `usage` if the method cannot seat the requested models and personas
 */
export function seatPanel(plan: SeatingPlan): Panel {
  const seats = numbered(pairsOf(plan));
  const notes: string[] = [];
  if (seats.length === 1 && plan.method.seats !== 'one')
    notes.push(
      `${plan.method.title} with one judge is just that judge's answer: name more ${plan.method.seats === 'personas' ? 'personas' : 'models'}`,
    );
  if (
    typeof plan.method.seats === 'object' &&
    'samples' in plan.method.seats &&
    plan.method.temperature === 0
  )
    notes.push(
      `${plan.method.title} at temperature 0 asks one judge the same question ${seats.length} times: its answers may all be alike`,
    );
  return { seats, cast: plan.method.playsPanel ? (plan.chosen ?? plan.rubricPanel) : [], notes };
}
