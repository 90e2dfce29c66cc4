import * as z from 'zod';
import { MessagePayload } from './message-source.ts';

// Only the fields in use; others are ignored.

export const EventBody = z.object({
  type: z.literal('event_callback'),
  team_id: z.string(),
  event: z.looseObject({ type: z.string() }),
});

export const MessageEvent = MessagePayload.extend({
  type: z.enum(['app_mention', 'message']),
  channel: z.string(),
  channel_type: z.string().nullish(),
});

/** An edited or deleted message. A deleted message with replies is replaced by a tombstone. */
export const ChangeEvent = z.discriminatedUnion('subtype', [
  z.object({
    type: z.literal('message'),
    subtype: z.literal('message_changed'),
    channel: z.string(),
    message: MessagePayload.extend({ edited: z.object({ ts: z.string() }).nullish() }),
    previous_message: MessagePayload.nullish(),
  }),
  z.object({
    type: z.literal('message'),
    subtype: z.literal('message_deleted'),
    channel: z.string(),
    deleted_ts: z.string(),
    previous_message: MessagePayload.nullish(),
  }),
]);

export const ReactionEvent = z.object({
  type: z.enum(['reaction_added', 'reaction_removed']),
  user: z.string(),
  reaction: z.string(),
  item: z.object({ type: z.literal('message'), channel: z.string(), ts: z.string() }),
  item_user: z.string().nullish(),
  event_ts: z.string(),
});

/** Who acted and where, as Slack signed it. */
export interface Origin {
  user: string;
  /** Null where Slack does not say. */
  team: string | null;
  /** Null outside any conversation, such as in a form or on App Home. */
  channel: string | null;
  thread: string | null;
}

const Named = z.object({ id: z.string() });

const nowhere = { channel: null, thread: null } as const;

export const GlobalShortcut = z
  .object({ user: Named, team: Named.nullish(), trigger_id: z.string() })
  .transform(({ user, team, trigger_id }) => ({
    user: user.id,
    team: team?.id ?? null,
    ...nowhere,
    trigger: trigger_id,
  }));

export const MessageShortcut = z
  .object({
    user: Named,
    team: Named.nullish(),
    trigger_id: z.string(),
    channel: Named,
    message: MessagePayload,
  })
  .transform(({ user, team, channel, message, trigger_id }) => ({
    user: user.id,
    team: team?.id ?? null,
    channel: channel.id,
    thread: message.thread_ts ?? message.ts,
    trigger: trigger_id,
    message,
  }));

export const Command = z
  .object({
    team_id: z.string(),
    channel_id: z.string(),
    channel_name: z.string().nullable().default(null),
    user_id: z.string(),
    trigger_id: z.string(),
    text: z.string().default(''),
  })
  .transform(({ team_id, channel_id, channel_name, user_id, trigger_id, text }) => ({
    user: user_id,
    team: team_id,
    channel: channel_id,
    thread: null,
    channelName: channel_name,
    trigger: trigger_id,
    text,
  }));
export type Command = z.infer<typeof Command>;

export const HomeEvent = z.object({
  user: z.string(),
  /** The viewer's own conversation with the app. */
  channel: z.string(),
  tab: z.string(),
});

/** A click in a message, a view or App Home. */
export const Click = z
  .object({
    user: Named,
    team: Named.nullish(),
    trigger_id: z.string(),
    channel: Named.nullish(),
    message: z.object({ ts: z.string(), thread_ts: z.string().nullish() }).nullish(),
    view: z
      .object({
        id: z.string(),
        type: z.string().nullish(),
        callback_id: z.string().nullish(),
        hash: z.string(),
        private_metadata: z.string(),
        state: z.unknown(),
      })
      .nullish(),
    actions: z.tuple([
      z.object({
        block_id: z.string().nullish(),
        value: z.string().nullish(),
        /** Set by conversation menus. */
        selected_conversation: z.string().nullish(),
        /** Set by other menus. */
        selected_option: z.object({ value: z.string() }).nullish(),
        action_ts: z.string(),
      }),
    ]),
  })
  .transform(({ user, team, trigger_id, channel, message, view, actions: [action] }) => ({
    user: user.id,
    team: team?.id ?? null,
    channel: channel?.id ?? null,
    thread: message?.thread_ts ?? null,
    /** The message that was clicked in. */
    message: message?.ts ?? null,
    view: view ?? null,
    block: action.block_id ?? null,
    trigger: trigger_id,
    /** The value of the button or the selected option. */
    value: action.selected_option?.value ?? action.value ?? '',
    conversation: action.selected_conversation ?? null,
    at: msOf(action.action_ts),
  }));
export type Click = z.infer<typeof Click>;

export const Submission = z
  .object({
    user: Named,
    team: Named.nullish(),
    view: z.object({ id: z.string(), private_metadata: z.string(), state: z.unknown() }),
  })
  .transform(({ user, team, view }) => ({ user: user.id, team: team?.id ?? null, ...nowhere, view }));
export type Submission = z.infer<typeof Submission>;

/** Milliseconds; Slack's timestamps are seconds as text, with six decimals. */
export const msOf = (ts: string): number => Number(ts) * 1000;
