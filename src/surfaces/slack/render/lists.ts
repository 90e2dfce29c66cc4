import type { HomeView, KnownBlock, ModalView, RichTextElement, SectionBlock } from '@slack/types';
import { minuteText } from '../../../common/text/index.ts';
import {
  blindLines,
  ranked,
  type SummaryLine,
  someCanTryAgain,
  summaryShown,
  summaryText,
  TRY_AGAIN,
} from '../../chat/index.ts';
import {
  agreementText,
  defaultsText,
  type Home,
  type ListedVerdict,
  lookedAtText,
  ownText,
  QUEUE_SHOWN,
  type Queue,
  queueText,
} from '../../views/index.ts';
import { inBrowser, shortened, shortLine, toneMark } from '../../wording/index.ts';
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
function queueBlocks(item: ListedVerdict, blockId: string): KnownBlock[] {
  const { id, title, permalink } = item;
  if (item.kind === 'hidden') {
    const { record, standard } = item;
    return [
      linesBlock(blindLines(record, standard, (text) => shortLine(text, SAID))),
      { ...blindBar(record, standard, details(id, 'Whole case')), block_id: blockId },
    ];
  }
  const { decision, why, reason, names } = item;
  return [
    paragraph(
      words(`${toneMark(decision)} `),
      titled(title),
      words(`: ${shortLine(why, WHY)}\nNeeds your vote: ${shortLine(reason ?? '', WHY)}`),
      link(permalink, 'card'),
    ),
    { ...buttonRow(...voteButtons(id, names), details(id, 'Details')), block_id: blockId },
  ];
}

/** A verdict on App Home: request, answer, outcome, a link to the card, and one button. */
function row(listed: ListedVerdict): KnownBlock[] {
  const { id, title, response, at, permalink } = listed;
  const blocksWith = (mark: string, about: string, label: string): KnownBlock[] => [
    paragraph(
      words(`${mark} `),
      titled(title),
      words(` → ${shortLine(response, RESPONSE)}\n${about} · `),
      [when(at)],
      link(permalink, 'card'),
    ),
    buttonRow(details(id, label)),
  ];
  if (listed.kind === 'hidden') return blocksWith('🗳️', 'answer first', 'Answer');
  const { decision, why, reason, votes } = listed;
  const people = reason === null ? votes : `needs your vote: ${shortLine(reason, WHY)}`;
  return blocksWith(
    toneMark(decision),
    `${shortLine(why, RESPONSE)} · ${people}`,
    reason === null ? 'Open' : 'Open and vote',
  );
}

const RESPONSE = 100;
const ROWS = 10;
const leftOver = (all: number, shown: number, what: string): KnownBlock[] =>
  all > shown ? [paragraph(italic(`and ${all - shown} more ${what}`))] : [];

/** App Home: verdicts that need votes, recent verdicts, agreement with the panel, and settings. */
export function homeView({ recent, needVotes, lookedAt, agreement, own, settings }: Home): HomeView {
  const open = needVotes.slice(0, ROWS);
  const others = recent.filter(({ id }) => !needVotes.some((one) => one.id === id));
  const latest = others.slice(0, ROWS);
  const ownVotesText = ownText(own);
  return {
    type: 'home',
    blocks: [
      buttonRow(button({ text: 'Ask the jury', action: actions.openForm, value: 'new', style: 'primary' })),
      header('Verdicts that need votes'),
      ...(open.length === 0 ? [paragraph(words('Nothing is waiting for your vote.'))] : open.flatMap(row)),
      ...leftOver(needVotes.length, open.length, `that need votes: ${command} queue`),
      context(lookedAtText(lookedAt)),
      ...(ownVotesText === null ? [] : [context(ownVotesText)]),
      ...(recent.length > 0 && others.length === 0 ? [] : [header('Recent verdicts')]),
      ...(recent.length === 0
        ? [
            paragraph(
              words(
                `None yet. Mention me with a paste, choose “Ask the jury” from a message's menu, or type ${command}.`,
              ),
            ),
          ]
        : latest.flatMap(row)),
      ...leftOver(others.length, latest.length, 'verdicts'),
      header('Agreement so far'),
      paragraph(words(agreementText(agreement))),
      header('Settings'),
      paragraph(words('Choose a conversation to set how its cases are judged.')),
      {
        type: 'actions',
        elements: [
          {
            type: 'conversations_select',
            action_id: actions.openSettings,
            placeholder: plain('Choose a conversation', limits.placeholder),
            filter: { include: ['public', 'private', 'im'], exclude_bot_users: false },
          },
        ],
      },
      context(`Defaults: ${shortened(defaultsText(settings), 500)}`),
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
export function queueMessage({ items, waiting, asked, lookedAt, page = null }: Queue): SlackMessage {
  const left = waiting - items.length;
  const text = queueText(waiting);
  const more =
    left === 0
      ? []
      : [
          paragraph(
            italic(
              asked < QUEUE_SHOWN.most
                ? `and ${left} more: ${command} queue ${Math.min(QUEUE_SHOWN.most, waiting)}`
                : `and ${left} more, after these`,
            ),
          ),
        ];
  return message(text, [
    header('Verdicts that need votes'),
    ...(waiting === 0
      ? [paragraph(words(text))]
      : items.flatMap((item, index) => queueBlocks(item, blockId(asked, index)))),
    ...more,
    ...linkLine(page, inBrowser.queue),
    context(lookedAtText(lookedAt)),
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

const opening = (id: string) => ({ label: 'Open', action: actions.details, value: id });

function lineRow(line: SummaryLine): SectionBlock[] {
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
      return [caseRow(`🗳️ ${shortLine(line.title, CASE_TITLE)} – judged, answer first`, opening(line.id))];
    case 'problem':
      return [
        caseRow(
          `⚠️ ${shortLine(line.title, CASE_TITLE)} – not judged: ${shortLine(line.problem, CASE_REASON)}`,
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
export function summaryMessage(checkId: string, lines: readonly SummaryLine[]): SlackMessage {
  const text = summaryText(lines);
  const { shown, passes, rest } = summaryShown(lines, MOST_ROWS);
  const showing = { label: 'Show', action: actions.showCases, value: casesValue(checkId, lines.length) };
  const more = shown.length > 0 ? ' more' : '';
  const isOpen = lines.some(({ kind }) => kind === 'pending');
  const blocks: KnownBlock[] = [
    header(text),
    ...shown.flatMap(lineRow),
    ...(rest > 0 ? [caseRow(`${rest} more that do not pass`, showing)] : []),
    ...(passes > 0 ? [caseRow(`✅ ${passes}${more}`, showing)] : []),
    ...(someCanTryAgain(lines)
      ? [buttonRow(button({ text: TRY_AGAIN, action: actions.tryAgain, value: checkId }))]
      : []),
    ...(isOpen
      ? [buttonRow(button({ text: 'Stop', action: actions.stop, value: checkId, style: 'danger' }))]
      : []),
  ];
  return message(text, blocks);
}

/** All judged cases of a check, failures first. */
export const casesView = (lines: readonly SummaryLine[]): ModalView => ({
  type: 'modal',
  title: plain('Cases', limits.viewTitle),
  close: plain('Close', limits.viewButton),
  blocks:
    lines.length === 0
      ? [context('These verdicts are no longer kept.')]
      : ranked(lines).flatMap(lineRow).slice(0, limits.viewBlocks),
});
