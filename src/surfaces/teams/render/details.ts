import type { IAdaptiveCard } from '@microsoft/teams.cards';
import type { AnswerNames } from '../../../case/pair.ts';
import { safeText } from '../../../common/text.ts';
import { preferring } from '../../../judging/card.ts';
import type { VerdictRecord } from '../../../labels/verdict-record.ts';
import type { CaseAnswer, VerdictTally, Vote } from '../../../labels/vote.ts';
import { blindLines } from '../../chat-message.ts';
import type { CardInput } from '../../chat-presenter.ts';
import { pagesOf, pieces, shortened, shortLine } from '../../safe-text.ts';
import { caseSection, type DetailsSection, detailsOf } from '../../verdict-details.ts';
import {
  ballotChoices,
  blindQuestion,
  FIRST_COUNTS,
  inBrowser,
  ownAnswerText,
  preferringText,
  type Standard,
  toneMark,
  wordsOf,
} from '../../wording.ts';
import { actions } from '../ids.ts';
import type { TeamsMessage } from '../messages.ts';
import { cardElements } from './card.ts';
import {
  type Button,
  type ButtonData,
  bold,
  button,
  buttonRow,
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

/** What a button of {@link blindButtons} answers; null where it is none of these. */
export const blindAnswerOf = (action: string, score: number | undefined): CaseAnswer | null =>
  action === actions.blindScore && score !== undefined
    ? { kind: 'score', score }
    : (ANSWERS.get(action) ?? null);

/** What a button says that answers so. */
function dataOf(answer: CaseAnswer): Pick<ButtonData, 'do' | 'score'> {
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

/** What everyone sees of a verdict that is hidden until they have answered. */
export function blindMessage(record: Blind, standard: Standard): TeamsMessage {
  const { evalCase, id } = record;
  return message(`How do you judge ${wordsOf(evalCase)}? Answer to see the verdict.`, {
    body: [
      lines(bold('🗳️ Answer first')),
      ...blindLines(record, standard).flatMap(noticeElements),
      buttonRow(...blindButtons({ id }, record, standard)),
      note('Your first answer counts and shows you the verdict. Reactions do not count here.'),
    ],
    actions: [
      opensDialog('Whole case', { do: actions.details, id }),
      opensDialog('Judge again…', { do: actions.again, id }),
    ],
  });
}

/** Most characters of one paragraph. */
const LONGEST_PIECE = 4_000;
/** Most bytes of a character, and of what surrounds a paragraph, its name and a note below it. */
const CHARACTER = 3;
const AROUND_PIECE = 1_000;
/** Longest name or title; the whole stands in the rubric. */
const NAME = 120;

/** @param longest characters of one paragraph; the rest stands in others below it */
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

/** Sections in pages that are turned with buttons; nothing is shortened. @param page from 0; the nearest where there is no such page */
export function paged(
  turn: ButtonData,
  first: { body?: readonly Element[]; buttons?: readonly Button[] },
  sections: readonly DetailsSection[],
  page: number,
): IAdaptiveCard {
  // Two buttons turn the page, whose number stands on it.
  const size = CARD_BYTES - bytesOf([first, turn, turn]) - 1_000;
  // A paragraph that is larger than a page would make its page too large.
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

/** The card, then all that was judged and said. @param said what came of a vote, shown first */
export function detailsCard(input: CardInput, page = 0, own: Vote | null = null, said = ''): IAdaptiveCard {
  const { record, texts, tally } = input;
  const { body, buttons } = cardElements(input, { showsRequest: true, inDialog: true });
  const first = [
    ...(said === '' ? [] : [lines(bold(said))]),
    ...(own === null ? [] : ownAnswer(record, own, tally)),
    ...body,
  ];
  return paged(
    { id: record.id, do: actions.details },
    { body: first, buttons: [...buttons, ...opensPage(inBrowser.details, input.page ?? null)] },
    detailsOf(record, texts),
    page,
  );
}

/** What a person answered who did not know the verdict, and the verdict. */
export const answeredElements = (input: CardInput, vote: Vote): Element[] => [
  lines(run(ownAnswerText(vote, input.tally, input.record.verdict))),
  ...cardElements(input, { showsRequest: true, inDialog: false }).body,
];

/** In place of the message with the buttons, for the person who has just answered: the verdict, and what they can add. */
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

/** The whole case, and nothing of what came of it, for who has not answered. */
export const blindCaseCard = (
  record: Pick<VerdictRecord, 'id' | 'verdict' | 'evalCase'>,
  standard: Standard,
  page = 0,
): IAdaptiveCard =>
  paged(
    { id: record.id, do: actions.details },
    {
      body: [
        lines(run(blindQuestion(record.verdict, standard))),
        buttonRow(...blindButtons({ id: record.id }, record, standard, true)),
        note('Your first answer counts and shows you the verdict.'),
      ],
    },
    [caseSection(record.evalCase)],
    page,
  );

/** A verdict as JSON, to copy. */
export const jsonCard = (id: string, json: string, page = 0): IAdaptiveCard =>
  paged(
    { id, do: actions.json },
    {},
    [{ title: `verdict-${id}.json`, entries: [{ name: '', text: json }] }],
    page,
  );
