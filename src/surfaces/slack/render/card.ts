import type { KnownBlock, RichTextBlock, RichTextElement, RichTextQuote } from '@slack/types';
import { counted, firstSentence } from '../../../common/text.ts';
import {
  type CardBlock,
  type CardTexts,
  type CriterionRow,
  cardOf,
  type Opinion,
} from '../../../judging/card.ts';
import type { VerdictRecord } from '../../../labels/verdict-record.ts';
import type { VoteTally } from '../../../labels/vote.ts';
import { fitted, oneLine, shortLine } from '../../safe-text.ts';
import { tallyText, titleOf, toneMark } from '../../wording.ts';
import {
  bold,
  bulletBlocks,
  bullets,
  context,
  header,
  italic,
  limits,
  message,
  paragraph,
  plain,
  rich,
  type SlackMessage,
  section,
  words,
} from './blocks.ts';
import { type BlockStyle, voteBar } from './votes.ts';

/**
 * Characters that each part of a card may have, titles included. Their sum stays below what Slack takes for one message
 * ({@link limits.messageText}), with room for the buttons; tested with the longest debate.
 */
const room = {
  why: 700,
  exchange: 1_200,
  criteria: 2_600,
  dissent: 3_400,
  agreement: 1_900,
  unscored: 700,
  notes: 500,
  facts: 500,
} as const;

/** Most entries of each part; the others are counted and stand in the details. */
const most = { criteria: 20, opinions: 8, notes: 4 } as const;

/** Of one entry: longest title or name, and longest stance with what came before it. */
const entry = { title: 60, judge: 80, stance: 40, before: 60, caveat: 120, tally: 20 } as const;

type Opinions = Extract<CardBlock, { kind: 'opinions' }>;

/** Blocks of a part of a card, and whether anything in it was shortened or left out. */
interface Part {
  blocks: KnownBlock[];
  cut: boolean;
}

function headOf(opinion: Opinion): RichTextElement[] {
  const before = opinion.before.join(' → ');
  return [
    ...words(`${toneMark(opinion.tone)} `),
    ...bold(shortLine(opinion.judge, entry.judge)),
    ...words(`: ${shortLine(opinion.stance, entry.stance)}`),
    ...(before === '' ? [] : words(` (before: ${shortLine(before, entry.before)})`)),
  ];
}

const caveatOf = ({ caveat }: Opinion): RichTextElement[] =>
  caveat === null ? [] : italic(`\n⚠️ ${shortLine(caveat, entry.caveat)}`);

const headCut = (opinion: Opinion): boolean =>
  oneLine(opinion.judge).length > entry.judge ||
  opinion.before.join(' → ').length > entry.before ||
  (opinion.caveat ?? '').length > entry.caveat;

const DASH = ' – ';
const FEW_WORDS = 80;
/** Of one opinion's text, so that it fits into a block with its head. */
const LONGEST = 2_500;

const lengthOf = (elements: readonly RichTextElement[]): number =>
  elements.reduce((sum, element) => sum + (element.type === 'text' ? element.text.length : 0), 1);

const headLength = (opinion: Opinion): number => lengthOf(headOf(opinion)) + lengthOf(caveatOf(opinion));

/** The first opinions, as many as have room for their heads and a few words each. */
function thatFit(opinions: readonly Opinion[], space: number): readonly Opinion[] {
  let used = 0;
  const over = opinions.findIndex((opinion) => {
    used += headLength(opinion) + FEW_WORDS;
    return used > space;
  });
  return opinions.slice(0, Math.min(most.opinions, over < 0 ? opinions.length : over));
}

/** Opinions within so many characters, each with what `textOf` takes of it; what has no room is counted. */
function opinionLines(
  opinions: readonly Opinion[],
  space: number,
  textOf: (opinion: Opinion) => string,
  between: string,
): { lines: RichTextElement[][]; more: RichTextBlock[]; cut: boolean } {
  const first = thatFit(opinions, space);
  const heads = first.reduce((sum, opinion) => sum + headLength(opinion), 0);
  const { texts, cut } = fitted(first.map(textOf), space - heads, LONGEST);
  const left = opinions.length - first.length;
  return {
    lines: first.map((opinion, index) => [
      ...headOf(opinion),
      ...words(`${between}${texts[index] ?? ''}`),
      ...caveatOf(opinion),
    ]),
    more: left === 0 ? [] : [paragraph(italic(`${left} more: open Details`))],
    cut: cut || left > 0 || first.some(headCut),
  };
}

/** Dissent stands open; agreement is folded away where Slack can, else a line each with what it begins with. */
function opinionParts({ role, title, opinions }: Opinions, style: BlockStyle, settled: boolean): Part {
  if (style === 'classic' && role === 'agreement') {
    const brief = ({ text }: Opinion) => firstSentence(text);
    const { lines, more, cut } = opinionLines(opinions, room.agreement, brief, DASH);
    const isBrief = opinions.some(({ text }) => oneLine(text).replace(/\.$/, '') !== firstSentence(text));
    return { blocks: [paragraph(bold(title)), ...bulletBlocks(lines), ...more], cut: cut || isBrief };
  }
  const { lines, more, cut } = opinionLines(opinions, room[role], ({ text }) => text, '\n');
  const blocks = [...lines.map((line) => paragraph(line)), ...more];
  if (role !== 'agreement') return { blocks: [paragraph(bold(title)), ...blocks], cut };
  const folded: KnownBlock = {
    type: 'container',
    title: plain(`${title}: ${counted(opinions.length, 'opinion')}`, limits.containerTitle),
    child_blocks: blocks,
    is_collapsible: true,
    default_collapsed: settled,
  };
  return { blocks: [folded], cut };
}

const quote = (text: string): RichTextQuote => ({ type: 'rich_text_quote', elements: words(text || '–') });

/** What the user and the system said. */
export function exchangePart(part: Extract<CardBlock, { kind: 'exchange' }>): Part {
  const { texts, cut } = fitted([part.user, part.system], room.exchange);
  const [user = '', system = ''] = texts;
  const block = rich(section(bold('User')), quote(user), section(bold('System')), quote(system));
  return { blocks: [block], cut };
}

/** Rows that need attention first, where not all can be shown. */
function rowsShown(rows: readonly CriterionRow[]): readonly CriterionRow[] {
  if (rows.length <= most.criteria) return rows;
  const urgent = rows.filter(({ tone }) => tone === 'fail' || tone === 'undecided');
  const rest = rows.filter((row) => !urgent.includes(row));
  return [...urgent, ...rest].slice(0, most.criteria);
}

function criteria(part: Extract<CardBlock, { kind: 'criteria' }>): Part {
  if (part.rows.length === 0) return { blocks: [], cut: false };
  const rows = rowsShown(part.rows);
  const heads = rows.map(({ tone, title, tally }) => [
    ...words(`${toneMark(tone)} `),
    ...bold(shortLine(title, entry.title)),
    ...words(tally === '' ? '' : `  ${shortLine(tally, entry.tally)}`),
  ]);
  const used = heads.reduce((sum, head) => sum + lengthOf(head) + DASH.length, 0);
  const { texts, cut } = fitted(
    rows.map(({ text }) => oneLine(text)),
    room.criteria - used,
  );
  const items = heads.map((head, index) => [...head, ...words(texts[index] ? `${DASH}${texts[index]}` : '')]);
  const left = part.rows.length - rows.length;
  const more = left === 0 ? [] : [paragraph(italic(`${left} more criteria: open Details`))];
  return { blocks: [bullets(items), ...more], cut: cut || left > 0 };
}

function notes({ title, lines }: Extract<CardBlock, { kind: 'notes' }>): Part {
  const first = lines.slice(0, most.notes);
  const { texts, cut } = fitted(first.map(oneLine), room.notes);
  const left = lines.length - first.length;
  const more = left === 0 ? [] : [words(`${left} more: open Details`)];
  return {
    blocks: [rich(section(bold(title)), ...bullets([...texts.map(words), ...more]).elements)],
    cut: cut || left > 0,
  };
}

const facts = ({ facts: list }: Extract<CardBlock, { kind: 'facts' }>): Part => {
  const line = list.map(({ label, value }) => `${label} ${value}`).join(' · ');
  return { blocks: [context(shortLine(line, room.facts))], cut: oneLine(line).length > room.facts };
};

function headline(part: Extract<CardBlock, { kind: 'headline' }>): Part {
  const title = `${toneMark(part.tone)} ${part.label}${part.title === '' ? '' : ` · ${part.title}`}`;
  const { texts, cut } = fitted([oneLine(part.why)], room.why);
  return {
    blocks: [header(title), paragraph(words(texts[0] ?? ''))],
    cut: cut || oneLine(title).length > limits.header,
  };
}

/**
 * One part of a card as blocks.
 *
 * @param settled whether there is a decision, so that what agrees with it can be folded away
 */
function cardPart(part: CardBlock, style: BlockStyle, settled: boolean): Part {
  switch (part.kind) {
    case 'headline':
      return headline(part);
    case 'trust':
      return { blocks: [context(`${part.share}: ${part.such}.`)], cut: false };
    case 'exchange':
      return exchangePart(part);
    case 'criteria':
      return criteria(part);
    case 'opinions':
      return opinionParts(part, style, settled);
    case 'notes':
      return notes(part);
    case 'facts':
      return facts(part);
  }
}

export interface CardInput {
  record: Pick<VerdictRecord, 'id' | 'verdict' | 'evalCase' | 'trust'>;
  tally: VoteTally;
  texts: CardTexts;
  blocks: BlockStyle;
}

/**
 * The card of a verdict, within what Slack takes for one message. What had to be shortened says so, and all of it stands in
 * {@link detailsView}. No voter is named.
 */
export function cardMessage({ record, tally, texts, blocks: style }: CardInput): SlackMessage {
  const { verdict, evalCase, id, trust } = record;
  // Most pastes have no id of their own; what the user said stands right below.
  const card = cardOf(verdict, evalCase, texts, trust).map((part) =>
    part.kind === 'headline' ? { ...part, title: evalCase.id ?? '' } : part,
  );
  const settled = verdict.decision === 'pass' || verdict.decision === 'fail';
  const parts = card.map((part) => cardPart(part, style, settled));
  const note = parts.some(({ cut }) => cut)
    ? [context('Some of this is shortened; Details shows all of it.')]
    : [];
  const head = card.find((part) => part.kind === 'headline');
  const text =
    head === undefined
      ? verdict.why
      : `${head.label} on ${titleOf(evalCase)}: ${head.why}. ${tallyText(tally)}`;
  return message(text, [...parts.flatMap(({ blocks }) => blocks), ...note, ...voteBar(id, tally, style)]);
}
