import type { KnownBlock, ModalView, RichTextElement } from '@slack/types';
import * as z from 'zod';
import { safeText } from '../../../common/text.ts';
import type { CardPart } from '../../../judging/card.ts';
import type { Vote } from '../../../labels/vote.ts';
import type { CardInput } from '../../chat-presenter.ts';
import { pieces, shortLine } from '../../safe-text.ts';
import { type DetailsSection, detailsOf } from '../../verdict-details.ts';
import { inBrowser, toneMark } from '../../wording.ts';
import { actions, callbacks } from '../ids.ts';
import { bold, context, header, limits, linkLine, pageBlocks, paragraph, plain, words } from './blocks.ts';
import { cardBlocks } from './card.ts';
import { ownAnswerBlocks } from './votes.ts';

/** Longest name or title; the whole stands in the rubric. */
const NAME = 120;

/** A long text under a head, in as many blocks as it needs. */
export function long(head: RichTextElement[], text: string): KnownBlock[] {
  const [first = '', ...rest] = pieces(safeText(text).trim(), limits.blockText - 200);
  return [
    paragraph(head, words(first === '' ? '' : `\n${first}`)),
    ...rest.map((piece) => paragraph(words(piece))),
  ];
}

const name = (text: string): string => shortLine(text, NAME);

/** A section of what was judged and said; nothing is shortened. */
export const sectionBlocks = ({ title, entries }: DetailsSection): KnownBlock[] => [
  header(title),
  ...entries.flatMap(({ tone, name: of, stance, text, small }) => [
    ...long(
      [
        ...words(tone === undefined ? '' : `${toneMark(tone)} `),
        ...bold(name(of)),
        ...words(stance === undefined ? '' : `: ${stance}`),
      ],
      text,
    ),
    ...(small === undefined ? [] : [context(small)]),
  ]),
];

/** What a button of the pages carries. */
export const pageValue = (verdictId: string, page: number): string => `${verdictId} ${page}`;

/** Reads {@link pageValue}; null where it is none of ours. */
export function readPageValue(text: string): { verdictId: string; page: number } | null {
  const [, verdictId, page] = /^(\S+) (\d{1,6})$/.exec(text) ?? [];
  return verdictId === undefined ? null : { verdictId, page: Number(page) };
}

export const DetailsMetadata = z.strictObject({ verdict: z.string(), page: z.int().min(0) });

/**
 * Blocks about a verdict in pages that are turned with buttons (`views.update`); nothing is shortened.
 *
 * @param first stands above all on every page: a few blocks
 * @param page from 0; the nearest one where there is no such page
 */
export function pagedView(
  { id, title }: { id: string; title: string },
  first: readonly KnownBlock[],
  rest: readonly KnownBlock[],
  page: number,
): ModalView {
  const { at, blocks } = pageBlocks(first, rest, page, {
    back: actions.detailsBack,
    next: actions.detailsPage,
    value: (to) => pageValue(id, to),
  });
  return {
    type: 'modal',
    callback_id: callbacks.detailsView,
    title: plain(title, limits.viewTitle),
    close: plain('Close', limits.viewButton),
    private_metadata: JSON.stringify({ verdict: id, page: at } satisfies z.infer<typeof DetailsMetadata>),
    blocks,
  };
}

/**
 * The card, then all that was judged and said, in pages; nothing is shortened.
 *
 * @param page from 0; the nearest one where there is no such page
 * @param own the viewer's own blind vote, where their answer has opened it
 */
export function detailsView(input: CardInput, page = 0, own: Vote | null = null): ModalView {
  const { record, texts, tally } = input;
  const { id, blind } = record;
  // A vote on what is hidden from others is an answer about the case, which the viewer has given.
  const isVotable = (part: CardPart) => part.kind !== 'actions' || blind !== true;
  const inView = (part: CardPart): CardPart =>
    part.kind === 'actions'
      ? {
          ...part,
          buttons: part.buttons.filter((one) => one !== 'details'),
          menu: part.menu.filter((one) => one !== 'share'),
        }
      : part;
  const card = cardBlocks(input, true, (parts) => parts.filter(isVotable).map(inView));
  return pagedView(
    { id, title: 'Details' },
    [
      ...(own === null ? [] : ownAnswerBlocks(record, { vote: own, tally })),
      ...linkLine(input.page ?? null, inBrowser.details),
    ],
    [...card, ...detailsOf(record, texts).flatMap(sectionBlocks)],
    page,
  );
}
