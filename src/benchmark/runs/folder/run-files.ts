import { join } from 'node:path';

/** The files of a run. */
export interface RunFiles {
  folder: string;
  /** The manifest. It is written last: a folder without it holds no run. */
  manifest: string;
  /** One a line: cases in their order, trials and verdicts in the order in which they ended. */
  cases: string;
  trials: string;
  verdicts: string;
  /** What trials cost that were dropped to be judged again. */
  forgotten: string;
  /** What counting needs, made of the trials when the writer closes (run-index.ts). */
  index: string;
  lock: string;
}

export const runFiles = (folder: string): RunFiles => ({
  folder,
  manifest: join(folder, 'run.json'),
  cases: join(folder, 'cases.jsonl'),
  trials: join(folder, 'trials.jsonl'),
  verdicts: join(folder, 'verdicts.jsonl'),
  forgotten: join(folder, 'forgotten.json'),
  index: join(folder, 'index.json'),
  lock: join(folder, 'run.lock'),
});
