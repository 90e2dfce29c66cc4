import type { EvalCase } from '../../../case/case.ts';
import { type AnswerNames, namedAnswers } from '../../../case/pair.ts';
import { preferring } from '../../../judging/card.ts';
import type { VerdictRecord } from '../../../labels/verdict-record.ts';
import type { BlindAnswer } from '../../../labels/vote.ts';
import { shortened } from '../../safe-text.ts';
import { ballotChoices, blindQuestion, preferringText, type Standard, wordsOf } from '../../wording.ts';
import { actions } from '../ids.ts';
import type { TeamsMessage } from '../messages.ts';
import {
  type Button,
  type ButtonData,
  bold,
  button,
  buttonRow,
  type Element,
  lines,
  message,
  note,
  opensDialog,
  run,
  submits,
} from './elements.ts';

type Blind = Pick<VerdictRecord, 'id' | 'verdict' | 'evalCase'>;

const ANSWERS = new Map<string, BlindAnswer>([
  [actions.blindRight, { kind: 'decision', decision: 'pass' }],
  [actions.blindWrong, { kind: 'decision', decision: 'fail' }],
  [actions.blindUnsure, { kind: 'unsure' }],
]);

/** What a button of {@link blindButtons} answers; null where it is none of these. */
export const blindAnswerOf = (action: string, score: number | undefined): BlindAnswer | null =>
  action === actions.blindScore && score !== undefined
    ? { kind: 'score', score }
    : (ANSWERS.get(action) ?? null);

/** What a button says that answers so. */
function dataOf(answer: BlindAnswer): Pick<ButtonData, 'do' | 'score'> {
  if (answer.kind === 'score') return { do: actions.blindScore, score: answer.score };
  if (answer.kind === 'unsure') return { do: actions.blindUnsure };
  return { do: answer.decision === 'pass' ? actions.blindRight : actions.blindWrong };
}

/** The verdict that a button is about, and the queue that it stands in. */
type About = Pick<ButtonData, 'id' | 'queue'>;

/** Which of two answers is better, as buttons. */
export const preferButtons = (about: About, names: AnswerNames): Button[] =>
  (['prefer-first', 'prefer-second', 'prefer-same'] as const).map((action) => {
    const data = { ...about, do: actions.blindScore, score: preferring[action] };
    return button(shortened(preferringText(action, names), 60), data);
  });

/** What people answer who have not seen the verdict; in a dialog, every button sends it. */
export const blindButtons = (
  about: About,
  { verdict }: Pick<VerdictRecord, 'verdict'>,
  standard: Standard,
  inDialog = false,
): Button[] =>
  ballotChoices(verdict, standard).map(({ text, answer }) =>
    (inDialog ? submits : button)(shortened(text, 60), { ...dataOf(answer), ...about }),
  );

const SAID = 600;

/** The last request and the response, or both of them. */
export function exchange(evalCase: EvalCase): Element[] {
  const asked = evalCase.conversation.findLast(({ role }) => role === 'user')?.text ?? '';
  return [
    lines(bold('User: '), run(shortened(asked, SAID))),
    ...namedAnswers(evalCase).map(({ name, text }) =>
      lines(bold(`${shortened(name, 60)}: `), run(shortened(text, SAID))),
    ),
  ];
}

/**
 * What everyone sees of a verdict that is hidden until they have answered: made of the case and the rubric alone. A verdict's
 * outcome, reasons, votes and cost must never get in here.
 */
export function blindMessage(record: Blind, standard: Standard): TeamsMessage {
  const { evalCase, id, verdict } = record;
  return message(`How do you judge ${wordsOf(evalCase)}? Answer to see the verdict.`, {
    body: [
      lines(bold('🗳️ Answer first')),
      ...exchange(evalCase),
      lines(run(blindQuestion(verdict, standard))),
      buttonRow(...blindButtons({ id }, record, standard)),
      note('Your first answer counts and shows you the verdict. Reactions do not count here.'),
    ],
    actions: [
      opensDialog('Whole case', { do: actions.details, id }),
      opensDialog('Judge again…', { do: actions.again, id }),
    ],
  });
}
