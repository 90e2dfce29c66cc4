import * as z from 'zod';
import { type EvalCase, KeptCase } from '../case/case.ts';
import type { Parsed } from '../case/paste/parse-input.ts';
import { Received } from '../case/received.ts';
import type { KeyValue } from '../common/key-value.ts';
import { JudgeRequest } from '../judging/ask.ts';
import type { Person } from '../labels/permissions.ts';
import { ConversationKind, type VerdictStore } from '../labels/verdict-record.ts';

/** Where the message of a check stands; what a restart needs to finish it. */
const SpotCheckProgress = z.strictObject({
  /** The placeholder that becomes the card (or the summary of several cases). */
  placeholder: z.string().nullable(),
  /** Without effect; requests that were recorded by version 0.1 may hold it. */
  replies: z.record(z.string(), z.string()).default({}),
  /** Verdicts that are kept already, by number of the case. */
  verdicts: z.record(z.string(), z.string()).default({}),
  /** How often it could not be shown. */
  failures: z.int().exactOptional(),
});

/** A case that was read, as it is kept until it is judged. */
const AskedCase = z.strictObject({
  evalCase: KeptCase,
  assumed: z.array(z.string()),
  unsure: z.strictObject({ text: z.string(), withIt: KeptCase }).exactOptional(),
  received: Received.exactOptional(),
});
export type AskedCase = z.infer<typeof AskedCase>;

export const JudgedCases = z.array(AskedCase).min(1);
export type JudgedCases = z.infer<typeof JudgedCases>;

/**
 * What is to be judged. `cases`: read already. `message`: a message of the platform that has yet to be read (its own text and
 * files, else what stands above it), so that a request is kept before anything is fetched.
 */
export const SpotCheckInput = z.discriminatedUnion('kind', [
  z.strictObject({
    kind: z.literal('cases'),
    cases: JudgedCases,
  }),
  z.strictObject({
    kind: z.literal('message'),
    message: z.string(),
    text: z.string(),
    files: z.array(z.strictObject({ id: z.string(), name: z.string(), size: z.number(), url: z.string() })),
    /** The message that it answers, in a conversation without threads. */
    quotes: z.string().optional(),
  }),
]);
export type SpotCheckInput = z.infer<typeof SpotCheckInput>;
/** A message as it is recorded before anything is fetched. */
export type MessageInput = Extract<SpotCheckInput, { kind: 'message' }>;

/** A request to judge, as it is kept until its card is posted. */
export const SpotCheck = z.strictObject({
  /** From what it was asked with (an event id, a view's hash): the same request has the same id. */
  id: z.string(),
  at: z.number(),
  surface: z.string(),
  team: z.string(),
  channel: z.string(),
  /** Stored only if the id does not say it: the surface derives it. */
  kind: ConversationKind.optional(),
  /** The thread that answers go to. */
  thread: z.string().nullable(),
  /** Keyed pseudonym or platform id of who asked; needed to answer them, deleted with the check. */
  requestedBy: z.string(),
  input: SpotCheckInput,
  wish: JudgeRequest,
  /** Whether the wish is all there is to say, as from a form that showed the channel's defaults; they then add nothing. */
  isWishComplete: z.boolean().optional(),
  /** The verdict that is judged again, where it is. */
  again: z.string().nullable().default(null),
  progress: SpotCheckProgress,
  /** Whether its verdicts are shown to each person only after their own vote; settled once, before anything is judged. */
  blind: z.boolean().optional(),
});
export type SpotCheck = z.infer<typeof SpotCheck>;

/** No lease lasts as long: one that seems to is of a clock that was set back since, and void. */
export const LONGEST_LEASE_MS = 15 * 60_000;

/** Where requests are kept until they are done. Times are ms since the epoch. Every call is atomic, also against other processes. */
export interface RequestStore {
  /** Records a request to judge before it is acknowledged. `known` where one of that id was recorded before, finished or not. */
  addSpotCheck(check: SpotCheck): Promise<'added' | 'known'>;
  /** Takes a pending check for `owner` until `now + leaseMs`; null where it is finished or another owner holds it. */
  claimSpotCheck(id: string, owner: string, now: number, leaseMs: number): Promise<SpotCheck | null>;
  /** Pending checks that have no owner, oldest first: what a crash left behind. Those that this version cannot read are only counted. */
  abandonedSpotChecks(now: number, limit: number): Promise<{ readable: SpotCheck[]; unreadable: number }>;
  /** Keeps how far a check is (what was read, where its placeholder stands); lengthens the lease. `false` where `owner` lost it. */
  noteSpotCheck(check: SpotCheck, owner: string, now: number, leaseMs: number): Promise<boolean>;
  /** Done, whatever came of it. Its id is still known for `keepMs`. */
  finishSpotCheck(id: string, now: number, keepMs: number): Promise<void>;
  pendingSpotChecks(): Promise<number>;
  /** A pending check, held or not; null if there is none. */
  spotCheck(id: string): Promise<SpotCheck | null>;
}

/** A request as a surface hears it. */
export interface Asked
  extends Pick<
    SpotCheck,
    'surface' | 'team' | 'channel' | 'kind' | 'thread' | 'requestedBy' | 'input' | 'blind' | 'isWishComplete'
  > {
  /** What it is known by within its surface and team: heard again, it has the same key. */
  key: string;
  wish?: JudgeRequest;
  again?: string | null;
  /** The message that becomes the card; without it, one is posted. */
  placeholder?: string;
}

/** A request is known by this, however often it is heard. */
export const requestId = ({ surface, team, key }: Pick<Asked, 'surface' | 'team' | 'key'>): string =>
  `${surface}:${team}:${key}`;

/** The key of the request that comes of a choice between two readings: there is one, whatever is chosen. */
export const chosenKey = ({ surface, team, id }: Pick<SpotCheck, 'surface' | 'team' | 'id'>): string =>
  `${id.slice(requestId({ surface, team, key: '' }).length)}:chosen`;

/** A request that is kept; `known` if it was before. */
export interface Recorded {
  check: SpotCheck;
  status: 'added' | 'known';
}

/**
 * Records a request before it is acknowledged. `known`: it was recorded before, finished or not.
 * @throws JuryError `store-unavailable`: nothing was recorded
 */
export async function recordRequest(
  store: Pick<RequestStore, 'addSpotCheck'>,
  { key, wish = {}, again = null, placeholder, ...asked }: Asked,
  at: number,
): Promise<Recorded> {
  const id = requestId({ ...asked, key });
  const progress = { placeholder: placeholder ?? null, replies: {}, verdicts: {} };
  const check: SpotCheck = { ...asked, id, at, wish, again, progress };
  return { check, status: await store.addSpotCheck(check) };
}

/** Who asked for a verdict and who stopped it, by the platform's ids. */
const People = z.strictObject({ askedBy: z.string(), stoppedBy: z.string().nullable() });
export type People = z.infer<typeof People>;

/** How long cards name people: for as long as they are talked about. */
const PEOPLE_KEPT_MS = 90 * 86_400_000;
/** Where the store keeps the people of a verdict; it is deleted with the verdict. */
export const peopleKey = (verdictId: string): string => `people:${verdictId}`;

/** Kept beside the verdict, which names no person. */
export const keepPeople = (store: KeyValue, verdictId: string, people: People, now: number) =>
  store.setIfAbsent(peopleKey(verdictId), JSON.stringify(people), now, PEOPLE_KEPT_MS);

/** Null if that is not known any more. */
export async function findPeople(store: KeyValue, verdictId: string, now: number): Promise<People | null> {
  const text = await store.get(peopleKey(verdictId), now);
  return text === null ? null : People.parse(JSON.parse(text));
}

/** Where the store keeps a person's own chat with the app, on surfaces that cannot look it up. */
export const ownChatKey = ({ surface, team, user }: Person): string => `${surface}-person:${team}:${user}`;

/** The verdicts that a person asked for or stopped, as far as that is kept: until when, ms since the epoch. */
async function involvementsOf(
  store: KeyValue & Pick<VerdictStore, 'allVerdicts'>,
  { surface, team, user }: Person,
  now: number,
) {
  const found: { id: string; people: People; until: number }[] = [];
  for await (const { id, at, source } of store.allVerdicts()) {
    const until = at + PEOPLE_KEPT_MS;
    if (until <= now) break;
    if (source.surface !== surface || (team !== '' && source.team !== team)) continue;
    const people = await findPeople(store, id, now);
    if (people?.askedBy === user || people?.stoppedBy === user) found.push({ id, people, until });
  }
  return found;
}

/**
 * Erases a person from what is kept of who asked for verdicts and who stopped them, and their own chat with the app.
 *
 * @param note takes the ids of the verdicts that the person asked for, before anything is erased: afterwards, nothing says so any more
 * @returns of how many verdicts they were erased
 */
export async function forgetPeople(
  store: KeyValue & Pick<VerdictStore, 'allVerdicts'>,
  person: Person,
  now: number,
  note: (asked: readonly string[]) => Promise<void>,
): Promise<number> {
  const { user } = person;
  const found = await involvementsOf(store, person, now);
  await note(found.flatMap(({ id, people }) => (people.askedBy === user ? [id] : [])));
  await store.delete(ownChatKey(person));
  for (const { id, people, until } of found) {
    const key = peopleKey(id);
    const without: People = { askedBy: people.askedBy, stoppedBy: null };
    if (people.askedBy === user) await store.delete(key);
    else await store.compareAndSet(key, JSON.stringify(people), JSON.stringify(without), now, until - now);
  }
  return found.length;
}

/** A case as it was read, to be kept. */
export const askedCase = ({
  case: evalCase,
  assumed,
  unsure,
  received,
}: Extract<Parsed, { case: EvalCase }>): AskedCase => ({
  evalCase,
  assumed,
  ...(unsure === undefined ? {} : { unsure }),
  ...(received === undefined ? {} : { received }),
});
