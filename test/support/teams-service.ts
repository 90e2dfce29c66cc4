import type {
  IInstalledActivity,
  IMessageActivity,
  IMessageDeleteActivity,
  IMessageReactionActivity,
  IMessageUpdateActivity,
  InvokeActivity,
  IUnInstalledActivity,
} from '@microsoft/teams.api';
import * as z from 'zod';
import { slack } from '../../src/surfaces/slack/surface.ts';
import type { SurfaceHost } from '../../src/surfaces/surface.ts';
import { connectTeams } from '../../src/surfaces/teams/connect.ts';
import type { TeamsPace } from '../../src/surfaces/teams/pace.ts';
import { teams as surface } from '../../src/surfaces/teams/surface.ts';
import type { TeamsCloud } from '../../src/surfaces/teams/teams-app.ts';
import { page } from '../../src/surfaces/web/page-surface.ts';
import { PASTE } from './pastes.ts';
import { closing, until } from './resources.ts';
import { playgroundAt, type RunningService, runService } from './run-service.ts';
import { startTeamsDouble, type TeamsDouble, type TeamsPost, textOfPost } from './teams-double.ts';

export const TENANT = '11111111-1111-4111-8111-111111111111';
const BOT = '28:22222222-2222-4222-8222-222222222222';
export const CHANNEL = '19:judged@thread.tacv2';
export const GROUP = '19:lunch@thread.v2';

/** What the SDK's types require but Teams leaves out: an account's role, and the answer to a preview that was not shown. */
type Unsent = 'role' | 'botMessagePreviewAction';

type Key<K, Value> = Value extends (...args: never[]) => unknown ? never : Exclude<K, Unsent>;

/** A type of the SDK as JSON: dates are texts, and there are no methods. */
type Wire<T> = unknown extends T
  ? unknown
  : T extends Date
    ? string
    : T extends string | number | boolean | null | undefined
      ? T
      : T extends readonly (infer Item)[]
        ? readonly Wire<Item>[]
        : { [K in keyof T as Key<K, T[K]>]: Wire<T[K]> } & { [K in keyof T & Unsent]?: Wire<T[K]> };

/** Without what the SDK itself derives from `channelData`. */
type Posted<T> = T extends object
  ? Wire<Omit<T, 'channel' | 'meeting' | 'notification' | 'team' | 'tenant'>>
  : never;

export type TeamsMessage = Posted<IMessageActivity>;
type Edit = Posted<IMessageUpdateActivity>;
export type Reactions = Pick<Posted<IMessageReactionActivity>, 'reactionsAdded' | 'reactionsRemoved'>;
type InvokeValue<Name> = Wire<Extract<InvokeActivity, { name: Name }>['value']>;

/** What Teams posts to an app, as far as Jury reads it. */
export type TeamsActivity =
  | TeamsMessage
  | Edit
  | Posted<IMessageDeleteActivity>
  | Posted<IMessageReactionActivity>
  | Posted<IInstalledActivity>
  | Posted<IUnInstalledActivity>
  | Posted<InvokeActivity>;

/** A tenth of the usual waits: for tests that are not about how long these are. */
export const QUICK: TeamsPace = { writeMs: 17, streamMs: 100, changeMs: 100, repeatMs: 300, retryMs: 25 };

/** @param pace of the services that write to it, if it is not the usual one */
export async function withTeams(pace?: TeamsPace): Promise<TeamsDouble> {
  const teams = await startTeamsDouble(pace);
  closing(teams.close);
  return teams;
}

/** The whole service in this process, as for a local playground, at the pace that the double takes. */
export function startTeamsJury(
  { url, pace }: TeamsDouble,
  env: Record<string, string> = {},
  now?: () => number,
  microsoft: TeamsCloud = {},
): Promise<RunningService> {
  const paced = { ...surface, connect: (host: SurfaceHost) => connectTeams(host, microsoft, pace) };
  return runService({ TEAMS_PLAYGROUND_URL: url, ...env }, [slack, paced, page], now);
}

const Delivered = z.object({ conversation: z.object({ id: z.string() }) });

type Kind = 'personal' | 'groupChat' | 'channel';

let people = 0;

/** Someone who writes and clicks in Teams. */
export function aPerson(teams: TeamsDouble, name = 'Ann', tenant = TENANT) {
  // No two messages of a conversation have the same id.
  let next = 1_700_100_000_000 + people;
  people += 1;
  const user = `00000000-0000-4000-8000-${Buffer.from(name).toString('hex').padStart(12, '0').slice(0, 12)}`;
  const from = { id: `29:${name}`, name, aadObjectId: user };
  const personal = `a:${name}`;
  const kindOf = (channel: string): Kind =>
    channel.startsWith('a:') ? 'personal' : channel.includes('tacv2') ? 'channel' : 'groupChat';

  const activity = <const Rest extends object>(channel: string, thread: string | null, rest: Rest) => ({
    serviceUrl: teams.url,
    channelId: 'msteams',
    timestamp: new Date(next).toISOString(),
    from,
    recipient: { id: BOT, name: 'Jury' },
    conversation: {
      id: thread === null ? channel : `${channel};messageid=${thread}`,
      conversationType: kindOf(channel),
      tenantId: tenant,
      ...(kindOf(channel) === 'personal' ? {} : { isGroup: true }),
    },
    channelData: { tenant: { id: tenant } },
    ...rest,
  });

  async function deliverUnchecked(port: number, body: unknown) {
    const at = Delivered.safeParse(body).data?.conversation.id.split(';')[0];
    if (at !== undefined) teams.enter(at, user);
    const response = await fetch(playgroundAt(port), {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(body),
    });
    const text = await response.text();
    return { status: response.status, body: text === '' || text === 'OK' ? null : JSON.parse(text) };
  }

  return {
    user,
    personal,
    deliver: (port: number, body: TeamsActivity) => deliverUnchecked(port, body),
    /** For malformed bodies, which Teams never sends. */
    deliverUnchecked,
    /** A message as Teams delivers it: in channels and group chats it mentions the app. */
    message: (channel: string, text: string, rest: Partial<TeamsMessage> = {}) => {
      next += 1_000;
      const id = String(next);
      const mention = kindOf(channel) === 'personal' ? '' : '<at>Jury</at> ';
      return activity(channel, kindOf(channel) === 'channel' ? id : null, {
        type: 'message',
        id,
        text: `${mention}${text}`,
        entities:
          mention === ''
            ? []
            : [{ type: 'mention' as const, text: '<at>Jury</at>', mentioned: { id: BOT, name: 'Jury' } }],
        ...rest,
      });
    },
    invoke: <Name extends InvokeActivity['name']>(
      channel: string,
      thread: string | null,
      name: Name,
      value: InvokeValue<Name>,
      replyToId?: string,
    ) => {
      next += 1_000;
      return activity(channel, thread, {
        type: 'invoke',
        name,
        id: `f:${next}`,
        value,
        ...(replyToId === undefined ? {} : { replyToId }),
      });
    },
    installed: (channel = personal) =>
      activity(channel, null, {
        type: 'installationUpdate',
        action: 'add',
        id: 'f:installed',
      }),
    /** As Teams says that the app was removed. */
    removed: (channel = personal) => {
      next += 1_000;
      return activity(channel, null, {
        type: 'installationUpdate',
        action: 'remove',
        id: `f:${next}`,
      });
    },
    react: (channel: string, thread: string | null, replyToId: string, rest: Reactions) => {
      next += 1_000;
      return activity(channel, thread, {
        type: 'messageReaction',
        id: `f:${next}`,
        replyToId,
        ...rest,
      });
    },
  };
}

/** The whole service with two people in Teams. @param isQuick whether it waits less than usual, and Teams takes that */
export async function aTeam(env: Record<string, string> = {}, { isQuick = true } = {}) {
  const teams = await withTeams(isQuick ? QUICK : undefined);
  return {
    teams,
    ann: aPerson(teams, 'Ann'),
    bob: aPerson(teams, 'Bob'),
    jury: await startTeamsJury(teams, env),
  };
}

export const recent = async (jury: RunningService) =>
  (await jury.parts.store()).recentVerdicts({ channel: null, limit: 99 });

/** The post that says something. */
export const saying = (teams: TeamsDouble, start: RegExp): Promise<TeamsPost> =>
  until(async () => teams.posts.find((post) => start.test(textOfPost(post))));

export type Someone = ReturnType<typeof aPerson>;

/** Asks, and waits for the card. */
export async function judged(
  { teams, jury }: { teams: TeamsDouble; jury: RunningService },
  who: Someone,
  channel: string,
) {
  const asked = who.message(channel, PASTE);
  await who.deliver(jury.service.port, asked);
  const card = await saying(teams, /^FAIL/);
  const record = await until(async () => (await recent(jury))[0]);
  const thread = channel === CHANNEL ? asked.id : null;
  return { card, record, thread };
}

/** A message of someone as Teams posts it once it is edited. */
export const editOf = (asked: TeamsMessage, text: string, rest: Partial<Edit> = {}): Edit => ({
  ...asked,
  type: 'messageUpdate',
  text,
  channelData: { ...asked.channelData, eventType: 'editMessage' },
  ...rest,
});

export const deletionOf = (asked: TeamsMessage): Posted<IMessageDeleteActivity> => ({
  ...asked,
  type: 'messageDelete',
  channelData: { ...asked.channelData, eventType: 'softDeleteMessage' },
});

/** How Teams names “Ask the jury” in a message's menu, when its form is opened and when it is sent. */
export const FROM_MESSAGE = { commandId: 'ask', commandContext: 'message' } as const;

/** What a button sends that opens no dialog. */
export const presses = (data: Record<string, unknown> = {}): InvokeValue<'adaptiveCard/action'> => ({
  action: { type: 'Action.Execute', data },
});
export const executes = (id: string, does: string, rest: object = {}) => presses({ do: does, id, ...rest });

/** What Teams' own thumbs send. */
export const thumb = (
  reaction: 'like' | 'dislike',
  comment?: string,
): InvokeValue<'message/submitAction'> => ({
  actionName: 'feedback',
  actionValue: { reaction, feedback: JSON.stringify({ feedbackText: comment }) },
});
