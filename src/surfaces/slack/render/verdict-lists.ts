import type { ActionsBlock, KnownBlock, RichTextElement } from '@slack/types';
import type { Decision } from '../../../judging/verdict.ts';
import type { VerdictRecord } from '../../../labels/verdict-record.ts';
import type { VoteTally } from '../../../labels/vote.ts';
import { oneLine, shortened } from '../../safe-text.ts';
import { blindQuestion, type Standard, tallyText, toneMark } from '../../wording.ts';
import { actions } from '../ids.ts';
import { blindBar } from './blind.ts';
import { bold, button, buttonRow, paragraph, words } from './blocks.ts';

import { voteValue } from './votes.ts';

/** A verdict in a list; `hidden` from the viewer, who has not answered. */
export type ListedVerdict = { title: string; at: number; permalink: string | null } & (
  | { kind: 'open'; decision: Decision; why: string; tally: VoteTally }
  | { kind: 'hidden' }
);

/** A verdict that waits for the viewer's vote, with why; of a hidden one the case alone. */
export type QueueItem =
  | {
      kind: 'open';
      id: string;
      title: string;
      decision: Decision;
      why: string;
      permalink: string | null;
      reason: string;
    }
  | { kind: 'hidden'; record: Pick<VerdictRecord, 'id' | 'verdict' | 'evalCase'>; standard: Standard };

const TITLE = 80;
const WHY = 150;
const SAID = 200;

const link = (permalink: string | null): RichTextElement[] =>
  permalink?.startsWith('https://') === true
    ? [...words(' · '), { type: 'link', url: permalink, text: 'card' }]
    : [];

const when = (at: number): RichTextElement => ({
  type: 'date',
  timestamp: Math.floor(at / 1000),
  format: '{date_short_pretty} {time}',
  fallback: `${new Date(at).toISOString().slice(0, 16).replace('T', ' ')} UTC`,
});

const titled = (title: string): RichTextElement[] => bold(shortened(oneLine(title) || '–', TITLE));

/** One line of a list of verdicts. */
export function listedLine(listed: ListedVerdict): RichTextElement[] {
  const { title, at, permalink } = listed;
  const where = [when(at), ...link(permalink)];
  if (listed.kind === 'hidden')
    return [...words('🗳️ '), ...titled(title), ...words(': answer first · '), ...where];
  return [
    ...words(`${toneMark(listed.decision)} `),
    ...titled(title),
    ...words(`: ${shortened(oneLine(listed.why), WHY)} · `),
    ...where,
    ...words(` · ${tallyText(listed.tally)}`),
  ];
}

const details = (id: string, text: string) => button({ text, action: actions.details, value: id });

function votable(item: QueueItem): { text: KnownBlock; buttons: ActionsBlock } {
  if (item.kind === 'hidden') {
    const { record, standard } = item;
    const asked = record.evalCase.conversation.findLast(({ role }) => role === 'user')?.text ?? '';
    return {
      text: paragraph(
        bold('User: '),
        words(shortened(oneLine(asked) || '–', SAID)),
        bold('\nSystem: '),
        words(shortened(oneLine(record.evalCase.response), SAID)),
        words(`\n${blindQuestion(record.verdict, standard)}`),
      ),
      buttons: blindBar(record, standard, details(record.id, 'Whole case')),
    };
  }
  const { id, title, decision, why, permalink, reason } = item;
  return {
    text: paragraph(
      words(`${toneMark(decision)} `),
      titled(title),
      words(`: ${shortened(oneLine(why), WHY)}\nWhy you: ${shortened(oneLine(reason), WHY)}`),
      link(permalink),
    ),
    buttons: buttonRow(
      button({ text: '👍 Agree', action: actions.agree, value: voteValue('agree', id) }),
      button({ text: '👎 Disagree', action: actions.disagree, value: voteValue('disagree', id) }),
      button({ text: '🤷 Not sure', action: actions.unsure, value: voteValue('unsure', id) }),
      details(id, 'Details'),
    ),
  };
}

/** @param blockId of the buttons of the item at an index, where they need one */
export const queueBlocks = (
  items: readonly QueueItem[],
  blockId: (index: number) => string | null = () => null,
): KnownBlock[] =>
  items.flatMap((item, index) => {
    const { text, buttons } = votable(item);
    const id = blockId(index);
    return [text, id === null ? buttons : { ...buttons, block_id: id }];
  });
