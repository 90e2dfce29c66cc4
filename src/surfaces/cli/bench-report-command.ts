import { makeReport, requireRun } from '../../benchmark/make-report.ts';
import type { TrialStore } from '../../benchmark/runs/trial-store.ts';
import { type ExitCode, exitCode, type Terminal } from './console.ts';
import { type GateOptions, passesGate, requireGate } from './gate.ts';
import { jsonLine } from './plain-text.ts';
import { reportText } from './report-text.ts';
import { openReportFolder } from './write-report.ts';

export interface BenchReportOptions extends GateOptions {
  /** The folder that the files go to; null: none are written. */
  out: string | null;
  published: boolean;
  json: boolean;
}

/** `jury bench report NAME`: what a run says, as a table, as JSON, as a page and files. */
export async function benchReportCommand(
  store: TrialStore,
  terminal: Terminal,
  name: string,
  options: BenchReportOptions,
): Promise<ExitCode> {
  requireGate(options);
  const { out, published, json } = options;
  const { createdAt } = await requireRun(store, name);
  const folder = out === null ? null : await openReportFolder(out);
  const report = await makeReport(store, name, folder?.add);
  await folder?.finish(report, { published });
  terminal.out(json ? jsonLine(report) : reportText(terminal.screen, report, published));
  if (out !== null)
    terminal.err(
      `Written to ${out}: report.html, summary.json, trials.jsonl, configurations.csv, errors.csv, criteria.csv, trials.csv.`,
    );
  const passes = await passesGate(terminal, { name, createdAt, setups: report.setups }, options);
  return passes ? exitCode.ok : exitCode.failed;
}
