import type { Button, ModalView } from '@slack/types';
import { type Language, wordsIn } from '../../../words/index.ts';
import type { ManageMenu, Managing } from '../../desks/index.ts';
import { actions, callbacks } from '../ids.ts';
import { button, limits, plain } from './blocks.ts';
import { noticeBlocks } from './notices.ts';

/** The action of each item. */
const manageActions = {
  rule: actions.manageRule,
  'known-answer': actions.manageKnownAnswer,
  'add-to-set': actions.manageSet,
  'start-study': actions.manageStudy,
} as const satisfies Record<Managing, string>;

/** A button that opens a new issue in the browser. */
const issueButton = (url: string, text: string): Button => ({
  ...button({ text, action: actions.openIssue, value: 'issue' }),
  url,
});

/** What a person can do with a verdict, in a modal on top of its details. */
export function manageView({ record, offers, issue, message }: ManageMenu, language: Language): ModalView {
  const { lists, manage: words } = wordsIn(language);
  const items = offers.map((one) =>
    button({ text: words.items[one], action: manageActions[one], value: record.id }),
  );
  return {
    type: 'modal',
    callback_id: callbacks.manageView,
    title: plain(words.title, limits.viewTitle),
    close: plain(lists.back, limits.viewButton),
    private_metadata: JSON.stringify({ verdict: record.id }),
    blocks: [
      {
        type: 'actions',
        elements: [...items, ...(issue === null ? [] : [issueButton(issue, words.createIssue)])],
      },
      ...message.parts.flatMap(noticeBlocks),
    ],
  };
}
