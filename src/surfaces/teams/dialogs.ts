import type { IAdaptiveCard } from '@microsoft/teams.cards';
import { JuryError } from '../../common/errors.ts';
import { addToBlind } from '../../labels/blind-vote.ts';
import { castVote, standingVote } from '../../labels/cast-vote.ts';
import { type VisibleVerdict, visibleVerdict } from '../../labels/visible-verdict.ts';
import type { BlindAnswer, Correction, VoteValue } from '../../labels/vote.ts';
import { recordRequest } from '../../requests/spot-check.ts';
import { type Draft, findDraft, keepDraft, understand, wishOf } from '../drafts.ts';
import { type Form, type FormErrors, refilled } from '../form.ts';
import { askForm, planErrors, readAskForm } from '../forms/ask-form.ts';
import { correctionForm, readCorrectionForm } from '../forms/correction-form.ts';
import { type JudgingChoices, readJudging, readSettingsForm, settingsForm } from '../forms/judging-fields.ts';
import { standardOf } from '../wording.ts';
import type { ButtonData, Origin } from './activities.ts';
import { STORE_AWAY, type TeamsContext, VERDICT_GONE, viewerOf } from './context.ts';
import { actions, TEAMS } from './ids.ts';
import { blindCaseCard, detailsCard } from './render/details.ts';
import { formCard, readFormData } from './render/form.ts';
import { onThumb, voted } from './votes.ts';

/** What a dialog shows next: a card, words, or nothing, so that it closes. */
export type Dialog = { title: string; card: IAdaptiveCard } | { text: string } | null;

/** What a form's answers are about. */
type Sent = ButtonData & Readonly<Record<string, unknown>>;

const EXPIRED = 'This form was open for too long: close it and ask again.';
const CLOSED: Dialog = null;

const choicesOf = ({ library, models }: TeamsContext): JudgingChoices => ({
  rubrics: library.rubrics,
  methods: library.methods,
  personas: library.personas,
  models,
});

function formOf(context: TeamsContext, draft: Draft, wish: Draft['wish']): Form {
  const { rubrics, caseFormat: format } = context.library;
  const { understood, problem } = draft;
  return askForm({ understood, wish, rubrics, choices: choicesOf(context), format, problem });
}

const RESHAPE = 'reshape';
const SEND = 'send';

function askDialog(form: Form, draftId: string): Dialog {
  const card = formCard(form, { do: actions.ask, id: draftId, next: SEND });
  const [send] = card.actions ?? [];
  if (send === undefined) return { title: form.title, card };
  // A dialog is not told of a choice before it is sent: the fields of another rubric are fetched by a button.
  const reshape = {
    type: 'Action.Submit' as const,
    title: 'Show the fields of this rubric',
    mode: 'secondary' as const,
    data: { do: actions.ask, id: draftId, next: RESHAPE },
  };
  return { title: form.title, card: { ...card, actions: [send, reshape] } };
}

/** Opens the form for a case; what it is about is kept before. @throws JuryError `store-unavailable` */
export async function openAsk(context: TeamsContext, draft: Draft, known?: string): Promise<Dialog> {
  const id = known ?? (await keepDraft(context.store, draft, context.now()));
  return askDialog(formOf(context, draft, await wishOf(context.store, draft)), id);
}

/** A form about nothing yet, or about a text. */
export function openAskAbout(context: TeamsContext, origin: Origin, text: string): Promise<Dialog> {
  const { paste } = context;
  const problem = 'There are several cases here: send them as a message, and I judge each.';
  const read = understand(text, paste) ?? { understood: {}, problem };
  return openAsk(context, {
    wish: {},
    again: null,
    team: origin.tenant,
    channel: origin.channel,
    thread: origin.thread,
    ...read,
  });
}

async function openKnown(context: TeamsContext, origin: Origin, draftId: string): Promise<Dialog> {
  if (draftId === '') return openAskAbout(context, origin, '');
  const draft = await findDraft(context.store, draftId, context.now());
  // What was pasted in one conversation is not shown in another, whatever id a button names.
  if (draft === null || draft.channel !== origin.channel) return { text: EXPIRED };
  return openAsk(context, draft, draftId);
}

async function openAgain(context: TeamsContext, visible: VisibleVerdict): Promise<Dialog> {
  // How it was judged, and nothing of what came of it, so that it may be shown before an answer too.
  const { id, evalCase, verdict, source } = visible.record;
  const { rubric, method, settings } = verdict;
  const models = [...new Set(settings.panel.map(({ model }) => model))];
  return openAsk(context, {
    understood: evalCase,
    wish: { rubric, method, models },
    team: source.team,
    channel: source.channel,
    thread: source.thread,
    again: id,
  });
}

/** What a person may read of a verdict. @throws JuryError `store-unavailable` */
export async function verdictDialog(
  { store, texts, library }: TeamsContext,
  visible: VisibleVerdict,
  page = 0,
): Promise<Dialog> {
  const { record } = visible;
  switch (visible.kind) {
    case 'open':
    case 'seen':
      return { title: 'Details', card: detailsCard(record, texts, page) };
    case 'hidden':
      return {
        title: 'The case',
        card: blindCaseCard(record, standardOf(record.verdict, library.rubrics), page),
      };
    case 'answered': {
      const own = { vote: visible.vote, tally: await store.tally(record.id) };
      return { title: 'Details', card: detailsCard(record, texts, page, own) };
    }
  }
}

/** What a voter can add to their vote; null for who has no answer to add to. @throws JuryError `store-unavailable` */
async function correctionOf(
  { store, library, texts }: TeamsContext,
  visible: VisibleVerdict,
  voter: string,
): Promise<Form | null> {
  const { id, verdict } = visible.record;
  if (visible.kind === 'hidden' || visible.kind === 'seen') return null;
  if (visible.kind === 'answered' && visible.vote.blind === undefined) return null;
  const vote = visible.kind === 'answered' ? visible.vote : await standingVote(store, id, voter);
  const answered = visible.kind === 'answered' ? visible.vote.blind : undefined;
  return correctionForm({
    verdict,
    rubric: library.rubrics.get(verdict.rubric) ?? null,
    texts,
    correction: vote?.correction,
    answer: answered?.later?.answer ?? answered?.answer,
  });
}

const correctionDialog = (form: Form, id: string): Dialog => ({
  title: form.title,
  card: formCard(form, { do: actions.correct, id }),
});

async function openSettings(context: TeamsContext, { channel }: Origin): Promise<Dialog> {
  const form = settingsForm(await context.store.channelSettings(channel), choicesOf(context));
  return { title: form.title, card: formCard(form, { do: actions.settings }) };
}

/** A button that opens a dialog. @throws JuryError `store-unavailable` */
export async function openDialog(context: TeamsContext, origin: Origin, sent: ButtonData): Promise<Dialog> {
  const { id, page = 0 } = sent;
  if (sent.do === actions.ask) return openKnown(context, origin, id);
  if (sent.do === actions.settings) return openSettings(context, origin);
  const viewer = viewerOf(context, origin);
  const visible = await visibleVerdict(context.store, id, viewer, context.now());
  if (visible === null) return { text: VERDICT_GONE };
  switch (sent.do) {
    case actions.details:
      return verdictDialog(context, visible, page);
    case actions.again:
      return openAgain(context, visible);
    case actions.disagree: {
      if (visible.kind !== 'open') return verdictDialog(context, visible);
      // The vote counts already; the form makes it say more.
      await onThumb(context, origin, id, 'disagree');
      const form = await correctionOf(context, visible, viewer.voter);
      return form === null ? CLOSED : correctionDialog(form, id);
    }
    case actions.correct: {
      const form = await correctionOf(context, visible, viewer.voter);
      return form === null ? verdictDialog(context, visible) : correctionDialog(form, id);
    }
    default:
      return { text: 'This button belongs to an older version of Jury: ask again to get a new card.' };
  }
}

async function sendAsk(context: TeamsContext, origin: Origin, sent: Sent): Promise<Dialog> {
  const { store, library, checks, now } = context;
  const draft = await findDraft(store, sent.id, now());
  if (draft === null || draft.channel !== origin.channel) return { text: EXPIRED };
  const empty = formOf(context, draft, await wishOf(store, draft));
  const rubric = readJudging(readFormData(empty, sent)).rubric;
  // The fields that were shown are those of the rubric that the form was made for; one read names all that came back.
  const form = formOf(context, draft, { ...draft.wish, ...(rubric === undefined ? {} : { rubric }) });
  const filledIn = readFormData({ parts: [...empty.parts, ...form.parts] }, sent);
  const wish = readJudging(filledIn);
  const again = (errors: FormErrors): Dialog =>
    askDialog(refilled(formOf(context, draft, wish), filledIn, errors), sent.id);
  if (sent.next === RESHAPE) return again({});
  const read = readAskForm(filledIn, draft.understood, library.rubrics, library.caseFormat);
  if ('errors' in read) return again(read.errors);
  const problems = planErrors(context, read.evalCase, read.wish);
  if (problems !== null) return again(problems);
  const asked = {
    surface: TEAMS,
    team: origin.tenant,
    // A form is sent once; sent again, it is the same draft.
    key: `form:${sent.id}:${origin.user}`,
    channel: draft.channel ?? origin.channel,
    kind: origin.kind,
    thread: draft.thread,
    requestedBy: origin.user,
    input: { kind: 'cases' as const, cases: [{ evalCase: read.evalCase, assumed: [] }] },
    wish: read.wish,
    isWishComplete: true,
    again: draft.again,
  };
  const { check, status } = await recordRequest(store, asked, now());
  if (status === 'added') void checks.take(check.id);
  return CLOSED;
}

/** What the form says is right now; where it says nothing of that, the first answer. */
function answerNow(first: BlindAnswer, value: VoteValue, { decision, score }: Correction): BlindAnswer {
  if (decision !== undefined) return { kind: 'decision', decision };
  if (score !== undefined) return { kind: 'score', score };
  return value === 'unsure' ? { kind: 'unsure' } : first;
}

async function sendCorrection(context: TeamsContext, origin: Origin, sent: Sent): Promise<Dialog> {
  const { store, now } = context;
  const viewer = viewerOf(context, origin);
  const visible = await visibleVerdict(store, sent.id, viewer, now());
  if (visible === null) return { text: VERDICT_GONE };
  const form = await correctionOf(context, visible, viewer.voter);
  if (form === null) return verdictDialog(context, visible);
  const filledIn = readFormData(form, sent);
  const { record } = visible;
  const said = readCorrectionForm(form, filledIn, record.verdict.decision);
  if ('errors' in said) return correctionDialog(refilled(form, filledIn, said.errors), sent.id);
  const { value, correction } = said;
  if (visible.kind === 'answered') {
    const first = visible.vote.blind?.answer;
    const who = { voter: viewer.voter, surface: TEAMS, at: origin.at };
    if (first !== undefined)
      await addToBlind(store, record, who, answerNow(first, value, correction), correction);
    return CLOSED;
  }
  const standing = await standingVote(store, record.id, viewer.voter);
  const at = Math.max(origin.at, (standing?.at ?? 0) + 1);
  const ballot = { verdictId: record.id, voter: viewer.voter, value, correction, surface: TEAMS, at };
  voted(context, record, await castVote(store, ballot), value);
  return CLOSED;
}

async function sendSettings(context: TeamsContext, { channel }: Origin, sent: Sent): Promise<Dialog> {
  const form = settingsForm(await context.store.channelSettings(channel), choicesOf(context));
  const filledIn = readFormData(form, sent);
  const read = readSettingsForm(form, filledIn);
  if ('errors' in read)
    return {
      title: form.title,
      card: formCard(refilled(form, filledIn, read.errors), { do: actions.settings }),
    };
  await context.store.saveChannelSettings(channel, read.settings);
  return CLOSED;
}

/** A dialog that was sent, or turned to another page. Never rejects for a store that is away: what was typed stays on the screen. */
export async function sendDialog(context: TeamsContext, origin: Origin, sent: Sent): Promise<Dialog> {
  try {
    switch (sent.do) {
      case actions.ask:
        return await sendAsk(context, origin, sent);
      case actions.correct:
        return await sendCorrection(context, origin, sent);
      case actions.settings:
        return await sendSettings(context, origin, sent);
      default:
        return await openDialog(context, origin, sent);
    }
  } catch (thrown) {
    if (!(thrown instanceof JuryError)) throw thrown;
    return { text: thrown.code === 'store-unavailable' ? STORE_AWAY : thrown.message };
  }
}
