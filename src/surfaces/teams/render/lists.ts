import type { IAdaptiveCard, ITextRun } from '@microsoft/teams.cards';
import type { AnswerNames } from '../../../case/index.ts';
import { type Language, wordsIn } from '../../../words/index.ts';
import {
  blindLines,
  ranked,
  type SummaryLine,
  someCanTryAgain,
  summaryShown,
  summaryText,
} from '../../chat/index.ts';
import {
  agreementText,
  type Home,
  type ListedVerdict,
  ownText,
  QUEUE_SHOWN,
  type Queue,
} from '../../views/index.ts';
import { shortLine, toneMark } from '../../wording/index.ts';
import { actions } from '../ids.ts';
import type { TeamsMessage } from '../messages.ts';
import { blindButtons, preferButtons } from './details.ts';
import {
  type Button,
  bold,
  button,
  buttonRow,
  buttonRows,
  CARD_BYTES,
  dialogCard,
  type Element,
  fitting,
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

/** As many as fit on a card. */
const MOST_ROWS = 25;
const TITLE = 90;
const REASON = 120;

/** A row with a button at its end. */
const row = (line: Element, action: Button): Element => ({
  type: 'ColumnSet',
  columns: [
    { type: 'Column', width: 'stretch', verticalContentAlignment: 'Center', items: [line] },
    { type: 'Column', width: 'auto', items: [buttonRow(action)] },
  ],
});

function lineRow(line: SummaryLine, opens: typeof opensDialog, language: Language): Element[] {
  const { chat } = wordsIn(language);
  if (line.kind === 'pending') return [];
  const title = bold(shortLine(line.title, TITLE));
  if (line.kind === 'problem')
    return [lines(run('⚠️ '), title, run(` – ${chat.notJudged(shortLine(line.problem, REASON))}`))];
  const summary =
    line.kind === 'blind'
      ? lines(run('🗳️ '), title, run(` – ${chat.answerFirstLine}`))
      : lines(run(`${toneMark(line.decision)} `), title, run(` – ${shortLine(line.reason, REASON)}`));
  return [row(summary, opens(chat.open, { do: actions.details, id: line.id }))];
}

/** The message for a request with several cases: a row for each case that does not pass, and a button that lists the rest. */
export function summaryMessage(
  checkId: string,
  all: readonly SummaryLine[],
  language: Language,
): TeamsMessage {
  const { chat } = wordsIn(language);
  const text = summaryText(all, language);
  const { shown, passes, rest } = summaryShown(all, MOST_ROWS);
  const showing = opensDialog(chat.show, { do: actions.cases, id: checkId, page: all.length });
  const isOpen = all.some(({ kind }) => kind === 'pending');
  const counts = (others: number): Element[] => [
    ...(others > 0 ? [row(lines(run(chat.moreNotPassing(others))), showing)] : []),
    ...(passes > 0
      ? [row(lines(run(chat.passes({ count: passes, isMore: shown.length > 0 }))), showing)]
      : []),
  ];
  return message(text, {
    body: [heading(text), ...shown.flatMap((line) => lineRow(line, opensDialog, language))],
    foot: (left) => counts(rest + left.length),
    actions: isOpen
      ? [button(chat.stop, { do: actions.stop, id: checkId })]
      : someCanTryAgain(all)
        ? [button(chat.tryAgain, { do: actions.tryAgain, id: checkId })]
        : [],
  });
}

/** All judged cases of a check, failures first, with a count of those that do not fit. */
export function casesCard(all: readonly SummaryLine[], language: Language): IAdaptiveCard {
  const { chat } = wordsIn(language);
  if (all.length === 0) return dialogCard([note(chat.noneKept)]);
  const rows = ranked(all).flatMap((line) => lineRow(line, submits, language));
  const { shown, left } = fitting(rows, CARD_BYTES - 500);
  return dialogCard([...shown, ...(left.length === 0 ? [] : [note(chat.moreDoNotFit(left.length))])]);
}

const QUEUE_TITLE = 80;
const WHY = 150;
const RESPONSE = 100;
/** How many recent verdicts are shown. */
const RECENT = 5;

const titled = (title: string): ITextRun => bold(shortLine(title, QUEUE_TITLE) || '–');
const apart = (...items: Element[]): Element => ({ type: 'Container', separator: true, items });

function voteButtons(id: string, names: AnswerNames | null, queue: number, language: Language): Button[] {
  const { agreeTip, disagreeTip, unsureTip } = wordsIn(language).votes.actions;
  const about = { id, queue };
  return [
    ...(names === null
      ? [
          button('👍', { ...about, do: actions.agree }, agreeTip),
          opensDialog('👎', { id, do: actions.disagree }, disagreeTip),
        ]
      : preferButtons(about, names, language)),
    button('🤷', { ...about, do: actions.unsure }, unsureTip),
  ];
}

function queued(item: ListedVerdict, asked: number, language: Language): Element {
  const { lists, votes } = wordsIn(language);
  if (item.kind === 'hidden') {
    const { record, standard } = item;
    const opens = opensDialog(votes.blind.whole, { do: actions.details, id: record.id, queue: asked });
    return apart(
      ...blindLines(record, standard, language).flatMap(noticeElements),
      ...buttonRows(...blindButtons({ id: record.id, queue: asked }, record, standard, language), opens),
    );
  }
  const { id, title, decision, why, reason, names } = item;
  return apart(
    lines(run(`${toneMark(decision)} `), titled(title), run(`: ${shortLine(why, WHY)}`)),
    note(lists.needsVote(shortLine(reason ?? '', WHY))),
    buttonRow(
      ...voteButtons(id, names, asked, language),
      opensDialog(votes.actions.details, { do: actions.details, id }),
    ),
  );
}

function recentRow(listed: ListedVerdict, language: Language): Element {
  const { chat, lists } = wordsIn(language);
  const { id, title, response } = listed;
  const about =
    listed.kind === 'hidden' ? lists.answerFirst : `${shortLine(listed.why, WHY)} · ${listed.votes}`;
  const mark = listed.kind === 'hidden' ? '🗳️' : toneMark(listed.decision);
  return row(
    lines(run(`${mark} `), titled(title), run(` → ${shortLine(response, RESPONSE)}\n${about}`)),
    opensDialog(listed.kind === 'hidden' ? lists.answer : chat.open, { do: actions.details, id }),
  );
}

/** Shown below the queue in a person's own chat. */
export type Lately = Pick<Home, 'recent' | 'agreement' | 'own'>;

function latelyElements({ recent, agreement, own }: Lately, language: Language): Element[] {
  const { lists } = wordsIn(language);
  const ownVotesText = ownText(own, language);
  return [
    ...(ownVotesText === null ? [] : [note(ownVotesText)]),
    ...(recent.length === 0
      ? []
      : [heading(lists.recent), ...recent.slice(0, RECENT).map((one) => recentRow(one, language))]),
    heading(lists.agreementTitle),
    note(agreementText(agreement, language)),
  ];
}

/**
 * The verdicts that need a person's vote.
 *
 * @param lately null if others can read the message
 * @param said the result of a vote just given here, shown first
 */
export function queueMessage(
  { items, waiting, asked, lookedAt, page = null, language }: Queue,
  lately: Lately | null,
  said: readonly Element[] = [],
): TeamsMessage {
  const { lists } = wordsIn(language);
  const text = lists.waiting(waiting);
  const others = waiting - items.length;
  const most = Math.min(QUEUE_SHOWN.most, waiting);
  const after = (count: number): Element => {
    const text = note(lists.moreAfter(count));
    const showsMore = others > 0 && asked < most;
    return showsMore ? row(text, button(lists.more, { do: actions.queue, queue: most })) : text;
  };
  return message(text, {
    body: [...said, heading(text), ...items.map((item) => queued(item, asked, language))],
    foot: (left) => [
      ...(others + left.length > 0 ? [after(others + left.length)] : []),
      note(lists.lookedAt(lookedAt)),
      ...(lately === null ? [] : latelyElements(lately, language)),
    ],
    actions: opensPage(lists.inBrowser.queue, page),
  });
}
