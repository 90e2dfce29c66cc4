import * as z from 'zod';
import { Id } from '../common/id.ts';

const line = z.string().trim().min(1);
const Name = z
  .string()
  .regex(
    /^[a-z][A-Za-z0-9]{0,39}$/,
    'must be letters and digits and begin with a small letter: pricePerLiter',
  );

/** A field that a case may carry beside those of the contract, as a file in `prompts/fields/` declares it. */
export const Field = z
  .strictObject({
    name: Name,
    /** The object of the case that holds it: `recommendation`, `context`, or one of its own; none: the case itself. */
    of: Name.optional(),
    /** What it is called in a message: `price per liter`. */
    title: line,
    type: z.enum(['text', 'number', 'list', 'boolean', 'place', 'hours']),
    /** What a line of a paste or a key of an object may call it beside its name, in any language. */
    labels: z.array(line).default([]),
    /**
     * For numbers: every way to write a unit, and how many of the field's own unit one of it is. The first is its own; an empty one
     * where it may be any of several.
     */
    units: z.record(z.string().trim(), z.number().positive()).optional(),
    /**
     * Labels that others use too, and the units that tell this field from those: "price" is this one where the value is in
     * €/l. Each of the units is one of `units`.
     */
    byUnit: z.strictObject({ labels: z.array(line).min(1), units: z.array(line).min(1) }).optional(),
    min: z.number().optional(),
    max: z.number().optional(),
  })
  .superRefine((field, context) => {
    const reject = (key: string) =>
      context.addIssue({ code: 'custom', path: [key], message: 'goes with the type "number" only' });
    const unknown = (field.byUnit?.units ?? []).find((unit) => !Object.hasOwn(field.units ?? {}, unit));
    if (unknown !== undefined)
      context.addIssue({
        code: 'custom',
        path: ['byUnit', 'units'],
        message: `"${unknown}" is none of its units`,
      });
    if (field.type === 'number') return;
    for (const key of ['units', 'byUnit', 'min', 'max'] as const) if (field[key] !== undefined) reject(key);
  });
export type Field = z.infer<typeof Field>;

/** The fields of one subject, read from `prompts/fields/<id>.yaml`. */
export const FieldFile = z.strictObject({
  id: Id,
  title: line,
  source: line,
  fields: z.array(Field).min(1),
});
export type FieldFile = z.infer<typeof FieldFile>;

/** Where a case holds it: `recommendation.fuels`. */
export const pathOfField = ({ of, name }: Field): string => (of === undefined ? name : `${of}.${name}`);
