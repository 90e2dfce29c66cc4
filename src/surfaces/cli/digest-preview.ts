import { JuryError } from '../../common/errors.ts';
import { jsonLine, plainLine } from '../../common/text.ts';
import type { Digest, DigestBlock, DigestMark } from '../../digests/digest.ts';
import { isBenchmark } from '../../digests/digest-schedule.ts';
import { findSchedule } from '../../digests/manage-schedules.ts';
import { previewDigest, unscheduled } from '../../digests/run-digests.ts';
import type { OpenDigests } from '../open-digests.ts';
import type { CommandContext, Screen } from './command.ts';
import { hang, textTable, wrap } from './layout.ts';
import { writeOutput } from './output.ts';

const BARS = '▁▂▃▄▅▆▇█';

/** Percentage points that bars span at least: half a point must not look like everything. */
const LEAST_SPAN = 10;

const COLOR = {
  better: 'green',
  worse: 'red',
  steady: 'bold',
  unknown: 'bold',
  alert: 'red',
  recovery: 'green',
} as const satisfies Record<DigestMark, keyof Screen['colors']>;

/** One bar a point, between a lowest and a highest percentage; a dot where there is none. */
function bars(values: readonly (number | null)[], lowest: number, highest: number): string {
  return values
    .map((value) => {
      if (value === null) return '·';
      const place = (value - lowest) / (highest - lowest);
      return BARS[Math.round(place * (BARS.length - 1))] ?? '';
    })
    .join('');
}

function trendLines({ categories, series }: Extract<DigestBlock, { kind: 'trend' }>): string[] {
  const all = series.flatMap(({ values }) => values.filter((value) => value !== null));
  const [least, most] = [Math.min(...all), Math.max(...all)];
  const wider = Math.max(0, LEAST_SPAN - (most - least)) / 2;
  return series.map(({ name, values }) => {
    // A line can begin later than the others, or end before them.
    const known = values.flatMap((value, index) =>
      value === null ? [] : [`${value} % (${categories[index] ?? ''})`],
    );
    return `  ${bars(values, least - wider, most + wider)}  ${plainLine(name)}: ${known[0] ?? '–'} to ${known.at(-1) ?? '–'}`;
  });
}

function linesOf(screen: Screen, block: DigestBlock): string[] {
  const wrapped = (text: string, margin: string) => hang(margin, plainLine(text), screen.width);
  const titled = (title: string, lines: readonly string[]): string[] => [
    screen.colors.bold(plainLine(title)),
    ...lines,
  ];
  const more = (count: number): string[] => (count === 0 ? [] : [`  … ${count} more`]);
  switch (block.kind) {
    case 'text':
      return wrapped(block.text, '').map((part) => screen.colors.dim(part));
    case 'facts':
      return titled(
        block.title,
        block.facts.flatMap(({ label, value }) => wrapped(`${label}: ${value}`, '  ')),
      );
    case 'table':
      return titled(block.title, [
        ...textTable(
          screen,
          block.columns,
          block.rows.map((row) => row.map(plainLine)),
          1,
        ),
        ...more(block.more),
      ]);
    case 'trend':
      return titled(block.title, trendLines(block));
    case 'cases':
      return titled(block.title, [
        ...block.items.flatMap(({ title, request, answer, reason, link, issue }) => [
          ...wrapped(title, '  ').map((line) => screen.colors.bold(line)),
          ...wrapped(request, '    '),
          ...(answer === '' ? [] : wrapped(`→ ${answer}`, '    ')),
          ...wrapped(`✗ ${reason}`, '    '),
          ...[link, issue].flatMap((address) => (address === null ? [] : wrapped(address, '    '))),
        ]),
        ...more(block.more),
      ]);
    case 'list':
      return titled(block.title, [
        ...block.items.flatMap(({ text, link }) => [
          ...wrapped(text, '  '),
          ...(link === null ? [] : wrapped(link, '    ')),
        ]),
        ...more(block.more),
      ]);
  }
}

/** A digest as text for a terminal, details included. */
export function renderDigest(screen: Screen, digest: Digest): string {
  const { headline, trend, note, blocks, details } = digest;
  const head = wrap(plainLine(headline), screen.width);
  return [
    screen.colors[COLOR[trend]].bold(head),
    ...(note === null ? [] : [wrap(plainLine(note), screen.width)]),
    ...[...blocks, ...details].flatMap((block) => ['', ...linesOf(screen, block)]),
  ].join('\n');
}

/**
 * Writes the chart of a digest as a PNG, the same as channels are shown; says so where there is nothing to draw.
 *
 * @throws JuryError `usage` where the file cannot be written
 */
async function writeChart(
  { blocks, details }: Digest,
  path: string,
  err: (line: string) => void,
): Promise<void> {
  const trend = [...blocks, ...details].find((block) => block.kind === 'trend');
  if (trend === undefined) {
    err(
      'There is no chart yet: it needs benchmark runs from two different hours or days, or votes from two weeks.',
    );
    return;
  }
  const { trendPng } = await import('../trend-png.ts');
  await writeOutput(path, await trendPng(trend));
  err(`Chart written to ${path}.`);
}

/** A schedule by its id, or one of the benchmark with that name. @throws JuryError `usage` if there is neither */
async function previewed({ store, known }: OpenDigests, id: string | undefined, now: number) {
  const none = unscheduled('', now);
  if (id === undefined) return none;
  return isBenchmark(id, await known()) ? { ...none, benchmarks: [id] } : findSchedule(store, id);
}

interface PreviewOptions {
  json: boolean;
  /** Runs the schedule's benchmarks first, for now. */
  run: boolean;
  /** Writes the chart to this file. */
  chart?: string;
}

/** `jury digest preview`: of a schedule or a benchmark; without either, of votes and spot checks. */
export async function preview(
  context: CommandContext,
  id: string | undefined,
  { json, run, chart }: PreviewOptions,
): Promise<void> {
  const { err, out, screen, stop } = context;
  if (run && id === undefined)
    throw new JuryError(
      'usage',
      '--run runs the benchmarks of a schedule: name one, "jury digest list" lists them. Nothing was run.',
    );
  const now = (await context.parts()).now();
  const digests = await context.digests();
  const schedule = await previewed(digests, id, now);
  const outcomes = run ? await digests.runBenchmarks(schedule, now, stop) : [];
  const digest = await previewDigest(digests.store, digests.gather, schedule, now, outcomes);
  out(json ? jsonLine(digest) : renderDigest(screen, digest));
  if (!run && schedule.benchmarks.length > 0)
    err(
      'The benchmarks were not run for this: --run runs them first, as before a real digest, which may cost.',
    );
  if (id === undefined)
    err(
      'This is what a digest without benchmarks says: name one, or a schedule, to read about the assistant.',
    );
  if (chart !== undefined) await writeChart(digest, chart, err);
}
