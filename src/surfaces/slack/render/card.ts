import type { KnownBlock, RichTextElement } from '@slack/types';
import type { Card, CardPart, CriterionRow } from '../../../judging/card.ts';
import { cardOf } from '../../../judging/make-card.ts';
import type { CardInput } from '../../chat-presenter.ts';
import { shortLine } from '../../safe-text.ts';
import { toneMark } from '../../wording.ts';
import { actions } from '../ids.ts';
import {
  bold,
  button,
  buttonRow,
  context,
  italic,
  link,
  message,
  paragraph,
  type SlackMessage,
  words,
} from './blocks.ts';
import { actionRow } from './votes.ts';

/** Most entries of each part; the others are counted and stand in the details. */
const most = { rows: 8, held: 20, sides: 4, notes: 3 } as const;
/** Most characters of each text. All together stay below what Slack takes for one message; tested. */
const room = {
  reason: 300,
  request: 120,
  title: 100,
  held: 600,
  scores: 900,
  row: 200,
  panel: 300,
  dissent: 400,
  note: 250,
  fact: 80,
} as const;

const rowLine = ({ tone, title, text }: CriterionRow): RichTextElement[] => [
  // The mark of the whole verdict stands out more than that of a criterion.
  ...words(`${tone === 'fail' ? '✗' : toneMark(tone)} `),
  ...bold(shortLine(title, room.title)),
  ...words(text === '' ? '' : `  ${shortLine(text, room.row)}`),
];

/** Rows below each other, as many as there is room for. */
function rowBlocks(rows: readonly CriterionRow[], shown: number, what: string): KnownBlock[] {
  const left = rows.length - shown;
  const lines = rows.slice(0, shown).map((row) => paragraph(rowLine(row)));
  return left > 0 ? [...lines, paragraph(italic(`${left} more ${what} in Details`))] : lines;
}

function heldText(titles: readonly string[]): string {
  const shown = titles.slice(0, most.held).map((title) => shortLine(title, room.title));
  const left = titles.length - shown.length;
  return `✅ ${shortLine(shown.join(' · '), room.held)}${left > 0 ? ` and ${left} more` : ''}`;
}

interface PartSetting {
  id: string;
  votes: Pick<CardInput, 'tally' | 'preferred'>;
  /** Whether what the user said is shown: it stands above in the paste's own thread. */
  showsRequest: boolean;
}

/** One part of a card as blocks. */
function partBlocks(part: CardPart, { id, votes, showsRequest }: PartSetting): KnownBlock[] {
  switch (part.kind) {
    case 'headline':
      return [
        paragraph(
          bold(`${toneMark(part.tone)} ${part.label}`),
          words(` – ${shortLine(part.reason, room.reason)}`),
        ),
      ];
    case 'request': {
      const name = part.id === null ? '' : `${shortLine(part.id, room.title)}  `;
      return showsRequest ? [context(`${name}“${shortLine(part.text, room.request)}”`)] : [];
    }
    case 'criteria':
      return rowBlocks(part.rows, most.rows, 'criteria');
    case 'held':
      return [paragraph(words(heldText(part.titles)))];
    case 'scores': {
      const scores = part.scores
        .slice(0, most.held)
        .map(({ title, score }) => `${shortLine(title, room.title)} ${score}`);
      const left = part.scores.length - scores.length;
      return [
        paragraph(
          words(`${shortLine(scores.join(' · '), room.scores)}${left > 0 ? ` and ${left} more` : ''}`),
        ),
      ];
    }
    case 'sides': {
      const rows = part.opinions.map(({ tone, judge, text }) => ({ tone, title: judge, text }));
      return rowBlocks(rows, most.sides, 'answers');
    }
    case 'panel': {
      const dissent = part.dissent === null ? '' : ` · ${shortLine(part.dissent, room.dissent)}`;
      return [paragraph(words(`${shortLine(part.text, room.panel)}${dissent}`))];
    }
    case 'notes': {
      const left = part.lines.length - most.notes;
      const shown = part.lines.slice(0, most.notes).map((line) => context(shortLine(line, room.note)));
      return left > 0 ? [...shown, context(`${left} more in Details`)] : shown;
    }
    case 'trust':
      return [context(part.text)];
    case 'actions':
      return [actionRow(id, votes, part)];
    case 'footer':
      return [context(part.facts.map((fact) => shortLine(fact, room.fact)).join(' · '))];
    // All of this stands in the details.
    case 'opinions':
    case 'usage':
      return [];
  }
}

/** A verdict's card as blocks. @param shown the parts that are shown, of all that there are */
export function cardBlocks(
  { record, tally, preferred, texts, setting }: CardInput,
  showsRequest: boolean,
  shown: (card: Card) => Card = (card) => card,
): KnownBlock[] {
  const { id, verdict, evalCase, trust } = record;
  const card = shown(cardOf(verdict, evalCase, texts, { ...setting, trust }));
  return card.flatMap((part) => partBlocks(part, { id, votes: { tally, preferred }, showsRequest }));
}

/** The card of a verdict, within what Slack takes for one message; the rest stands in the details. No voter is named. */
export function cardMessage(input: CardInput): SlackMessage {
  const { verdict, evalCase, source } = input.record;
  const [head] = cardOf(verdict, evalCase, input.texts, input.setting);
  const text = head?.kind === 'headline' ? `${head.label} – ${head.reason}` : verdict.why;
  return message(text, cardBlocks(input, source.thread === null));
}

/** A card as it is shared from its thread, where people vote on it. @param sharedBy null if the name is not known */
export function sharedMessage(
  input: CardInput,
  sharedBy: string | null,
  permalink: string | null,
): SlackMessage {
  const { id } = input.record;
  const by = sharedBy === null ? 'Shared' : `Shared by ${shortLine(sharedBy, room.fact)}`;
  const blocks = cardBlocks(input, true, (card) => card.filter(({ kind }) => kind !== 'actions'));
  return message(cardMessage(input).text, [
    ...blocks,
    paragraph(words(by), link(permalink, 'vote on it in its thread')),
    buttonRow(button({ text: 'Details', action: actions.details, value: id })),
  ]);
}
