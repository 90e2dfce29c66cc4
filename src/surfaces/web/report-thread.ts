import { Worker } from 'node:worker_threads';
import * as z from 'zod';
import { errorCodes, JuryError, onAbort } from '../../common/index.ts';
import type { Env } from '../../env.ts';
import { Made, type MadeOf, type Task, type TaskOf } from './report/tasks.ts';

const Answer = z.union([
  z.object({ id: z.number(), made: Made }),
  z.object({
    id: z.number(),
    problem: z.object({ code: z.enum(errorCodes), retryable: z.boolean(), message: z.string() }),
  }),
]);

const FAILED =
  'This report could not be made: it may take more memory than there is. "jury bench report" makes it as a file.';

interface Waiting {
  task: Task;
  resolve: (made: Made) => void;
  reject: (why: unknown) => void;
}

/** The variables that the thread needs to open the same runs. */
const NEEDED = ['JURY_DATA_DIR', 'REDIS_URL', 'JURY_REDACT'];

/**
 * A thread that prepares pages and numbers of runs, one after another. What somebody waits for comes before numbers for a list. It starts with
 * the first task and stays; if it dies, the next task starts another.
 */
export function createReportThread(
  { variable, reportWorker }: Pick<Env, 'variable' | 'reportWorker'>,
  leaving: AbortSignal,
) {
  const [urgent, others]: [Waiting[], Waiting[]] = [[], []];
  let worker: Worker | null = null;
  let current: Waiting | null = null;
  let count = 0;

  function next(): void {
    if (current !== null || leaving.aborted) return;
    current = urgent.shift() ?? others.shift() ?? null;
    if (current === null) return;
    worker ??= start();
    count += 1;
    worker.postMessage({ id: count, task: current.task });
  }
  function end(finish: (waiting: Waiting) => void): void {
    const ended = current;
    current = null;
    if (ended !== null) finish(ended);
    next();
  }
  function start(): Worker {
    const workerData = Object.fromEntries(
      NEEDED.flatMap((name) => {
        const value = variable(name);
        return value === undefined ? [] : [[name, value]];
      }),
    );
    const started = new Worker(reportWorker, { workerData, execArgv: [] });
    // It must not keep the process alive.
    started.unref();
    const failed = () => {
      if (worker !== started) return;
      worker = null;
      end(({ reject }) => reject(new JuryError('internal', FAILED)));
    };
    started.on('error', failed);
    started.on('exit', failed);
    started.on('message', (message: unknown) => {
      const answer = Answer.parse(message);
      if (answer.id !== count) return;
      end(({ resolve, reject }) => {
        if ('made' in answer) return resolve(answer.made);
        const { code, retryable, message: why } = answer.problem;
        reject(new JuryError(code, why, { retryable }));
      });
    });
    return started;
  }
  onAbort(leaving, () => {
    const gone = new JuryError('store-unavailable', 'Jury is stopping.', { retryable: true });
    for (const { reject } of [...urgent.splice(0), ...others.splice(0)]) reject(gone);
    void worker?.terminate();
  });

  const made = (task: Task): Promise<Made> =>
    new Promise((resolve, reject) => {
      (task.kind === 'numbers' ? others : urgent).push({ task, resolve, reject });
      next();
    });
  const otherwise = () => new JuryError('internal', FAILED);
  return {
    report: async (task: TaskOf<'report'>): Promise<MadeOf<'report'>> => {
      const report = await made(task);
      if (report.kind !== 'report') throw otherwise();
      return report;
    },
    comparison: async (task: TaskOf<'comparison'>): Promise<MadeOf<'comparison'>> => {
      const comparison = await made(task);
      if (comparison.kind !== 'comparison') throw otherwise();
      return comparison;
    },
    numbers: async (task: TaskOf<'numbers'>): Promise<MadeOf<'numbers'>['numbers']> => {
      const numbers = await made(task);
      if (numbers.kind !== 'numbers') throw otherwise();
      return numbers.numbers;
    },
  };
}
