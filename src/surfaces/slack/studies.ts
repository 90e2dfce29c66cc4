import type { App } from '@slack/bolt';
import type { ModalView } from '@slack/types';
import { caseAt, progressOf, type Seat, type StudyPoster, takeSeat } from '../../studies/index.ts';
import { isFirstLook, openSeats, readStudyCommand, takeAnswers } from '../desks/index.ts';
import type { SlackClients } from './clients.ts';
import {
  onClick,
  onForm,
  openView,
  replaceView,
  type SlackContext,
  showTo,
  tell,
  voterOf,
} from './context.ts';
import { actions, kindOf, SLACK } from './ids.ts';
import { inviteOnce } from './invite-once.ts';
import type { Messages } from './messages.ts';
import type { Click, Command } from './payloads.ts';
import { message, quietUpdate } from './render/blocks.ts';
import { type AboutForm, forms, readAbout } from './render/form.ts';
import {
  readStudyValue,
  studyCaseView,
  studyDone,
  studyMessage,
  studyNotice,
  studyView,
} from './render/study.ts';

/** The message that shows annotators their progress, if known. */
type OwnMessage = AboutForm<'study'>['message'];

/**
 * The form of a case, or the closing view once all are done.
 *
 * @param place position in the annotator's order; null for the first case without answers
 */
async function seatView(
  context: SlackContext,
  seat: Seat,
  place: number | null,
  message: OwnMessage,
): Promise<ModalView> {
  const { study } = seat;
  const { place: at, current, opened, done } = caseAt(seat, place, context.now());
  const about = { study: study.id, at: study.at, place: at, opened, message };
  if (current === null) return studyDone(study, about);
  const answers = current.before?.answers ?? {};
  const { shown, index } = current;
  const guide = await isFirstLook(context, seat, shown);
  return studyView({ study, shown, index, about, answers, done, guide });
}

/** Schedules an update of the progress in the annotator's message. */
function refreshStudyMessage(
  { store, refreshes, clients }: Pick<SlackContext, 'store' | 'refreshes' | 'clients'>,
  { study, annotator }: Seat,
  message: OwnMessage,
): void {
  if (message === null) return;
  const { channel, ts } = message;
  refreshes.schedule(`study ${channel} ${ts}`, async () => {
    const progress = progressOf(study, annotator, await store.annotations(study.id, annotator.id));
    await clients.background.chat.update({ channel, ts, ...quietUpdate, ...studyMessage(study, progress) });
  });
}

/** `/jury study [id]`: continues with the next case. Resolves to `false` if the text is not this command. */
export async function onStudyCommand(context: SlackContext, asker: Command): Promise<boolean> {
  const id = readStudyCommand(asker.text);
  if (id === undefined) return false;
  const { text, seats, more } = await openSeats(context, voterOf(context, asker), id, '/jury study');
  const [first, ...others] = seats;
  if (first === undefined) await tell(context, asker, text);
  else if (others.length === 0) await openView(context, asker, await seatView(context, first, null, null));
  else {
    const shown = seats.flatMap(
      ({ study, annotator, annotations }) =>
        studyMessage(study, progressOf(study, annotator, annotations)).blocks,
    );
    await showTo(context, asker, message(more === null ? text : `${text} ${more}`, shown));
  }
  return true;
}

/**
 * Registers a handler for annotators' clicks. The annotator is always the user in Slack's signed payload, never taken from a
 * message or form. Users without a place in the study get the reason.
 */
const onSeatClick = (
  app: App,
  context: SlackContext,
  ids: readonly string[],
  answer: (seat: Seat, click: Click, at: { place: number; page: number }) => Promise<void>,
): void =>
  onClick(app, context, ids, async (click) => {
    const at = readStudyValue(click.value);
    if (at === null) return;
    const seat = await takeSeat(context.store, at, voterOf(context, click));
    await ('why' in seat ? tell(context, { ...click, thread: null }, seat.why) : answer(seat, click, at));
  });

/** The message that was clicked in, if it can be updated: ephemeral messages in channels cannot. */
const ownMessageOf = ({ channel, message: ts }: Click): OwnMessage =>
  channel !== null && ts !== null && kindOf(channel) === 'direct' ? { channel, ts } : null;

/** Registers the forms in which annotators answer one case at a time. */
export function registerStudies(app: App, context: SlackContext): void {
  const { now } = context;
  onSeatClick(app, context, [actions.studyNext], async (seat, click) => {
    const message = ownMessageOf(click);
    await openView(context, click, await seatView(context, seat, null, message));
    refreshStudyMessage(context, seat, message);
  });
  onSeatClick(app, context, [actions.studyBack], async (seat, click, { place }) => {
    const message = click.view?.private_metadata ? readAbout(forms.study, click.view).message : null;
    await replaceView(context, click, await seatView(context, seat, Math.max(0, place - 1), message));
  });
  const whole = (ids: readonly string[], put: typeof openView): void =>
    onSeatClick(app, context, ids, async (seat, click, { place, page }) => {
      const { current } = caseAt(seat, place, now());
      if (current !== null) await put(context, click, studyCaseView(seat.study, current.shown, place, page));
    });
  whole([actions.studyCase], openView);
  whole([actions.studyCasePage, actions.studyCaseBack], replaceView);
  onForm(app, context, forms.study, async (sent) => {
    const { about, filledIn } = sent;
    const ref = { id: about.study, at: about.at };
    const taken = await takeAnswers(context, voterOf(context, sent), ref, about, filledIn);
    if ('errors' in taken) return taken;
    if ('why' in taken) return { view: studyNotice(taken.why) };
    refreshStudyMessage(context, taken.seat, about.message);
    return { view: await seatView(context, taken.seat, null, about.message) };
  });
}

/** Invites annotators by direct message. */
export const createSlackStudyPoster = (
  clients: Pick<SlackClients, 'now' | 'once'>,
  messages?: Messages,
): StudyPoster => ({
  surface: SLACK,
  invite: ({ user }, study, key) => {
    const invitation = studyMessage(study, { done: 0, total: study.cases });
    return inviteOnce(clients, messages, user, invitation, { key, since: study.at });
  },
});
