import * as z from 'zod';

/** Text with perhaps an address to go on to. Texts may come from outside: surfaces show them as text. */
const Item = z.strictObject({ text: z.string(), link: z.string().nullable() });

/** A part of a digest as neutral data; each surface renders it with one exhaustive switch. */
export const DigestBlock = z.discriminatedUnion('kind', [
  z.strictObject({ kind: z.literal('text'), text: z.string() }),
  z.strictObject({
    kind: z.literal('facts'),
    title: z.string(),
    facts: z.array(z.strictObject({ label: z.string(), value: z.string() })),
  }),
  z.strictObject({
    kind: z.literal('table'),
    title: z.string(),
    columns: z.array(z.strictObject({ title: z.string(), align: z.enum(['left', 'right']) })),
    /** Cells in the order of the columns. */
    rows: z.array(z.array(z.string())),
    /** Rows that were left out. */
    more: z.int(),
  }),
  z.strictObject({
    kind: z.literal('trend'),
    title: z.string(),
    /** What the points stand at, oldest first. */
    categories: z.array(z.string()),
    /** Percent, 0 to 100, one a category; null where there is none. */
    series: z.array(z.strictObject({ name: z.string(), values: z.array(z.number().nullable()) })),
  }),
  z.strictObject({
    kind: z.literal('list'),
    title: z.string(),
    items: z.array(Item),
    /** Items that were left out. */
    more: z.int(),
  }),
]);
export type DigestBlock = z.infer<typeof DigestBlock>;

/** Where things went since the last digest. `unknown`: there is nothing to compare yet. */
export const DigestTrend = z.enum(['better', 'worse', 'steady', 'unknown']);
export type DigestTrend = z.infer<typeof DigestTrend>;

/** A digest as neutral data. */
export const Digest = z.strictObject({
  /** One sentence. */
  headline: z.string(),
  trend: DigestTrend,
  /** Nothing happened: the headline is all there is. */
  quiet: z.boolean(),
  /** What has to be said of when it comes, such as that it is late; null: nothing. */
  note: z.string().nullable(),
  /** For the message itself. */
  blocks: z.array(DigestBlock),
  /** For its thread. */
  details: z.array(DigestBlock),
});
export type Digest = z.infer<typeof Digest>;
