import type { Command } from 'commander';
import { type GateFlags, gateOf, withGate } from './gate.ts';
import type { ProgramContext } from './program.ts';
import type { ExitCode } from './terminal.ts';
import { withRuns } from './with-runs.ts';

const CODES =
  '\nExit codes: 0, 1 a threshold of --fail-under is not met, 64 bad usage (such as no run of that name), 70 internal error.';

interface ReportFlags extends GateFlags {
  out?: string;
  published: boolean;
  json: boolean;
}

/** `jury bench report|compare`: what runs say. */
export function addReports(bench: Command, context: ProgramContext, end: (code: ExitCode) => void): void {
  withGate(
    bench
      .command('report')
      .summary('report on a run: scores with intervals, cost, time, mistakes')
      .description(
        'Reports on a run, ended or not: every configuration with its scores and intervals, what it cost, and where it was\nwrong. --out writes a page that needs no network, with the reasoning of the judges, and the data.',
      )
      .argument('<name>', 'name of a run; "jury bench list" lists them')
      .option('--out <folder>', 'write report.html, summary.json, trials.jsonl and CSV files')
      .option('--published', "beside the papers' figures", false)
      .option('--json', 'the report as JSON', false),
  )
    .addHelpText('after', CODES)
    .action(async (name: string, flags: ReportFlags) => {
      const { benchReportCommand } = await import('./bench-report.ts');
      const { out, published, json } = flags;
      const options = { out: out ?? null, published, json, ...gateOf(flags) };
      await withRuns(await context.env(), context.terminal.err, async (store) =>
        end(await benchReportCommand(store, context.terminal, name, options)),
      );
    });
  withGate(
    bench
      .command('compare')
      .summary('compare two runs: what changed, and which cases')
      .description(
        'Compares two runs on the cases that are the same in both: differences with intervals, and the cases that came out\notherwise. NAME:CONFIGURATION compares one configuration, also within one run; the beginning of its id will do.\nThresholds are those of the second.',
      )
      .argument('<first>', 'NAME or NAME:CONFIGURATION, before')
      .argument('<second>', 'the same, after')
      .option('--json', 'the comparison as JSON', false),
  )
    .addHelpText('after', CODES)
    .action(async (first: string, second: string, flags: GateFlags & { json: boolean }) => {
      const { benchCompareCommand } = await import('./bench-compare.ts');
      const options = { json: flags.json, ...gateOf(flags) };
      await withRuns(await context.env(), context.terminal.err, async (store) =>
        end(await benchCompareCommand(store, context.terminal, first, second, options)),
      );
    });
}
