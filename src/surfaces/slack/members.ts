import * as z from 'zod';
import type { SlackClients } from './clients.ts';

/** Whether somebody may see what is said in a conversation. */
export type MaySee = (user: string, channel: string) => Promise<boolean>;

const KNOWN_MS = 300_000;
const PAGE = 1_000;
const MAX_PAGES = 10;

const Page = z.object({
  members: z.array(z.string()),
  response_metadata: z.object({ next_cursor: z.string().optional() }).optional(),
});

/** Looks up who is in a conversation, and remembers it for some minutes. What cannot be looked up is not shown. */
export function createMembers(client: SlackClients['now'], now: () => number): MaySee {
  const known = new Map<string, { at: number; members: Promise<ReadonlySet<string>> }>();

  async function membersOf(channel: string): Promise<ReadonlySet<string>> {
    const members = new Set<string>();
    let cursor: string | undefined;
    for (let page = 0; page < MAX_PAGES; page++) {
      const options = { channel, limit: PAGE, ...(cursor === undefined ? {} : { cursor }) };
      const answer = Page.parse(await client.conversations.members(options));
      for (const member of answer.members) members.add(member);
      cursor = answer.response_metadata?.next_cursor;
      if (cursor === undefined || cursor === '') break;
    }
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
