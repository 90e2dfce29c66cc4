import type { App } from '@slack/bolt';
import * as z from 'zod';
import { JuryError, messageOf } from '../../common/index.ts';
import {
  type Digest,
  type DigestPoster,
  type DigestTarget,
  LeaseLostError,
  type PostJournal,
  type PostKey,
} from '../../digests/index.ts';
import { WordedError, type Words, wordsIn } from '../../words/index.ts';
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
  zoneChoices,
} from '../desks/index.ts';
import { type Form, matchingChoices } from '../forms/index.ts';
import type { OpenSurface } from '../index.ts';
import { messagesSince, Posted, type SlackClients } from './clients.ts';
import {
  actorOf,
  inLanguageOf,
  onClick,
  onForm,
  openView,
  type SlackContext,
  showTo,
  teamOf,
  tell,
} from './context.ts';
import { actions, kindOf, SLACK } from './ids.ts';
import { type Uploading, uploadPicture } from './messages.ts';
import type { Command, Origin } from './payloads.ts';
import { quietPost } from './render/blocks.ts';
import { type DigestStyle, digestDetails, digestMessage, nativeStyle, textStyle } from './render/digest.ts';
import { type AboutForm, forms, formView, optionsFor } from './render/form.ts';
import { errorMessage, linesMessage } from './render/notices.ts';
import { isPassing, isUnshowable, slackError } from './slack-errors.ts';

/** The prefix for commands. */
const COMMAND = '/jury';

/**
 * @param context with texts in the person's language
 * @param about the conversation that the digests belong to
 */
const askerOf = (
  context: SlackContext,
  origin: Origin,
  about: { channel: string; channelName: string | null },
): DigestAsker => ({
  ...about,
  surface: SLACK,
  team: teamOf(context, origin),
  user: origin.user,
  actor: actorOf(origin),
  language: context.texts.language,
  command: COMMAND,
});

const Profile = z.object({ user: z.object({ tz: z.string() }) });

/** The time zone of a person's profile; UTC if it cannot be read, for example without the scope `users:read`. */
const zoneOf = async ({ clients }: SlackContext, user: string): Promise<string> =>
  Profile.safeParse(await clients.now.users.info({ user }).catch(() => null)).data?.user.tz ?? 'UTC';

async function show(
  context: SlackContext,
  asker: Pick<DigestAsker, 'channel' | 'user'> & { thread?: string | null },
  answer: DigestAnswer,
): Promise<void> {
  const { announced = null } = answer;
  // The announcement says it to the asker, too.
  if (announced !== null && (await context.announce({ surface: SLACK, channel: asker.channel }, announced)))
    return;
  if ('digest' in answer)
    await showTo(context, asker, digestMessage(answer.digest, textStyle, context.texts.language));
  else if ('lines' in answer) await showTo(context, asker, linesMessage(answer.lines));
}

/** The form to schedule a digest. */
export const scheduleFormOf = (
  { digestSources, texts }: SlackContext,
  { timezone }: AboutForm<'schedule'>,
): Form => scheduleForm(timezone, digestSources.defined().values(), texts.language);

const ChannelWord = /^(#\S+|<#[^>]+>|[CG][A-Z0-9]{5,})$/;

/** The channel in a word: `C0123` for `<#C0123|quality>`; `#quality` stays a name. Null if the word names none. */
export function channelIn(word: string): string | null {
  if (!ChannelWord.test(word)) return null;
  return /^<#([A-Z0-9]+)/.exec(word)?.[1] ?? word;
}

/** `/jury digest …`, answered to the requester only. Resolves to `false` if the text is not this command. */
export async function onDigestCommand(shared: SlackContext, sent: Command): Promise<boolean> {
  const command = readDigestCommand(sent.text, channelIn);
  if (command === null) return false;
  const context = await inLanguageOf(shared, sent);
  const { team, channel, channelName, user } = sent;
  const zone = () => zoneOf(context, user);
  const asker = askerOf(context, sent, { channel, channelName });
  const answer = await answerDigestCommand(context, asker, command, zone);
  if ('form' in answer) {
    const about = { channel, channelName, team, timezone: await zone() };
    await openView(context, sent, formView(forms.schedule, about, scheduleFormOf(context, about)));
  } else await show(context, sent, answer);
  return true;
}

const Search = z.object({ value: z.string().default('') });

/** Registers the schedule form, its search for time zones, and the Pause button of alerts. */
export function registerDigests(app: App, context: SlackContext): void {
  onForm(app, context, forms.schedule, async (sent, own) => {
    const { about, filledIn } = sent;
    const read = readScheduleForm(scheduleFormOf(own, about), filledIn);
    if ('errors' in read) return read;
    const { channel, channelName } = about;
    const asker = askerOf(own, { ...sent, team: about.team }, { channel, channelName });
    const answer = await scheduleDigest(own, asker, read.schedule);
    const { scheduledShort } = wordsIn(own.texts.language).schedules;
    return { after: () => show(own, asker, answer).catch(() => tell(own, asker, scheduledShort)) };
  });
  onClick(app, context, [actions.pauseAlert], async (click, _, own) => {
    const { channel, value } = click;
    if (channel === null || value === '') return;
    const asker = askerOf(own, click, { channel, channelName: null });
    const command = { kind: 'alert' as const, words: ['pause', value] };
    const answer = await answerDigestCommand(own, asker, command, async () => 'UTC');
    await show(own, { ...asker, thread: click.thread }, answer);
  });
  app.options(actions.formSearch, async ({ ack, body }) => {
    await ack({ options: optionsFor(matchingChoices(zoneChoices('UTC'), Search.parse(body).value)) });
  });
}

/** Fallback styles if Slack refuses its own charts or tables: each uses fewer of Slack's own blocks. */
function otherStyles(blocks: Digest['blocks'], picture: string | null): DigestStyle[] {
  const has = (kind: Digest['blocks'][number]['kind']) => blocks.some((block) => block.kind === kind);
  const chart = picture === null ? textStyle.chart : ({ kind: 'picture', file: picture } as const);
  return [
    ...(has('trend') && has('table') ? [{ tables: 'native', chart } as const] : []),
    { tables: 'text', chart },
    ...(picture === null ? [] : [textStyle]),
  ];
}

const EVENT_TYPE = 'jury_digest';
/** Allows for differences between this machine's clock and Slack's. */
const CLOCKS_DIFFER_MS = 600_000;

const Made = z.object({ channel: z.object({ creator: z.string() }) });
const Marked = z.object({
  ts: z.string(),
  metadata: z.object({ event_type: z.literal(EVENT_TYPE), event_payload: z.object({ key: z.string() }) }),
});

const textOf = ({ schedule, slot, part }: PostKey): string => `${schedule}/${slot}/${part}`;

/** An error in words that help the reader. */
const reasonOf =
  (thrown: unknown) =>
  ({ errors: { digestNotPosted } }: Words): string => {
    const error = slackError(thrown);
    if (error === 'not_in_channel' || error === 'channel_not_found') return digestNotPosted.invite(error);
    if (error === null) return messageOf(thrown);
    const said = isPassing(thrown) ? digestNotPosted.busy : digestNotPosted.refused;
    return said({ platform: 'Slack', code: error });
  };

/** Uploads the chart as a picture. Null if there is no chart or the upload fails; the digest then describes it in words. */
async function pictureFor(
  clients: Uploading,
  blocks: Digest['blocks'],
  key: PostKey,
): Promise<string | null> {
  const trend = blocks.find((block) => block.kind === 'trend');
  if (trend === undefined) return null;
  try {
    const { trendPng } = await loadTrendPng();
    const name = `digest-${key.schedule}-${key.slot}.png`;
    return await uploadPicture(clients, await trendPng(trend), { name, title: trend.title });
  } catch {
    return null;
  }
}

/** Posts digests to Slack. Each post carries its key as metadata, so that it can be found again. */
export function createSlackDigestPoster(
  clients: Uploading & Pick<SlackClients, 'once'>,
  languages: Languages,
): DigestPoster {
  const { now, once } = clients;
  async function send(
    { channel }: DigestTarget,
    digest: Digest,
    key: PostKey,
    thread: string | null,
    journal: PostJournal,
  ): Promise<string> {
    const language = await languages.inConversation(channel);
    const [render, blocks] =
      key.part === 'main' ? [digestMessage, digest.blocks] : [digestDetails, digest.details];
    /** Resolves to null if Slack refuses these blocks. */
    async function post(style: DigestStyle): Promise<string | null> {
      try {
        const posted = await once.chat.postMessage({
          channel,
          ...(thread === null ? {} : { thread_ts: thread }),
          ...quietPost,
          ...render(digest, style, language),
          metadata: { event_type: EVENT_TYPE, event_payload: { key: textOf(key) } },
        });
        return Posted.parse(posted).ts;
      } catch (thrown) {
        if (isUnshowable(thrown) || slackError(thrown) === 'msg_blocks_too_long') return null;
        throw thrown;
      }
    }
    const plain = await post(nativeStyle);
    if (plain !== null) return plain;
    const picture = journal.picture ?? (await pictureFor(clients, blocks, key));
    for (const style of otherStyles(blocks, picture)) {
      await journal.keep(picture);
      const posted = await post(style);
      if (posted !== null) return posted;
    }
    throw new WordedError('usage', ({ errors }) =>
      errors.digestNotPosted.plainText({ platform: 'Slack', code: 'invalid_blocks' }),
    );
  }

  async function find(
    { channel }: DigestTarget,
    key: PostKey,
    thread: string | null,
  ): Promise<string | null> {
    const place = { channel, thread, since: key.slot - CLOCKS_DIFFER_MS };
    for await (const message of messagesSince(now, place)) {
      const marked = Marked.safeParse(message);
      if (marked.success && marked.data.metadata.event_payload.key === textOf(key)) return marked.data.ts;
    }
    return null;
  }

  const explained = async <T>(work: () => Promise<T>): Promise<T> => {
    try {
      return await work();
    } catch (thrown) {
      // Other errors already explain themselves.
      if (thrown instanceof LeaseLostError || thrown instanceof JuryError) throw thrown;
      throw new WordedError('usage', reasonOf(thrown), { cause: thrown, retryable: true });
    }
  };
  return {
    surface: SLACK,
    command: COMMAND,
    post: (target, digest, key, thread, journal) =>
      explained(() => send(target, digest, key, thread, journal)),
    find: (target, key, thread) => explained(() => find(target, key, thread)),
    notify: ({ channel }, person, problem) =>
      explained(async () => {
        const whom = person ?? Made.parse(await now.conversations.info({ channel })).channel.creator;
        const language = await languages.ofPerson(whom, null);
        await now.chat.postMessage({
          channel: whom,
          ...quietPost,
          ...errorMessage(problem(language)),
        });
      }),
    languageOf: ({ channel }) => languages.inConversation(channel),
  };
}

/** Announces a change that affects a whole channel. Does nothing in direct messages. */
export const createSlackAnnouncer =
  ({ now }: Pick<SlackClients, 'now'>, languages: Languages): OpenSurface['announce'] =>
  async (channel, says) => {
    if (kindOf(channel) === 'direct') return false;
    const line = says(await languages.inConversation(channel));
    await now.chat.postMessage({ channel, ...quietPost, ...linesMessage([line]) });
    return true;
  };
