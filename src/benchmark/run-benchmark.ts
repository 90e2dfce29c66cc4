import { yieldToEventLoop } from '../common/yield-to-event-loop.ts';
import { chainOf, openingKeys } from './run.ts';
import { type ChainEnd, type ChainParts, runChain } from './run-chain.ts';

/** How a run ended. */
export type RunEnd = { kind: 'complete' } | Exclude<ChainEnd, { kind: 'done' }>;

/**
 * Judges in this process all trials of a run that are not kept yet, so many at once. When it is stopped, or the budget is
 * spent, no further trial begins and those under way are brought to their end.
 */
export async function runBenchmark(parts: ChainParts, concurrency: number): Promise<RunEnd> {
  const { manifest, writer, stop } = parts;
  const { all } = await writer.kept();
  const left = openingKeys(manifest);
  let end: RunEnd = { kind: 'complete' };
  const failure = new AbortController();

  function next(): string | null {
    for (;;) {
      const { value } = left.next();
      if (value === undefined) return null;
      if (chainOf(manifest, value).some((key) => !all.has(key))) return value;
    }
  }
  async function lane(): Promise<void> {
    while (!stop.aborted && !failure.signal.aborted && end.kind === 'complete') {
      const key = next();
      if (key === null) return;
      await yieldToEventLoop();
      const ended = await runChain(parts, key);
      if (ended.kind !== 'done') end = ended;
    }
  }
  const lanes = Array.from({ length: concurrency }, () =>
    lane().catch((thrown) => {
      failure.abort();
      throw thrown;
    }),
  );
  const settled = await Promise.allSettled(lanes);
  for (const one of settled) if (one.status === 'rejected') throw one.reason;
  return stop.aborted && end.kind === 'complete' && next() !== null ? { kind: 'stopped' } : end;
}
