import type { Block, KnownBlock } from '@slack/types';
import type { Logger } from 'pino';
import type { CardTexts } from '../../judging/card.ts';
import type { Pseudonym } from '../../labels/person.ts';
import type { Vote } from '../../labels/vote.ts';
import type { Library } from '../../prompting/library.ts';
import type { SpotChecks } from '../../requests/take-up.ts';
import type { Store } from '../../stores/store.ts';
import type { Coalescer } from '../coalesce.ts';
import type { OpenDigests } from '../open-digests.ts';
import type { Cards } from './cards.ts';
import type { SlackClients } from './clients.ts';
import type { MaySee } from './members.ts';
import { quietPost } from './render/blocks.ts';
import { errorMessage } from './render/notices.ts';

/** Who the app is in the workspace that it is installed in. */
export interface SlackIdentity {
  /** Its own user id. */
  self: string;
  team: string;
  /** The workspace's address, `https://acme.slack.com/`. */
  workspaceUrl: string;
}

/** What the listeners work with. */
export interface SlackContext {
  identity: SlackIdentity;
  store: Store;
  checks: SpotChecks;
  cards: Cards;
  /** Changes of messages that can come a moment later, the latest of each. */
  refreshes: Coalescer;
  clients: SlackClients;
  library: Library;
  texts: CardTexts;
  maySee: MaySee;
  /** Models that forms offer, the default first. */
  models: readonly string[];
  requireModel: (id: string) => void;
  maxCaseChars: number;
  pseudonym: Pseudonym;
  digestSources: Pick<OpenDigests, 'gather' | 'known' | 'defined'>;
  /** Told of every vote that was kept. */
  onVote: (value: Vote['value'] | 'retracted') => void;
  /** Told of every failure. */
  onError: () => void;
  now: () => number;
  log: Logger;
}

interface Where {
  /** Null: in person. */
  channel: string | null;
  thread?: string | null | undefined;
  user: string;
}

export const STORE_GONE = {
  check:
    'The store cannot be reached at the moment, so your request was not kept and will not be judged. Ask again in a minute.',
  annotation:
    'The store cannot be reached at the moment, so your answers were not kept. Send them again in a minute.',
  vote: 'The store cannot be reached at the moment, so your vote was not kept and does not count. Vote again in a minute.',
} as const;

/** Where somebody votes on what was pruned. */
export const VERDICT_GONE = 'This verdict is not kept any more, so that nothing can be counted on it.';

export const STORE_AWAY = 'The store cannot be reached at the moment. Try again in a minute.';

/**
 * Shows one person something that the others need not read.
 * @throws what Slack answered
 */
export async function showTo(
  { clients }: Pick<SlackContext, 'clients'>,
  { channel, thread, user }: Where,
  shown: { text: string; blocks: (Block | KnownBlock)[] },
): Promise<void> {
  const message = { ...quietPost, ...shown };
  const inThread = thread === null || thread === undefined ? {} : { thread_ts: thread };
  // Slack shows such messages at once but keeps none in a conversation with the app.
  if (channel === null || channel.startsWith('D'))
    await clients.now.chat.postMessage({ channel: channel ?? user, ...inThread, ...message });
  else
    await clients.now.chat
      .postEphemeral({ channel, user, ...inThread, ...message })
      // Commands, forms and shortcuts work where the app is no member, but it cannot write there.
      .catch(() => clients.now.chat.postMessage({ channel: user, ...message }));
}

/** Tells one person of a problem. Never rejects: there is nobody else to tell. */
export async function tell(context: SlackContext, where: Where, what: string): Promise<void> {
  try {
    await showTo(context, where, errorMessage(what));
  } catch {
    context.log.warn('slack: somebody could not be told of a problem');
  }
}

/** The pseudonym of who clicked, sent a form or wrote. */
export const voterOf = (
  { pseudonym, identity }: Pick<SlackContext, 'pseudonym' | 'identity'>,
  { user, team }: { user: { id: string }; team?: { id: string } | null | undefined },
): string => pseudonym({ surface: 'slack', team: team?.id ?? identity.team, user: user.id });
