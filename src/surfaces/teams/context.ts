import type { IAdaptiveCard } from '@microsoft/teams.cards';
import type { Person } from '../../labels/person.ts';
import type { Viewer } from '../../labels/visible-verdict.ts';
import type { MessageSource } from '../../requests/read-message.ts';
import type { SpotChecks } from '../../requests/take-up.ts';
import type { Cards, ChatParts } from '../chat-presenter.ts';
import type { ButtonData, Origin } from './activities.ts';
import { TEAMS } from './ids.ts';
import type { Messages } from './messages.ts';
import type { Members, Places } from './places.ts';
import type { Streams } from './streams.ts';

/** What the surface is made of, before anything listens. */
export interface TeamsParts extends ChatParts, Members {
  paste: MessageSource['paste'];
  places: Places;
  messages: Messages;
  /** Messages of requests: in personal chats they begin as streams. */
  streams: Streams;
  /** What someone is called, as Teams said with what they did last; null until they act. */
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
 * Who acts, as far as verdicts go. What was asked in a conversation is for its people, whatever id a button or a dialog names: Teams
 * delivers only what members do there. In their own chat with Jury, people also come to verdicts of the conversations that they are in.
 */
export const viewerOf = (
  { pseudonym, isMember }: Pick<TeamsParts, 'pseudonym' | 'isMember'>,
  origin: Origin,
): Viewer => ({
  voter: pseudonym(personOf(origin)),
  maySee: async ({ source: { surface, team, channel } }) =>
    surface === TEAMS &&
    // Labeled cases are added to a channel, whatever tenant it is of.
    (team === '' || team === origin.tenant) &&
    (channel === origin.channel || (origin.kind === 'direct' && (await isMember(origin.user, channel)))),
});
