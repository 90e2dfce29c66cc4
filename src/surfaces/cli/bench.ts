import { join } from 'node:path';
import { makeReport, requireRun } from '../../benchmark/make-report.ts';
import { paperPrices } from '../../benchmark/published/paper-prices.ts';
import {
  checkText,
  checkThresholds,
  junitFile,
  readThreshold,
  type Threshold,
  thresholdMetrics,
  withCoverage,
} from '../../benchmark/reports/gates.ts';
import { readDimensions } from '../../benchmark/reports/groups.ts';
import { reportPage } from '../../benchmark/reports/html/page.ts';
import type { Report, SetupReport } from '../../benchmark/reports/report.ts';
import {
  categoriesCsv,
  correlationsCsv,
  criteriaCsv,
  groupsCsv,
  recallCsv,
  setupsCsv,
  TRIAL_HEADS,
  trialRecord,
} from '../../benchmark/reports/report-csv.ts';
import { reportMarkdown } from '../../benchmark/reports/report-markdown.ts';
import type { EachTrial } from '../../benchmark/reports/report-of.ts';
import { reportTables } from '../../benchmark/reports/report-sections.ts';
import { isLabeled, type ReportTable } from '../../benchmark/reports/tables.ts';
import { plannedTrials, type RunManifest, subjectOf } from '../../benchmark/run.ts';
import { summarizeRun } from '../../benchmark/run-totals.ts';
import type { SpokenTrial } from '../../benchmark/trial.ts';
import { type CsvValue, csvText } from '../../common/csv.ts';
import { JuryError, messageOf } from '../../common/errors.ts';
import { makeFolder } from '../../common/make-folder.ts';
import { counted, grouped, jsonLine, minuteText, plainText } from '../../common/text.ts';
import { againstRuns, assistantLines, withPeople } from './bench-assistant.ts';
import type { CommandContext } from './command-context.ts';
import { openBeside, openFile, writeOutput } from './output.ts';
import { summaryJson, summaryText } from './run-text.ts';
import { type Column, list, tableOf } from './table.ts';
import { type ExitCode, exitCode, type Screen, type Terminal } from './terminal.ts';
import { wrap } from './wrap.ts';

/** `--fail-under` and `--junit`, as typed. */
export interface GateFlags {
  failUnder?: readonly string[];
  /** The file that the thresholds are written to. */
  junit?: string;
}

interface Run {
  name: string;
  createdAt: string;
  setups: readonly SetupReport[];
}

/**
 * Whether every configuration meets every threshold; says which one does not.
 * @throws JuryError `usage` if the JUnit file cannot be written
 */
export type Gate = (terminal: Terminal, run: Run) => Promise<boolean>;

function threshold(text: string): Threshold {
  const read = readThreshold(text);
  if (read !== null) return read;
  throw new JuryError(
    'usage',
    `--fail-under ${text}: Must be score=minimum, such as f1=0.9. A minimum is from 0 to 1 (mcc: from -1). Scores: ${thresholdMetrics.join(', ')}.`,
  );
}

/** @throws JuryError `usage` for what is no threshold, or a JUnit file that would hold nothing */
export function readGate({ failUnder = [], junit }: GateFlags): Gate {
  const thresholds = withCoverage(failUnder.map(threshold));
  if (junit !== undefined && thresholds.length === 0)
    throw new JuryError('usage', '--junit needs --fail-under, such as f1=0.9: a test case is a threshold.');
  return async ({ err }, { name, createdAt, setups }) => {
    const checks = checkThresholds(setups, thresholds);
    if (junit !== undefined) await writeOutput(junit, junitFile(name, createdAt, checks));
    const missed = checks.filter(({ met }) => !met);
    for (const check of missed) err(`Below the threshold: ${check.setup}: ${checkText(check)}.`);
    return missed.length === 0;
  };
}

type ReportRow = ReportTable['rows'][number];

/** A table with the notes of its cells in columns of their own, as far as they are for a terminal. */
function tableLines(screen: Screen, { title, head, columns, rows, note }: ReportTable): string[] {
  const shown = columns.flatMap(({ title: text, notes, pageOnly }, index): Column<ReportRow>[] => {
    if (pageOnly === true) return [];
    const note: Column<ReportRow>[] =
      notes === undefined
        ? []
        : [[notes, ({ cells }) => (cells[index]?.none ? '' : (cells[index]?.note ?? ''))]];
    return [[text, ({ cells }) => cells[index]?.text ?? ''], ...note];
  });
  const name: Column<ReportRow> = [head, (row) => (typeof row.head === 'string' ? row.head : row.head.id)];
  return [
    '',
    screen.colors.bold(title),
    ...tableOf(screen, rows, [name, ...shown]),
    ...(note === undefined ? [] : [screen.colors.dim(wrap(note, screen.width))]),
  ];
}

function mistakesLine({ setups, mistakes }: Report): string {
  const total = setups.reduce((sum, { id }) => sum + (mistakes.counts[id] ?? 0), 0);
  return total === 0
    ? 'No trial differs from its label.'
    : `${counted(total, 'trial')} ${total === 1 ? 'differs' : 'differ'} from the label: --out writes them with the judges' reasoning.`;
}

/** A report as a terminal shows it. */
function reportText(screen: Screen, report: Report, published: boolean): string {
  const { run, trials, planned } = report;
  const { dataset } = run;
  const incomplete =
    trials < planned ? `, not complete: ${grouped(trials)} of ${grouped(planned)} trials` : '';
  return [
    `${screen.colors.bold(run.name)}: ${counted(dataset.cases, 'case')} (${grouped(dataset.labeled)} labeled) of ${plainText(dataset.source)}${incomplete}`,
    ...report.notes.map((note) => screen.colors.dim(wrap(note, screen.width))),
    ...(report.assistant === null ? [] : assistantLines(screen, report.assistant)),
    ...reportTables(report, published).flatMap((table) => tableLines(screen, table)),
    ...(isLabeled(report) ? ['', mistakesLine(report)] : []),
  ].join('\n');
}

/** A folder that a report is written to: trials as they are read, the rest at the end. */
interface ReportFolder {
  add: EachTrial<SpokenTrial>;
  /** Resolves to the names of the files. */
  finish: (report: Report, options: { published: boolean }) => Promise<string[]>;
  drop: () => Promise<unknown>;
}

/** @throws JuryError `usage`, also later, where the folder cannot be written */
async function openReportFolder(folder: string): Promise<ReportFolder> {
  await makeFolder(folder).catch((thrown) => {
    throw new JuryError('usage', `Cannot write to ${folder}: ${messageOf(thrown)}.`, { cause: thrown });
  });
  const lines = await openFile<string>(join(folder, 'trials.jsonl'), (texts) => texts.join(''));
  const table = await openBeside(lines, openFile<readonly CsvValue[]>(join(folder, 'trials.csv'), csvText));
  table.add(TRIAL_HEADS);
  return {
    add: (trial, setup, facts) => {
      const waits = [
        lines.add(`${JSON.stringify(trial)}\n`),
        table.add(trialRecord(trial, setup, facts)),
      ].filter((wait) => wait !== null);
      return waits.length === 0 ? null : Promise.all(waits).then(() => {});
    },
    drop: () => Promise.all([lines.drop(), table.drop()]),
    finish: async (report, options) => {
      const { groups, correlations, recall } = report;
      const files = {
        'report.html': reportPage(report, options),
        'report.md': reportMarkdown(report, options),
        'summary.json': `${JSON.stringify(report, null, 1)}\n`,
        'configurations.csv': setupsCsv(report),
        'errors.csv': categoriesCsv(report),
        'criteria.csv': criteriaCsv(report),
        ...(groups === null
          ? {}
          : { 'groups.csv': groupsCsv(groups), 'group-criteria.csv': criteriaCsv(report, groups) }),
        ...(recall.length === 0 ? {} : { 'recall.csv': recallCsv(report) }),
        ...(correlations.length === 0 ? {} : { 'correlations.csv': correlationsCsv(report) }),
      };
      await Promise.all([lines.end(), table.end()]);
      await Promise.all(Object.entries(files).map(([name, text]) => writeOutput(join(folder, name), text)));
      return ['trials.jsonl', 'trials.csv', ...Object.keys(files)];
    },
  };
}

interface ReportOptions extends GateFlags {
  /** The folder that the files go to. */
  out?: string;
  /** Another run that the assistant is compared with. */
  against?: string;
  published: boolean;
  /** Dimensions, as typed. */
  by?: readonly (readonly string[])[];
  /** A published table whose prices count. */
  prices?: string;
  json: boolean;
}

/** `jury bench report NAME`: what a run says, as a table, as JSON, as a page and files. */
export async function report(
  context: CommandContext,
  name: string,
  options: ReportOptions,
): Promise<ExitCode> {
  const passes = readGate(options);
  const { out, published, prices, json } = options;
  const pricing = prices === undefined ? undefined : paperPrices(prices);
  const by = readDimensions((options.by ?? []).flat());
  const store = await context.runs();
  const manifest = await requireRun(store, name);
  const { createdAt } = manifest;
  if (subjectOf(manifest) === 'judges' && options.against !== undefined)
    throw new JuryError('usage', `${name} is about judges: "jury bench compare" compares these.`);
  const against =
    subjectOf(manifest) === 'judges' ? [] : await againstRuns(context, manifest, options.against);
  const folder = out === undefined ? null : await openReportFolder(out);
  const read = await makeReport(store, name, {
    each: folder?.add,
    against,
    pricing,
    by,
  }).catch(async (thrown) => {
    await folder?.drop();
    throw thrown;
  });
  const made =
    read.assistant === null ? read : { ...read, assistant: await withPeople(context, read.assistant) };
  const files = (await folder?.finish(made, { published })) ?? [];
  context.out(json ? jsonLine(made) : reportText(context.screen, made, published));
  if (out !== undefined) context.err(`Written to ${out}: ${files.join(', ')}.`);
  return (await passes(context, { name, createdAt, setups: made.setups })) ? exitCode.ok : exitCode.failed;
}

const about = ({ configurations, createdAt, dataset }: RunManifest, trials: number): string[] => [
  `${grouped(trials)} of ${counted(configurations.length * dataset.cases, 'trial')}: ${counted(dataset.cases, 'case')} of ${dataset.source} × ${counted(configurations.length, 'configuration')}`,
  `started ${minuteText(createdAt)}`,
];

/** `jury bench list`: the runs that are kept, newest first. */
export async function listRuns(context: CommandContext, { json }: { json: boolean }): Promise<void> {
  const { err, out } = context;
  const store = await context.runs();
  const names = await store.names();
  const found = await Promise.all(
    names.map(async (name) => {
      try {
        const manifest = await store.readRun(name);
        return manifest === null ? [] : [{ manifest, totals: await store.totals(name) }];
      } catch (thrown) {
        // One that cannot be read does not hide the others.
        err(messageOf(thrown));
        return [];
      }
    }),
  );
  const runs = found.flat().sort((a, b) => (a.manifest.createdAt < b.manifest.createdAt ? 1 : -1));
  if (json)
    for (const { manifest, totals } of runs)
      out(jsonLine({ ...manifest, planned: plannedTrials(manifest), totals }));
  else if (names.length === 0) err('There are no runs yet. "jury bench run DATASET" makes one.');
  else if (runs.length > 0)
    list(
      context,
      runs.map(({ manifest, totals }) => ({
        id: manifest.name,
        lines: about(manifest, totals.trials),
        source: '',
      })),
    );
}

/**
 * `jury bench show NAME`: what a run came to, or each of its trials as JSON.
 * @throws JuryError `usage` where there is no such run
 */
export async function showRun(
  context: CommandContext,
  name: string,
  show: { json: boolean; trials: boolean },
): Promise<void> {
  const { out, screen } = context;
  const store = await context.runs();
  const manifest = await requireRun(store, name);
  if (show.trials) {
    for await (const trial of store.readTrials(name)) out(jsonLine(trial));
    return;
  }
  const summaries = await summarizeRun(manifest, store.readTrials(name));
  const shown = [name, plannedTrials(manifest), await store.totals(name), summaries] as const;
  out(show.json ? jsonLine(summaryJson(...shown)) : summaryText(screen, ...shown));
}
