import * as z from 'zod';
import { groupedBy } from '../common/collections.ts';
import { Id, line } from '../common/schema.ts';
import { capital } from '../common/text.ts';
import {
  Answer,
  type CaseParts,
  Context,
  EvalCase,
  filled,
  isRecord,
  keptParts,
  OpeningHours,
  Place,
  pathsOf,
  Recommendation,
} from './case.ts';
import type { Words } from './words.ts';

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

/** What a case may look like: the fields of the contract, and those that prompt files declare beside them. */
export interface CaseFormat {
  /** An unknown key is an error here as everywhere. */
  schema: z.ZodType<EvalCase>;
  /** The schema of each key of a case. */
  shape: Readonly<Record<string, z.ZodType>>;
  /** Every path at which a case can hold something, such as `context.date`; what a rubric may name. */
  paths: readonly string[];
  /** The words by which pastes are read. */
  words: Words;
  /** The declared fields of each object of the case that holds some; those of the case itself are under ''. */
  groups: ReadonlyMap<string, readonly Field[]>;
}

const typeOf: Record<Field['type'], z.ZodType> = {
  text: filled,
  number: z.number(),
  list: z.array(filled),
  boolean: z.boolean(),
  place: Place,
  hours: OpeningHours,
};

/** What a declared field can hold, or nothing. */
export function schemaOfField({ type, min, max }: Field): z.ZodType {
  if (type !== 'number') return typeOf[type].optional();
  const least = min === undefined ? z.number() : z.number().min(min);
  return (max === undefined ? least : least.max(max)).optional();
}

const shapeOf = (fields: readonly Field[]): Record<string, z.ZodType> =>
  Object.fromEntries(fields.map((field) => [field.name, schemaOfField(field)]));

const OPEN: Readonly<Record<string, typeof Recommendation | typeof Context>> = {
  recommendation: Recommendation,
  context: Context,
};

/** Objects of a case to which fields can be added. */
export const isOpenGroup = (name: string): boolean =>
  Object.hasOwn(OPEN, name) || !Object.hasOwn(EvalCase.shape, name);

/**
 * The format of a case with declared fields. That no two of them share a name or a label is for the caller to see to;
 * here the first counts.
 */
export function caseFormat(fields: readonly Field[], words: Words): CaseFormat {
  const groups = groupedBy(fields, ({ of = '' }) => of);
  const objects = [...groups].flatMap(([name, inner]): [string, z.ZodType][] => {
    if (name === '') return [];
    const base = OPEN[name];
    const whole = base === undefined ? z.strictObject(shapeOf(inner)) : base.extend(shapeOf(inner));
    return [[name, whole.optional()]];
  });
  // Declared only when the program runs, so no type can know them: what a case is typed as stays the contract.
  const declared: Record<never, z.ZodType> = {
    ...shapeOf(groups.get('') ?? []),
    ...Object.fromEntries(objects),
  };
  const ofAnswer: Record<never, z.ZodType> = Object.fromEntries(
    objects.filter(([name]) => name !== 'context'),
  );
  const schema = EvalCase.extend({ ...declared, alternative: Answer.extend(ofAnswer).optional() });
  return {
    schema,
    shape: schema.shape,
    // A rubric names the fields of one answer, and they mean either.
    paths: pathsOf(schema.shape, '').filter((path) => !path.startsWith('alternative.')),
    groups,
    words,
  };
}

/** The declared fields of a format, in the order of their files. */
export const declaredFields = ({ groups }: Pick<CaseFormat, 'groups'>): Field[] =>
  [...groups.values()].flat();

/**
 * What of a kept case, or of a part of one, the format of today still knows.
 *
 * @returns `unknown`: paths of what it does not know, or knows as something else
 */
export function knownPart(kept: CaseParts, format: CaseFormat): { known: CaseParts; unknown: string[] } {
  const fields = new Map<string, Field>(declaredFields(format).map((field) => [pathOfField(field), field]));
  const unknown: string[] = [];
  const isKnown = (path: string, value: unknown): boolean => {
    const field = fields.get(path);
    const known =
      format.paths.includes(path) && (field === undefined || schemaOfField(field).safeParse(value).success);
    if (!known) unknown.push(path);
    return known;
  };
  const known = Object.entries(kept).flatMap(([key, value]): [string, unknown][] => {
    if (value === undefined) return [];
    if (!format.groups.has(key) && key !== 'context' && key !== 'recommendation')
      return isKnown(key, value) ? [[key, value]] : [];
    if (!isRecord(value)) {
      unknown.push(key);
      return [];
    }
    const inner = Object.entries(value).filter(([name, held]) => isKnown(`${key}.${name}`, held));
    return inner.length === 0 && Object.keys(value).length > 0 ? [] : [[key, Object.fromEntries(inner)]];
  });
  return { known: keptParts(Object.fromEntries(known)), unknown };
}

/** Lines of a paste that give the contract's own fields, with made-up values. */
const LINES: Readonly<Record<string, string>> = {
  'context.date': 'Date: 2026-03-02',
  'context.time': 'Time: 20:35',
  'context.location': 'Location: 52.53, 13.41',
  'recommendation.name': 'Name: Chez Luc',
  'recommendation.location': 'Address: 52.54, 13.42',
  'recommendation.cuisine': 'Cuisine: French',
  'recommendation.menu': 'Menu: onion soup, ratatouille',
  'recommendation.cost': 'Cost: medium',
  'recommendation.rating': 'Rating: 4.6',
  'recommendation.openingHours': 'Opening hours: daily 12:00-22:00',
  'recommendation.distanceKm': 'Distance: 1.2 km',
  'recommendation.durationMin': 'Duration: 5 min',
  latencyMs: 'Latency: 1.8 s',
  language: 'Language: en',
  groundTruth: 'Ground truth: Alien',
};

const bare = (text: string): string => text.toLowerCase().replaceAll(/[ _-]/g, '');

/** How a line of a paste would name a declared field: by its title where that is one of its labels. */
export function labelOfField({ name, title, labels }: Field): string {
  const isLabel = [name, ...labels].some((label) => bare(label) === bare(title));
  return capital(isLabel ? title : (labels[0] ?? name));
}

/** How to write the value of a declared field, as a hint (empty where there is nothing to say), and such a value. */
export function howToWrite({ type, units }: Pick<Field, 'type' | 'units'>): {
  hint: string;
  example: string;
} {
  const [unit] = Object.keys(units ?? {});
  switch (type) {
    case 'text':
      return { hint: '', example: '…' };
    case 'number':
      return !unit
        ? { hint: 'A number.', example: '5' }
        : { hint: `A number, in ${unit} unless another unit is given.`, example: `5 ${unit}` };
    case 'list':
      return { hint: 'Separated by commas; "none" for an empty list.', example: '…, …' };
    case 'boolean':
      return { hint: 'yes or no', example: 'yes' };
    case 'place':
      return {
        hint: 'A name, coordinates or both: Prenzlauer Berg, Berlin (52.53, 13.41)',
        example: '52.53, 13.41',
      };
    case 'hours':
      return {
        hint: 'A line each, such as "Monday: 12:00-20:00", "Sunday: closed".',
        example: 'daily 08:00-20:00',
      };
  }
}

/** A line of a paste that gives what stands at a path of a case, such as `Duration: 5 min`; null where no line does. */
export function lineFor(path: string, { groups }: Pick<CaseFormat, 'groups'>): string | null {
  const declared = declaredFields({ groups }).find((field) => pathOfField(field) === path);
  if (declared !== undefined) return `${labelOfField(declared)}: ${howToWrite(declared).example}`;
  return LINES[path] ?? null;
}

/** Which fields a case lacks, by what people call them, and how to give them: ``no time given: add `Time: 20:35` ``. */
export function explainMissing(paths: readonly string[], format: Pick<CaseFormat, 'groups'>): string {
  const lines = paths.map((path) => lineFor(path, format) ?? `${path}: …`);
  const names = lines.map((line) => (line.split(':')[0] ?? '').toLowerCase());
  return `no ${names.join(' and no ')} given: add ${lines.map((line) => `\`${line}\``).join(' and ')}`;
}
