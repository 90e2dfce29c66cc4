import type { ModalView } from '@slack/types';
import type { CardTexts } from '../../../judging/card.ts';
import type { VerdictRecord } from '../../../labels/verdict-record.ts';
import { caseBlocks, criterionBlocks, ratingBlocks, roundBlocks, settingsBlocks } from './details-parts.ts';
import { limits } from './limits.ts';
import { type OwnAnswer, ownAnswerBlocks } from './own-answer.ts';
import { pagedView } from './paged-view.ts';
import { header, paragraph, words } from './rich.ts';
import { oneLine, shortened } from './safe-text.ts';
import { toneMark } from './tone-mark.ts';

/**
 * All that was judged and said, in pages; nothing is shortened.
 *
 * @param page from 0; the nearest one where there is no such page
 * @param own the viewer's own blind vote, where their answer has opened it
 */
export function detailsView(
  record: Pick<VerdictRecord, 'id' | 'verdict' | 'evalCase'>,
  texts: CardTexts,
  page = 0,
  own: OwnAnswer | null = null,
): ModalView {
  const { verdict, evalCase, id } = record;
  return pagedView(
    { id, title: 'Details' },
    own === null ? [] : ownAnswerBlocks(record, own),
    [
      header(`${toneMark(verdict.decision)} ${verdict.caseId}`),
      paragraph(words(shortened(oneLine(verdict.why), limits.blockText - 100))),
      ...criterionBlocks(verdict),
      ...roundBlocks(verdict, texts),
      ...ratingBlocks(verdict, texts),
      ...caseBlocks(evalCase),
      ...settingsBlocks(verdict),
    ],
    page,
  );
}
