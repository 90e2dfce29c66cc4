import * as z from 'zod';

/** A word in a grammar or a form of a phrase: `order`, `cost.adjective`. */
const Name = z
  .string()
  .regex(/^[a-z][A-Za-z0-9-]*$/, 'must be letters, digits and hyphens, a small letter first');

/** A wish in words, by the forms in which sentences can hold it: `{adjective: cheap}`, `{tail: for little money}`. */
export const Phrase = z
  .record(Name, z.string().trim().min(1))
  .refine((forms) => Object.keys(forms).length > 0, 'needs at least one form, such as {adjective: cheap}');
export type Phrase = z.infer<typeof Phrase>;

/** Texts by the names under which a grammar finds them: `cost.adjective` → `cheap`. */
export type Slots = Readonly<Record<string, string>>;

/** A phrase's forms as slots of the dimension that it belongs to. */
export const slotsOf = (dimension: string, phrase: Phrase): Slots =>
  Object.fromEntries(Object.entries(phrase).map(([form, text]) => [`${dimension}.${form}`, text]));

/** Sentences with holes: under each name the texts that may stand there. `{name}` in a text is another name or a slot. */
export const Grammar = z.record(Name, z.array(z.string()).min(1));
export type Grammar = z.infer<typeof Grammar>;
