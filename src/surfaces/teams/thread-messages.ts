import type { Logger } from 'pino';
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
/** The most teams and chats of which it is remembered. */
const MOST_REFUSED = 10_000;
/** How long it is remembered that the app may not read in a team or chat: someone may give the permission at any time. */
const REFUSED_MS = 600_000;
/** The permission is missing. */
const REFUSALS: ReadonlySet<number> = new Set([401, 403]);

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
  log: Pick<Logger, 'warn'>,
  now: () => number,
): ReadThread {
  /** Until when Graph is not asked about a team or chat, and then until it answers. */
  const refused = new Map<string, number>();

  /** Without the permission, Graph is left alone for a while. Other statuses are about one message, or pass. */
  function noteRefusal(where: string, status: number): void {
    if (!REFUSALS.has(status)) return;
    if (!refused.has(where))
      log.warn(
        { where, status },
        'teams: Microsoft Graph gives no messages of this team or chat, as where the permission is missing',
      );
    if (refused.size >= MOST_REFUSED) refused.clear();
    refused.set(where, now() + REFUSED_MS);
  }

  async function get<T>(tenant: string, address: string, schema: z.ZodType<T>): Promise<T | number> {
    const response = await fetch(address, {
      headers: { authorization: `Bearer ${await token(tenant)}` },
      redirect: 'error',
      signal: AbortSignal.timeout(CALL_MS),
    });
    const text = await response.text();
    return (response.ok ? readJson(schema, text)?.value : undefined) ?? response.status;
  }

  /** All replies, or the newest of many; the status if Graph does not give them. */
  async function repliesTo(tenant: string, root: string) {
    const replies: GraphMessage[] = [];
    let next: string | undefined = `${root}/replies?$top=${PAGE}`;
    for (let page = 0; page < MOST_PAGES && next !== undefined; page += 1) {
      const answer: z.infer<typeof GraphPage> | number = await get(tenant, next, GraphPage);
      if (typeof answer === 'number') return answer;
      replies.push(...answer.value);
      next = answer['@odata.nextLink'];
      // The token is for Graph alone.
      if (next !== undefined && !next.startsWith(`${url}/`)) return 0;
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
    // Permissions are given for a whole team, or for one chat.
    const where = isChannel ? `teams/${group}` : `chats/${at}`;
    if ((refused.get(where) ?? 0) > now()) return null;
    const inChannel = isChannel ? `/channels/${at}` : '';
    const address = `${url}/v1.0/${where}${inChannel}/messages/${encodeURIComponent(thread)}`;
    const root = await get(team, address, GraphMessage);
    if (typeof root === 'number') {
      noteRefusal(where, root);
      return null;
    }
    const rest = isChannel ? await repliesTo(team, address) : { replies: [], isWhole: true };
    if (typeof rest === 'number') {
      noteRefusal(where, rest);
      return null;
    }
    refused.delete(where);
    const messages = [root, ...rest.replies]
      .filter((one) => isSaid(one) && Number(one.id) < Number(below))
      .sort((a, b) => Number(a.id) - Number(b.id));
    const unread = rest.isWhole ? null : `only the newest ${rest.replies.length} replies were read`;
    return { messages: messages.map(messageOf), unread };
  }

  return (place, thread, below) => read(place, thread, below).catch(() => null);
}
