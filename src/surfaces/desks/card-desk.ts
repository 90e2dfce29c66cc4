import { isStoreAway, JuryError } from '../../common/index.ts';
import { addVerdictToSet, requireSetName } from '../../datasets/index.ts';
import { RULES } from '../../judges/rules/index.ts';
import type { CardTexts } from '../../judging/card/index.ts';
import {
  type Actor,
  isAllowedModel,
  refusalIn,
  type Viewer,
  visibleVerdict,
} from '../../labels/access/index.ts';
import { readVoted } from '../../labels/index.ts';
import type { VerdictRecord } from '../../labels/record/index.ts';
import {
  keepRuling,
  noteRulingsToShow,
  type Ruled,
  type Ruling,
  rulingOn,
} from '../../labels/voting/index.ts';
import {
  type Asked,
  failedRequest,
  MAX_CASES,
  type MessageInput,
  noteShown,
  recordEdit,
  recordRequest,
  type SpotChecks,
  shownFor,
  verdictIdOf,
} from '../../requests/index.ts';
import { type Language, wordsIn } from '../../words/index.ts';
import { judgedLine, readTheseValue, type SummaryLine } from '../chat/index.ts';
import { draftAgain, type FilledIn, type Form, type FormErrors, findDraft, textIn } from '../forms/index.ts';
import { noteChange, noteRuling, rulingLine, type SurfaceHost } from '../index.ts';
import { firstPaste } from '../wording/index.ts';

/** How many names of sets a hint lists. */
const SHOWN_SETS = 20;

/** The field of {@link setForm}. */
export const SET = 'set';

/** Asks for the set that the case of a verdict is added to. @param names the existing sets */
export function setForm(names: readonly string[], language: Language): Form {
  const { set: words, ...forms } = wordsIn(language).forms;
  return {
    title: words.title,
    parts: [
      {
        kind: 'text',
        id: SET,
        label: words.label,
        initial: names.at(-1) ?? 'regressions',
        required: words.required,
        hint: words.hint({
          names: names.slice(-SHOWN_SETS).join(', '),
          more: Math.max(0, names.length - SHOWN_SETS),
        }),
      },
    ],
    send: forms.add,
    cancel: forms.cancel,
  };
}

/**
 * Adds the case of a verdict to the named set, and notes who did in the audit log. The name is normalized, so that people can write “My set”.
 *
 * @throws JuryError `store-unavailable`
 */
export async function addBySetForm(
  { store, library, now }: Pick<CardDesk, 'store' | 'now'> & Pick<SurfaceHost, 'library'>,
  actor: Actor,
  { id, source }: Pick<VerdictRecord, 'id' | 'source'>,
  filledIn: FilledIn,
): Promise<{ text: string } | { errors: FormErrors }> {
  const name = (textIn(filledIn, SET) ?? '').trim().toLowerCase().replaceAll(/\s+/g, '-');
  try {
    requireSetName(name);
    const note = (outcome: string) => {
      const change = { what: 'set', about: name, before: null, after: { verdict: id, outcome } } as const;
      return noteChange({ store, now }, actor, source, change);
    };
    return { text: await addVerdictToSet(store, name, id, library.caseFormat, now(), note) };
  } catch (thrown) {
    if (!(thrown instanceof JuryError) || isStoreAway(thrown)) throw thrown;
    return { errors: { [SET]: thrown.message } };
  }
}

/** What the buttons of a card need besides votes, on every surface. */
export type CardDesk = Pick<SurfaceHost, 'store' | 'models' | 'now'> &
  Worded & { checks: Pick<SpotChecks, 'take'> };

/** The language of the person who is answered. */
interface Worded {
  texts: Pick<CardTexts, 'language'>;
}

/** A verdict that a person may read, or why not. @throws JuryError `store-unavailable` */
export async function readableVerdict(
  { store, texts, now }: Pick<CardDesk, 'store' | 'texts' | 'now'>,
  viewer: Viewer,
  id: string,
): Promise<VerdictRecord | { why: string }> {
  const { gone, answerFirstThenRead } = wordsIn(texts.language).votes;
  const visible = await visibleVerdict(store, id, viewer, now());
  if (visible === null) return { why: gone };
  return visible.kind === 'hidden' ? { why: answerFirstThenRead } : visible.record;
}

/** The first connected model, other than the exact checks, that is allowed in the verdict's conversation. */
export async function modelToAsk(
  { models, store }: Pick<CardDesk, 'models' | 'store'>,
  { source }: Pick<VerdictRecord, 'source'>,
): Promise<string | undefined> {
  const settings = await store.channelSettings(source.channel);
  return models.find((model) => model !== RULES && isAllowedModel(settings, model));
}

/** Why no model is asked. */
export const noModel = ({ texts }: Worded): string => wordsIn(texts.language).requests.noModel;

/** Has a model judge a case, in the same thread. @param sender its key makes a second click the same request */
export async function askModel(
  { store, checks, now }: CardDesk,
  record: VerdictRecord,
  model: string,
  sender: Pick<Asked, 'surface' | 'team' | 'key' | 'requestedBy'>,
): Promise<void> {
  const { id, evalCase, verdict, source } = record;
  const { check, status } = await recordRequest(
    store,
    {
      ...sender,
      channel: source.channel,
      ...(source.kind === undefined ? {} : { kind: source.kind }),
      thread: draftAgain(record).thread,
      input: { kind: 'cases', cases: [{ evalCase, assumed: verdict.assumed }] },
      wish: { rubric: verdict.rubric, models: [model] },
      again: id,
    },
    now(),
  );
  if (status === 'added') void checks.take(check.id);
}

/** The key of a request to judge a case with the text that was left out: clicked twice, it is judged once. */
export const withItKey = ({ id, source }: Pick<VerdictRecord, 'id' | 'source'>): string =>
  `${source.channel}:with-it:${id}`;

/**
 * Judges a case with the lines of its answer that were left out, by the same judges and in the same thread.
 *
 * @returns why it is not judged, or null if it is
 * @throws JuryError `store-unavailable`: nothing was recorded
 */
export async function judgeWithIt(
  { store, checks, texts, now }: CardDesk,
  record: VerdictRecord,
  sender: Pick<Asked, 'surface' | 'team' | 'requestedBy'>,
): Promise<string | null> {
  const { id, evalCase, verdict, source, received, withLeftOut: withIt } = record;
  if (verdict.leftOut === undefined || withIt === undefined)
    return wordsIn(texts.language).requests.nothingLeftOut;
  const { wish, thread } = draftAgain(record);
  const unsure = { text: verdict.leftOut, withIt };
  const read = received === undefined ? {} : { received };
  const { check, status } = await recordRequest(
    store,
    {
      ...sender,
      key: withItKey(record),
      channel: source.channel,
      ...(source.kind === undefined ? {} : { kind: source.kind }),
      thread,
      input: { kind: 'cases', cases: [{ evalCase, assumed: verdict.assumed, unsure, ...read }] },
      wish: { ...wish, unsure: 'answer' },
      isWishComplete: true,
      again: id,
    },
    now(),
  );
  if (status === 'known') return wordsIn(texts.language).requests.judgedWithIt;
  void checks.take(check.id);
  return null;
}

/**
 * Judges the example of the welcome message, as if the person had pasted it.
 *
 * @param asked its key makes a second click the same request
 * @param message the welcome message
 * @returns whether judging began, and the reply to show
 */
export async function judgeExample(
  { store, roles, checks, texts, now }: RequestDesk,
  actor: Actor,
  asked: Omit<Asked, 'input' | 'wish' | 'again'>,
  message: string,
): Promise<{ begun: boolean; text: string }> {
  const why = await refusalIn(texts.language, roles, 'ask', actor, asked);
  if (why !== null) return { begun: false, text: why };
  const input: MessageInput = { kind: 'message', message, text: firstPaste, files: [] };
  const { check, status } = await recordRequest(store, { ...asked, input }, now());
  if (status === 'known') return { begun: false, text: wordsIn(texts.language).requests.exampleJudged };
  void checks.take(check.id);
  return { begun: true, text: wordsIn(texts.language).requests.judgingExample };
}

const SHARED_MS = 30 * 86_400_000;

/** Posts a card from its thread to the channel, once. @returns why it was not posted, or null @throws the platform's error */
export async function shareOnce(
  { store, texts, now }: Pick<CardDesk, 'store' | 'texts' | 'now'>,
  { id, blind, source }: VerdictRecord,
  isInChannel: boolean,
  post: () => Promise<unknown>,
): Promise<string | null> {
  const { shareBlind, shareHere, sharedAlready } = wordsIn(texts.language).requests;
  if (blind === true) return shareBlind;
  if (!isInChannel || source.thread === null) return shareHere;
  const key = `shared:${id}`;
  if (!(await store.setIfAbsent(key, 'shared', now(), SHARED_MS)).set) return sharedAlready;
  try {
    await post();
    return null;
  } catch (thrown) {
    await store.delete(key);
    throw thrown;
  }
}

/** The cases of a request whose verdicts are kept. @param count how many cases it had */
export async function casesOf(
  { store, texts, now }: Pick<CardDesk, 'store' | 'texts' | 'now'>,
  viewer: Viewer,
  checkId: string,
  count: number,
): Promise<SummaryLine[]> {
  const ids = Array.from({ length: Math.min(count, MAX_CASES) }, (_, index) => verdictIdOf(checkId, index));
  const visible = await Promise.all(ids.map((id) => visibleVerdict(store, id, viewer, now())));
  return visible.flatMap((one) =>
    one === null ? [] : [judgedLine(one.record, one.kind === 'hidden', texts.language)],
  );
}

type RequestDesk = Pick<SurfaceHost, 'store' | 'roles' | 'now'> &
  Worded & {
    checks: Pick<SpotChecks, 'take' | 'stop' | 'tryAgain'>;
  };

/** Why a person may not act on a request, whatever id a button names; null if they may. @throws JuryError `store-unavailable` */
async function requestRefusal(
  { store, roles, texts, now }: RequestDesk,
  action: 'stop' | 'rerun',
  actor: Actor,
  request: string,
): Promise<string | null> {
  const shown =
    (await store.spotCheck(request)) ??
    (await failedRequest(store, request, now())) ??
    (await shownFor(store, request, now()));
  if (shown === null || shown.channel === '') return wordsIn(texts.language).requests.gone;
  const [surface = ''] = request.split(':');
  return refusalIn(texts.language, roles, action, actor, { surface, channel: shown.channel });
}

/** Stops a request. @returns why it was not stopped, or null @throws JuryError `store-unavailable` */
export async function stopRequest(desk: RequestDesk, actor: Actor, request: string): Promise<string | null> {
  const why = await requestRefusal(desk, 'stop', actor, request);
  if (why === null) await desk.checks.stop(request, actor.people[0].user);
  return why;
}

/**
 * Takes up a request that failed once more, in the message that said so.
 *
 * @returns whether that began, and the reply
 * @throws JuryError `store-unavailable`
 */
export async function tryAgain(
  desk: RequestDesk,
  actor: Actor,
  request: string,
): Promise<{ begun: boolean; text: string }> {
  const why = await requestRefusal(desk, 'rerun', actor, request);
  if (why !== null) return { begun: false, text: why };
  const words = wordsIn(desk.texts.language).requests;
  if (await desk.checks.tryAgain(request)) return { begun: true, text: words.tryingAgain };
  const { cases = 0 } = (await shownFor(desk.store, request, desk.now())) ?? {};
  // As where another try has succeeded and this message still offers one.
  if (cases > 0) return { begun: false, text: words.judgedAlready };
  return { begun: false, text: words.askAgain };
}

/** Judges an edited request, once for each edit. @returns whether that began, and the reply @throws JuryError `store-unavailable` */
export async function judgeEdited(
  desk: RequestDesk,
  actor: Actor,
  request: string,
): Promise<{ begun: boolean; text: string }> {
  const why = await requestRefusal(desk, 'rerun', actor, request);
  if (why !== null) return { begun: false, text: why };
  const { store, checks, now } = desk;
  const words = wordsIn(desk.texts.language).requests;
  const recorded = await recordEdit(store, request, now());
  if (recorded === 'deleted') return { begun: false, text: words.messageDeleted };
  if (recorded === 'judged') return { begun: false, text: words.judgedAgain };
  if (recorded.status === 'added') void checks.take(recorded.check.id);
  return { begun: true, text: words.judgingAgain };
}

/**
 * Judges messages of a thread as one conversation, as they were read when the question was asked. The question becomes the card. Only the
 * first choice counts.
 *
 * @param value the button's value
 * @param requestedBy the platform's id of the person who chose
 * @returns whether judging began, and the reply to show
 * @throws JuryError `store-unavailable`
 */
export async function judgeThese(
  desk: RequestDesk,
  actor: Actor,
  value: string,
  requestedBy: string,
): Promise<{ begun: boolean; text: string }> {
  const { store, roles, checks, texts, now } = desk;
  const words = wordsIn(texts.language).requests;
  const read = readTheseValue(value);
  const draft = read === null ? null : await findDraft(store, read.draft, now());
  const { question, channel = null } = draft ?? {};
  const cases = question?.choices[read?.choice ?? 0];
  if (read === null || draft === null || !question || channel === null || cases === undefined)
    return { begun: false, text: words.gone };
  const [surface = ''] = read.draft.split(':');
  const why = await refusalIn(texts.language, roles, 'rerun', actor, { surface, channel });
  if (why !== null) return { begun: false, text: why };
  if ((await shownFor(store, read.draft, now()))?.withdrawn === true)
    return { begun: false, text: words.requestDeleted };
  const { team, thread, wish, again } = draft;
  const { message, kind } = question;
  const asked = { surface, team, channel, ...(kind && { kind }), thread, requestedBy, wish, again };
  const { check, status } = await recordRequest(
    store,
    { ...asked, key: `these:${read.draft}`, input: { kind: 'cases', cases }, placeholder: message },
    now(),
  );
  // Deleting the request takes the card with it.
  await noteShown(store, read.draft, ({ edits }) => ({ edits: [...new Set([...edits, check.id])] }), now());
  if (status === 'known') return { begun: false, text: words.judgedAlready };
  void checks.take(check.id);
  return { begun: true, text: words.judgingThese };
}

/**
 * Makes a ruling that overrides all votes on a verdict, if the person may, shows it on the card and announces it in the conversation.
 *
 * @returns the outcome, or why nothing was changed
 * @throws JuryError `store-unavailable`
 */
export async function ruleOn(
  desk: Pick<SurfaceHost, 'store' | 'library' | 'roles' | 'now' | 'announce' | 'refreshElsewhere'> & Worded,
  viewer: Viewer,
  actor: Actor,
  id: string,
  ruling: Ruling,
): Promise<{ ruled: Ruled } | { why: string }> {
  const { store, library, roles, texts, now, announce, refreshElsewhere } = desk;
  const record = await readableVerdict(desk, viewer, id);
  if ('why' in record) return record;
  const why = await refusalIn(texts.language, roles, 'rule', actor, record.source);
  if (why !== null) return { why };
  const made = rulingOn(record, library.rubrics.get(record.verdict.rubric), ruling, now());
  if ('problem' in made) return { why: made.problem };
  const { adjudication } = await readVoted(store, id);
  const kept = await keepRuling(store, made.ruling, adjudication, noteRuling(desk, actor, record));
  if ('problem' in kept) return { why: kept.problem };
  if (kept.ruled === 'unchanged') return kept;
  await noteRulingsToShow(store, [id], now());
  refreshElsewhere(record);
  await announce(record.source, rulingLine(record, made.ruling, actor));
  return kept;
}
