import * as z from 'zod';
import { Id, JuryError } from '../../common/index.ts';
import type { Judge } from '../verdict/index.ts';
import type { Persona } from './persona.ts';
import type { Rubric } from './rubric.ts';

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
  criteria: Criteria,
  examples: z.int().min(0).max(20),
  reasoning: Reasoning,
  temperature: z.number().min(0).max(2),
});

/** A way of judging, from `prompts/methods/<id>.yaml`. */
export const Method = z
  .strictObject({
    id: Id,
    title: z.string().trim().min(1),
    source: z.string().trim().min(1),
    /** The rule for seating the panel. */
    seats: Seats,
    /** Number of worked examples. */
    examples: z.int().min(0).max(20),
    /** Whether judges give no reason, a short one, or reason step by step, before they decide. */
    reasoning: Reasoning,
    /** Whether judges answer all criteria in one reply, or are asked about each one separately. */
    criteria: Criteria.default('together'),
    /**
     * If set, criteria are rated first. The panel then sees the ratings that interest its personas and answers the rubric's overall
     * question instead of the criteria.
     */
    ratedFirst: RatedFirst.optional(),
    /** One judge plays the panel's personas in turn and lets them criticize each other. */
    playsPanel: z.boolean().default(false),
    /** Maximum, including the first. */
    rounds: z.int().min(1).max(20),
    /** What judges see from the second round on: nothing, all answers of the last round, or of all rounds. */
    sees: z.enum(['nothing', 'last-round', 'all-rounds']),
    /** When to stop before the last round or the last seat. */
    stop: z.enum(['never', 'decided', 'unanimous']),
    reduce: z.enum(['majority', 'weighted', 'mean']),
    /** Whether judges state their confidence, 0 to 1. */
    confidence: z.boolean(),
    temperature: z.number().min(0).max(2),
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

export interface MethodOverrides {
  rounds?: number;
  temperature?: number;
  /** False: samples are asked even after the majority is decided. Debates end when all agree all the same. */
  earlyStop?: boolean;
}

/**
 * A method with some settings replaced.
 * @throws JuryError `usage` if the result is invalid
 */
export function overrideMethod(method: Method, { rounds, temperature, earlyStop }: MethodOverrides): Method {
  const isWhole = earlyStop === false && method.stop === 'decided';
  if (rounds === undefined && temperature === undefined && !isWhole) return method;
  if (rounds !== undefined && rounds > 1 && method.sees === 'nothing')
    throw new JuryError(
      'usage',
      `Method "${method.id}" has one round, in which judges answer independently. For more rounds use a debate such as mad or roundtable.`,
    );
  const single = rounds === 1 && method.rounds > 1 ? { sees: 'nothing', stop: 'never' } : {};
  const changed = Method.safeParse({
    ...method,
    ...single,
    ...(isWhole ? { stop: 'never' } : {}),
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
