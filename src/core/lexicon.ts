import { z } from 'zod';
import { Id } from './rubric.ts';

/**
 * Words that the exact checks know, read from `prompts/lexicons/<id>.yaml`. All languages stand side by side;
 * words are compared without case and accents.
 */
export const Lexicon = z.strictObject({
  id: Id,
  title: z.string().trim().min(1),
  source: z.string().trim().min(1),
  terms: z
    .array(
      z.strictObject({
        id: Id,
        /** Wider terms that contain this one: Thai is within Asian. */
        within: z.array(Id).default([]),
        /** Words and phrases that mean this term: synonyms, dishes, paraphrases. */
        words: z.array(z.string().trim().min(1)).min(1),
      }),
    )
    .min(1),
});
export type Lexicon = z.infer<typeof Lexicon>;
