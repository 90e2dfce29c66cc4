import { type CaseParts, keptParts } from './case.ts';
import { type CaseFormat, declaredFields, schemaOfField } from './case-format.ts';
import { type Field, pathOfField } from './field.ts';
import { isRecord } from './is-record.ts';

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
