import * as z from 'zod';
import type { EvalCase } from '../case/case.ts';
import type { CaseFormat } from '../case/case-format.ts';
import { JuryError } from '../common/errors.ts';
import { Id } from '../common/id.ts';
import { didYouMean } from '../common/text.ts';
import type { Method } from './method.ts';
import type { Persona } from './persona.ts';
import type { Rubric } from './rubric.ts';

/** The part of the prompts that judging uses, by id. */
export interface JudgingLibrary {
  /** The fields that files declare beside the built-in ones. */
  caseFormat: Pick<CaseFormat, 'groups'>;
  rubrics: ReadonlyMap<string, Rubric>;
  methods: ReadonlyMap<string, Method>;
  personas: ReadonlyMap<string, Persona>;
  /** Worked examples by rubric id, in the order in which methods take them. */
  exemplars: (rubricId: string) => readonly Exemplar[];
}

/** @throws JuryError `usage`, listing the known ids */
export function entry<T>(kind: string, entries: ReadonlyMap<string, T>, id: string): T {
  const found = entries.get(id);
  if (found !== undefined) return found;
  const known = [...entries.keys()].sort();
  throw new JuryError(
    'usage',
    `There is no ${kind} "${id}".${didYouMean(id, known)} Choose one of: ${known.join(', ')}.`,
  );
}

/** The schema of a worked example in `prompts/exemplars/<rubric>.yaml`: a case and a good judge's reply. */

export const exemplarOf = (evalCase: z.ZodType<EvalCase>) =>
  z.strictObject({
    id: Id,
    case: evalCase,
    reply: z.strictObject({
      /** Per criterion id: the reason, then the finding (`decision` or, on number scales, `score`). */
      criteria: z.record(
        Id,
        z.strictObject({
          rationale: z.string().trim().min(1),
          decision: z.enum(['pass', 'fail', 'unscored', 'not-relevant']).optional(),
          score: z.number().optional(),
        }),
      ),
      rationale: z.string().trim().min(1),
      confidence: z.number().min(0).max(1),
      decision: z.enum(['pass', 'fail']).optional(),
    }),
  });
export type Exemplar = z.infer<ReturnType<typeof exemplarOf>>;
