import type { CountRow } from './vote-counts.ts';

/**
 * Verdicts that counts are of, at least: of each panel, day and channel, as many as the subject that is counted most often
 * there. Exact where a verdict has no two of the subjects. Where it has, such as three judges of one model, their answers
 * belong together, and so many verdicts are what an interval can rest on.
 */
export function verdictsIn(rows: readonly CountRow[]): number {
  const cells = new Map<string, Map<string, number>>();
  for (const { key, items } of rows) {
    const { day, channel, rubric, method, models, subject } = key;
    const name = JSON.stringify([day, channel, rubric, method, models]);
    const cell = cells.get(name) ?? new Map<string, number>();
    cells.set(name, cell);
    cell.set(subject, (cell.get(subject) ?? 0) + items);
  }
  return [...cells.values()].reduce((total, cell) => total + Math.max(...cell.values()), 0);
}
