import * as z from 'zod';
import type { SlackClients } from './clients.ts';

const Cursor = z.object({
  response_metadata: z.object({ next_cursor: z.string().optional() }).optional(),
});

/** The pages of an answer, at most so many; each is asked for with the cursor that the one before gave. */
export async function* pagesOf(
  ask: (cursor: { cursor?: string }) => Promise<unknown>,
  most = Number.POSITIVE_INFINITY,
): AsyncIterable<unknown> {
  let cursor: string | undefined;
  for (let page = 0; page < most && cursor !== ''; page += 1) {
    const answer = await ask(cursor === undefined ? {} : { cursor });
    yield answer;
    cursor = Cursor.parse(answer).response_metadata?.next_cursor ?? '';
  }
}

const Opened = z.object({ channel: z.object({ id: z.string() }) });

/** A person's own conversation with the app. */
export const ownChannel = async (client: SlackClients['now'], user: string): Promise<string> =>
  Opened.parse(await client.conversations.open({ users: user })).channel.id;

/** Whether a person may see what is said in a conversation. */
export type MaySee = (user: string, channel: string) => Promise<boolean>;

const KNOWN_MS = 300_000;
const PAGE = 1_000;
const MAX_PAGES = 10;

const Members = z.object({ members: z.array(z.string()) });

/** Looks up who is in a conversation, and remembers it for some minutes. What cannot be looked up is not shown. */
export function createMembers(client: SlackClients['now'], now: () => number): MaySee {
  const known = new Map<string, { at: number; members: Promise<ReadonlySet<string>> }>();

  async function membersOf(channel: string): Promise<ReadonlySet<string>> {
    const members = new Set<string>();
    const ask = (cursor: { cursor?: string }) =>
      client.conversations.members({ channel, limit: PAGE, ...cursor });
    for await (const page of pagesOf(ask, MAX_PAGES))
      for (const member of Members.parse(page).members) members.add(member);
    return members;
  }
  return async (user, channel) => {
    let entry = known.get(channel);
    if (entry === undefined || now() - entry.at > KNOWN_MS) {
      entry = { at: now(), members: membersOf(channel).catch(() => new Set<string>()) };
      known.set(channel, entry);
    }
    return (await entry.members).has(user);
  };
}
