import { JuryError } from '../common/errors.ts';
import type { Exemplar } from './exemplar.ts';
import type { Method } from './method.ts';
import type { Persona } from './persona.ts';
import type { Rubric } from './rubric.ts';

/** What judging needs of the prompts, by id. */
export interface JudgingLibrary {
  rubrics: ReadonlyMap<string, Rubric>;
  methods: ReadonlyMap<string, Method>;
  personas: ReadonlyMap<string, Persona>;
  /** Worked examples by rubric id, in the order in which methods take them. */
  exemplars: (rubricId: string) => readonly Exemplar[];
}

/**
 * What stands under an id.
 * @throws JuryError `usage` that lists the ids there are
 */
export function entry<T>(kind: string, entries: ReadonlyMap<string, T>, id: string): T {
  const found = entries.get(id);
  if (found === undefined)
    throw new JuryError(
      'usage',
      `There is no ${kind} "${id}". There is: ${[...entries.keys()].sort().join(', ')}.`,
    );
  return found;
}
