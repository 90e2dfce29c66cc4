import * as z from 'zod';
import type { Span } from './spans.ts';

const KeptSpan: z.ZodType<Span> = z.strictObject({
  from: z.int().min(0),
  to: z.int().min(0),
  is: z.enum(['user', 'system', 'field', 'label', 'remark', 'left out', 'unsure']),
  path: z.string().exactOptional(),
  why: z.string().exactOptional(),
});

/** A text as received (redacted if redaction is on), and its labeled parts in order. */
export const Received = z.strictObject({ text: z.string(), spans: z.array(KeptSpan) });
export type Received = z.infer<typeof Received>;

/** A stretch of text. `is` is null for white space between parts. */
export interface Stretch extends Pick<Span, 'path' | 'why'> {
  is: Span['is'] | null;
  text: string;
}

/** Splits a text into consecutive stretches that together make up the whole text. */
export function stretchesOf({ text, spans }: { text: string; spans: readonly Span[] }): Stretch[] {
  const stretches: Stretch[] = [];
  let at = 0;
  for (const { from, to, is, path, why } of [...spans].sort((a, b) => a.from - b.from)) {
    const start = Math.max(at, from);
    const end = Math.min(to, text.length);
    if (end <= start) continue;
    if (start > at) stretches.push({ is: null, text: text.slice(at, start) });
    const more = { ...(path === undefined ? {} : { path }), ...(why === undefined ? {} : { why }) };
    stretches.push({ is, text: text.slice(start, end), ...more });
    at = end;
  }
  return at < text.length ? [...stretches, { is: null, text: text.slice(at) }] : stretches;
}
