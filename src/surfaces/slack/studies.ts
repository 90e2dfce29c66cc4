import type { App, ViewSubmitAction } from '@slack/bolt';
import type { ModalView } from '@slack/types';
import { JuryError } from '../../common/errors.ts';
import { type Annotation, orderOf, progressOf } from '../../studies/annotation.ts';
import { annotateCase, openStudiesOf } from '../../studies/manage-studies.ts';
import type { Annotator, Study } from '../../studies/study.ts';
import { readStudyForm, studyFieldId } from '../forms/study-form.ts';
import { type SlackContext, STORE_AWAY, STORE_GONE, showTo, tell } from './context.ts';
import { actions, callbacks, kindOf, SLACK } from './ids.ts';
import { ActionBody, ViewBody } from './payloads.ts';
import { message, quietUpdate } from './render/blocks.ts';
import { readFormState } from './render/form.ts';
import {
  readStudyValue,
  StudyFormMetadata,
  studyCaseView,
  studyDone,
  studyMessage,
  studyNotice,
  studyView,
} from './render/study.ts';

/** Somebody's place in a study, with what they said in it. */
interface Seat {
  study: Study;
  annotator: Annotator;
  annotations: Annotation[];
}

/** Why somebody has no place, in words for them. */
interface NoSeat {
  why: string;
}

interface Clicker {
  team: string | undefined;
  user: string;
}

type DeskContext = Pick<SlackContext, 'store' | 'pseudonym' | 'identity'>;

const pseudonymOf = ({ pseudonym, identity }: DeskContext, { team, user }: Clicker): string =>
  pseudonym({ surface: SLACK, team: team ?? identity.team, user });

/**
 * Takes somebody's place. Who they are is what Slack says of this click: nothing that a message or a form carries.
 * @throws JuryError `store-unavailable`
 */
async function takeSeat(
  context: DeskContext,
  { id, at }: Pick<Study, 'id' | 'at'>,
  clicker: Clicker,
): Promise<Seat | NoSeat> {
  const study = await context.store.study(id);
  if (study === null || study.at !== at) return { why: 'This study is gone.' };
  const own = pseudonymOf(context, clicker);
  const annotator = study.annotators.find((one) => one.id === own);
  if (annotator === undefined) return { why: 'You have no place in this study.' };
  if (study.closed) return { why: 'This study is closed. Thank you.' };
  return { study, annotator, annotations: await context.store.annotations(id, own) };
}

/**
 * The form of a case, or what stands there when all are done.
 *
 * @param place where in the annotator's order; null for the first case that is missing
 */
function seatView(
  { study, annotator, annotations }: Seat,
  place: number | null,
  now: number,
  message: StudyFormMetadata['message'],
): ModalView {
  const { done, next, total } = progressOf(study, annotator, annotations);
  const at = place ?? next ?? total;
  const index = orderOf(study, annotator)[at];
  const shown = index === undefined ? undefined : study.cases[index];
  const before = annotations.find((one) => one.annotator === annotator.id && one.case === index);
  // Later than what it may replace, whatever this machine's clock says.
  const opened = Math.max(now, Math.floor(before?.at ?? 0) + 1);
  const metadata = { study: study.id, at: study.at, place: at, opened, message };
  if (shown === undefined) return studyDone(study, metadata);
  return studyView({ study, shown, metadata, answers: before?.answers ?? {}, done });
}

/** Shows in the annotator's own message how far they are, a moment later. */
function refreshStudyMessage(
  { store, refreshes, clients }: Pick<SlackContext, 'store' | 'refreshes' | 'clients'>,
  { study, annotator }: Seat,
  message: StudyFormMetadata['message'],
): void {
  if (message === null) return;
  const { channel, ts } = message;
  refreshes.schedule(`study ${channel} ${ts}`, async () => {
    const progress = progressOf(study, annotator, await store.annotations(study.id, annotator.id));
    await clients.background.chat.update({ channel, ts, ...quietUpdate, ...studyMessage(study, progress) });
  });
}

interface Asker {
  team: string;
  channel: string;
  user: string;
  trigger_id: string;
}

/** Shown at once; more are counted. */
const MOST = 10;

/** The id of a study, null for any; undefined where the text is about something else, such as a paste. */
function readStudyCommand(text: string): string | null | undefined {
  const [whole, id] = /^\s*stud(?:y|ies)(?:[ \t]+(s\d{1,9}))?\s*$/i.exec(text) ?? [];
  return whole === undefined ? undefined : (id?.toLowerCase() ?? null);
}

async function answer(context: SlackContext, asker: Asker, id: string | null): Promise<void> {
  const { store, now, clients } = context;
  const where = { channel: asker.channel, user: asker.user };
  const own = openStudiesOf(await store.studies(), pseudonymOf(context, asker));
  const wanted = id === null ? own : own.filter((study) => study.id === id);
  const [first, ...others] = wanted;
  if (first === undefined)
    return tell(
      context,
      where,
      id === null
        ? 'You are not an annotator in any open study.'
        : `You are not an annotator in an open study ${id}.`,
    );
  if (others.length === 0) {
    const seat = await takeSeat(context, first, asker);
    if ('why' in seat) return tell(context, where, seat.why);
    await clients.now.views.open({ trigger_id: asker.trigger_id, view: seatView(seat, null, now(), null) });
    return;
  }
  const shown = await Promise.all(
    wanted.slice(0, MOST).map(async (study) => {
      const seat = await takeSeat(context, study, asker);
      return 'why' in seat
        ? []
        : studyMessage(study, progressOf(seat.study, seat.annotator, seat.annotations)).blocks;
    }),
  );
  const more =
    wanted.length > MOST
      ? ` ${wanted.length - MOST} more: name one, such as /jury study ${wanted[MOST]?.id}.`
      : '';
  const text = `You are an annotator in ${wanted.length} studies.${more}`;
  await showTo(context, where, message(text, [...message(text, []).blocks, ...shown.flat()]));
}

/** `/jury study [id]`: goes on with the next case. `false` where the text is about something else. */
export async function onStudyCommand(context: SlackContext, asker: Asker, text: string): Promise<boolean> {
  const id = readStudyCommand(text);
  if (id === undefined) return false;
  try {
    await answer(context, asker, id);
  } catch (thrown) {
    if (!(thrown instanceof JuryError)) throw thrown;
    await tell(context, { channel: asker.channel, user: asker.user }, STORE_AWAY);
  }
  return true;
}

type Answer = (
  answer?:
    | { response_action: 'errors'; errors: Record<string, string> }
    | { response_action: 'update'; view: ModalView },
) => Promise<void>;

const NO_MORE =
  'This study takes no more answers: it was closed or removed, or you have no place in it any more.';

const metadataOf = (text: string | undefined): StudyFormMetadata | null => {
  if (text === undefined || text === '') return null;
  return StudyFormMetadata.safeParse(JSON.parse(text)).data ?? null;
};

/** Does something with the place of whoever clicked; tells them where they have none. */
async function atSeat(
  context: SlackContext,
  raw: unknown,
  use: (seat: Seat, body: ActionBody, at: { place: number; page: number }) => Promise<void>,
): Promise<void> {
  const body = ActionBody.parse(raw);
  const { user, team, channel } = body;
  const at = readStudyValue(body.actions[0].value ?? '');
  if (at === null) return;
  const where = { channel: channel?.id ?? null, user: user.id };
  try {
    const seat = await takeSeat(context, at, { team: team?.id, user: user.id });
    if ('why' in seat) return await tell(context, where, seat.why);
    await use(seat, body, at);
  } catch (thrown) {
    if (!(thrown instanceof JuryError)) throw thrown;
    await tell(context, where, STORE_AWAY);
  }
}

/** The message of whoever clicked, where it is one that can be changed: those that only they see in a channel cannot. */
const messageOf = ({ channel, message }: ActionBody): StudyFormMetadata['message'] =>
  channel && message && kindOf(channel.id) === 'direct' ? { channel: channel.id, ts: message.ts } : null;

function caseAt({ study, annotator }: Seat, place: number): Study['cases'][number] | undefined {
  const index = orderOf(study, annotator)[place];
  return index === undefined ? undefined : study.cases[index];
}

async function onSubmit(context: SlackContext, answer: Answer, raw: unknown): Promise<void> {
  const { store, now } = context;
  const { user, team, view } = ViewBody.parse(raw);
  const metadata = StudyFormMetadata.parse(JSON.parse(view.private_metadata));
  const clicker = { team: team?.id, user: user.id };
  const ref = { id: metadata.study, at: metadata.at };
  const instead = (text: string) => answer({ response_action: 'update', view: studyNotice(text) });
  try {
    const seat = await takeSeat(context, ref, clicker);
    if ('why' in seat) return await instead(seat.why);
    const { study, annotator } = seat;
    const index = orderOf(study, annotator)[metadata.place];
    if (index === undefined) return await instead(NO_MORE);
    const read = readStudyForm(study, metadata, readFormState(view.state));
    if ('errors' in read) return await answer({ response_action: 'errors', errors: { ...read.errors } });
    const { answers } = read;
    const said = { study, annotator: annotator.id, index, answers, at: metadata.opened };
    const kept = await annotateCase(store, said);
    if (!kept.ok) {
      const errors = kept.problems.map(({ item, problem }) => [studyFieldId(item, metadata), problem]);
      return await answer({ response_action: 'errors', errors: Object.fromEntries(errors) });
    }
    if (['closed', 'not-asked', 'unknown-study'].includes(kept.outcome)) return await instead(NO_MORE);
    const after = { ...seat, annotations: await store.annotations(study.id, annotator.id) };
    await answer({ response_action: 'update', view: seatView(after, null, now(), metadata.message) });
    refreshStudyMessage(context, after, metadata.message);
  } catch (thrown) {
    if (!(thrown instanceof JuryError) || thrown.code !== 'store-unavailable') throw thrown;
    const blocks = Object.keys(Object(view.state).values ?? {});
    await answer({ response_action: 'errors', errors: { [blocks[0] ?? '']: STORE_GONE.annotation } });
  }
}

/** Annotators of studies: one case after the other, each in a form of its own. */
export function registerStudies(app: App, context: SlackContext): void {
  const { clients, now } = context;
  app.action(actions.studyNext, async ({ ack, body }) => {
    await ack();
    await atSeat(context, body, async (seat, click) => {
      const message = messageOf(click);
      await clients.now.views.open({
        trigger_id: click.trigger_id,
        view: seatView(seat, null, now(), message),
      });
      refreshStudyMessage(context, seat, message);
    });
  });
  app.action(actions.studyBack, async ({ ack, body }) => {
    await ack();
    await atSeat(context, body, async (seat, { view }, { place }) => {
      if (!view) return;
      const message = metadataOf(view.private_metadata)?.message ?? null;
      await clients.now.views.update({
        view_id: view.id,
        hash: view.hash,
        view: seatView(seat, Math.max(0, place - 1), now(), message),
      });
    });
  });
  app.action(actions.studyCase, async ({ ack, body }) => {
    await ack();
    await atSeat(context, body, async (seat, { trigger_id }, { place }) => {
      const shown = caseAt(seat, place);
      if (shown !== undefined)
        await clients.now.views.push({ trigger_id, view: studyCaseView(seat.study, shown, place, 0) });
    });
  });
  for (const action of [actions.studyCasePage, actions.studyCaseBack])
    app.action(action, async ({ ack, body }) => {
      await ack();
      await atSeat(context, body, async (seat, { view }, { place, page }) => {
        const shown = caseAt(seat, place);
        if (!view || shown === undefined) return;
        await clients.now.views.update({
          view_id: view.id,
          hash: view.hash,
          view: studyCaseView(seat.study, shown, place, page),
        });
      });
    });
  app.view<ViewSubmitAction>(callbacks.studyForm, ({ ack, body }) => onSubmit(context, ack, body));
}
