import { readdir, readFile, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import * as z from 'zod';
import {
  askBudget,
  erasedCase,
  erasedTrial,
  isCaseErased,
  noTotals,
  plusShare,
  RunManifest,
  RunName,
  RunTotals,
  shareOf,
  Trial,
  type TrialStore,
  TrialVerdict,
  type TrialWriter,
} from '../../benchmark/index.ts';
import { KeptCase } from '../../case/index.ts';
import { JuryError, makeFolder, messageOf } from '../../common/index.ts';
import { readJson } from '../../common/text/index.ts';
import { caseIdOf } from '../../judging/index.ts';
import { hasFailed } from '../../judging/verdict/index.ts';
import {
  type AppendFile,
  changeLines,
  keepLines,
  mendJsonLines,
  openAppendFile,
  readJsonLines,
  readLines,
  writeWhole,
  writing,
} from './line-files.ts';
import { takeLock } from './process-lock.ts';

/** The key of a trial or verdict, without parsing its line: both start with it. */
const keyOf = (line: string): string => /^\{"key":"([^"]*)"/.exec(line)?.[1] ?? '';

/** The keys of all trials, in file order. */
async function keysIn({ trials }: RunFiles): Promise<string[]> {
  const keys: string[] = [];
  for await (const { text, whole } of readLines(trials)) if (whole) keys.push(keyOf(text));
  return keys;
}

/**
 * A run's totals, derived from its trials, for reading while no writer has it open. The writer deletes the index when
 * it opens and recreates it when it closes, so a run whose writer was killed has none.
 */
const RunIndex = z.object({
  version: z.literal(1),
  /** Size of the trials file. */
  bytes: z.int(),
  totals: RunTotals,
});

async function dropIndex(files: RunFiles): Promise<void> {
  await Promise.all([files.index, `${files.index}.tmp`].map((path) => rm(path, { force: true })));
}

/**
 * Writes the index of a locked run, unless the file has lines other than the known trials: then readers stream it.
 *
 * @param known the known trials by key
 */
async function writeIndex(
  files: RunFiles,
  totals: RunTotals,
  known: ReadonlyMap<string, unknown>,
): Promise<void> {
  const keys = await keysIn(files);
  if (keys.length !== totals.trials || known.size !== totals.trials || !keys.every((key) => known.has(key)))
    return;
  const { size } = await stat(files.trials);
  const index = { version: 1, bytes: size, totals } satisfies z.infer<typeof RunIndex>;
  await writeWhole(files.index, JSON.stringify(index));
}

/**
 * The totals in the index; null if it is missing, damaged or older than the trials, so that all trials must be read.
 */
async function readIndex(files: RunFiles): Promise<RunTotals | null> {
  const [trials, state] = await Promise.all(
    [files.trials, files.index].map((path) => stat(path).catch(() => null)),
  );
  if (!trials || !state || state.mtimeMs < trials.mtimeMs) return null;
  const index = readJson(RunIndex, await readFile(files.index, 'utf8').catch(() => ''))?.value;
  return index?.bytes === trials.size ? index.totals : null;
}

type RunFiles = ReturnType<typeof runFiles>;

const runFiles = (folder: string) => ({
  folder,
  /** Written last: a folder without a manifest is not a run. */
  manifest: join(folder, 'run.json'),
  /** One entry per line: cases in dataset order, trials and verdicts in order of completion. */
  cases: join(folder, 'cases.jsonl'),
  trials: join(folder, 'trials.jsonl'),
  verdicts: join(folder, 'verdicts.jsonl'),
  /** Costs of trials that were dropped in order to be judged again. */
  forgotten: join(folder, 'forgotten.json'),
  /** Answers of trials in progress, one per line. Of no use once these are saved. */
  replies: join(folder, 'replies.jsonl'),
  index: join(folder, 'index.json'),
  lock: join(folder, 'run.lock'),
});

/** How often trials are synced to disk, ms. Those lost in a power cut are judged again. */
const SYNC_MS = 1000;

const Forgotten = z.strictObject({ spentUsd: z.number() });

/** Totals before any trial: only the costs of dropped ones. */
async function startTotals({ forgotten }: RunFiles): Promise<RunTotals> {
  const text = await readFile(forgotten, 'utf8').catch(() => null);
  return text === null ? noTotals : { ...noTotals, ...Forgotten.parse(JSON.parse(text)) };
}

/** Limits reading to lines with these keys, so that others need not be parsed. */
const linesOf = (keys: ReadonlySet<string> | undefined) =>
  keys && { isWanted: (line: string) => keys.has(keyOf(line)) };

/** An answer of a trial in progress. */
const Reply = z.strictObject({ key: z.string(), question: z.string(), judgement: z.string() });

/** The answers of trials that a process which was killed had in progress, by trial and question. */
async function readReplies(
  { replies }: RunFiles,
  isJudged: (key: string) => boolean,
): Promise<Map<string, Map<string, string>>> {
  const kept = new Map<string, Map<string, string>>();
  await keepLines(replies, (line) => !isJudged(keyOf(line)));
  for await (const { key, question, judgement } of readJsonLines(replies, Reply))
    kept.set(key, (kept.get(key) ?? new Map()).set(question, judgement));
  return kept;
}

/** Opens the only writer of a run; locks its folder until `close`. */
async function openFolderWriter(files: RunFiles): Promise<TrialWriter> {
  const unlock = await takeLock(files.lock);
  const judged = new Map<string, { answers: number; failed: boolean }>();
  const underWay = new Set<string>();
  let budgetUsd: number | null = null;
  let totals: RunTotals = noTotals;
  const count = (trial: Trial) => {
    judged.set(trial.key, { answers: trial.judgements.length, failed: hasFailed(trial) });
    totals = plusShare(totals, shareOf(trial));
  };
  let trials: AppendFile;
  let verdicts: AppendFile;
  let replies: Promise<AppendFile> | null = null;
  let answered: Map<string, Map<string, string>>;
  const open = async () => {
    [trials, verdicts] = await Promise.all([openAppendFile(files.trials), openAppendFile(files.verdicts)]);
  };
  try {
    await dropIndex(files);
    totals = await startTotals(files);
    await mendJsonLines(files.trials, Trial, count);
    // A verdict without a trial was left behind by a crash: that trial is judged again.
    await keepLines(files.verdicts, (line) => judged.has(keyOf(line)));
    answered = await readReplies(files, (key) => judged.has(key));
    await open();
  } catch (thrown) {
    await unlock();
    throw thrown;
  }

  const sync = async () => {
    // In this order, so that every trial on disk also has its verdict there.
    await verdicts.sync();
    await trials.sync();
  };
  const timer = setInterval(() => void sync().catch(() => {}), SYNC_MS).unref();

  return {
    answersOf: async (key) => judged.get(key)?.answers ?? null,
    kept: async () => ({
      all: new Set(judged.keys()),
      failed: [...judged].filter(([, { failed }]) => failed).map(([key]) => key),
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
      answered.delete(trial.key);
      if (judged.has(trial.key)) return 'known';
      count(trial);
      await verdicts.append(JSON.stringify({ key: trial.key, verdict } satisfies TrialVerdict));
      await trials.append(JSON.stringify(trial));
      return 'saved';
    },
    forget: async (keys) => {
      const gone = new Set(keys.filter((key) => judged.has(key)));
      if (gone.size === 0) return;
      // Save the costs first: after a crash in between, they count twice rather than not at all.
      let { spentUsd } = await startTotals(files);
      for await (const trial of readJsonLines(files.trials, Trial)) {
        if (!gone.has(trial.key)) continue;
        spentUsd += shareOf(trial).spentUsd;
        totals = plusShare(totals, shareOf(trial), -1);
        judged.delete(trial.key);
      }
      await writeWhole(files.forgotten, JSON.stringify({ spentUsd } satisfies z.infer<typeof Forgotten>));
      await Promise.all([trials.close(), verdicts.close()]);
      await keepLines(files.verdicts, (line) => !gone.has(keyOf(line)));
      await keepLines(files.trials, (line) => !gone.has(keyOf(line)));
      await open();
    },
    replies: (key) => ({
      read: async (question) => answered.get(key)?.get(question) ?? null,
      write: async (question, judgement) => {
        answered.set(key, (answered.get(key) ?? new Map()).set(question, judgement));
        replies ??= openAppendFile(files.replies);
        await (await replies).append(
          JSON.stringify({ key, question, judgement } satisfies z.infer<typeof Reply>),
        );
      },
    }),
    close: async () => {
      clearInterval(timer);
      await Promise.all([trials.close(), verdicts.close(), (await replies)?.close()]);
      if (answered.size === 0) await rm(files.replies, { force: true });
      // The index is optional: without it, for example on a full disk, readers stream the trials.
      await writeIndex(files, totals, judged).catch(() => {});
      await unlock();
    },
  };
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
 * Stores runs in folders, `<folder>/<name>/`. Saved trials survive the process; a power cut can lose those of the last
 * second, which are then judged again. One process at a time can write to a run.
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
    readCases: (name) => readJsonLines(filesOf(name).cases, KeptCase),
    caseAt: async (name, index) => {
      let place = 0;
      for await (const evalCase of readJsonLines(filesOf(name).cases, KeptCase)) {
        if (place === index) return evalCase;
        place += 1;
      }
      throw new JuryError('internal', `The run ${name} has no case ${index}.`);
    },
    trialKeys: async (name) => new Set(await keysIn(filesOf(name))),
    readTrials: (name, keys) => readJsonLines(filesOf(name).trials, Trial, linesOf(keys)),
    readVerdicts: (name, keys) => readJsonLines(filesOf(name).verdicts, TrialVerdict, linesOf(keys)),
    totals: async (name) => {
      const files = filesOf(name);
      const indexed = await readIndex(files);
      if (indexed !== null) return indexed;
      let totals = await startTotals(files);
      for await (const trial of readJsonLines(files.trials, Trial))
        totals = plusShare(totals, shareOf(trial));
      return totals;
    },
    revision: async (name) => {
      const { cases, trials } = filesOf(name);
      const states = await Promise.all([cases, trials].map((path) => stat(path).catch(() => null)));
      // What is erased or judged again is written to a new file.
      return states
        .map((state) => (state === null ? '' : `${state.mtimeMs} ${state.size} ${state.ino}`))
        .join();
    },
    eraseCases: (name, isErased) => {
      const files = filesOf(name);
      return writing(files.folder, async () => {
        const gone = new Set<string>();
        for await (const evalCase of readJsonLines(files.cases, KeptCase))
          if (isErased(evalCase) && !isCaseErased(evalCase)) gone.add(caseIdOf(evalCase));
        if (gone.size === 0) return 0;
        const unlock = await takeLock(files.lock);
        try {
          await dropIndex(files);
          await rm(files.replies, { force: true });
          await changeLines(files.verdicts, TrialVerdict, (one) =>
            gone.has(one.verdict.caseId) ? null : one,
          );
          await changeLines(files.trials, Trial, (trial) =>
            gone.has(trial.caseId) ? erasedTrial(trial) : trial,
          );
          // Last, so that an interrupted call can be repeated.
          await changeLines(files.cases, KeptCase, (evalCase) =>
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
