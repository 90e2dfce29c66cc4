import { isStoreAway, JuryError, type KeyValue } from '../../common/index.ts';
import type { Digest, DigestPoster, PostKey } from '../../digests/index.ts';
import { messageIn, WordedError, wordsIn } from '../../words/index.ts';
import type { Languages } from '../chat/index.ts';
import { loadTrendPng } from '../chat/lazy.ts';
import {
  answerDigestCommand,
  type DigestAnswer,
  type DigestAsker,
  readDigestCommand,
  readScheduleForm,
  scheduleDigest,
  scheduleForm,
  scheduleProblemAt,
} from '../desks/index.ts';
import { type Form, refilled } from '../forms/index.ts';
import type { OpenSurface } from '../index.ts';
import type { Origin } from './activities.ts';
import { type AnswerCommand, actorOf, type Dialog, type Sent, type TeamsContext } from './context.ts';
import { actions, kindOf, TEAMS } from './ids.ts';
import { GONE, type Messages, type Places, type Target, type TeamsMessage } from './messages.ts';
import { chartOf, digestDetails, digestMessage } from './render/digest.ts';
import { heading, lines, message, opensDialog, run } from './render/elements.ts';
import { EXPAND, optionalDialog, readFormData } from './render/form.ts';
import { errorMessage, linesMessage, lineText } from './render/notices.ts';
import { statusOf } from './teams-app.ts';

/** What it takes to post without listening. */
export interface PosterParts {
  store: KeyValue;
  messages: Messages;
  places: Places;
  now: () => number;
  languages: Languages;
}

/** Teams stores no key with a message, so the store keeps the message's id under the key, for longer than a digest is retried. */
const KEPT_MS = 7 * 86_400_000;

/** The prefix for commands. */
const COMMAND = '@Jury';

const keyOf = ({ schedule, slot, part }: PostKey): string => `teams-digest:${schedule}/${slot}/${part}`;

const targetOf = (channel: string, thread: string | null): Target => ({ channel, thread });

/** The largest picture on a card. Base64 makes it a third larger, and the rest of the digest must fit, too. */
const PICTURE_BYTES = 9_000;

/** The chart as a picture embedded in the card, so that no other server is needed; null if there is none. */
async function pictureOf(blocks: Digest['blocks']): Promise<string | null> {
  const chart = chartOf(blocks);
  if (chart === undefined) return null;
  const { smallTrendPng } = await loadTrendPng();
  const png = await smallTrendPng(chart, PICTURE_BYTES).catch(() => null);
  return png === null ? null : `data:image/png;base64,${Buffer.from(png).toString('base64')}`;
}

/**
 * Posts digests to Teams. Posts only the headline first and updates it to the digest once its id is stored, so that a process
 * that dies in between leaves a stray headline, but never a second digest.
 */
export const createTeamsDigestPoster = ({
  store,
  messages,
  places,
  now,
  languages,
}: PosterParts): DigestPoster => ({
  surface: TEAMS,
  command: COMMAND,
  languageOf: ({ channel }) => languages.inConversation(channel),
  post: async ({ channel }, digest, key, thread) => {
    const isMain = key.part === 'main';
    const picture = await pictureOf(isMain ? digest.blocks : digest.details);
    const language = await languages.inConversation(channel);
    const shown = (isMain ? digestMessage : digestDetails)(digest, picture, language);
    const target = targetOf(channel, thread);
    const begun = async (): Promise<string> => {
      const headline = { body: [heading(shown.summary)] };
      const id = await messages.post(target, message(shown.summary, headline));
      await store.setIfAbsent(keyOf(key), id, now(), KEPT_MS);
      return id;
    };
    const id = (await store.get(keyOf(key), now())) ?? (await begun());
    try {
      await messages.update(target, id, shown);
      return id;
    } catch (thrown) {
      if (!GONE.has(statusOf(thrown) ?? 0)) throw thrown;
    }
    // Someone has deleted the headline.
    await store.delete(keyOf(key));
    const next = await begun();
    await messages.update(target, next, shown);
    return next;
  },
  // Posting again finds the message and completes it.
  find: async () => null,
  notify: async ({ team }, person, problem) => {
    const channel = person === null ? null : await places.personal(team, person);
    if (channel === null)
      throw new WordedError('usage', ({ errors }) => errors.digestNotPosted.noPersonalChat);
    const language = await languages.ofPerson(person ?? '', channel);
    await messages.post(targetOf(channel, null), errorMessage(problem(language)));
  },
});

/**
 * Announces a change that affects a whole conversation.
 * @param nameOf people's names, if known
 */
export const createTeamsAnnouncer =
  (messages: Messages, nameOf: Places['nameOf'], languages: Languages): OpenSurface['announce'] =>
  async (channel, says) => {
    if (kindOf(channel) === 'direct') return false;
    const line = says(await languages.inConversation(channel));
    await messages.post(targetOf(channel, null), linesMessage(nameOf, [line]));
    return true;
  };

const askerOf = ({ texts }: TeamsContext, origin: Origin): DigestAsker => ({
  surface: TEAMS,
  team: origin.tenant,
  channel: origin.channel,
  channelName: null,
  user: origin.user,
  actor: actorOf(origin),
  language: texts.language,
  command: COMMAND,
});

const textOf = (context: TeamsContext, answer: DigestAnswer): string =>
  'lines' in answer
    ? answer.lines.map((line) => lineText(context.nameOf, line)).join(' ')
    : wordsIn(context.texts.language).schedules.done;

/** The time zone of a person's Teams; UTC until Teams has said. */
const zoneOf = async ({ places }: TeamsContext, { tenant, user }: Origin): Promise<string> =>
  (await places.profile(tenant, user))?.timeZone ?? 'UTC';

/**
 * The answer to a command, or why it failed.
 * @throws JuryError `store-unavailable`
 */
async function answerTo(
  context: TeamsContext,
  origin: Origin,
  command: Parameters<typeof answerDigestCommand>[2],
): Promise<DigestAnswer> {
  try {
    return await answerDigestCommand(context, askerOf(context, origin), command, () =>
      zoneOf(context, origin),
    );
  } catch (thrown) {
    if (!(thrown instanceof JuryError) || isStoreAway(thrown)) throw thrown;
    return { lines: [[messageIn(context.texts.language, thrown)]] };
  }
}

/** Announces a change in its conversation. Resolves to whether everyone there, the asker too, has been told. */
const announce = async (
  context: TeamsContext,
  { channel }: Origin,
  { announced = null }: DigestAnswer,
): Promise<boolean> => announced !== null && context.announce({ surface: TEAMS, channel }, announced);

async function shown(context: TeamsContext, answer: DigestAnswer): Promise<TeamsMessage> {
  const { language } = context.texts;
  const { schedules } = wordsIn(language);
  if ('digest' in answer)
    return digestMessage(answer.digest, await pictureOf(answer.digest.blocks), language);
  if ('lines' in answer) return linesMessage(context.nameOf, answer.lines);
  const text = schedules.whenHere;
  const opens = [opensDialog(schedules.form.title, { do: actions.schedule })];
  return { ...message(text, { body: [lines(run(text))], actions: opens }), isAboutPlace: true };
}

/** `digest …`; null if the text is not this command. */
export function digestCommand(context: TeamsContext, origin: Origin, text: string): AnswerCommand | null {
  const command = readDigestCommand(text, (word) => (kindOf(word) === null ? null : word));
  if (command === null) return null;
  return async () => {
    const answer = await answerTo(context, origin, command);
    return (await announce(context, origin, answer)) ? null : shown(context, answer);
  };
}

/**
 * Pauses an alert of the conversation; resolves to the text for the person who pressed.
 * @throws JuryError `store-unavailable`
 */
export async function pressPauseAlert(context: TeamsContext, origin: Origin, id: string): Promise<string> {
  const answer = await answerTo(context, origin, { kind: 'alert', words: ['pause', id] });
  // A click is answered within seconds, whatever the conversation takes.
  void announce(context, origin, answer);
  return textOf(context, answer);
}

const formOf = async (context: TeamsContext, origin: Origin): Promise<Form> =>
  scheduleForm(
    await zoneOf(context, origin),
    context.digestSources.defined().values(),
    context.texts.language,
  );

const dialogOf = (form: Form): Dialog => optionalDialog(form, { do: actions.schedule });

export const openSchedule = async (context: TeamsContext, origin: Origin): Promise<Dialog> =>
  dialogOf(await formOf(context, origin));

export async function sendSchedule(context: TeamsContext, origin: Origin, sent: Sent): Promise<Dialog> {
  const form = await formOf(context, origin);
  const filledIn = readFormData(sent);
  if (sent.next === EXPAND) return dialogOf({ ...refilled(form, filledIn), expanded: true });
  const read = readScheduleForm(form, filledIn);
  if ('errors' in read) return dialogOf(refilled(form, filledIn, read.errors));
  try {
    return { text: textOf(context, await scheduleDigest(context, askerOf(context, origin), read.schedule)) };
  } catch (thrown) {
    if (!(thrown instanceof JuryError) || isStoreAway(thrown)) throw thrown;
    return dialogOf(
      refilled(form, filledIn, {
        [scheduleProblemAt]: messageIn(context.texts.language, thrown),
      }),
    );
  }
}
