import { readdir } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import * as z from 'zod';
import type { EvalCase } from '../../case/case.ts';
import { groupedBy } from '../../common/collections.ts';
import { fileReason, JuryError } from '../../common/errors.ts';
import { createRandom } from '../../statistics/random.ts';

/** Some cases of each day of a log. */
export const Sample = z.strictObject({
  perDay: z.int().min(1),
  seed: z.int().min(0),
  /** The tag whose values are to have the shares that they have in the log. */
  by: z.string().trim().min(1).optional(),
});
export type Sample = z.infer<typeof Sample>;

const pattern = (name: string): RegExp =>
  new RegExp(
    `^${name
      .replaceAll(/[.+^${}()|[\]\\]/g, '\\$&')
      .replaceAll('*', '.*')
      .replaceAll('?', '.')}$`,
  );

const byName = new Intl.Collator('en', { numeric: true }).compare;

/**
 * The files that paths name, with `*` and `?` in their last part.
 *
 * @param newest only the last one by name, numbers by their value
 * @throws JuryError `usage` if a path with `*` or `?` names none
 */
export async function namedFiles(paths: readonly string[], newest: boolean): Promise<string[]> {
  const found: string[] = [];
  for (const path of paths) {
    const [folder, name] = [dirname(path), basename(path)];
    if (!/[*?]/.test(name)) {
      found.push(path);
      continue;
    }
    const names = await readdir(folder).catch((cause: unknown) => {
      throw new JuryError('usage', `Cannot read ${folder}: ${fileReason(cause)}.`, { cause });
    });
    const matching = names.filter((one) => !one.startsWith('.') && pattern(name).test(one)).sort(byName);
    if (matching.length === 0) throw new JuryError('usage', `No file matches ${path}.`);
    found.push(...matching.map((one) => join(folder, one)));
  }
  if (!newest) return found;
  return found.sort((a, b) => byName(basename(a), basename(b)) || byName(a, b)).slice(-1);
}

/** The day of a case of a log; all without one are of the same day. */
const dayOf = ({ tags, context }: EvalCase): string => (tags?.date ?? context?.date ?? '').slice(0, 10);

/** How many of each group to take, in all `count`: by the groups' shares, the largest remainders rounded up. */
function shares(sizes: readonly number[], count: number): number[] {
  const all = sizes.reduce((sum, size) => sum + size, 0);
  if (count >= all) return [...sizes];
  const exact = sizes.map((size) => (size * count) / all);
  const taken = exact.map(Math.floor);
  const order = [...exact.keys()].sort((a, b) => ((exact[b] ?? 0) % 1) - ((exact[a] ?? 0) % 1) || a - b);
  const missing = count - taken.reduce((sum, size) => sum + size, 0);
  for (const at of order.slice(0, missing)) taken[at] = (taken[at] ?? 0) + 1;
  return taken;
}

/**
 * Some cases of each day, in their order. Whether a case is taken depends on the seed and the cases of its day alone, not on their
 * order.
 */
export function sampled(cases: readonly EvalCase[], { perDay, seed, by }: Sample): EvalCase[] {
  const rank = (one: EvalCase) => createRandom(seed, one.id ?? JSON.stringify(one)).uint32();
  const taken = new Set<EvalCase>();
  for (const ofDay of groupedBy(cases, dayOf).values()) {
    const strata = [...groupedBy(ofDay, ({ tags }) => (by === undefined ? '' : (tags?.[by] ?? '')))]
      .sort(([a], [b]) => byName(a, b))
      .map(([, stratum]) => stratum);
    const counts = shares(
      strata.map(({ length }) => length),
      perDay,
    );
    for (const [at, stratum] of strata.entries()) {
      const ranked = stratum.map((one) => ({ one, rank: rank(one) })).sort((a, b) => a.rank - b.rank);
      for (const { one } of ranked.slice(0, counts[at])) taken.add(one);
    }
  }
  return cases.filter((one) => taken.has(one));
}
