import stringWidth from 'string-width';
import wrapAnsi from 'wrap-ansi';
import { clipped, plainText } from '../../common/text.ts';
import type { Card, CardBlock, CriterionRow, Opinion, Tone } from '../../judging/card.ts';
import type { Screen } from './terminal.ts';

export const MARKS: Record<Tone, string> = {
  pass: '✓',
  fail: '✗',
  scored: '•',
  undecided: '?',
  unscored: '?',
  'not-judged': '–',
  'not-relevant': '–',
};

/** Most characters of what was judged, and of any other text: a card is read, `--json` has everything. */
const EXCERPT = 300;
const LONGEST = 4_000;

export function painted({ colors }: Screen, tone: Tone, text: string): string {
  switch (tone) {
    case 'pass':
      return colors.green(text);
    case 'fail':
      return colors.red(text);
    case 'scored':
      return colors.cyan(text);
    case 'undecided':
    case 'unscored':
      return colors.yellow(text);
    case 'not-judged':
    case 'not-relevant':
      return colors.dim(text);
  }
}

const oneLine = (text: string): string => clipped(text.replaceAll(/\s+/g, ' ').trim(), EXCERPT);

const asIs = (line: string): string => line;

/**
 * Text wrapped beside a margin: the first line begins with `first`, the others with as many spaces.
 *
 * @param paint colors a line after it has been measured
 */
function hung(
  screen: Screen,
  first: string,
  indent: number,
  text: string,
  paint: (line: string, isFirst: boolean) => string = asIs,
): string {
  const room = Math.max(20, screen.width - indent);
  const [head = '', ...rest] = wrapAnsi(clipped(plainText(text), LONGEST), room, { hard: true }).split('\n');
  return [first + paint(head, true), ...rest.map((line) => ' '.repeat(indent) + paint(line, false))].join(
    '\n',
  );
}

const padded = (text: string, width: number): string =>
  text + ' '.repeat(Math.max(0, width - stringWidth(text)));

function criterionLines(screen: Screen, rows: readonly CriterionRow[]): string {
  const titleWidth = Math.max(...rows.map(({ title }) => stringWidth(plainText(title))));
  const tallyWidth = Math.max(...rows.map(({ tally }) => tally.length));
  return rows
    .map(({ title, tone, tally, text }) => {
      const name = `${padded(plainText(title), titleWidth)}  ${padded(tally, tallyWidth)}`;
      return hung(
        screen,
        `  ${painted(screen, tone, MARKS[tone])} ${name}  `,
        titleWidth + tallyWidth + 8,
        text,
      );
    })
    .join('\n');
}

function opinionLines(screen: Screen, { judge, tone, stance, text, before, caveat }: Opinion): string {
  const { bold, dim } = screen.colors;
  const turned = before.length > 0 ? ` (before: ${before.join(' → ')})` : '';
  const mark = `    ${painted(screen, tone, MARKS[tone])} `;
  const lines = [
    hung(screen, mark, 6, `${judge}: ${stance}${turned}`, (line, first) =>
      first ? bold(line.slice(0, judge.length)) + line.slice(judge.length) : dim(line),
    ),
    hung(screen, '      ', 6, text),
  ];
  if (caveat !== null) lines.push(hung(screen, '      ', 6, `! ${caveat}`));
  return lines.join('\n');
}

function block(screen: Screen, part: CardBlock): string {
  const { colors } = screen;
  switch (part.kind) {
    case 'headline': {
      const label = painted(screen, part.tone, colors.bold(`${MARKS[part.tone]} ${part.label}`));
      return `${label}  ${colors.bold(plainText(part.title))}\n${hung(screen, '  ', 2, part.why)}`;
    }
    case 'trust':
      return colors.dim(hung(screen, '  ', 2, `${part.share} (${part.such})`));
    case 'exchange':
      return [
        hung(screen, `  ${colors.dim('User  ')}  `, 10, oneLine(part.user)),
        hung(screen, `  ${colors.dim('System')}  `, 10, oneLine(part.system)),
      ].join('\n');
    case 'criteria':
      return criterionLines(screen, part.rows);
    case 'opinions':
      return [
        `  ${colors.bold(part.title)}`,
        ...part.opinions.map((opinion) => opinionLines(screen, opinion)),
      ].join('\n');
    case 'notes':
      return [
        `  ${colors.bold(part.title)}`,
        ...part.lines.map((line) => hung(screen, '    - ', 6, line)),
      ].join('\n');
    case 'facts':
      return colors.dim(
        hung(screen, '  ', 2, part.facts.map(({ label, value }) => `${label} ${value}`).join(' · ')),
      );
  }
}

/** A card as terminal text, without a line break at its end. */
export const renderCard = (screen: Screen, card: Card): string =>
  card.map((part) => block(screen, part)).join('\n\n');
