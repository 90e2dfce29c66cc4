import * as z from 'zod';
import { EvalCase } from './case.ts';
import { Id } from './rubric.ts';

/** A worked example: a case and the reply that a good judge would give, read from `prompts/exemplars/<rubric>.yaml`. */
export const Exemplar = z.strictObject({
  id: Id,
  case: EvalCase,
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
export type Exemplar = z.infer<typeof Exemplar>;
