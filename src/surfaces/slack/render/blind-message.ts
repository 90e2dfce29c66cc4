import { ballotOf } from '../../../labels/blind-answer.ts';
import type { VerdictRecord } from '../../../labels/verdict-record.ts';
import { actions } from '../ids.ts';
import { blindBar } from './blind-bar.ts';
import { button } from './buttons.ts';
import { exchangePart } from './card-parts.ts';
import { message, type SlackMessage } from './message.ts';
import { context, header, paragraph, words } from './rich.ts';
import { oneLine, shortened } from './safe-text.ts';
import type { Standard } from './standard.ts';
import { wordsOf } from './title-of.ts';

type Blind = Pick<VerdictRecord, 'id' | 'verdict' | 'evalCase'>;

const CRITERIA = 400;

/** What is asked, and by what it is to be answered. */
export function blindQuestion({ verdict }: Pick<Blind, 'verdict'>, { title, criteria }: Standard): string {
  const asked = ballotOf(verdict).kind === 'score' ? 'Which score is right?' : 'Is the response right?';
  const by = criteria.length === 0 ? '' : ` (${criteria.join(', ')})`;
  return `${asked} By ${shortened(oneLine(`${title}${by}`), CRITERIA)}.`;
}

/**
 * What everybody sees of a verdict that is hidden until one has answered: made of the case and the rubric alone. A verdict's
 * outcome, reasons, votes and cost must never get in here.
 */
export function blindMessage(record: Blind, standard: Standard): SlackMessage {
  const { evalCase, id } = record;
  const asked = evalCase.conversation.findLast(({ role }) => role === 'user');
  const said = exchangePart({ kind: 'exchange', user: asked?.text ?? '', system: evalCase.response });
  return message(`What do you say to ${wordsOf(evalCase)}? Your answer opens the verdict.`, [
    header('🗳️ Answer first'),
    ...said.blocks,
    paragraph(words(blindQuestion(record, standard))),
    blindBar(
      record,
      standard,
      button({ text: 'Whole case', action: actions.details, value: id }),
      button({ text: 'Judge again', action: actions.again, value: id }),
    ),
    context('Your first answer counts and opens the verdict for you alone. Reactions are not counted here.'),
  ]);
}
