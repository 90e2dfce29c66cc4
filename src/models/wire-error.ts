/** The most bytes of a reply's body that are read. A judgement is a few thousand. */
export const mostReplyBytes = 4 * 1024 * 1024;

/**
 * How a request ended without a whole reply.
 * - `unsent`: it had not left in full, so nobody can have worked on it
 * - `lost`: it had left; the endpoint may have answered, and bill it
 * - `too-large`: the reply was longer than `mostReplyBytes` and is not read on
 */
type WireErrorKind = 'unsent' | 'lost' | 'too-large';

export class WireError extends Error {
  readonly kind: WireErrorKind;

  constructor(kind: WireErrorKind, message: string, cause?: Error) {
    super(message, cause === undefined ? undefined : { cause });
    this.name = 'WireError';
    this.kind = kind;
  }
}

/** The wire's error among the causes of what was thrown; the `openai` client wraps it. */
export function wireErrorIn(thrown: unknown): WireError | null {
  if (thrown instanceof WireError) return thrown;
  return thrown instanceof Error ? wireErrorIn(thrown.cause) : null;
}
