import * as z from 'zod';
import { Id } from '../common/id.ts';

/**
 * A word or phrase. Compared without case, accents, apostrophes and hyphens, whole words only, plurals allowed.
 * `günstig*` also stands for its German endings (günstige, günstiger, …), `#` for a number, `#.#` for one with
 * decimals, `#clock` for a time of day, a `…` of its own for up to five words that the phrase stands around (`turn … on`),
 * and a `|` at its end for the end of the clause (`zu |`).
 */
const phrase = z.string().trim().min(1);

const Term = z.strictObject({
  id: Id,
  /** How the term is called in a reason; its id where not given. */
  title: z.string().trim().min(1).optional(),
  /** Wider terms that contain this one: Thai is within Asian. */
  within: z.array(Id).default([]),
  /** Names and paraphrases of this term. A phrase under several terms means any one of them. */
  words: z.array(phrase).default([]),
  /** What speaks for the term without being its name: dishes. "No sushi" does not rule out all that is Japanese. */
  signs: z.array(phrase).default([]),
  /**
   * How exactly the words speak. `exact`: they mean this term. `vague`: they are a wish, but not one that can be
   * checked exactly ("good value"). `any`: they say that all is welcome ("price doesn't matter").
   */
  reading: z.enum(['exact', 'vague', 'any']).default('exact'),
  /**
   * Whether a place of another term cannot also be of this one. `always`: Thai is not Greek. `unless-shown`: not
   * unless other fields show it (seafood on a Portuguese menu). `never`: a Thai place may well be vegan.
   */
  excludes: z.enum(['always', 'unless-shown', 'never']).default('always'),
});

/** Words that the exact checks know, read from `prompts/lexicons/<id>.yaml`. All languages stand side by side. */
export const Lexicon = z
  .strictObject({
    id: Id,
    title: z.string().trim().min(1),
    source: z.string().trim().min(1),
    /** Whether a thing has only one of the terms, as of price levels: a field that names two cannot be read. */
    single: z.boolean().default(false),
    /** Whether an unknown word may be one of its terms: a name, as of a cuisine or brand, or a verb, as of an operation. */
    open: z.enum(['names', 'verbs']).optional(),
    /** Whether its words say by themselves what the request is for: a dish asks for a place to eat. */
    namesSubject: z.boolean().default(false),
    terms: z.array(Term).min(1),
  })
  .superRefine((lexicon, context) => {
    const ids = lexicon.terms.map((term) => term.id);
    const reject = (index: number, key: string, message: string) =>
      context.addIssue({ code: 'custom', path: ['terms', index, key], message });
    lexicon.terms.forEach((term, index) => {
      if (ids.indexOf(term.id) !== index) reject(index, 'id', `term id "${term.id}" is used twice`);
      if (term.words.length + term.signs.length === 0)
        reject(index, 'words', 'needs at least one word or sign');
      for (const wider of term.within)
        if (!ids.includes(wider)) reject(index, 'within', `"${wider}" is not a term of this lexicon`);
    });
  });
export type Lexicon = z.infer<typeof Lexicon>;
/** Lexicons by id, each read when it is first asked for. */
export interface Lexicons {
  get: (id: string) => Lexicon | undefined;
}
export type LexiconTerm = z.infer<typeof Term>;
