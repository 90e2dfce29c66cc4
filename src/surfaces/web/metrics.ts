import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client';
import { outcomeOfVerdict } from '../../judging/verdict.ts';
import type { CheckObserver } from '../../requests/check-run.ts';
import type { Measured } from './web-host.ts';

export interface Metrics extends Measured {
  observer: CheckObserver;
  vote: (value: string) => void;
  error: (where: string) => void;
  /** Asked for whenever somebody reads. */
  gauges: (read: () => Promise<{ waiting: number; running: number; pending: number }>) => void;
}

const SECONDS = [0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60, 120, 300];

/** What the service counts: verdicts, judgements, durations, votes, what waits, errors. Labels hold ids, never text from outside. */
export function createMetrics(): Metrics {
  const registry = new Registry();
  const about = (name: string, help: string, ...labelNames: string[]) => ({
    name: `jury_${name}`,
    help,
    labelNames,
    registers: [registry],
  });
  collectDefaultMetrics({ register: registry });
  const verdicts = new Counter(
    about('verdicts_total', 'Verdicts that were kept', 'surface', 'rubric', 'method', 'decision'),
  );
  const judgements = new Counter(
    about('judgements_total', 'Answers of judges, by outcome', 'model', 'outcome'),
  );
  const verdictSeconds = new Histogram({
    ...about('verdict_seconds', 'Time from the first question to the verdict', 'method'),
    buckets: SECONDS,
  });
  const checkSeconds = new Histogram({
    ...about('check_seconds', 'Time from taking up a request to its end', 'surface', 'outcome'),
    buckets: SECONDS,
  });
  const votes = new Counter(about('votes_total', 'Votes cast, changed or taken back', 'value'));
  const errors = new Counter(about('errors_total', 'Failures by where they happened', 'where'));
  const depth = new Gauge(
    about('queue_depth', 'Questions waiting or running, and unfinished requests', 'state'),
  );
  let read = async () => ({ waiting: 0, running: 0, pending: 0 });
  const error = (where: string) => errors.inc({ where });
  return {
    contentType: registry.contentType,
    read: async () => {
      try {
        for (const [state, value] of Object.entries(await read())) depth.set({ state }, value);
      } catch {
        // Without the store it is not known how many wait: the gauge goes rather than showing an old number.
        depth.reset();
      }
      return registry.metrics();
    },
    observer: {
      judged: ({ source: { surface }, verdict }) => {
        const { rubric, method } = verdict;
        verdicts.inc({ surface, rubric, method, decision: outcomeOfVerdict(verdict) });
        verdictSeconds.observe({ method }, verdict.durationMs / 1000);
        for (const judgement of verdict.judgements)
          judgements.inc({
            model: judgement.judge.model,
            outcome: judgement.status === 'scored' ? judgement.decision : judgement.reason,
          });
      },
      ended: ({ surface }, outcome, ms) => checkSeconds.observe({ surface, outcome }, ms / 1000),
      failed: error,
    },
    vote: (value) => votes.inc({ value }),
    error,
    gauges: (from) => {
      read = from;
    },
  };
}
