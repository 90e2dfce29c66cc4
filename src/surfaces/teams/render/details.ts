import type { IAdaptiveCard } from '@microsoft/teams.cards';
import type { AnswerNames } from '../../../case/index.ts';
import { safeText } from '../../../common/text/index.ts';
import { preferring } from '../../../judging/card/index.ts';
import type { CaseAnswer, VerdictRecord, VerdictTally, Vote } from '../../../labels/record/index.ts';
import { blindLines, type CardInput } from '../../chat/index.ts';
import { caseSection, type DetailsSection, detailsOf } from '../../views/index.ts';
import {
  ballotChoices,
  blindQuestion,
  FIRST_COUNTS,
  inBrowser,
  ownAnswerText,
  pagesOf,
  pieces,
  preferringText,
  type Standard,
  shortened,
  shortLine,
  toneMark,
  wordsOf,
} from '../../wording/index.ts';
import { actions } from '../ids.ts';
import type { TeamsMessage } from '../messages.ts';
import { cardElements } from './card.ts';
import {
  type Button,
  type ButtonData,
  bold,
  button,
  buttonRow,
  buttonRows,
  bytesOf,
  CARD_BYTES,
  cardOfParts,
  dialogCard,
  type Element,
  heading,
  lines,
  message,
  note,
  opensDialog,
  opensPage,
  run,
  submits,
} from './elements.ts';
import { noticeElements } from './notices.ts';

type Blind = Pick<VerdictRecord, 'id' | 'verdict' | 'evalCase'>;

const ANSWERS = new Map<string, CaseAnswer>([
  [actions.blindRight, { kind: 'decision', decision: 'pass' }],
  [actions.blindWrong, { kind: 'decision', decision: 'fail' }],
  [actions.blindUnsure, { kind: 'unsure' }],
]);

/** The answer of a button from {@link blindButtons}; null for any other button. */
export const blindAnswerOf = (action: string, score: number | undefined): CaseAnswer | null =>
  action === actions.blindScore && score !== undefined
    ? { kind: 'score', score }
    : (ANSWERS.get(action) ?? null);

/** The data of the button for an answer. */
function dataOf(answer: CaseAnswer): Pick<ButtonData, 'do' | 'score'> {
  if (answer.kind === 'score') return { do: actions.blindScore, score: answer.score };
  if (answer.kind === 'unsure') return { do: actions.blindUnsure };
  return { do: answer.decision === 'pass' ? actions.blindRight : actions.blindWrong };
}

/** The verdict of a button, and the queue that the button is in. */
type About = Pick<ButtonData, 'id' | 'queue'>;

/** The buttons to say which of two answers is better. */
export const preferButtons = (about: About, names: AnswerNames): Button[] =>
  (['prefer-first', 'prefer-second', 'prefer-same'] as const).map((action) => {
    const data = { ...about, do: actions.blindScore, score: preferring[action] };
    return button(shortened(preferringText(action, names), 60), data);
  });

/** The answers offered before the verdict is shown; in a dialog, every button sends the dialog. */
export const blindButtons = (
  about: About,
  { verdict }: Pick<VerdictRecord, 'verdict'>,
  standard: Standard,
  inDialog = false,
): Button[] =>
  ballotChoices(verdict, standard).map(({ text, answer }) =>
    (inDialog ? submits : button)(shortened(text, 60), { ...dataOf(answer), ...about }),
  );

/** The message for a hidden verdict, the same for everyone. */
export function blindMessage(record: Blind, standard: Standard): TeamsMessage {
  const { evalCase, id } = record;
  return message(`How do you judge ${wordsOf(evalCase)}? Answer to see the verdict.`, {
    body: [
      lines(bold('🗳️ Answer first')),
      ...blindLines(record, standard).flatMap(noticeElements),
      ...buttonRows(...blindButtons({ id }, record, standard)),
      note('Your first answer counts and shows you the verdict. Reactions do not count here.'),
    ],
    actions: [
      opensDialog('Whole case', { do: actions.details, id }),
      opensDialog('Judge again…', { do: actions.again, id }),
    ],
  });
}

/** The most characters in one paragraph. */
const LONGEST_PIECE = 4_000;
/** The most bytes per character, and those around a paragraph, its name and its note. */
const CHARACTER = 3;
const AROUND_PIECE = 1_000;
/** The longest name or title; the rubric has the full text. */
const NAME = 120;

/** @param longest the most characters in one paragraph; longer texts are split */
export const sectionElements = (sections: readonly DetailsSection[], longest = LONGEST_PIECE): Element[] =>
  sections.flatMap(({ title, entries }) => [
    heading(shortLine(title, NAME)),
    ...entries.flatMap(({ tone, name, stance, text, small }) => {
      const [first = '', ...rest] = pieces(safeText(text).trim(), longest);
      return [
        lines(
          run(tone === undefined ? '' : `${toneMark(tone)} `),
          bold(shortLine(name, NAME)),
          run(`${stance === undefined ? '' : `: ${stance}`}${first === '' ? '' : `\n${first}`}`),
        ),
        ...rest.map((piece) => lines(run(piece))),
        ...(small === undefined ? [] : [note(small)]),
      ];
    }),
  ]);

/**
 * Sections in pages, with buttons to turn them; nothing is shortened.
 * @param page from 0; clamped to the existing pages
 */
export function paged(
  turn: ButtonData,
  first: { body?: readonly Element[]; buttons?: readonly Button[] },
  sections: readonly DetailsSection[],
  page: number,
): IAdaptiveCard {
  // Leaves room for two paging buttons and the page number.
  const size = CARD_BYTES - bytesOf([first, turn, turn]) - 1_000;
  // No paragraph may be larger than a page.
  const longest = Math.min(LONGEST_PIECE, Math.floor((size - AROUND_PIECE) / CHARACTER));
  const pages = pagesOf(sectionElements(sections, longest), bytesOf, { items: 200, size });
  const at = Math.max(0, Math.min(page, pages.length - 1));
  return dialogCard(
    [
      ...(first.body ?? []),
      ...(pages[at] ?? []),
      ...(pages.length > 1 ? [note(`Page ${at + 1} of ${pages.length}`)] : []),
    ],
    [
      ...(at > 0 ? [submits('Back', { ...turn, page: at - 1 })] : []),
      ...(at < pages.length - 1 ? [submits('Next', { ...turn, page: at + 1 })] : []),
      ...(first.buttons ?? []),
    ],
  );
}

const ownAnswer = (
  { id, verdict }: Pick<VerdictRecord, 'id' | 'verdict'>,
  vote: Vote,
  tally: VerdictTally,
): Element[] => [
  lines(run(ownAnswerText(vote, tally, verdict))),
  buttonRow(
    submits('Say more', { do: actions.correct, id }),
    submits('Take my answer back', { do: actions.retract, id }),
  ),
  note(FIRST_COUNTS),
];

/**
 * The card, followed by everything that was judged and said.
 * @param said the result of a vote, shown first
 * @param mayManage whether the viewer gets *Manage…*; default: no
 */
export function detailsCard(
  input: CardInput,
  page = 0,
  ownVote: Vote | null = null,
  said = '',
  mayManage = false,
): IAdaptiveCard {
  const { record, texts, tally } = input;
  const { body, buttons } = cardElements(input, { showsRequest: true, inDialog: true });
  const first = [
    ...(said === '' ? [] : [lines(bold(said))]),
    ...(ownVote === null ? [] : ownAnswer(record, ownVote, tally)),
    ...body,
  ];
  return paged(
    { id: record.id, do: actions.details },
    {
      body: first,
      buttons: [
        ...(mayManage ? [submits('Manage…', { do: actions.manage, id: record.id })] : []),
        ...buttons,
        ...opensPage(inBrowser.details, input.page ?? null),
      ],
    },
    detailsOf(record, texts),
    page,
  );
}

/** The viewer's blind answer, followed by the verdict. */
export const answeredElements = (input: CardInput, vote: Vote): Element[] => [
  lines(run(ownAnswerText(vote, input.tally, input.record.verdict))),
  ...cardElements(input, { showsRequest: true, inDialog: false }).body,
];

/** Replaces the message with the buttons for a person who has just answered: the verdict, and what they can add. */
export function answeredCard(input: CardInput, vote: Vote): IAdaptiveCard {
  const { record, texts } = input;
  const criteria = detailsOf(record, texts).slice(0, 1);
  return cardOfParts('Your answer counts.', {
    body: [...answeredElements(input, vote), ...sectionElements(criteria), note(FIRST_COUNTS)],
    actions: [
      opensDialog('Say more', { do: actions.correct, id: record.id }),
      opensDialog('Details', { do: actions.details, id: record.id }),
      button('Take my answer back', { do: actions.retract, id: record.id }),
    ],
  });
}

/** The whole case without its outcome, for people who have not answered. @param queue set if it was opened from a queue */
export const blindCaseCard = (
  record: Pick<VerdictRecord, 'id' | 'verdict' | 'evalCase'>,
  standard: Standard,
  page = 0,
  queue?: number,
): IAdaptiveCard => {
  const about = { id: record.id, ...(queue === undefined ? {} : { queue }) };
  return paged(
    { ...about, do: actions.details },
    {
      body: [
        lines(run(blindQuestion(record.verdict, standard))),
        ...buttonRows(...blindButtons(about, record, standard, true)),
        note('Your first answer counts and shows you the verdict.'),
      ],
    },
    [caseSection(record.evalCase)],
    page,
  );
};

/** A verdict as JSON, to copy. */
export const jsonCard = (id: string, json: string, page = 0): IAdaptiveCard =>
  paged(
    { id, do: actions.json },
    {},
    [{ title: `verdict-${id}.json`, entries: [{ name: '', text: json }] }],
    page,
  );
