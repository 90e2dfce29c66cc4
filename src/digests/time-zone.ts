const HOUR = 3_600_000;
const DAY = 24 * HOUR;

/** Instants of a wall clock's reading, ms since the epoch. `gap`: the clock never reads so; `end` is when it jumped over it. */
type WallInstants = { kind: 'once' | 'twice'; first: number; last: number } | { kind: 'gap'; end: number };

/** A time zone's clock. Wall times are ms as if they were UTC. */
export interface Zone {
  /** How far the wall clock is ahead of UTC at an instant, ms. */
  offsetAt(instant: number): number;
  instantsOf(wall: number): WallInstants;
}

/** Whether a name is a time zone that this machine knows. */
export function isTimeZone(name: string): boolean {
  try {
    new Intl.DateTimeFormat('en-US', { timeZone: name });
    return true;
  } catch {
    return false;
  }
}

/** @throws RangeError where there is no time zone of that name */
export function createZone(name: string): Zone {
  const format = new Intl.DateTimeFormat('en-US', {
    timeZone: name,
    hourCycle: 'h23',
    year: 'numeric',
    month: 'numeric',
    day: 'numeric',
    hour: 'numeric',
    minute: 'numeric',
    second: 'numeric',
  });

  function offsetAt(instant: number): number {
    const whole = Math.floor(instant / 1000) * 1000;
    const parts = new Map(format.formatToParts(whole).map(({ type, value }) => [type, Number(value)]));
    const part = (type: Intl.DateTimeFormatPartTypes): number => parts.get(type) ?? 0;
    const wall = Date.UTC(
      part('year'),
      part('month') - 1,
      part('day'),
      part('hour'),
      part('minute'),
      part('second'),
    );
    return wall - whole;
  }

  /** When the clock was changed between two instants whose offsets differ. */
  function changeBetween(from: number, to: number): number {
    const after = offsetAt(to);
    let [low, high] = [from, to];
    while (high - low > 1) {
      const middle = Math.floor((low + high) / 2);
      if (offsetAt(middle) === after) high = middle;
      else low = middle;
    }
    return high;
  }

  return {
    offsetAt,
    instantsOf: (wall) => {
      // Offsets of a day before and after: a clock is changed less often than that.
      const offsets = [...new Set([offsetAt(wall - DAY), offsetAt(wall + DAY)])];
      const instants = offsets
        .map((offset) => wall - offset)
        .filter((instant) => instant + offsetAt(instant) === wall)
        .sort((a, b) => a - b);
      const [first, last = first] = instants;
      if (first !== undefined && last !== undefined)
        return { kind: first === last ? 'once' : 'twice', first, last };
      return { kind: 'gap', end: changeBetween(wall - DAY, wall + DAY) };
    },
  };
}
