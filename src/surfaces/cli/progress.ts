import type { CollectProgress } from '../../benchmark/collect/index.ts';
import type { RunTotals } from '../../benchmark/index.ts';
import { grouped, plainLine, usd } from '../../common/text/index.ts';
import type { CasePlan, DeliberationEvent, Stage } from '../../judging/index.ts';
import { isSameJudge, isScored, type Judge, type Judgement } from '../../judging/verdict/index.ts';
import type { Terminal } from '../terminal/index.ts';
import { loadLayout } from '../terminal/lazy.ts';

const SHOWN_CASES = 6;
const REDRAW_MS = 100;

const mark = (judgement: Judgement): string => {
  if (!isScored(judgement)) return '?';
  return judgement.decision === 'pass' ? '✓' : judgement.decision === 'fail' ? '✗' : '•';
};

/** The state of a case under way: the judges asked in its latest round, and their answers. */
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
  return `  ${plainLine(caseId)}  ${where}${seats.join('  ')}`;
}

/**
 * Redraws lines in place on standard error if it is a terminal; otherwise draws nothing.
 * @param lines empty while there is nothing to draw
 */
function drawOver({ errors, screen, watched }: Terminal, lines: () => readonly string[]) {
  if (!watched) return { above: (print: () => void) => print(), close() {} };
  const load = async () => {
    const [{ createLogUpdate }, { cut }] = await Promise.all([import('log-update'), loadLayout()]);
    return { update: createLogUpdate(errors), cut };
  };
  let drawing: Awaited<ReturnType<typeof load>> | undefined;
  void load().then((loaded) => {
    drawing = loaded;
  });
  let drawn = '';
  const timer = setInterval(() => {
    if (drawing === undefined) return;
    const { cut, update } = drawing;
    const text = lines()
      .map((line) => cut(line, screen.width))
      .join('\n');
    if (text === drawn) return;
    drawn = text;
    update(text);
  }, REDRAW_MS);
  timer.unref();
  return {
    /** Runs `print` with the drawing cleared out of its way. */
    above: (print: () => void) => {
      drawing?.update.clear();
      drawn = '';
      print();
    },
    close: () => {
      clearInterval(timer);
      drawing?.update.clear();
      drawing?.update.done();
    },
  };
}

/** The progress of cases: each case under way, with its judges as they answer. */
export function createProgress(terminal: Terminal, total: number) {
  const under = new Map<CasePlan, Stand>();
  let done = 0;
  const drawing = drawOver(terminal, () => {
    if (under.size === 0) return [];
    const head = `Judging, ${grouped(done)} of ${grouped(total)} done. Ctrl-C stops and keeps the answers so far.`;
    const more = under.size - SHOWN_CASES;
    return [
      head,
      ...[...under].slice(0, SHOWN_CASES).map(([plan, stand]) => lineOf(plan, stand)),
      ...(more > 0 ? [`  and ${more} more under way`] : []),
    ];
  });
  return {
    ...drawing,
    saw: (plan: CasePlan, event: DeliberationEvent) => {
      const stand = under.get(plan);
      if (event.kind === 'answered') stand?.answered.push(event.judgement);
      else if (stand?.round === event.round && stand.stage === event.stage) stand.asked.push(event.judge);
      else under.set(plan, { stage: event.stage, round: event.round, asked: [event.judge], answered: [] });
    },
    ended: (plan: CasePlan) => {
      under.delete(plan);
      done += 1;
    },
  };
}
export type Progress = ReturnType<typeof createProgress>;

const clock = (seconds: number): string => {
  const minutes = Math.floor(seconds / 60);
  const two = (value: number) => String(value).padStart(2, '0');
  return minutes < 60
    ? `${minutes}:${two(Math.floor(seconds % 60))}`
    : `${Math.floor(minutes / 60)}:${two(minutes % 60)}:${two(Math.floor(seconds % 60))}`;
};

/**
 * @param planned how many trials there are in all
 * @param before how many trials were already kept, which say nothing about the pace
 */
export function progressLine(totals: RunTotals, planned: number, before: number, elapsedMs: number): string {
  const done = totals.trials - before;
  const rate = elapsedMs > 0 ? (done * 1000) / elapsedMs : 0;
  const left = rate > 0 ? `${clock((planned - totals.trials) / rate)} left` : 'time left unknown';
  const cost = totals.unknownCosts > 0 ? 'cost partly unknown' : usd(totals.spentUsd);
  return `${grouped(totals.trials)} of ${grouped(planned)} trials · ${rate.toFixed(1)}/s · ${cost} · ${left} · Ctrl-C stops`;
}

/** Progress in one line, from the latest value, until it is stopping. */
function createLineProgress<T>(terminal: Terminal, lineOf: (latest: T) => string) {
  let latest: { value: T } | null = null;
  let isStopping = false;
  const { above, close } = drawOver(terminal, () =>
    latest === null || isStopping ? [] : [lineOf(latest.value)],
  );
  return {
    show: (value: T) => {
      latest = { value };
    },
    /** Reports what is waited for before it stops. */
    stopping: (waitsFor: string) => {
      isStopping = true;
      above(() => terminal.err(`Stopping: ${waitsFor}. Press Ctrl-C again to stop at once.`));
    },
    close,
  };
}

/** The progress of a run. */
export function createRunProgress(terminal: Terminal, planned: number, before: number) {
  const startedAt = performance.now();
  return createLineProgress(terminal, (totals: RunTotals) =>
    progressLine(totals, planned, before, performance.now() - startedAt),
  );
}

/** The progress of collected answers. */
export const createCollectProgress = (terminal: Terminal, planned: number) =>
  createLineProgress(terminal, ({ kept, unanswered, spentUsd }: CollectProgress) => {
    const cost = spentUsd === null ? 'cost partly unknown' : usd(spentUsd);
    return `${grouped(kept)} of ${grouped(planned)} asked · ${grouped(unanswered)} without an answer · ${cost} · Ctrl-C stops`;
  });

/** The progress of cases that are made of a manual. */
export const createManualProgress = (terminal: Terminal, planned: number) =>
  createLineProgress(
    terminal,
    (made: number) => `${grouped(made)} of ${grouped(planned)} passages asked about · Ctrl-C stops`,
  );
