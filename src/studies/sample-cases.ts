import { createRandom } from '../statistics/random.ts';
import { categoryOf, type StudyCase } from './study.ts';

/** Cases by the category of their label, categories by name. */
export function byCategory<T>(cases: readonly T[], category: (one: T) => string): T[][] {
  const groups = new Map<string, T[]>();
  for (const one of cases) {
    const group = groups.get(category(one));
    if (group === undefined) groups.set(category(one), [one]);
    else group.push(one);
  }
  return [...groups].sort(([a], [b]) => (a < b ? -1 : 1)).map(([, group]) => group);
}

const requestOf = ({ evalCase }: StudyCase): string => JSON.stringify(evalCase.conversation);

/**
 * A sample that has as many correct cases as cases of each error, or one more, for as long as there are enough; a request
 * comes twice only where its category has no others. In the order of the dataset. The same seed takes the same cases.
 *
 * @param count at least 1; all cases where there are fewer
 */
export function sampleCases(cases: readonly StudyCase[], count: number, seed: number): StudyCase[] {
  const random = createRandom(seed, 'study cases');
  let left = random.shuffled(
    byCategory(cases, ({ evalCase }) => categoryOf(evalCase)).map((group) => random.shuffled(group)),
  );
  const chosen = new Set<StudyCase>();
  const requests = new Set<string>();
  while (chosen.size < count && left.length > 0) {
    for (const group of left) {
      if (chosen.size === count) break;
      const fresh = group.findIndex((one) => !requests.has(requestOf(one)));
      const [one] = group.splice(Math.max(fresh, 0), 1);
      if (one === undefined) continue;
      chosen.add(one);
      requests.add(requestOf(one));
    }
    left = left.filter((group) => group.length > 0);
  }
  return cases.filter((one) => chosen.has(one));
}
