import { readdir, readFile, rename, rm, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import * as z from 'zod';
import { EvalCase } from '../../../case/case.ts';
import { JuryError, messageOf } from '../../../common/errors.ts';
import { makeFolder } from '../../../common/make-folder.ts';
import { RunManifest, RunName } from '../../run.ts';
import { gatherOutcomes, noTotals, plusShare, shareOf } from '../../run-outcomes.ts';
import { Trial } from '../../trial.ts';
import { type TrialStore, TrialVerdict } from '../trial-store.ts';
import { openAppendFile } from './append-file.ts';
import { forgottenUsd, openFolderWriter } from './folder-writer.ts';
import { readJsonLines } from './json-lines.ts';
import { keyOf } from './key-of.ts';
import { runFiles } from './run-files.ts';
import { createIndexReader, indexedOutcomes, readTrialsOf } from './run-index.ts';
import { takeLock } from './run-lock.ts';

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
 * Runs in folders, `<folder>/<name>/`. What was saved outlasts the process, however it ends; a power cut can take what
 * was saved in the last second, which is then judged again. One process writes to a run at a time.
 */
export function createFolderTrialStore(folder: string): TrialStore {
  const readIndex = createIndexReader();
  const filesOf = (name: string) => runFiles(join(folder, RunName.parse(name)));
  return {
    names: async () => {
      const entries = await readdir(folder, { withFileTypes: true }).catch(() => []);
      const found = await Promise.all(
        entries
          .filter((entry) => entry.isDirectory() && RunName.safeParse(entry.name).success)
          .map(async ({ name }) =>
            stat(filesOf(name).manifest).then(
              () => [name],
              () => [],
            ),
          ),
      );
      return found.flat().sort();
    },
    readRun: (name) => readManifest(filesOf(name).manifest),
    create: async (manifest, cases) => {
      const files = filesOf(manifest.name);
      await makeFolder(files.folder);
      const unlock = await takeLock(files.lock);
      try {
        if ((await readManifest(files.manifest)) !== null)
          throw new JuryError('usage', `There is a run "${manifest.name}" already: choose another name.`);
        await rm(files.cases, { force: true });
        const file = await openAppendFile(files.cases);
        await Promise.all(cases.map((evalCase) => file.append(JSON.stringify(evalCase))));
        await file.close();
        await writeFile(`${files.manifest}.tmp`, `${JSON.stringify(manifest, null, 1)}\n`, { flush: true });
        await rename(`${files.manifest}.tmp`, files.manifest);
      } finally {
        await unlock();
      }
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
    readTrials: (name, keys) =>
      keys === undefined
        ? readJsonLines(filesOf(name).trials, Trial)
        : readTrialsOf(filesOf(name), readIndex, keys),
    readVerdicts: (name, keys) =>
      readJsonLines(
        filesOf(name).verdicts,
        TrialVerdict,
        undefined,
        keys === undefined ? undefined : (line) => keys.has(keyOf(line)),
      ),
    outcomes: async (manifest) => {
      const files = filesOf(manifest.name);
      const index = await readIndex(files);
      const indexed = index === null ? null : indexedOutcomes(manifest, index);
      return indexed ?? gatherOutcomes(manifest, readJsonLines(files.trials, Trial));
    },
    totals: async (name) => {
      const files = filesOf(name);
      const index = await readIndex(files);
      if (index !== null) return index.totals;
      let totals = { ...noTotals, spentUsd: await forgottenUsd(files.forgotten) };
      for await (const trial of readJsonLines(files.trials, Trial))
        totals = plusShare(totals, shareOf(trial));
      return totals;
    },
    write: async (name) => {
      const files = filesOf(name);
      return openFolderWriter(files, await readManifest(files.manifest));
    },
    close: async () => {},
  };
}
