import {
  type ConfigurationSummary,
  plannedTrials,
  type RunManifest,
  type RunTotals,
  readBaseline,
  seriesOf,
  setBaseline,
  summarizeRun,
} from '../../benchmark/index.ts';
import { JuryError, messageOf } from '../../common/index.ts';
import { andList, counted, grouped, jsonLine, minuteText, plainLine, usd } from '../../common/text/index.ts';
import { entry } from '../../judging/standards/index.ts';
import {
  type AssistantReport,
  changeSections,
  closingLines,
  groupRows,
} from '../../reports/assistant/index.ts';
import { requireRun } from '../../reports/facts/index.ts';
import {
  type Contradiction,
  type PublishedTable,
  printed,
  publishedTables,
} from '../../reports/published/index.ts';
import { type Measure, sum } from '../../statistics/index.ts';
import { classify } from '../../statistics/raters/index.ts';
import {
  type Column,
  type CommandContext,
  hang,
  type JsonFlag,
  list,
  type Screen,
  type Terminal,
  tableOf,
  textTable,
  wrap,
} from '../terminal/index.ts';

const scoreText = (measure: Measure): string => (measure.defined ? measure.value.toFixed(3) : '–');

const summaryCost = ({ costUsd, unknownCosts, trials, takenOver }: ConfigurationSummary): string => {
  if (unknownCosts === trials - takenOver && unknownCosts > 0) return 'unknown';
  return `${usd(costUsd)}${unknownCosts > 0 ? '+' : ''}`;
};

const perTrial = ({ latencyMs, trials, takenOver, untimed }: ConfigurationSummary): string => {
  if (trials === takenOver) return '–';
  return untimed > 0 ? 'unknown' : `${(latencyMs / (trials - takenOver) / 1000).toFixed(2)} s`;
};

/** Counts trials without a decision as wrong, unless no trial has one: then nothing is right or wrong. */
const classified = ({ confusion }: ConfigurationSummary) => {
  const decided = classify(confusion);
  return decided.coverage.defined && decided.coverage.value === 0 ? decided : classify(confusion, 'wrong');
};

const columns: readonly Column<ConfigurationSummary>[] = [
  ['configuration', ({ id }) => id],
  ['trials', ({ trials }) => grouped(trials)],
  ['pass', ({ decisions }) => grouped(decisions.pass)],
  ['fail', ({ decisions }) => grouped(decisions.fail)],
  ['scored', ({ decisions }) => grouped(decisions.scored)],
  ['undecided', ({ decisions }) => grouped(decisions.undecided)],
  ['no quorum', ({ decisions }) => grouped(decisions['no-quorum'])],
  ['unanswered', ({ decisions }) => grouped(decisions.unanswered)],
  ['accuracy', (summary) => scoreText(classified(summary).accuracy)],
  ['F1', (summary) => scoreText(classified(summary).f1)],
  ['calls', ({ calls }) => grouped(calls)],
  ['pooled calls', ({ pooledCalls }) => grouped(pooledCalls)],
  ['saved calls', ({ savedCalls }) => grouped(savedCalls)],
  ['taken over', ({ takenOver }) => grouped(takenOver)],
  ['cost', summaryCost],
  ['time/trial', perTrial],
];

/** What a column shows when it has nothing to say. A column that shows this for every configuration is left out. */
const EMPTY: Readonly<Record<string, string>> = {
  scored: '0',
  'no quorum': '0',
  unanswered: '0',
  'pooled calls': '0',
  'saved calls': '0',
  'taken over': '0',
  accuracy: '–',
  F1: '–',
};

/** Which answers of other configurations one uses. */
const pooledText = (id: string, calls: number, from: readonly string[]): string =>
  `${id} is pooled from ${andList(from)}: ${counted(calls, 'call')} of theirs, not made again.`;

/** A run on one screen: counts per configuration, with accuracy and F1 if cases have labels. */
function summaryText(
  screen: Screen,
  { planned, run, ...totals }: RunTotals & { run: string; planned: number },
  summaries: readonly ConfigurationSummary[],
): string {
  const shown = columns.filter(([title, cell]) => !summaries.every((one) => cell(one) === EMPTY[title]));
  const cached = sum(summaries.map((one) => one.cached));
  const kept = cached > 0 ? `, ${counted(cached, 'answer')} from the cache` : '';
  const cost = `${usd(totals.spentUsd)} spent${totals.unknownCosts > 0 ? `, the cost of ${counted(totals.unknownCosts, 'trial')} is unknown or only partly known` : ''}`;
  return [
    `${run}: ${grouped(totals.trials)} of ${counted(planned, 'trial')}, ${counted(totals.calls, 'call')}${kept}, ${cost}`,
    '',
    ...tableOf(screen, summaries, shown),
    '',
    '  A configuration is a method, its models, the temperature (t0 is 0) and the repeat (#1 is the first).',
    ...summaries
      .filter(({ pooledCalls }) => pooledCalls > 0)
      .map(({ id, pooledCalls, pooledFrom }) => `  ${pooledText(id, pooledCalls, pooledFrom)}`),
    ...(shown.some(([title]) => title === 'accuracy')
      ? ['  Accuracy and F1 (positive class: pass) count a trial without a decision as wrong.']
      : []),
  ].join('\n');
}

/** Prints a run's summary. */
export async function printSummary(
  { out, runs, screen }: CommandContext,
  manifest: RunManifest,
  totals: RunTotals,
  asJson: boolean,
): Promise<void> {
  const summaries = await summarizeRun(manifest, (await runs()).readTrials(manifest.name));
  const whole = { run: manifest.name, planned: plannedTrials(manifest), ...totals };
  if (!asJson) return out(summaryText(screen, whole, summaries));
  const configurations = summaries.map((summary) => ({
    ...summary,
    classification: classified(summary),
    decided: classify(summary.confusion),
  }));
  out(jsonLine({ ...whole, configurations }));
}

const about = (manifest: RunManifest, trials: number): string[] => {
  const { configurations, createdAt, dataset, imported, name } = manifest;
  const series = seriesOf(manifest);
  return [
    `${grouped(trials)} of ${counted(plannedTrials(manifest), 'trial')}: ${counted(dataset.cases, 'case')} of ${dataset.source} × ${counted(configurations.length, 'configuration')}`,
    `${imported === undefined ? 'started' : `imported from ${imported.judgements}`} ${minuteText(createdAt)}${series === name ? '' : `, of the series ${series}`}`,
  ];
};

/** `jury bench list`: the runs that are kept, newest first. */
export async function listRuns(
  context: CommandContext,
  { json, series }: JsonFlag & { series?: string },
): Promise<void> {
  const { err, out } = context;
  const store = await context.runs();
  const names = await store.names();
  const readable = await Promise.all(
    names.map(async (name) => {
      try {
        const manifest = await store.readRun(name);
        const isShown = manifest !== null && (series === undefined || seriesOf(manifest) === series);
        return isShown ? [{ manifest, totals: await store.totals(name) }] : [];
      } catch (thrown) {
        // A run that cannot be read does not hide the others.
        err(messageOf(thrown));
        return [];
      }
    }),
  );
  const runs = readable.flat().sort((a, b) => (a.manifest.createdAt < b.manifest.createdAt ? 1 : -1));
  if (json)
    for (const { manifest, totals } of runs)
      out(jsonLine({ ...manifest, series: seriesOf(manifest), planned: plannedTrials(manifest), totals }));
  else if (names.length === 0) err('There are no runs yet. "jury bench run DATASET" makes one.');
  else if (runs.length === 0 && series !== undefined)
    err(
      `No run belongs to the series "${plainLine(series)}". "jury bench list" shows all runs with their series.`,
    );
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
 * `jury bench show NAME`: prints a run's summary, or each of its trials as JSON.
 * @throws JuryError `usage` if there is no such run
 */
export async function showRun(
  context: CommandContext,
  name: string,
  show: { json: boolean; trials: boolean },
): Promise<void> {
  const store = await context.runs();
  const manifest = await requireRun(store, name);
  if (show.trials) {
    for await (const trial of store.readTrials(name)) context.out(jsonLine(trial));
    return;
  }
  await printSummary(context, manifest, await store.totals(name), show.json);
}

/** What a report says about the assistant: each change with what broke, then how certain that is. */
export function assistantLines({ colors, width }: Screen, report: AssistantReport): string[] {
  const wrapped = (text: string, margin = '') => hang(margin, plainLine(text), width);
  return [
    ...changeSections(report).flatMap(({ headline, basis, turned }) => [
      '',
      ...wrapped(headline).map((line) => colors.bold(line)),
      ...(basis === '' ? [] : wrapped(basis).map((line) => colors.dim(line))),
      ...turned.flatMap(({ title, groups }) => [
        title,
        ...groupRows(groups).flatMap(({ label, value }) => wrapped(`${label}: ${value}`, '  ')),
      ]),
    ]),
    ...closingLines(report).flatMap((line) => wrapped(line).map((part) => colors.dim(part))),
  ];
}

/** `jury bench baseline BENCHMARK [RUN]`: sets, removes or shows a baseline. @throws JuryError `usage` if there is no such run */
export async function baseline(
  context: CommandContext,
  benchmark: string,
  run: string | undefined,
  { name, remove = false, json }: { name?: string; remove?: boolean; json: boolean },
): Promise<void> {
  if (run !== undefined && remove)
    throw new JuryError('usage', 'Name a run to set the baseline, or --remove it. Nothing was changed.');
  const parts = await context.parts();
  const store = await parts.store();
  if (run !== undefined) {
    const manifest = await requireRun(await context.runs(), run);
    await setBaseline(store, benchmark, { name: name ?? manifest.name, run: manifest.name }, parts.now());
  } else if (remove) await setBaseline(store, benchmark, null, parts.now());
  const set = await readBaseline(store, benchmark, parts.now());
  if (json) context.out(jsonLine(set));
  else if (set === null) context.out(`${plainLine(benchmark)} has no baseline.`);
  else {
    const called = set.name === set.run ? '' : `, called ${plainLine(set.name)}`;
    context.out(`The baseline of ${plainLine(benchmark)} is ${set.run}${called}.`);
  }
}

function noteText({ columns }: PublishedTable, contradiction: Contradiction): string {
  const titles = columns.filter(({ id }) => contradiction.columns.includes(id)).map(({ title }) => title);
  return titles.length === 0 ? contradiction.text : `${titles.join(', ')}: ${contradiction.text}`;
}

/** The notes on a table, in the order of their numbers. The same text about several rows is one note. */
const notesOf = (table: PublishedTable): string[] => [
  ...new Set(table.contradictions.map((one) => noteText(table, one))),
];

function cellText(table: PublishedTable, row: number, column: number): string {
  const cell = table.rows[row]?.[column] ?? null;
  if (typeof cell === 'string') return cell;
  return cell === null ? '–' : printed(table, table.columns[column]?.id ?? '', cell);
}

function show({ screen, out }: Terminal, table: PublishedTable): void {
  const { bold, dim, yellow } = screen.colors;
  const { contradictions: contradictory } = table;
  const notes = notesOf(table);
  const shown = table.columns.map(({ id, title, unit }, column) => ({
    title,
    align: unit === 'label' ? ('left' as const) : ('right' as const),
    cell: (row: number) => cellText(table, row, column),
    isDoubtful: (row: number) => contradictory.some((one) => one.row === row && one.columns.includes(id)),
  }));
  const numbersOf = (row: number) =>
    new Set(
      contradictory.filter((one) => one.row === row).map((one) => notes.indexOf(noteText(table, one)) + 1),
    );
  // The notes column follows the labels, so that every block of a wide table repeats it.
  const labels = table.columns.filter(({ unit }) => unit === 'label').length;
  const marks = {
    title: 'notes',
    align: 'left' as const,
    cell: (row: number) => [...numbersOf(row)].map((number) => `[${number}]`).join(' '),
    isDoubtful: () => false,
  };
  if (notes.length > 0) shown.splice(labels, 0, marks);
  const rows = table.rows.map((_, row) => shown.map(({ cell }) => cell(row)));
  out(bold(wrap(`${table.table}: ${table.title} (${table.id})`, screen.width)));
  out(dim(wrap(`from ${table.paper}, ${table.place}`, screen.width)));
  out('');
  const lines = textTable(screen, shown, rows, labels + (notes.length > 0 ? 1 : 0), (text, row, column) =>
    shown[column]?.isDoubtful(row) === true ? yellow(text) : text,
  );
  out(lines.join('\n'));
  out('');
  for (const { title, meaning, unit } of table.columns)
    out(
      dim(hang(`  ${title}: `, unit === 'label' ? meaning : `${meaning} (${unit})`, screen.width).join('\n')),
    );
  if (notes.length > 0) out(`\n${yellow('Where the paper contradicts itself:')}`);
  for (const [index, text] of notes.entries()) out(hang(`  [${index + 1}] `, text, screen.width).join('\n'));
}

function jsonLines(table: PublishedTable): string[] {
  return table.rows.map((cells, row) =>
    jsonLine({
      table: table.id,
      row: Object.fromEntries(table.columns.map(({ id }, column) => [id, cells[column] ?? null])),
      contradictions: table.contradictions
        .filter((one) => one.row === row)
        .map((one) => noteText(table, one)),
    }),
  );
}

/**
 * `jury bench published [TABLE]`: results that papers have published. Without a table, lists all tables; with one, shows it
 * with its source and where the paper contradicts itself. As JSON, prints one row per line, of one table or of all.
 *
 * @throws JuryError `usage` if there is no such table
 */
export async function published(
  context: CommandContext,
  id: string | undefined,
  { json }: JsonFlag,
): Promise<void> {
  const all = publishedTables;
  const byId = new Map(all.map((table) => [table.id, table]));
  const chosen = id === undefined ? all : [entry('published table', byId, id)];
  if (json) {
    for (const table of chosen) for (const line of jsonLines(table)) context.out(line);
  } else if (id === undefined) {
    list(
      context,
      all.map((table) => {
        const notes = notesOf(table).length;
        const marked = notes === 0 ? '' : `; ${counted(notes, 'contradiction')} marked`;
        return {
          id: table.id,
          lines: [`${table.table}: ${table.title}`, `${table.rows.length} rows${marked}`],
          source: `${table.paper}, ${table.place}`,
        };
      }),
    );
  } else {
    for (const table of chosen) show(context, table);
  }
}
