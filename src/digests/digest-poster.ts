import type { Digest } from './digest.ts';
import type { DigestSchedule } from './digest-schedule.ts';

/** Names one post for good: it goes with the message, so that the message can be found again. */
export interface PostKey {
  schedule: string;
  /** ms since the epoch. */
  slot: number;
  part: 'main' | 'details';
}

export type DigestTarget = DigestSchedule['target'];

/** What is kept between the calls that one post takes. */
export interface PostJournal {
  /** The picture that was uploaded for this digest before; null: none. */
  picture: string | null;
  /**
   * Keeps the picture, and proves that this process still holds the digest: to be called last before each further try.
   * @throws where somebody else has gone on with it
   */
  keep(picture: string | null): Promise<void>;
}

/**
 * Where digests are posted. Calls reject where the platform refuses or does not answer; a post that rejected may have been
 * made all the same.
 */
export interface DigestPoster {
  /** The surface whose conversations it posts to. */
  surface: string;
  /** @param thread id of the message to answer in its thread; null for a message of its own. Resolves to the message's id */
  post(
    target: DigestTarget,
    digest: Digest,
    key: PostKey,
    thread: string | null,
    journal: PostJournal,
  ): Promise<string>;
  /** The id of the message that was posted with a key; null where there is none. */
  find(target: DigestTarget, key: PostKey, thread: string | null): Promise<string | null>;
  /** Tells one person of a problem; null: whoever made the channel. */
  notify(target: DigestTarget, person: string | null, problem: string): Promise<void>;
}
