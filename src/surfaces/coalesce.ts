/** Does at most one thing a moment for each key; of what comes in between, the latest. */
export interface Coalescer {
  schedule: (key: string, task: () => Promise<void>) => void;
  /** Drops what waits for a key and resolves when nothing runs for it any more. */
  drop: (key: string) => Promise<void>;
  /** Does what waits at once and resolves when all is done. */
  flush: () => Promise<void>;
}

interface Lane {
  lastAt: number;
  next: (() => Promise<void>) | null;
  running: Promise<void> | null;
  timer: NodeJS.Timeout | null;
}

/**
 * @param everyMs least time between two beginnings for one key
 * @param onError told of what a task threw; nothing else becomes of it
 */
export function createCoalescer(everyMs: number, onError: (thrown: unknown) => void): Coalescer {
  const lanes = new Map<string, Lane>();

  function start(key: string, lane: Lane): void {
    const task = lane.next;
    lane.timer = null;
    if (task === null || lane.running !== null) return;
    lane.next = null;
    lane.lastAt = performance.now();
    lane.running = task()
      .catch(onError)
      .then(() => {
        lane.running = null;
        if (lane.next !== null) arm(key, lane);
        else forgetLater(key, lane);
      });
  }
  function arm(key: string, lane: Lane): void {
    if (lane.timer !== null || lane.running !== null) return;
    const wait = lane.lastAt + everyMs - performance.now();
    if (wait <= 0) start(key, lane);
    else lane.timer = setTimeout(() => start(key, lane), wait);
  }
  /** A lane is only needed for as long as the next task would have to wait. */
  function forgetLater(key: string, lane: Lane): void {
    lane.timer = setTimeout(() => {
      lane.timer = null;
      if (lane.next === null && lane.running === null) lanes.delete(key);
      else arm(key, lane);
    }, everyMs);
    lane.timer.unref();
  }

  return {
    schedule: (key, task) => {
      const lane = lanes.get(key) ?? {
        lastAt: Number.NEGATIVE_INFINITY,
        next: null,
        running: null,
        timer: null,
      };
      lanes.set(key, lane);
      lane.next = task;
      arm(key, lane);
    },
    drop: async (key) => {
      const lane = lanes.get(key);
      if (lane === undefined) return;
      lane.next = null;
      if (lane.timer !== null) clearTimeout(lane.timer);
      lane.timer = null;
      await lane.running;
      if (lane.next === null) lanes.delete(key);
    },
    flush: async () => {
      for (const [key, lane] of lanes) {
        if (lane.timer !== null) clearTimeout(lane.timer);
        lane.timer = null;
        await lane.running;
        start(key, lane);
        await lane.running;
      }
    },
  };
}
