export type Period = 'day' | 'week' | 'month';

/** Monday of a day's week. */
function mondayOf(day: string): string {
  const date = new Date(`${day}T00:00:00Z`);
  date.setUTCDate(date.getUTCDate() - ((date.getUTCDay() + 6) % 7));
  return date.toISOString().slice(0, 10);
}

/** The period that a day lies in: itself, its week by its Monday (`2026-11-16`), or its month (`2026-11`). @param day `2026-11-21` */
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
