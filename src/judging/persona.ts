import * as z from 'zod';
import { JuryError } from '../common/errors.ts';
import { Id } from '../common/id.ts';
import { filledWith, Settings, type SettingValues, valuesOf, variablesIn } from './settings.ts';

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
