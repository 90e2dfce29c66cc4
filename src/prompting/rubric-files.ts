import { isRecord } from '../case/is-record.ts';
import { Rubric } from '../judging/rubric.ts';
import { checked, filesOf, type Problems, withId, yamlOf } from './prompt-files.ts';

const listAt = (data: Record<string, unknown>, key: string): unknown[] => {
  const value = data[key];
  return Array.isArray(value) ? value : [];
};

/**
 * A rubric's own data with the criteria and error types of the rubrics that it includes before its own. Only files that
 * stand for themselves can be included, so that nobody has to follow a chain.
 */
function withIncluded(
  data: Record<string, unknown>,
  all: ReadonlyMap<string, unknown>,
  path: string,
  problems: Problems,
): Record<string, unknown> {
  const { include, ...own } = data;
  if (include === undefined) return own;
  const bases = listAt(data, 'include').flatMap((id): Record<string, unknown>[] => {
    const base = typeof id === 'string' ? all.get(id) : undefined;
    if (isRecord(base) && base.include === undefined) return [base];
    const possible = [...all].filter(([, other]) => isRecord(other) && other.include === undefined);
    problems.push(
      `${path}: include: there is no rubric ${JSON.stringify(id)} that includes no other; there is: ${possible.map(([name]) => name).join(', ')}`,
    );
    return [];
  });
  const pooled = (key: string) => [...bases.flatMap((base) => listAt(base, key)), ...listAt(own, key)];
  const errorTypes = [...new Map(pooled('errorTypes').map((type) => [JSON.stringify(type), type])).values()];
  return { ...own, criteria: pooled('criteria'), ...(errorTypes.length > 0 ? { errorTypes } : {}) };
}

/** Reads and checks the rubrics of prompts folders, by id. */
export function rubricsOf(folders: readonly string[], problems: Problems): Map<string, Rubric> {
  const files = filesOf(folders, 'rubrics', '.yaml', problems);
  const all = new Map([...files].map(([id, file]) => [id, yamlOf(file, problems)]));
  const rubrics = new Map<string, Rubric>();
  for (const [id, { path }] of files) {
    const data = all.get(id);
    const whole = isRecord(data) ? withIncluded(data, all, path, problems) : data;
    const rubric = checked(Rubric, withId(id, whole), path, problems);
    if (rubric !== undefined) rubrics.set(id, rubric);
  }
  return rubrics;
}
