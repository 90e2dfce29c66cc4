import type { HomeView, KnownBlock, RichTextElement } from '@slack/types';
import type { JudgeWish } from '../../../core/spot-check.ts';
import { LEAST_SETTLED, type SettledShare, shareText } from '../../../core/trust.ts';
import type { Decision } from '../../../core/verdict.ts';
import type { VoteTally } from '../../../core/vote.ts';
import { actions, command } from '../ids.ts';
import { button, buttonRow } from './buttons.ts';
import { limits } from './limits.ts';
import { bold, bulletBlocks, context, header, italic, paragraph, plain, words } from './rich.ts';
import { oneLine, shortened } from './safe-text.ts';
import { toneMark } from './tone-mark.ts';
import { tallyText, voteValue } from './vote-bar.ts';

/** A verdict in a list. */
export interface ListedVerdict {
  id: string;
  title: string;
  decision: Decision;
  why: string;
  /** ms since the epoch. */
  at: number;
  permalink: string | null;
  tally: VoteTally;
}

export interface HomeInput {
  /** Newest first. */
  recent: readonly ListedVerdict[];
  needVotes: readonly ListedVerdict[];
  agreement: SettledShare;
  /** Defaults of the conversation that the viewer looks at, or of none. */
  wish: JudgeWish;
}

const SHOWN_OPEN = 10;
const SHOWN_RECENT = 15;
const TITLE = 80;
const WHY = 150;

const when = (at: number): RichTextElement => ({
  type: 'date',
  timestamp: Math.floor(at / 1000),
  format: '{date_short_pretty} {time}',
  fallback: `${new Date(at).toISOString().slice(0, 16).replace('T', ' ')} UTC`,
});

const lineOf = ({ title, decision, why, at, permalink }: ListedVerdict): RichTextElement[] => [
  ...words(`${toneMark(decision)} `),
  ...bold(shortened(oneLine(title) || '–', TITLE)),
  ...words(`: ${shortened(oneLine(why), WHY)} · `),
  when(at),
  ...(permalink?.startsWith('https://') === true
    ? [...words(' · '), { type: 'link' as const, url: permalink, text: 'card' }]
    : []),
];

const openBlocks = (verdict: ListedVerdict): KnownBlock[] => [
  paragraph(lineOf(verdict)),
  buttonRow(
    button({ text: '👍 Agree', action: actions.agree, value: voteValue('agree', verdict.id) }),
    button({ text: '👎 Disagree', action: actions.disagree, value: voteValue('disagree', verdict.id) }),
    button({ text: '🤷 Not sure', action: actions.unsure, value: voteValue('unsure', verdict.id) }),
    button({ text: 'Details', action: actions.details, value: verdict.id }),
  ),
];

function agreementText(agreement: SettledShare): string {
  if (agreement.n < LEAST_SETTLED)
    return `Votes have settled ${agreement.n} of at least ${LEAST_SETTLED} verdicts; then this says how often people agree with the panel.`;
  return `People agreed with ${shareText(agreement)} of the verdicts that votes have settled.`;
}

function wishText({ rubric, method, models, panel }: JudgeWish): string {
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
export function homeView({ recent, needVotes, agreement, wish }: HomeInput): HomeView {
  const open = needVotes.slice(0, SHOWN_OPEN);
  const latest = recent.slice(0, SHOWN_RECENT);
  return {
    type: 'home',
    blocks: [
      buttonRow(button({ text: 'Ask the jury', action: actions.openForm, value: 'new', style: 'primary' })),
      header('These need your vote'),
      ...(open.length === 0
        ? [paragraph(words('Nothing is waiting. Every verdict of late has a vote.'))]
        : open.flatMap(openBlocks)),
      ...leftOver(needVotes.length, open.length, 'that need votes'),
      header('Recent verdicts'),
      ...(latest.length === 0
        ? [
            paragraph(
              words(
                `None yet. Mention me with a paste, choose “Ask the jury” from a message's menu, or type ${command}.`,
              ),
            ),
          ]
        : bulletBlocks(
            latest.map((verdict) => [...lineOf(verdict), ...words(` · ${tallyText(verdict.tally)}`)]),
          )),
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
