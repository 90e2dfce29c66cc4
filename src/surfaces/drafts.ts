import { randomUUID } from 'node:crypto';
import * as z from 'zod';
import { keptParts } from '../case/case.ts';
import type { CaseFormat } from '../case/case-format.ts';
import { parseInput } from '../case/paste/parse-input.ts';
import type { Understood } from '../case/paste/problems.ts';
import { changeText, type KeyValue } from '../common/key-value.ts';
import { JudgeRequest } from '../judging/ports.ts';
import type { Person } from '../labels/person.ts';
import type { Store } from '../stores/store.ts';

/** What a form is about, kept while it is open: what platforms keep with a form is too little for a case. */
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
  /** The text to judge, if the form holds it as one field. */
  paste: z.string().optional(),
  /** Who wrote what it holds. */
  by: z.object({ surface: z.string(), user: z.string() }).optional(),
});
export type Draft = Omit<z.infer<typeof Draft>, 'understood'> & { understood: Understood };

/** Long enough to come back to a message after a weekend. */
const KEPT_MS = 3 * 86_400_000;

const keyOf = (id: string): string => `draft:${id}`;

/** Where the store keeps which drafts are a person's; others have expired. */
const ownKey = ({ surface, user }: Pick<Person, 'surface' | 'user'>): string => `drafts:${surface}:${user}`;
const MOST_OWN = 500;
const Ids = z.array(z.string());

/** @returns the draft's id */
export async function keepDraft(
  store: KeyValue,
  draft: Draft,
  now: number,
  id: string = randomUUID(),
): Promise<string> {
  if (draft.by !== undefined) {
    const withThis = (ids: string | null) =>
      JSON.stringify([...new Set([...Ids.parse(JSON.parse(ids ?? '[]')), id])].slice(-MOST_OWN));
    await changeText(store, ownKey(draft.by), withThis, now, KEPT_MS);
  }
  await store.delete(keyOf(id));
  await store.setIfAbsent(keyOf(id), JSON.stringify(draft), now, KEPT_MS);
  return id;
}

/** Erases a person's drafts; resolves to their number. @throws JuryError `store-unavailable` */
export async function forgetDrafts(
  store: KeyValue,
  person: Pick<Person, 'surface' | 'user'>,
  now: number,
): Promise<number> {
  const ids = Ids.parse(JSON.parse((await store.get(ownKey(person), now)) ?? '[]'));
  let forgotten = 0;
  for (const id of ids) {
    if ((await store.get(keyOf(id), now)) !== null) forgotten += 1;
    await store.delete(keyOf(id));
  }
  await store.delete(ownKey(person));
  return forgotten;
}

/** Null where there is no such draft any more. */
export async function findDraft(store: KeyValue, id: string, now: number): Promise<Draft | null> {
  const text = await store.get(keyOf(id), now);
  if (text === null) return null;
  const draft = Draft.parse(JSON.parse(text));
  return { ...draft, understood: keptParts(draft.understood) };
}

/** What the form shows of how to judge: what was asked for, else what the channel has set. */
export async function wishOf(store: Pick<Store, 'channelSettings'>, draft: Draft): Promise<JudgeRequest> {
  if (draft.channel === null) return draft.wish;
  const { wish } = await store.channelSettings(draft.channel);
  const { rubric = draft.understood.rubric } = draft.wish;
  return { ...wish, ...draft.wish, ...(rubric === undefined ? {} : { rubric }) };
}

/** A text to begin a form with: what it was understood as and, if it is not one whole case, why. */
export function understand(
  text: string,
  options: { maxCaseChars: number; format: CaseFormat },
): Pick<Draft, 'understood' | 'paste' | 'problem'> & { cases: number } {
  const items = text.trim() === '' ? [] : parseInput(text, options);
  const [first] = items;
  const begun = { paste: text, cases: items.length };
  if (items.length > 1 || first === undefined) return { ...begun, understood: {} };
  return 'case' in first
    ? { ...begun, understood: first.case }
    : { ...begun, understood: first.understood, problem: first.problem };
}
