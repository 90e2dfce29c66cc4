import type { Range, Tracked } from './tracked.ts';

/**
 * A part of what was pasted, and what it was read as.
 *
 * - `user`, `system`: what they say; `system` is both what is judged and what the system said before.
 * - `field`: the value of a field of the case, at `path`.
 * - `label`: what marks the others: labels, brackets and keys, quote marks, fences.
 * - `remark`: what is said about the answer, by a pattern of `prompts/paste`.
 * - `left out`: what is in no case; `why` says why.
 * - `unsure`: what may belong to the answer.
 */
export interface Span {
  /** Where it begins and ends, in UTF-16 units of the text as received. */
  from: number;
  to: number;
  is: 'user' | 'system' | 'field' | 'label' | 'remark' | 'left out' | 'unsure';
  /** Of a field: its keys in the case, joined by dots, as in `recommendation.openingHours`; of one value for several fields what holds them. */
  path?: string;
  /** In plain words. */
  why?: string;
}

/** What a part of the paste is. */
export type Read = Omit<Span, 'from' | 'to'>;

/** A part of the paste that something was read from. Where two claim the same, the first has it. */
export interface Claim extends Read {
  ranges: readonly Range[];
}

export const claim = (read: Read, ...texts: readonly Tracked[]): Claim => ({
  ...read,
  ranges: texts.flatMap((text) => text.ranges()),
});

/** Whether a character is blank; nearly all are of the first two kinds. */
function isSpace(text: string, at: number): boolean {
  const code = text.charCodeAt(at);
  return code <= 32 ? /\s/.test(text.charAt(at)) : code >= 160 && /\s/.test(text.charAt(at));
}

/**
 * The parts of the paste between two offsets, in order: each character that is not blank is in exactly one of them. Blank ones are in a part
 * where the same part stands before and after them.
 *
 * @param claims what was read; what nothing claims is markup
 */
export function spansOf(text: string, [start, end]: Range, claims: readonly Claim[]): Span[] {
  const owner = new Int32Array(end - start).fill(-1);
  for (const [index, { ranges }] of claims.entries())
    for (const [from, to] of ranges)
      for (let at = Math.max(from, start); at < Math.min(to, end); at += 1)
        if (owner[at - start] === -1) owner[at - start] = index;
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
