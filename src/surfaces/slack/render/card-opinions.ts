import type { KnownBlock, RichTextBlock, RichTextElement } from '@slack/types';
import { firstSentence } from '../../../case/first-sentence.ts';
import type { CardBlock, Opinion } from '../../../judging/card.ts';
import { entry, most, room } from './card-room.ts';
import { type Fitted, fitted } from './fit.ts';
import { limits } from './limits.ts';
import { bold, bulletBlocks, italic, paragraph, plain, words } from './rich.ts';
import { oneLine, shortened } from './safe-text.ts';
import { toneMark } from './tone-mark.ts';
import type { BlockStyle } from './vote-bar.ts';

type Opinions = Extract<CardBlock, { kind: 'opinions' }>;

/** Blocks of a part of a card, and whether anything in it was shortened or left out. */
export interface Part {
  blocks: KnownBlock[];
  cut: boolean;
}

function headOf(opinion: Opinion): RichTextElement[] {
  const before = opinion.before.join(' → ');
  return [
    ...words(`${toneMark(opinion.tone)} `),
    ...bold(shortened(oneLine(opinion.judge), entry.judge)),
    ...words(`: ${shortened(oneLine(opinion.stance), entry.stance)}`),
    ...(before === '' ? [] : words(` (before: ${shortened(oneLine(before), entry.before)})`)),
  ];
}

const caveatOf = ({ caveat }: Opinion): RichTextElement[] =>
  caveat === null ? [] : italic(`\n⚠️ ${shortened(oneLine(caveat), entry.caveat)}`);

const headCut = (opinion: Opinion): boolean =>
  oneLine(opinion.judge).length > entry.judge ||
  opinion.before.join(' → ').length > entry.before ||
  (opinion.caveat ?? '').length > entry.caveat;

const FEW_WORDS = 80;
/** Of one opinion's text, so that it fits into a block with its head. */
const LONGEST = 2_500;

interface Shown {
  paragraphs: RichTextBlock[];
  cut: boolean;
  left: number;
}

/** The first opinions, as many as have room for their heads and a few words each. */
function thatFit(opinions: readonly Opinion[], space: number): readonly Opinion[] {
  let used = 0;
  const over = opinions.findIndex((opinion) => {
    used += headLength(opinion) + FEW_WORDS;
    return used > space;
  });
  return opinions.slice(0, Math.min(most.opinions, over < 0 ? opinions.length : over));
}

function shown(opinions: readonly Opinion[], space: number): Shown {
  const first = thatFit(opinions, space);
  const { texts, cut }: Fitted = fitted(
    first.map(({ text }) => text),
    space - first.reduce((sum, opinion) => sum + headLength(opinion), 0),
    LONGEST,
  );
  return {
    paragraphs: first.map((opinion, index) =>
      paragraph(headOf(opinion), words(`\n${texts[index] ?? ''}`), caveatOf(opinion)),
    ),
    cut: cut || first.some(headCut) || first.length < opinions.length,
    left: opinions.length - first.length,
  };
}

const lengthOf = (elements: readonly RichTextElement[]): number =>
  elements.reduce((sum, element) => sum + (element.type === 'text' ? element.text.length : 0), 1);

const headLength = (opinion: Opinion): number => lengthOf(headOf(opinion)) + lengthOf(caveatOf(opinion));

const more = (left: number): RichTextBlock[] =>
  left === 0 ? [] : [paragraph(italic(`${left} more: open Details`))];

const counted = ({ title, opinions }: Opinions): string => {
  const judges = opinions.length === 1 ? '1 opinion' : `${opinions.length} opinions`;
  return `${title}: ${judges}`;
};

/** Opinions in a line each, with what they begin with. */
function brief({ title, opinions }: Opinions, space: number): Part {
  const first = thatFit(opinions, space);
  const { texts, cut } = fitted(
    first.map(({ text }) => firstSentence(text)),
    space - first.reduce((sum, opinion) => sum + headLength(opinion), 0),
  );
  const lines = first.map((opinion, index) => [
    ...headOf(opinion),
    ...words(` – ${texts[index] ?? ''}`),
    ...caveatOf(opinion),
  ]);
  const left = opinions.length - first.length;
  const shortenedText = first.some(({ text }) => oneLine(text).replace(/\.$/, '') !== firstSentence(text));
  return {
    blocks: [paragraph(bold(title)), ...bulletBlocks(lines), ...more(left)],
    cut: cut || left > 0 || shortenedText || first.some(headCut),
  };
}

/** Dissent stands open; agreement is folded away where Slack can, else told in a line each. */
export function opinionParts(part: Opinions, style: BlockStyle, settled: boolean): Part {
  if (style === 'classic' && part.role === 'agreement') return brief(part, room.agreement);
  const { paragraphs, cut, left } = shown(part.opinions, room[part.role]);
  const blocks = [...paragraphs, ...more(left)];
  if (style === 'native' && part.role === 'agreement')
    return {
      blocks: [
        {
          type: 'container',
          title: plain(counted(part), limits.containerTitle),
          child_blocks: blocks,
          is_collapsible: true,
          default_collapsed: settled,
        },
      ],
      cut,
    };
  return { blocks: [paragraph(bold(part.title)), ...blocks], cut };
}
