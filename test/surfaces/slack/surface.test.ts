import { inject } from 'vitest';
import * as z from 'zod';
import { CALL_TRIES } from '../../../src/surfaces/slack/clients.ts';
import { slack as surface } from '../../../src/surfaces/slack/surface.ts';
import { afterVerdictContract, type ChatRig } from '../../contracts/after-verdict.ts';
import { rulingsContract } from '../../contracts/rulings.ts';
import { type Seen, surfaceContract } from '../../contracts/surface.ts';
import { closeAfterEach, until } from '../../support/resources.ts';
import { type ShownMessage, TEAM } from '../../support/slack-double.ts';
import { lastView, nextTs, payloadsOf } from '../../support/slack-requests.ts';
import {
  type RunningJury,
  slackEnv,
  startJury,
  type Transport,
  withSlack,
} from '../../support/slack-service.ts';

closeAfterEach();

const Button = z.object({ action_id: z.string(), value: z.string() });
const Menu = z.object({ options: z.array(z.object({ value: z.string() })) });
const ACTIONS = {
  ...{ stop: 'check_stop', agree: 'vote_agree', right: 'blind_right' },
  ...{ 'judge these': 'judge_these', 'what is right': 'blind_say_more', 'take back': 'card_menu' },
  ...{ 'judge without': 'unsure_remark', belongs: 'unsure_answer', edit: 'open_form' },
  ...{ 'judge with': 'verdict_with_it', details: 'verdict_details', 'judge reading': 'trust_reading' },
  ...{ 'try again': 'check_try_again' },
  ...{ start: 'review_start', 'response right': 'review_right', 'response wrong': 'review_wrong' },
  ...{ 'not sure': 'review_unsure', 'whole case': 'review_case' },
  ...{ 'not this week': 'review_skip', never: 'review_never' },
} as const;

const MARKS = new Map([
  ['white_check_mark', 'pass'],
  ['x', 'fail'],
  ['white_medium_square', 'undecided'],
]);

/** What a click on a button of a message carries. */
function valueBehind(message: Seen, name: keyof typeof ACTIONS): string | undefined {
  const blocks = z
    .array(z.looseObject({ elements: z.array(z.unknown()).default([]) }))
    .parse(JSON.parse(message.text.slice(message.text.indexOf('\n'))));
  for (const element of blocks.flatMap(({ elements }) => elements)) {
    const menu = Menu.safeParse(element).data?.options.map(({ value }) => value);
    if (name === 'take back' && menu !== undefined) return menu.find((value) => value.startsWith('retract '));
    const button = Button.safeParse(element).data;
    if (button?.action_id === ACTIONS[name]) return button.value;
  }
  return undefined;
}

const seen = ({ ts, text, blocks }: ShownMessage): Seen => ({
  id: ts,
  text: `${text.replaceAll('\n', ' ')}\n${JSON.stringify(blocks)}`,
});

async function aRig(transport: Transport): Promise<ChatRig> {
  const slack = await withSlack();
  const started = new Map<unknown, RunningJury>();
  const deliverTo = (jury: unknown) => {
    const found = started.get(jury);
    if (found === undefined) throw new Error('this service was not started here');
    return found.deliver;
  };
  const ann = payloadsOf(slack);
  /** The message behind each request. */
  const asked = new Map<unknown, string>();
  return {
    surface,
    env: slackEnv(slack, transport),
    start: async (env, now) => {
      const jury = await startJury(slack, transport, env, undefined, now);
      started.set(jury, jury);
      return jury;
    },
    conversation: { team: TEAM, channel: slack.channel },
    person: { surface: 'slack', team: '', user: slack.users.ann },
    ask: async (jury, text) => {
      const ts = await slack.say(text);
      const again = async (to: unknown) => void (await deliverTo(to).event(ann.mention(text, ts)));
      await again(jury);
      const reply = async (to: unknown, said: string) => {
        const below = await slack.say(said, { thread: ts });
        await deliverTo(to).event(ann.mention(said, below, { thread_ts: ts }));
      };
      const change = async (to: unknown, more: Record<string, unknown>) =>
        void (await deliverTo(to).event({
          ...{ type: 'message', channel: slack.channel, channel_type: 'channel' },
          ...more,
        }));
      const said = (words: string) => ({ type: 'message', user: slack.users.ann, text: words, ts });
      let now = text;
      const edit = async (to: unknown, words: string) => {
        const offers = () =>
          slack
            .called('chat.postEphemeral')
            .filter(({ args }) => JSON.stringify(args).includes('judge_edited'));
        const before = offers().length;
        const message = { ...said(words), edited: { user: slack.users.ann, ts: nextTs() } };
        await change(to, { subtype: 'message_changed', message, previous_message: said(now) });
        now = words;
        const offer = await until(() => offers()[before]);
        const [, value = ''] = /"value":"([^"]+)"/.exec(JSON.stringify(offer.args.blocks)) ?? [];
        await deliverTo(to).interaction(ann.click('judge_edited', value, ts));
      };
      const remove = (to: unknown) => change(to, { subtype: 'message_deleted', deleted_ts: ts });
      asked.set(again, ts);
      return {
        again,
        reply,
        edit,
        remove,
        seen: async () => (await slack.written(slack.channel, ts)).map(seen),
      };
    },
    can: (message, button) => valueBehind(message, button) !== undefined,
    press: async (jury, message, button) => {
      const value = valueBehind(message, button) ?? '';
      const action_ts = String(Date.now() / 1000);
      const chosen = { type: 'overflow', action_id: 'card_menu', selected_option: { value }, action_ts };
      const click =
        button === 'take back'
          ? ann.click('card_menu', '', message.id, { actions: [chosen] })
          : ann.click(
              ACTIONS[button],
              value,
              message.id,
              message.at === undefined ? {} : { channel: { id: message.at, name: 'directmessage' } },
            );
      await deliverTo(jury).interaction(click);
    },
    send: async (jury, right) => {
      const chosen = { type: 'static_select', selected_option: { value: right } };
      const about = lastView(slack).private_metadata ?? '';
      const sent = ann.submit('correction_form', about, { right: { right: chosen } });
      const send = async () => void (await deliverTo(jury).interaction(sent));
      await send();
      return send;
    },
    hasThreads: true,
    folds: true,
    opened: () => JSON.stringify(slack.called('views.open').at(-1)?.args.view ?? ''),
    holdChanges: () => slack.hold('chat.update'),
    tries: CALL_TRIES,
    failCards: (times) => {
      slack.refuse('chat.update', 'internal_error', times, ({ args }) => /^FAIL/.test(String(args.text)));
      return {
        failed: () => slack.called('chat.update').filter(({ refused }) => refused).length,
        end: () => void slack.allow(),
      };
    },
    failChanges: (text) => {
      const shows = ({ args }: { args: Record<string, unknown> }) => String(args.text).includes(text);
      slack.refuse('chat.update', 'internal_error', Number.POSITIVE_INFINITY, shows);
      return {
        failed: () => slack.called('chat.update').filter(({ refused }) => refused).length,
        end: () => void slack.allow(),
      };
    },
    refuse: ({ slack: error, refuses }) => {
      const isThere = ({ args }: { args: Record<string, unknown> }) =>
        args.channel === slack.channel && (refuses === 'all' || /^FAIL/.test(String(args.text)));
      for (const method of ['chat.postMessage', 'chat.update'])
        slack.refuse(method, error, Number.POSITIVE_INFINITY, isThere);
      return {
        failed: () => slack.calls.filter(({ refused }) => refused).length,
        end: () => void slack.allow(),
      };
    },
    told: async () =>
      slack
        .called('chat.postMessage')
        .filter(({ args }) => args.channel === slack.users.ann)
        .map(({ args }) => ({ id: '1.1', text: `${args.text}\n${JSON.stringify(args.blocks)}` })),
    linkTo: ({ id }) => `/archives/${slack.channel}/p${id.replace('.', '')}`,
    marksOn: async ({ again }) => {
      const names = await slack.reactions(slack.channel, asked.get(again) ?? '');
      return names.map((one) => MARKS.get(one) ?? one);
    },
    failMarks: () => {
      slack.refuse('reactions.add', 'internal_error', Number.POSITIVE_INFINITY);
      return {
        failed: () => slack.called('reactions.add').filter(({ refused }) => refused).length,
        end: () => void slack.allow(),
      };
    },
    posts: async () => (await slack.written(slack.channel)).map(seen),
    received: async () =>
      (await slack.written(slack.im)).map((message) => ({ ...seen(message), at: slack.im })),
  };
}

surfaceContract('Slack over a socket', () => aRig('socket'));
rulingsContract('Slack', () => aRig('http'));
afterVerdictContract('Slack', () => aRig('http'));
// How Slack reaches the app makes no difference to most of this; what depends on it is tried both ways in the files beside this one.
if (inject('share') === 1) surfaceContract('Slack over HTTP', () => aRig('http'));
