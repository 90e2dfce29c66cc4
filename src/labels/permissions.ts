import * as z from 'zod';
import { FOREVER_MS, type KeyValue } from '../common/key-value.ts';
import { hasSeen, standingVote, type VoteStore } from './cast-vote.ts';
import type { ChannelSettingsStore } from './channel-settings.ts';
import type { VerdictRecord, VerdictStore } from './verdict-record.ts';
import type { Vote } from './vote.ts';

/** A person, by the platform's own ids; `team` is empty where users have one id in every team. */
export const Person = z.strictObject({ surface: z.string(), team: z.string(), user: z.string() });
export type Person = z.infer<typeof Person>;

/** A stable name for a person in votes, from which the person cannot be identified without the secret. */
export type Pseudonym = (person: Person) => string;

/** The surface of people who have a name instead of a platform's id. */
export const NAMED = 'name';

/** A person as commands take them: `U0123ABCD`, `name:ann`, or surface, team and user. */
export const personText = ({ surface, team, user }: Person): string =>
  surface === NAMED ? `${NAMED}:${user}` : team === '' ? user : `${surface}:${team}:${user}`;

/**
 * A person in a conversation, as its platform says. `owner`: it is their own with the app. `guest`: a member from outside the
 * organization whose conversation it is. `reader`: not a member, but everyone there can read it, such as a public channel. `unknown`:
 * the platform did not say.
 */
export type Membership = 'owner' | 'member' | 'guest' | 'reader' | 'outsider' | 'unknown';

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
  /** `admins`: those of `JURY_ADMINS`, and members where there are none or an admin lets them; `or owner`: in their own chat, too. */
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
  guest: 'Guests and people of other organizations cannot do this. Ask a member of this conversation.',
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
  if (found === 'owner' || found === 'member') return null;
  if ((found === 'reader' || found === 'guest') && who === 'readers') return null;
  if (found !== 'unknown') return found === 'guest' ? refused.guest : refused.outsider;
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

/** A person who looks at verdicts: their pseudonym, and what they may see at all. */
export interface Viewer {
  voter: string;
  maySee: (record: VerdictRecord) => Promise<boolean>;
}

/**
 * What one person may see and do. `open`: the verdict, with votes that anyone changes as they like. `hidden`: the case alone; they
 * answer first. `answered`: the verdict, with the answer that they can add to. `seen`: the verdict; they took their answer
 * back, and another one would not be blind.
 */
export type VisibleVerdict = { record: VerdictRecord } & (
  | { kind: 'open' | 'hidden' | 'seen' }
  | { kind: 'answered'; vote: Vote }
);

/** Whether a conversation may see a verdict as a whole, as on a card. */
export const isOpenToAll = ({ blind }: Pick<VerdictRecord, 'blind'>): boolean => blind !== true;

/** Where the store keeps that a verdict was withdrawn; it is deleted with the verdict. */
export const withdrawnKey = (verdictId: string): string => `withdrawn:${verdictId}`;

/** Shows a verdict to no one any more: the person who asked for it deleted the request. Its votes still count. */
export const withdrawVerdict = (store: KeyValue, verdictId: string, now: number): Promise<unknown> =>
  store.setIfAbsent(withdrawnKey(verdictId), 'withdrawn', now, FOREVER_MS);

export const isWithdrawn = async (store: Pick<KeyValue, 'get'>, verdictId: string, now: number) =>
  (await store.get(withdrawnKey(verdictId), now)) !== null;

/**
 * Call it before showing any part of a verdict and before taking a vote on it. Null if there is no such verdict or the viewer may not
 * see it; a viewer cannot tell which.
 *
 * @param now ms since the epoch
 * @throws JuryError `store-unavailable`
 */
export async function visibleVerdict(
  store: Pick<VerdictStore, 'verdict'> & VoteStore & Parameters<typeof hasSeen>[0],
  verdictId: string,
  { voter, maySee }: Viewer,
  now: number,
): Promise<VisibleVerdict | null> {
  const record = await store.verdict(verdictId);
  if (record === null || !(await maySee(record)) || (await isWithdrawn(store, verdictId, now))) return null;
  if (isOpenToAll(record)) return { kind: 'open', record };
  const vote = await standingVote(store, verdictId, voter);
  if (vote !== null) return { kind: 'answered', record, vote };
  return { kind: (await hasSeen(store, verdictId, voter, now)) ? 'seen' : 'hidden', record };
}
