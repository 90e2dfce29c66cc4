import { once } from 'node:events';
import { createWriteStream, type WriteStream } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { finished } from 'node:stream/promises';
import { reportPage } from '../../benchmark/reports/html/page.ts';
import type { Report } from '../../benchmark/reports/report.ts';
import { categoriesCsv, setupsCsv, TRIAL_HEADS, trialRecord } from '../../benchmark/reports/report-csv.ts';
import type { TrialFacts } from '../../benchmark/reports/trial-facts.ts';
import { JuryError, messageOf } from '../../core/errors.ts';
import type { Trial } from '../../core/trial.ts';
import { csvText } from '../../csv/write-csv.ts';
import { makeFolder } from '../../make-folder.ts';

/** A folder that a report is written to: trials as they are read, the rest at the end. */
export interface ReportFolder {
  add: (trial: Trial, setup: string, facts: TrialFacts) => Promise<void>;
  finish: (report: Report, options: { published: boolean }) => Promise<void>;
}

const refused = (folder: string, thrown: unknown): JuryError =>
  new JuryError('usage', `Cannot write to ${folder}: ${messageOf(thrown)}.`, { cause: thrown });

/** Text that is gathered before it is written: a write for each trial would cost more than the trial. */
const CHUNK = 64 * 1024;

function openText(path: string): { add: (text: string) => Promise<void>; end: () => Promise<void> } {
  const stream: WriteStream = createWriteStream(path);
  const done = finished(stream);
  // Told by `end`; until then it must not bring the process down.
  done.catch(() => {});
  let gathered = '';
  return {
    add: async (text) => {
      gathered += text;
      if (gathered.length < CHUNK) return;
      const chunk = gathered;
      gathered = '';
      if (!stream.write(chunk)) await Promise.race([once(stream, 'drain'), done]);
    },
    end: async () => {
      stream.end(gathered);
      await done;
    },
  };
}

/** @throws JuryError `usage`, also later, where the folder cannot be written */
export async function openReportFolder(folder: string): Promise<ReportFolder> {
  try {
    await makeFolder(folder);
  } catch (thrown) {
    throw refused(folder, thrown);
  }
  const lines = openText(join(folder, 'trials.jsonl'));
  const table = openText(join(folder, 'trials.csv'));
  await table.add(csvText([TRIAL_HEADS]));
  return {
    add: async (trial, setup, facts) => {
      await lines.add(`${JSON.stringify(trial)}\n`);
      await table.add(csvText([trialRecord(trial, setup, facts)]));
    },
    finish: async (report, options) => {
      try {
        await Promise.all([lines.end(), table.end()]);
        await Promise.all([
          writeFile(join(folder, 'report.html'), reportPage(report, options)),
          writeFile(join(folder, 'summary.json'), `${JSON.stringify(report, null, 1)}\n`),
          writeFile(join(folder, 'configurations.csv'), setupsCsv(report)),
          writeFile(join(folder, 'errors.csv'), categoriesCsv(report)),
        ]);
      } catch (thrown) {
        throw refused(folder, thrown);
      }
    },
  };
}
