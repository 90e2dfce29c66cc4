import type { EvalCase } from '../../../case/case.ts';
import { type AnswerNames, namedAnswers } from '../../../case/pair.ts';
import { preferring } from '../../../judging/card.ts';
import { ballotOf } from '../../../labels/blind-vote.ts';
import type { VerdictRecord } from '../../../labels/verdict-record.ts';
import type { BlindAnswer } from '../../../labels/vote.ts';
import { shortened } from '../../safe-text.ts';
import { blindQuestion, preferringText, type Standard, wordsOf } from '../../wording.ts';
import { type ActionName, actions } from '../ids.ts';
import type { TeamsMessage } from '../messages.ts';
import {
  type Button,
  bold,
  button,
  type Element,
  lines,
  message,
  note,
  opensDialog,
  run,
  submits,
} from './elements.ts';

type Blind = Pick<VerdictRecord, 'id' | 'verdict' | 'evalCase'>;

/** What a button of {@link blindButtons} answers; null where it is none of these. */
export function blindAnswerOf(action: string, score: number | undefined): BlindAnswer | null {
  switch (action) {
    case actions.blindRight:
      return { kind: 'decision', decision: 'pass' };
    case actions.blindWrong:
      return { kind: 'decision', decision: 'fail' };
    case actions.blindUnsure:
      return { kind: 'unsure' };
    case actions.blindScore:
      return score === undefined ? null : { kind: 'score', score };
    default:
      return null;
  }
}

/** Which of two answers is better, as buttons. */
export const preferButtons = (
  id: string,
  names: AnswerNames,
  does: typeof button | typeof submits = button,
): Button[] =>
  (['prefer-first', 'prefer-second', 'prefer-same'] as const).map((action) =>
    does(shortened(preferringText(action, names), 60), {
      do: actions.blindScore,
      id,
      score: preferring[action],
    }),
  );

/**
 * What people answer who have not seen the verdict; in a dialog, every button sends it. The same for all cases of a rubric, whatever came of them: no button
 * stands out, and none is there for one outcome only.
 */
export function blindButtons(
  { id, verdict }: Pick<VerdictRecord, 'id' | 'verdict'>,
  standard: Standard,
  inDialog = false,
): Button[] {
  const ballot = ballotOf(verdict);
  const does = inDialog ? submits : button;
  const answer = (title: string, action: ActionName) => does(title, { do: action, id });
  const unsure = answer('🤷 Not sure', actions.blindUnsure);
  if (ballot.kind === 'decision')
    return [
      answer('Response is right', actions.blindRight),
      answer('Response is wrong', actions.blindWrong),
      unsure,
    ];
  const { preference } = verdict;
  if (preference !== undefined) return [...preferButtons(id, preference.names, does), unsure];
  const levels = ballot.levels.map((level) => {
    const meaning = standard.levels[String(level)];
    const title = meaning === undefined ? String(level) : `${level}: ${meaning}`;
    return does(shortened(title, 60), { do: actions.blindScore, id, score: level });
  });
  return [...levels, unsure];
}

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
      { type: 'ActionSet', actions: blindButtons(record, standard) },
      note('Your first answer counts and shows you the verdict. Reactions do not count here.'),
    ],
    actions: [
      opensDialog('Whole case', { do: actions.details, id }),
      opensDialog('Judge again…', { do: actions.again, id }),
    ],
  });
}
