import { randomUUID } from 'node:crypto';
import * as z from 'zod';
import { KeptCase, keptParts } from '../../case/index.ts';
import { type ReadPaste, Received, type Understood } from '../../case/paste/index.ts';
import { changeText, type KeyValue } from '../../common/index.ts';
import { RULES } from '../../judges/rules/index.ts';
import type { CardTexts } from '../../judging/card/index.ts';
import { JudgeRequest } from '../../judging/index.ts';
import { libraryIn } from '../../judging/standards/index.ts';
import { Reader } from '../../judging/verdict/index.ts';
import {
  type Actor,
  type ChannelSettings,
  type Conversation,
  isAllowedModel,
  modelsIn,
  noSettings,
  type Person,
  refusal,
  refusalIn,
} from '../../labels/access/index.ts';
import { ConversationKind, type VerdictRecord } from '../../labels/record/index.ts';
import {
  type Asked,
  type AskedCase,
  chosenKey,
  holdsPaste,
  isHalf,
  JudgedCases,
  joinThread,
  noteFollowing,
  recordRequest,
  SpotCheck,
  type SpotChecks,
  type Thread,
  type ThreadMessage,
  type ThreadReading,
} from '../../requests/index.ts';
import type { Store } from '../../stores/index.ts';
import { wordsIn } from '../../words/index.ts';
import { noteChange, type SurfaceHost, whoIn } from '../index.ts';
import { askForm, opened, planErrors, readAsked } from './ask-form.ts';
import { type FilledIn, type Form, type FormErrors, refilled, shownErrors, withHidden } from './form.ts';
import {
  formWords,
  type JudgingChoices,
  judging,
  readJudging,
  readSettingsForm,
  settingsChange,
  settingsForm,
  vanishedText,
} from './judging-fields.ts';

/** What an open form is about. Kept in the store, since platforms keep too little with a form to hold a case. */
export const Draft = z.strictObject({
  understood: z.record(z.string(), z.unknown()),
  wish: JudgeRequest,
  team: z.string(),
  /** Where the verdict goes; null if that is not known yet, as for a form from the shortcuts menu. */
  channel: z.string().nullable(),
  thread: z.string().nullable(),
  /** The verdict that is judged again. */
  again: z.string().nullable(),
  problem: z.string().optional(),
  /** The text to judge, if the form holds it as one field. */
  paste: z.string().optional(),
  /** How the text was put together, for the card; used if the text is not edited. */
  notes: z.array(z.string()).optional(),
  /** A question in a thread that one click answers: the message that asks, and the cases behind each button. */
  question: z
    .strictObject({
      message: z.string(),
      kind: ConversationKind.optional(),
      choices: z.array(JudgedCases),
    })
    .optional(),
  /** The other reading of the case if a person has to choose, and the request that led to the question. */
  unsure: z
    .strictObject({
      text: z.string(),
      withIt: KeptCase,
      assumed: z.array(z.string()),
      received: Received.exactOptional(),
      asked: SpotCheck.pick({ id: true, kind: true, isWishComplete: true, blind: true }),
      /** The message that asks. */
      message: z.string(),
    })
    .optional(),
  /** What a model read, until a person says that it is right; `understood` is the case. */
  reading: z
    .strictObject({
      assumed: z.array(z.string()),
      received: Received.exactOptional(),
      reader: Reader,
      asked: SpotCheck.pick({ id: true, kind: true, isWishComplete: true, blind: true }),
      /** The message that shows it. */
      message: z.string(),
    })
    .optional(),
  /** The author of its content. */
  by: z.object({ surface: z.string(), user: z.string() }).optional(),
});
export type Draft = Omit<z.infer<typeof Draft>, 'understood'> & { understood: Understood };

/** Long enough to come back to a message after a weekend. */
const KEPT_MS = 3 * 86_400_000;

const keyOf = (id: string): string => `draft:${id}`;

/** The store's key for the ids of a person's drafts, some of which may have expired. */
const ownKey = ({ surface, user }: Pick<Person, 'surface' | 'user'>): string => `drafts:${surface}:${user}`;
const MOST_OWN = 500;
const Ids = z.array(z.string());

/** @returns the draft's id */
export async function keepDraft(
  store: KeyValue,
  draft: Draft,
  now: number,
  id: string = randomUUID(),
): Promise<string> {
  if (draft.by !== undefined) {
    const withThis = (ids: string | null) =>
      JSON.stringify([...new Set([...Ids.parse(JSON.parse(ids ?? '[]')), id])].slice(-MOST_OWN));
    await changeText(store, ownKey(draft.by), withThis, now, KEPT_MS);
  }
  await store.delete(keyOf(id));
  await store.setIfAbsent(keyOf(id), JSON.stringify(draft), now, KEPT_MS);
  return id;
}

/** Erases a person's drafts. @returns how many there were @throws JuryError `store-unavailable` */
export async function forgetDrafts(
  store: KeyValue,
  person: Pick<Person, 'surface' | 'user'>,
  now: number,
): Promise<number> {
  const ids = Ids.parse(JSON.parse((await store.get(ownKey(person), now)) ?? '[]'));
  let forgotten = 0;
  for (const id of ids) {
    if ((await store.get(keyOf(id), now)) !== null) forgotten += 1;
    await store.delete(keyOf(id));
  }
  await store.delete(ownKey(person));
  return forgotten;
}

/** A kept draft; null if it has expired. */
export async function findDraft(store: KeyValue, id: string, now: number): Promise<Draft | null> {
  const text = await store.get(keyOf(id), now);
  if (text === null) return null;
  const draft = Draft.parse(JSON.parse(text));
  return { ...draft, understood: keptParts(draft.understood) };
}

/** How to judge, as the form shows it: as requested, else as the channel has set. */
async function wishOf(store: Pick<Store, 'channelSettings'>, draft: Draft): Promise<JudgeRequest> {
  if (draft.channel === null) return draft.wish;
  const { wish } = await store.channelSettings(draft.channel);
  const { rubric = draft.understood.rubric } = draft.wish;
  return { ...wish, ...draft.wish, ...(rubric === undefined ? {} : { rubric }) };
}

/** A text to begin a form with: what it was understood as and, if it is not one whole case, why. */
export async function understand(
  text: string,
  readPaste: ReadPaste,
  who: string,
): Promise<Pick<Draft, 'understood' | 'paste' | 'problem'> & { cases: number }> {
  const items = text.trim() === '' ? [] : await readPaste(text, who);
  const [first] = items;
  const begun = { paste: text, cases: items.length };
  if (items.length > 1 || first === undefined) return { ...begun, understood: {} };
  return 'case' in first
    ? { ...begun, understood: first.case }
    : { ...begun, understood: first.understood, problem: first.problem };
}

/**
 * Begins a form with an answer that a person chose and the request above it; null if the answer stands alone: it is a whole paste or a
 * request, or there is nothing above it.
 *
 * @param above the messages above it; null if they could not be read
 * @param unread the problem to show in that case
 */
export async function answerIn(
  above: Thread | null,
  answer: ThreadMessage,
  reading: ThreadReading,
  unread: string,
): Promise<Pick<Draft, 'understood' | 'paste' | 'problem' | 'notes'> | null> {
  const items = await reading.readOne(answer.input);
  if (holdsPaste(items) || isHalf(answer.input.text, reading.format, 'user')) return null;
  const begun = { paste: answer.input.text, understood: {} };
  if (above === null) return { ...begun, problem: unread };
  if (above.messages.length === 0) return null;
  const joined = await joinThread({ ...above, messages: [...above.messages, answer] }, reading, answer);
  if (joined.kind === 'none') return null;
  if (joined.kind === 'sure') return { understood: {}, paste: joined.text, notes: joined.notes };
  const [{ text, notes }] = joined.choices;
  return { understood: {}, paste: text, notes, problem: `${joined.why} Check what is judged.` };
}

/** What the form for a case needs, on every surface. */
export type AskDesk = Pick<
  SurfaceHost,
  'store' | 'library' | 'models' | 'requireModel' | 'readPaste' | 'now'
> &
  Worded;

/** The language of the person who is answered. */
interface Worded {
  texts: Pick<CardTexts, 'language'>;
}

/** Whether a model can be asked, beside the exact checks. */
export const hasModel = ({ models }: Pick<SurfaceHost, 'models'>): boolean =>
  models.some((model) => model !== RULES);

const choicesOf = ({
  library,
  models,
  texts,
}: Pick<AskDesk, 'library' | 'models' | 'texts'>): JudgingChoices => ({
  ...libraryIn(library, texts.language),
  models,
  language: texts.language,
});

/** The form of a draft. @param wish how to judge, as far as known */
function formOf(desk: AskDesk, { understood, problem, paste, again }: Draft, wish: Draft['wish']): Form {
  const { caseFormat: format } = desk.library;
  const choices = choicesOf(desk);
  const { rubrics } = libraryIn(desk.library, desk.texts.language);
  return askForm({ understood, wish, rubrics, choices, format, problem, paste, again: again !== null });
}

/** A form that is open, and the draft that it is about. */
export interface OpenForm {
  draftId: string;
  form: Form;
}

/** A draft that is not about anything yet. */
export const emptyDraft = { understood: {}, paste: '', wish: {}, channel: null, thread: null, again: null };

/** Opens the form, after keeping its draft. @param known the draft's id if it is already kept @throws JuryError `store-unavailable` */
export async function openDraft(desk: AskDesk, draft: Draft, known?: string): Promise<OpenForm> {
  const draftId = known ?? (await keepDraft(desk.store, draft, desk.now()));
  return { draftId, form: formOf(desk, draft, await wishOf(desk.store, draft)) };
}

/** A draft of the same case and judges, without any outcome: it may be shown before the person has voted. */
export function draftAgain({ id, evalCase, verdict, source }: VerdictRecord): Draft {
  const { rubric, method, settings, fallback } = verdict;
  const models = [...new Set(settings.panel.map(({ model }) => model))];
  return {
    understood: evalCase,
    // Exact checks that stood in for models were not asked for.
    wish: { rubric, method, ...(fallback === undefined ? { models } : {}) },
    team: source.team,
    channel: source.channel,
    thread: source.thread ?? source.message,
    again: id,
  };
}

/** The form after another rubric was chosen, which has other fields; null if the draft has expired. */
export async function reshapeDraft(desk: AskDesk, draftId: string, filledIn: FilledIn): Promise<Form | null> {
  const draft = await findDraft(desk.store, draftId, desk.now());
  if (draft === null) return null;
  const all = withHidden(formOf(desk, draft, await wishOf(desk.store, draft)), filledIn);
  return refilled(formOf(desk, { ...draft, problem: undefined }, readJudging(all)), filledIn);
}

/** The form with its advanced fields, as filled in so far; null if the draft has expired. */
export async function expandDraft(desk: AskDesk, draftId: string, filledIn: FilledIn): Promise<Form | null> {
  const { store, library, readPaste, now } = desk;
  const kept = await findDraft(store, draftId, now());
  if (kept === null) return null;
  const draft = await opened(kept, filledIn, {
    readPaste,
    methods: library.methods,
    format: library.caseFormat,
    who: kept.by?.user ?? draftId,
  });
  if (draft !== kept) await keepDraft(store, draft, now(), draftId);
  const wish = readJudging(withHidden(formOf(desk, kept, await wishOf(store, kept)), filledIn));
  return { ...refilled(formOf(desk, draft, wish), filledIn), expanded: true };
}

/** The sender of a form, and the key of the request: sent twice, it has the same key. */
export type FormSender = Pick<Asked, 'surface' | 'team' | 'kind' | 'requestedBy' | 'key'> & {
  actor: Actor;
  /** Where the answer goes if the form belongs to no conversation. */
  channel: () => Promise<string>;
};

/**
 * Records the request in a form.
 *
 * @returns errors by the id of the field, or the recorded request
 * @throws JuryError `store-unavailable`: nothing was recorded
 */
export async function sendDraft(
  desk: AskDesk & Pick<SurfaceHost, 'roles'>,
  draftId: string,
  filledIn: FilledIn,
  { channel, actor, ...sender }: FormSender,
): Promise<{ errors: FormErrors } | Awaited<ReturnType<typeof recordRequest>>> {
  const { store, library, readPaste, now } = desk;
  const draft = await findDraft(store, draftId, now());
  if (draft === null) return { errors: { [judging.rubric]: formWords(choicesOf(desk)).ask.openTooLong } };
  const about = draft.channel === null ? null : { surface: sender.surface, channel: draft.channel };
  const why = about === null ? null : await refusalIn(desk.texts.language, desk.roles, 'ask', actor, about);
  if (why !== null) return { errors: { [judging.rubric]: why } };
  const all = withHidden(formOf(desk, draft, await wishOf(store, draft)), filledIn);
  const reading = {
    readPaste,
    methods: library.methods,
    format: library.caseFormat,
    who: sender.requestedBy,
    language: desk.texts.language,
  };
  const read = await readAsked(all, draft, library.rubrics, reading);
  if ('errors' in read) return read;
  const settings = draft.channel === null ? noSettings : await store.channelSettings(draft.channel);
  const models = desk.models.filter((model) => isAllowedModel(settings, model));
  const requireModel = (model: string) => {
    modelsIn(settings, [model], model);
    desk.requireModel(model);
  };
  for (const { evalCase } of read.cases) {
    const problems = planErrors({ library, models, requireModel }, evalCase, read.wish);
    if (problems !== null) return { errors: shownErrors(problems, filledIn, judging.rubric) };
  }
  const asked = {
    ...sender,
    channel: draft.channel ?? (await channel()),
    thread: draft.thread,
    input: { kind: 'cases' as const, cases: read.cases },
    wish: read.wish,
    isWishComplete: true,
    again: draft.again,
  };
  return recordRequest(store, asked, now());
}

/** What answering a question with a click needs. */
type ChoosingDesk = Pick<SurfaceHost, 'store' | 'roles' | 'now'> &
  Worded & { checks: Pick<SpotChecks, 'take'> };

/**
 * Judges the reading of a case that a person chose, in the message that asked. Only the first choice counts.
 *
 * @param draftId the draft that keeps the question
 * @returns whether judging began, and the reply to show
 * @throws JuryError `store-unavailable`: nothing was recorded
 */
export async function chooseReading(
  desk: ChoosingDesk,
  actor: Actor,
  draftId: string,
  choice: 'answer' | 'remark',
): Promise<{ begun: boolean; text: string }> {
  const draft = await findDraft(desk.store, draftId, desk.now());
  const { unsure } = draft ?? {};
  if (draft === null || unsure === undefined) return pasteGone(desk);
  const { text, withIt, assumed, received } = unsure;
  const evalCase = KeptCase.parse(draft.understood);
  const kept = received === undefined ? {} : { received };
  return judgeChosen(desk, actor, draft, unsure, {
    case: { evalCase, assumed, unsure: { text, withIt }, ...kept },
    wish: { ...draft.wish, unsure: choice },
  });
}

/**
 * Judges what a model read of a paste, in the message that shows it. Only the person who asked can say that it is right.
 *
 * @param draftId the draft that keeps what was read
 * @returns whether judging began, and the reply to show
 * @throws JuryError `store-unavailable`: nothing was recorded
 */
export async function trustReading(
  desk: ChoosingDesk,
  actor: Actor,
  draftId: string,
): Promise<{ begun: boolean; text: string }> {
  const draft = await findDraft(desk.store, draftId, desk.now());
  const { reading, by } = draft ?? {};
  if (draft === null || reading === undefined || by === undefined) return pasteGone(desk);
  const isAsker = actor.people.some(({ surface, user }) => surface === by.surface && user === by.user);
  if (!isAsker) return { begun: false, text: wordsIn(desk.texts.language).requests.onlyAsker };
  const { assumed, received, reader } = reading;
  const evalCase = KeptCase.parse(draft.understood);
  return judgeChosen(desk, actor, draft, reading, {
    case: { evalCase, assumed, ...(received === undefined ? {} : { received }), reader },
    wish: { ...draft.wish, trustReader: true },
  });
}

const pasteGone = ({ texts }: Worded) => ({
  begun: false,
  text: wordsIn(texts.language).requests.pasteGone,
});

/** Records the request that results from a click on a question, once. */
async function judgeChosen(
  { store, roles, checks, texts, now }: ChoosingDesk,
  actor: Actor,
  draft: Draft,
  { asked, message }: Pick<NonNullable<Draft['reading']>, 'asked' | 'message'>,
  chosen: { case: AskedCase; wish: JudgeRequest },
): Promise<{ begun: boolean; text: string }> {
  const words = wordsIn(texts.language).requests;
  const { by, channel } = draft;
  if (by === undefined || channel === null) return { begun: false, text: words.pasteGone };
  const { surface } = by;
  const why = await refusalIn(texts.language, roles, 'rerun', actor, { surface, channel });
  if (why !== null) return { begun: false, text: why };
  const { id, ...wish } = asked;
  const { check, status } = await recordRequest(
    store,
    {
      ...wish,
      ...{ surface, team: draft.team, channel, thread: draft.thread, requestedBy: by.user },
      key: chosenKey({ surface, team: draft.team, id }),
      input: { kind: 'cases', cases: [chosen.case] },
      wish: chosen.wish,
      again: draft.again,
      placeholder: message,
    },
    now(),
  );
  if (!(await noteFollowing(store, id, check.id, now()))) return { begun: false, text: words.messageDeleted };
  if (status === 'known') return { begun: false, text: words.chosenAlready };
  void checks.take(check.id);
  return { begun: true, text: words.judgingIt };
}

type SettingsDesk = Pick<
  SurfaceHost,
  'store' | 'library' | 'models' | 'roles' | 'now' | 'announce' | 'surfaces'
> &
  Worded;

/** The form of a conversation's settings, or why this person may not change them. @throws JuryError `store-unavailable` */
export async function settingsFor(
  desk: SettingsDesk,
  actor: Actor,
  conversation: Conversation,
): Promise<{ form: Form; before: ChannelSettings } | { why: string }> {
  const why = await refusalIn(desk.texts.language, desk.roles, 'set', actor, conversation);
  if (why !== null) return { why };
  const before = await desk.store.channelSettings(conversation.channel);
  const canDelegate = (await refusal(desk.roles, 'delegate', actor, conversation)) === null;
  const canMark = desk.surfaces.some(
    ({ name, marksRequests }) => name === conversation.surface && marksRequests === true,
  );
  return { before, form: settingsForm(before, choicesOf(desk), { canDelegate, canMark }) };
}

/**
 * Saves how a conversation's cases are judged, from a form, and announces the change there.
 *
 * @returns why this person may not change it, what is wrong with the form, or which choices were left out
 * @throws JuryError `store-unavailable`: nothing was saved
 */
export async function saveSettings(
  desk: SettingsDesk,
  actor: Actor,
  conversation: Conversation,
  filledIn: FilledIn,
): Promise<{ why: string } | { form: Form; errors: FormErrors } | { leftOut: string | null }> {
  const current = await settingsFor(desk, actor, conversation);
  if ('why' in current) return current;
  const { form, before } = current;
  const { channel } = conversation;
  const { language } = desk.texts;
  const read = readSettingsForm(form, filledIn, before, language);
  if ('errors' in read) return { form, errors: read.errors };
  const { settings, vanished } = read;
  const isChanged = settingsChange(before, settings, desk.library, 'en') !== null;
  if (isChanged)
    await noteChange(desk, actor, conversation, { what: 'settings', about: null, before, after: settings });
  await desk.store.saveChannelSettings(channel, settings);
  // The sender does not have to wait for the announcement.
  if (isChanged)
    void desk.announce(conversation, (shared) => [
      whoIn(actor, conversation.surface, shared),
      wordsIn(shared).forms.settings.changed(settingsChange(before, settings, desk.library, shared) ?? ''),
    ]);
  return {
    leftOut: vanished.length === 0 ? null : vanishedText(vanished, language),
  };
}
