import { createHash } from 'node:crypto';
import * as z from 'zod';
import { type EvalCase, KeptCase } from '../case/index.ts';
import { type Parsed, Received } from '../case/paste/index.ts';
import { JudgeRequest } from '../judging/index.ts';
import { Reader } from '../judging/verdict/index.ts';
import { ConversationKind } from '../labels/record/index.ts';

/** The messages of a check and its progress: what a restart needs to finish it. */
const SpotCheckProgress = z.strictObject({
  /** The placeholder that becomes the card (or the summary of several cases). */
  placeholder: z.string().nullable(),
  /** Further messages of a check; only requests recorded by version 0.1 have some. They are withdrawn with the placeholder. */
  replies: z.record(z.string(), z.string()).default({}),
  /** Verdicts already saved, by case number. */
  verdicts: z.record(z.string(), z.string()).default({}),
  /** How many attempts to show it have failed. */
  failures: z.int().exactOptional(),
  /** The message that asked, once it has been read. */
  asked: z.string().exactOptional(),
});

/** A parsed case, as stored until it is judged. */
const AskedCase = z.strictObject({
  evalCase: KeptCase,
  assumed: z.array(z.string()),
  unsure: z.strictObject({ text: z.string(), withIt: KeptCase }).exactOptional(),
  received: Received.exactOptional(),
  /** The model that read it. */
  reader: Reader.exactOptional(),
});
export type AskedCase = z.infer<typeof AskedCase>;

export const JudgedCases = z.array(AskedCase).min(1);
export type JudgedCases = z.infer<typeof JudgedCases>;

/**
 * What is to be judged. `cases`: already parsed. `message`: a platform message yet to be read (its own text and files,
 * otherwise what is above it), so that a request is recorded before anything is fetched.
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
    /** The message it replies to, in a conversation without threads. */
    quotes: z.string().optional(),
  }),
]);
export type SpotCheckInput = z.infer<typeof SpotCheckInput>;
/** A message as recorded before anything is fetched. */
export type MessageInput = Extract<SpotCheckInput, { kind: 'message' }>;

/** A request to judge, as stored until its card is posted. */
export const SpotCheck = z.strictObject({
  /** Derived from the event (an event id, a view's hash): the same request always has the same id. */
  id: z.string(),
  at: z.number(),
  surface: z.string(),
  team: z.string(),
  channel: z.string(),
  /** Stored only if the surface cannot derive it from the channel's id. */
  kind: ConversationKind.optional(),
  /** The thread in which it is answered. */
  thread: z.string().nullable(),
  /** Keyed pseudonym or platform id of the requester; needed to reply, deleted with the check. */
  requestedBy: z.string(),
  input: SpotCheckInput,
  wish: JudgeRequest,
  /** Whether the wish is complete, as from a form that showed the channel's defaults, which then add nothing. */
  isWishComplete: z.boolean().optional(),
  /** The verdict to be judged again, if any. */
  again: z.string().nullable().default(null),
  /** The id of the request that this one replaces: the same message before it was edited. */
  replaces: z.string().exactOptional(),
  progress: SpotCheckProgress,
  /** Whether people see its verdicts only after voting; decided once, before anything is judged. */
  blind: z.boolean().optional(),
});
export type SpotCheck = z.infer<typeof SpotCheck>;

/** The message that asked; undefined if none did. */
export const askingMessage = ({
  input,
  progress,
}: Pick<SpotCheck, 'input' | 'progress'>): string | undefined =>
  input.kind === 'message' ? input.message : progress.asked;

/** Leases are always shorter. One that seems longer is void: the clock was set back after it was taken. */
export const LONGEST_LEASE_MS = 15 * 60_000;

/** Stores requests until they are done. Times are ms since the epoch. Every call is atomic, also across processes. */
export interface RequestStore {
  /** Records a request before it is acknowledged. `known`: this id was recorded before, finished or not. */
  addSpotCheck(check: SpotCheck): Promise<'added' | 'known'>;
  /** Makes a finished check pending again. `known`: it is pending already. */
  reopenSpotCheck(check: SpotCheck): Promise<'added' | 'known'>;
  /** Claims a pending check for `owner` until `now + leaseMs`; null if it is finished or held by another owner. */
  claimSpotCheck(id: string, owner: string, now: number, leaseMs: number): Promise<SpotCheck | null>;
  /**
   * Pending checks without an owner, left behind by a crash, oldest first. Those this version cannot read are only
   * counted.
   */
  abandonedSpotChecks(now: number, limit: number): Promise<{ readable: SpotCheck[]; unreadable: number }>;
  /**
   * Saves a check's progress (what was read, where its placeholder is) and extends the lease. `false` if `owner` has
   * lost it.
   */
  noteSpotCheck(check: SpotCheck, owner: string, now: number, leaseMs: number): Promise<boolean>;
  /** Marks a check as done, whatever the outcome. Its id stays known for `keepMs`. */
  finishSpotCheck(id: string, now: number, keepMs: number): Promise<void>;
  pendingSpotChecks(): Promise<number>;
  /** A pending check, held or not; null if there is none. */
  spotCheck(id: string): Promise<SpotCheck | null>;
}

/** A request as received by a surface. */
export interface Asked
  extends Pick<
    SpotCheck,
    | ('surface' | 'team' | 'channel' | 'kind' | 'thread' | 'requestedBy' | 'input')
    | ('blind' | 'isWishComplete' | 'replaces')
  > {
  /** Identifies the request within its surface and team; a redelivery has the same key. */
  key: string;
  wish?: JudgeRequest;
  again?: string | null;
  /** The message that becomes the card; if absent, one is posted. */
  placeholder?: string;
}

/** The key of a request that a message made. */
export const messageKey = (channel: string, message: string): string => `${channel}:${message}`;

/** The id of a request, the same for every redelivery. */
export const requestId = ({ surface, team, key }: Pick<Asked, 'surface' | 'team' | 'key'>): string =>
  `${surface}:${team}:${key}`;

/** The verdict id of one case of a check: the same for every attempt, so that it is saved only once. */
export const verdictIdOf = (checkId: string, index: number): string =>
  createHash('sha256').update(`${checkId}\n${index}`).digest('hex').slice(0, 20);

/** The key of the request that results from a choice between two readings: only one, whatever is chosen. */
export const chosenKey = ({ surface, team, id }: Pick<SpotCheck, 'surface' | 'team' | 'id'>): string =>
  `${id.slice(requestId({ surface, team, key: '' }).length)}:chosen`;

/** A recorded request; `known` if it had been recorded before. */
export interface Recorded {
  check: SpotCheck;
  status: 'added' | 'known';
}

/**
 * Records a request before it is acknowledged. `known`: it was recorded before, finished or not.
 *
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

/** A parsed case in storable form. */
export const askedCase = ({
  case: evalCase,
  assumed,
  unsure,
  received,
  reader,
}: Pick<Extract<Parsed, { case: EvalCase }>, 'case' | 'assumed' | 'unsure' | 'received'> & {
  reader?: Reader | undefined;
}): AskedCase => ({
  evalCase,
  assumed,
  ...(unsure === undefined ? {} : { unsure }),
  ...(received === undefined ? {} : { received }),
  ...(reader === undefined ? {} : { reader }),
});
