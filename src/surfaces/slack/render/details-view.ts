import type { ModalView } from '@slack/types';
import * as z from 'zod';
import type { CardTexts } from '../../../core/card.ts';
import type { VerdictRecord } from '../../../core/verdict-record.ts';
import { actions, callbacks } from '../ids.ts';
import { button, buttonRow } from './buttons.ts';
import { caseBlocks, criterionBlocks, ratingBlocks, roundBlocks, settingsBlocks } from './details-parts.ts';
import { limits } from './limits.ts';
import { pagesOf } from './pages.ts';
import { context, header, paragraph, plain, words } from './rich.ts';
import { oneLine, shortened } from './safe-text.ts';
import { toneMark } from './tone-mark.ts';

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
const OWN_TEXT = 500;

/**
 * All that was judged and said, in pages that are turned with buttons (`views.update`); nothing is shortened.
 *
 * @param page from 0; the nearest one where there is no such page
 */
export function detailsView(
  record: Pick<VerdictRecord, 'id' | 'verdict' | 'evalCase'>,
  texts: CardTexts,
  page = 0,
): ModalView {
  const { verdict, evalCase, id } = record;
  const pages = pagesOf(
    [
      header(`${toneMark(verdict.decision)} ${verdict.caseId}`),
      paragraph(words(shortened(oneLine(verdict.why), limits.blockText - 100))),
      ...criterionBlocks(verdict),
      ...roundBlocks(verdict, texts),
      ...ratingBlocks(verdict, texts),
      ...caseBlocks(evalCase),
      ...settingsBlocks(verdict),
    ],
    { blocks: limits.viewBlocks - OWN_BLOCKS, text: limits.viewText - OWN_TEXT },
  );
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
    title: plain('Details', limits.viewTitle),
    close: plain('Close', limits.viewButton),
    private_metadata: JSON.stringify({ verdict: id, page: at } satisfies z.infer<typeof DetailsMetadata>),
    blocks: [
      ...(pages[at] ?? []),
      ...(turns.length === 0 ? [] : [context(`Page ${at + 1} of ${pages.length}`), buttonRow(...turns)]),
    ],
  };
}
