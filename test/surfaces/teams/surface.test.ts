import * as z from 'zod';
import { TRIES } from '../../../src/surfaces/teams/messages.ts';
import { teams as surface } from '../../../src/surfaces/teams/surface.ts';
import { afterVerdictContract, type ChatRig } from '../../contracts/after-verdict.ts';
import { rulingsContract } from '../../contracts/rulings.ts';
import { type Seen, surfaceContract } from '../../contracts/surface.ts';
import { closeAfterEach, until } from '../../support/resources.ts';
import { type TeamsPost, textOfPost } from '../../support/teams-double.ts';
import {
  aPerson,
  CHANNEL,
  deletionOf,
  editOf,
  presses,
  QUICK,
  startTeamsJury,
  TENANT,
  withTeams,
} from '../../support/teams-service.ts';

closeAfterEach();

const PAGES = 'https://teams.test';
const TEAM = { id: '19:general@thread.tacv2', aadGroupId: '33333333-3333-4333-8333-333333333333' };

const DOES = {
  ...{ stop: 'stop', agree: 'agree', right: 'blind-right' },
  ...{ 'judge these': 'judge-these', 'what is right': 'correct', 'take back': 'retract' },
  ...{ 'judge without': 'unsure-remark', belongs: 'unsure-answer', edit: 'ask' },
  ...{ 'judge with': 'with-it', details: 'details', 'judge reading': 'trust-reading' },
  ...{ 'try again': 'try-again' },
  ...{ start: 'review-start', 'response right': 'review-right', 'response wrong': 'review-wrong' },
  ...{ 'not sure': 'review-unsure', 'whole case': 'review-case' },
  ...{ 'not this week': 'review-skip', never: 'review-never' },
} as const;
const Content = z.object({ actions: z.array(z.object({ data: z.record(z.string(), z.unknown()) })) });
const Dialog = z.object({
  task: z.object({ value: z.object({ card: z.object({ content: Content }) }) }),
});

/** The data of the button that does something, wherever it stands in the card. */
function buttonIn(value: unknown, does: string): Record<string, unknown> | undefined {
  if (Array.isArray(value)) return value.map((inner) => buttonIn(inner, does)).find((found) => found);
  if (typeof value !== 'object' || value === null) return undefined;
  if ('do' in value && value.do === does) return { ...value };
  return Object.values(value)
    .map((inner) => buttonIn(inner, does))
    .find((found) => found);
}

async function aRig(): Promise<ChatRig> {
  const teams = await withTeams(QUICK);
  const ann = aPerson(teams);
  let edits = 0;
  let opened = '';
  let dialog: { channel: string; thread: string | null; content: z.infer<typeof Content> } | null = null;
  /** The buttons of a message as it was seen: what is pressed may have changed since. */
  const attached = new WeakMap<Seen, unknown>();
  const feedback = new WeakMap<Seen, boolean>();
  const seen = (post: TeamsPost): Seen => {
    const links = JSON.stringify(post.activity.attachments ?? []).match(/https:\/\/[^"]+/g) ?? [];
    const shown = { id: post.id, text: [textOfPost(post), ...links].join('\n') };
    attached.set(shown, post.activity.attachments);
    feedback.set(shown, JSON.stringify(post.activity.channelData ?? {}).includes('feedbackLoop'));
    return shown;
  };
  const portOf = (jury: unknown): number => {
    if (typeof jury === 'object' && jury !== null && 'service' in jury) {
      const { service } = jury as { service: { port: number } };
      return service.port;
    }
    throw new Error('not started here');
  };
  const takesFeedback = (message: Seen): boolean => feedback.get(message) === true;
  const postOf = (id: string) => teams.posts.find((post) => post.id === id);
  return {
    surface,
    env: { TEAMS_PLAYGROUND_URL: teams.url },
    conversation: { team: TENANT, channel: CHANNEL },
    person: { surface: surface.name, team: TENANT, user: ann.user },
    start: async (env, now) => {
      const jury = await startTeamsJury(teams, env, now, { pagesUrl: PAGES });
      // Who installs the app can be written to.
      await ann.deliver(jury.service.port, ann.installed());
      return jury;
    },
    ask: async (jury, text) => {
      const message = ann.message(CHANNEL, text);
      const asked = { ...message, channelData: { ...message.channelData, team: TEAM } };
      await ann.deliver(portOf(jury), asked);
      const thread = asked.conversation.id;
      return {
        again: async (to) => void (await ann.deliver(portOf(to), asked)),
        reply: async (to, said) => {
          const { conversation } = asked;
          await ann.deliver(portOf(to), { ...ann.message(CHANNEL, said), conversation });
        },
        edit: async (to, words) => {
          const offers = () => teams.posts.filter((post) => /^You changed/.test(textOfPost(post)));
          edits += 1;
          const timestamp = new Date(Date.now() + edits * 1_000).toISOString();
          await ann.deliver(portOf(to), editOf(asked, words, { timestamp }));
          const offer = await until(() => offers().at(-1));
          const data = buttonIn(offer.activity.attachments, 'judge-edited');
          await ann.deliver(
            portOf(to),
            ann.invoke(
              CHANNEL,
              thread.split(';messageid=')[1] ?? null,
              'adaptiveCard/action',
              presses(data),
              offer.id,
            ),
          );
        },
        remove: async (to) => void (await ann.deliver(portOf(to), deletionOf(asked))),
        seen: async () =>
          teams.posts
            .filter(({ conversation, onlyFor }) => conversation === thread && onlyFor === undefined)
            .map(seen),
      };
    },
    // Teams shows thumbs of its own.
    can: (message, button) =>
      button === 'agree'
        ? takesFeedback(message)
        : buttonIn(attached.get(message), DOES[button]) !== undefined,
    press: async (jury, message, button) => {
      const { id } = message;
      const post = postOf(id);
      const data = buttonIn(attached.get(message), DOES[button]);
      const isFeedback = button === 'agree' && takesFeedback(message);
      const [channel = '', thread = null] = (post?.conversation ?? '').split(';messageid=');
      if (isFeedback) {
        const value = {
          actionName: 'feedback',
          actionValue: { reaction: 'like', feedback: '{"feedbackText":""}' },
        } as const;
        const given = ann.invoke(channel, thread, 'message/submitAction', value, id);
        return void (await ann.deliver(portOf(jury), given));
      }
      const isDialog = ['what is right', 'edit', 'details', 'whole case'].includes(button);
      const invoke = isDialog
        ? ann.invoke(channel, thread, 'task/fetch', { data: { ...data } }, id)
        : ann.invoke(channel, thread, 'adaptiveCard/action', presses(data), id);
      const { body } = await ann.deliver(portOf(jury), invoke);
      opened = JSON.stringify(body);
      if (button === 'what is right')
        dialog = { channel, thread, content: Dialog.parse(body).task.value.card.content };
    },
    send: async (jury, right) => {
      if (dialog === null) throw new Error('no dialog was opened');
      const { channel, thread, content } = dialog;
      const data = { ...content.actions[0]?.data, right };
      const sent = ann.invoke(channel, thread, 'task/submit', { data });
      const send = async () => void (await ann.deliver(portOf(jury), sent));
      await send();
      return send;
    },
    hasThreads: true,
    folds: true,
    linkTo: ({ id }) => {
      const thread = postOf(id)?.conversation.split(';messageid=')[1];
      return `${PAGES}/l/message/${encodeURIComponent(CHANNEL)}/${id}?tenantId=${TENANT}&groupId=${TEAM.aadGroupId}&parentMessageId=${thread}&createdTime=${id}`;
    },
    opened: () => opened,
    holdChanges: () => teams.hold(),
    tries: TRIES,
    failCards: (times) => {
      teams.refuse({ status: 500, times, says: '"FAIL' });
      return { failed: teams.refused, end: () => teams.refuse({ status: 500, times: 0 }) };
    },
    failChanges: (text) => {
      teams.refuse({ status: 500, times: Number.POSITIVE_INFINITY, says: text });
      return { failed: teams.refused, end: () => teams.refuse({ status: 500, times: 0 }) };
    },
    refuse: ({ teams: error, refuses }) => {
      if (error === null) return null;
      const says = refuses === 'cards' ? { says: '"FAIL' } : {};
      teams.refuse({ ...error, ...says, conversation: CHANNEL, times: Number.POSITIVE_INFINITY });
      return { failed: teams.refused, end: () => teams.refuse({ status: 500, times: 0 }) };
    },
    told: async () =>
      teams.posts
        .filter(({ conversation }) => conversation === ann.personal)
        .map(seen)
        .filter(({ text }) => !text.startsWith('Paste what')),
    posts: async () => teams.posts.filter(({ conversation }) => conversation === CHANNEL).map(seen),
    received: async () => teams.posts.filter(({ conversation }) => conversation === ann.personal).map(seen),
  };
}

surfaceContract('Teams', aRig);
rulingsContract('Teams', aRig);
afterVerdictContract('Teams', aRig);
