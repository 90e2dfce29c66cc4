import type { ModalView } from '@slack/types';
import type { VerdictRecord } from '../../../labels/verdict-record.ts';
import { blindBar } from './blind-bar.ts';
import { blindQuestion } from './blind-message.ts';
import { caseBlocks } from './details-parts.ts';
import { pagedView } from './paged-view.ts';
import { context, paragraph, words } from './rich.ts';
import type { Standard } from './standard.ts';

/** The whole case, and nothing of what came of it, for who has not answered. */
export function blindCaseView(
  record: Pick<VerdictRecord, 'id' | 'verdict' | 'evalCase'>,
  standard: Standard,
  page = 0,
): ModalView {
  return pagedView(
    { id: record.id, title: 'The case' },
    [
      paragraph(words(blindQuestion(record, standard))),
      blindBar(record, standard),
      context('Your first answer counts and opens the verdict for you alone.'),
    ],
    caseBlocks(record.evalCase),
    page,
  );
}
