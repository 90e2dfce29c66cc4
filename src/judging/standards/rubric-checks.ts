import * as z from 'zod';
import { Id } from '../../common/index.ts';
import { callChecks } from './call-checks.ts';

const LexiconId = z.string().min(1);
const CasePath = z.string().min(1);
const Noun = z.string().min(1);

/**
 * An exact check of the built-in `rules` judge, which uses no model. Rubrics set its parameters; its code is in `judges/rules/`,
 * its vocabulary in `prompts/lexicons/`.
 */
export const Check = z.discriminatedUnion('type', [
  z
    .strictObject({
      type: z.literal('drive-at-most'),
      minutes: z.number().positive().describe('The longest drive, in minutes; the limit itself passes.'),
      speedKmh: z.number().positive().describe('For generated data: the average speed in km/h.'),
      detour: z
        .number()
        .min(1)
        .describe('For generated data: the length of the road divided by the straight line.'),
      uncertainty: z
        .number()
        .min(0)
        .max(1)
        .default(0.25)
        .describe(
          'For generated data: how far off a drive by these assumptions may be, as a share of it. No case is generated if that could change its label.',
        ),
      duration: CasePath.default('recommendation.durationMin').describe('Path of the drive time in minutes.'),
      distance: CasePath.default('recommendation.distanceKm').describe('Path of the distance in km.'),
      start: CasePath.default('context.location').describe('Path of the place where the drive starts.'),
      place: CasePath.default('recommendation.location').describe('Path of the place where it ends.'),
    })
    .describe(
      'The drive takes at most so many minutes. A limit in the request, in minutes or kilometers, replaces that. No decision if the request names a place or a route without a limit, or if the case gives no drive time.',
    ),
  z
    .strictObject({
      type: z.literal('open-at'),
      hours: CasePath.describe('Path of the opening hours.'),
      lexicon: LexiconId.optional().describe(
        'Words for a moment other than now, such as "tomorrow". With one of them, no decision.',
      ),
    })
    .describe("The place is open at the case's date and time."),
  z
    .strictObject({
      type: z.literal('within-range'),
      field: CasePath.describe('Path of the value.'),
      name: Noun.describe('What the value is called in a sentence: `latency`.'),
      measure: z
        .enum(['value', 'words', 'items'])
        .default('value')
        .describe('What is compared: the number itself, or how many words or items the field has.'),
      unit: Noun.describe('Its unit in the singular: `millisecond`, `word`.'),
      min: z.number().optional().describe('The least value that passes. Default: none.'),
      max: z.number().optional().describe('The greatest value that passes. Default: none.'),
    })
    .describe('A number, or a count of words or items, is between two bounds, both included.'),
  z
    .strictObject({
      type: z.literal('same-term'),
      lexicon: LexiconId.describe('Id of the lexicon of these wishes.'),
      field: CasePath.describe('Path of the field that must name the term.'),
      evidence: z
        .array(CasePath)
        .optional()
        .describe('Paths that may show a dish which `field` seems to rule out; if one does, no decision.'),
    })
    .describe('The field has the term that the user named, or a narrower one: Thai for Asian.'),
  z
    .strictObject({
      type: z.literal('number-wish'),
      field: CasePath.describe('Path of the number.'),
      lexicon: LexiconId.describe(
        'Id of a lexicon of number phrases. The ids of its terms are their meanings: at-least, above, at-most, below, between, around, exactly, plain; `about` has words that say what a number is about (rated, stars), `glue` words within a phrase, `beside` words between a phrase and what it is about. Terms with any other id are not checked.',
      ),
      tolerance: z.number().min(0).describe('How far off "around" may be, in the unit of the field.'),
      unit: z
        .string()
        .optional()
        .describe(
          'The unit of the field, if every phrase says what it is about ("at least # kw"); empty if there may be several. Without it, a number must be near a word such as "rated".',
        ),
      name: Noun.optional().describe(
        'What the number is called in a sentence: `charging power`. Default: the name of the field.',
      ),
      least: z
        .number()
        .optional()
        .describe('The least number if the request names none. Default: any number passes then.'),
      plain: z
        .enum(['exactly', 'at-least', 'at-most'])
        .default('exactly')
        .describe('What a number without a word such as "at least" means.'),
    })
    .describe("The number fits the user's phrase: at least, above, between, around, exactly, up to."),
  z
    .strictObject({
      type: z.literal('has-all'),
      lexicon: LexiconId.describe('Id of the lexicon of these wishes.'),
      field: CasePath.describe('Path of a text, or of a list that must be complete.'),
      name: Noun.describe('What it is called in a sentence: `fuel`.'),
      required: z
        .array(CasePath)
        .default([])
        .describe(
          "Paths of fields that name further terms to be there, such as the car's plug; if a field names several, any one is enough.",
        ),
      narrower: z
        .enum(['enough', 'unsure'])
        .default('enough')
        .describe(
          'Whether a narrower term will do: premium diesel is diesel, but a left window may or may not be the front window.',
        ),
      reported: LexiconId.optional().describe(
        'Id of a lexicon with the same terms in the words of answers ("opened"), if these differ.',
      ),
      some: z
        .enum(['too-few', 'unsure'])
        .default('too-few')
        .describe('What it means if only some of several named terms are there: fail, or no decision.'),
      implied: z
        .strictObject({
          lexicon: LexiconId.describe('Id of the other lexicon.'),
          term: Noun.describe('The term that its wishes imply.'),
        })
        .optional()
        .describe(
          'For requests that name no term but have a wish of another lexicon: "temperature to 22" implies setting it.',
        ),
      refused: z
        .enum(['wrong', 'unsure', 'no-matter'])
        .optional()
        .describe('Has no effect; rubrics written for version 0.1 may have it.'),
    })
    .describe('The field has every term that the user named.'),
  z
    .strictObject({
      type: z.literal('at-most-field'),
      field: CasePath.describe('Path of the number.'),
      limit: CasePath.describe('Path of the number that limits it, in the same unit.'),
      share: z.number().positive().default(1).describe('Which share of the limit may be used: 0.9 for 90 %.'),
      names: z
        .strictObject({ field: Noun, limit: Noun })
        .describe('What both are called in a sentence: `the distance`, `the range left`.'),
      unit: Noun.describe('The unit of both.'),
    })
    .describe("A number is at most another field's number, or a share of it."),
  ...callChecks,
  z
    .strictObject({
      type: z.literal('says-same'),
      lexicon: LexiconId.describe('Id of a lexicon of what a response can claim ("is open", "could not").'),
      field: CasePath.describe('Path of what is true.'),
      name: Noun.describe('What it is called in a sentence: `outcome`.'),
    })
    .describe('What the response claims is what the field says.'),
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
