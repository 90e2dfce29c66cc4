import * as z from 'zod';

/** How to judge, as a request says it or a channel has set it; what is left out comes from the case and its rubric. */
export const JudgeRequest = z.strictObject({
  rubric: z.string().optional(),
  method: z.string().optional(),
  models: z.array(z.string()).optional(),
  panel: z.array(z.string()).optional(),
});
export type JudgeRequest = z.infer<typeof JudgeRequest>;
