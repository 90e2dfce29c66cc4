import { createHash, randomBytes } from 'node:crypto';
import * as z from 'zod';
import { changeText, type KeyValue } from '../../common/index.ts';
import type { Pseudonym } from '../../labels/access/index.ts';
import { Visitor } from './access.ts';
import { personOf } from './ids.ts';

/** How long a session lasts: a working day, so that people who leave the company keep access no longer than that. */
export const SESSION_MS = 12 * 3_600_000;
/** Sessions per person; beyond that, the oldest ones end. */
const MOST = 50;

export const Own = z.array(z.strictObject({ session: z.string(), until: z.number() }));
type Own = z.infer<typeof Own>;

/** The hash of a secret. The store keeps only hashes, so that its contents cannot be used to open a session. */
export const hashOf = (secret: string): string => createHash('sha256').update(secret).digest('hex');
export const newSecret = (): string => randomBytes(32).toString('base64url');
export const isSecret = (text: string): boolean => /^[\w-]{43}$/.test(text);

const keyOf = (session: string): string => `session:${session}`;
const ownKey = (voter: string): string => `sessions:${voter}`;
const ownIn = (text: string | null): Own => (text === null ? [] : Own.parse(JSON.parse(text)));

/**
 * Sessions of people who are signed in, shared by all processes that use the store. Calls reject with a JuryError `store-unavailable` if
 * the store cannot be reached.
 */
export function createSessions(store: KeyValue, pseudonym: Pseudonym, now: () => number) {
  /** Adds a session to the list of its person, so that all of their sessions can be ended. */
  async function list(voter: string, session: string): Promise<void> {
    let over: Own = [];
    await changeText(
      store,
      ownKey(voter),
      (before) => {
        const live = ownIn(before).filter(({ until }) => until > now());
        live.push({ session, until: now() + SESSION_MS });
        over = live.splice(0, live.length - MOST);
        return JSON.stringify(live);
      },
      now(),
      SESSION_MS,
    );
    for (const one of over) await store.delete(keyOf(one.session));
  }

  return {
    /** Begins a session. @returns the secret for the browser's cookie */
    begin: async (visitor: Visitor): Promise<string> => {
      const secret = newSecret();
      const session = hashOf(secret);
      // Listed under both identities, because a request to forget someone may name either.
      const names = [personOf(visitor.user), ...(visitor.person === null ? [] : [visitor.person])];
      for (const voter of names.map(pseudonym)) await list(voter, session);
      await store.setIfAbsent(keyOf(session), JSON.stringify(visitor), now(), SESSION_MS);
      return secret;
    },
    find: async (secret: string): Promise<Visitor | null> => {
      const text = await store.get(keyOf(hashOf(secret)), now());
      return text === null ? null : Visitor.parse(JSON.parse(text));
    },
    end: (secret: string): Promise<void> => store.delete(keyOf(hashOf(secret))),
  };
}

/** Ends all sessions of a person, which also erases their name and address. @returns the number of sessions ended */
export async function endSessions(store: KeyValue, voter: string, now: number): Promise<number> {
  let ended = 0;
  for (const { session } of ownIn(await store.get(ownKey(voter), now))) {
    if ((await store.get(keyOf(session), now)) !== null) ended += 1;
    await store.delete(keyOf(session));
  }
  await store.delete(ownKey(voter));
  return ended;
}
