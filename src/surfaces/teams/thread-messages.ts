import * as z from 'zod';
import { readJson } from '../../common/text/index.ts';
import type { SpotCheck, Thread, ThreadMessage } from '../../requests/index.ts';
import { textOfHtml } from './activities.ts';
import { CALL_MS } from './entra-tokens.ts';
import { kindOf } from './ids.ts';
import type { Places } from './messages.ts';
import type { Graph } from './teams-app.ts';

const GraphApp = z.object({ id: z.string() }).nullish();
/** A message as Microsoft Graph has it; only the fields in use. */
const GraphMessage = z.object({
  id: z.string(),
  messageType: z.string().optional(),
  deletedDateTime: z.string().nullish(),
  from: z.object({ user: GraphApp, application: GraphApp }).nullish(),
  body: z.object({ content: z.string() }),
  mentions: z
    .array(z.object({ mentioned: z.object({ application: GraphApp }).nullish() }))
    .nullish()
    .catch(undefined),
});
type GraphMessage = z.infer<typeof GraphMessage>;
const GraphPage = z.object({ value: z.array(GraphMessage), '@odata.nextLink': z.string().optional() });

const PAGE = 50;
const MOST_PAGES = 4;
/** How long it is remembered that the app may not read a conversation: someone may give the permission at any time. */
const REFUSED_MS = 600_000;
/** The permission is missing, or the message is gone. */
const REFUSALS: ReadonlySet<number> = new Set([401, 403, 404]);

/**
 * Reads the messages of a channel's thread, or the message of a chat that another one replies to, including those that were not
 * sent to the app. It needs the permissions of `jury teams package --read-messages`, and keeps nothing.
 * @returns null where the app may not read, or Graph cannot be reached
 */
export type ReadThread = (
  place: Pick<SpotCheck, 'team' | 'channel'>,
  thread: string,
  below: string,
) => Promise<Thread | null>;

export function createThreadReader(
  { url, token, fetch, app }: Graph,
  places: Pick<Places, 'find'>,
  now: () => number,
): ReadThread {
  const refused = new Map<string, number>();

  async function get<T>(tenant: string, address: string, schema: z.ZodType<T>): Promise<T | number> {
    const response = await fetch(address, {
      headers: { authorization: `Bearer ${await token(tenant)}` },
      redirect: 'error',
      signal: AbortSignal.timeout(CALL_MS),
    });
    const text = await response.text();
    return (response.ok ? readJson(schema, text)?.value : undefined) ?? response.status;
  }

  /** All replies, or the newest of many. Null if Graph does not give them. */
  async function repliesTo(tenant: string, root: string) {
    const replies: GraphMessage[] = [];
    let next: string | undefined = `${root}/replies?$top=${PAGE}`;
    for (let page = 0; page < MOST_PAGES && next !== undefined; page += 1) {
      const answer: z.infer<typeof GraphPage> | number = await get(tenant, next, GraphPage);
      if (typeof answer === 'number') return null;
      replies.push(...answer.value);
      next = answer['@odata.nextLink'];
      if (next !== undefined && !next.startsWith(`${url}/`)) return null;
    }
    return { replies, isWhole: next === undefined };
  }

  const messageOf = ({ id, from, body, mentions }: GraphMessage): ThreadMessage => ({
    input: { kind: 'message', message: id, text: textOfHtml(body.content), files: [] },
    author: from?.user?.id ?? from?.application?.id ?? '',
    isByApp: from?.application != null,
    isToUs: (mentions ?? []).some(({ mentioned }) => mentioned?.application?.id === app),
  });

  const isSaid = ({ messageType = 'message', deletedDateTime, from }: GraphMessage): boolean =>
    messageType === 'message' && deletedDateTime == null && from?.application?.id !== app;

  async function read(
    { team, channel }: Parameters<ReadThread>[0],
    thread: string,
    below: string,
  ): Promise<Thread | null> {
    const isChannel = kindOf(channel) === 'channel';
    const group = isChannel ? (await places.find(channel))?.group : undefined;
    if (isChannel && group === undefined) return null;
    const at = encodeURIComponent(channel);
    const where = isChannel ? `teams/${group}/channels/${at}` : `chats/${at}`;
    const address = `${url}/v1.0/${where}/messages/${encodeURIComponent(thread)}`;
    const root = await get(team, address, GraphMessage);
    if (typeof root === 'number') {
      if (REFUSALS.has(root)) refused.set(channel, now() + REFUSED_MS);
      return null;
    }
    const rest = isChannel ? await repliesTo(team, address) : { replies: [], isWhole: true };
    if (rest === null) return null;
    const messages = [root, ...rest.replies]
      .filter((one) => isSaid(one) && Number(one.id) < Number(below))
      .sort((a, b) => Number(a.id) - Number(b.id));
    const unread = rest.isWhole ? null : `only the newest ${rest.replies.length} replies were read`;
    return { messages: messages.map(messageOf), unread };
  }

  return async (place, thread, below) => {
    if ((refused.get(place.channel) ?? 0) > now()) return null;
    return read(place, thread, below).catch(() => null);
  };
}
