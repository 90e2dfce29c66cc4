import * as z from 'zod';
import { DAY_MS, type KeyValue } from '../common/index.ts';
import { readJson } from '../common/text/index.ts';
import { DigestBlock } from './digest.ts';

/** The page of a posted digest, which says how each of its numbers is known. It has no text of any case. */
export const DigestPage = z.strictObject({
  /** The conversation it was posted in, whose members may read it. */
  surface: z.string(),
  channel: z.string(),
  /** When the digest was made, ms since the epoch. */
  at: z.number(),
  headline: z.string(),
  known: z.array(DigestBlock),
});
export type DigestPage = z.infer<typeof DigestPage>;

const KEPT_MS = 180 * DAY_MS;

const keyOf = (schedule: string, slot: number): string => `digest-page:${schedule}:${slot}`;

/** @param pagesAt the console's public address */
export const pageAddress = (pagesAt: string, schedule: string, slot: number): string =>
  `${pagesAt.replace(/\/$/, '')}/digests/${encodeURIComponent(schedule)}/${slot}`;

/** Keeps a page; once it is kept, nothing changes it. */
export async function keepDigestPage(
  store: Pick<KeyValue, 'setIfAbsent'>,
  schedule: string,
  slot: number,
  page: DigestPage,
  now: number,
): Promise<void> {
  await store.setIfAbsent(keyOf(schedule, slot), JSON.stringify(page), now, KEPT_MS);
}

/** Null if there is none, or it has expired. */
export async function readDigestPage(
  store: Pick<KeyValue, 'get'>,
  schedule: string,
  slot: number,
  now: number,
): Promise<DigestPage | null> {
  const text = await store.get(keyOf(schedule, slot), now);
  return text === null ? null : (readJson(DigestPage, text)?.value ?? null);
}
