import * as z from 'zod';
import {
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
import { type Field, pathOfField } from './field.ts';
import type { Words } from './words.ts';

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

function grouped(fields: readonly Field[]): Map<string, Field[]> {
  const groups = new Map<string, Field[]>();
  for (const field of fields) {
    const group = groups.get(field.of ?? '');
    if (group) group.push(field);
    else groups.set(field.of ?? '', [field]);
  }
  return groups;
}

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
  const groups = grouped(fields);
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
  const schema = EvalCase.extend(declared);
  return {
    schema,
    shape: schema.shape,
    paths: pathsOf(schema.shape, ''),
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
