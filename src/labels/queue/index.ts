/**
 * Which verdicts people should vote on next, and why. It shows nothing itself. Start reading: `read-queue.ts`.
 */
export { type LookedAt, type QueuedVerdict, readVoteQueue, type VoteQueue } from './read-queue.ts';
export type { VotedVerdict } from './vote-queue.ts';
