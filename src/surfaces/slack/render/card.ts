import type { ActionsBlock, Button, KnownBlock, Overflow } from '@slack/types';
import type { AnswerNames } from '../../../case/index.ts';
import {
  type Card,
  type CardAction,
  type CardPart,
  cardOf,
  type MenuAction,
  menuActions,
  type Preferring,
  preferring,
} from '../../../judging/card/index.ts';
import type {
  PreferenceVotes,
  VerdictRecord,
  VerdictTally,
  Vote,
  VoteValue,
} from '../../../labels/record/index.ts';
import { type Language, wordsIn } from '../../../words/index.ts';
import { type CardInput, cardLines, cardText } from '../../chat/index.ts';
import { actionText, ownAnswerText, peopleSayText, preferringText, shortLine } from '../../wording/index.ts';
import { actions } from '../ids.ts';
import {
  button,
  buttonRow,
  context,
  limits,
  link,
  message,
  paragraph,
  plain,
  type SlackMessage,
  words,
} from './blocks.ts';
import { noticeBlocks } from './notices.ts';

/** The value of a button or menu option: a word for the vote or action, then the verdict's id. */
export const carried = (word: string, verdictId: string): string => `${word} ${verdictId}`;

/** Reads the value of a vote button; a null vote takes a vote back. Null for any other value. */
export function readVoteValue(text: string): { value: VoteValue | null; verdictId: string } | null {
  const { value, verdictId } =
    /^(?<value>agree|disagree|unsure|retract) (?<verdictId>\S+)$/.exec(text)?.groups ?? {};
  if (verdictId === undefined) return null;
  switch (value) {
    case 'agree':
    case 'disagree':
    case 'unsure':
      return { value, verdictId };
    default:
      return { value: null, verdictId };
  }
}

/** Reads the value of an option in a card's menu; null for any other value. */
export function readMenuValue(text: string): { action: MenuAction; verdictId: string } | null {
  const { name, verdictId } = /^(?<name>\S+) (?<verdictId>\S+)$/.exec(text)?.groups ?? {};
  const action = menuActions.find((one) => one === name);
  return action === undefined || verdictId === undefined ? null : { action, verdictId };
}

const preferActions = {
  'prefer-first': actions.preferFirst,
  'prefer-second': actions.preferSecond,
  'prefer-same': actions.preferSame,
} as const satisfies Record<Preferring, string>;

/**
 * The button text, action id and value to say which of two answers is better.
 * @param votes how many people prefer which, if shown
 */
function preferParts(
  action: Preferring,
  id: string,
  names: AnswerNames,
  votes: PreferenceVotes | undefined,
  language: Language,
) {
  const score = preferring[action];
  const text = shortLine(preferringText(action, names, votes, language), limits.buttonText);
  return { text, action: preferActions[action], value: carried(String(score), id) };
}

/** The buttons to say which of two answers is better. */
export const preferButtons = (id: string, names: AnswerNames, language: Language): Button[] =>
  (['prefer-first', 'prefer-second', 'prefer-same'] as const).map((action) =>
    button(preferParts(action, id, names, undefined, language)),
  );

/**
 * The vote buttons.
 * @param names of the two answers, if there are two
 */
export function voteButtons(id: string, names: AnswerNames | null, language: Language): Button[] {
  const texts = wordsIn(language).votes.actions;
  return [
    ...(names === null
      ? [
          button({ text: texts.agree, action: actions.agree, value: carried('agree', id) }),
          button({ text: texts.disagree, action: actions.disagree, value: carried('disagree', id) }),
        ]
      : preferButtons(id, names, language)),
    button({ text: texts.unsure, action: actions.unsure, value: carried('unsure', id) }),
  ];
}

/** The votes that a card shows. */
type CardVotes = Pick<CardInput, 'tally' | 'preferred'>;

/** Each action's id, and the word in its value if it has one. */
const CALLS: Readonly<Record<Exclude<CardAction, Preferring>, readonly [action: string, word?: string]>> = {
  agree: [actions.agree, 'agree'],
  disagree: [actions.disagree, 'disagree'],
  unsure: [actions.unsure, 'unsure'],
  retract: [actions.retract, 'retract'],
  right: [actions.sayMore],
  'fill-in': [actions.fillIn],
  'ask-model': [actions.askModel],
  'with-it': [actions.withIt],
  details: [actions.details],
  again: [actions.again],
  share: [actions.cardMenu, 'share'],
  'add-to-set': [actions.cardMenu, 'add-to-set'],
  json: [actions.cardMenu, 'json'],
};

const isPreferring = (action: CardAction): action is Preferring => Object.hasOwn(preferring, action);

/** The text, action id and value of an action on a card. */
function actionParts(
  action: CardAction,
  id: string,
  names: AnswerNames,
  { tally, preferred }: CardVotes,
  language: Language,
) {
  if (isPreferring(action)) return preferParts(action, id, names, preferred, language);
  const text =
    action === 'json' ? wordsIn(language).votes.actions.jsonFile : actionText(action, tally, language);
  const [does, word] = CALLS[action];
  return { text, action: does, value: word === undefined ? id : carried(word, id) };
}

/** Shown to people who react to an undecided verdict. */
export function askMessage(verdictId: string, language: Language): SlackMessage {
  const { votes } = wordsIn(language);
  return message(votes.undecidedAsk, [
    paragraph(words(votes.noVoteOnUndecided)),
    buttonRow(button({ text: votes.actions.right, action: actions.sayMore, value: verdictId })),
  ]);
}

/** The buttons below a card, with vote counts, and a menu with the other actions. */
function actionRow(
  id: string,
  votes: CardVotes,
  { buttons, menu, names }: Extract<CardPart, { kind: 'actions' }>,
  issue: string | null,
  language: Language,
): ActionsBlock {
  // If not all options fit, those go first that Details has, too.
  const room = limits.overflow - (issue === null ? 0 : 1);
  const dropped = (['json', 'add-to-set'] as const).slice(0, Math.max(0, menu.length - room));
  const link = { text: plain('Create issue', limits.optionText), value: carried('issue', id) };
  const overflow: Overflow = {
    type: 'overflow',
    action_id: actions.cardMenu,
    options: [
      ...menu
        .filter((action) => !dropped.some((one) => one === action))
        .map((action) => ({
          text: plain(actionParts(action, id, names, votes, language).text, limits.optionText),
          value: carried(action, id),
        })),
      ...(issue === null ? [] : [{ ...link, url: issue }]),
    ],
  };
  const shown = buttons.map((action) => button(actionParts(action, id, names, votes, language)));
  return { type: 'actions', elements: menu.length === 0 ? shown : [...shown, overflow] };
}

/** Shown above a verdict that the viewer's answer has just revealed: their answer, the votes of others, and what they can add. */
export function ownAnswerBlocks(
  { id, verdict }: Pick<VerdictRecord, 'id' | 'verdict'>,
  vote: Vote,
  tally: VerdictTally,
  language: Language,
): KnownBlock[] {
  const { own } = wordsIn(language).votes;
  return [
    paragraph(words(ownAnswerText(vote, tally, verdict, language))),
    buttonRow(
      button({ text: own.sayMore, action: actions.sayMore, value: id }),
      button({
        text: own.takeBack,
        action: actions.retract,
        value: carried('retract', id),
        confirm: {
          title: plain(own.takeBackTitle, 100),
          text: plain(own.takeBackText, 300),
          confirm: plain(own.takeItBack, 30),
          deny: plain(own.keepIt, 30),
        },
      }),
    ),
    context(own.firstCounts),
  ];
}

/** What people say is right, shown above the button that asks for it. */
function peopleSay(tally: VerdictTally, verdict: VerdictRecord['verdict'], language: Language): KnownBlock[] {
  const text = peopleSayText(tally, verdict, language);
  return text === null ? [] : [paragraph(words(text))];
}

/**
 * The blocks of a verdict's card.
 * @param shown selects the parts to show
 */
export function cardBlocks(
  { record, tally, preferred, texts, setting, issue = null }: CardInput,
  showsRequest: boolean,
  shown: (card: Card) => Card = (card) => card,
): KnownBlock[] {
  const { id, verdict, evalCase, earlier } = record;
  const card = shown(cardOf(verdict, evalCase, texts, { ...setting, earlier }));
  return card.flatMap((part) =>
    part.kind === 'actions'
      ? [
          ...peopleSay(tally, verdict, texts.language),
          actionRow(id, { tally, preferred }, part, issue, texts.language),
        ]
      : cardLines(part, showsRequest, texts.language).flatMap(noticeBlocks),
  );
}

/** A verdict's card, within Slack's limits for one message; the details have the rest. Names no voter. */
export function cardMessage(input: CardInput): SlackMessage {
  const { verdict, evalCase, source } = input.record;
  const text = cardText(cardOf(verdict, evalCase, input.texts, input.setting), verdict);
  return message(text, cardBlocks(input, source.thread === null));
}

/**
 * A card shared from its thread, where people vote on it.
 * @param sharedBy null if the name is unknown
 */
export function sharedMessage(
  input: CardInput,
  sharedBy: string | null,
  permalink: string | null,
): SlackMessage {
  const { id } = input.record;
  const { votes } = wordsIn(input.texts.language);
  const by = sharedBy === null ? votes.shared : votes.sharedBy(shortLine(sharedBy, 80));
  const blocks = cardBlocks(input, true, (card) => card.filter(({ kind }) => kind !== 'actions'));
  return message(cardMessage(input).text, [
    ...blocks,
    paragraph(words(by), link(permalink, votes.voteInThread)),
    buttonRow(button({ text: votes.actions.details, action: actions.details, value: id })),
  ]);
}
