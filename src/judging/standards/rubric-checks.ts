import * as z from 'zod';
import { Id } from '../../common/index.ts';

/**
 * An exact check of the built-in `rules` judge, which uses no model. Rubrics set its parameters; its code is in `judges/rules/`,
 * its vocabulary in `prompts/lexicons/`.
 */
export const Check = z.discriminatedUnion('type', [
  /**
   * The drive takes at most `minutes`. A limit in the request, in minutes or kilometers (`prompts/lexicons/travel.yaml`),
   * replaces it. There is no decision if the request names a place or a route (`way.yaml`) without a limit, or if the case
   * gives no drive time.
   */
  z.strictObject({
    type: z.literal('drive-at-most'),
    minutes: z.number().positive(),
    /** For generated data: the average speed in km/h. */
    speedKmh: z.number().positive(),
    /** The length of the road divided by the straight line. */
    detour: z.number().min(1),
    /** How far off these two may be, as a share of the drive. No data is generated whose label would then be uncertain. */
    uncertainty: z.number().min(0).max(1).default(0.25),
    /** Fields with the drive in minutes and the way in km, and with the two places. */
    duration: z.string().min(1).default('recommendation.durationMin'),
    distance: z.string().min(1).default('recommendation.distanceKm'),
    start: z.string().min(1).default('context.location'),
    place: z.string().min(1).default('recommendation.location'),
  }),
  /** Open at the case's date and time. */
  z.strictObject({
    type: z.literal('open-at'),
    hours: z.string().min(1),
    /** Lexicon of words for a moment other than now ("tomorrow"); with one, there is no decision. */
    lexicon: z.string().min(1).optional(),
  }),
  /** The field's number, or its count of words or items, is between two bounds, both included. */
  z.strictObject({
    type: z.literal('within-range'),
    field: z.string().min(1),
    /** What it is called in a sentence: `latency`. */
    name: z.string().min(1),
    measure: z.enum(['value', 'words', 'items']).default('value'),
    /** What is counted, in the singular: `millisecond`, `word`. */
    unit: z.string().min(1),
    min: z.number().optional(),
    max: z.number().optional(),
  }),
  /** The field holds the lexicon's term that the user named, or a narrower one: Thai for Asian. */
  z.strictObject({
    type: z.literal('same-term'),
    lexicon: z.string().min(1),
    field: z.string().min(1),
    /** Other fields that may show a dish that `field` seems to rule out; if one does, there is no decision. */
    evidence: z.array(z.string().min(1)).optional(),
  }),
  /** The number in the field fits the user's phrase: at least, above, between, around (± tolerance), exactly, up to. */
  z.strictObject({
    type: z.literal('number-wish'),
    field: z.string().min(1),
    /**
     * Lexicon of number phrases. The ids of its terms are their meanings: at-least, above, at-most, below, between, around,
     * exactly, plain; any other id (such as either) is not a wish to check. `about` has the words that say what the number is
     * about (rated, stars), `glue` words that may occur within a phrase, `beside` those between a phrase and what it is about.
     */
    lexicon: z.string().min(1),
    tolerance: z.number().min(0),
    /**
     * The field's unit, if the lexicon's phrases say what they are about ("at least # kw"): then a number is never taken for a
     * rating, whatever is next to it. Empty if the field may have several units.
     */
    unit: z.string().optional(),
    /** What it is called in a sentence, if not like the field: `charging power`. */
    name: z.string().min(1).optional(),
    /** The least value if the request names no number. */
    least: z.number().optional(),
    /** The meaning of a number without a word such as "at least". */
    plain: z.enum(['exactly', 'at-least', 'at-most']).default('exactly'),
  }),
  /**
   * The field holds every term of a lexicon that the user named. It is a text or a list that must be complete.
   */
  z.strictObject({
    type: z.literal('has-all'),
    lexicon: z.string().min(1),
    field: z.string().min(1),
    /** What it is called in a sentence: `fuel`. */
    name: z.string().min(1),
    /** Fields with further required terms, such as the car's plug. If one names several, any of them will do. */
    required: z.array(z.string().min(1)).default([]),
    /**
     * Whether a narrower term is enough: a premium diesel is a diesel, but the left window may or may not be the front window,
     * and it is not all windows.
     */
    narrower: z.enum(['enough', 'unsure']).default('enough'),
    /** Lexicon with the same terms for the words of answers, if they differ from those of requests ("opened"). */
    reported: z.string().min(1).optional(),
    /** What it means if only some of several named terms are there: it fails, or (as with fuels) it is unsure. */
    some: z.enum(['too-few', 'unsure']).default('too-few'),
    /** The term of a request that names none, but a wish of this other lexicon: "temperature to 22" means to set it. */
    implied: z.strictObject({ lexicon: z.string().min(1), term: z.string().min(1) }).optional(),
    /** Has no effect; rubrics written for version 0.1 may have it. */
    refused: z.enum(['wrong', 'unsure', 'no-matter']).optional(),
  }),
  /** The field's number is at most a share of another field's. */
  z.strictObject({
    type: z.literal('at-most-field'),
    field: z.string().min(1),
    limit: z.string().min(1),
    share: z.number().positive().default(1),
    /** What both are called in a sentence: `the distance`, `the range left`. */
    names: z.strictObject({ field: z.string().min(1), limit: z.string().min(1) }),
    unit: z.string().min(1),
  }),
  /** The response says, in the words of a lexicon ("is open", "could not"), what the field holds. */
  z.strictObject({
    type: z.literal('says-same'),
    lexicon: z.string().min(1),
    field: z.string().min(1),
    /** What it is called in a sentence: `outcome`. */
    name: z.string().min(1),
  }),
]);
export type Check = z.infer<typeof Check>;

/** Parameters of checks that are paths into a case. */
const PATH_KEYS: ReadonlySet<string> = new Set([
  'field',
  'hours',
  'evidence',
  'required',
  'limit',
  'duration',
  'distance',
  'start',
  'place',
]);

/** The paths of a case that a check reads, by parameter. */
export const pathsOfCheck = (check: Check): [parameter: string, paths: string[]][] =>
  Object.entries(check)
    .filter(([key]) => PATH_KEYS.has(key))
    .map(([key, value]) => [key, [value].flat().map(String)]);

/**
 * A word or phrase. Matches whole words or their plurals, ignoring case, accents, apostrophes and hyphens. `günstig*` also
 * matches German endings (günstige, günstiger, …), `#` a number, `#.#` a number with decimals, `#clock` a time of day, a separate
 * `…` up to five words (`turn … on`), and a final `|` the end of the clause (`zu |`).
 */
const phrase = z.string().trim().min(1);

const Term = z.strictObject({
  id: Id,
  /** The term's name in reasons; default: its id. */
  title: z.string().trim().min(1).optional(),
  /** Broader terms: Thai is within Asian. */
  within: z.array(Id).default([]),
  /** Terms that this one satisfies without being within them: a premium grade satisfies a wish for the plain one. */
  satisfies: z.array(Id).default([]),
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
    /** Whether unknown words may be further terms: names (of cuisines or brands) or verbs (of operations). */
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
      for (const key of ['within', 'satisfies'] as const)
        for (const other of term[key])
          if (!ids.includes(other)) reject(index, key, `"${other}" is not a term of this lexicon`);
    });
  });
export type Lexicon = z.infer<typeof Lexicon>;
/** Lexicons by id, read lazily. */
export interface Lexicons {
  get: (id: string) => Lexicon | undefined;
}
export type LexiconTerm = z.infer<typeof Term>;
