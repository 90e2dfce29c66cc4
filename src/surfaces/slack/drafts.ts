import { randomUUID } from 'node:crypto';
import * as z from 'zod';
import { keptParts } from '../../case/case.ts';
import type { Understood } from '../../case/paste/draft.ts';
import { JudgeRequest } from '../../judging/ports.ts';
import type { Store } from '../../stores/store.ts';

/** What a form is about, kept while it is open: a view holds too little for a case. */
const Draft = z.strictObject({
  understood: z.record(z.string(), z.unknown()),
  wish: JudgeRequest,
  team: z.string(),
  /** Where the verdict goes: null where it has to be asked for, as for a form from the shortcuts menu. */
  channel: z.string().nullable(),
  thread: z.string().nullable(),
  /** The verdict that is judged again. */
  again: z.string().nullable(),
  problem: z.string().optional(),
});
export type Draft = Omit<z.infer<typeof Draft>, 'understood'> & { understood: Understood };

/** Long enough for somebody who comes back to a message the next day. */
const KEPT_MS = 3 * 86_400_000;

const keyOf = (id: string): string => `draft:${id}`;

/** @returns the draft's id */
export async function keepDraft(
  store: Store,
  draft: Draft,
  now: number,
  id: string = randomUUID(),
): Promise<string> {
  await store.delete(keyOf(id));
  await store.setIfAbsent(keyOf(id), JSON.stringify(draft), now, KEPT_MS);
  return id;
}

/** Null where there is no such draft any more. */
export async function findDraft(store: Store, id: string, now: number): Promise<Draft | null> {
  const text = await store.get(keyOf(id), now);
  if (text === null) return null;
  const draft = Draft.parse(JSON.parse(text));
  return { ...draft, understood: keptParts(draft.understood) };
}
