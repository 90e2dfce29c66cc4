import type { IAdaptiveCard } from '@microsoft/teams.cards';
import { JuryError } from '../../common/errors.ts';
import type { Person } from '../../labels/person.ts';
import type { Viewer } from '../../labels/visible-verdict.ts';
import type { MessageSource } from '../../requests/read-message.ts';
import type { SpotChecks } from '../../requests/take-up.ts';
import type { Cards, ChatParts } from '../chat-presenter.ts';
import type { ButtonData, Origin } from './activities.ts';
import { TEAMS } from './ids.ts';
import type { Messages } from './messages.ts';
import type { Places } from './places.ts';
import type { ApiFor } from './teams-app.ts';

/** What the surface is made of, before anything listens. */
export interface TeamsParts extends ChatParts {
  paste: MessageSource['paste'];
  places: Places;
  messages: Messages;
  apiFor: ApiFor;
  /** What someone is called, as Teams said it with what they did last; null after a restart until they act again. */
  nameOf: (user: string) => string | null;
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

export const isStoreAway = (thrown: unknown): boolean =>
  thrown instanceof JuryError && thrown.code === 'store-unavailable';

export const STORE_AWAY =
  'The store cannot be reached at the moment, so nothing was saved. Try again in a minute.';
