import type { RichTextElement, RichTextQuote } from '@slack/types';
import type { CardBlock, CriterionRow } from '../../../judging/card.ts';
import { opinionParts, type Part } from './card-opinions.ts';
import { entry, most, room } from './card-room.ts';
import { fitted } from './fit.ts';
import { limits } from './limits.ts';
import { bold, bullets, context, header, italic, paragraph, rich, section, words } from './rich.ts';
import { oneLine, shortened } from './safe-text.ts';
import { toneMark } from './tone-mark.ts';
import type { BlockStyle } from './vote-bar.ts';

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
  const heads = rows.map(({ tone, title, tally }) => ({
    mark: `${toneMark(tone)} `,
    title: shortened(oneLine(title), entry.title),
    tally: tally === '' ? '' : `  ${shortened(oneLine(tally), entry.tally)}`,
  }));
  const used = heads.reduce(
    (sum, head) => sum + head.mark.length + head.title.length + head.tally.length + 4,
    0,
  );
  const { texts, cut } = fitted(
    rows.map(({ text }) => oneLine(text)),
    room.criteria - used,
  );
  const items = heads.map((head, index): RichTextElement[] => {
    const text = texts[index] ?? '';
    return [
      ...words(head.mark),
      ...bold(head.title),
      ...words(head.tally),
      ...words(text === '' ? '' : ` – ${text}`),
    ];
  });
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
  return { blocks: [context(shortened(oneLine(line), room.facts))], cut: oneLine(line).length > room.facts };
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
export function cardPart(part: CardBlock, style: BlockStyle, settled: boolean): Part {
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
