import type { IAdaptiveCard } from '@microsoft/teams.cards';
import { JuryError } from '../../common/errors.ts';
import { RULES } from '../../judges/rules/rules-judge.ts';
import type { CardTexts } from '../../judging/card.ts';
import type { Person } from '../../labels/person.ts';
import type { VerdictRecord } from '../../labels/verdict-record.ts';
import type { Viewer } from '../../labels/visible-verdict.ts';
import type { MessageSource } from '../../requests/read-message.ts';
import type { SpotChecks } from '../../requests/take-up.ts';
import type { Coalescer } from '../coalesce.ts';
import type { SurfaceHost } from '../surface.ts';
import type { ButtonData, Origin } from './activities.ts';
import { TEAMS } from './ids.ts';
import type { Messages } from './messages.ts';
import type { Places } from './places.ts';
import type { CardInput } from './render/card.ts';
import type { ApiFor } from './teams-app.ts';

/** What the surface is made of, before anything listens. */
export interface TeamsParts extends SurfaceHost {
  paste: MessageSource['paste'];
  places: Places;
  messages: Messages;
  apiFor: ApiFor;
  texts: CardTexts;
  /** What someone is called, as Teams said it with what they did last; null after a restart until they act again. */
  nameOf: (user: string) => string | null;
  /** Changes of messages while judges are at work: at most one a second for each. */
  changes: Coalescer;
  /** Changes of cards because of votes, the latest of each. */
  refreshes: Coalescer;
}

export interface Cards {
  /** Puts the card into its message. @throws what Teams or the store answered */
  show: (record: VerdictRecord) => Promise<void>;
  /** Shows the votes as they stand, within a second; several changes become one. */
  refresh: (record: VerdictRecord) => void;
  /** What a card is made of, with the votes as they stand. @throws JuryError `store-unavailable` */
  inputOf: (record: VerdictRecord) => Promise<CardInput>;
}

/** What the listeners work with. */
export interface TeamsContext extends TeamsParts {
  checks: SpotChecks;
  cards: Cards;
}

/** What a dialog shows next: a card, words, or nothing, so that it closes. */
export type Dialog = { title: string; card: IAdaptiveCard } | { text: string } | null;

/** What a dialog sends: its button's data, with the answers. */
export type Sent = ButtonData & Readonly<Record<string, unknown>>;

export const personOf = ({ tenant, user }: Pick<Origin, 'tenant' | 'user'>): Person => ({
  surface: TEAMS,
  team: tenant,
  user,
});

/**
 * Who acts, as far as verdicts go: what was asked in a conversation is for the people of that conversation, whatever id a button or a
 * dialog names. Teams delivers only what members do there.
 */
export const viewerOf = ({ pseudonym }: Pick<TeamsParts, 'pseudonym'>, origin: Origin): Viewer => ({
  voter: pseudonym(personOf(origin)),
  maySee: async ({ source }) =>
    source.surface === TEAMS && source.team === origin.tenant && source.channel === origin.channel,
});

/** Whether a model can be asked, beside the exact checks. */
export const hasModel = ({ models }: Pick<TeamsParts, 'models'>): boolean =>
  models.some((model) => model !== RULES);

export const isStoreAway = (thrown: unknown): boolean =>
  thrown instanceof JuryError && thrown.code === 'store-unavailable';

export const STORE_AWAY =
  'The store cannot be reached at the moment, so nothing was saved. Try again in a minute.';
export const VERDICT_GONE = 'This verdict is no longer kept, or it belongs to another conversation.';
