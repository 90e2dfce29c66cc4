import type { ActionsBlock, HomeView, KnownBlock, RichTextElement } from '@slack/types';
import type { JudgeRequest } from '../../../judging/ports.ts';
import { type Decision, type SettledShare, shareText } from '../../../judging/verdict.ts';
import { LEAST_SETTLED } from '../../../labels/trust.ts';
import type { VerdictRecord } from '../../../labels/verdict-record.ts';
import type { VoteTally } from '../../../labels/vote.ts';
import { oneLine, shortened } from '../../safe-text.ts';
import { blindQuestion, type Standard, tallyText, toneMark } from '../../wording.ts';
import { actions, command } from '../ids.ts';
import { blindBar } from './blind.ts';
import {
  bold,
  bulletBlocks,
  button,
  buttonRow,
  context,
  header,
  italic,
  limits,
  message,
  paragraph,
  plain,
  type SlackMessage,
  words,
} from './blocks.ts';
import { voteValue } from './votes.ts';

/** A verdict in a list; `hidden` from the viewer, who has not answered. */
export type ListedVerdict = { title: string; at: number; permalink: string | null } & (
  | { kind: 'open'; decision: Decision; why: string; tally: VoteTally }
  | { kind: 'hidden' }
);

/** A verdict that waits for the viewer's vote, with why; of a hidden one the case alone. */
export type QueueItem =
  | {
      kind: 'open';
      id: string;
      title: string;
      decision: Decision;
      why: string;
      permalink: string | null;
      reason: string;
    }
  | { kind: 'hidden'; record: Pick<VerdictRecord, 'id' | 'verdict' | 'evalCase'>; standard: Standard };

const TITLE = 80;
const WHY = 150;
const SAID = 200;

const link = (permalink: string | null): RichTextElement[] =>
  permalink?.startsWith('https://') === true
    ? [...words(' · '), { type: 'link', url: permalink, text: 'card' }]
    : [];

const when = (at: number): RichTextElement => ({
  type: 'date',
  timestamp: Math.floor(at / 1000),
  format: '{date_short_pretty} {time}',
  fallback: `${new Date(at).toISOString().slice(0, 16).replace('T', ' ')} UTC`,
});

const titled = (title: string): RichTextElement[] => bold(shortened(oneLine(title) || '–', TITLE));

/** One line of a list of verdicts. */
function listedLine(listed: ListedVerdict): RichTextElement[] {
  const { title, at, permalink } = listed;
  const where = [when(at), ...link(permalink)];
  if (listed.kind === 'hidden')
    return [...words('🗳️ '), ...titled(title), ...words(': answer first · '), ...where];
  return [
    ...words(`${toneMark(listed.decision)} `),
    ...titled(title),
    ...words(`: ${shortened(oneLine(listed.why), WHY)} · `),
    ...where,
    ...words(` · ${tallyText(listed.tally)}`),
  ];
}

const details = (id: string, text: string) => button({ text, action: actions.details, value: id });

function votable(item: QueueItem): { text: KnownBlock; buttons: ActionsBlock } {
  if (item.kind === 'hidden') {
    const { record, standard } = item;
    const asked = record.evalCase.conversation.findLast(({ role }) => role === 'user')?.text ?? '';
    return {
      text: paragraph(
        bold('User: '),
        words(shortened(oneLine(asked) || '–', SAID)),
        bold('\nSystem: '),
        words(shortened(oneLine(record.evalCase.response), SAID)),
        words(`\n${blindQuestion(record.verdict, standard)}`),
      ),
      buttons: blindBar(record, standard, details(record.id, 'Whole case')),
    };
  }
  const { id, title, decision, why, permalink, reason } = item;
  return {
    text: paragraph(
      words(`${toneMark(decision)} `),
      titled(title),
      words(`: ${shortened(oneLine(why), WHY)}\nWhy you: ${shortened(oneLine(reason), WHY)}`),
      link(permalink),
    ),
    buttons: buttonRow(
      button({ text: '👍 Agree', action: actions.agree, value: voteValue('agree', id) }),
      button({ text: '👎 Disagree', action: actions.disagree, value: voteValue('disagree', id) }),
      button({ text: '🤷 Not sure', action: actions.unsure, value: voteValue('unsure', id) }),
      details(id, 'Details'),
    ),
  };
}

/** @param blockId of the buttons of the item at an index, where they need one */
const queueBlocks = (
  items: readonly QueueItem[],
  blockId: (index: number) => string | null = () => null,
): KnownBlock[] =>
  items.flatMap((item, index) => {
    const { text, buttons } = votable(item);
    const id = blockId(index);
    return [text, id === null ? buttons : { ...buttons, block_id: id }];
  });

export interface HomeInput {
  /** Newest first. */
  recent: readonly ListedVerdict[];
  /** What needs the viewer's vote, the one that it tells most about first. */
  needVotes: readonly QueueItem[];
  /** How many verdicts were looked at at most. */
  lookedAt: number;
  agreement: SettledShare;
  /** The viewer's own answers to cases whose answer was known. */
  own: { right: number; of: number };
  /** Defaults of the conversation that the viewer looks at, or of none. */
  wish: JudgeRequest;
}

const SHOWN_OPEN = 10;
const SHOWN_RECENT = 15;
/** From how many answers on somebody is told how many of theirs were right. */
const LEAST_KNOWN = 5;

function agreementText(agreement: SettledShare): string {
  if (agreement.n < LEAST_SETTLED)
    return `Votes have settled ${agreement.n} of at least ${LEAST_SETTLED} verdicts; then this says how often people agree with the panel.`;
  return `People agreed with ${shareText(agreement)} of the verdicts that votes have settled.`;
}

/** For the viewer alone: nobody is compared with anybody. */
const ownText = ({ right, of }: HomeInput['own']): KnownBlock[] =>
  of < LEAST_KNOWN
    ? []
    : [
        context(
          `Some cases of the queue have a known answer. Up to yesterday you answered ${right} of ${of} of them right. Only you see this.`,
        ),
      ];

function wishText({ rubric, method, models, panel }: JudgeRequest): string {
  const parts = [
    `rubric ${rubric ?? 'by the case'}`,
    `method ${method ?? "the rubric's"}`,
    `model ${models?.join(', ') ?? 'the default'}`,
    `panel ${panel?.join(', ') ?? "the rubric's"}`,
  ];
  return parts.join(' · ');
}

const leftOver = (all: number, shown: number, what: string): KnownBlock[] =>
  all > shown ? [paragraph(italic(`and ${all - shown} more ${what}`))] : [];

/** App Home: what needs a vote, what was judged lately, how far people agree with the panel, and the settings. */
export function homeView({ recent, needVotes, lookedAt, agreement, own, wish }: HomeInput): HomeView {
  const open = needVotes.slice(0, SHOWN_OPEN);
  const latest = recent.slice(0, SHOWN_RECENT);
  return {
    type: 'home',
    blocks: [
      buttonRow(button({ text: 'Ask the jury', action: actions.openForm, value: 'new', style: 'primary' })),
      header('Verdicts that need votes'),
      ...(open.length === 0 ? [paragraph(words('Nothing is waiting for your vote.'))] : queueBlocks(open)),
      ...leftOver(needVotes.length, open.length, `that need votes: ${command} queue`),
      context(
        `Of the newest ${lookedAt} verdicts in your conversations. Those that need your vote most come first.`,
      ),
      ...ownText(own),
      header('Recent verdicts'),
      ...(latest.length === 0
        ? [
            paragraph(
              words(
                `None yet. Mention me with a paste, choose “Ask the jury” from a message's menu, or type ${command}.`,
              ),
            ),
          ]
        : bulletBlocks(latest.map(listedLine))),
      ...leftOver(recent.length, latest.length, 'verdicts'),
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
      context(`Where nothing is set: ${shortened(wishText(wish), 500)}`),
    ],
  };
}

/** How many verdicts are listed where nobody says how many; and most of one message. */
export const QUEUE_SHOWN = { usual: 5, most: 20 } as const;

/** Buttons of a queue are known by their block, which says how many were asked for. */
const blockId = (shown: number, index: number): string => `queue ${shown} ${index}`;

/** How many verdicts the queue lists that a button stands in; null where it stands in none. */
export function queueOfBlock(id: string | null | undefined): number | null {
  const [, shown] = /^queue (\d{1,2}) \d{1,2}$/.exec(id ?? '') ?? [];
  return shown === undefined ? null : Number(shown);
}

interface QueueInput {
  /** Those that are shown, and how many there are in all. */
  items: readonly QueueItem[];
  waiting: number;
  asked: number;
  /** How many verdicts were looked at at most. */
  lookedAt: number;
}

/** What needs somebody's vote, for them alone. */
export function queueMessage({ items, waiting, asked, lookedAt }: QueueInput): SlackMessage {
  const left = waiting - items.length;
  const text =
    waiting === 0
      ? 'No verdict needs your vote.'
      : `${waiting} ${waiting === 1 ? 'verdict needs' : 'verdicts need'} your vote.`;
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
    ...(waiting === 0 ? [paragraph(words(text))] : queueBlocks(items, (index) => blockId(asked, index))),
    ...more,
    context(
      `Of the newest ${lookedAt} verdicts in your conversations. Those that need your vote most come first.`,
    ),
  ]);
}
