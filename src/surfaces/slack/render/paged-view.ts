import type { KnownBlock, ModalView } from '@slack/types';
import * as z from 'zod';
import { actions, callbacks } from '../ids.ts';
import { button, buttonRow } from './buttons.ts';
import { limits } from './limits.ts';
import { pagesOf } from './pages.ts';
import { context, plain } from './rich.ts';

/** What a button of the pages carries. */
export const pageValue = (verdictId: string, page: number): string => `${verdictId} ${page}`;

/** Reads {@link pageValue}; null where it is none of ours. */
export function readPageValue(text: string): { verdictId: string; page: number } | null {
  const [, verdictId, page] = /^(\S+) (\d{1,6})$/.exec(text) ?? [];
  return verdictId === undefined ? null : { verdictId, page: Number(page) };
}

export const DetailsMetadata = z.strictObject({ verdict: z.string(), page: z.int().min(0) });

/** Blocks of a page that are ours: where one is, and the buttons. */
const OWN_BLOCKS = 4;
const OWN_TEXT = 1_500;

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
  const room = { blocks: limits.viewBlocks - OWN_BLOCKS - first.length, text: limits.viewText - OWN_TEXT };
  const pages = pagesOf(rest, room);
  const at = Math.min(Math.max(page, 0), pages.length - 1);
  const turn = (text: string, to: number) =>
    button({ text, action: to < at ? actions.detailsBack : actions.detailsPage, value: pageValue(id, to) });
  const turns = [
    ...(at > 0 ? [turn('← Back', at - 1)] : []),
    ...(at < pages.length - 1 ? [turn('Next →', at + 1)] : []),
  ];
  return {
    type: 'modal',
    callback_id: callbacks.detailsView,
    title: plain(title, limits.viewTitle),
    close: plain('Close', limits.viewButton),
    private_metadata: JSON.stringify({ verdict: id, page: at } satisfies z.infer<typeof DetailsMetadata>),
    blocks: [
      ...first,
      ...(pages[at] ?? []),
      ...(turns.length === 0 ? [] : [context(`Page ${at + 1} of ${pages.length}`), buttonRow(...turns)]),
    ],
  };
}
