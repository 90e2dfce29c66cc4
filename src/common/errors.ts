/**
 * The kinds of failure that callers can distinguish.
 * - `usage`: the request is invalid (an option, an id, a combination)
 * - `bad-input`: the input cannot be judged
 * - `bad-file`: a file in a prompts folder is invalid
 * - `config`: the environment is invalid or incomplete
 * - `store-unavailable`: the store cannot be reached; nothing was saved
 * - `undelivered`: a chat platform did not accept a message; retryable if it may accept it later
 * - `endpoint-refused`: a model's endpoint refuses the key, the model or every request until a setting changes
 * - `internal`: a bug in Jury
 */
export const errorCodes = [
  'usage',
  'bad-input',
  'bad-file',
  'config',
  'store-unavailable',
  'undelivered',
  'endpoint-refused',
  'internal',
] as const;
export type ErrorCode = (typeof errorCodes)[number];

/** A failure that a caller can handle. The message says what to do. */
export class JuryError extends Error {
  readonly code: ErrorCode;
  /** Whether the same call may succeed later without a change. */
  readonly retryable: boolean;
  /** Whether someone must change something first, which the message names. */
  readonly needsChange: boolean;

  constructor(
    code: ErrorCode,
    message: string,
    options: { cause?: unknown; retryable?: boolean; needsChange?: boolean } = {},
  ) {
    super(message, options.cause === undefined ? undefined : { cause: options.cause });
    this.name = 'JuryError';
    this.code = code;
    this.retryable = options.retryable ?? false;
    this.needsChange = options.needsChange ?? false;
  }
}

/** Whether the store could not be reached or written to. Nothing was saved; a retry may work. */
export const isStoreAway = (thrown: unknown): boolean =>
  thrown instanceof JuryError && thrown.code === 'store-unavailable';

/** Whether the input could not be read or judged; the message says why. */
export const isBadInput = (thrown: unknown): thrown is JuryError =>
  thrown instanceof JuryError && thrown.code === 'bad-input';

/** Whether a chat platform did not accept a message or answer a request. */
export const isUndelivered = (thrown: unknown): thrown is JuryError =>
  thrown instanceof JuryError && thrown.code === 'undelivered';

export const messageOf = (thrown: unknown): string =>
  thrown instanceof Error ? thrown.message : String(thrown);

/** Whether an error has this Node error code, such as `ENOENT`. */
export const hasCode = (thrown: unknown, code: string): boolean =>
  thrown instanceof Error && 'code' in thrown && thrown.code === code;

/** Whether Node rejected the peer's certificate (`CERT_HAS_EXPIRED`, `DEPTH_ZERO_SELF_SIGNED_CERT`, …). */
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

/** A readable reason why a file cannot be read or written. */
export const fileReason = (thrown: unknown): string =>
  Object.entries(REASONS).find(([code]) => hasCode(thrown, code))?.[1] ?? messageOf(thrown);

/** Whether the endpoint refuses every question until a setting changes. */
export const isEndpointRefused = (thrown: unknown): thrown is JuryError =>
  thrown instanceof JuryError && thrown.code === 'endpoint-refused';
