import type { KnownBlock } from '@slack/types';
import type { BlindAnswer } from '../../../labels/blind-answer.ts';
import type { VerdictRecord } from '../../../labels/verdict-record.ts';
import type { Vote, VoteTally } from '../../../labels/vote.ts';
import { actions } from '../ids.ts';
import { button, buttonRow } from './buttons.ts';
import { context, paragraph, plain, words } from './rich.ts';
import { tallyText, voteValue } from './vote-bar.ts';

/** Somebody's own blind vote, and how all votes stand. */
export interface OwnAnswer {
  vote: Vote;
  tally: VoteTally;
}

function answerText(answer: BlindAnswer): string {
  switch (answer.kind) {
    case 'decision':
      return answer.decision === 'pass' ? 'the response is right' : 'the response is wrong';
    case 'score':
      return `a score of ${answer.score}`;
    case 'unsure':
      return 'not sure';
  }
}

/** Above a verdict that somebody has just opened by their answer: what they said, how others voted, what they can add. */
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
          text: plain('You have seen the verdict, so that you cannot answer this case again.', 300),
          confirm: plain('Take it back', 30),
          deny: plain('Keep it', 30),
        },
      }),
    ),
    context(
      'Your first answer counts. What you say now is kept beside it, marked as said after the verdict.',
    ),
  ];
}
