import type { RunTotals } from '../../benchmark/run-outcomes.ts';
import type { Terminal } from './console.ts';
import { dollars } from './run-plan-text.ts';

/** The line that a person who waits for a run is shown on standard error. */
export interface RunProgress {
  show: (totals: RunTotals) => void;
  close: () => void;
}

const REDRAW_MS = 200;

const clock = (seconds: number): string => {
  const minutes = Math.floor(seconds / 60);
  const two = (value: number) => String(value).padStart(2, '0');
  return minutes < 60
    ? `${minutes}:${two(Math.floor(seconds % 60))}`
    : `${Math.floor(minutes / 60)}:${two(minutes % 60)}:${two(Math.floor(seconds % 60))}`;
};

/**
 * @param planned trials in all
 * @param before trials that were kept already: they say nothing about the pace
 */
export function progressLine(totals: RunTotals, planned: number, before: number, elapsedMs: number): string {
  const done = totals.trials - before;
  const rate = elapsedMs > 0 ? (done * 1000) / elapsedMs : 0;
  const left = rate > 0 ? `${clock((planned - totals.trials) / rate)} left` : 'time left not known yet';
  const cost = totals.unknownCosts > 0 ? 'cost not wholly known' : dollars(totals.spentUsd);
  return `${totals.trials} of ${planned} trials · ${rate.toFixed(1)}/s · ${cost} · ${left} · Ctrl-C stops`;
}

/** Progress for a person at a terminal; nothing where nobody watches. */
export function createRunProgress(terminal: Terminal, planned: number, before: number): RunProgress {
  if (!terminal.watched) return { show() {}, close() {} };
  const startedAt = performance.now();
  let latest: RunTotals | null = null;
  let tool: { draw: (text: string) => void; clear: () => void } | null = null;
  const loading = import('log-update').then(({ createLogUpdate }) => {
    const update = createLogUpdate(terminal.errors);
    tool = { draw: update, clear: () => update.clear() };
  });
  const timer = setInterval(() => {
    if (latest === null) return;
    const line = progressLine(latest, planned, before, performance.now() - startedAt);
    tool?.draw(line.slice(0, terminal.screen.width));
  }, REDRAW_MS);
  timer.unref();
  return {
    show: (totals) => {
      latest = totals;
    },
    close: () => {
      clearInterval(timer);
      latest = null;
      void loading.then(() => tool?.clear());
    },
  };
}
