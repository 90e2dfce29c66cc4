import { readdir, readFile, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import * as z from 'zod';
import { RunManifest, RunName } from '../../benchmark/run.ts';
import { Trial } from '../../benchmark/trial.ts';
import {
  askBudget,
  erasedCase,
  erasedTrial,
  isCaseErased,
  noTotals,
  plusShare,
  type RunTotals,
  shareOf,
  type TrialStore,
  TrialVerdict,
  type TrialWriter,
} from '../../benchmark/trial-store.ts';
import { EvalCase } from '../../case/case.ts';
import { fileReason, JuryError, messageOf } from '../../common/errors.ts';
import { makeFolder } from '../../common/make-folder.ts';
import { caseIdOf } from '../../judging/judge-case.ts';
import { hasFailed } from '../../judging/verdict.ts';
import {
  type AppendFile,
  changeLines,
  keepLines,
  mendJsonLines,
  openAppendFile,
  readJsonLines,
  readLines,
  writeWhole,
} from './line-files.ts';
import { dropIndex, keyOf, type RunFiles, readIndex, runFiles, takeLock, writeIndex } from './run-files.ts';

/** How often trials are synced to disk, ms: those lost in a power cut are judged again. */
const SYNC_MS = 1000;

const Forgotten = z.strictObject({ spentUsd: z.number() });

/** Costs of dropped trials, in US dollars. */
async function forgottenUsd(path: string): Promise<number> {
  const text = await readFile(path, 'utf8').catch(() => null);
  return text === null ? 0 : Forgotten.parse(JSON.parse(text)).spentUsd;
}

/** The options for lines with these keys only, of which the others need not be parsed. */
const linesOf = (keys: ReadonlySet<string> | undefined) =>
  keys === undefined ? {} : { isWanted: (line: string) => keys.has(keyOf(line)) };

/** Removes verdicts without a trial, left behind by a crash: those trials are judged again. */
async function mendVerdicts(path: string, known: ReadonlyMap<string, unknown>): Promise<void> {
  for await (const { text, whole } of readLines(path))
    if (!whole || !known.has(keyOf(text))) return keepLines(path, (line) => known.has(keyOf(line)));
}

/** The only writer of a run: its folder is locked until `close`. */
async function openFolderWriter(files: RunFiles): Promise<TrialWriter> {
  const unlock = await takeLock(files.lock);
  const known = new Map<string, { answers: number; failed: boolean }>();
  const underWay = new Set<string>();
  let budgetUsd: number | null = null;
  let totals: RunTotals = noTotals;
  const count = (trial: Trial) => {
    known.set(trial.key, { answers: trial.judgements.length, failed: hasFailed(trial) });
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
    // In this order, so that every trial on disk has its verdict there too.
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
      // Costs first: after a crash in between they count twice rather than not at all.
      let spentUsd = await forgottenUsd(files.forgotten);
      for await (const trial of readJsonLines(files.trials, Trial)) {
        if (!gone.has(trial.key)) continue;
        spentUsd += trial.usage.costUsd ?? 0;
        totals = plusShare(totals, shareOf(trial), -1);
        known.delete(trial.key);
      }
      await writeWhole(files.forgotten, JSON.stringify({ spentUsd } satisfies z.infer<typeof Forgotten>));
      await Promise.all([trials.close(), verdicts.close()]);
      await keepLines(files.verdicts, (line) => !gone.has(keyOf(line)));
      await keepLines(files.trials, (line) => !gone.has(keyOf(line)));
      await open();
    },
    replies: null,
    close: async () => {
      clearInterval(timer);
      await Promise.all([trials.close(), verdicts.close()]);
      // The index is optional: without it, as on a full disk, readers stream.
      await writeIndex(files, totals, known).catch(() => {});
      await unlock();
    },
  };
}

/** @throws JuryError `store-unavailable` for what the system refuses, as on a full disk */
async function writing<T>(folder: string, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (thrown) {
    if (!(thrown instanceof Error && 'syscall' in thrown)) throw thrown;
    throw new JuryError(
      'store-unavailable',
      `The folder ${folder} cannot be written (${fileReason(thrown)}): free some space, or set JURY_DATA_DIR to a writable folder.`,
      { cause: thrown, retryable: true },
    );
  }
}

async function readManifest(path: string): Promise<RunManifest | null> {
  const text = await readFile(path, 'utf8').catch(() => null);
  if (text === null) return null;
  try {
    return RunManifest.parse(JSON.parse(text));
  } catch (thrown) {
    throw new JuryError(
      'bad-file',
      `${path} cannot be read. Was it changed by hand, or written by another version?${thrown instanceof z.ZodError ? ` ${z.prettifyError(thrown)}` : ` ${messageOf(thrown)}`}`,
      { cause: thrown },
    );
  }
}

/**
 * Runs in folders, `<folder>/<name>/`. Saved trials survive the process; a power cut can lose those of the last second, which are then
 * judged again. One process writes to a run at a time.
 */
export function createFolderTrialStore(folder: string): TrialStore {
  const filesOf = (name: string) => runFiles(join(folder, RunName.parse(name)));
  return {
    names: async () => {
      const entries = await readdir(folder).catch(() => []);
      const named = entries.filter((name) => RunName.safeParse(name).success);
      const manifests = await Promise.all(
        named.map((name) => stat(filesOf(name).manifest).catch(() => null)),
      );
      return named.filter((_, index) => manifests[index] !== null).sort();
    },
    readRun: (name) => readManifest(filesOf(name).manifest),
    create: (manifest, cases) => {
      const files = filesOf(manifest.name);
      return writing(files.folder, async () => {
        await makeFolder(files.folder);
        const unlock = await takeLock(files.lock);
        try {
          if ((await readManifest(files.manifest)) !== null)
            throw new JuryError('usage', `There is a run "${manifest.name}" already: choose another name.`);
          await rm(files.cases, { force: true });
          const file = await openAppendFile(files.cases);
          await Promise.all(cases.map((evalCase) => file.append(JSON.stringify(evalCase))));
          await file.close();
          await writeWhole(files.manifest, `${JSON.stringify(manifest, null, 1)}\n`);
        } finally {
          await unlock();
        }
      });
    },
    readCases: (name) => readJsonLines(filesOf(name).cases, EvalCase),
    caseAt: async (name, index) => {
      let place = 0;
      for await (const evalCase of readJsonLines(filesOf(name).cases, EvalCase)) {
        if (place === index) return evalCase;
        place += 1;
      }
      throw new JuryError('internal', `The run ${name} has no case ${index}.`);
    },
    trialKeys: async (name) => {
      const keys = new Set<string>();
      for await (const { text, whole } of readLines(filesOf(name).trials)) if (whole) keys.add(keyOf(text));
      return keys;
    },
    readTrials: (name, keys) => readJsonLines(filesOf(name).trials, Trial, linesOf(keys)),
    readVerdicts: (name, keys) => readJsonLines(filesOf(name).verdicts, TrialVerdict, linesOf(keys)),
    totals: async (name) => {
      const files = filesOf(name);
      const index = await readIndex(files);
      if (index !== null) return index.totals;
      let totals = { ...noTotals, spentUsd: await forgottenUsd(files.forgotten) };
      for await (const trial of readJsonLines(files.trials, Trial))
        totals = plusShare(totals, shareOf(trial));
      return totals;
    },
    eraseCases: (name, isErased) => {
      const files = filesOf(name);
      return writing(files.folder, async () => {
        const gone = new Set<string>();
        for await (const evalCase of readJsonLines(files.cases, EvalCase))
          if (isErased(evalCase) && !isCaseErased(evalCase)) gone.add(caseIdOf(evalCase));
        if (gone.size === 0) return 0;
        const unlock = await takeLock(files.lock);
        try {
          await dropIndex(files);
          await changeLines(files.verdicts, TrialVerdict, (one) =>
            gone.has(one.verdict.caseId) ? null : one,
          );
          await changeLines(files.trials, Trial, (trial) =>
            gone.has(trial.caseId) ? erasedTrial(trial) : trial,
          );
          // Last: an interrupted call is repeated.
          await changeLines(files.cases, EvalCase, (evalCase) =>
            gone.has(caseIdOf(evalCase)) ? erasedCase(evalCase) : evalCase,
          );
        } finally {
          await unlock();
        }
        return gone.size;
      });
    },
    write: (name) => {
      const files = filesOf(name);
      return writing(files.folder, () => openFolderWriter(files));
    },
    close: async () => {},
  };
}
