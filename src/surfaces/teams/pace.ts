/** How fast messages are written, in milliseconds. */
export interface TeamsPace {
  /** The least time between two writes to a conversation. */
  writeMs: number;
  /** The least time between two writes to a stream, and between two streams of a chat. */
  streamMs: number;
  /** The least time between two updates of a message while judges are at work or people vote. */
  changeMs: number;
  /** How often the status of a stream is repeated: only in response does Teams report that someone pressed Stop. */
  repeatMs: number;
  /** The wait before a refused write is first tried again; each further wait is twice as long. */
  retryMs: number;
}

/** The pace that Teams allows: 7 messages a second per conversation, and one stream write a second. */
export const TEAMS_PACE: TeamsPace = {
  // Slightly fewer than 7 a second leave room for responses to clicks.
  writeMs: 170,
  streamMs: 1_000,
  changeMs: 1_000,
  repeatMs: 3_000,
  retryMs: 250,
};
