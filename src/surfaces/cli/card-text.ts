import { clipped, plainLine, plainText } from '../../common/text.ts';
import type { Card, CardPart, Opinion, Tone } from '../../judging/card.ts';
import type { Screen } from './command.ts';
import { hang } from './layout.ts';

export const MARKS: Record<Tone, string> = {
  pass: '✓',
  fail: '✗',
  scored: '•',
  undecided: '?',
  unscored: '?',
  'not-judged': '–',
  'not-relevant': '–',
};

/** Most characters of what the user said, and of any other text: a card is read, `--json` has everything. */
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
} as const satisfies Record<Tone, keyof Screen['colors']>;

export const painted = ({ colors }: Screen, tone: Tone, text: string): string => colors[COLOR[tone]](text);

/** Text beside what its first line begins with. @param paint colors a line after it has been measured */
const hung = (
  { width }: Screen,
  head: string,
  text: string,
  paint?: (line: string, isFirst: boolean) => string,
): string =>
  hang(head, clipped(plainText(text), LONGEST), width, { hard: true, ...(paint && { paint }) }).join('\n');

/** A line that begins with a tone's mark and a name in bold. */
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
    case 'notes':
      return part.lines.map(gray);
    case 'trust':
      return [gray(part.text)];
    case 'footer':
    case 'usage':
      return [gray(part.facts.join(' · '))];
    // The sides stand among the opinions; a terminal has no buttons.
    case 'sides':
    case 'actions':
      return [];
  }
}

/** A card as terminal text, without a line break at its end. */
export function renderCard(screen: Screen, card: Card, { opinions = false }: CardOptions = {}): string {
  const isExact = card.some((part) => part.kind === 'panel' && part.isExact);
  return card.flatMap((part) => textOf(screen, part, opinions || !isExact)).join('\n');
}

/** A title with a list below it. */
export const renderList = (screen: Screen, title: string, lines: readonly string[]): string =>
  [`  ${screen.colors.bold(title)}`, ...lines.map((line) => hung(screen, '    - ', line))].join('\n');
