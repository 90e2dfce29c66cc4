import { andList, counted, grouped, percent } from '../../common/text/index.ts';

/** How numbers and lists are written. */
export const numbers = {
  /** `1,200`. */
  grouped,
  /** A number with a decimal point, as the language writes it. */
  written: (number: string): string => number,
  /** `12 %`. */
  percent,
  list: andList,
  /** `1.2 s`, `350 ms`. */
  duration: (ms: number): string => (ms < 1000 ? `${Math.round(ms)} ms` : `${Math.round(ms / 100) / 10} s`),
  /** Of a range: `−10 to +2`. */
  to: ' to ',
  answers: (count: number) => counted(count, 'answer'),
  requests: (count: number) => counted(count, 'request'),
  cases: (count: number) => counted(count, 'case'),
  verdicts: (count: number) => counted(count, 'verdict'),
  trials: (count: number) => counted(count, 'trial'),
  people: (count: number) => counted(count, 'person', 'people'),
  runs: (count: number) => counted(count, 'run'),
};
