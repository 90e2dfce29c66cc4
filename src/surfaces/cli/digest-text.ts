import { plainLine } from '../../common/text.ts';
import type { Digest, DigestBlock, DigestMark } from '../../digests/digest.ts';
import { textTable } from './table.ts';
import type { Screen } from './terminal.ts';
import { hang, wrap } from './wrap.ts';

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
