import * as z from 'zod';
import { Id } from './rubric.ts';

/** A point of view, read from `prompts/personas/<id>.md`: front matter, then the voice in the second person. */
export const Persona = z.strictObject({
  id: Id,
  title: z.string().trim().min(1),
  source: z.string().trim().min(1),
  /**
   * From which side the `rules` judge tells the same exact finding:
   * `request` starts at what the user asked, `evidence` at the numbers, `rule` at the rubric's rule.
   */
  lens: z.enum(['request', 'evidence', 'rule']).default('evidence'),
  voice: z.string().trim().min(1),
});
export type Persona = z.infer<typeof Persona>;
export type Lens = Persona['lens'];
