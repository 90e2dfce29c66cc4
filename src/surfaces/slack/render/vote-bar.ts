import type { KnownBlock } from '@slack/types';
import type { VoteTally, VoteValue } from '../../../labels/vote.ts';
import { actions } from '../ids.ts';
import { button, buttonRow } from './buttons.ts';
import { limits } from './limits.ts';
import { context, plain } from './rich.ts';

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

/** How many say what, never who: `3 agree · 1 disagrees`. */
export function tallyText({ agree, disagree, unsure }: VoteTally): string {
  if (agree + disagree + unsure === 0) return 'No votes yet. Was the panel right?';
  const parts = [
    agree === 0 ? '' : `👍 ${agree} ${agree === 1 ? 'agrees' : 'agree'}`,
    disagree === 0 ? '' : `👎 ${disagree} ${disagree === 1 ? 'disagrees' : 'disagree'}`,
    unsure === 0 ? '' : `🤷 ${unsure} not sure`,
  ];
  return `Votes: ${parts.filter((part) => part !== '').join(' · ')}`;
}

const unsureButton = (id: string) =>
  button({ text: '🤷 Not sure', action: actions.unsure, value: voteValue('unsure', id) });
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
        buttonRow(
          button({ text: '👍 Agree', action: actions.agree, value: voteValue('agree', verdictId) }),
          button({ text: '👎 Disagree', action: actions.disagree, value: voteValue('disagree', verdictId) }),
          unsureButton(verdictId),
          retractButton(verdictId),
        ),
        buttonRow(...moreButtons(verdictId)),
      ];
  }
}
