import { type CardTexts, cardOf } from '../../../judging/card.ts';
import type { VerdictRecord } from '../../../labels/verdict-record.ts';
import type { VoteTally } from '../../../labels/vote.ts';
import { cardPart } from './card-parts.ts';
import { message, type SlackMessage } from './message.ts';
import { context } from './rich.ts';
import { titleOf } from './title-of.ts';
import { type BlockStyle, tallyText, voteBar } from './vote-bar.ts';

export interface CardInput {
  record: Pick<VerdictRecord, 'id' | 'verdict' | 'evalCase' | 'trust'>;
  tally: VoteTally;
  texts: CardTexts;
  blocks: BlockStyle;
}

/**
 * The card of a verdict, within what Slack takes for one message. What had to be shortened says so, and all of it stands in
 * {@link detailsView}. Nobody who voted is named.
 */
export function cardMessage({ record, tally, texts, blocks: style }: CardInput): SlackMessage {
  const { verdict, evalCase, id, trust } = record;
  // Most pastes have no id of their own; what the user said stands right below.
  const card = cardOf(verdict, evalCase, texts, trust).map((part) =>
    part.kind === 'headline' ? { ...part, title: evalCase.id ?? '' } : part,
  );
  const settled = verdict.decision === 'pass' || verdict.decision === 'fail';
  const parts = card.map((part) => cardPart(part, style, settled));
  const note = parts.some(({ cut }) => cut)
    ? [context('Some of this is shortened; Details shows all of it.')]
    : [];
  const head = card.find((part) => part.kind === 'headline');
  const text =
    head === undefined
      ? verdict.why
      : `${head.label} on ${titleOf(evalCase)}: ${head.why}. ${tallyText(tally)}`;
  return message(text, [...parts.flatMap(({ blocks }) => blocks), ...note, ...voteBar(id, tally, style)]);
}
