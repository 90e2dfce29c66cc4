import { join } from 'node:path';
import { makeReport, type ReportSink, requireRun } from '../../benchmark/make-report.ts';
import { reportPage } from '../../benchmark/reports/html/page.ts';
import type { Report } from '../../benchmark/reports/report.ts';
import {
  categoriesCsv,
  criteriaCsv,
  setupsCsv,
  TRIAL_HEADS,
  trialRecord,
} from '../../benchmark/reports/report-csv.ts';
import type { SpokenTrial } from '../../benchmark/trial.ts';
import { type CsvValue, csvText } from '../../common/csv.ts';
import { JuryError, messageOf } from '../../common/errors.ts';
import { makeFolder } from '../../common/make-folder.ts';
import { jsonLine } from '../../common/text.ts';
import type { CommandContext } from './command-context.ts';
import { type GateFlags, readGate } from './gate.ts';
import { openFile, writeOutput } from './output.ts';
import { reportText } from './report-text.ts';
import { type ExitCode, exitCode } from './terminal.ts';

/** A folder that a report is written to: trials as they are read, the rest at the end. */
interface ReportFolder extends ReportSink {
  finish: (report: Report, options: { published: boolean }) => Promise<void>;
  drop: () => Promise<unknown>;
}

/** @throws JuryError `usage`, also later, where the folder cannot be written */
async function openReportFolder(folder: string): Promise<ReportFolder> {
  await makeFolder(folder).catch((thrown) => {
    throw new JuryError('usage', `Cannot write to ${folder}: ${messageOf(thrown)}.`, { cause: thrown });
  });
  const lines = await openFile<SpokenTrial>(join(folder, 'trials.jsonl'), (trials) =>
    trials.map((trial) => `${JSON.stringify(trial)}\n`).join(''),
  );
  const table = await openFile<readonly CsvValue[]>(join(folder, 'trials.csv'), csvText);
  table.add(TRIAL_HEADS);
  return {
    onTrial: (trial, setup, facts) => table.add(trialRecord(trial, setup, facts)),
    onSpoken: (trial) => lines.add(trial),
    drop: () => Promise.all([lines.drop(), table.drop()]),
    finish: async (report, options) => {
      await Promise.all([lines.end(), table.end()]);
      await Promise.all([
        writeOutput(join(folder, 'report.html'), reportPage(report, options)),
        writeOutput(join(folder, 'summary.json'), `${JSON.stringify(report, null, 1)}\n`),
        writeOutput(join(folder, 'configurations.csv'), setupsCsv(report)),
        writeOutput(join(folder, 'errors.csv'), categoriesCsv(report)),
        writeOutput(join(folder, 'criteria.csv'), criteriaCsv(report)),
      ]);
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
export async function report(
  context: CommandContext,
  name: string,
  options: ReportOptions,
): Promise<ExitCode> {
  const passes = readGate(options);
  const store = await context.runs();
  const { out, published, json } = options;
  const { createdAt } = await requireRun(store, name);
  const folder = out === undefined ? null : await openReportFolder(out);
  const made = await makeReport(store, name, folder ?? undefined).catch(async (thrown) => {
    await folder?.drop();
    throw thrown;
  });
  await folder?.finish(made, { published });
  context.out(json ? jsonLine(made) : reportText(context.screen, made, published));
  if (out !== undefined)
    context.err(
      `Written to ${out}: report.html, summary.json, trials.jsonl, configurations.csv, errors.csv, criteria.csv, trials.csv.`,
    );
  return (await passes(context, { name, createdAt, setups: made.setups })) ? exitCode.ok : exitCode.failed;
}
