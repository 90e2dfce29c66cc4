/**
 * The kinds of failure a caller can tell apart.
 * - `usage`: the request is invalid (an option, an id, a combination)
 * - `bad-input`: pasted or read input cannot be judged
 * - `bad-file`: a file in a prompts folder is wrong
 * - `config`: the environment is wrong or incomplete
 * - `store-unavailable`: the store cannot be reached; nothing was saved
 * - `undelivered`: a chat did not take what was to be shown; retryable where it may take it later
 * - `endpoint-refused`: a model's endpoint refuses the key, the model or every request, until a setting is changed
 * - `internal`: a defect of ours
 */
export type ErrorCode =
  | 'usage'
  | 'bad-input'
  | 'bad-file'
  | 'config'
  | 'store-unavailable'
  | 'undelivered'
  | 'endpoint-refused'
  | 'internal';

/** Its message says what to do. Whether a retry can help is decided where it is created. */
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

/** Whether the store could not be reached or written: nothing was saved, and later it may be. */
export const isStoreAway = (thrown: unknown): boolean =>
  thrown instanceof JuryError && thrown.code === 'store-unavailable';

/** Whether an input cannot be judged or read; its message says why. */
export const isBadInput = (thrown: unknown): thrown is JuryError =>
  thrown instanceof JuryError && thrown.code === 'bad-input';

/** Whether a chat did not take what was to be shown, or said what was asked of it. */
export const isUndelivered = (thrown: unknown): thrown is JuryError =>
  thrown instanceof JuryError && thrown.code === 'undelivered';

export const messageOf = (thrown: unknown): string =>
  thrown instanceof Error ? thrown.message : String(thrown);

/** Whether an error has this code of Node's, such as `ENOENT`. */
export const hasCode = (thrown: unknown, code: string): boolean =>
  thrown instanceof Error && 'code' in thrown && thrown.code === code;

/** Whether Node rejected the other side's certificate (`CERT_HAS_EXPIRED`, `DEPTH_ZERO_SELF_SIGNED_CERT`, …). */
export const isUntrusted = (thrown: unknown): boolean =>
  thrown instanceof Error &&
  'code' in thrown &&
  /CERT|UNABLE_TO_VERIFY_LEAF_SIGNATURE|HOSTNAME_MISMATCH|INVALID_CA/.test(String(thrown.code));

const REASONS: Readonly<Record<string, string>> = {
  ENOENT: 'no such file or folder',
  ENOTDIR: 'no such folder',
  EISDIR: 'it is a folder: name the files in it',
  EACCES: 'permission denied',
  EPERM: 'permission denied',
  EROFS: 'the disk is read-only',
  ENOSPC: 'the disk is full',
};

/** Why a file cannot be read or written, in words. */
export const fileReason = (thrown: unknown): string =>
  Object.entries(REASONS).find(([code]) => hasCode(thrown, code))?.[1] ?? messageOf(thrown);

/** Whether no question to this endpoint can be answered until a setting is changed. */
export const isEndpointRefused = (thrown: unknown): thrown is JuryError =>
  thrown instanceof JuryError && thrown.code === 'endpoint-refused';
