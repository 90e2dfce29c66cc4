import * as z from 'zod';
import { JuryError } from '../common/errors.ts';
import { Id } from '../common/id.ts';

/** Names of settings stand in texts as `{{name}}`, on the command line as `name=value`. */
const SettingName = z
  .string()
  .regex(/^[a-z][a-z0-9-]{0,31}$/, 'must be a name of lower-case letters, digits and hyphens');

const LONGEST_VALUE = 80;

/** A value goes into a prompt as part of a sentence: one short line, nothing that could be markup or a template. */
const SettingValue = z
  .string()
  .trim()
  .min(1, 'must not be empty')
  .max(LONGEST_VALUE, `must have at most ${LONGEST_VALUE} characters`)
  .regex(
    /^[\p{L}\p{M}\p{N} .,'’&()+/-]+$/u,
    "must be one line of letters, digits, spaces and . , ' ’ & ( ) + / -",
  );

/** What a text leaves open for its user to fill in: what it is, and what stands there when nobody fills it in. */
export const Settings = z.record(
  SettingName,
  z.strictObject({ title: z.string().trim().min(1), default: SettingValue }),
);
export type Settings = z.infer<typeof Settings>;

/** Values by setting name. */
export type SettingValues = Readonly<Record<string, string>>;

const VARIABLE = /\{\{\s*([^{}]*?)\s*\}\}/g;

/** The names that a text has variables for, each once. */
export const variablesIn = (text: string): string[] => [
  ...new Set([...text.matchAll(VARIABLE)].map(([, name = '']) => name)),
];

/** The text with its variables filled in; values are put in as they are and never looked at again. */
export const filledWith = (text: string, values: SettingValues): string =>
  text.replaceAll(VARIABLE, (variable, name: string) =>
    Object.hasOwn(values, name) ? (values[name] ?? '') : variable,
  );

/** The value of every setting there is: what was given, else its default. */
export const valuesOf = (settings: Settings, given: SettingValues): Record<string, string> =>
  Object.fromEntries(
    Object.entries(settings).map(([name, { default: usual }]) => [
      name,
      Object.hasOwn(given, name) ? (given[name] ?? usual) : usual,
    ]),
  );

/**
 * Reads `name=value` pairs; the value begins after the first `=`.
 * @throws JuryError `usage` that says what is wrong with which pair
 */
export function readSettings(pairs: readonly string[]): Record<string, string> {
  const values: Record<string, string> = {};
  for (const pair of pairs) {
    const [, name = '', value = ''] = /^([^=]*)=([\s\S]*)$/.exec(pair) ?? [];
    const named = SettingName.safeParse(name.trim());
    if (!named.success)
      throw new JuryError(
        'usage',
        'A setting is written name=value, with a name of lower-case letters, digits and hyphens.',
      );
    if (Object.hasOwn(values, named.data))
      throw new JuryError('usage', `The setting "${named.data}" is given twice.`);
    const checked = SettingValue.safeParse(value);
    if (!checked.success)
      throw new JuryError(
        'usage',
        `The value of the setting "${named.data}" ${checked.error.issues[0]?.message ?? 'is wrong'}.`,
      );
    values[named.data] = checked.data;
  }
  return values;
}

/** A point of view, read from `prompts/personas/<id>.md`: front matter, then the voice in the second person. */
export const Persona = z
  .strictObject({
    id: Id,
    title: z.string().trim().min(1),
    source: z.string().trim().min(1),
    /**
     * From which side the `rules` judge tells the same exact finding:
     * `request` starts at what the user asked, `evidence` at the numbers, `rule` at the rubric's rule.
     */
    lens: z.enum(['request', 'evidence', 'rule']).default('evidence'),
    /** What the voice leaves open, each under the name that stands in it as `{{name}}`. */
    settings: Settings.optional(),
    voice: z.string().trim().min(1),
  })
  .superRefine(({ settings = {}, voice }, context) => {
    const used = variablesIn(voice);
    const declared = Object.keys(settings);
    for (const name of used.filter((one) => !declared.includes(one)))
      context.addIssue({
        code: 'custom',
        path: ['voice'],
        message: `says {{${name}}}, which is not among its settings; there is: ${declared.join(', ') || 'none'}`,
      });
    for (const name of declared.filter((one) => !used.includes(one)))
      context.addIssue({
        code: 'custom',
        path: ['settings', name],
        message: `is not used: the voice does not say {{${name}}}`,
      });
  });
export type Persona = z.infer<typeof Persona>;
export type Lens = Persona['lens'];

/** A persona whose voice is ready to be spoken: its settings as given, else by their defaults. */
export const withSettings = (persona: Persona, given: SettingValues): Persona =>
  persona.settings === undefined
    ? persona
    : { ...persona, voice: filledWith(persona.voice, valuesOf(persona.settings, given)) };

/** All settings of these personas, by name; those of one name are the same. */
export const settingsOf = (personas: Iterable<Persona>): Settings =>
  Object.fromEntries([...personas].flatMap(({ settings = {} }) => Object.entries(settings)));

/** `brand (the name on the car)`, for people who look for what can be set. */
const offered = (settings: Settings): string =>
  Object.entries(settings)
    .map(([name, { title }]) => `${name} (${title})`)
    .join(', ') || 'none';

/** @throws JuryError `usage` for a setting that none of these personas has */
export function requireKnownSettings(given: SettingValues, personas: Iterable<Persona>): void {
  const names = Object.keys(given);
  if (names.length === 0) return;
  const settings = settingsOf(personas);
  const unknown = names.filter((name) => !Object.hasOwn(settings, name));
  if (unknown.length > 0)
    throw new JuryError(
      'usage',
      `There is no setting ${unknown.map((name) => `"${name}"`).join(', ')}. There is: ${offered(settings)}.`,
    );
}
