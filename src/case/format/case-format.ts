import * as z from 'zod';
import { groupedBy, Id, line } from '../../common/index.ts';
import { capital } from '../../common/text/index.ts';
import { type Language, wordsIn } from '../../words/index.ts';
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
} from '../index.ts';
import { noReaders, type TraceReaders } from './trace-readers.ts';
import type { Words } from './words.ts';

const Name = z
  .string()
  .regex(
    /^[a-z][A-Za-z0-9]{0,39}$/,
    'must be letters and digits and begin with a small letter: pricePerLiter',
  );

/** A declared field: a field of a case that a file in `prompts/fields/` adds to those of the contract. */
export const Field = z
  .strictObject({
    name: Name,
    /** The object of the case that holds it: `recommendation`, `context` or a new one. If omitted, the case itself. */
    of: Name.optional(),
    /** Its name in messages: `price per liter`. */
    title: line,
    type: z.enum(['text', 'number', 'list', 'boolean', 'place', 'hours']),
    /** Other names, in any language, for the field in a line of a paste or as a key of an object. */
    labels: z.array(line).default([]),
    /**
     * For numbers: every spelling of a unit, and its size in the field's own unit. The first entry is the field's own
     * unit; an empty key means that it may be any of several.
     */
    units: z.record(z.string().trim(), z.number().positive()).optional(),
    /**
     * Labels shared with other fields, and the units that tell this field apart: "price" is this field if the value is in
     * €/l. Each unit must be in `units`.
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

/** The declared fields of one topic, read from `prompts/fields/<id>.yaml`. */
export const FieldFile = z.strictObject({
  id: Id,
  title: line,
  source: line,
  fields: z.array(Field).min(1),
});
export type FieldFile = z.infer<typeof FieldFile>;

/** The path of the field in a case: `recommendation.fuels`. */
export const pathOfField = ({ of, name }: Field): string => (of === undefined ? name : `${of}.${name}`);

/** The format of cases: the fields of the contract and those declared in prompt files. */
export interface CaseFormat {
  /** Rejects unknown keys. */
  schema: z.ZodType<EvalCase>;
  /** The schema of each key of a case. */
  shape: Readonly<Record<string, z.ZodType>>;
  /** Every path at which a case can hold a value, such as `context.date`. Rubrics may refer to these. */
  paths: readonly string[];
  /** The vocabulary for reading pastes. */
  words: Words;
  /** The readers of traces and logs. */
  readers: TraceReaders;
  /** The declared fields by the object of the case that holds them; '' is the case itself. */
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

/** The schema of a declared field's value; always optional. */
export function schemaOfField({ type, min, max, title }: Field): z.ZodType {
  const about = `${capital(title)}.`;
  if (type !== 'number') return typeOf[type].optional().describe(about);
  const least = min === undefined ? z.number() : z.number().min(min);
  return (max === undefined ? least : least.max(max)).optional().describe(about);
}

const shapeOf = (fields: readonly Field[]): Record<string, z.ZodType> =>
  Object.fromEntries(fields.map((field) => [field.name, schemaOfField(field)]));

const OPEN: Readonly<Record<string, typeof Recommendation | typeof Context>> = {
  recommendation: Recommendation,
  context: Context,
};

/** A schema that replaces one of the contract's and keeps its description. */
const inPlaceOf = <T extends z.ZodType>({ description }: z.ZodType, schema: T): T =>
  description === undefined ? schema : schema.describe(description);

/** Whether fields can be declared in this object of a case. */
export const isOpenGroup = (name: string): boolean =>
  Object.hasOwn(OPEN, name) || !Object.hasOwn(EvalCase.shape, name);

/**
 * The format of a case with declared fields. The caller must ensure that no two fields share a name or label; if they do,
 * the first one wins.
 */
export function caseFormat(
  fields: readonly Field[],
  words: Words,
  readers: TraceReaders = noReaders,
): CaseFormat {
  const groups = groupedBy(fields, ({ of = '' }) => of);
  const shape: Readonly<Record<string, z.ZodType>> = EvalCase.shape;
  const objects = [...groups].flatMap(([name, inner]): [string, z.ZodType][] => {
    if (name === '') return [];
    const base = OPEN[name];
    const whole = base === undefined ? z.strictObject(shapeOf(inner)) : base.extend(shapeOf(inner));
    const own = shape[name];
    return [[name, own === undefined ? whole.optional() : inPlaceOf(own, whole.optional())]];
  });
  // Fields are declared at run time, so the static type of a case stays that of the contract.
  const declared: Record<never, z.ZodType> = {
    ...shapeOf(groups.get('') ?? []),
    ...Object.fromEntries(objects),
  };
  const ofAnswer: Record<never, z.ZodType> = Object.fromEntries(
    objects.filter(([name]) => name !== 'context'),
  );
  const alternative = inPlaceOf(EvalCase.shape.alternative, Answer.extend(ofAnswer).optional());
  const schema = EvalCase.extend({ ...declared, alternative });
  return {
    schema,
    shape: schema.shape,
    // Rubrics name the fields of one answer and apply to both.
    paths: pathsOf(schema.shape, '').filter((path) => !path.startsWith('alternative.')),
    groups,
    words,
    readers,
  };
}

/** The declared fields of a format, in file order. */
export const declaredFields = ({ groups }: Pick<CaseFormat, 'groups'>): Field[] =>
  [...groups.values()].flat();

/**
 * Splits a stored case, or part of one, by whether the current format still knows each field.
 * @returns `unknown`: paths of fields that are no longer declared or whose type changed
 */
export function knownPart(kept: CaseParts, format: CaseFormat): { known: CaseParts; unknown: string[] } {
  const fields = new Map<string, Field>(declaredFields(format).map((field) => [pathOfField(field), field]));
  const unknown: string[] = [];
  const isKnown = (path: string, value: unknown): boolean => {
    const field = fields.get(path);
    const isDeclared =
      format.paths.includes(path) && (field === undefined || schemaOfField(field).safeParse(value).success);
    if (!isDeclared) unknown.push(path);
    return isDeclared;
  };
  const declared = Object.entries(kept).flatMap(([key, value]): [string, unknown][] => {
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
  return { known: keptParts(Object.fromEntries(declared)), unknown };
}

/** Example lines of a paste for the contract's own fields. */
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

/** The label of a declared field in a paste: its title if that is one of its labels, otherwise its first label. */
export function labelOfField({ name, title, labels }: Field): string {
  const isLabel = [name, ...labels].some((label) => bare(label) === bare(title));
  return capital(isLabel ? title : (labels[0] ?? name));
}

/** How to write the value of a declared field: a hint (may be empty) and an example. */
export function howToWrite(
  { type, units }: Pick<Field, 'type' | 'units'>,
  language: Language = 'en',
): {
  hint: string;
  example: string;
} {
  const { types } = wordsIn(language).fields;
  const [unit] = Object.keys(units ?? {});
  switch (type) {
    case 'text':
      return { hint: '', example: '…' };
    case 'number':
      return !unit
        ? { hint: types.number, example: '5' }
        : { hint: types.numberIn(unit), example: `5 ${unit}` };
    case 'list':
      return { hint: types.list, example: '…, …' };
    case 'boolean':
      return { hint: types.boolean, example: 'yes' };
    case 'place':
      return {
        hint: types.place,
        example: '52.53, 13.41',
      };
    case 'hours':
      return {
        hint: types.hours,
        example: 'daily 08:00-20:00',
      };
  }
}

/** A line of a paste that sets the field at a path, such as `Duration: 5 min`; null if no line can. */
export function lineFor(path: string, { groups }: Pick<CaseFormat, 'groups'>): string | null {
  const declared = declaredFields({ groups }).find((field) => pathOfField(field) === path);
  if (declared !== undefined) return `${labelOfField(declared)}: ${howToWrite(declared).example}`;
  return LINES[path] ?? null;
}

/** Says which fields a case lacks, by their labels, and how to add them: ``no time given: add `Time: 20:35` ``. */
export function explainMissing(paths: readonly string[], format: Pick<CaseFormat, 'groups'>): string {
  const lines = paths.map((path) => lineFor(path, format) ?? `${path}: …`);
  // Names as in JSON, such as `expectedCalls`, are written as they are.
  const inText = (name: string) => (/\p{Ll}\p{Lu}/u.test(name) ? name : name.toLowerCase());
  const names = lines.map((line) => inText(line.split(':')[0] ?? ''));
  return `no ${names.join(' and no ')} given: add ${lines.map((line) => `\`${line}\``).join(' and ')}`;
}
