import type { Express } from 'express';
import type { Logger } from 'pino';
import type { BenchmarkDefinition } from '../benchmark/benchmark-definition.ts';
import type { ReadPaste } from '../case/paste/parse-input.ts';
import type { KeyValue } from '../common/key-value.ts';
import type { DigestPoster } from '../digests/delivery.ts';
import type { KnownBenchmarks } from '../digests/digest-schedule.ts';
import type { AlertContext } from '../digests/manage-schedules.ts';
import type { GatherDigest } from '../digests/send-digest.ts';
import type { Env } from '../env.ts';
import type { Conversation, Membership, Person, Pseudonym, Roles } from '../labels/permissions.ts';
import type { ConversationKind, VerdictRecord } from '../labels/verdict-record.ts';
import type { Library } from '../prompting/library.ts';
import type { CheckSurface } from '../requests/presenter.ts';
import type { SpotChecks } from '../requests/take-up.ts';
import type { Store } from '../stores/store.ts';
import type { StudyPoster } from '../studies/manage-studies.ts';

/** Whether the environment sets a surface up: how it is reached, or what is missing and whether any of it is there. */
export type SurfaceSetup = { kind: 'ready'; how: string } | { kind: 'off'; needs: string; begun: boolean };

/** What to set, where some of it is set already. */
export function stillNeeded(set: readonly string[], missing: readonly string[]): string {
  const names = new Intl.ListFormat('en').format(missing);
  if (set.length === 0) return `set ${names}`;
  return `${new Intl.ListFormat('en').format(set)} ${set.length > 1 ? 'are' : 'is'} set; set ${names} too`;
}

/** A line in which people may be named, by their ids. */
export type Line = readonly (string | { person: string })[];

/** As whom credentials work, and what each permission that they lack costs. */
export interface Inspection {
  works: string;
  lacks: readonly string[];
}

/** What posts to a surface without listening to it; null for what it cannot show. */
interface SurfacePosters {
  digests: DigestPoster | null;
  studies: StudyPoster | null;
  /** Tells a conversation, other than a person's own, of a change that was made for all of it. @throws what the platform answered */
  announce: ((channel: string, line: Line) => Promise<void>) | null;
}

/** What people ask about digests. */
export interface DigestSources {
  gather: GatherDigest;
  /** What schedules may name. @throws JuryError `bad-file` */
  known: () => Promise<KnownBenchmarks>;
  /** @throws JuryError `bad-file` */
  defined: () => ReadonlyMap<string, BenchmarkDefinition>;
  alerts: Pick<AlertContext, 'readFigures' | 'known' | 'webhooks'>;
}

/** What the service gives each surface to work with. */
export interface SurfaceHost {
  env: Env;
  library: Library;
  store: Store;
  pseudonym: Pseudonym;
  /** How what people send is read; nothing else reads it. */
  readPaste: ReadPaste;
  /** Who may do what; asks the surface that a conversation is on who is in it. */
  roles: Roles;
  requireModel: (id: string) => void;
  /** Models that forms offer, the default first. */
  models: readonly string[];
  digestSources: DigestSources;
  /** Every surface that there is. */
  surfaces: readonly Pick<Surface, 'name' | 'title' | 'identify' | 'kindOf'>[];
  /** Tells a conversation of a change that was made for all of it. Never rejects: nothing depends on whether that arrives. */
  announce: (conversation: Conversation, line: Line) => Promise<void>;
  /** Has the surface on which a verdict stands show its votes as they are. */
  refreshElsewhere: (record: VerdictRecord) => void;
  /** Where people open the console in a browser; null where they cannot. */
  consoleUrl: string | null;
  /** The server that all surfaces share. */
  web: Express;
  /** Called for every vote that was kept. */
  onVote: () => void;
  /** Called for every failure. */
  onError: () => void;
  now: () => number;
  log: Logger;
}

/** The surface whose conversation it is: what is judged again at the console stays in its chat. */
export const surfaceOf = (
  surfaces: readonly Pick<Surface, 'name' | 'kindOf'>[],
  { surface, channel }: Conversation,
): string => surfaces.find(({ kindOf }) => ![null, 'page'].includes(kindOf(channel)))?.name ?? surface;

/** A connected surface. */
export interface OpenSurface extends CheckSurface, SurfacePosters {
  /** Where people ask, as a link. */
  address: string;
  /**
   * Whether one of its people is in one of its conversations; never rejects. Answers are kept for 5 minutes.
   * @param at where the platform says that they act; null: elsewhere
   */
  membership: (person: Person, channel: string, at: string | null) => Promise<Membership>;
  /** What to run or open, with a key in it: for people at the terminal, never for a log. */
  invitation?: string;
  /** Why people cannot come to it now, as far as is known; null: they can. */
  problem?: () => string | null;
  /** Begins to take requests. */
  listen: (checks: SpotChecks) => Promise<void>;
  /** Shows the votes on one of its verdicts as they are. */
  refresh: (record: VerdictRecord) => void;
  /** Takes no more requests. */
  stop: () => Promise<void>;
  /** Shows what has yet to be shown. */
  flush: () => Promise<void>;
}

/**
 * A place where people ask, vote and read digests, as it is known before any of its libraries is loaded. One suite of tests for
 * all: `test/contracts/surface.ts`.
 */
export interface Surface {
  /** Stored with all that comes from it; never changes. */
  name: string;
  /** As people call it. */
  title: string;
  /** Whether a user has one id in every team, so that the team is no part of who they are. */
  isUserIdGlobal: boolean;
  /** One line of how to begin, without the title. */
  start: string;
  /** How people ask there, and how they schedule a digest. */
  ask: string;
  digests: string;
  /** Where people find ids, with an example of each. */
  idHelp: { conversation: string; person: string };
  /** The kind of conversation that an id names; null where it is none of this surface's. */
  kindOf: (conversation: string) => ConversationKind | null;
  isPerson: (id: string) => boolean;
  /**
   * Who someone is here, by the claims of the OpenID provider that signed them in; null where these do not prove it.
   * @throws JuryError `usage` for people from outside, `config` where the credentials do not say who that is
   */
  identify?: (issuer: string, claims: Readonly<Record<string, unknown>>, env: Env) => Promise<Person | null>;
  /** Who could sign in at an OpenID provider whom `identify` does not keep out, as one sentence; null: as far as is known, no one. */
  openTo?: (issuer: string, env: Pick<Env, 'settings'>) => string | null;
  setup: (env: Env) => SurfaceSetup;
  /** Tries the credentials. @throws JuryError `config` that says how to mend them */
  inspect: (env: Env, surfaces: readonly Pick<Surface, 'openTo'>[]) => Promise<Inspection>;
  /** What it takes to post without listening; `needs` where that is not set. @throws JuryError `store-unavailable` */
  posters: (parts: {
    env: Env;
    store: () => Promise<KeyValue>;
  }) => Promise<SurfacePosters | { needs: string }>;
  /** Proves the credentials; listens to nothing yet. @throws JuryError `config` */
  connect: (host: SurfaceHost) => Promise<OpenSurface>;
}
