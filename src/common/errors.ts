/**
 * The kinds of failure a caller can tell apart.
 * - `usage`: what the caller asked for makes no sense (a flag, an id, a combination)
 * - `bad-input`: what was pasted or read cannot be judged
 * - `bad-file`: a file in a prompts folder is wrong
 * - `config`: the environment is wrong or incomplete
 * - `store-unavailable`: the store cannot be reached, nothing was kept
 * - `internal`: a defect of ours
 */
export type ErrorCode = 'usage' | 'bad-input' | 'bad-file' | 'config' | 'store-unavailable' | 'internal';

/** An error whose message says what to do about it. Whether a retry can help is decided where it is made. */
export class JuryError extends Error {
  readonly code: ErrorCode;
  readonly retryable: boolean;

  constructor(code: ErrorCode, message: string, options: { cause?: unknown; retryable?: boolean } = {}) {
    super(message, options.cause === undefined ? undefined : { cause: options.cause });
    this.name = 'JuryError';
    this.code = code;
    this.retryable = options.retryable ?? false;
  }
}

/** The message of anything that was thrown. */
export const messageOf = (thrown: unknown): string =>
  thrown instanceof Error ? thrown.message : String(thrown);
