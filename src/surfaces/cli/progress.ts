import type { Judgement } from '../../core/judgement.ts';
import { isScored } from '../../core/judgement.ts';
import type { CasePlan } from '../../flows/judge-case.ts';
import type { Terminal } from './console.ts';
import { plainText } from './plain-text.ts';

const SHOWN_CASES = 6;

/** What a person who waits is shown on standard error: each case under way with its judges as they answer. */
export interface Progress {
  began: (plan: CasePlan) => void;
  heard: (plan: CasePlan, judgement: Judgement) => void;
  ended: (plan: CasePlan) => void;
  /** Runs `print` with the progress out of its way. */
  above: (print: () => void) => void;
  close: () => void;
}

const silent: Progress = { began() {}, heard() {}, ended() {}, above: (print) => print(), close() {} };

const mark = (judgement: Judgement): string => {
  if (!isScored(judgement)) return '?';
  return judgement.decision === 'pass' ? '✓' : judgement.decision === 'fail' ? '✗' : '•';
};

function lineOf({ caseId, panel, method }: CasePlan, heard: readonly Judgement[]): string {
  const round = heard.reduce((last, judgement) => Math.max(last, judgement.round), 0);
  const said = heard.filter((judgement) => judgement.round === round);
  const seats = panel.seats.map(({ judge, persona }) => {
    const answer = said.find(({ judge: other }) => JSON.stringify(other) === JSON.stringify(judge));
    return `${answer === undefined ? '…' : mark(answer)} ${persona?.title ?? judge.model}`;
  });
  return `${plainText(caseId)}  ${method.rounds > 1 ? `round ${round + 1}  ` : ''}${seats.join('  ')}`;
}

function drawn(
  under: ReadonlyMap<CasePlan, Judgement[]>,
  done: number,
  total: number,
  width: number,
): string {
  const lines = [...under].slice(0, SHOWN_CASES).map(([plan, heard]) => `  ${lineOf(plan, heard)}`);
  const more = under.size > SHOWN_CASES ? [`  and ${under.size - SHOWN_CASES} more under way`] : [];
  const head = `Judging, ${done} of ${total} done. Ctrl-C stops and keeps what was said.`;
  return [head, ...lines, ...more]
    .map((line) => (line.length > width ? `${line.slice(0, width - 1)}…` : line))
    .join('\n');
}

/** Progress for a person at a terminal; nothing where nobody watches. Redraws at most ten times a second. */
export function createProgress(terminal: Terminal, total: number): Progress {
  if (!terminal.watched) return silent;
  const under = new Map<CasePlan, Judgement[]>();
  let done = 0;
  let draw: ((text: string) => void) | undefined;
  let clear: (() => void) | undefined;
  const loading = import('log-update').then(({ logUpdateStderr }) => {
    draw = logUpdateStderr;
    clear = () => logUpdateStderr.clear();
  });
  let dirty = true;
  const redraw = () => {
    if (!dirty || under.size === 0) return;
    dirty = false;
    draw?.(drawn(under, done, total, terminal.screen.width));
  };
  const timer = setInterval(redraw, 100);
  timer.unref();
  return {
    began: (plan) => {
      under.set(plan, []);
      dirty = true;
    },
    heard: (plan, judgement) => {
      under.get(plan)?.push(judgement);
      dirty = true;
    },
    ended: (plan) => {
      under.delete(plan);
      done += 1;
      dirty = true;
    },
    above: (print) => {
      clear?.();
      print();
      dirty = true;
    },
    close: () => {
      clearInterval(timer);
      void loading.then(() => clear?.());
    },
  };
}
