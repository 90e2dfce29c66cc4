import { type EvalCase, GROUP_TAG } from '../../case/index.ts';
import { JuryError } from '../../common/index.ts';
import { counted } from '../../common/text/index.ts';

/** Which cases belong together, such as those of one user, conversation or document, so that they are not independent. */
export interface Clusters {
  /** The same number for all cases of a group; the place of a case that is in none. */
  unitOf: (place: number) => number;
  /** A note on the groups for the report; null if no case is in a group. */
  note: string | null;
}

/** @param text `tags.NAME`, or nothing @throws JuryError `usage` for anything else */
export function readClusterTag(text: string | undefined): string | undefined {
  if (text === undefined) return undefined;
  const [, name] = /^tags\.(.+)$/s.exec(text) ?? [];
  if (name === undefined)
    throw new JuryError('usage', `--cluster-by ${text}: Must be tags.NAME, such as tags.${GROUP_TAG}.`);
  return name;
}

/**
 * Which cases belong together, by a tag.
 *
 * @param tag default: `group`
 * @throws JuryError `usage` if no case has that tag
 */
export function clustersOf(cases: Iterable<Pick<EvalCase, 'tags'>>, tag?: string): Clusters {
  const units: number[] = [];
  const firsts = new Map<string, number>();
  for (const { tags = {} } of cases) {
    const value = tags[tag ?? GROUP_TAG];
    const first = (value === undefined ? undefined : firsts.get(value)) ?? units.length;
    if (value !== undefined) firsts.set(value, first);
    units.push(first);
  }
  if (tag !== undefined && firsts.size === 0)
    throw new JuryError('usage', `No case has the tag "${tag}" of --cluster-by.`);
  const groups = new Set(units).size;
  return {
    unitOf: (place) => units[place] ?? place,
    note:
      groups === units.length
        ? null
        : `Intervals and p-values count ${counted(units.length, 'case')} as ${counted(groups, 'group')} of cases that belong together (tags.${tag ?? GROUP_TAG}).`,
  };
}
