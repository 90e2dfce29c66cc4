import type { IAdaptiveCard } from '@microsoft/teams.cards';
import type { CardTexts } from '../../../judging/card.ts';
import type { VerdictRecord } from '../../../labels/verdict-record.ts';
import type { Vote, VoteTally } from '../../../labels/vote.ts';
import { pagesOf, pieces, safeText } from '../../safe-text.ts';
import { caseSection, type DetailsSection, detailsOf } from '../../verdict-details.ts';
import { answerText, blindQuestion, type Standard, tallyText, toneMark } from '../../wording.ts';
import { actions } from '../ids.ts';
import { blindButtons } from './blind.ts';
import { bold, button, bytesOf, type Element, heading, lines, note, opensDialog, run } from './elements.ts';

/** A page of a dialog; a dialog's card is limited like a message's. */
const PAGE_BYTES = 18_000;
const LONGEST_PIECE = 4_000;

function sectionElements({ title, entries }: DetailsSection): Element[] {
  return [
    heading(title),
    ...entries.flatMap(({ tone, name, stance, text, small }) => {
      const [first = '', ...rest] = pieces(safeText(text).trim(), LONGEST_PIECE);
      return [
        lines(
          run(tone === undefined ? '' : `${toneMark(tone)} `),
          bold(name),
          run(`${stance === undefined ? '' : `: ${stance}`}${first === '' ? '' : `\n${first}`}`),
        ),
        ...rest.map((piece) => lines(run(piece))),
        ...(small === undefined ? [] : [note(small)]),
      ];
    }),
  ];
}

/** Sections in pages that are turned with buttons; nothing is shortened. @param page from 0; the nearest where there is no such page */
function paged(
  id: string,
  first: readonly Element[],
  sections: readonly DetailsSection[],
  page: number,
): IAdaptiveCard {
  const pages = pagesOf(sections.flatMap(sectionElements), bytesOf, { items: 200, size: PAGE_BYTES });
  const at = Math.max(0, Math.min(page, pages.length - 1));
  const turn = (title: string, to: number) => ({
    type: 'Action.Submit' as const,
    title,
    data: { do: actions.details, id, page: to },
  });
  return {
    type: 'AdaptiveCard',
    version: '1.5',
    $schema: 'http://adaptivecards.io/schemas/adaptive-card.json',
    body: [
      ...first,
      ...(pages[at] ?? []),
      ...(pages.length > 1 ? [note(`Page ${at + 1} of ${pages.length}`)] : []),
    ],
    actions: [
      ...(at > 0 ? [turn('Back', at - 1)] : []),
      ...(at < pages.length - 1 ? [turn('Next', at + 1)] : []),
    ],
  };
}

/** A viewer's own blind vote, and how all votes stand. */
export interface OwnAnswer {
  vote: Vote;
  tally: VoteTally;
}

function ownAnswer(id: string, { vote, tally }: OwnAnswer): Element[] {
  const { blind } = vote;
  const said = blind === undefined ? '' : `You said: ${answerText(blind.answer)}. `;
  const later = blind?.later === undefined ? '' : `Since then: ${answerText(blind.later.answer)}. `;
  return [
    lines(run(`${said}${later}${tallyText(tally)}`)),
    {
      type: 'ActionSet',
      actions: [
        opensDialog('Say more', { do: actions.correct, id }),
        button('Take my answer back', { do: actions.retract, id }),
      ],
    },
    note('Your first answer counts. What you add now is kept beside it, marked as added after the verdict.'),
  ];
}

/** All that was judged and said. */
export const detailsCard = (
  record: Pick<VerdictRecord, 'id' | 'verdict' | 'evalCase'>,
  texts: CardTexts,
  page = 0,
  own: OwnAnswer | null = null,
): IAdaptiveCard =>
  paged(
    record.id,
    [
      ...(own === null ? [] : ownAnswer(record.id, own)),
      lines(run(`${toneMark(record.verdict.decision)} `), bold(record.verdict.why)),
    ],
    detailsOf(record, texts),
    page,
  );

/** The whole case, and nothing of what came of it, for who has not answered. */
export const blindCaseCard = (
  record: Pick<VerdictRecord, 'id' | 'verdict' | 'evalCase'>,
  standard: Standard,
  page = 0,
): IAdaptiveCard =>
  paged(
    record.id,
    [
      lines(run(blindQuestion(record.verdict, standard))),
      { type: 'ActionSet', actions: blindButtons(record, standard) },
      note('Your first answer counts and shows you the verdict.'),
    ],
    [caseSection(record.evalCase)],
    page,
  );
