import type { ActionsBlock, Button, KnownBlock, Overflow } from '@slack/types';
import type { AnswerNames } from '../../../case/pair.ts';
import {
  type Card,
  type CardAction,
  type CardPart,
  type MenuAction,
  menuActions,
  type Preferring,
  preferring,
} from '../../../judging/card.ts';
import { cardOf } from '../../../judging/make-card.ts';
import type { VerdictRecord } from '../../../labels/verdict-record.ts';
import type { PreferenceVotes, VerdictTally, Vote, VoteValue } from '../../../labels/vote.ts';
import { cardLines, cardText } from '../../chat-message.ts';
import type { CardInput } from '../../chat-presenter.ts';
import { shortLine } from '../../safe-text.ts';
import { actionText, FIRST_COUNTS, ownAnswerText, peopleSayText, preferringText } from '../../wording.ts';
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

/** What buttons and menus carry: a word for what they say or do, then the verdict that it is about. */
export const carried = (word: string, verdictId: string): string => `${word} ${verdictId}`;

/** Reads what a vote button carries, of which `retract` takes a vote back; null where it is none of ours. */
export function readVoteValue(text: string): { value: VoteValue | null; verdictId: string } | null {
  const [, value, verdictId] = /^(agree|disagree|unsure|retract) (\S+)$/.exec(text) ?? [];
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

/** Reads what an option of a card's menu carries; null where it is none of ours. */
export function readMenuValue(text: string): { action: MenuAction; verdictId: string } | null {
  const [, name, verdictId] = /^(\S+) (\S+)$/.exec(text) ?? [];
  const action = menuActions.find((one) => one === name);
  return action === undefined || verdictId === undefined ? null : { action, verdictId };
}

const preferActions = {
  'prefer-first': actions.preferFirst,
  'prefer-second': actions.preferSecond,
  'prefer-same': actions.preferSame,
} as const satisfies Record<Preferring, string>;

/** Which of two answers is better, as a button's text, id and value. @param votes how many people prefer which, where that is shown */
function preferParts(action: Preferring, id: string, names: AnswerNames, votes?: PreferenceVotes) {
  const score = preferring[action];
  const text = shortLine(preferringText(action, names, votes), limits.buttonText);
  return { text, action: preferActions[action], value: carried(String(score), id) };
}

/** Which of two answers is better, as buttons. */
export const preferButtons = (id: string, names: AnswerNames): Button[] =>
  (['prefer-first', 'prefer-second', 'prefer-same'] as const).map((action) =>
    button(preferParts(action, id, names)),
  );

/** What a vote can say, as buttons. @param names of two answers */
export const voteButtons = (id: string, names: AnswerNames | null): Button[] => [
  ...(names === null
    ? [
        button({ text: '👍 Agree', action: actions.agree, value: carried('agree', id) }),
        button({ text: '👎 Disagree', action: actions.disagree, value: carried('disagree', id) }),
      ]
    : preferButtons(id, names)),
  button({ text: '🤷 Not sure', action: actions.unsure, value: carried('unsure', id) }),
];

/** How people voted, as a card shows it. */
type CardVotes = Pick<CardInput, 'tally' | 'preferred'>;

/** What each action calls back with: its id, and the word before the verdict where it carries one. */
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

/** An action of a card as a button's text, id and value. */
function actionParts(action: CardAction, id: string, names: AnswerNames, { tally, preferred }: CardVotes) {
  if (isPreferring(action)) return preferParts(action, id, names, preferred);
  const text = `${actionText(action, tally)}${action === 'json' ? ' as a file' : ''}`;
  const [does, word] = CALLS[action];
  return { text, action: does, value: word === undefined ? id : carried(word, id) };
}

/** For the person who reacted to a verdict without a decision. */
export const askMessage = (verdictId: string): SlackMessage =>
  message('The panel did not decide this case. What is right?', [
    paragraph(
      words(
        'The panel did not decide this case, so your reaction is no vote: there is nothing to agree with.',
      ),
    ),
    buttonRow(button({ text: 'What is right?', action: actions.sayMore, value: verdictId })),
  ]);

/** The buttons below a card, with the votes so far, and a menu of the rest. */
function actionRow(
  id: string,
  votes: CardVotes,
  { buttons, menu, names }: Extract<CardPart, { kind: 'actions' }>,
): ActionsBlock {
  const overflow: Overflow = {
    type: 'overflow',
    action_id: actions.cardMenu,
    // Where not all fit, the file is in Details.
    options: menu
      .filter((action) => menu.length <= limits.overflow || action !== 'json')
      .map((action) => ({
        text: plain(actionParts(action, id, names, votes).text, limits.optionText),
        value: carried(action, id),
      })),
  };
  const shown = buttons.map((action) => button(actionParts(action, id, names, votes)));
  return { type: 'actions', elements: menu.length === 0 ? shown : [...shown, overflow] };
}

/** Above a verdict that the viewer has just opened by their answer: what they said, how others voted, what they can add. */
export function ownAnswerBlocks(
  { id, verdict }: Pick<VerdictRecord, 'id' | 'verdict'>,
  vote: Vote,
  tally: VerdictTally,
): KnownBlock[] {
  return [
    paragraph(words(ownAnswerText(vote, tally, verdict))),
    buttonRow(
      button({ text: 'Say more', action: actions.sayMore, value: id }),
      button({
        text: 'Take my answer back',
        action: actions.retract,
        value: carried('retract', id),
        confirm: {
          title: plain('Take it back for good?', 100),
          text: plain('You have seen the verdict, so you cannot answer this case again.', 300),
          confirm: plain('Take it back', 30),
          deny: plain('Keep it', 30),
        },
      }),
    ),
    context(FIRST_COUNTS),
  ];
}

/** What people say is right, above the button that asks for it. */
function peopleSay(tally: VerdictTally, verdict: VerdictRecord['verdict']): KnownBlock[] {
  const text = peopleSayText(tally, verdict);
  return text === null ? [] : [paragraph(words(text))];
}

/** A verdict's card as blocks. @param shown the parts that are shown, of all that there are */
export function cardBlocks(
  { record, tally, preferred, texts, setting }: CardInput,
  showsRequest: boolean,
  shown: (card: Card) => Card = (card) => card,
): KnownBlock[] {
  const { id, verdict, evalCase, trust } = record;
  const card = shown(cardOf(verdict, evalCase, texts, { ...setting, trust }));
  return card.flatMap((part) =>
    part.kind === 'actions'
      ? [...peopleSay(tally, verdict), actionRow(id, { tally, preferred }, part)]
      : cardLines(part, showsRequest).flatMap(noticeBlocks),
  );
}

/** The card of a verdict, within what Slack takes for one message; the rest stands in the details. No voter is named. */
export function cardMessage(input: CardInput): SlackMessage {
  const { verdict, evalCase, source } = input.record;
  const text = cardText(cardOf(verdict, evalCase, input.texts, input.setting), verdict);
  return message(text, cardBlocks(input, source.thread === null));
}

/** A card as it is shared from its thread, where people vote on it. @param sharedBy null if the name is not known */
export function sharedMessage(
  input: CardInput,
  sharedBy: string | null,
  permalink: string | null,
): SlackMessage {
  const { id } = input.record;
  const by = sharedBy === null ? 'Shared' : `Shared by ${shortLine(sharedBy, 80)}`;
  const blocks = cardBlocks(input, true, (card) => card.filter(({ kind }) => kind !== 'actions'));
  return message(cardMessage(input).text, [
    ...blocks,
    paragraph(words(by), link(permalink, 'vote on it in its thread')),
    buttonRow(button({ text: 'Details', action: actions.details, value: id })),
  ]);
}
