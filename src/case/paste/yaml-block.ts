import { CORE_SCHEMA, load } from 'js-yaml';
import type { DeclaredLabels } from './declared-labels.ts';
import { isTooDeep } from './find-json.ts';
import { meaningOf } from './labels.ts';

/** What a text that is no YAML takes from the budget beside its length: errors are dear. */
const FAILURE = 2000;

const indentOf = (line: string): number => line.length - line.trimStart().length;

/** Where the lines end that are indented more than the one at `at`. */
function endOf(lines: readonly string[], at: number): number {
  const indent = indentOf(lines[at] ?? '');
  let end = at + 1;
  while (end < lines.length && (lines[end]?.trim() === '' || indentOf(lines[end] ?? '') > indent)) end += 1;
  while (end > at + 1 && lines[end - 1]?.trim() === '') end -= 1;
  return end;
}

/**
 * The object that the indented lines below a header make in YAML, with at least one key that we know, and how many
 * lines it takes. Null where they make none: then each is read by itself.
 *
 * @param budget characters that may still be looked at; what was looked at is taken from it
 */
export function yamlBlock(
  lines: readonly string[],
  at: number,
  budget: { left: number },
  declared: DeclaredLabels,
): { value: object; length: number } | null {
  if (budget.left <= 0) return null;
  const end = endOf(lines, at);
  if (end === at + 1) return null;
  const text = lines.slice(at + 1, end).join('\n');
  budget.left -= text.length;
  if (budget.left < 0 || text.length > 100_000 || isTooDeep(text)) return null;
  try {
    const value: unknown = load(text.replaceAll('\t', '  '), { schema: CORE_SCHEMA, maxAliases: 0 });
    const isObject = typeof value === 'object' && value !== null && !Array.isArray(value);
    return isObject && Object.keys(value).some((key) => meaningOf(key, declared) !== null)
      ? { value, length: end - at }
      : null;
  } catch {
    budget.left -= FAILURE;
    return null;
  }
}
