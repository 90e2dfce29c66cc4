/** Runs at most one task per interval for each key; of those that come in between, only the latest. */
export interface Coalescer {
  schedule: (key: string, task: () => Promise<void>) => void;
  /** Drops the task waiting for a key, and resolves when none is running for it. */
  drop: (key: string) => Promise<void>;
  /** Runs all waiting tasks at once, and resolves when they are done. */
  flush: () => Promise<void>;
}

/** A key whose last task began less than an interval ago. */
interface Lane {
  next: (() => Promise<void>) | null;
  running: Promise<void>;
  /** Ends the pause between two tasks. */
  wake: () => void;
  /** Resolves when nothing is running or waiting. */
  done: Promise<void>;
}

/**
 * @param everyMs the least time between the starts of two tasks for one key
 * @param onError called with whatever a task throws
 */
export function createCoalescer(everyMs: number, onError: (thrown: unknown) => void): Coalescer {
  const lanes = new Map<string, Lane>();
  let hurried = false;

  async function work(key: string, lane: Lane): Promise<void> {
    while (lane.next !== null) {
      const begun = performance.now();
      const task = lane.next;
      // What the task itself schedules runs after it.
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
