import { clipped, plainLine, plainText } from '../../common/text/index.ts';
import type { Digest, DigestBlock, DigestMark } from '../../digests/index.ts';
import type { Card, CardPart, Opinion, Tone } from '../../judging/card/index.ts';
import type { Screen } from './command-context.ts';
import { hang, textTable, wrap } from './layout.ts';

export const MARKS: Record<Tone, string> = {
  pass: '✓',
  fail: '✗',
  scored: '•',
  undecided: '?',
  unscored: '?',
  'not-judged': '–',
  'not-relevant': '–',
};

/** The most characters shown of the user's words, and of any other text. Cards are for reading; `--json` has everything. */
const EXCERPT = 300;
const LONGEST = 4_000;

const COLOR = {
  pass: 'green',
  fail: 'red',
  scored: 'cyan',
  undecided: 'yellow',
  unscored: 'yellow',
  'not-judged': 'dim',
  'not-relevant': 'dim',
  better: 'green',
  worse: 'red',
  steady: 'bold',
  unknown: 'bold',
  alert: 'red',
  recovery: 'green',
} as const satisfies Record<Tone | DigestMark, keyof Screen['colors']>;

export const painted = ({ colors }: Screen, tone: Tone, text: string): string => colors[COLOR[tone]](text);

/** Text that hangs from the head of its first line. @param paint colors a line after it has been measured */
const hung = (
  { width }: Screen,
  head: string,
  text: string,
  paint?: (line: string, isFirst: boolean) => string,
): string =>
  hang(head, clipped(plainText(text), LONGEST), width, { hard: true, ...(paint && { paint }) }).join('\n');

/** A line that begins with a tone's mark and a bold name. */
function marked(screen: Screen, tone: Tone, name: string, text: string): string {
  const title = plainLine(name);
  return hung(screen, `  ${painted(screen, tone, MARKS[tone])} `, `${title}  ${text}`, (line, first) =>
    first && line.startsWith(title) ? screen.colors.bold(title) + line.slice(title.length) : line,
  );
}

function opinionText(screen: Screen, { judge, tone, stance, text, before, caveat }: Opinion): string {
  const turned = before.length > 0 ? ` (before: ${before.join(' → ')})` : '';
  return [
    marked(screen, tone, `${judge}: ${stance}${turned}`, text),
    ...(caveat === null ? [] : [hung(screen, '    ', `! ${caveat}`)]),
  ].join('\n');
}

interface CardOptions {
  /** Whether every judge's reasoning is printed even if all judges are exact checks. */
  opinions?: boolean;
}

function textOf(screen: Screen, part: CardPart, showsOpinions: boolean): string[] {
  const { dim } = screen.colors;
  const gray = (text: string) => hung(screen, '  ', text, (line) => dim(line));
  switch (part.kind) {
    case 'headline': {
      const head = `${MARKS[part.tone]} ${part.label}`;
      return [
        hung(screen, '', `${head} – ${part.reason}`, (line, first) =>
          first
            ? painted(screen, part.tone, screen.colors.bold(line.slice(0, head.length))) +
              line.slice(head.length)
            : line,
        ),
      ];
    }
    case 'ruling':
      return [hung(screen, '  ', `${part.ruled}${part.by}`)];
    case 'request':
      return [gray(`${part.id === null ? '' : `${part.id}  `}“${clipped(plainLine(part.text), EXCERPT)}”`)];
    case 'criteria':
      return part.rows.map(({ tone, title, text }) => marked(screen, tone, title, text));
    case 'held':
      return [hung(screen, `  ${painted(screen, 'pass', MARKS.pass)} `, part.titles.join(' · '))];
    case 'scores':
      return part.scores.map(({ title, score, text }) =>
        marked(screen, 'scored', `${title}  ${score}`, text),
      );
    case 'panel':
      return [
        hung(
          screen,
          '  ',
          showsOpinions || part.dissent === null ? part.text : `${part.text} · ${part.dissent}`,
        ),
      ];
    case 'opinions':
      return showsOpinions ? part.opinions.map((opinion) => opinionText(screen, opinion)) : [];
    case 'asks':
    case 'notes':
      return part.lines.map(gray);
    case 'footer':
    case 'usage':
      return [gray(part.facts.join(' · '))];
    // Sides are shown among the opinions; a terminal has no buttons.
    case 'sides':
    case 'actions':
      return [];
  }
}

/** A card as terminal text, without a trailing line break. */
export function renderCard(screen: Screen, card: Card, { opinions = false }: CardOptions = {}): string {
  const isExact = card.some((part) => part.kind === 'panel' && part.isExact);
  return card.flatMap((part) => textOf(screen, part, opinions || !isExact)).join('\n');
}

/** A title with a list below it. */
export const renderList = (screen: Screen, title: string, lines: readonly string[]): string =>
  [`  ${screen.colors.bold(title)}`, ...lines.map((line) => hung(screen, '    - ', line))].join('\n');

const BARS = '▁▂▃▄▅▆▇█';

/** Bars span at least this many percentage points, so that half a point does not fill the whole height. */
const LEAST_SPAN = 10;

/** One bar per point, scaled from the lowest to the highest percentage; a dot where there is none. */
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
    // A series can begin later than the others, or end before them.
    const points = values.flatMap((value, index) =>
      value === null ? [] : [`${value} % (${categories[index] ?? ''})`],
    );
    return `  ${bars(values, least - wider, most + wider)}  ${plainLine(name)}: ${points[0] ?? '–'} to ${points.at(-1) ?? '–'}`;
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
