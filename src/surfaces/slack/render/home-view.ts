import type { HomeView, KnownBlock } from '@slack/types';
import type { JudgeRequest } from '../../../judging/ports.ts';
import { type SettledShare, shareText } from '../../../judging/verdict.ts';
import { LEAST_SETTLED } from '../../../labels/trust.ts';
import { shortened } from '../../safe-text.ts';
import { actions, command } from '../ids.ts';
import {
  bulletBlocks,
  button,
  buttonRow,
  context,
  header,
  italic,
  limits,
  paragraph,
  plain,
  words,
} from './blocks.ts';
import { type ListedVerdict, listedLine, type QueueItem, queueBlocks } from './verdict-lists.ts';

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
