import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client';
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
  const registers = [registry];
  collectDefaultMetrics({ register: registry });
  const verdicts = new Counter({
    name: 'jury_verdicts_total',
    help: 'Verdicts that were kept',
    labelNames: ['surface', 'rubric', 'method', 'decision'],
    registers,
  });
  const judgements = new Counter({
    name: 'jury_judgements_total',
    help: 'Answers of judges, by what came of them',
    labelNames: ['model', 'outcome'],
    registers,
  });
  const verdictSeconds = new Histogram({
    name: 'jury_verdict_seconds',
    help: 'Time from the first question to the verdict',
    labelNames: ['method'],
    buckets: SECONDS,
    registers,
  });
  const checkSeconds = new Histogram({
    name: 'jury_check_seconds',
    help: 'Time from taking up a request to its end',
    labelNames: ['surface', 'outcome'],
    buckets: SECONDS,
    registers,
  });
  const votes = new Counter({
    name: 'jury_votes_total',
    help: 'Votes cast, changed or taken back',
    labelNames: ['value'],
    registers,
  });
  const errors = new Counter({
    name: 'jury_errors_total',
    help: 'Failures by where they happened',
    labelNames: ['where'],
    registers,
  });
  const depth = new Gauge({
    name: 'jury_queue_depth',
    help: 'Questions that wait or run, and requests that are not done with',
    labelNames: ['state'],
    registers,
  });
  let read = async () => ({ waiting: 0, running: 0, pending: 0 });
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
        const { rubric, method, decision } = verdict;
        verdicts.inc({ surface, rubric, method, decision });
        verdictSeconds.observe({ method }, verdict.durationMs / 1000);
        for (const judgement of verdict.judgements)
          judgements.inc({
            model: judgement.judge.model,
            outcome: judgement.status === 'scored' ? judgement.decision : judgement.reason,
          });
      },
      ended: ({ surface }, outcome, ms) => checkSeconds.observe({ surface, outcome }, ms / 1000),
      failed: (where) => errors.inc({ where }),
    },
    vote: (value) => votes.inc({ value }),
    error: (where) => errors.inc({ where }),
    gauges: (from) => {
      read = from;
    },
  };
}
