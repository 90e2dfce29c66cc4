import * as z from 'zod';
import { FOREVER_MS, type KeyValue } from '../../common/index.ts';
import { type Language, type Words, wordsIn } from '../../words/index.ts';
import type { VerdictRecord, VerdictStore, Vote } from '../record/index.ts';
import { hasSeen, standingVote, type VoteStore } from '../voting/index.ts';
import type { ChannelSettingsStore } from './channel-settings.ts';

/** A person, by the platform's own ids; `team` is empty where a user has the same id in every team. */
export const Person = z.strictObject({ surface: z.string(), team: z.string(), user: z.string() });
export type Person = z.infer<typeof Person>;

/** Maps a person to a stable name for votes, which cannot be traced back without the secret. */
export type Pseudonym = (person: Person) => string;

/** The surface of people known by a name instead of a platform id. */
export const NAMED = 'name';

/** A person in the form commands accept: `U0123ABCD`, `name:ann`, or surface, team and user. */
export const personText = ({ surface, team, user }: Person): string =>
  surface === NAMED ? `${NAMED}:${user}` : team === '' ? user : `${surface}:${team}:${user}`;

/**
 * A person's relation to a conversation, as reported by its platform. `owner`: their own chat with the app. `guest`: a
 * member from outside the organization that owns the conversation. `reader`: not a member, but can read it, as in a
 * public channel. `unknown`: the platform did not say.
 */
export type Membership = 'owner' | 'member' | 'guest' | 'reader' | 'outsider' | 'unknown';

/** A conversation, by the platform's own id. */
export type Conversation = Pick<VerdictRecord['source'], 'surface' | 'channel'>;

/** The acting person, as proven by the platform or a sign-in; never taken from the payload of a button or form. */
export interface Actor {
  /** All their known identities, one per surface; `team` is empty where a user has the same id in every team. */
  people: readonly [Person, ...Person[]];
  /** Verified by a sign-in. */
  email?: string | null;
  /** The conversation in which they act according to the platform; null for a page or form outside any conversation. */
  at: string | null;
}

/** Who may do something, and what happens while their membership cannot be looked up. */
interface Rule {
  /**
   * `admins`: those in `JURY_ADMINS`; members too if there are none or an admin allows it. `or owner`: also in their
   * own chat.
   */
  who: 'readers' | 'members' | 'admins or owner' | 'admins' | 'admins alone';
  /** `in place`: accepted if the platform says it was done in the conversation itself. */
  unknown: 'accepted' | 'in place' | 'refused';
}

/** Who may do what. `docs/permissions.md` has the same table, and a test tries every cell. */
export const permissions = {
  /** See a verdict and everything said about it. */
  read: { who: 'readers', unknown: 'in place' },
  vote: { who: 'readers', unknown: 'accepted' },
  /** Submit a form to be judged. */
  ask: { who: 'readers', unknown: 'accepted' },
  /** Judge a case again, with other judges or after an edit. */
  rerun: { who: 'readers', unknown: 'in place' },
  stop: { who: 'readers', unknown: 'in place' },
  /** One's own digests and alerts. */
  schedule: { who: 'members', unknown: 'refused' },
  /** Settings of a conversation, known answers, and other people's digests and alerts. */
  set: { who: 'admins or owner', unknown: 'refused' },
  /** Rule on what is right, overriding all votes. */
  rule: { who: 'admins', unknown: 'refused' },
  /** Start a study, which invites people. */
  study: { who: 'admins', unknown: 'refused' },
  /** Allow the members of a conversation to do what is reserved for admins. */
  delegate: { who: 'admins alone', unknown: 'refused' },
} as const satisfies Readonly<Record<string, Rule>>;
export type Action = keyof typeof permissions;

/** What roles are determined from. */
export interface Roles {
  /** The entries of `JURY_ADMINS`; null: everyone is an admin in their own conversations. */
  admins: ReadonlySet<string> | null;
  membership: (actor: Actor, conversation: Conversation) => Promise<Membership>;
  store: Pick<ChannelSettingsStore, 'channelSettings'>;
}

/** Whether a person is listed as an admin, by id or verified e-mail address. */
const isAdmin = ({ admins }: Pick<Roles, 'admins'>, { people, email = null }: Actor): boolean =>
  admins !== null &&
  (people.some((person) => admins.has(personText(person))) ||
    (email !== null && admins.has(email.toLowerCase())));

/** Why a person may not do something. */
type Refusal = keyof Words['errors']['refused'];

/**
 * Why a person may not do something in a conversation; null if they may.
 *
 * @throws JuryError `store-unavailable`
 */
export async function refusal(
  roles: Roles,
  action: Action,
  actor: Actor,
  conversation: Conversation,
): Promise<Refusal | null> {
  const { who, unknown }: Rule = permissions[action];
  if (who !== 'readers' && isAdmin(roles, actor)) return null;
  if (who === 'admins alone') return 'admins';
  const membership = await roles.membership(actor, conversation);
  if (membership === 'owner' && who !== 'admins') return null;
  if (who.startsWith('admins') && roles.admins !== null) {
    const { membersMayChange = false } = await roles.store.channelSettings(conversation.channel);
    if (!membersMayChange) return 'admins';
  }
  if (membership === 'owner' || membership === 'member') return null;
  if ((membership === 'reader' || membership === 'guest') && who === 'readers') return null;
  if (membership !== 'unknown') return membership === 'guest' ? 'guest' : 'outsider';
  const isInPlace = unknown === 'in place' && actor.at === conversation.channel;
  return unknown === 'accepted' || isInPlace ? null : 'unknown';
}

/** The same, in the words of the language of the person who is told. @throws JuryError `store-unavailable` */
export async function refusalIn(
  language: Language,
  ...asked: Parameters<typeof refusal>
): Promise<string | null> {
  const why = await refusal(...asked);
  return why === null ? null : wordsIn(language).errors.refused[why];
}

/**
 * The viewer of a verdict for a given action.
 *
 * @param voter their pseudonym
 */
export const viewerFor = (
  roles: Roles,
  action: 'read' | 'vote' | 'rerun',
  actor: Actor,
  voter: string,
): Viewer => ({
  voter,
  maySee: async ({ source }) => (await refusal(roles, action, actor, source)) === null,
});

/** A person who views verdicts: their pseudonym, and which verdicts they may see at all. */
export interface Viewer {
  voter: string;
  maySee: (record: VerdictRecord) => Promise<boolean>;
}

/**
 * What one person may see and do. `open`: sees the verdict and can change their vote freely. `hidden`: sees only the
 * case and must answer first. `answered`: sees the verdict and can add to their answer. `seen`: sees the verdict, but
 * took their answer back, and another one would not be blind.
 */
export type VisibleVerdict = { record: VerdictRecord } & (
  | { kind: 'open' | 'hidden' | 'seen' }
  | { kind: 'answered'; vote: Vote }
);

/** Whether the whole conversation may see a verdict, as on a card. */
export const isOpenToAll = ({ blind }: Pick<VerdictRecord, 'blind'>): boolean => blind !== true;

/** The store key that marks a verdict as withdrawn; it is deleted with the verdict. */
export const withdrawnKey = (verdictId: string): string => `withdrawn:${verdictId}`;

/** Hides a verdict from everyone, because its requester deleted the request. Its votes still count. */
export const withdrawVerdict = (store: KeyValue, verdictId: string, now: number): Promise<unknown> =>
  store.setIfAbsent(withdrawnKey(verdictId), 'withdrawn', now, FOREVER_MS);

export const isWithdrawn = async (store: Pick<KeyValue, 'get'>, verdictId: string, now: number) =>
  (await store.get(withdrawnKey(verdictId), now)) !== null;

/**
 * Call it before showing any part of a verdict and before accepting a vote on it. Null if the verdict does not exist or
 * the viewer may not see it; the viewer cannot tell which.
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
