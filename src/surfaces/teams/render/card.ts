import type { AnswerNames } from '../../../case/index.ts';
import { type Card, type CardAction, cardOf, preferring } from '../../../judging/card/index.ts';
import { isExact } from '../../../judging/verdict/index.ts';
import { type Language, wordsIn } from '../../../words/index.ts';
import { type CardInput, cardLines, cardText } from '../../chat/index.ts';
import { actionText, peopleSayText, preferringText, shortLine, tallyText } from '../../wording/index.ts';
import { actions, kindOf } from '../ids.ts';
import type { TeamsMessage } from '../messages.ts';
import {
  type Button,
  button,
  type Element,
  lines,
  type Mention,
  MOST_ACTIONS,
  mentionNote,
  message,
  note,
  opensDialog,
  opensPage,
  run,
  secondary,
  submits,
} from './elements.ts';
import { noticeElements } from './notices.ts';

/** Actions answered directly; all others open a dialog. */
const ANSWERED: readonly CardAction[] = ['agree', 'unsure', 'retract', 'ask-model', 'with-it', 'share'];

/** A tooltip for a thumb, also for screen readers. */
const tipOf = (action: CardAction, language: Language): string | undefined => {
  const { agreeTip, disagreeTip } = wordsIn(language).votes.actions;
  return action === 'agree' ? agreeTip : action === 'disagree' ? disagreeTip : undefined;
};

/** Teams shows its own below a message that takes them; dialogs have none. */
const THUMBS: readonly CardAction[] = ['agree', 'disagree'];

const takesThumbs = (card: Card): boolean =>
  card.some((part) => part.kind === 'actions' && part.buttons.includes('agree'));

/** The button for an action. In a dialog every button sends the dialog; elsewhere some open one. */
function actionButton(
  action: CardAction,
  id: string,
  { tally, preferred, names }: Pick<CardInput, 'tally' | 'preferred'> & { names: AnswerNames },
  inDialog: boolean,
  language: Language,
): Button {
  switch (action) {
    case 'prefer-first':
    case 'prefer-second':
    case 'prefer-same': {
      const does = inDialog ? submits : button;
      const text = shortLine(preferringText(action, names, preferred, language), 60);
      return does(text, { do: actions.blindScore, id, score: preferring[action] });
    }
    default: {
      const does = inDialog ? submits : ANSWERED.includes(action) ? button : opensDialog;
      const data = { do: action === 'right' ? actions.correct : action, id };
      return does(actionText(action, tally, language), data, tipOf(action, language));
    }
  }
}

const kindOfSource = ({ source }: CardInput['record']) => source.kind ?? kindOf(source.channel);

/**
 * The elements and buttons of a verdict's card.
 * @param inDialog whether the card is shown in a dialog
 */
export function cardElements(
  { record, tally, preferred, texts, setting, issue = null }: CardInput,
  { showsRequest, inDialog }: { showsRequest: boolean; inDialog: boolean },
): { card: Card; body: Element[]; buttons: Button[] } {
  const { id, verdict, evalCase, blind, earlier } = record;
  const { language } = texts;
  // Who asked is for others to know.
  const askedBy = kindOfSource(record) === 'direct' ? null : (setting.askedBy ?? null);
  const card = cardOf(verdict, evalCase, texts, { ...setting, askedBy, earlier });
  const buttons = card.flatMap((part): Button[] => {
    // On a hidden verdict, a vote is an answer about the case, and this viewer has answered already.
    if (part.kind !== 'actions' || blind === true) return [];
    const votes = { tally, preferred, names: part.names };
    return [
      ...part.buttons
        .filter((action) => (inDialog ? action !== 'details' : !THUMBS.includes(action)))
        .map((action) => actionButton(action, id, votes, inDialog, language)),
      ...part.menu
        .filter((action) => action !== 'share' || kindOfSource(record) === 'channel')
        .map((action) => secondary(actionButton(action, id, votes, inDialog, language))),
      ...opensPage(wordsIn(language).votes.actions.createIssue, issue).map(secondary),
    ];
  });
  // Shown above the buttons, which are at the bottom of the card.
  const hasVotes = tally.agree + tally.disagree > 0;
  const thumbs = takesThumbs(card) && !inDialog && hasVotes ? tallyText(tally, undefined, language) : null;
  const people = blind === true ? null : (peopleSayText(tally, verdict, language) ?? thumbs);
  const body = card.flatMap((part) =>
    part.kind === 'actions'
      ? people === null
        ? []
        : [lines(run(people))]
      : cardLines(part, showsRequest, language).flatMap(noticeElements),
  );
  return { card, body, buttons };
}

/** A mention of the requester, which opens their profile; null if only they read the card. */
const mentionFor = ({ record, asker = null, setting }: CardInput): Mention | null =>
  kindOfSource(record) === 'direct' || asker === null || !setting.askedBy
    ? null
    : { id: asker, name: setting.askedBy };

/** A verdict's card, within Teams' limits for one message; the details have the rest, buttons too. Names no voter. */
export function cardMessage(input: CardInput): TeamsMessage {
  const { record, setting } = input;
  const words = wordsIn(input.texts.language);
  const mention = mentionFor(input);
  const shown = mention === null ? input : { ...input, setting: { ...setting, askedBy: null } };
  const { card, body, buttons } = cardElements(shown, { showsRequest: false, inDialog: false });
  const isByAi = !isExact(record.verdict);
  return {
    ...message(cardText(card, record.verdict), {
      body: [...body, ...(mention === null ? [] : [mentionNote(words.card.askedBy, mention)])],
      actions: buttons.slice(0, MOST_ACTIONS),
      mention,
    }),
    takesThumbs: takesThumbs(card),
    isByAi,
  };
}

/**
 * A card shared from its thread, where people vote on it.
 * @param sharedBy null if the name is unknown
 */
export function sharedMessage(input: CardInput, sharedBy: string | null): TeamsMessage {
  const { id, verdict } = input.record;
  const { card, body } = cardElements(input, { showsRequest: true, inDialog: false });
  const { votes } = wordsIn(input.texts.language);
  const by = sharedBy === null ? votes.shared : votes.sharedBy(shortLine(sharedBy, 80));
  const shown = message(cardText(card, verdict), {
    body: [...body, note(votes.voteAndAskInThread(by))],
    actions: [opensDialog(votes.actions.details, { do: actions.details, id })],
  });
  return { ...shown, isByAi: !isExact(verdict) };
}
