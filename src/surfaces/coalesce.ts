/** Does at most one thing a moment for each key; of what comes in between, the latest. */
export interface Coalescer {
  schedule: (key: string, task: () => Promise<void>) => void;
  /** Drops what waits for a key and resolves when nothing runs for it any more. */
  drop: (key: string) => Promise<void>;
  /** Does what waits at once and resolves when all is done. */
  flush: () => Promise<void>;
}

/** A key that did something less than a moment ago. */
interface Lane {
  next: (() => Promise<void>) | null;
  running: Promise<void>;
  /** Ends the pause between two tasks. */
  wake: () => void;
  /** Resolves when nothing runs or waits. */
  done: Promise<void>;
}

/**
 * @param everyMs least time between two beginnings for one key
 * @param onError called with what a task threw, which goes nowhere else
 */
export function createCoalescer(everyMs: number, onError: (thrown: unknown) => void): Coalescer {
  const lanes = new Map<string, Lane>();
  let hurried = false;

  async function work(key: string, lane: Lane): Promise<void> {
    while (lane.next !== null) {
      const begun = performance.now();
      const task = lane.next;
      // What the task itself schedules comes after it.
      lane.next = null;
      lane.running = task().catch(onError);
      await lane.running;
      const left = begun + everyMs - performance.now();
      if (left > 0 && !hurried)
        await new Promise<void>((wake) => {
          const timer = setTimeout(wake, left);
          lane.wake = () => {
            clearTimeout(timer);
            wake();
          };
        });
    }
    lanes.delete(key);
  }

  return {
    schedule: (key, task) => {
      const lane = lanes.get(key);
      if (lane !== undefined) {
        lane.next = task;
        return;
      }
      const begun: Lane = { next: task, running: Promise.resolve(), wake: () => {}, done: Promise.resolve() };
      lanes.set(key, begun);
      begun.done = work(key, begun);
    },
    drop: async (key) => {
      const lane = lanes.get(key);
      if (lane === undefined) return;
      lane.next = null;
      await lane.running;
    },
    flush: async () => {
      hurried = true;
      for (const lane of lanes.values()) lane.wake();
      await Promise.all([...lanes.values()].map(({ done }) => done));
      hurried = false;
    },
  };
}
