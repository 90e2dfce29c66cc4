import { readFile, writeFile } from 'node:fs/promises';
import * as z from 'zod';
import { hasFailed } from '../../../judging/verdict.ts';
import type { RunManifest } from '../../run.ts';
import {
  askBudget,
  markOf,
  noTotals,
  type OutcomeMark,
  plusShare,
  type RunTotals,
  shareOf,
} from '../../run-outcomes.ts';
import { Trial } from '../../trial.ts';
import type { TrialVerdict, TrialWriter } from '../trial-store.ts';
import { type AppendFile, openAppendFile } from './append-file.ts';
import { mendJsonLines, readJsonLines } from './json-lines.ts';
import { keyOf } from './key-of.ts';
import { readLines } from './read-lines.ts';
import { rewriteLines } from './rewrite-lines.ts';
import type { RunFiles } from './run-files.ts';
import { dropIndex, writeIndex } from './run-index.ts';
import { takeLock } from './run-lock.ts';

/** How often what was appended is forced to the disk, ms: what a power cut can take is judged again. */
const SYNC_MS = 1000;

const Forgotten = z.strictObject({ spentUsd: z.number() });

/** What trials cost that were dropped, in US dollars. */
export async function forgottenUsd(path: string): Promise<number> {
  const text = await readFile(path, 'utf8').catch(() => null);
  return text === null ? 0 : Forgotten.parse(JSON.parse(text)).spentUsd;
}

/** Words without their trial are what a crash left behind: the trial is judged again and brings its own. */
async function mendVerdicts(path: string, known: ReadonlyMap<string, unknown>): Promise<void> {
  for await (const { text, whole } of readLines(path))
    if (!whole || !known.has(keyOf(text))) return rewriteLines(path, (line) => known.has(keyOf(line)));
}

/**
 * Adds to a run in a folder, alone: the folder is locked until `close`.
 *
 * @param manifest null where there is no such run
 */
export async function openFolderWriter(files: RunFiles, manifest: RunManifest | null): Promise<TrialWriter> {
  const unlock = await takeLock(files.lock);
  const known = new Map<string, { answers: number; failed: boolean }>();
  const marks = new Map<string, OutcomeMark>();
  const underWay = new Set<string>();
  let budgetUsd: number | null = null;
  let totals: RunTotals = noTotals;
  const count = (trial: Trial) => {
    known.set(trial.key, { answers: trial.judgements.length, failed: hasFailed(trial) });
    marks.set(trial.key, markOf(trial));
    totals = plusShare(totals, shareOf(trial));
  };
  let trials: AppendFile;
  let verdicts: AppendFile;
  const open = async () => {
    [trials, verdicts] = await Promise.all([openAppendFile(files.trials), openAppendFile(files.verdicts)]);
  };
  try {
    await dropIndex(files);
    totals = { ...noTotals, spentUsd: await forgottenUsd(files.forgotten) };
    await mendJsonLines(files.trials, Trial, count);
    await mendVerdicts(files.verdicts, known);
    await open();
  } catch (thrown) {
    await unlock();
    throw thrown;
  }

  const sync = async () => {
    // In this order: a trial that is on the disk has its words there too.
    await verdicts.sync();
    await trials.sync();
  };
  const timer = setInterval(() => void sync().catch(() => {}), SYNC_MS);
  timer.unref();

  return {
    answersOf: async (key) => known.get(key)?.answers ?? null,
    kept: async () => ({
      all: new Set(known.keys()),
      failed: [...known].filter(([, { failed }]) => failed).map(([key]) => key),
    }),
    totals: async () => totals,
    setBudget: async (usd) => {
      budgetUsd = usd;
    },
    begin: async (key) => {
      underWay.delete(key);
      const answer = askBudget(budgetUsd, totals, underWay.size);
      if (answer === 'go') underWay.add(key);
      return answer;
    },
    release: async (key) => {
      underWay.delete(key);
    },
    save: async (trial, verdict) => {
      underWay.delete(trial.key);
      if (known.has(trial.key)) return 'known';
      count(trial);
      await verdicts.append(JSON.stringify({ key: trial.key, verdict } satisfies TrialVerdict));
      await trials.append(JSON.stringify(trial));
      return 'saved';
    },
    forget: async (keys) => {
      const gone = new Set(keys.filter((key) => known.has(key)));
      if (gone.size === 0) return;
      // The money first: after a crash in between it is counted twice rather than not at all.
      let spentUsd = await forgottenUsd(files.forgotten);
      for await (const trial of readJsonLines(files.trials, Trial)) {
        if (!gone.has(trial.key)) continue;
        spentUsd += trial.usage.costUsd ?? 0;
        totals = plusShare(totals, shareOf(trial), -1);
        known.delete(trial.key);
        marks.delete(trial.key);
      }
      await writeFile(files.forgotten, JSON.stringify({ spentUsd }));
      await Promise.all([trials.close(), verdicts.close()]);
      await rewriteLines(files.verdicts, (line) => !gone.has(keyOf(line)));
      await rewriteLines(files.trials, (line) => !gone.has(keyOf(line)));
      await open();
    },
    replies: null,
    close: async () => {
      clearInterval(timer);
      await Promise.all([trials.close(), verdicts.close()]);
      // What is kept is whole without it: on a full disk readers stream.
      if (manifest !== null) await writeIndex(files, manifest, totals, marks).catch(() => {});
      await unlock();
    },
  };
}
