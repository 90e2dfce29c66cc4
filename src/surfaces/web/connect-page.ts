import { Router } from 'express';
import { JuryError } from '../../common/index.ts';
import { readMessage, type SpotCheck } from '../../requests/index.ts';
import { wordsIn } from '../../words/index.ts';
import {
  answerParts,
  budgetText,
  type Chat,
  chatParts,
  createCards,
  createChatPresenter,
  explainPaste,
  hiddenTitle,
  progressTitle,
  type SummaryLine,
  spentText,
  summaryText,
  unsureLines,
} from '../chat/index.ts';
import type { OpenSurface, SurfaceHost } from '../index.ts';
import { firstPaste, shortLine, toneMark } from '../wording/index.ts';
import { limitVisitors, requireVisitor } from './access.ts';
import { registerApi } from './api.ts';
import { registerAsk } from './ask-routes.tsx';
import { createConsoleKey } from './console-key.ts';
import { consoleRoles, type PageContext } from './context.ts';
import { registerDigests } from './digest-routes.tsx';
import { consoleAccess, isProgram, kindOf, PAGE } from './ids.ts';
import { registerKey } from './key-routes.tsx';
import { createViews, limitsViewOf, type View, type ViewOf, type Views, viewOf } from './live-views.ts';
import { registerMcp } from './mcp-routes.ts';
import { refuse, refuseBody } from './page.tsx';
import { registerQueue } from './queue.tsx';
import { registerReviews } from './reviews.tsx';
import { registerRuns } from './run-routes.tsx';
import { createRunShelf } from './run-summaries.ts';
import { noStore, secured } from './security-headers.ts';
import { registerSignIn } from './sign-in-routes.tsx';
import { registerVerdicts } from './verdict-routes.tsx';
import { readBody } from './web-host.ts';

/** The console's own paths. Other requests pass through, so platforms reach their surface whichever connects first. */
const OWN = /^\/(?:(?:requests|verdicts|queue|runs|digests|ui|open|sign-in|signed-out)(?:\/|$)|$)/;

/** Registers the routes of the API and the console. @returns a function that says why no one can sign in now; null if people can */
function registerPages(context: PageContext): () => string | null {
  const { web, env } = context;
  const { JURY_API_TOKENS: tokens } = env.settings;
  const access = consoleAccess(env.settings);
  if (access.kind === 'off') {
    const door = { tokens, people: null };
    registerApi(context, door);
    registerMcp(context, door);
    return () => null;
  }
  const router = Router();
  router.use((request, _response, next) => (OWN.test(request.path) ? next() : next('router')));
  router.use(secured(env));
  const signingIn = access.kind === 'sign-in' ? registerSignIn(router, context, access) : null;
  const { people, askIn } = signingIn ?? registerKey(router, env, context.now);
  const door = { tokens, people };
  registerApi(context, door);
  registerMcp(context, door);
  const guarded = Router();
  guarded.use(
    requireVisitor(door, false, (status, why, request, response) => {
      if (status === 401) askIn(why, request, response);
      else refuse(request, response, status, why);
    }),
    noStore,
  );
  guarded.use(limitVisitors((why, request, response) => refuse(request, response, 429, why)));
  guarded.use(readBody, refuseBody);

  if (signingIn !== null) guarded.post('/ui/sign-out', signingIn.signOut);
  registerAsk(guarded, context);
  registerVerdicts(guarded, context);
  registerQueue(guarded, context);
  registerReviews(guarded, context);
  registerRuns(guarded, context);
  registerDigests(guarded, context);
  router.use(guarded);
  web.use(router);
  return signingIn?.problem ?? (() => null);
}

/** The shortest time between two changes of a view. */
const CHANGE_MS = 150;
/** The most characters of a judge's answer to show while others are at work. */
const REASON = 300;

const problem = (
  code: ViewOf<'problem'>['code'],
  text: string,
  more: Partial<ViewOf<'problem'>> = {},
): View => ({
  kind: 'problem',
  code,
  text,
  missing: [],
  understood: [],
  paste: null,
  ...more,
});

const noteOf = (text: string): View => ({
  kind: 'answer',
  ...{ headline: null, text, quotes: [], lines: [], note: null, verdict: null },
});

function lineOf(line: SummaryLine): ViewOf<'several'>['lines'][number] {
  switch (line.kind) {
    case 'pending':
      return { mark: '…', title: 'waiting', text: '', verdict: null };
    case 'problem':
      return { mark: '⚠️', title: line.title, text: `not judged: ${line.problem}`, verdict: null };
    case 'blind':
      return { mark: '🗳️', title: line.title, text: 'judged, answer first', verdict: line.id };
    case 'judged':
      return { mark: toneMark(line.decision), title: line.title, text: line.reason, verdict: line.id };
  }
}

/** The console as a chat, for the code that all chats share: its messages are views. */
const pageChat = (views: Views): Chat<View> => ({
  surface: PAGE,
  change: (_place, id, view) => views.change(id, view),
  // The console shows no names.
  nameOf: async () => null,
  looks: () => ({
    card: ({ record: { id } }) => ({ kind: 'verdict', id }),
    blind: ({ id }) => ({ kind: 'verdict', id }),
    progress: (progress) => ({
      kind: 'progress',
      request: progress.checkId,
      title: progressTitle(progress, 'en'),
      note: null,
      judges: progress.judges.map(({ name, state, answer }) => ({
        name,
        state,
        mark: answer === null ? '…' : toneMark(answer.tone),
        text: shortLine(answer?.text ?? '', REASON),
      })),
      answers: { given: progress.given, most: progress.rounds * progress.judges.length },
      stopping: progress.stopping,
    }),
    hiddenProgress: ({ checkId, stopping }) => ({
      kind: 'progress',
      request: checkId,
      title: hiddenTitle({ stopping }, 'en'),
      note: wordsIn('en').chat.hidden,
      judges: [],
      stopping,
    }),
    summary: (_check, lines) => ({
      kind: 'several',
      title: summaryText(lines, 'en'),
      isDone: lines.every(({ kind }) => kind !== 'pending'),
      lines: lines.map(lineOf),
    }),
    unclear: (about) => {
      const { problem: text, missing, understood } = explainPaste(about, 'en');
      return problem('unclear', text, { missing: missing.lines, understood: understood.lines });
    },
    // The console has no threads with messages of several people, so there is nothing to choose from.
    unsure: ({ why }) => problem('unclear', why),
    unsureLines: ({ draftId: draft, ...about }) => ({
      kind: 'unsure',
      ...{ draft, text: about.text, lines: unsureLines(about, 'en'), readings: about.readings },
    }),
    readByModel: ({ draftId: draft, ...about }) => ({ kind: 'read', draft, ...about }),
    answer: (answer, texts) => {
      const { opens, ...parts } = answerParts(answer, texts);
      const { headline, text, note } = parts;
      return {
        kind: 'answer',
        ...{ headline, text, note, quotes: [...parts.quotes], lines: [...parts.lines] },
        verdict: opens?.verdictId ?? null,
      };
    },
    // Programs and the people who run the console read the setting to change.
    error: (what, kind, { cause = what } = {}) => problem(kind, cause),
    budget: ({ limitUsd, spent = [] }) =>
      problem('budget', spent.length > 0 ? spentText(spent, 'en') : budgetText(limitUsd, 'en')),
    welcome: () => problem('nothing', wordsIn('en').chat.welcome.text, { paste: firstPaste }),
    unreadable: (_isShort, asked = null) =>
      problem(
        'unreadable',
        [...(asked === null ? [] : [asked]), wordsIn('en').chat.unreadable.long].join(' '),
        { paste: firstPaste },
      ),
  }),
});

/**
 * Connects the console. Its routes are registered only by {@link OpenSurface.listen}.
 * @param makeViews creates the place where views are kept
 * @throws JuryError `config` if the console needs a key and it cannot be stored
 */
export async function connectPage(host: SurfaceHost, makeViews = createViews): Promise<OpenSurface> {
  const { store, now, env, log } = host;
  // If the key cannot be stored, this throws and the console stays off.
  if (consoleAccess(env.settings).kind === 'local')
    await createConsoleKey(env.settings.JURY_DATA_DIR, now).keep();
  const keptDays = env.settings.JURY_RETENTION_DAYS;
  const views = makeViews(store, now, keptDays === 0 ? undefined : keptDays);
  const unshown = () => {
    host.onError();
    log.warn('console: a view could not be changed');
  };
  const { parts, flush } = chatParts({ ...host, roles: consoleRoles(host) }, CHANGE_MS, unshown);
  const chat = pageChat(views);
  const cards = createCards(parts, chat);
  const presenter = createChatPresenter({ ...parts, cards }, chat, {
    placeholder: async (check: SpotCheck) => {
      const id = viewOf(check.id);
      await views.begin(id, check.requestedBy, check.channel);
      if (check.thread !== null && check.input.kind === 'message') await views.addAnswer(check.thread, id);
      return id;
    },
    limits: async (check, spent, isJudged) => {
      // Without a verdict, the request's own view names the limits.
      if (!isJudged) return;
      const id = limitsViewOf(check.id);
      await views.begin(id, check.requestedBy, check.channel);
      await views.change(id, noteOf(spentText(spent, 'en')));
      await views.addAnswer(viewOf(check.id), id);
    },
    permalink: async () => undefined,
    thank: async () => {},
    withdraw: async ({ messages }) => {
      for (const id of messages) await views.change(id, { kind: 'withdrawn' });
    },
    unshowable: async () => {},
  });
  const leaving = new AbortController();
  let problem = (): string | null => null;
  return {
    address: consoleAccess(env.settings).kind === 'off' ? '' : '/',
    digests: null,
    studies: null,
    reviews: null,
    announce: null,
    presenter,
    isProgram,
    read: (check, signal, isJudged) =>
      readMessage(
        check,
        {
          kindOf: (conversation) => kindOf(conversation) ?? 'page',
          readPaste: parts.readPaste,
          methods: parts.library.methods,
          download: async () => {
            throw new JuryError('bad-input', 'The console does not take files: paste the text');
          },
          above: async () => ({ messages: [], unread: null }),
          format: parts.library.caseFormat,
        },
        signal,
        isJudged,
      ),
    membership: async () => 'member',
    problem: () => problem(),
    listen: async (checks) => {
      const runs = createRunShelf({ ...parts, leaving: leaving.signal });
      problem = registerPages({ ...parts, cards, checks, views, runs, leaving: leaving.signal });
      await cards.catchUp().catch(unshown);
    },
    refresh: cards.refresh,
    stop: async () => leaving.abort(),
    flush,
  };
}
