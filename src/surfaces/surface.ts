import type { Express } from 'express';
import type { Logger } from 'pino';
import type { BenchmarkDefinition, TrialStore } from '../benchmark/index.ts';
import type { ReadPaste } from '../case/paste/index.ts';
import type { KeyValue } from '../common/index.ts';
import type { AlertContext, DigestPoster, GatherDigest, KnownBenchmarks } from '../digests/index.ts';
import type { Env } from '../env.ts';
import type {
  ChannelSettingsStore,
  Conversation,
  Membership,
  Person,
  Pseudonym,
  Roles,
} from '../labels/access/index.ts';
import type { ConversationKind, VerdictRecord } from '../labels/record/index.ts';
import type { Library } from '../prompting/index.ts';
import type { ModelReader } from '../reading/index.ts';
import type { CheckSurface, SpotChecks } from '../requests/index.ts';
import type { ReviewPoster } from '../reviews/index.ts';
import type { Store } from '../stores/index.ts';
import type { StudyPoster } from '../studies/index.ts';
import type { Language } from '../words/index.ts';

/** Whether a surface is configured: how it connects, or what is missing. `begun`: some of it is set. */
export type SurfaceSetup = { kind: 'ready'; how: string } | { kind: 'off'; needs: string; begun: boolean };

/** Says which settings are missing, given those that are set. */
export function stillNeeded(set: readonly string[], missing: readonly string[]): string {
  const names = new Intl.ListFormat('en').format(missing);
  if (set.length === 0) return `set ${names}`;
  return `${new Intl.ListFormat('en').format(set)} ${set.length > 1 ? 'are' : 'is'} set; set ${names} too`;
}

/** A line in which people may be named, by their ids. */
export type Line = readonly (string | { person: string })[];

/** A line for everyone in a conversation, in its language. */
export type Announcement = (language: Language) => Line;

/** The account that the credentials belong to, and what does not work for lack of permissions. */
export interface Inspection {
  works: string;
  lacks: readonly string[];
}

/** Functions that post to a surface without listening to it; null for what it does not support. */
interface SurfacePosters {
  digests: DigestPoster | null;
  studies: StudyPoster | null;
  reviews: ReviewPoster | null;
  /**
   * Announces a change to a conversation with more than one person.
   * @returns whether the conversation is one
   * @throws the platform's error
   */
  announce: ((channel: string, says: Announcement) => Promise<boolean>) | null;
}

/** The sources of digests and alerts. */
export interface DigestSources {
  gather: GatherDigest;
  /** The benchmarks that schedules may name. @throws JuryError `bad-file` */
  known: () => Promise<KnownBenchmarks>;
  /** Checks ids of people, as commands take them. @throws JuryError `usage` for an id that no surface knows */
  requirePeople: (ids: readonly string[]) => void;
  /** @throws JuryError `bad-file` */
  defined: () => ReadonlyMap<string, BenchmarkDefinition>;
  alerts: Pick<AlertContext, 'readFigures' | 'known' | 'webhooks'>;
}

/** What the service provides to each surface. */
export interface SurfaceHost {
  env: Env;
  library: Library;
  store: Store;
  pseudonym: Pseudonym;
  /** Reads everything that people send. */
  readPaste: ReadPaste;
  /** Reads what plain reading refuses; null if no model may. */
  reader: ModelReader | null;
  /** The time limit of a verdict, in ms. */
  timeoutMs: number;
  /** Permissions. It asks a conversation's surface who is a member. */
  roles: Roles;
  requireModel: (id: string) => void;
  /** Models that forms offer, the default first. */
  models: readonly string[];
  digestSources: DigestSources;
  /** Benchmark runs, with cases redacted; opened at the first use. */
  benchmarkRuns: () => Promise<Pick<TrialStore, 'readRun' | 'readTrials' | 'totals' | 'caseAt'>>;
  /** All surfaces, configured or not. */
  surfaces: readonly Pick<Surface, 'name' | 'title' | 'identify' | 'kindOf' | 'marksRequests'>[];
  /** Announces a change to a conversation. Resolves to whether it was posted and never rejects: a failure is only logged. */
  announce: (conversation: Conversation, says: Announcement) => Promise<boolean>;
  /** Updates the votes shown on a verdict's own surface. */
  refreshElsewhere: (record: VerdictRecord) => void;
  /** The URL of the console; null if people cannot open it. */
  consoleUrl: string | null;
  /** The web server; each surface gets its own part for routes. */
  web: Express;
  /** Called for every saved vote. */
  onVote: () => void;
  /** Called for every failure. */
  onError: () => void;
  now: () => number;
  log: Logger;
}

/** The surface that a conversation belongs to. A case of a chat that is judged again in the console still belongs to the chat. */
export const surfaceOf = (
  surfaces: readonly Pick<Surface, 'name' | 'kindOf'>[],
  { surface, channel }: Conversation,
): string => surfaces.find(({ kindOf }) => ![null, 'page'].includes(kindOf(channel)))?.name ?? surface;

/** A connected surface. */
export interface OpenSurface extends CheckSurface, SurfacePosters {
  /** A link to where people ask. */
  address: string;
  /**
   * Whether a person is a member of a conversation. Never rejects. Answers are cached for 5 minutes.
   * @param at the conversation in which the person acts, according to the platform; null elsewhere, such as in the console
   */
  membership: (person: Person, channel: string, at: string | null) => Promise<Membership>;
  /** A command or URL with a key, for people at the terminal; never log it. */
  invitation?: string;
  /** Why people cannot reach it at the moment; null if no problem is known. */
  problem?: () => string | null;
  /** Starts to take requests. */
  listen: (checks: SpotChecks) => Promise<void>;
  /** Updates the votes shown on one of its verdicts. */
  refresh: (record: VerdictRecord) => void;
  /** Stops taking requests. */
  stop: () => Promise<void>;
  /** Shows all changes that are still waiting. */
  flush: () => Promise<void>;
}

/**
 * A place where people ask, vote and read digests. This description loads none of its libraries. All surfaces pass the tests in
 * `test/contracts/surface.ts`.
 */
export interface Surface {
  /** Stored with all its data, so it must never change. */
  name: string;
  /** Its name for people. */
  title: string;
  /** Whether a user has the same id in every team, so that the id alone identifies a person. */
  isUserIdGlobal: boolean;
  /** How to begin, in one line, without the title. */
  start: string;
  /** How to ask there, and how to schedule a digest. */
  ask: string;
  digests: string;
  /** Where to find ids, with an example of each. */
  idHelp: { conversation: string; person: string };
  /** Whether it can mark the message that asked, as a conversation's settings offer. Default: no. */
  marksRequests?: true;
  /** The kind of a conversation by its id; null if it is not on this surface. */
  kindOf: (conversation: string) => ConversationKind | null;
  isPerson: (id: string) => boolean;
  /**
   * Identifies a person by the claims of the OpenID provider that signed them in; null if the claims do not prove it.
   * @throws JuryError `usage` for people from outside, `config` if the surface's own credentials do not work
   */
  identify?: (issuer: string, claims: Readonly<Record<string, unknown>>, env: Env) => Promise<Person | null>;
  /** A warning that people from outside could sign in at an OpenID provider, since `identify` would not refuse them; or null. */
  openTo?: (issuer: string, env: Pick<Env, 'settings'>) => string | null;
  setup: (env: Env) => SurfaceSetup;
  /** Tries the credentials. @throws JuryError `config`; the message says how to fix them */
  inspect: (env: Env, surfaces: readonly Pick<Surface, 'openTo'>[]) => Promise<Inspection>;
  /** Functions that post without listening; `needs` says what is not configured. @throws JuryError `store-unavailable` */
  posters: (parts: {
    env: Env;
    store: () => Promise<KeyValue & Pick<ChannelSettingsStore, 'channelSettings'>>;
  }) => Promise<SurfacePosters | { needs: string }>;
  /** Connects and checks the credentials, without taking requests yet. @throws JuryError `config` */
  connect: (host: SurfaceHost) => Promise<OpenSurface>;
}
