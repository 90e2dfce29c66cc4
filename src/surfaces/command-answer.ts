import type { Digest } from '../digests/digest.ts';

/** Who asks, and in which conversation. */
export interface DigestAsker {
  surface: string;
  team: string;
  channel: string;
  channelName: string | null;
  user: string;
}

/** A line in which people may be named, by their ids. */
export type Line = readonly (string | { person: string })[];

/** For who asked alone: lines, a digest, or the form for a schedule. `announced` is for everyone in the channel. */
export type DigestAnswer = ({ lines: readonly Line[] } | { digest: Digest } | { form: true }) & {
  announced?: Line | null;
};
