import type { ActionsBlock, Button, ModalView, RichTextQuote } from '@slack/types';
import { namedAnswers } from '../../../case/pair.ts';
import type { VerdictRecord } from '../../../labels/verdict-record.ts';
import type { BlindAnswer } from '../../../labels/vote.ts';
import { fitted } from '../../safe-text.ts';
import { caseSection } from '../../verdict-details.ts';
import { ballotChoices, blindQuestion, type Standard, wordsOf } from '../../wording.ts';
import { actions } from '../ids.ts';
import {
  bold,
  button,
  context,
  header,
  limits,
  message,
  paragraph,
  plain,
  rich,
  type SlackMessage,
  section,
  words,
} from './blocks.ts';
import { pagedView, sectionBlocks } from './details.ts';
import { carried, preferButtons } from './votes.ts';

/** Reads what a button or a menu of {@link blindBar} carries; null where it is none of ours. */
export function readBlindValue(text: string): { answer: BlindAnswer; verdictId: string } | null {
  const [, said, verdictId] = /^(right|wrong|unsure|-?\d+(?:\.\d+)?) (\S+)$/.exec(text) ?? [];
  if (said === undefined || verdictId === undefined) return null;
  switch (said) {
    case 'right':
      return { answer: { kind: 'decision', decision: 'pass' }, verdictId };
    case 'wrong':
      return { answer: { kind: 'decision', decision: 'fail' }, verdictId };
    case 'unsure':
      return { answer: { kind: 'unsure' }, verdictId };
    default:
      return { answer: { kind: 'score', score: Number(said) }, verdictId };
  }
}

const blindActions = { right: actions.blindRight, wrong: actions.blindWrong, unsure: actions.blindUnsure };

/**
 * What people answer who have not seen the verdict. The same for all cases of a rubric, whatever came of them: no button
 * stands out, and none is there for one outcome only. Scores are a menu.
 */
export function blindBar(
  { id, verdict }: Pick<VerdictRecord, 'id' | 'verdict'>,
  standard: Standard,
  ...more: Button[]
): ActionsBlock {
  const choices = ballotChoices(verdict, standard);
  const buttons = choices.flatMap(({ text, answer }) => {
    if (answer.kind === 'score') return [];
    const said = answer.kind === 'unsure' ? 'unsure' : answer.decision === 'pass' ? 'right' : 'wrong';
    return [button({ text, action: blindActions[said], value: carried(said, id) })];
  });
  const options = choices.flatMap(({ text, answer }) =>
    answer.kind === 'score'
      ? [{ text: plain(text, limits.optionText), value: carried(String(answer.score), id) }]
      : [],
  );
  const placeholder = plain('Choose a score', limits.placeholder);
  const { preference } = verdict;
  const scores: ActionsBlock['elements'] =
    preference !== undefined
      ? preferButtons(id, preference.names)
      : options.length > 0
        ? [{ type: 'static_select', action_id: actions.blindScore, placeholder, options }]
        : [];
  return { type: 'actions', elements: [...scores, ...buttons, ...more] };
}

/** Characters of what both said, in the message; the whole case is one click away. */
const EXCHANGE = 1_200;

const quote = (text: string): RichTextQuote => ({ type: 'rich_text_quote', elements: words(text || '–') });

type Blind = Pick<VerdictRecord, 'id' | 'verdict' | 'evalCase'>;

/**
 * What everyone sees of a verdict that is hidden until they have answered: made of the case and the rubric alone. A verdict's
 * outcome, reasons, votes and cost must never get in here.
 */
export function blindMessage(record: Blind, standard: Standard): SlackMessage {
  const { evalCase, id } = record;
  const asked = evalCase.conversation.findLast(({ role }) => role === 'user');
  const said = [{ name: 'User', text: asked?.text ?? '' }, ...namedAnswers(evalCase)];
  const { texts } = fitted(
    said.map(({ text }) => text),
    EXCHANGE,
  );
  return message(`How do you judge ${wordsOf(evalCase)}? Answer to see the verdict.`, [
    header('🗳️ Answer first'),
    rich(...said.flatMap(({ name }, index) => [section(bold(name)), quote(texts[index] ?? '')])),
    paragraph(words(blindQuestion(record.verdict, standard))),
    blindBar(
      record,
      standard,
      button({ text: 'Whole case', action: actions.details, value: id }),
      button({ text: 'Judge again', action: actions.again, value: id }),
    ),
    context('Your first answer counts and shows you the verdict. Reactions do not count here.'),
  ]);
}

/** The whole case, and nothing of what came of it, for who has not answered. */
export function blindCaseView(record: Blind, standard: Standard, page = 0): ModalView {
  return pagedView(
    { id: record.id, title: 'The case' },
    [
      paragraph(words(blindQuestion(record.verdict, standard))),
      blindBar(record, standard),
      context('Your first answer counts and shows you the verdict.'),
    ],
    sectionBlocks(caseSection(record.evalCase)),
    page,
  );
}
