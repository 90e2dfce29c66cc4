import express from 'express';
import pino from 'pino';
import { isStoreAway, isUndelivered, JuryError, onceIn } from '../../common/index.ts';
import {
  isHalf,
  type Presenter,
  readMessage,
  type SpotCheck,
  type SpotChecks,
} from '../../requests/index.ts';
import { wordsIn } from '../../words/index.ts';
import {
  type Cards,
  type Chat,
  chatParts,
  createCards,
  createChatPresenter,
  createLanguages,
  spentNotice,
  unshowableNotice,
} from '../chat/index.ts';
import type { OpenSurface, Surface, SurfaceHost } from '../index.ts';
import { STORE_AWAY, wordsOf } from '../wording/index.ts';
import {
  type Activity,
  isBelow,
  isMentioned,
  type Origin,
  originOf,
  readActivity,
  teamsMessages,
} from './activities.ts';
import { answerActivity, answerForeign, wordsAnswer } from './answer-activity.ts';
import { createLocales, createMembers, type TeamsContext, type TeamsParts } from './context.ts';
import { createTeamsAnnouncer, createTeamsDigestPoster } from './digests.ts';
import { requireToken, tokenOf } from './entra-tokens.ts';
import { linkTo, TEAMS } from './ids.ts';
import { createMessages, createPlaces, type TeamsMessage } from './messages.ts';
import { TEAMS_PACE } from './pace.ts';
import { createHalves } from './partial-requests.ts';
import { playgroundCommand, playgroundPath } from './playground.ts';
import { askerOf, replyTo, tellAlone } from './private-answers.ts';
import { cardMessage } from './render/card.ts';
import { blindMessage } from './render/details.ts';
import { summaryMessage } from './render/lists.ts';
import { errorMessage, looksIn, noticeMessage } from './render/notices.ts';
import { createTeamsReviewPoster } from './reviews.ts';
import { createStreams } from './streams.ts';
import { createTeamsStudyPoster } from './studies.ts';
import { createTeamsApp, statusOf, type TeamsCloud } from './teams-app.ts';
import { createThreadReader } from './thread-messages.ts';

/** The interface that all chats share, implemented for Teams. */
export const teamsChat = ({
  streams,
  nameOf,
  nameIn,
}: Pick<TeamsParts, 'streams' | 'nameOf' | 'nameIn'>): Chat<TeamsMessage> => ({
  surface: TEAMS,
  change: (place, id, shown, urgency) => streams.show(place, id, shown, urgency === 'progress'),
  nameOf: async (user, channel) => nameOf(user) ?? nameIn(user, channel).catch(() => null),
  looks: (language) => ({
    ...looksIn(language),
    card: cardMessage,
    blind: (record, standard) => blindMessage(record, standard, language),
    summary: (check, all) => summaryMessage(check, all, language),
  }),
});

/** What the person asked, as far as is known before files are read. */
const pastedIn = ({ input }: SpotCheck): string =>
  input.kind === 'message'
    ? input.text
    : input.cases[0] === undefined
      ? ''
      : wordsOf(input.cases[0].evalCase);

/** Presents checks in Teams. */
export const createTeamsPresenter = (
  parts: TeamsParts & { cards: Cards; pages: string | null },
  chat: Chat<TeamsMessage>,
): Presenter => {
  const { languages, library, messages, streams, places } = parts;
  return createChatPresenter(parts, chat, {
    placeholder: async (check) =>
      streams.begin(
        check,
        library.redactor.text(pastedIn(check)),
        await languages.inConversation(check.channel),
      ),
    unshowable: async ({ id, team, requestedBy, channel: at, progress }, record, refusal) => {
      const channel = await places.personal(team, requestedBy);
      if (channel === null) return;
      const language = await languages.ofPerson(requestedBy, at);
      const message = noticeMessage(
        unshowableNotice(progress.placeholder !== null, record, refusal, id, language),
      );
      await messages.post({ channel, thread: null }, message);
    },
    limits: async (check, spent) => {
      const language = await languages.ofPerson(check.requestedBy, check.channel);
      const notice = noticeMessage(spentNotice(spent, language));
      await tellAlone(parts, askerOf(check), notice, library.redactor.text(pastedIn(check)));
    },
    permalink: async ({ team: tenant, channel, thread }, message) =>
      parts.pages === null
        ? undefined
        : linkTo(
            parts.pages,
            { tenant, channel, thread, group: (await places.find(channel))?.group },
            message,
          ),
    withdraw: async ({ channel, messages: shown }) => {
      for (const id of shown) {
        const target = { channel, thread: null };
        await streams.remove(target, id).catch(async (thrown) => {
          if (isUndelivered(thrown) && thrown.retryable) throw thrown;
          // Teams refuses to delete it, as a policy can, so it says nothing any more.
          await messages
            .update(
              target,
              id,
              errorMessage(wordsIn(await languages.inConversation(channel)).errors.requestDeleted),
            )
            .catch(() => parts.log.warn('teams: a card of a deleted request could not be removed'));
        });
      }
    },
    thank: async ({ channel, thread, input }) => {
      // If Teams does not let the app react, no harm is done.
      if (input.kind === 'message')
        await messages.react({ channel, thread }, input.message, 'heart').catch(() => {});
    },
  });
};

/** For a request that is taken up before the surface listens. */
const notYet = async (): Promise<never> => {
  throw new JuryError('undelivered', 'Teams is not connected yet.', { retryable: true });
};

/** Replies to where an activity came from. */
type Say = (text: string) => Promise<unknown>;

/** With the permission for it, Teams also delivers messages that do not mention the app; nothing is kept of those. */
const isForUs = (activity: Activity, { kind }: Origin): boolean =>
  !/^message(?:Update|Delete)?$/.test(activity.type) || kind === 'direct' || isMentioned(activity);

/** How often a conversation is notified that the store cannot be reached. */
const TOLD_MS = 600_000;

/**
 * What posts to Teams without listening.
 * @throws JuryError `store-unavailable`
 */
export async function teamsPosters({ env, store }: Parameters<Surface['posters']>[0]) {
  const { apiFor } = createTeamsApp(env, express(), pino({ level: 'silent' }));
  const [kept, now] = [await store(), Date.now];
  const places = createPlaces(kept, now);
  const messages = createMessages(places, apiFor);
  const languages = createLanguages({ store: kept }, createLocales(places));
  const posting = { store: kept, messages, places, now, languages };
  return {
    digests: createTeamsDigestPoster(posting),
    studies: createTeamsStudyPoster(posting),
    reviews: createTeamsReviewPoster(posting),
    announce: createTeamsAnnouncer(messages, places.nameOf, languages),
  };
}

/**
 * Sets up the Teams surface and verifies the credentials; answers nothing before {@link OpenSurface.listen}.
 * @throws JuryError `config` that says what to fix
 */
export async function connectTeams(
  host: SurfaceHost,
  microsoft: TeamsCloud = {},
  pace = TEAMS_PACE,
): Promise<OpenSurface> {
  const { env, log, now, store, web } = host;
  const { settings } = env;
  const { TEAMS_PLAYGROUND_URL: playground, TEAMS_TENANT_ID: tenant } = settings;
  const endpoint = playground === undefined ? {} : { endpoint: await playgroundPath(env) };
  const { app, apiFor, graph, pages } = createTeamsApp(env, web, log, { ...microsoft, ...endpoint });
  await requireToken(app);
  const unshown = (thrown: unknown) => {
    host.onError();
    log.warn({ status: statusOf(thrown) ?? 'none' }, 'teams: a message could not be changed');
  };
  const places = createPlaces(store, now);
  const messages = createMessages(places, apiFor, pace);
  let stop: SpotChecks['stop'] = async () => {};
  const onStop = (check: string, by: string) => void stop(check, by).catch(unshown);
  const locales = createLocales(places);
  const { parts: shared, flush } = chatParts(host, pace.changeMs, unshown, locales);
  const halves = createHalves(store, now);
  const readThread = graph === null ? null : createThreadReader(graph, places, log, now);
  const parts = {
    ...shared,
    locales,
    places,
    nameOf: places.nameOf,
    ...createMembers(places, apiFor, now, playground !== undefined),
    messages,
    streams: createStreams({ store, messages, now, pace, onStop }),
    halves,
    above: async (...about: Parameters<typeof halves.above>) =>
      (await readThread?.(...about)) ?? halves.above(...about),
  };
  const chat = teamsChat(parts);
  const cards = createCards(parts, chat);
  const { caseFormat: format } = parts.library;
  const source = teamsMessages(
    { readPaste: parts.readPaste, format, methods: parts.library.methods, above: parts.above },
    {
      playground,
      token: () => tokenOf(app),
      fetch: env.outgoing.fetch,
    },
  );

  const isDue = onceIn(TOLD_MS, now);
  /** Clicks and dialogs get an answer. A request gets at most one notice and then fails, so that Teams may deliver it again. */
  const whileAway = async (activity: Activity, { kind, channel }: Origin, say: Say, thrown: unknown) => {
    if (activity.type === 'invoke') return wordsAnswer(activity, STORE_AWAY);
    const isAsked = activity.type === 'message' && (kind === 'direct' || isMentioned(activity));
    if (isAsked && isDue(channel)) {
      log.warn('teams: the store cannot be reached');
      await say(STORE_AWAY).catch(unshown);
    }
    throw thrown;
  };
  /** An activity that may be answered; null for any other. */
  const accepted = (raw: unknown): { activity: Activity; origin: Origin } | null => {
    const activity = readActivity(raw);
    if (activity === null) return null;
    if (playground !== undefined && !isBelow(activity.serviceUrl, playground)) return null;
    const origin = originOf(activity, now());
    if (origin === null || (tenant !== undefined && origin.tenant !== tenant)) return null;
    return activity.type !== 'message' || isForUs(activity, origin) ? { activity, origin } : null;
  };
  /** Saves what an activity asks for before answering it. If that fails, the error makes Teams deliver it again. */
  const onActivity = async (context: TeamsContext, raw: unknown, say: Say) => {
    const { activity, origin } = accepted(raw) ?? {};
    if (activity === undefined || origin === undefined) return undefined;
    try {
      if (isForUs(activity, origin)) await places.keep(activity, origin);
      if (tenant !== undefined && (await context.isForeign(origin.user, origin.channel)))
        return await answerForeign(context, activity, origin);
      return await answerActivity(context, activity, origin);
    } catch (thrown) {
      host.onError();
      if (isStoreAway(thrown)) return whileAway(activity, origin, say, thrown);
      const code = thrown instanceof JuryError ? thrown.code : undefined;
      log.error({ type: activity.type, name: activity.name, code }, 'teams: a request failed');
      throw thrown;
    }
  };

  /** Null until the surface listens. */
  let listening: TeamsContext | null = null;
  return {
    address: `${pages ?? 'https://teams.microsoft.com'}/`,
    ...(playground === undefined
      ? {}
      : { invitation: `Start the Teams playground: ${await playgroundCommand(env, playground)}` }),
    digests: createTeamsDigestPoster(parts),
    studies: createTeamsStudyPoster(parts),
    reviews: createTeamsReviewPoster(parts),
    announce: createTeamsAnnouncer(messages, places.nameOf, parts.languages),
    presenter: createTeamsPresenter({ ...parts, cards, pages }, chat),
    reply: (check) => (listening === null ? notYet : replyTo(listening, check)),
    read: async (check, signal, isJudged) => {
      const { input } = check;
      if (input.kind === 'message' && isHalf(input.text, format)) await halves.keep(check);
      return readMessage(check, source, signal, isJudged);
    },
    membership: parts.membership,
    listen: async (checks) => {
      stop = checks.stop;
      const context = { ...parts, cards, checks };
      listening = context;
      app.use(({ activity, send }) => onActivity(context, activity, send));
      await app.initialize();
      await cards.catchUp().catch(unshown);
    },
    refresh: cards.refresh,
    stop: async () => {},
    flush: async () => {
      await flush();
      parts.streams.leave();
    },
  };
}
