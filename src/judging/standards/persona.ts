import * as z from 'zod';
import { Id, JuryError } from '../../common/index.ts';
import { Titles } from './titles.ts';

/** Written `{{name}}` in texts and `name=value` on the command line. */
const SettingName = z
  .string()
  .regex(/^[a-z][a-z0-9-]{0,31}$/, 'must be a name of lower-case letters, digits and hyphens');

const MAX_VALUE = 80;

/** A value becomes part of a sentence in a prompt: one short line, without markup or templates. */
const SettingValue = z
  .string()
  .trim()
  .min(1, 'must not be empty')
  .max(MAX_VALUE, `must have at most ${MAX_VALUE} characters`)
  .regex(
    /^[\p{L}\p{M}\p{N} .,'’&()+/-]+$/u,
    "must be one line of letters, digits, spaces and . , ' ’ & ( ) + / -",
  );

/** Variables of a text, each with a title and a default. */
export const Settings = z.record(
  SettingName,
  z.strictObject({
    title: z.string().trim().min(1).describe('What the value is, such as `the name on the car`.'),
    default: SettingValue.describe('The value if a request gives none.'),
  }),
);
export type Settings = z.infer<typeof Settings>;

/** Values by setting name. */
export type SettingValues = Readonly<Record<string, string>>;

const VARIABLE = /\{\{\s*([^{}]*?)\s*\}\}/g;

/** The distinct names of a text's variables. */
export const variablesIn = (text: string): string[] => [
  ...new Set([...text.matchAll(VARIABLE)].map(([, name = '']) => name)),
];

/** Values are inserted as they are; variables in them are not filled. */
export const fillVariables = (text: string, values: SettingValues): string =>
  text.replaceAll(VARIABLE, (variable, name: string) =>
    Object.hasOwn(values, name) ? (values[name] ?? '') : variable,
  );

export const valuesWithDefaults = (settings: Settings, given: SettingValues): Record<string, string> =>
  Object.fromEntries(
    Object.entries(settings).map(([name, { default: usual }]) => [
      name,
      Object.hasOwn(given, name) ? (given[name] ?? usual) : usual,
    ]),
  );

/**
 * Reads `name=value` pairs; the value begins after the first `=`.
 * @throws JuryError `usage`
 */
export function readSettings(pairs: readonly string[]): Record<string, string> {
  const values: Record<string, string> = {};
  for (const pair of pairs) {
    const { name = '', value = '' } = /^(?<name>[^=]*)=(?<value>[\s\S]*)$/.exec(pair)?.groups ?? {};
    const named = SettingName.safeParse(name.trim());
    if (!named.success)
      throw new JuryError(
        'usage',
        'Write a setting as name=value; the name consists of lower-case letters, digits and hyphens.',
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

/** A point of view, from `prompts/personas/<id>.md`: front matter, then the voice in the second person. */
export const Persona = z
  .strictObject({
    id: Id,
    title: z.string().trim().min(1).describe('Its name for people; judges in a debate read it, too.'),
    titles: Titles,
    source: z.string().trim().min(1).describe('Where it comes from, such as a section of a paper.'),
    version: z
      .int()
      .min(1)
      .optional()
      .describe(
        'Raise it with every change of the voice. An earlier version kept in `archive` is named `auditor@1`. Default: 1.',
      ),
    lens: z
      .enum(['request', 'evidence', 'rule'])
      .optional()
      .describe('Has no effect; personas written for version 0.1 may have it.'),
    settings: Settings.optional().describe('The variables of the voice, written `{{name}}` in it.'),
    voice: z
      .string()
      .trim()
      .min(1)
      .describe('The point of view, in the second person: "You are an auditor …"'),
  })
  .superRefine(({ settings = {}, voice }, context) => {
    const used = variablesIn(voice);
    const declared = Object.keys(settings);
    const reject = (message: string, ...path: string[]) =>
      context.addIssue({ code: 'custom', path, message });
    for (const name of used.filter((one) => !declared.includes(one)))
      reject(
        `uses {{${name}}}, which is not one of its settings (${declared.join(', ') || 'none'})`,
        'voice',
      );
    for (const name of declared.filter((one) => !used.includes(one)))
      reject(`is not used: the voice does not contain {{${name}}}`, 'settings', name);
  });
export type Persona = z.infer<typeof Persona>;

/** A persona with the settings filled into its voice. */
export const withSettings = (persona: Persona, given: SettingValues): Persona =>
  persona.settings === undefined
    ? persona
    : { ...persona, voice: fillVariables(persona.voice, valuesWithDefaults(persona.settings, given)) };

/** All settings of these personas; settings with the same name are the same setting. */
export const settingsOf = (personas: Iterable<Persona>): Settings =>
  Object.fromEntries([...personas].flatMap(({ settings = {} }) => Object.entries(settings)));

/** `brand (the name on the car)`. */
const settingsText = (settings: Settings): string =>
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
      `There is no setting ${unknown.map((name) => `"${name}"`).join(', ')}. Settings: ${settingsText(settings)}.`,
    );
}
