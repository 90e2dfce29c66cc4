import type { ChannelSettingsStore } from './channel-settings.ts';
import { type Person, personText } from './person.ts';
import type { VerdictRecord } from './verdict-record.ts';
import type { Viewer } from './visible-verdict.ts';

/**
 * A person in a conversation, as its platform says. `owner`: it is their own with the app. `reader`: not a member, but everyone there
 * can read it, such as a public channel. `unknown`: the platform did not say.
 */
export type Membership = 'owner' | 'member' | 'reader' | 'outsider' | 'unknown';

/** A conversation, by the platform's own id. */
export type Conversation = Pick<VerdictRecord['source'], 'surface' | 'channel'>;

/** Who acts, as the platform or a sign-in proves it; never what a button or a form carries. */
export interface Actor {
  /** Everyone that they are known to be, one a surface; `team` is empty where users have one id in every team. */
  people: readonly [Person, ...Person[]];
  /** Verified by a sign-in. */
  email?: string | null;
  /** The conversation in which the platform says that they act; null for a page or a form of its own. */
  at: string | null;
}

/** Who may do something, and what happens while it is not known who is in the conversation. */
interface Rule {
  /** `admins`: those of `JURY_ADMINS`, and members where there are none or an admin lets them; `or owner`: in one's own chat, too. */
  who: 'readers' | 'members' | 'admins or owner' | 'admins' | 'admins alone';
  /** `in place`: accepted for what the platform says was done in the conversation itself. */
  unknown: 'accepted' | 'in place' | 'refused';
}

/** Who may do what. `docs/permissions.md` has the same table, and a test tries every cell of it. */
export const permissions = {
  /** A verdict with all that was said. */
  read: { who: 'readers', unknown: 'in place' },
  vote: { who: 'readers', unknown: 'accepted' },
  /** Have a form judged. */
  ask: { who: 'readers', unknown: 'accepted' },
  /** Judge a case again, by other judges or after an edit. */
  rerun: { who: 'readers', unknown: 'in place' },
  stop: { who: 'readers', unknown: 'in place' },
  /** One's own digests and alerts. */
  schedule: { who: 'members', unknown: 'refused' },
  /** Settings of a conversation, known answers, digests and alerts of others. */
  set: { who: 'admins or owner', unknown: 'refused' },
  /** Settle what is right above all votes. */
  rule: { who: 'admins', unknown: 'refused' },
  /** Let the members of a conversation do what is for admins. */
  delegate: { who: 'admins alone', unknown: 'refused' },
} as const satisfies Readonly<Record<string, Rule>>;
export type Action = keyof typeof permissions;

/** What roles are read from. */
export interface Roles {
  /** What `JURY_ADMINS` lists; null: everyone in a conversation is an admin there. */
  admins: ReadonlySet<string> | null;
  membership: (actor: Actor, conversation: Conversation) => Promise<Membership>;
  store: Pick<ChannelSettingsStore, 'channelSettings'>;
}

/** Whether someone is listed as an admin, by id or by a verified e-mail address. */
const isAdmin = ({ admins }: Pick<Roles, 'admins'>, { people, email = null }: Actor): boolean =>
  admins !== null &&
  (people.some((person) => admins.has(personText(person))) ||
    (email !== null && admins.has(email.toLowerCase())));

const refused = {
  admins:
    'This is for the admins of Jury. Ask one of them, or have one let the members of this conversation.',
  outsider: 'You are not a member of this conversation.',
  unknown:
    'Who is in this conversation cannot be looked up. Try again in a minute; in a private channel, add me to it first.',
} as const;

/**
 * Why someone may not do something in a conversation; null if they may.
 * @throws JuryError `store-unavailable`
 */
export async function refusal(
  roles: Roles,
  action: Action,
  actor: Actor,
  conversation: Conversation,
): Promise<string | null> {
  const { who, unknown }: Rule = permissions[action];
  if (who !== 'readers' && isAdmin(roles, actor)) return null;
  if (who === 'admins alone') return refused.admins;
  const found = await roles.membership(actor, conversation);
  if (found === 'owner' && who !== 'admins') return null;
  if (who.startsWith('admins') && roles.admins !== null) {
    const { membersMayChange = false } = await roles.store.channelSettings(conversation.channel);
    if (!membersMayChange) return refused.admins;
  }
  if (found === 'owner' || found === 'member' || (found === 'reader' && who === 'readers')) return null;
  if (found !== 'unknown') return refused.outsider;
  const isInPlace = unknown === 'in place' && actor.at === conversation.channel;
  return unknown === 'accepted' || isInPlace ? null : refused.unknown;
}

/** Someone who looks at verdicts to do something with them. @param voter their pseudonym */
export const viewerFor = (
  roles: Roles,
  action: 'read' | 'vote' | 'rerun',
  actor: Actor,
  voter: string,
): Viewer => ({
  voter,
  maySee: async ({ source }) => (await refusal(roles, action, actor, source)) === null,
});
