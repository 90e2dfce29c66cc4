import { dayOf } from '../common/text.ts';
import { type CountKey, type CountRow, isTwoSided } from './verdict-record.ts';

/** Monday of a day's week, `2026-11-16`. @param day `2026-11-21` */
export function mondayOf(day: string): string {
  const date = new Date(`${day}T00:00:00Z`);
  date.setUTCDate(date.getUTCDate() - ((date.getUTCDay() + 6) % 7));
  return dayOf(date);
}

/** Group of judges without a persona. */
const NEUTRAL = '(neutral)';

type GroupedKey = Pick<CountKey, 'day' | 'rubric' | 'method' | 'subject'>;

/** What agreement can be grouped by. `persona` and `model` group single judges, the others whole panels or criteria. */
export const groupings = [
  'rubric',
  'criterion',
  'method',
  'model',
  'persona',
  'day',
  'week',
  'month',
] as const;
export type Grouping = (typeof groupings)[number];

/** What is counted, and the group of a count. The subject of a judge is a `judgeKey`, in which a persona's id has no `@`. */
const by: Record<Grouping, [kind: CountKey['kind'], groupOf: (key: GroupedKey) => string]> = {
  rubric: ['verdict', ({ rubric }) => rubric],
  criterion: ['criterion', ({ rubric, subject }) => `${rubric}: ${subject}`],
  method: ['verdict', ({ method }) => method],
  model: ['judge', ({ subject }) => subject.slice(subject.indexOf('@') + 1)],
  persona: ['judge', ({ subject }) => subject.slice(0, subject.indexOf('@')) || NEUTRAL],
  day: ['verdict', ({ day }) => day],
  week: ['verdict', ({ day }) => mondayOf(day)],
  month: ['verdict', ({ day }) => day.slice(0, 7)],
};

export const kindOf = (grouping: Grouping): CountKey['kind'] => by[grouping][0];
export const groupOf = (key: GroupedKey, grouping: Grouping): string => by[grouping][1](key);

/** The counts of each group. Subjects that votes can only agree with are left out. */
export function countGroups(rows: readonly CountRow[], grouping: Grouping): Map<string, CountRow[]> {
  const groups = new Map<string, CountRow[]>();
  for (const row of rows) {
    if (row.key.kind !== kindOf(grouping) || !isTwoSided(row.key)) continue;
    const name = groupOf(row.key, grouping);
    const group = groups.get(name);
    if (group === undefined) groups.set(name, [row]);
    else group.push(row);
  }
  return groups;
}
