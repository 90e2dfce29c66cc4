import type { IAdaptiveCard } from '@microsoft/teams.cards';
import { type Actor, viewerFor } from '../../labels/permissions.ts';
import type { Person } from '../../labels/person.ts';
import type { Viewer } from '../../labels/visible-verdict.ts';
import type { SpotChecks } from '../../requests/take-up.ts';
import type { Cards, ChatParts } from '../chat-presenter.ts';
import type { ButtonData, Origin } from './activities.ts';
import type { Members, Places } from './conversations.ts';
import { TEAMS } from './ids.ts';
import type { Messages } from './messages.ts';
import type { Streams } from './streams.ts';

/** What the surface is made of, before anything listens. */
export interface TeamsParts extends ChatParts, Members {
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

/** Who acts, as Teams signed it. */
export const actorOf = (origin: Origin): Actor => ({ people: [personOf(origin)], at: origin.channel });

/** Whether a conversation is shown where a person acts: in itself, and in their own chat with Jury. */
export const isShownAt = ({ channel, kind }: Origin, about: string): boolean =>
  about === channel || kind === 'direct';

/** Who acts, as someone who looks at verdicts: those of the conversation, and in their own chat those of all that they are in. */
export function viewerOf(
  { pseudonym, roles }: Pick<TeamsParts, 'pseudonym' | 'roles'>,
  origin: Origin,
  action: Parameters<typeof viewerFor>[1] = 'read',
): Viewer {
  const viewer = viewerFor(roles, action, actorOf(origin), pseudonym(personOf(origin)));
  return {
    ...viewer,
    maySee: async (record) =>
      // Labeled cases are added to a channel, whatever tenant it is of.
      ['', origin.tenant].includes(record.source.team) &&
      isShownAt(origin, record.source.channel) &&
      viewer.maySee(record),
  };
}
