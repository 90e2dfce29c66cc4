import type { Trial } from '../trial.ts';
import type { Mistake } from './report.ts';
import type { TrialFacts } from './trial-facts.ts';

/** Mistakes shown in all, and of one setup at least and at most: a page that holds them still opens on a phone. */
const IN_ALL = 600;
const AT_LEAST = 5;
const AT_MOST = 50;

/** Collects trials that did not come to what is right, in memory that does not grow with them. */
export interface MistakeList {
  add(setup: string, trial: Trial, facts: TrialFacts): void;
  /** The mistakes of the first cases of each setup, in the order of setups and cases; how many there are of each. */
  result(): { shown: Mistake[]; counts: Record<string, number> };
}

interface Placed {
  place: number;
  mistake: Mistake;
}

const before = (a: Placed, b: Placed): number => a.place - b.place || a.mistake.repeat - b.mistake.repeat;

export function createMistakeList(setups: readonly string[]): MistakeList {
  const most = Math.max(AT_LEAST, Math.min(AT_MOST, Math.floor(IN_ALL / Math.max(1, setups.length))));
  const lists = new Map(setups.map((id) => [id, { count: 0, shown: [] as Placed[] }]));
  return {
    add: (setup, { key, caseId, label, why }, { place, repeat, truth, outcome }) => {
      const list = lists.get(setup);
      if (list === undefined || truth === null || outcome === truth) return;
      list.count += 1;
      const errorType = label?.errorType ?? null;
      const mistake = { key, setup, repeat, caseId, truth, outcome, errorType, why, words: null };
      const placed = { place, mistake };
      const last = list.shown.at(-1);
      if (list.shown.length >= most && last !== undefined && before(last, placed) < 0) return;
      const at = list.shown.findIndex((other) => before(placed, other) < 0);
      list.shown.splice(at < 0 ? list.shown.length : at, 0, placed);
      if (list.shown.length > most) list.shown.pop();
    },
    result: () => ({
      shown: [...lists.values()].flatMap(({ shown }) => shown.map(({ mistake }) => mistake)),
      counts: Object.fromEntries([...lists].map(([id, { count }]) => [id, count])),
    }),
  };
}
