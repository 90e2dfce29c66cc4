import * as z from 'zod';
import { Id, line } from '../../common/index.ts';

const Value = z.union([z.number(), z.boolean(), line]);

const hasValuesAsChoice = ({ type, values }: { type: string; values?: unknown }): boolean =>
  (type === 'choice') === (values !== undefined);
const VALUES_OF_CHOICE = { path: ['values'], message: 'goes with the type "choice", which needs it' };

/** Something in the car that tools change. */
const Variable = z
  .strictObject({
    /** `number`, `switch` (true or false), one of several `values`, or any `text`. */
    type: z.enum(['number', 'switch', 'choice', 'text']),
    /** The term of the lexicon of devices that it belongs to; responses name it by its words. */
    device: Id.optional(),
    /** For numbers: the bounds. A value beyond them is not computed: the car may refuse it or stop at the bound. */
    min: z.number().optional(),
    max: z.number().optional(),
    /** For choices. */
    values: z.array(line).min(2).optional(),
    /** What is done when it grows or is switched on, and when it falls or is switched off: terms of the lexicon of claims. */
    up: Id.optional(),
    down: Id.optional(),
  })
  .refine(hasValuesAsChoice, VALUES_OF_CHOICE);

/** An argument of a tool. */
const Argument = z
  .strictObject({
    type: z.enum(['number', 'switch', 'choice', 'text']),
    /** For choices: each value with its other spellings. */
    values: z.record(line, z.array(line)).optional(),
    /** For choices: values that stand for several others, such as `all`. */
    groups: z.record(line, z.array(line).min(1)).optional(),
    /** For numbers: spellings of its unit, as in "22 °C". */
    units: z.array(line).default([]),
    /** What its absence means. Without it, the argument has to be there. */
    default: Value.optional(),
  })
  .refine(hasValuesAsChoice, VALUES_OF_CHOICE);
export type CarArgument = z.infer<typeof Argument>;

/** What a tool does to a variable. In texts, `{zone}` is the value of the argument `zone`. */
const Effect = z
  .strictObject({
    variable: line,
    /** The new value. */
    to: Value.optional(),
    /** By how much it changes, down with a minus: `{steps}` or `-{steps}`. */
    by: Value.optional(),
    /** Whether it is switched to what it was not. */
    toggle: z.literal(true).optional(),
  })
  .refine(({ to, by, toggle }) => [to, by, toggle].filter((one) => one !== undefined).length === 1, {
    message: 'needs one of to, by and toggle',
  });
export type CarEffect = z.infer<typeof Effect>;

const Tool = z.strictObject({
  arguments: z.record(line, Argument).default({}),
  /** What it changes, in order. Nothing: it only reads. */
  sets: z.array(Effect).default([]),
  /** Whether it may only be called once the user has agreed. */
  consent: z.boolean().default(false),
});
export type CarTool = z.infer<typeof Tool>;

const HOLE = /\{([^{}]+)\}/g;

/** The values that an argument of a choice can have for a variable: groups stand for their members. */
const membersOf = ({ values = {}, groups = {} }: CarArgument): string[] =>
  Object.keys(values).filter((value) => !Object.hasOwn(groups, value));

/** The names that a text with holes can become. */
function namesFor(text: string, given: Readonly<Record<string, CarArgument>>): string[] {
  const [hole, name = ''] = /\{([^{}]+)\}/.exec(text) ?? [];
  const argument = Object.hasOwn(given, name) ? given[name] : undefined;
  if (hole === undefined || argument === undefined) return [text];
  return membersOf(argument).flatMap((member) => namesFor(text.replace(hole, member), given));
}

/** A small model of a car, from `prompts/cars/<id>.yaml`: what there is to control, and what each tool does to it. */
export const Car = z
  .strictObject({
    id: Id,
    title: line,
    source: line,
    variables: z.record(line, Variable),
    tools: z.record(line, Tool),
  })
  .superRefine(({ variables, tools }, context) => {
    for (const [name, { arguments: given, sets }] of Object.entries(tools)) {
      const reject = (path: (string | number)[], message: string) =>
        context.addIssue({ code: 'custom', path: ['tools', name, ...path], message });
      for (const [key, { values = {}, groups = {} }] of Object.entries(given))
        for (const member of Object.entries(groups).flatMap(([group, members]) => [group, ...members]))
          if (!Object.hasOwn(values, member))
            reject(['arguments', key, 'groups'], `"${member}" is none of its values`);
      sets.forEach((effect, index) => {
        for (const text of [effect.variable, effect.to, effect.by].map(String))
          for (const [, hole = ''] of text.matchAll(HOLE))
            if (!Object.hasOwn(given, hole))
              reject(['sets', index], `there is no argument "${hole}" for {${hole}}`);
        for (const variable of namesFor(effect.variable, given))
          if (!Object.hasOwn(variables, variable))
            reject(['sets', index, 'variable'], `there is no variable "${variable}"`);
      });
    }
  });
export type Car = z.infer<typeof Car>;

/** Cars by id. */
export interface Cars {
  get: (id: string) => Car | undefined;
}
