import type { Digest } from './digest.ts';
import type { DigestSchedule } from './digest-schedule.ts';

/** Identifies a post. It is stored with the message, so that the message can be found again. */
export interface PostKey {
  schedule: string;
  /** ms since the epoch. */
  slot: number;
  part: 'main' | 'details';
}

export type DigestTarget = DigestSchedule['target'];

/** State kept between the calls that one post takes. */
export interface PostJournal {
  /** The picture uploaded for this digest by an earlier attempt, if any. */
  picture: string | null;
  /**
   * Saves the picture and renews the lease: call it right before each further attempt.
   * @throws if another process has taken over
   */
  keep(picture: string | null): Promise<void>;
}

/** Calls reject if the platform refuses or does not answer; a post that rejected may exist all the same. */
export interface DigestPoster {
  /** The surface whose conversations it posts to. */
  surface: string;
  /** What people put before a command there, such as `/jury`. */
  command: string;
  /** Resolves to the message's id. @param thread id of the message in whose thread to post; null: post to the channel */
  post(
    target: DigestTarget,
    digest: Digest,
    key: PostKey,
    thread: string | null,
    journal: PostJournal,
  ): Promise<string>;
  /** The id of the message that was posted with a key, if any. */
  find(target: DigestTarget, key: PostKey, thread: string | null): Promise<string | null>;
  /** Sends a problem to a person; null: to the channel's creator. */
  notify(target: DigestTarget, person: string | null, problem: string): Promise<void>;
}
