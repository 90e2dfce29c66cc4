import type { Button, KnownBlock } from '@slack/types';
import type { VerdictRecord } from '../../../labels/verdict-record.ts';
import type { Vote, VoteTally, VoteValue } from '../../../labels/vote.ts';
import { answerText, tallyText } from '../../wording.ts';
import { actions } from '../ids.ts';
import {
  button,
  buttonRow,
  context,
  limits,
  message,
  paragraph,
  plain,
  type SlackMessage,
  words,
} from './blocks.ts';

/** Native feedback buttons and containers, or what every workspace shows. */
export type BlockStyle = 'native' | 'classic';

/** What a vote button carries; `retract` takes a vote back. */
export const voteValue = (value: VoteValue | 'retract', verdictId: string): string => `${value} ${verdictId}`;

/** Reads {@link voteValue}; null where it is none of ours. */
export function readVoteValue(text: string): { value: VoteValue | null; verdictId: string } | null {
  const [, value, verdictId] = /^(agree|disagree|unsure|retract) (\S+)$/.exec(text) ?? [];
  if (verdictId === undefined) return null;
  switch (value) {
    case 'agree':
    case 'disagree':
    case 'unsure':
      return { value, verdictId };
    default:
      return { value: null, verdictId };
  }
}

const unsureButton = (id: string) =>
  button({ text: '🤷 Not sure', action: actions.unsure, value: voteValue('unsure', id) });

/** What a vote can say, as buttons. */
export const voteButtons = (id: string): Button[] => [
  button({ text: '👍 Agree', action: actions.agree, value: voteValue('agree', id) }),
  button({ text: '👎 Disagree', action: actions.disagree, value: voteValue('disagree', id) }),
  unsureButton(id),
];

const retractButton = (id: string) =>
  button({ text: 'Take my vote back', action: actions.retract, value: voteValue('retract', id) });
const moreButtons = (id: string) => [
  button({ text: 'Details', action: actions.details, value: id }),
  button({ text: 'Judge again', action: actions.again, value: id }),
];

/** The tally, the thumbs and the buttons below a card. */
export function voteBar(verdictId: string, tally: VoteTally, style: BlockStyle): KnownBlock[] {
  const counted = context(tallyText(tally));
  switch (style) {
    case 'native':
      return [
        {
          type: 'context_actions',
          elements: [
            {
              type: 'feedback_buttons',
              action_id: actions.feedback,
              positive_button: {
                text: plain('The panel is right', limits.buttonText),
                accessibility_label: 'I agree with the panel',
                value: voteValue('agree', verdictId),
              },
              negative_button: {
                text: plain('The panel is wrong', limits.buttonText),
                accessibility_label: 'I disagree with the panel',
                value: voteValue('disagree', verdictId),
              },
            },
          ],
        },
        counted,
        buttonRow(...moreButtons(verdictId), unsureButton(verdictId), retractButton(verdictId)),
      ];
    case 'classic':
      return [
        counted,
        buttonRow(...voteButtons(verdictId), retractButton(verdictId)),
        buttonRow(...moreButtons(verdictId)),
      ];
  }
}

/** For the person who voted by a reaction on a verdict without a decision. */
export const askMessage = (verdictId: string): SlackMessage =>
  message('The panel did not decide this case. What is right?', [
    paragraph(words('The panel did not decide this case, so your vote alone does not say what is right.')),
    buttonRow(button({ text: 'What is right?', action: actions.sayMore, value: verdictId })),
  ]);

/** A viewer's own blind vote, and how all votes stand. */
export interface OwnAnswer {
  vote: Vote;
  tally: VoteTally;
}

/** Above a verdict that the viewer has just opened by their answer: what they said, how others voted, what they can add. */
export function ownAnswerBlocks({ id }: Pick<VerdictRecord, 'id'>, { vote, tally }: OwnAnswer): KnownBlock[] {
  const { blind } = vote;
  const said = blind === undefined ? '' : `You said: ${answerText(blind.answer)}. `;
  const later = blind?.later === undefined ? '' : `Since then: ${answerText(blind.later.answer)}. `;
  return [
    paragraph(words(`${said}${later}${tallyText(tally)}`)),
    buttonRow(
      button({ text: 'Say more', action: actions.sayMore, value: id }),
      button({
        text: 'Take my answer back',
        action: actions.retract,
        value: voteValue('retract', id),
        confirm: {
          title: plain('Take it back for good?', 100),
          text: plain('You have seen the verdict, so you cannot answer this case again.', 300),
          confirm: plain('Take it back', 30),
          deny: plain('Keep it', 30),
        },
      }),
    ),
    context(
      'Your first answer counts. What you add now is kept beside it, marked as added after the verdict.',
    ),
  ];
}
