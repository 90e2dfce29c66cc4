import type { IAdaptiveCard } from '@microsoft/teams.cards';
import { safeText } from '../../../common/text.ts';
import type { VerdictRecord } from '../../../labels/verdict-record.ts';
import type { Vote, VoteTally } from '../../../labels/vote.ts';
import type { CardInput } from '../../chat-presenter.ts';
import { pagesOf, pieces, shortLine } from '../../safe-text.ts';
import { caseSection, type DetailsSection, detailsOf } from '../../verdict-details.ts';
import {
  blindQuestion,
  FIRST_COUNTS,
  inBrowser,
  ownAnswerText,
  type Standard,
  toneMark,
} from '../../wording.ts';
import { actions } from '../ids.ts';
import { blindButtons } from './blind.ts';
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
  note,
  opensDialog,
  opensPage,
  run,
  submits,
} from './elements.ts';

/** Characters of a text, of which each can take three bytes. */
const LONGEST_PIECE = 4_000;
/** Longest name or title; the whole stands in the rubric. */
const NAME = 120;

export function sectionElements({ title, entries }: DetailsSection): Element[] {
  return [
    heading(shortLine(title, NAME)),
    ...entries.flatMap(({ tone, name, stance, text, small }) => {
      const [first = '', ...rest] = pieces(safeText(text).trim(), LONGEST_PIECE);
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
  ];
}

/** Sections in pages that are turned with buttons; nothing is shortened. @param page from 0; the nearest where there is no such page */
export function paged(
  turn: ButtonData,
  first: { body?: readonly Element[]; buttons?: readonly Button[] },
  sections: readonly DetailsSection[],
  page: number,
): IAdaptiveCard {
  // Two buttons turn the page, whose number stands on it.
  const size = CARD_BYTES - bytesOf([first, turn, turn]) - 1_000;
  const pages = pagesOf(sections.flatMap(sectionElements), bytesOf, { items: 200, size });
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
  tally: VoteTally,
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
    body: [...answeredElements(input, vote), ...criteria.flatMap(sectionElements), note(FIRST_COUNTS)],
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
