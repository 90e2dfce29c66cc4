import { isDeepStrictEqual } from 'node:util';
import { isUndelivered } from '../../common/index.ts';
import type { SpentLimit } from '../../judges/llm/index.ts';
import { type CardSetting, type CardTexts, cardTexts } from '../../judging/card/index.ts';
import type { CasePlan } from '../../judging/index.ts';
import { isOpenToAll } from '../../labels/access/index.ts';
import {
  type ConversationKind,
  noVotes,
  type PreferenceVotes,
  preferencesOf,
  type VerdictRecord,
  type VerdictTally,
} from '../../labels/record/index.ts';
import { type Adjudication, noteRulingShown } from '../../labels/voting/index.ts';
import type { NoReading } from '../../reading/index.ts';
import {
  type Answer,
  type CheckProblem,
  canTryAgain,
  findPeople,
  newerAnswer,
  type Presenter,
  type SpotCheck,
  type Watcher,
} from '../../requests/index.ts';
import { type Language, wordsIn } from '../../words/index.ts';
import { hasModel, keepDraft } from '../forms/index.ts';
import type { SurfaceHost } from '../index.ts';
import { issueFor } from '../views/index.ts';
import { noReadingText, readingLines, type Standard, shownRuling, standardOf } from '../wording/index.ts';
import { type Coalescer, createCoalescer } from './coalesce.ts';
import { createLanguages, type Languages, type Locales, noLocales } from './languages.ts';
import {
  type PasteByModel,
  type TryingAgain,
  type UnclearPaste,
  type UnsurePaste,
  type UnsureThread,
  unsureQuestion,
} from './notices.ts';
import { advanced, type CheckProgress, type SummaryLine, summaryLineOf, waitingJudges } from './progress.ts';

/** What a card is made from. */
export interface CardInput {
  record: Pick<
    VerdictRecord,
    'id' | 'verdict' | 'evalCase' | 'received' | 'trust' | 'source' | 'blind' | 'earlier'
  >;
  tally: VerdictTally;
  /** For two answers: how many people prefer each. */
  preferred?: PreferenceVotes | undefined;
  texts: CardTexts;
  setting: CardSetting;
  /** The platform's id of the requester, if it is kept. */
  asker?: string | null;
  /** Its page in the console, if people can open that. */
  page?: string | null;
  /** Opens a new issue about it; null if it does not fail, or its conversation has no address for issues. */
  issue?: string | null;
}

/** Where a message is: its conversation, and its thread if it is in one. */
export interface Place {
  channel: string;
  thread: string | null;
  /** Set only if the conversation's id does not tell. */
  kind?: ConversationKind | undefined;
}

/** How urgent a change is. `progress` is dropped if the platform says to wait, since a newer one follows; `later` can wait. */
type Urgency = 'now' | 'progress' | 'later';

/** What a chat platform does and how its messages look. `M`: a message of the platform. */
export interface Chat<M> {
  surface: string;
  /** @throws JuryError `usage` if the message can never be changed */
  change: (place: Place, message: string, shown: M, urgency: Urgency) => Promise<void>;
  /** A person's name; null if unknown. */
  nameOf: (user: string, channel: string) => Promise<string | null>;
  looks: (language: Language) => Looks<M>;
}

/** How the messages of a chat platform look in one language. `M`: a message of the platform. */
export interface Looks<M> {
  card: (input: CardInput) => M;
  blind: (record: VerdictRecord, standard: Standard) => M;
  progress: (progress: CheckProgress) => M;
  hiddenProgress: (progress: CheckProgress) => M;
  summary: (checkId: string, lines: readonly SummaryLine[]) => M;
  /** @param draftId a draft of what was understood; null if it could not be saved */
  unclear: (about: UnclearPaste & { draftId: string | null } & TryingAgain) => M;
  /** Asks which messages of a thread belong together. */
  unsure: (about: UnsureThread) => M;
  /** @param draftId a draft of what was understood; null if it could not be saved */
  unsureLines: (about: UnsurePaste & { draftId: string | null }) => M;
  /** Shows what a model read of a paste. @param draftId a draft of it; null if it could not be saved */
  readByModel: (about: PasteByModel & { draftId: string | null }) => M;
  answer: (answer: Answer, texts: CardTexts, again?: TryingAgain) => M;
  /** An answer that was replaced; absent if the surface leaves such answers as they are. */
  folded?: (link: string | null) => M;
  /**
   * @param kind for surfaces that report errors to programs
   * @param more `cause`: what went wrong, with the setting to change, for people who run Jury
   */
  error: (what: string, kind: 'refused' | 'failed' | 'stopped', more?: TryingAgain & { cause?: string }) => M;
  budget: (about: { limitUsd: number | null; spent?: readonly SpentLimit[] } & TryingAgain) => M;
  welcome: () => M;
  /** @param asked says that a model was asked to read it, and why it could not; null if none was */
  unreadable: (isShort: boolean, asked?: string | null) => M;
}

/** What all chats need. */
export type ChatParts = SurfaceHost & {
  /** In English; a person's context has them in the person's language. */
  texts: CardTexts;
  textsIn: (language: Language) => CardTexts;
  languages: Languages;
  /** Changes of messages while judges are at work. */
  changes: Coalescer;
  /** Changes of cards after votes; only the latest of each card is kept. */
  refreshes: Coalescer;
};

/**
 * What all chats need, and a function that shows all waiting changes.
 *
 * @param changeMs the least time between two changes of a message
 * @param unshown called for a change that could not be shown
 * @param locales what the platform knows of people's and conversations' languages
 */
export function chatParts(
  host: SurfaceHost,
  changeMs: number,
  unshown: (thrown: unknown) => void,
  locales: Locales = noLocales,
) {
  const changes = createCoalescer(changeMs, unshown);
  const refreshes = createCoalescer(changeMs, unshown);
  const texts = { en: cardTexts(host.library, 'en'), de: cardTexts(host.library, 'de') };
  const parts: ChatParts = {
    ...host,
    texts: texts.en,
    textsIn: (language) => texts[language],
    languages: createLanguages(host, locales),
    changes,
    refreshes,
  };
  return { parts, flush: (): Promise<void> => changes.flush().then(refreshes.flush) };
}

export interface Cards {
  /** Puts the card into its message. @throws the error of the platform or the store */
  show: (record: VerdictRecord) => Promise<void>;
  /** Shows the current votes and the ruling, within a second; several changes become one. */
  refresh: (record: VerdictRecord) => void;
  /** Shows votes and rulings that may not have been shown before the process last ended. @throws JuryError `store-unavailable` */
  catchUp: () => Promise<void>;
  /**
   * What a card is made from, with the current votes and the ruling.
   * @param language of the one who reads it; default: that of its conversation
   * @throws JuryError `store-unavailable`
   */
  inputOf: (record: VerdictRecord, language?: Language) => Promise<CardInput>;
}

/** How long the verdict of a card is remembered, for reactions on the card. */
const CARD_KNOWN_MS = 400 * 86_400_000;
/** At a start, votes on this many of the newest verdicts may not have been shown yet. */
const CATCH_UP = 100;
/** The store's key for the verdict that a card shows. */
export const cardKey = (channel: string, message: string): string => `card:${channel}:${message}`;
/** The store's key for the votes that a verdict's card shows, once it shows any. */
const shownVotesKey = (verdictId: string): string => `shown-votes:${verdictId}`;

/** What people have said of a verdict. Absent where there is no ruling, as before there were any on cards. */
type Said = Pick<CardInput, 'tally' | 'preferred'> & { ruling?: Adjudication };

const isAnythingSaid = ({ tally, ruling }: Said): boolean =>
  ruling !== undefined || !isDeepStrictEqual(tally, noVotes);

export function createCards<M>(parts: ChatParts, chat: Chat<M>): Cards {
  const { store, refreshes, textsIn, languages, library, now } = parts;

  async function saidOf({ id, verdict }: VerdictRecord): Promise<Said> {
    const [tally, ruling] = await Promise.all([store.tally(id), store.adjudication(id)]);
    return {
      tally,
      ...(verdict.preference === undefined
        ? {}
        : { preferred: preferencesOf(await store.votes(id), verdict) }),
      ...(ruling === null ? {} : { ruling }),
    };
  }

  async function issueOf(record: VerdictRecord): Promise<string | null> {
    if (record.verdict.decision !== 'fail' || !isOpenToAll(record)) return null;
    const { issueUrl } = await store.channelSettings(record.source.channel);
    return issueUrl === undefined ? null : issueFor(record, issueUrl, parts.consoleUrl);
  }

  async function inputOf(
    record: VerdictRecord,
    { ruling, ...votes }: Said,
    language: Language,
  ): Promise<CardInput> {
    const { verdict } = record;
    const people = await findPeople(store, record.id, now());
    const name = async (user: string | null | undefined) =>
      user === null || user === undefined ? null : chat.nameOf(user, record.source.channel);
    const [askedBy, stoppedBy] = await Promise.all([name(people?.askedBy), name(people?.stoppedBy)]);
    const setting = {
      ...{ hasModel: hasModel(parts), askedBy, stoppedBy },
      ruling: shownRuling(ruling ?? null, verdict, library.rubrics.get(verdict.rubric), language),
    };
    const page = parts.consoleUrl === null ? null : `${parts.consoleUrl}/verdicts/${record.id}`;
    return {
      record,
      ...votes,
      texts: textsIn(language),
      setting,
      asker: people?.askedBy ?? null,
      page,
      issue: await issueOf(record),
    };
  }

  /** Shows that a verdict was judged again. @returns whether it was */
  async function putFolded({ id, source }: VerdictRecord): Promise<boolean> {
    const { folded } = chat.looks(await languages.inConversation(source.channel));
    const newer = folded === undefined ? null : await newerAnswer(store, id, now());
    if (folded === undefined || newer === null || source.message === null) return false;
    await chat.change(source, source.message, folded(newer.link), 'now');
    return true;
  }

  async function put(record: VerdictRecord, said: Said, urgency: Urgency): Promise<void> {
    const { source, id } = record;
    if (source.message === null) return;
    if (await putFolded(record)) return;
    const language = await languages.inConversation(source.channel);
    const card = chat.looks(language).card(await inputOf(record, said, language));
    await chat.change(source, source.message, card, urgency);
    // A newer answer may have replaced it meanwhile.
    if (await putFolded(record)) return;
    const [key, shown] = [shownVotesKey(id), JSON.stringify(said)];
    const before = await store.get(key, now());
    if (before !== null) await store.compareAndSet(key, before, shown, now(), CARD_KNOWN_MS);
    else if (isAnythingSaid(said)) await store.setIfAbsent(key, shown, now(), CARD_KNOWN_MS);
  }

  /** Whether the card shows the current votes, and the ruling. */
  async function isShown(record: VerdictRecord): Promise<boolean> {
    if (chat.looks('en').folded !== undefined && (await newerAnswer(store, record.id, now())) !== null)
      return true;
    const said = await saidOf(record);
    const shown = await store.get(shownVotesKey(record.id), now());
    return shown === null ? !isAnythingSaid(said) : shown === JSON.stringify(said);
  }

  function refresh(record: VerdictRecord): void {
    const { source, id } = record;
    // A hidden verdict looks the same whether or not people have answered.
    if (source.surface !== chat.surface) {
      parts.refreshElsewhere(record);
      return;
    }
    if (source.message === null || !isOpenToAll(record)) return;
    refreshes.schedule(id, async () => {
      const said = await saidOf(record);
      await put(record, said, 'later').catch((thrown) => {
        if (isUndelivered(thrown) && thrown.retryable) setTimeout(refresh, 60_000, record).unref();
        throw thrown;
      });
      if (said.ruling !== undefined) await noteRulingShown(store, id, now());
      // Another replica may have shown a newer count before this older one arrived.
      if (!isDeepStrictEqual(await saidOf(record), said)) refresh(record);
    });
  }

  return {
    show: async (record) => {
      const { channel, message } = record.source;
      if (message === null) return;
      // The card of a hidden verdict is not stored for reactions: a reaction would be a vote that everyone sees.
      if (!isOpenToAll(record)) {
        if (await putFolded(record)) return;
        const language = await languages.inConversation(record.source.channel);
        const looks = chat.looks(language);
        const hidden = looks.blind(record, standardOf(record.verdict, library.rubrics, language));
        await chat.change(record.source, message, hidden, 'now');
        await putFolded(record);
        return;
      }
      await store.setIfAbsent(cardKey(channel, message), record.id, now(), CARD_KNOWN_MS);
      await put(record, await saidOf(record), 'now');
    },
    refresh,
    catchUp: async () => {
      for (const record of await store.recentVerdicts({ channel: null, limit: CATCH_UP }))
        if (!(await isShown(record))) refresh(record);
    },
    inputOf: async (record, language) =>
      inputOf(
        record,
        await saidOf(record),
        language ?? (await languages.inConversation(record.source.channel)),
      ),
  };
}

/** Why a request failed. What the endpoint of a model said is for the log. */
function failedText(
  { message, trouble }: Extract<CheckProblem, { kind: 'failed' }>,
  language: Language,
): string {
  const { chat, verdict } = wordsIn(language);
  return trouble === undefined ? message : chat.notJudgedSince(verdict.trouble[trouble]);
}

/** Changes of one message run one at a time, by this key. */
const changeKey = ({ channel }: SpotCheck, message: string): string => `${channel} ${message}`;

/** Shows the judges' progress in a message. */
function watchCase<M>(
  { changes, textsIn, languages }: ChatParts,
  { change, looks: looksIn }: Chat<M>,
  check: SpotCheck,
  message: string,
  plan: CasePlan,
): Watcher {
  // Until it is known, nothing is shown anyway.
  let language: Language = 'en';
  const known = languages.inConversation(check.channel).then((one) => {
    language = one;
  });
  let progress: CheckProgress = {
    checkId: check.id,
    stage: 'panel',
    round: 0,
    rounds: plan.method.rounds,
    judges: waitingJudges(plan.panel, textsIn('en')),
    given: 0,
    stopping: false,
  };
  let ended = false;
  const key = changeKey(check, message);

  function changed(next: CheckProgress): void {
    progress = next;
    if (ended) return;
    changes.schedule(key, async () => {
      await known;
      const looks = looksIn(language);
      // Shows neither the judges' answers nor their timing, which tells how much they agree.
      const shown = check.blind === true ? looks.hiddenProgress(progress) : looks.progress(progress);
      return change(check, message, shown, 'progress');
    });
  }
  changed(progress);
  return {
    saw: (event) => {
      if (check.blind !== true) changed(advanced(progress, event, language));
    },
    stopping: () => changed({ ...progress, stopping: true }),
    end: async () => {
      ended = true;
      await changes.drop(key);
    },
  };
}

/** What each chat implements on its own. */
export type OwnWays = Pick<
  Presenter,
  'placeholder' | 'permalink' | 'thank' | 'withdraw' | 'unshowable' | 'limits' | 'mark'
>;

/** Shows requests and their verdicts in a chat. */
export function createChatPresenter<M>(
  parts: ChatParts & { cards: Cards },
  chat: Chat<M>,
  own: OwnWays,
): Presenter {
  const { store, cards, changes, library, languages, env, now } = parts;
  const { change } = chat;
  const looksFor = async ({ channel }: SpotCheck) => chat.looks(await languages.inConversation(channel));

  async function unclear(
    check: SpotCheck,
    { none, ...about }: Omit<UnclearPaste, 'format'> & TryingAgain & { none?: NoReading | undefined },
  ): Promise<M> {
    const { wish, team, channel, thread, again } = check;
    const { redactor, caseFormat: format } = library;
    const understood = redactor.parts(about.understood);
    const language = await languages.inConversation(check.channel);
    const asked = none === undefined ? [] : [noReadingText(none, language)];
    const problem = [...asked, redactor.text(about.problem)].join(' ');
    const by = { surface: check.surface, user: check.requestedBy };
    const draft = { understood, wish, team, channel, thread, again, problem, by };
    // If the store is down, there is no form to open, but what was understood is still shown.
    const draftId = await keepDraft(store, draft, now(), check.id).catch(() => null);
    return (await looksFor(check)).unclear({ ...about, problem, understood, draftId, format });
  }

  async function unsure(
    check: SpotCheck,
    message: string,
    { why, choices, leftOut }: Extract<CheckProblem, { kind: 'unsure' }>,
  ): Promise<M> {
    const { id, wish, team, channel, kind, thread, again } = check;
    const [likeliest] = choices;
    const { redactor } = library;
    const { text } = redactor;
    const asked = ({ cases }: typeof likeliest) =>
      cases.map(({ evalCase, assumed, unsure: open }) => ({
        evalCase: redactor.case(evalCase),
        assumed: assumed.map(text),
        ...(open && { unsure: { text: text(open.text), withIt: redactor.case(open.withIt) } }),
      }));
    const question = { message, ...(kind && { kind }), choices: choices.map(asked) };
    const by = { surface: check.surface, user: check.requestedBy };
    const [paste, notes] = [text(likeliest.text), likeliest.notes.map(text)];
    const form = { understood: {}, paste, notes, problem: why, wish, team, channel, thread, again };
    await keepDraft(store, { ...form, question, by }, now(), id);
    const shown = choices.map(({ said }) => said.map((one) => ({ as: one.as, text: text(one.text) })));
    const looks = await looksFor(check);
    return looks.unsure({ draftId: id, why, choices: shown, leftOut: leftOut.map(text) });
  }

  /** Asks which of two readings is meant; the chosen one is judged in the same message. */
  async function unsureLines(
    check: SpotCheck,
    message: string,
    about: Extract<CheckProblem, { kind: 'unsure-lines' }>,
  ): Promise<M> {
    const { id, wish, surface, team, channel, thread, again, requestedBy, input } = check;
    const language = await languages.inConversation(channel);
    const { redactor } = library;
    const text = redactor.text(about.text);
    const [understood, withIt] = [redactor.case(about.readings.remark), redactor.case(about.readings.answer)];
    const readings = { remark: understood, answer: withIt };
    const [{ assumed = [], received } = {}] = input.kind === 'cases' ? input.cases : [];
    const { kind, isWishComplete, blind } = check;
    const draft = {
      ...{ understood, wish, team, channel, thread, again },
      problem: unsureQuestion({ text, readings }, language),
      by: { surface, user: requestedBy },
      unsure: {
        ...{ text, withIt, message, assumed: assumed.map(redactor.text) },
        ...(received === undefined ? {} : { received }),
        asked: { id, kind, isWishComplete, blind },
      },
    };
    const draftId = await keepDraft(store, draft, now(), id).catch(() => null);
    return chat.looks(language).unsureLines({ text, readings, draftId });
  }

  /** Shows what a model read; after a click it is judged in the same message. */
  async function readByModel(
    check: SpotCheck,
    message: string,
    { read }: Extract<CheckProblem, { kind: 'read-by-model' }>,
  ): Promise<M> {
    const { id, wish, surface, team, channel, thread, again, requestedBy, kind, isWishComplete, blind } =
      check;
    const language = await languages.inConversation(channel);
    const { redactor, caseFormat: format } = library;
    const understood = redactor.case(read.evalCase);
    const assumed = read.assumed.map(redactor.text);
    const { received, reader } = read;
    const kept = received === undefined ? {} : { received };
    const draft = {
      ...{ understood, wish, team, channel, thread, again },
      by: { surface, user: requestedBy },
      reading: { assumed, reader, message, ...kept, asked: { id, kind, isWishComplete, blind } },
    };
    const draftId = await keepDraft(store, draft, now(), id).catch(() => null);
    const lines = readingLines({ case: understood, assumed }, format, language);
    return chat.looks(language).readByModel({ model: reader.model, lines, ...kept, draftId });
  }

  async function problemOf(check: SpotCheck, message: string, problem: CheckProblem): Promise<M> {
    const language = await languages.inConversation(check.channel);
    const looks = chat.looks(language);
    const again = { tryAgain: canTryAgain(problem, check) ? check.id : null };
    switch (problem.kind) {
      case 'unsure-lines':
        return unsureLines(check, message, problem);
      case 'read-by-model':
        return readByModel(check, message, problem);
      case 'unclear':
        return unclear(check, { ...problem, ...again });
      case 'refused': {
        const { message: why, missing = [], evalCase: understood } = problem;
        return understood === undefined
          ? looks.error(why, 'refused', again)
          : unclear(check, { problem: why, missing, understood, ...again });
      }
      case 'failed':
        return looks.error(failedText(problem, language), 'failed', { ...again, cause: problem.message });
      case 'unsure':
        return unsure(check, message, problem);
      case 'nothing':
        return looks.welcome();
      case 'unreadable':
        return looks.unreadable(
          problem.isShort,
          problem.none === undefined ? null : noReadingText(problem.none, language),
        );
      case 'budget':
        return looks.budget({
          limitUsd: env.settings.JURY_DAILY_BUDGET_USD ?? null,
          spent: problem.spent,
          ...again,
        });
      case 'stopped':
        return looks.error(wordsIn(language).chat.stopped, 'stopped', again);
    }
  }

  /** Shows the final state, and first drops older changes that are still waiting. */
  async function showFinal(check: SpotCheck, message: string, shown: M): Promise<void> {
    await changes.drop(changeKey(check, message));
    await change(check, message, shown, 'now');
  }

  return {
    ...own,
    watch: (check, message, plan) => watchCase(parts, chat, check, message, plan),
    card: (_check, _message, record) => cards.show(record),
    summary: async (check, message, states, final) => {
      const language = await languages.inConversation(check.channel);
      const lines = states.map((state) => summaryLineOf(state, language));
      const shown = chat.looks(language).summary(check.id, lines);
      if (final) return showFinal(check, message, shown);
      changes.schedule(changeKey(check, message), () => change(check, message, shown, 'progress'));
    },
    problem: async (check, message, problem) =>
      showFinal(check, message, await problemOf(check, message, problem)),
    answer: async (check, message, answer) => {
      const language = await languages.ofQuestion(check);
      const hasFailed = answer.kind === 'details' && answer.failed !== null;
      const again = { tryAgain: hasFailed ? check.id : null };
      const shown = chat.looks(language).answer(answer, parts.textsIn(language), again);
      await showFinal(check, message, shown);
    },
    ...(chat.looks('en').folded === undefined
      ? {}
      : {
          fold: async (check: SpotCheck, message: string, link: string | null) => {
            const shown = (await looksFor(check)).folded?.(link);
            if (shown !== undefined) await change(check, message, shown, 'now');
          },
        }),
  };
}
