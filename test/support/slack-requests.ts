import { createHmac } from 'node:crypto';
import * as z from 'zod';
import { type SlackDouble, TEAM } from './slack-double.ts';

/** How requests of Slack reach the app. */
export interface Delivery {
  /** Resolves to what the app acknowledged with. */
  event: (event: Record<string, unknown>) => Promise<Answer>;
  interaction: (payload: Record<string, unknown>) => Promise<Answer>;
  command: (text: string, where: { channel: string; user: string }) => Promise<Answer>;
}

interface Answer {
  status: number;
  body: unknown;
}

export const SIGNING_SECRET = 'signing-secret-of-a-test';

interface Signing {
  secret?: string;
  /** How old the request says to be, seconds. */
  ageS?: number;
}

/** A request as Slack signs it: HMAC-SHA-256 over `v0:timestamp:body`. */
export async function signedPost(
  url: string,
  body: string,
  type: string,
  { secret = SIGNING_SECRET, ageS = 0 }: Signing = {},
): Promise<Answer> {
  const timestamp = String(Math.floor(Date.now() / 1000) - ageS);
  const signature = createHmac('sha256', secret).update(`v0:${timestamp}:${body}`).digest('hex');
  const response = await fetch(url, {
    method: 'POST',
    headers: {
      'content-type': type,
      'x-slack-request-timestamp': timestamp,
      'x-slack-signature': `v0=${signature}`,
    },
    body,
  });
  const text = await response.text();
  return { status: response.status, body: text === '' ? '' : JSON.parse(text) };
}

let eventCount = 0;

export const eventBody = (event: Record<string, unknown>, self: string): Record<string, unknown> => ({
  type: 'event_callback',
  team_id: TEAM,
  api_app_id: 'A1',
  event_id: `Ev${++eventCount}`,
  event_time: Math.floor(Date.now() / 1000),
  authorizations: [{ team_id: TEAM, user_id: self, is_bot: true }],
  event,
});

const commandBody = (text: string, { channel, user }: { channel: string; user: string }) => ({
  command: '/jury',
  text,
  team_id: TEAM,
  channel_id: channel,
  user_id: user,
  trigger_id: 'trigger',
  response_url: 'http://127.0.0.1:9/unused',
});

export function overHttp(port: number, self: string, signing: Signing = {}): Delivery {
  const url = `http://127.0.0.1:${port}/slack/events`;
  const form = 'application/x-www-form-urlencoded';
  return {
    event: (event) => signedPost(url, JSON.stringify(eventBody(event, self)), 'application/json', signing),
    interaction: (payload) =>
      signedPost(url, new URLSearchParams({ payload: JSON.stringify(payload) }).toString(), form, signing),
    command: (text, where) =>
      signedPost(url, new URLSearchParams(commandBody(text, where)).toString(), form, signing),
  };
}

export function overSocket(slack: SlackDouble): Delivery {
  const sent = async (type: string, payload: unknown): Promise<Answer> => ({
    status: 200,
    body: (await slack.sendEnvelope(type, payload)) ?? '',
  });
  return {
    event: (event) => sent('events_api', eventBody(event, slack.users.jury)),
    interaction: (payload) => sent('interactive', payload),
    command: (text, where) => sent('slash_commands', commandBody(text, where)),
  };
}

/** What Slack sends, with what the app looks at and a little of the rest. */
export function payloadsOf(slack: SlackDouble, user: string = slack.users.ann) {
  const person = { user: { id: user, team_id: TEAM }, team: { id: TEAM, domain: 'acme' } };
  const trigger_id = '123.456.abc';
  return {
    mention: (text: string, ts: string, more: Record<string, unknown> = {}) => ({
      type: 'app_mention',
      user,
      text: `<@${slack.users.jury}> ${text}`,
      ts,
      event_ts: ts,
      channel: slack.channel,
      ...more,
    }),
    directMessage: (text: string, ts: string, more: Record<string, unknown> = {}) => ({
      type: 'message',
      channel_type: 'im',
      channel: slack.im,
      user,
      text,
      ts,
      event_ts: ts,
      ...more,
    }),
    reaction: (type: 'reaction_added' | 'reaction_removed', reaction: string, ts: string, at: string) => ({
      type,
      user,
      reaction,
      item: { type: 'message', channel: slack.channel, ts },
      item_user: slack.users.jury,
      event_ts: at,
    }),
    click: (action_id: string, value: string, ts: string, more: Record<string, unknown> = {}) => ({
      type: 'block_actions',
      ...person,
      trigger_id,
      channel: { id: slack.channel, name: 'evals' },
      message: { ts, text: '' },
      container: { type: 'message', message_ts: ts },
      actions: [{ type: 'button', action_id, block_id: 'b', value, action_ts: nextTs() }],
      ...more,
    }),
    /** In a form that is open, with what was filled in beside what it began with. */
    clickIn: (
      view: ReturnType<typeof lastView>,
      action_id: string,
      values: Record<string, unknown> = {},
    ) => ({
      type: 'block_actions',
      ...person,
      trigger_id,
      container: { type: 'view' },
      view: { ...view, id: 'V1', hash: 'h', state: { values: { ...unchanged(view), ...values } } },
      actions: [{ type: 'button', action_id, block_id: 'b', value: '', action_ts: nextTs() }],
    }),
    submit: (
      callback_id: string,
      private_metadata: string,
      values: Record<string, unknown>,
      id = `V${nextTs()}`,
    ) => ({
      type: 'view_submission',
      ...person,
      trigger_id,
      view: { id, type: 'modal', callback_id, private_metadata, state: { values }, hash: 'h' },
    }),
    messageShortcut: (message: Record<string, unknown>) => ({
      type: 'message_action',
      callback_id: 'ask_the_jury',
      ...person,
      trigger_id,
      action_ts: nextTs(),
      channel: { id: slack.channel, name: 'evals' },
      message: { type: 'message', user, ...message },
    }),
    globalShortcut: () => ({
      type: 'shortcut',
      callback_id: 'ask_the_jury_about',
      ...person,
      trigger_id,
      action_ts: nextTs(),
    }),
  };
}

let clicks = 0;
/** Later than every one before, as Slack writes times. */
export const nextTs = (): string => `${Math.floor(Date.now() / 1000)}.${String(++clicks).padStart(6, '0')}`;

/** The form that was opened last. */
export function lastView(slack: SlackDouble, method = 'views.open') {
  const call = slack.called(method).at(-1);
  return z
    .looseObject({
      callback_id: z.string().optional(),
      private_metadata: z.string().optional(),
      blocks: z.array(z.looseObject({ type: z.string() })),
    })
    .parse(call?.args.view);
}

/** The state of a form with nothing changed: what stands in its inputs at first. */
export function unchanged(view: ReturnType<typeof lastView>): Record<string, Record<string, unknown>> {
  const values: Record<string, Record<string, unknown>> = {};
  for (const block of view.blocks) {
    const element = block.element ?? block.accessory;
    if (typeof element !== 'object' || element === null || typeof block.block_id !== 'string') continue;
    const { action_id, initial_value, initial_date, initial_time, initial_option, initial_options } =
      Object(element);
    values[block.block_id] = {
      [String(action_id)]: {
        value: initial_value ?? null,
        selected_date: initial_date ?? null,
        selected_time: initial_time ?? null,
        selected_option: initial_option ?? null,
        selected_options: initial_options ?? null,
      },
    };
  }
  return values;
}
