import * as z from 'zod';
import { MessagePayload } from './message-payload.ts';

/** What is used of what Slack sends; more is let through. */

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

export const ReactionEvent = z.object({
  type: z.enum(['reaction_added', 'reaction_removed']),
  user: z.string(),
  reaction: z.string(),
  item: z.object({ type: z.literal('message'), channel: z.string(), ts: z.string() }),
  item_user: z.string().nullish(),
  event_ts: z.string(),
});

const Named = z.object({ id: z.string() });

/** A click on something in a message, a view or the home tab. */
export const ActionBody = z.object({
  user: Named,
  team: Named.nullish(),
  trigger_id: z.string(),
  channel: Named.nullish(),
  message: z.object({ ts: z.string(), thread_ts: z.string().nullish() }).nullish(),
  view: z
    .object({
      id: z.string(),
      type: z.string().nullish(),
      hash: z.string(),
      private_metadata: z.string(),
      state: z.unknown(),
    })
    .nullish(),
  actions: z.tuple([
    z.object({
      action_id: z.string(),
      block_id: z.string().nullish(),
      value: z.string().nullish(),
      /** Of menus of conversations. */
      selected_conversation: z.string().nullish(),
      /** Of other menus. */
      selected_option: z.object({ value: z.string() }).nullish(),
      action_ts: z.string(),
    }),
  ]),
});
export type ActionBody = z.infer<typeof ActionBody>;

export const ViewBody = z.object({
  user: Named,
  team: Named.nullish(),
  view: z.object({ id: z.string(), private_metadata: z.string(), state: z.unknown() }),
});

export const MessageShortcutBody = z.object({
  user: Named,
  team: Named.nullish(),
  trigger_id: z.string(),
  channel: Named,
  message: MessagePayload,
});

export const GlobalShortcutBody = z.object({ user: Named, team: Named.nullish(), trigger_id: z.string() });

export const CommandBody = z.object({
  team_id: z.string(),
  channel_id: z.string(),
  channel_name: z.string().nullish(),
  user_id: z.string(),
  trigger_id: z.string(),
  text: z.string().default(''),
});

export const HomeEvent = z.object({
  type: z.literal('app_home_opened'),
  user: z.string(),
  /** The viewer's own conversation with the app. */
  channel: z.string(),
  tab: z.string(),
});

/** Slack's times are seconds with six decimals, as text. */
export const msOf = (ts: string): number => Number(ts) * 1000;
