import type { IAdaptiveCard } from '@microsoft/teams.cards';
import type { AnswerNames } from '../../../case/index.ts';
import { safeText } from '../../../common/text/index.ts';
import { preferring } from '../../../judging/card/index.ts';
import type { CaseAnswer, VerdictRecord, VerdictTally, Vote } from '../../../labels/record/index.ts';
import { type Language, wordsIn } from '../../../words/index.ts';
import { blindLines, type CardInput } from '../../chat/index.ts';
import { caseSection, type DetailsSection, detailsOf } from '../../views/index.ts';
import {
  ballotChoices,
  blindQuestion,
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
export const preferButtons = (about: About, names: AnswerNames, language: Language): Button[] =>
  (['prefer-first', 'prefer-second', 'prefer-same'] as const).map((action) => {
    const data = { ...about, do: actions.blindScore, score: preferring[action] };
    return button(shortened(preferringText(action, names, undefined, language), 60), data);
  });

/** The answers offered before the verdict is shown; in a dialog, every button sends the dialog. */
export const blindButtons = (
  about: About,
  { verdict }: Pick<VerdictRecord, 'verdict'>,
  standard: Standard,
  language: Language,
  inDialog = false,
): Button[] =>
  ballotChoices(verdict, standard, language).map(({ text, answer }) =>
    (inDialog ? submits : button)(shortened(text, 60), { ...dataOf(answer), ...about }),
  );

/** The message for a hidden verdict, the same for everyone. */
export function blindMessage(record: Blind, standard: Standard, language: Language): TeamsMessage {
  const { evalCase, id } = record;
  const { actions: texts, blind } = wordsIn(language).votes;
  return message(blind.ask(wordsOf(evalCase, language)), {
    body: [
      lines(bold(blind.title)),
      ...blindLines(record, standard, language).flatMap(noticeElements),
      ...buttonRows(...blindButtons({ id }, record, standard, language)),
      note(blind.noteOnCard),
    ],
    actions: [
      opensDialog(blind.whole, { do: actions.details, id }),
      opensDialog(texts.again, { do: actions.again, id }),
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
  language: Language,
): IAdaptiveCard {
  const { lists } = wordsIn(language);
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
      ...(pages.length > 1 ? [note(lists.page({ at: at + 1, of: pages.length }))] : []),
    ],
    [
      ...(at > 0 ? [submits(lists.back, { ...turn, page: at - 1 })] : []),
      ...(at < pages.length - 1 ? [submits(lists.next, { ...turn, page: at + 1 })] : []),
      ...(first.buttons ?? []),
    ],
  );
}

const ownAnswer = (
  { id, verdict }: Pick<VerdictRecord, 'id' | 'verdict'>,
  vote: Vote,
  tally: VerdictTally,
  language: Language,
): Element[] => {
  const { own } = wordsIn(language).votes;
  return [
    lines(run(ownAnswerText(vote, tally, verdict, language))),
    buttonRow(
      submits(own.sayMore, { do: actions.correct, id }),
      submits(own.takeBack, { do: actions.retract, id }),
    ),
    note(own.firstCounts),
  ];
};

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
    ...(ownVote === null ? [] : ownAnswer(record, ownVote, tally, texts.language)),
    ...body,
  ];
  return paged(
    { id: record.id, do: actions.details },
    {
      body: first,
      buttons: [
        ...(mayManage
          ? [submits(wordsIn(texts.language).votes.actions.manage, { do: actions.manage, id: record.id })]
          : []),
        ...buttons,
        ...opensPage(wordsIn(texts.language).lists.inBrowser.details, input.page ?? null),
      ],
    },
    detailsOf(record, texts, input.setting.ruling),
    page,
    texts.language,
  );
}

/** The viewer's blind answer, followed by the verdict. */
export const answeredElements = (input: CardInput, vote: Vote): Element[] => [
  lines(run(ownAnswerText(vote, input.tally, input.record.verdict, input.texts.language))),
  ...cardElements(input, { showsRequest: true, inDialog: false }).body,
];

/** Replaces the message with the buttons for a person who has just answered: the verdict, and what they can add. */
export function answeredCard(input: CardInput, vote: Vote): IAdaptiveCard {
  const { record, texts } = input;
  const criteria = detailsOf(record, texts).slice(0, 1);
  const { actions: labels, own } = wordsIn(texts.language).votes;
  return cardOfParts(own.counts, {
    body: [...answeredElements(input, vote), ...sectionElements(criteria), note(own.firstCounts)],
    actions: [
      opensDialog(own.sayMore, { do: actions.correct, id: record.id }),
      opensDialog(labels.details, { do: actions.details, id: record.id }),
      button(own.takeBack, { do: actions.retract, id: record.id }),
    ],
  });
}

/** The whole case without its outcome, for people who have not answered. @param queue set if it was opened from a queue */
export const blindCaseCard = (
  record: Pick<VerdictRecord, 'id' | 'verdict' | 'evalCase'>,
  standard: Standard,
  language: Language,
  page = 0,
  queue?: number,
): IAdaptiveCard => {
  const about = { id: record.id, ...(queue === undefined ? {} : { queue }) };
  return paged(
    { ...about, do: actions.details },
    {
      body: [
        lines(run(blindQuestion(record.verdict, standard, language))),
        ...buttonRows(...blindButtons(about, record, standard, language, true)),
        note(wordsIn(language).votes.blind.note),
      ],
    },
    [caseSection(record.evalCase, language)],
    page,
    language,
  );
};

/** A verdict as JSON, to copy. */
export const jsonCard = (id: string, json: string, page: number, language: Language): IAdaptiveCard =>
  paged(
    { id, do: actions.json },
    {},
    [{ title: `verdict-${id}.json`, entries: [{ name: '', text: json }] }],
    page,
    language,
  );
