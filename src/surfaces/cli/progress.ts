import type { RunTotals } from '../../benchmark/run-outcomes.ts';
import { plainText, usd } from '../../common/text.ts';
import type { DeliberationEvent, Stage } from '../../judging/deliberate.ts';
import type { CasePlan } from '../../judging/judge-case.ts';
import { isSameJudge, isScored, type Judge, type Judgement } from '../../judging/judgement.ts';
import type { Terminal } from './terminal.ts';

const SHOWN_CASES = 6;

/** What someone who waits sees on standard error: each case under way with its judges as they answer. */
export interface Progress {
  began: (plan: CasePlan) => void;
  saw: (plan: CasePlan, event: DeliberationEvent) => void;
  ended: (plan: CasePlan) => void;
  /** Runs `print` with the progress out of its way. */
  above: (print: () => void) => void;
  close: () => void;
}

const silent: Progress = { began() {}, saw() {}, ended() {}, above: (print) => print(), close() {} };

const mark = (judgement: Judgement): string => {
  if (!isScored(judgement)) return '?';
  return judgement.decision === 'pass' ? '✓' : judgement.decision === 'fail' ? '✗' : '•';
};

/** What is known of a case under way: the judges asked in its latest round, and what they have answered. */
interface Stand {
  stage: Stage;
  round: number;
  asked: Judge[];
  answered: Judgement[];
}

function lineOf(
  { caseId, panel, raters, method }: CasePlan,
  { stage, round, asked, answered }: Stand,
): string {
  const seats = (stage === 'rating' ? (raters?.seats ?? []) : panel.seats)
    .filter(({ judge }) => asked.some((other) => isSameJudge(other, judge)))
    .map(({ judge, persona }) => {
      const answer = answered.find((judgement) => isSameJudge(judgement.judge, judge));
      return `${answer === undefined ? '…' : mark(answer)} ${persona?.title ?? judge.model}`;
    });
  const where = stage === 'rating' ? 'rating  ' : method.rounds > 1 ? `round ${round + 1}  ` : '';
  return `${plainText(caseId)}  ${where}${seats.join('  ')}`;
}

function drawn(under: ReadonlyMap<CasePlan, Stand>, done: number, total: number, width: number): string {
  const lines = [...under].slice(0, SHOWN_CASES).map(([plan, stand]) => `  ${lineOf(plan, stand)}`);
  const more = under.size > SHOWN_CASES ? [`  and ${under.size - SHOWN_CASES} more under way`] : [];
  const head = `Judging, ${done} of ${total} done. Ctrl-C stops and keeps the answers so far.`;
  return [head, ...lines, ...more]
    .map((line) => (line.length > width ? `${line.slice(0, width - 1)}…` : line))
    .join('\n');
}

/**
 * Draws text over itself on standard error, again and again.
 * @param text null where there is nothing new to draw
 */
function drawnOver(terminal: Terminal, everyMs: number, text: () => string | null) {
  let update: ReturnType<typeof import('log-update').createLogUpdate> | undefined;
  const loading = import('log-update').then(({ createLogUpdate }) => {
    update = createLogUpdate(terminal.errors);
  });
  const timer = setInterval(() => {
    const drawing = update === undefined ? null : text();
    if (drawing !== null) update?.(drawing);
  }, everyMs);
  timer.unref();
  return {
    clear: () => update?.clear(),
    close: () => {
      clearInterval(timer);
      void loading.then(() => update?.clear());
    },
  };
}

/** Progress for a person at a terminal; nothing where standard error is not a terminal. Redraws at most ten times a second. */
export function createProgress(terminal: Terminal, total: number): Progress {
  if (!terminal.watched) return silent;
  const under = new Map<CasePlan, Stand>();
  let done = 0;
  let dirty = true;
  const { clear, close } = drawnOver(terminal, 100, () => {
    if (!dirty || under.size === 0) return null;
    dirty = false;
    return drawn(under, done, total, terminal.screen.width);
  });
  return {
    began: (plan) => {
      under.set(plan, { stage: 'panel', round: 0, asked: [], answered: [] });
      dirty = true;
    },
    saw: (plan, event) => {
      const stand = under.get(plan);
      if (stand === undefined) return;
      if (event.kind === 'answered') stand.answered.push(event.judgement);
      else if (event.round > stand.round || event.stage !== stand.stage)
        under.set(plan, { stage: event.stage, round: event.round, asked: [event.judge], answered: [] });
      else stand.asked.push(event.judge);
      dirty = true;
    },
    ended: (plan) => {
      under.delete(plan);
      done += 1;
      dirty = true;
    },
    above: (print) => {
      clear();
      print();
      dirty = true;
    },
    close,
  };
}

/** The line that someone who waits for a run sees on standard error. */
export interface RunProgress {
  show: (totals: RunTotals) => void;
  close: () => void;
}

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
  const left = rate > 0 ? `${clock((planned - totals.trials) / rate)} left` : 'time left unknown';
  const cost = totals.unknownCosts > 0 ? 'cost partly unknown' : usd(totals.spentUsd);
  return `${totals.trials} of ${planned} trials · ${rate.toFixed(1)}/s · ${cost} · ${left} · Ctrl-C stops`;
}

/** Progress for a person at a terminal; nothing where standard error is not a terminal. */
export function createRunProgress(terminal: Terminal, planned: number, before: number): RunProgress {
  if (!terminal.watched) return { show() {}, close() {} };
  const startedAt = performance.now();
  let latest: RunTotals | null = null;
  const { close } = drawnOver(terminal, 200, () =>
    latest === null
      ? null
      : progressLine(latest, planned, before, performance.now() - startedAt).slice(0, terminal.screen.width),
  );
  return {
    show: (totals) => {
      latest = totals;
    },
    close,
  };
}
