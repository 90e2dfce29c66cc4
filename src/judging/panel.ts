import { JuryError } from '../common/errors.ts';
import type { Judge } from './judgement.ts';
import type { Method } from './method.ts';
import type { Persona } from './persona.ts';

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
  return { seats, cast: plan.method.playsPanel ? (plan.chosen ?? plan.rubricPanel) : [], notes };
}
