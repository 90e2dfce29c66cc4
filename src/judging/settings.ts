import * as z from 'zod';
import { JuryError } from '../common/errors.ts';

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
