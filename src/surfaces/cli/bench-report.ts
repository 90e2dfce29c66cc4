import { once } from 'node:events';
import { createWriteStream, type WriteStream } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { finished } from 'node:stream/promises';
import { makeReport, requireRun } from '../../benchmark/make-report.ts';
import { reportPage } from '../../benchmark/reports/html/page.ts';
import type { Report } from '../../benchmark/reports/report.ts';
import {
  categoriesCsv,
  criteriaCsv,
  setupsCsv,
  TRIAL_HEADS,
  trialRecord,
} from '../../benchmark/reports/report-csv.ts';
import type { EachTrial } from '../../benchmark/reports/report-of.ts';
import type { TrialStore } from '../../benchmark/trial-store.ts';
import { type CsvValue, csvText } from '../../common/csv.ts';
import { JuryError, messageOf } from '../../common/errors.ts';
import { makeFolder } from '../../common/make-folder.ts';
import { jsonLine } from '../../common/text.ts';
import type { Register } from './command-context.ts';
import { GATE_CODES, type GateFlags, passesGate, requireGate, withGate } from './gate.ts';
import { reportText } from './report-text.ts';
import { type ExitCode, exitCode, type Terminal } from './terminal.ts';

/** A folder that a report is written to: trials as they are read, the rest at the end. */
interface ReportFolder {
  add: EachTrial;
  finish: (report: Report, options: { published: boolean }) => Promise<void>;
}

const refused = (folder: string, thrown: unknown): JuryError =>
  new JuryError('usage', `Cannot write to ${folder}: ${messageOf(thrown)}.`, { cause: thrown });

/** Trials that are gathered before they are written: a write for each would cost more than the trial. */
const TRIALS_AT_ONCE = 200;

/** A file that grows by items; `textOf` makes them its text, many at once. */
function openGrowing<T>(path: string, textOf: (items: readonly T[]) => string) {
  const stream: WriteStream = createWriteStream(path);
  const done = finished(stream);
  // Told by `end`; until then it must not bring the process down.
  done.catch(() => {});
  let gathered: T[] = [];
  const taken = (): string => {
    const text = textOf(gathered);
    gathered = [];
    return text;
  };
  return {
    /** @returns null where the next may come at once */
    add: (item: T): Promise<void> | null => {
      gathered.push(item);
      if (gathered.length < TRIALS_AT_ONCE || stream.write(taken())) return null;
      return Promise.race([once(stream, 'drain'), done]).then(() => {});
    },
    end: async (): Promise<void> => {
      stream.end(taken());
      await done;
    },
  };
}

/** @throws JuryError `usage`, also later, where the folder cannot be written */
async function openReportFolder(folder: string): Promise<ReportFolder> {
  try {
    await makeFolder(folder);
  } catch (thrown) {
    throw refused(folder, thrown);
  }
  const lines = openGrowing<string>(join(folder, 'trials.jsonl'), (texts) => texts.join(''));
  const table = openGrowing<readonly CsvValue[]>(join(folder, 'trials.csv'), csvText);
  table.add(TRIAL_HEADS);
  return {
    add: (trial, setup, facts) => {
      const waits = [
        lines.add(`${JSON.stringify(trial)}\n`),
        table.add(trialRecord(trial, setup, facts)),
      ].filter((wait) => wait !== null);
      return waits.length === 0 ? null : Promise.all(waits).then(() => {});
    },
    finish: async (report, options) => {
      try {
        await Promise.all([lines.end(), table.end()]);
        await Promise.all([
          writeFile(join(folder, 'report.html'), reportPage(report, options)),
          writeFile(join(folder, 'summary.json'), `${JSON.stringify(report, null, 1)}\n`),
          writeFile(join(folder, 'configurations.csv'), setupsCsv(report)),
          writeFile(join(folder, 'errors.csv'), categoriesCsv(report)),
          writeFile(join(folder, 'criteria.csv'), criteriaCsv(report)),
        ]);
      } catch (thrown) {
        throw refused(folder, thrown);
      }
    },
  };
}

interface ReportOptions extends GateFlags {
  /** The folder that the files go to. */
  out?: string;
  published: boolean;
  json: boolean;
}

/** `jury bench report NAME`: what a run says, as a table, as JSON, as a page and files. */
async function reportOn(
  store: TrialStore,
  terminal: Terminal,
  name: string,
  options: ReportOptions,
): Promise<ExitCode> {
  requireGate(options);
  const { out, published, json } = options;
  const { createdAt } = await requireRun(store, name);
  const folder = out === undefined ? null : await openReportFolder(out);
  const report = await makeReport(store, name, folder?.add);
  await folder?.finish(report, { published });
  terminal.out(json ? jsonLine(report) : reportText(terminal.screen, report, published));
  if (out !== undefined)
    terminal.err(
      `Written to ${out}: report.html, summary.json, trials.jsonl, configurations.csv, errors.csv, criteria.csv, trials.csv.`,
    );
  const passes = await passesGate(terminal, { name, createdAt, setups: report.setups }, options);
  return passes ? exitCode.ok : exitCode.failed;
}

/** `jury bench report`. */
export const register: Register = (command, { terminal, withRuns }) => {
  withGate(
    command
      .description(
        'Reports on a run, finished or not: every configuration with its scores and intervals, what it cost, and where it was\nwrong. --out writes a page that needs no network, with the reasoning of the judges, and the data.',
      )
      .argument('<name>', 'name of a run; "jury bench list" lists them')
      .option('--out <folder>', 'write report.html, summary.json, trials.jsonl and CSV files')
      .option('--published', "beside the papers' figures", false)
      .option('--json', 'the report as JSON', false),
  )
    .addHelpText('after', GATE_CODES)
    .action((name: string, options: ReportOptions) =>
      withRuns((store) => reportOn(store, terminal, name, options)),
    );
};
