import { join } from 'node:path';
import { rubricTexts, type SpokenTrial, subjectOf } from '../../benchmark/index.ts';
import { JuryError } from '../../common/index.ts';
import { type CsvValue, counted, csvText, grouped, jsonLine, plainText } from '../../common/text/index.ts';
import { cardTexts } from '../../judging/card/index.ts';
import { type EachTrial, requireRun } from '../../reports/facts/index.ts';
import {
  bestByCriterionCsv,
  correlationsCsv,
  groupsCsv,
  makeJoinedReport,
  makeReport,
  type Report,
  readDimensions,
  recallCsv,
  reportMarkdown,
  reportTables,
  setupsCsv,
  trialHeads,
  trialRecord,
} from '../../reports/index.ts';
import {
  categoriesCsv,
  criteriaCsv,
  isLabeled,
  NAMES_NOTE,
  type ReportTable,
} from '../../reports/metrics/index.ts';
import { paperPrices } from '../../reports/published/index.ts';
import { reviewedFor } from '../../reviews/index.ts';
import { againstRuns, withPeople } from '../index.ts';
import {
  type Column,
  type CommandContext,
  type ExitCode,
  exitCode,
  makeOutputFolder,
  openBeside,
  openFile,
  type Screen,
  tableOf,
  wrap,
  writeOutput,
  writePieces,
} from '../terminal/index.ts';
import { createReportPage, type ReportPage } from '../web/index.ts';
import { assistantLines } from './bench.ts';
import { baselineOf, type GateFlags, readGate, readWishes } from './gate.ts';

type ReportRow = ReportTable['rows'][number];

/** How many rows a terminal shows of a table that `--out` writes in full. */
const MAX_ROWS = 30;

/** A table for a terminal: without page-only columns, and with the notes of cells in columns of their own. */
export function tableLines(screen: Screen, table: ReportTable): string[] {
  const { title, head, columns, lead = [], note, file } = table;
  const rows = file === undefined ? table.rows : table.rows.slice(0, MAX_ROWS);
  const more = table.rows.length - rows.length;
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
    ...lead.map((line) => wrap(plainText(line), screen.width)),
    ...tableOf(screen, rows, [name, ...shown]),
    ...(more > 0 ? [`  and ${counted(more, 'more row')}: --out writes them to ${file}`] : []),
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
    `${screen.colors.bold(run.name)}: ${counted(dataset.cases, 'case')} (${grouped(dataset.labeled)} labeled) of ${plainText(dataset.source)}, rubric ${rubricTexts(run).join(', ')}${incomplete}`,
    ...[...report.notes, NAMES_NOTE].map((note) => screen.colors.dim(wrap(note, screen.width))),
    ...(report.assistant === null ? [] : assistantLines(screen, report.assistant)),
    ...reportTables(report, published).flatMap((table) => tableLines(screen, table)),
    ...(isLabeled(report) ? ['', mistakesLine(report)] : []),
  ].join('\n');
}

/** Where a report is written: trials as they are read, everything else at the end. */
interface ReportFiles {
  /** @param tags the names of all tags in the cases */
  begin: (tags: readonly string[]) => void;
  add: EachTrial<SpokenTrial>;
  /** Resolves to the names of the files in the folder; empty for a single file. */
  finish: (report: Report, options: { published: boolean }) => Promise<string[]>;
  drop: () => Promise<unknown>;
}

/** The page alone, in one file. */
function openReportFile(path: string, page: ReportPage): ReportFiles {
  return {
    begin: () => {},
    add: (trial, setup, facts) => {
      page.add(trial, setup, facts);
      return null;
    },
    drop: async () => {},
    finish: async (report, { published }) => {
      await writePieces(path, await page.html(report, published, `"--out FOLDER" writes it to trials.jsonl`));
      return [];
    },
  };
}

/** @throws JuryError `usage`, now or on a later write, if the folder cannot be written to */
async function openReportFolder(folder: string, page: ReportPage): Promise<ReportFiles> {
  await makeOutputFolder(folder);
  const lines = await openFile<string>(join(folder, 'trials.jsonl'), (texts) => texts.join(''));
  const table = await openBeside(lines, openFile<readonly CsvValue[]>(join(folder, 'trials.csv'), csvText));
  let tags: readonly string[] = [];
  return {
    begin(names) {
      tags = names;
      table.add(trialHeads(tags));
    },
    add: (trial, setup, facts) => {
      page.add(trial, setup, facts);
      const waits = [
        lines.add(`${JSON.stringify(trial)}\n`),
        table.add(trialRecord(trial, setup, facts, tags)),
      ].filter((wait) => wait !== null);
      return waits.length === 0 ? null : Promise.all(waits).then(() => {});
    },
    drop: () => Promise.all([lines.drop(), table.drop()]),
    finish: async (report, options) => {
      const { groups, correlations, recall } = report;
      const html = await page.html(report, options.published, 'trials.jsonl beside it has it');
      const files = {
        'report.md': reportMarkdown(report, options),
        'summary.json': `${JSON.stringify(report, null, 1)}\n`,
        'configurations.csv': setupsCsv(report),
        'errors.csv': categoriesCsv(report),
        'criteria.csv': criteriaCsv(report),
        ...(groups === null
          ? {}
          : { 'groups.csv': groupsCsv(groups), 'group-criteria.csv': criteriaCsv(report, groups) }),
        ...(report.bestByCriterion.length === 0
          ? {}
          : { 'best-by-criterion.csv': bestByCriterionCsv(report) }),
        ...(recall.length === 0 ? {} : { 'recall.csv': recallCsv(report) }),
        ...(correlations.length === 0 ? {} : { 'correlations.csv': correlationsCsv(report) }),
      };
      await Promise.all([lines.end(), table.end()]);
      await writePieces(join(folder, 'report.html'), html);
      await Promise.all(Object.entries(files).map(([name, text]) => writeOutput(join(folder, name), text)));
      return ['trials.jsonl', 'trials.csv', 'report.html', ...Object.keys(files)];
    },
  };
}

/** @throws JuryError `usage`, now or on a later write, if the folder or file cannot be written */
async function openFiles(
  context: CommandContext,
  names: readonly string[],
  out: string,
): Promise<ReportFiles> {
  const { env, library } = await context.parts();
  const page = await createReportPage(
    await context.runs(),
    names,
    env.browserFolder,
    cardTexts(library, 'en'),
  );
  return /\.html?$/i.test(out) ? openReportFile(out, page) : openReportFolder(out, page);
}

interface ReportOptions extends Omit<GateFlags, 'by'> {
  /** A folder for all files, or an `.html` file for the page alone. */
  out?: string;
  /** Another run to compare the assistant with. */
  against?: string;
  published: boolean;
  /** With several runs: only the cases that all of them have. */
  common: boolean;
  /** Dimensions as typed, or the margin of `--no-worse-than`. */
  by?: readonly (readonly string[])[];
  /** The published table whose prices are used. */
  prices?: string;
  json: boolean;
}

/** @throws JuryError `usage` if a run is named twice, or an option does not fit the number of runs */
function requireFitting(
  names: readonly string[],
  {
    against,
    common,
    worseThan,
  }: Pick<GateFlags, 'worseThan'> & { against: string | undefined; common: boolean },
): void {
  const twice = names.find((one, at) => names.indexOf(one) < at);
  if (twice !== undefined) throw new JuryError('usage', `${twice} is named twice.`);
  if (names.length > 1 && against !== undefined)
    throw new JuryError('usage', '--against goes with one run. "jury bench compare" compares two.');
  if (names.length > 1 && baselineOf({ worseThan }) !== null)
    throw new JuryError('usage', '--no-worse-than goes with one run.');
  if (names.length === 1 && common) throw new JuryError('usage', '--common needs several runs.');
}

/** `jury bench report NAME…`: reports on one or more runs, as tables, as JSON, as a page, or as files. */
export async function report(
  context: CommandContext,
  names: readonly string[],
  { against, out, published, prices, common, json, ...options }: ReportOptions,
): Promise<ExitCode> {
  const typed = (options.by ?? []).flat();
  const [by] = baselineOf(options) === null ? [] : typed.filter((one) => /^[\d.]+$/.test(one));
  const gate = await readGate(context, { ...options, by: by === undefined ? by : Number(by) });
  const wishes = {
    pricing: prices === undefined ? undefined : paperPrices(prices),
    by: readDimensions(typed.filter((one) => one !== by)),
    ...readWishes(options),
  };
  const [name = '', ...others] = names;
  requireFitting(names, { ...options, against, common });
  const store = await context.runs();
  const manifest = await requireRun(store, name);
  const ofJudges = subjectOf(manifest) === 'judges';
  if (ofJudges && against !== undefined)
    throw new JuryError(
      'usage',
      `--against is for runs about the assistant, and ${name} is about the judges: use "jury bench compare ${against} ${name}".`,
    );
  const beside = async () => {
    const parts = await context.parts();
    return { runs: store, store: await parts.store(), now: parts.now() };
  };
  const runs = ofJudges || others.length > 0 ? [] : await againstRuns(await beside(), manifest, against);
  const reviewed =
    ofJudges || others.length > 0
      ? []
      : await reviewedFor((await beside()).store, manifest, (await context.parts()).now());
  const files = out === undefined ? null : await openFiles(context, names, out);
  const reading =
    others.length === 0
      ? makeReport(store, name, {
          ...wishes,
          onTags: files?.begin,
          each: files?.add,
          against: runs,
          reviewed,
        })
      : makeJoinedReport(store, names, { ...wishes, onTags: files?.begin, each: files?.add, common });
  const read = await reading.catch(async (thrown) => {
    await files?.drop();
    throw thrown;
  });
  const made =
    read.assistant === null ? read : { ...read, assistant: await withPeople(await beside(), read.assistant) };
  const written = (await files?.finish(made, { published })) ?? [];
  context.out(json ? jsonLine(made) : reportText(context.screen, made, published));
  if (out !== undefined)
    context.err(`Written to ${[out, written.join(', ')].filter((part) => part !== '').join(': ')}.`);
  const { name: shown, createdAt } = made.run;
  const side = { run: shown, setup: null };
  const passes = await gate.passes({ side, createdAt, setups: made.setups, isJoined: others.length > 0 });
  return passes ? exitCode.ok : exitCode.failed;
}
