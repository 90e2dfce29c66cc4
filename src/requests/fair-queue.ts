/**
 * Runs a limited number of tasks at a time, with owners taking turns, so that a large request does not hold up small
 * ones.
 *
 * @param limit most tasks running at once
 */
export function createFairQueue(limit: number) {
  /** Waiting tasks by owner; the owner whose turn is next comes first. */
  const waiting = new Map<string, (() => void)[]>();
  let running = 0;

  function next(): void {
    if (running >= limit) return;
    const [turn] = waiting;
    if (turn === undefined) return;
    const [owner, tasks] = turn;
    const begin = tasks.shift();
    waiting.delete(owner);
    if (tasks.length > 0) waiting.set(owner, tasks);
    if (begin === undefined) return;
    running += 1;
    begin();
  }

  return {
    /** @param owner the owner whose turn it uses */
    run: <T>(owner: string, task: () => Promise<T>): Promise<T> =>
      new Promise((resolve, reject) => {
        const begin = () => {
          task()
            .then(resolve, reject)
            .finally(() => {
              running -= 1;
              next();
            });
        };
        waiting.set(owner, [...(waiting.get(owner) ?? []), begin]);
        next();
      }),
    /** Number of waiting and running tasks. */
    depth: () => ({
      waiting: [...waiting.values()].reduce((sum, tasks) => sum + tasks.length, 0),
      running,
    }),
  };
}

export type FairQueue = ReturnType<typeof createFairQueue>;
