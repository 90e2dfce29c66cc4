import { type CountKey, type CountRow, isTwoSided } from './verdict-record.ts';

export type Period = 'day' | 'week' | 'month';

/** Monday of a day's week. */
function mondayOf(day: string): string {
  const date = new Date(`${day}T00:00:00Z`);
  date.setUTCDate(date.getUTCDate() - ((date.getUTCDay() + 6) % 7));
  return date.toISOString().slice(0, 10);
}

/** The day itself, the Monday of its week (`2026-11-16`), or its month (`2026-11`). @param day `2026-11-21` */
export function periodOf(day: string, period: Period): string {
  switch (period) {
    case 'day':
      return day;
    case 'week':
      return mondayOf(day);
    case 'month':
      return day.slice(0, 7);
  }
}

/** What agreement can be grouped by. `persona` and `model` group single judges, the others whole panels. */
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

export function kindOf(by: Grouping): CountKey['kind'] {
  switch (by) {
    case 'criterion':
      return 'criterion';
    case 'model':
    case 'persona':
      return 'judge';
    default:
      return 'verdict';
  }
}

/** Group of judges without a persona. */
const NEUTRAL = '(neutral)';

/** The group of a `judgeKey`; persona ids contain no `@`. */
export function judgeGroup(key: string, by: 'persona' | 'model'): string {
  const at = key.indexOf('@');
  return by === 'model' ? key.slice(at + 1) : key.slice(0, at) || NEUTRAL;
}

function groupOf({ day, rubric, method, subject }: CountKey, by: Grouping): string {
  switch (by) {
    case 'rubric':
      return rubric;
    case 'criterion':
      return `${rubric}: ${subject}`;
    case 'method':
      return method;
    case 'model':
    case 'persona':
      return judgeGroup(subject, by);
    case 'day':
    case 'week':
    case 'month':
      return periodOf(day, by);
  }
}

/** The counts of each group. Subjects that votes can only agree with are left out. */
export function countGroups(rows: readonly CountRow[], by: Grouping): Map<string, CountRow[]> {
  const kind = kindOf(by);
  const groups = new Map<string, CountRow[]>();
  for (const row of rows) {
    if (row.key.kind !== kind || !isTwoSided(row.key)) continue;
    const name = groupOf(row.key, by);
    const group = groups.get(name);
    if (group === undefined) groups.set(name, [row]);
    else group.push(row);
  }
  return groups;
}
