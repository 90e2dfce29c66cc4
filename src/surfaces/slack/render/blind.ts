import type { ActionsBlock, Button, ModalView, RichTextQuote, StaticSelect } from '@slack/types';
import { namedAnswers } from '../../../case/pair.ts';
import { ballotOf } from '../../../labels/blind-vote.ts';
import type { VerdictRecord } from '../../../labels/verdict-record.ts';
import type { BlindAnswer } from '../../../labels/vote.ts';
import { fitted } from '../../safe-text.ts';
import { caseSection } from '../../verdict-details.ts';
import { blindQuestion, type Standard, wordsOf } from '../../wording.ts';
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
import { blindValue, preferButtons } from './votes.ts';

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

function scoreMenu(levels: readonly number[], standard: Standard, id: string): StaticSelect {
  return {
    type: 'static_select',
    action_id: actions.blindScore,
    placeholder: plain('Choose a score', limits.placeholder),
    options: levels.map((level) => {
      const meaning = standard.levels[String(level)];
      return {
        text: plain(meaning === undefined ? String(level) : `${level}: ${meaning}`, limits.optionText),
        value: blindValue(String(level), id),
      };
    }),
  };
}

/**
 * What people answer who have not seen the verdict. The same for all cases of a rubric, whatever came of them: no button
 * stands out, and none is there for one outcome only.
 */
export function blindBar(
  { id, verdict }: Pick<VerdictRecord, 'id' | 'verdict'>,
  standard: Standard,
  ...more: Button[]
): ActionsBlock {
  const ballot = ballotOf(verdict);
  const unsure = button({
    text: '🤷 Not sure',
    action: actions.blindUnsure,
    value: blindValue('unsure', id),
  });
  const { preference } = verdict;
  const answers =
    preference !== undefined
      ? preferButtons(id, preference.names)
      : ballot.kind === 'score'
        ? [scoreMenu(ballot.levels, standard, id)]
        : [
            button({ text: 'Response is right', action: actions.blindRight, value: blindValue('right', id) }),
            button({ text: 'Response is wrong', action: actions.blindWrong, value: blindValue('wrong', id) }),
          ];
  return { type: 'actions', elements: [...answers, unsure, ...more] };
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
