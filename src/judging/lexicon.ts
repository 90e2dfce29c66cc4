import * as z from 'zod';
import { Id } from '../common/id.ts';

/**
 * A word or phrase. Matches whole words or their plurals, ignoring case, accents, apostrophes and hyphens. `günstig*` also matches
 * German endings (günstige, günstiger, …), `#` a number, `#.#` a number with decimals, `#clock` a time of day, a separate `…` up to
 * five words (`turn … on`), and a final `|` the end of the clause (`zu |`).
 */
const phrase = z.string().trim().min(1);

const Term = z.strictObject({
  id: Id,
  /** The term's name in reasons; default: its id. */
  title: z.string().trim().min(1).optional(),
  /** Broader terms: Thai is within Asian. */
  within: z.array(Id).default([]),
  /** Names and paraphrases of this term. A phrase of several terms means any one of them. */
  words: z.array(phrase).default([]),
  /** Words that indicate the term without naming it, such as dishes: "no sushi" does not rule out everything Japanese. */
  signs: z.array(phrase).default([]),
  /**
   * `exact`: the words mean this term. `vague`: they express a wish that cannot be checked exactly ("good value"). `any`: everything
   * is welcome ("price doesn't matter").
   */
  reading: z.enum(['exact', 'vague', 'any']).default('exact'),
  /**
   * Whether a place of another term cannot have this one too. `always`: Thai is not Greek. `unless-shown`: unless other fields show
   * it (seafood on a Portuguese menu). `never`: a Thai place may well be vegan.
   */
  excludes: z.enum(['always', 'unless-shown', 'never']).default('always'),
});

/** Vocabulary of the exact checks, from `prompts/lexicons/<id>.yaml`; languages are not separated. */
export const Lexicon = z
  .strictObject({
    id: Id,
    title: z.string().trim().min(1),
    source: z.string().trim().min(1),
    /** Whether only one term can apply, as with price levels: a field that names two cannot be read. */
    single: z.boolean().default(false),
    /** Whether unknown words may be further terms: names, as of cuisines or brands, or verbs, as of operations. */
    open: z.enum(['names', 'verbs']).optional(),
    /** Whether its words alone reveal what the request is for: a dish asks for a place to eat. */
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
/** Lexicons by id, read lazily. */
export interface Lexicons {
  get: (id: string) => Lexicon | undefined;
}
export type LexiconTerm = z.infer<typeof Term>;
