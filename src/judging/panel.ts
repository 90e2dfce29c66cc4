import { JuryError } from '../common/errors.ts';
import type { Judge } from './judgement.ts';
import type { Method } from './method.ts';
import type { Persona } from './persona.ts';

/** One place on a panel. */
export interface Seat {
  judge: Judge;
  persona: Persona | null;
}

/** The judges of one verdict, in a fixed order. */
export interface Panel {
  seats: readonly Seat[];
  /** The personas that each judge plays in turn, where the method says so. */
  cast: readonly Persona[];
  /** What a reader should know about who sits, such as a panel of one. */
  notes: readonly string[];
}

interface SeatingPlan {
  method: Method;
  /** Model ids, at least one; the same one twice sits twice. */
  models: readonly string[];
  /** Personas the caller named, or null for the rubric's own. */
  chosen: readonly Persona[] | null;
  /** The rubric's own personas. */
  usual: readonly Persona[];
}

type Pair = readonly [Persona | null, string];

const dealt = <T>(items: readonly T[], index: number): T | undefined => items[index % items.length];

/** Numbers judges that are otherwise the same: the second sample of a judge is sample 1. */
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
      `Method "${method.id}" asks one model, but ${models.length} were named (${models.join(', ')}). Name one model, or use a method that seats several, such as max-vote or roundtable.`,
    );
  return model;
}

function optionalPersona({ method, chosen }: SeatingPlan): Persona | null {
  if (chosen === null || method.playsPanel) return null;
  if (chosen.length > 1)
    throw new JuryError(
      'usage',
      `Method "${method.id}" seats no panel of personas, but ${chosen.length} were named (${chosen.map((p) => p.id).join(', ')}). Name one persona, or use a method that seats several, such as mab or mad.`,
    );
  return chosen[0] ?? null;
}

function pairsOf(plan: SeatingPlan): Pair[] {
  const { method, models } = plan;
  const personas = plan.chosen ?? plan.usual;
  if (typeof method.seats === 'object') {
    if ('samples' in method.seats) {
      const pair: Pair = [optionalPersona(plan), onlyModel(plan)];
      return Array.from({ length: method.seats.samples }, () => pair);
    }
    const voices = plan.chosen ?? [];
    if (Math.max(voices.length, models.length) > method.seats.agents)
      throw new JuryError(
        'usage',
        `Method "${method.id}" seats ${method.seats.agents} agents, but more models or personas were named.`,
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
 * Who sits, by the method's rule.
 * @throws JuryError `usage` where the method cannot seat what was named.
 */
export function seatPanel(plan: SeatingPlan): Panel {
  const seats = numbered(pairsOf(plan));
  const notes: string[] = [];
  if (seats.length === 1 && plan.method.seats !== 'one')
    notes.push(
      `${plan.method.title} with one judge is no more than that judge's answer: name more ${plan.method.seats === 'personas' ? 'personas' : 'models'}`,
    );
  return { seats, cast: plan.method.playsPanel ? (plan.chosen ?? plan.usual) : [], notes };
}
