import type { ActionsBlock, Button, KnownBlock, ModalView, RichTextElement } from '@slack/types';
import * as z from 'zod';
import { readJson, safeText } from '../../../common/text/index.ts';
import type { CardPart } from '../../../judging/card/index.ts';
import type { CaseAnswer, VerdictRecord, Vote } from '../../../labels/record/index.ts';
import { type Language, wordsIn } from '../../../words/index.ts';
import { blindTexts, type CardInput } from '../../chat/index.ts';
import { caseSection, type DetailsSection, detailsOf } from '../../views/index.ts';
import {
  ballotChoices,
  blindQuestion,
  pieces,
  type Standard,
  shortened,
  shortLine,
  toneMark,
  wordsOf,
} from '../../wording/index.ts';
import { actions, callbacks } from '../ids.ts';
import {
  bold,
  button,
  buttonRow,
  context,
  header,
  limits,
  linkLine,
  message,
  pageBlocks,
  paragraph,
  plain,
  rich,
  type SlackMessage,
  section,
  words,
} from './blocks.ts';
import { cardBlocks, carried, ownAnswerBlocks, preferButtons } from './card.ts';

/** The longest name or title; the rubric has the full text. */
const NAME = 120;

/** A long text under a heading, in as many blocks as it needs. */
export function long(head: RichTextElement[], text: string): KnownBlock[] {
  const [first = '', ...rest] = pieces(safeText(text).trim(), limits.blockText - 200);
  return [
    paragraph(head, words(first === '' ? '' : `\n${first}`)),
    ...rest.map((piece) => paragraph(words(piece))),
  ];
}

const name = (text: string): string => shortLine(text, NAME);

/** A section of the details; nothing is shortened. */
export const sectionBlocks = ({ title, entries }: DetailsSection): KnownBlock[] => [
  header(title),
  ...entries.flatMap(({ tone, name: of, stance, text, small }) => [
    ...long(
      [
        ...words(tone === undefined ? '' : `${toneMark(tone)} `),
        ...bold(name(of)),
        ...words(stance === undefined ? '' : `: ${stance}`),
      ],
      text,
    ),
    ...(small === undefined ? [] : [context(small)]),
  ]),
];

/** The value of a paging button. */
export const pageValue = (verdictId: string, page: number): string => `${verdictId} ${page}`;

/** Reads {@link pageValue}; null for any other value. */
export function readPageValue(text: string): { verdictId: string; page: number } | null {
  const { verdictId, page } = /^(?<verdictId>\S+) (?<page>\d{1,6})$/.exec(text)?.groups ?? {};
  return verdictId === undefined ? null : { verdictId, page: Number(page) };
}

/** From where a modal was opened. */
export type DetailsPlace = 'card' | 'queue';

export const DetailsMetadata = z.object({
  verdict: z.string(),
  page: z.int().min(0),
  place: z.enum(['card', 'queue']).default('card'),
});

/** From where a modal about a verdict was opened; `card` for any other. */
export const detailsPlace = ({ private_metadata }: { private_metadata: string }): DetailsPlace =>
  readJson(DetailsMetadata, private_metadata)?.value.place ?? 'card';

/**
 * A modal about a verdict, with buttons to turn its pages (`views.update`); nothing is shortened.
 *
 * @param first a few blocks shown at the top of every page
 * @param page from 0; clamped to the existing pages
 */
export function pagedView(
  { id, title, place = 'card' }: { id: string; title: string; place?: DetailsPlace },
  first: readonly KnownBlock[],
  rest: readonly KnownBlock[],
  page: number,
  language: Language,
): ModalView {
  const { at, blocks } = pageBlocks(
    first,
    rest,
    page,
    {
      back: actions.detailsBack,
      next: actions.detailsPage,
      value: (to) => pageValue(id, to),
    },
    language,
  );
  return {
    type: 'modal',
    callback_id: callbacks.detailsView,
    title: plain(title, limits.viewTitle),
    close: plain(wordsIn(language).chat.close, limits.viewButton),
    private_metadata: JSON.stringify({
      verdict: id,
      page: at,
      ...(place === 'card' ? {} : { place }),
    } satisfies z.input<typeof DetailsMetadata>),
    blocks,
  };
}

/**
 * The card, followed by everything that was judged and said, in pages; nothing is shortened.
 *
 * @param page from 0; clamped to the existing pages
 * @param ownVote the viewer's blind vote, if answering revealed the verdict to them
 * @param mayManage whether the viewer gets *Manage…*; default: no
 */
export function detailsView(
  input: CardInput,
  page = 0,
  ownVote: Vote | null = null,
  place: DetailsPlace = 'card',
  mayManage = false,
): ModalView {
  const { record, texts, tally } = input;
  const { id, blind } = record;
  const { language } = texts;
  const { lists, votes } = wordsIn(language);
  // On a hidden verdict, a vote is an answer about the case, and this viewer has answered already.
  const isVotable = (part: CardPart) => part.kind !== 'actions' || blind !== true;
  const inView = (part: CardPart): CardPart =>
    part.kind === 'actions'
      ? {
          ...part,
          buttons: part.buttons.filter((one) => one !== 'details'),
          menu: part.menu.filter((one) => one !== 'share'),
        }
      : part;
  const card = cardBlocks(input, true, (parts) => parts.filter(isVotable).map(inView));
  return pagedView(
    { id, title: votes.actions.details, place },
    [
      ...(ownVote === null ? [] : ownAnswerBlocks(record, ownVote, tally, language)),
      ...linkLine(input.page ?? null, lists.inBrowser.details),
      ...(mayManage
        ? [buttonRow(button({ text: votes.actions.manage, action: actions.manage, value: id }))]
        : []),
    ],
    [...card, ...detailsOf(record, texts, input.setting.ruling).flatMap(sectionBlocks)],
    page,
    language,
  );
}

/** Reads the value of a button or menu in {@link blindBar}; null for any other value. */
export function readBlindValue(text: string): { answer: CaseAnswer; verdictId: string } | null {
  const { answer, verdictId } =
    /^(?<answer>right|wrong|unsure|-?\d+(?:\.\d+)?) (?<verdictId>\S+)$/.exec(text)?.groups ?? {};
  if (answer === undefined || verdictId === undefined) return null;
  switch (answer) {
    case 'right':
      return { answer: { kind: 'decision', decision: 'pass' }, verdictId };
    case 'wrong':
      return { answer: { kind: 'decision', decision: 'fail' }, verdictId };
    case 'unsure':
      return { answer: { kind: 'unsure' }, verdictId };
    default:
      return { answer: { kind: 'score', score: Number(answer) }, verdictId };
  }
}

const blindActions = { right: actions.blindRight, wrong: actions.blindWrong, unsure: actions.blindUnsure };

/**
 * The answers offered before the verdict is shown. They are the same for every outcome, and no button stands out, so that they
 * reveal nothing. Scores are a menu.
 */
export function blindBar(
  { id, verdict }: Pick<VerdictRecord, 'id' | 'verdict'>,
  standard: Standard,
  language: Language,
  ...more: Button[]
): ActionsBlock {
  const choices = ballotChoices(verdict, standard, language);
  const buttons = choices.flatMap(({ text, answer }) => {
    if (answer.kind === 'score') return [];
    const stance = answer.kind === 'unsure' ? 'unsure' : answer.decision === 'pass' ? 'right' : 'wrong';
    return [button({ text, action: blindActions[stance], value: carried(stance, id) })];
  });
  const options = choices.flatMap(({ text, answer }) =>
    answer.kind === 'score'
      ? [{ text: plain(text, limits.optionText), value: carried(String(answer.score), id) }]
      : [],
  );
  const placeholder = plain(wordsIn(language).votes.blind.chooseScore, limits.placeholder);
  const { preference } = verdict;
  const scores: ActionsBlock['elements'] =
    preference !== undefined
      ? preferButtons(id, preference.names, language)
      : options.length > 0
        ? [{ type: 'static_select', action_id: actions.blindScore, placeholder, options }]
        : [];
  return { type: 'actions', elements: [...scores, ...buttons, ...more] };
}

type Blind = Pick<VerdictRecord, 'id' | 'verdict' | 'evalCase'>;

/** The most characters of each text, so that a case fits into one block; a button opens all of it. */
const SAID = 900;

/** The message for a hidden verdict, the same for everyone. What was said is set apart from Jury's question. */
export function blindMessage(record: Blind, standard: Standard, language: Language): SlackMessage {
  const { actions: texts, blind } = wordsIn(language).votes;
  return message(blind.ask(wordsOf(record.evalCase, language)), [
    header(blind.title),
    rich(
      ...blindTexts(record.evalCase, (text) => shortened(text, SAID)).flatMap(({ name: by, text }) => [
        section(bold(by)),
        { type: 'rich_text_quote' as const, elements: words(text) },
      ]),
    ),
    paragraph(words(blindQuestion(record.verdict, standard, language))),
    blindBar(
      record,
      standard,
      language,
      button({ text: blind.whole, action: actions.details, value: record.id }),
      button({ text: texts.again, action: actions.again, value: record.id }),
    ),
    context(blind.noteOnCard),
  ]);
}

/** The whole case without its outcome, for people who have not answered. */
export function blindCaseView(
  record: Blind,
  standard: Standard,
  language: Language,
  page = 0,
  place: DetailsPlace = 'card',
): ModalView {
  const { blind } = wordsIn(language).votes;
  return pagedView(
    { id: record.id, title: blind.case, place },
    [
      paragraph(words(blindQuestion(record.verdict, standard, language))),
      blindBar(record, standard, language),
      context(blind.note),
    ],
    sectionBlocks(caseSection(record.evalCase, language)),
    page,
    language,
  );
}
