import type { KnownBlock } from '@slack/types';
import type { Card } from '../../../judging/card.ts';
import { cardOf } from '../../../judging/make-card.ts';
import { cardLines } from '../../chat-message.ts';
import type { CardInput } from '../../chat-presenter.ts';
import { shortLine } from '../../safe-text.ts';
import { actions } from '../ids.ts';
import { button, buttonRow, link, message, paragraph, type SlackMessage, words } from './blocks.ts';
import { noticeBlocks } from './notices.ts';
import { actionRow } from './votes.ts';

/** A verdict's card as blocks. @param shown the parts that are shown, of all that there are */
export function cardBlocks(
  { record, tally, preferred, texts, setting }: CardInput,
  showsRequest: boolean,
  shown: (card: Card) => Card = (card) => card,
): KnownBlock[] {
  const { id, verdict, evalCase, trust } = record;
  const card = shown(cardOf(verdict, evalCase, texts, { ...setting, trust }));
  return card.flatMap((part) =>
    part.kind === 'actions'
      ? [actionRow(id, { tally, preferred }, part)]
      : cardLines(part, showsRequest).flatMap(noticeBlocks),
  );
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
  const by = sharedBy === null ? 'Shared' : `Shared by ${shortLine(sharedBy, 80)}`;
  const blocks = cardBlocks(input, true, (card) => card.filter(({ kind }) => kind !== 'actions'));
  return message(cardMessage(input).text, [
    ...blocks,
    paragraph(words(by), link(permalink, 'vote on it in its thread')),
    buttonRow(button({ text: 'Details', action: actions.details, value: id })),
  ]);
}
