import type { ChildProcessWithoutNullStreams } from 'node:child_process';
import { once } from 'node:events';
import { text } from 'node:stream/consumers';
import { setTimeout as sleep } from 'node:timers/promises';
import { type Ran, spawnJury } from './run-jury.ts';

export interface Crew {
  env: Record<string, string>;
  cwd: string;
  workers: number;
  concurrency: number;
}

/** Worker processes, of which any can be killed; another takes the place of one that was. */
export interface Workers {
  /** SIGKILL to one, in turn; a new one starts. */
  killOne(): Promise<void>;
  /** SIGTERM to all; resolves to their exit codes. */
  end(): Promise<(number | null)[]>;
}

export function startWorkers({ env, cwd, workers, concurrency }: Crew): Workers {
  const start = (): ChildProcessWithoutNullStreams => {
    const child = spawnJury(['worker', '--concurrency', String(concurrency)], { env, cwd });
    child.stdin.end();
    child.stderr.resume();
    return child;
  };
  const crew = Array.from({ length: workers }, start);
  return {
    async killOne() {
      const victim = crew.shift();
      if (victim === undefined) return;
      victim.kill('SIGKILL');
      await once(victim, 'exit');
      crew.push(start());
    },
    end: () =>
      Promise.all(
        crew.map(async (child) => {
          if (child.exitCode !== null) return child.exitCode;
          child.kill('SIGTERM');
          await once(child, 'exit');
          return child.exitCode;
        }),
      ),
  };
}

/**
 * Runs `jury bench run` beside workers, of which some are killed while trials are under way.
 * @param killAt at how many requests that the model received
 */
export async function runWithKills(
  args: readonly string[],
  crew: Crew,
  killAt: readonly number[],
  received: () => number | Promise<number>,
): Promise<Ran & { ms: number }> {
  const workers = startWorkers(crew);
  const child = spawnJury(['bench', 'run', ...args], crew);
  child.stdin.end();
  const done = Promise.all([text(child.stdout), text(child.stderr), once(child, 'close')]);
  const untilReceived = async (count: number): Promise<void> => {
    while ((await received()) < count && child.exitCode === null) await sleep(20);
  };
  await untilReceived(1);
  const startedAt = performance.now();
  for (const count of killAt) {
    await untilReceived(count);
    await workers.killOne();
  }
  const [out, err] = await done;
  const ms = performance.now() - startedAt;
  await workers.end();
  return { code: child.exitCode, out, err, ms };
}
