import type { HomeView, KnownBlock, ModalView, RichTextElement, SectionBlock } from '@slack/types';
import { minuteText } from '../../../common/text/index.ts';
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
  defaultsText,
  type Home,
  type ListedVerdict,
  ownText,
  QUEUE_SHOWN,
  type Queue,
  type WishTitles,
} from '../../views/index.ts';
import { shortened, shortLine, toneMark } from '../../wording/index.ts';
import { actions, command } from '../ids.ts';
import {
  bold,
  button,
  buttonRow,
  context,
  header,
  italic,
  limits,
  link,
  linkLine,
  message,
  paragraph,
  plain,
  type SlackMessage,
  words,
} from './blocks.ts';
import { voteButtons } from './card.ts';
import { blindBar } from './details.ts';
import { linesBlock } from './notices.ts';

const TITLE = 80;
const WHY = 150;
/** Characters of each text of a case, so that the longest queue fits into one message. */
const SAID = 150;

const when = (at: number): RichTextElement => ({
  type: 'date',
  timestamp: Math.floor(at / 1000),
  format: '{date_short_pretty} {time}',
  fallback: minuteText(at),
});

const titled = (title: string): RichTextElement[] => bold(shortLine(title, TITLE) || '–');

const details = (id: string, text: string) => button({ text, action: actions.details, value: id });

/** A verdict in the queue, with vote buttons. `blockId` tells clicks which queue they belong to. */
function queueBlocks(item: ListedVerdict, blockId: string, language: Language): KnownBlock[] {
  const { lists, votes } = wordsIn(language);
  const { id, title, permalink } = item;
  if (item.kind === 'hidden') {
    const { record, standard } = item;
    return [
      linesBlock(blindLines(record, standard, language, (text) => shortLine(text, SAID))),
      { ...blindBar(record, standard, language, details(id, votes.blind.whole)), block_id: blockId },
    ];
  }
  const { decision, why, reason, names } = item;
  return [
    paragraph(
      words(`${toneMark(decision)} `),
      titled(title),
      words(`: ${shortLine(why, WHY)}\n${lists.needsVote(shortLine(reason ?? '', WHY))}`),
      link(permalink, lists.card),
    ),
    {
      ...buttonRow(...voteButtons(id, names, language), details(id, votes.actions.details)),
      block_id: blockId,
    },
  ];
}

/** A verdict on App Home: request, answer, outcome, a link to the card, and one button. */
function row(listed: ListedVerdict, language: Language): KnownBlock[] {
  const { chat, lists } = wordsIn(language);
  const { id, title, response, at, permalink } = listed;
  const blocksWith = (mark: string, about: string, label: string): KnownBlock[] => [
    paragraph(
      words(`${mark} `),
      titled(title),
      words(` → ${shortLine(response, RESPONSE)}\n${about} · `),
      [when(at)],
      link(permalink, lists.card),
    ),
    buttonRow(details(id, label)),
  ];
  if (listed.kind === 'hidden') return blocksWith('🗳️', lists.answerFirst, lists.answer);
  const { decision, why, reason, votes } = listed;
  const people = reason === null ? votes : lists.needsVoteWithin(shortLine(reason, WHY));
  return blocksWith(
    toneMark(decision),
    `${shortLine(why, RESPONSE)} · ${people}`,
    reason === null ? chat.open : lists.openAndVote,
  );
}

const RESPONSE = 100;
const ROWS = 10;
const leftOver = (all: number, shown: number, text: (left: number) => string): KnownBlock[] =>
  all > shown ? [paragraph(italic(text(all - shown)))] : [];

/** App Home: verdicts that need votes, recent verdicts, agreement with the panel, and settings. */
export function homeView(
  { recent, needVotes, lookedAt, agreement, own, settings, language }: Home,
  titles: WishTitles,
): HomeView {
  const { lists } = wordsIn(language);
  const open = needVotes.slice(0, ROWS);
  const others = recent.filter(({ id }) => !needVotes.some((one) => one.id === id));
  const latest = others.slice(0, ROWS);
  const ownVotesText = ownText(own, language);
  return {
    type: 'home',
    blocks: [
      buttonRow(button({ text: lists.askTheJury, action: actions.openForm, value: 'new', style: 'primary' })),
      header(lists.needVotes),
      ...(open.length === 0
        ? [paragraph(words(lists.nothingWaiting))]
        : open.flatMap((one) => row(one, language))),
      ...leftOver(needVotes.length, open.length, (count) =>
        lists.moreThatNeed({ count, command: `${command} queue` }),
      ),
      context(lists.lookedAt(lookedAt)),
      ...(ownVotesText === null ? [] : [context(ownVotesText)]),
      ...(recent.length > 0 && others.length === 0 ? [] : [header(lists.recent)]),
      ...(recent.length === 0
        ? [paragraph(words(lists.noneYet(command)))]
        : latest.flatMap((one) => row(one, language))),
      ...leftOver(others.length, latest.length, lists.moreVerdicts),
      header(lists.agreementTitle),
      paragraph(words(agreementText(agreement, language))),
      header(lists.settings),
      paragraph(words(lists.chooseConversation)),
      {
        type: 'actions',
        elements: [
          {
            type: 'conversations_select',
            action_id: actions.openSettings,
            placeholder: plain(lists.chooseOne, limits.placeholder),
            filter: { include: ['public', 'private', 'im'], exclude_bot_users: false },
          },
        ],
      },
      context(lists.defaults(shortened(defaultsText(settings, titles, language), 500))),
    ],
  };
}

/** The block id of a queue's buttons; it holds how many verdicts were asked for. */
const blockId = (shown: number, index: number): string => `queue ${shown} ${index}`;

/** How many verdicts the queue with this button shows; null if the button is not in a queue. */
export function queueOfBlock(id: string | null | undefined): number | null {
  const [, shown] = /^queue (\d{1,2}) \d{1,2}$/.exec(id ?? '') ?? [];
  return shown === undefined ? null : Number(shown);
}

/** The verdicts that need the viewer's vote. */
export function queueMessage({
  items,
  waiting,
  asked,
  lookedAt,
  page = null,
  language,
}: Queue): SlackMessage {
  const { lists } = wordsIn(language);
  const left = waiting - items.length;
  const text = lists.waiting(waiting);
  const more =
    left === 0
      ? []
      : [
          paragraph(
            italic(
              asked < QUEUE_SHOWN.most
                ? lists.moreBy({
                    count: left,
                    command: `${command} queue ${Math.min(QUEUE_SHOWN.most, waiting)}`,
                  })
                : lists.moreAfter(left),
            ),
          ),
        ];
  return message(text, [
    header(lists.needVotes),
    ...(waiting === 0
      ? [paragraph(words(text))]
      : items.flatMap((item, index) => queueBlocks(item, blockId(asked, index), language))),
    ...more,
    ...linkLine(page, lists.inBrowser.queue),
    context(lists.lookedAt(lookedAt)),
  ]);
}

/** Leaves room in the message for the title, the counts and the Stop button. */
const MOST_ROWS = 40;
const CASE_TITLE = 90;
const CASE_REASON = 120;

const caseRow = (
  text: string,
  opens: { label: string; action: string; value: string } | null,
): SectionBlock => ({
  type: 'section',
  text: plain(text, limits.blockText),
  ...(opens === null
    ? {}
    : { accessory: button({ text: opens.label, action: opens.action, value: opens.value }) }),
});

function lineRow(line: SummaryLine, language: Language): SectionBlock[] {
  const { chat } = wordsIn(language);
  const opening = (id: string) => ({ label: chat.open, action: actions.details, value: id });
  switch (line.kind) {
    case 'judged': {
      const reason = shortLine(line.reason, CASE_REASON);
      return [
        caseRow(
          `${toneMark(line.decision)} ${shortLine(line.title, CASE_TITLE)} – ${reason}`,
          opening(line.id),
        ),
      ];
    }
    case 'blind':
      return [caseRow(`🗳️ ${shortLine(line.title, CASE_TITLE)} – ${chat.answerFirstLine}`, opening(line.id))];
    case 'problem':
      return [
        caseRow(
          `⚠️ ${shortLine(line.title, CASE_TITLE)} – ${chat.notJudged(shortLine(line.problem, CASE_REASON))}`,
          null,
        ),
      ];
    case 'pending':
      return [];
  }
}

/** The value of the button that lists all cases of a check. */
export const casesValue = (checkId: string, count: number): string => `${count} ${checkId}`;

/** Reads {@link casesValue}; null for any other value. */
export function readCasesValue(text: string): { checkId: string; count: number } | null {
  const { count, checkId } = /^(?<count>\d{1,4}) (?<checkId>\S+)$/.exec(text)?.groups ?? {};
  return checkId === undefined ? null : { checkId, count: Number(count) };
}

/** The message for a request with several cases: a row for each case that does not pass, and a button that lists the rest. */
export function summaryMessage(
  checkId: string,
  lines: readonly SummaryLine[],
  language: Language,
): SlackMessage {
  const { chat } = wordsIn(language);
  const text = summaryText(lines, language);
  const { shown, passes, rest } = summaryShown(lines, MOST_ROWS);
  const showing = { label: chat.show, action: actions.showCases, value: casesValue(checkId, lines.length) };
  const isOpen = lines.some(({ kind }) => kind === 'pending');
  const blocks: KnownBlock[] = [
    header(text),
    ...shown.flatMap((line) => lineRow(line, language)),
    ...(rest > 0 ? [caseRow(chat.moreNotPassing(rest), showing)] : []),
    ...(passes > 0 ? [caseRow(chat.passes({ count: passes, isMore: shown.length > 0 }), showing)] : []),
    ...(someCanTryAgain(lines)
      ? [buttonRow(button({ text: chat.tryAgain, action: actions.tryAgain, value: checkId }))]
      : []),
    ...(isOpen
      ? [buttonRow(button({ text: chat.stop, action: actions.stop, value: checkId, style: 'danger' }))]
      : []),
  ];
  return message(text, blocks);
}

/** All judged cases of a check, failures first. */
export function casesView(lines: readonly SummaryLine[], language: Language): ModalView {
  const { chat } = wordsIn(language);
  return {
    type: 'modal',
    title: plain(chat.casesTitle, limits.viewTitle),
    close: plain(chat.close, limits.viewButton),
    blocks:
      lines.length === 0
        ? [context(chat.noneKept)]
        : ranked(lines)
            .flatMap((line) => lineRow(line, language))
            .slice(0, limits.viewBlocks),
  };
}
