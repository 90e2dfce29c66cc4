import type { Range, Tracked } from './tracked-text.ts';

/**
 * A part of a paste, and what it was read as.
 *
 * - `user`, `system`: what they say; `system` includes the judged response.
 * - `field`: the value of the field at `path`.
 * - `label`: markup, such as labels, brackets, keys, quote marks and fences.
 * - `remark`: a remark about the answer, recognized by a pattern of `prompts/paste`.
 * - `left out`: not part of the case, for the reason in `why`.
 * - `unsure`: possibly part of a turn.
 */
export interface Span {
  /** Start (inclusive) and end (exclusive), in UTF-16 units of the text as received. */
  from: number;
  to: number;
  is: 'user' | 'system' | 'field' | 'label' | 'remark' | 'left out' | 'unsure';
  /** The path of a field, such as `recommendation.openingHours`, or of an object if one value sets several fields. */
  path?: string;
  /** The reason, in plain words. */
  why?: string;
}

/** What a part of a paste was read as. */
export type Read = Omit<Span, 'from' | 'to'>;

/** Ranges of the paste and what they were read as. The first claim on a character wins. */
export interface Claim extends Read {
  ranges: readonly Range[];
}

export const claim = (read: Read, ...texts: readonly Tracked[]): Claim => ({
  ...read,
  ranges: texts.flatMap((text) => text.ranges()),
});

/** Whether a character is white space. The pattern is slow, so most characters are decided by their code. */
function isSpace(text: string, at: number): boolean {
  const code = text.charCodeAt(at);
  return code <= 32 ? /\s/.test(text.charAt(at)) : code >= 160 && /\s/.test(text.charAt(at));
}

/**
 * The spans of a text between two offsets, in order. Each character that is not blank is in exactly one span; blank ones
 * are in one if it continues after them.
 * @param claims in order of precedence; unclaimed characters are labels
 */
export function spansOf(text: string, [start, end]: Range, claims: readonly Claim[]): Span[] {
  const owner = new Int32Array(end - start).fill(-1);
  for (const [index, { ranges }] of claims.entries())
    for (const [from, to] of ranges) {
      const last = Math.min(to, end);
      for (let at = Math.max(from, start); at < last; at += 1)
        if (owner[at - start] === -1) owner[at - start] = index;
    }
  const kinds = claims.map(({ is, path, why }) => [is, path, why].join('\n'));
  const spans: Span[] = [];
  let last: string | null = null;
  for (let at = start; at < end; at += 1) {
    if (isSpace(text, at)) continue;
    const index = owner[at - start] ?? -1;
    const kind = kinds[index] ?? 'label\n\n';
    const span = spans.at(-1);
    if (span && kind === last) span.to = at + 1;
    else {
      const { ranges: _, ...read } = claims[index] ?? { ranges: [], is: 'label' };
      spans.push({ from: at, to: at + 1, ...read });
    }
    last = kind;
  }
  return spans;
}
