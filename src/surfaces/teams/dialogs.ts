import { createHash } from 'node:crypto';
import { isStoreAway, JuryError } from '../../common/index.ts';
import { setNames } from '../../datasets/index.ts';
import { refusal, type VisibleVerdict, visibleVerdict } from '../../labels/access/index.ts';
import { wordsIn } from '../../words/index.ts';
import {
  addBySetForm,
  casesOf,
  castCorrection,
  castThumb,
  correctionFor,
  mayManage,
  readableVerdict,
  SET,
  setForm,
} from '../desks/index.ts';
import {
  type Draft,
  draftAgain,
  emptyDraft,
  expandDraft,
  type Form,
  findDraft,
  isData,
  isField,
  type OpenForm,
  openDraft,
  PASTE,
  refilled,
  reshapeDraft,
  saveSettings,
  sendDraft,
  settingsFor,
  shownParts,
  understand,
} from '../forms/index.ts';
import { standardOf } from '../wording/index.ts';
import { type ButtonData, type Origin, unsaidKind } from './activities.ts';
import { actorOf, type Dialog, isShownAt, type Sent, type TeamsContext, viewerOf } from './context.ts';
import { openSchedule, sendSchedule } from './digests.ts';
import { actions, TEAMS } from './ids.ts';
import { manageDialog } from './manage.ts';
import { blindCaseCard, detailsCard, jsonCard } from './render/details.ts';
import { briefForm, EXPAND, formDialog, optionalDialog, optionsOf, readFormData } from './render/form.ts';
import { casesCard } from './render/lists.ts';
import { reviewDialog } from './reviews.ts';
import { studyDialog } from './studies.ts';
import { pressed, votingOf } from './votes.ts';

const EXPIRED = 'This form was open for too long: close it and ask again.';
const CLOSED: Dialog = null;

/** What a button in a form does other than send it. */
const next = { reshape: 'reshape' } as const;

/** Marks a form that asks for data of the case alone, not what was said or how to judge. */
const DATA = 'data';

/**
 * A dialog does not report choices before it is sent, so a button fetches the fields that depend on them.
 * @param shows what of the form is shown before Options
 */
function askDialog({ form: whole, draftId }: OpenForm, shows?: unknown): Dialog {
  const isPaste = whole.parts.some((part) => isField(part) && part.id === PASTE);
  const isBrief = !isPaste && shows === DATA && whole.parts.some(isData);
  const { form, rest } = isPaste
    ? briefForm(whole, ({ id }) => id === PASTE)
    : isBrief
      ? briefForm(whole, isData)
      : { form: whole, rest: {} };
  const data = { ...rest, ...(isBrief && { shows: DATA }), do: actions.ask, id: draftId };
  const more = [
    ...(shownParts(form).some((part) => 'reshapes' in part && part.reshapes === true)
      ? [{ title: 'Show the fields of this rubric', data: { ...data, next: next.reshape } }]
      : []),
    ...optionsOf(form, data),
  ];
  return formDialog(form, data, more);
}

const writerOf = ({ user }: Origin) => ({ surface: TEAMS, user });

/**
 * Opens an empty form, or one about a text.
 * @param begun the initial content, instead of the text's
 */
export async function openAskAbout(
  context: TeamsContext,
  origin: Origin,
  text: string,
  begun: Pick<Draft, 'understood' | 'paste' | 'problem' | 'notes'> | null = null,
): Promise<Dialog> {
  const { cases: _cases, ...own } = await understand(text, context.readPaste, origin.user);
  const read = begun ?? own;
  const { tenant: team, channel, thread } = origin;
  return askDialog(
    await openDraft(context, { ...emptyDraft, ...read, team, channel, thread, by: writerOf(origin) }),
  );
}

/** A draft, only for people of its conversation, whichever id a button contains. */
async function ownDraft(
  { store, roles, now }: TeamsContext,
  origin: Origin,
  id: string,
): Promise<Draft | null> {
  const draft = await findDraft(store, id, now());
  const channel = draft?.channel ?? null;
  if (channel === null || !isShownAt(origin, channel)) return null;
  const why = await refusal(roles, 'rerun', actorOf(origin), { surface: TEAMS, channel });
  return why === null ? draft : null;
}

async function openKnown(context: TeamsContext, origin: Origin, draftId: string): Promise<Dialog> {
  if (draftId === '') return openAskAbout(context, origin, '');
  const draft = await ownDraft(context, origin, draftId);
  return draft === null ? { text: EXPIRED } : askDialog(await openDraft(context, draft, draftId));
}

/**
 * The verdict, limited to what the person may see.
 * @param said the result of a vote, shown first
 * @throws JuryError `store-unavailable`
 */
async function verdictDialog(
  context: TeamsContext,
  origin: Origin,
  visible: VisibleVerdict,
  { page = 0, queue }: Pick<ButtonData, 'page' | 'queue'> = {},
  said = '',
): Promise<Dialog> {
  const { cards, library, texts } = context;
  const { record } = visible;
  const { language } = texts;
  const { votes } = wordsIn(language);
  if (visible.kind === 'hidden') {
    const standard = standardOf(record.verdict, library.rubrics, context.texts.language);
    return { title: votes.blind.case, card: blindCaseCard(record, standard, language, page, queue) };
  }
  const ownVote = visible.kind === 'answered' ? visible.vote : null;
  const input = await cards.inputOf(record, language);
  const manages = await mayManage(context, actorOf(origin), record);
  return { title: votes.actions.details, card: detailsCard(input, page, ownVote, said, manages) };
}

const openAgain = async (
  context: TeamsContext,
  origin: Origin,
  { record }: VisibleVerdict,
  shows?: typeof DATA,
): Promise<Dialog> =>
  askDialog(await openDraft(context, { ...draftAgain(record), by: writerOf(origin) }), shows);

const correctionDialog = (form: Form, id: string): Dialog => formDialog(form, { do: actions.correct, id });
const setDialog = (form: Form, id: string): Dialog => formDialog(form, { do: actions.addToSet, id });
const settingsDialog = (form: Form): Dialog => optionalDialog(form, { do: actions.settings });

const formOfSets = async ({ store, texts, now }: TeamsContext): Promise<Form> =>
  setForm(await setNames(store, now()), texts.language);

async function openSettings(context: TeamsContext, origin: Origin): Promise<Dialog> {
  const settings = await settingsFor(context, actorOf(origin), { surface: TEAMS, channel: origin.channel });
  return 'why' in settings ? { text: settings.why } : settingsDialog(settings.form);
}

/**
 * Handles a button that opens a dialog.
 * @throws JuryError `store-unavailable`
 */
export async function openDialog(context: TeamsContext, origin: Origin, sent: ButtonData): Promise<Dialog> {
  const { id, page = 0 } = sent;
  const { language } = context.texts;
  const { requests, votes } = wordsIn(language);
  if (sent.do === actions.ask) return openKnown(context, origin, id);
  if (sent.do === actions.settings) return openSettings(context, origin);
  if (sent.do === actions.cases) {
    const all = await casesOf(context, viewerOf(context, origin), id, page);
    return { title: wordsIn(language).chat.casesTitle, card: casesCard(all, language) };
  }
  const managed = await manageDialog(context, origin, sent);
  if (managed !== undefined) return managed;
  if (sent.do === actions.schedule) return openSchedule(context, origin);
  if (sent.do === actions.study) return studyDialog(context, origin, sent);
  if (sent.do === actions.reviewCase) return reviewDialog(context, origin, sent);
  const viewer = viewerOf(context, origin);
  const visible = await visibleVerdict(context.store, id, viewer, context.now());
  if (visible === null) return { text: votes.gone };
  switch (sent.do) {
    case actions.details:
      return verdictDialog(context, origin, visible, sent);
    case actions.json: {
      if (visible.kind === 'hidden') return verdictDialog(context, origin, visible);
      const json = JSON.stringify({ id, ...visible.record.verdict }, null, 1);
      return { title: 'JSON', card: jsonCard(id, json, page, language) };
    }
    case actions.addToSet:
      return visible.kind === 'hidden'
        ? verdictDialog(context, origin, visible)
        : setDialog(await formOfSets(context), id);
    case actions.fillIn:
      return openAgain(context, origin, visible, DATA);
    case actions.again:
      return openAgain(context, origin, visible);
    case actions.disagree: {
      // The vote already counts; the form adds detail.
      const outcome = await castThumb(context, votingOf(context, origin), id, 'disagree');
      if (outcome.kind !== 'counted' && outcome.kind !== 'asked')
        return verdictDialog(context, origin, visible);
      return outcome.form === null ? CLOSED : correctionDialog(outcome.form, id);
    }
    case actions.correct: {
      const form = await correctionFor(context, visible, viewer.voter);
      return form === null ? verdictDialog(context, origin, visible) : correctionDialog(form, id);
    }
    default:
      return { text: requests.olderButton };
  }
}

const hashOf = (text: string): string => createHash('sha256').update(text).digest('hex');

async function sendAsk(context: TeamsContext, origin: Origin, sent: Sent): Promise<Dialog> {
  const { id: draftId } = sent;
  const draft = await ownDraft(context, origin, draftId);
  if (draft === null) return { text: EXPIRED };
  const filledIn = readFormData(sent);
  const shown = (form: Form | null): Dialog =>
    form === null ? { text: EXPIRED } : askDialog({ form, draftId }, sent.shows);
  if (sent.next === next.reshape) return shown(await reshapeDraft(context, draftId, filledIn));
  if (sent.next === EXPAND) return shown(await expandDraft(context, draftId, filledIn));
  const recorded = await sendDraft(context, draftId, filledIn, {
    surface: TEAMS,
    team: origin.tenant,
    ...(draft.channel === origin.channel ? unsaidKind(origin) : {}),
    // Hashed, because ids of requests are kept beyond forgetting who asked.
    key: `${draft.channel ?? origin.channel}:form:${hashOf(`${draftId}\n${origin.user}`)}`,
    requestedBy: origin.user,
    actor: actorOf(origin),
    channel: async () => origin.channel,
  });
  if ('errors' in recorded) {
    const form = await reshapeDraft(context, draftId, filledIn);
    return shown(form === null ? null : refilled(form, filledIn, recorded.errors));
  }
  if (recorded.status === 'added') void context.checks.take(recorded.check.id);
  return CLOSED;
}

async function sendCorrection(context: TeamsContext, origin: Origin, sent: Sent): Promise<Dialog> {
  const filledIn = readFormData(sent);
  const outcome = await castCorrection(context, votingOf(context, origin), sent.id, filledIn);
  switch (outcome.kind) {
    case 'gone':
      return { text: wordsIn(context.texts.language).votes.gone };
    case 'nothing':
      return verdictDialog(context, origin, outcome.visible);
    case 'wrong':
      return correctionDialog(refilled(outcome.form, filledIn, outcome.errors), sent.id);
    case 'kept':
      return CLOSED;
  }
}

async function sendSet(context: TeamsContext, origin: Origin, sent: Sent): Promise<Dialog> {
  const record = await readableVerdict(context, viewerOf(context, origin), sent.id);
  if ('why' in record) return { text: record.why };
  const filledIn = readFormData(sent);
  const added = await addBySetForm(context, actorOf(origin), record, filledIn);
  if (!('errors' in added)) return added;
  return setDialog(refilled(await formOfSets(context), filledIn, added.errors), sent.id);
}

async function sendSettings(context: TeamsContext, origin: Origin, sent: Sent): Promise<Dialog> {
  const filledIn = readFormData(sent);
  const conversation = { surface: TEAMS, channel: origin.channel };
  if (sent.next === EXPAND) {
    const settings = await settingsFor(context, actorOf(origin), conversation);
    if ('why' in settings) return { text: settings.why };
    return settingsDialog({ ...refilled(settings.form, filledIn), expanded: true });
  }
  const saved = await saveSettings(context, actorOf(origin), conversation, filledIn);
  if ('why' in saved) return { text: saved.why };
  if ('errors' in saved) return settingsDialog(refilled(saved.form, filledIn, saved.errors));
  const { leftOut } = saved;
  return leftOut === null ? CLOSED : { text: leftOut };
}

/** Handles a vote in a dialog and shows the verdict with the result; null if the button is not a vote. */
async function voteInDialog(context: TeamsContext, origin: Origin, sent: Sent): Promise<Dialog> {
  // To disagree, a form opens instead.
  const outcome = sent.do === actions.disagree ? null : await pressed(context, origin, sent);
  if (outcome === null) return null;
  const visible = await visibleVerdict(context.store, sent.id, viewerOf(context, origin), context.now());
  return visible === null ? { text: outcome } : verdictDialog(context, origin, visible, {}, outcome);
}

/** Handles a submitted dialog or a turned page. A JuryError, such as an unreachable store, becomes a text in the dialog. */
export async function sendDialog(context: TeamsContext, origin: Origin, sent: Sent): Promise<Dialog> {
  try {
    switch (sent.do) {
      case actions.ask:
        return await sendAsk(context, origin, sent);
      case actions.correct:
        return await sendCorrection(context, origin, sent);
      case actions.addToSet:
        // Pressed in another dialog, this button has no answers yet and opens the form.
        return await (SET in sent ? sendSet(context, origin, sent) : openDialog(context, origin, sent));
      case actions.settings:
        return await sendSettings(context, origin, sent);
      case actions.schedule:
        return await sendSchedule(context, origin, sent);
      default:
        return (await voteInDialog(context, origin, sent)) ?? (await openDialog(context, origin, sent));
    }
  } catch (thrown) {
    if (!(thrown instanceof JuryError)) throw thrown;
    const { storeAway } = wordsIn(context.texts.language).votes;
    return { text: isStoreAway(thrown) ? storeAway : thrown.message };
  }
}
