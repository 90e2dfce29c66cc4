/** Runs tasks, so many at a time, and lets their owners take turns: who asks for much does not hold up who asks for little. */
export interface FairQueue {
  /** @param owner whose turn it takes */
  run<T>(owner: string, task: () => Promise<T>): Promise<T>;
  /** Tasks that wait for their turn, and that run. */
  depth(): { waiting: number; running: number };
}

/** @param limit most tasks at the same time */
export function createFairQueue(limit: number): FairQueue {
  /** Tasks that wait, by owner; the owner whose turn is next comes first. */
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
    run: (owner, task) =>
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
    depth: () => ({
      waiting: [...waiting.values()].reduce((sum, tasks) => sum + tasks.length, 0),
      running,
    }),
  };
}
