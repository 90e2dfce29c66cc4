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
