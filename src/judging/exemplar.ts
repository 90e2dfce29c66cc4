import * as z from 'zod';
import type { EvalCase } from '../case/case.ts';
import { Id } from '../common/id.ts';

/** The schema of a worked example, given that of a case: a case and the reply that a good judge would give, read from `prompts/exemplars/<rubric>.yaml`. */
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
