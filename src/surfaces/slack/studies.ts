import type { App } from '@slack/bolt';
import type { ModalView } from '@slack/types';
import { caseAt, progressOf, type Seat, type StudyPoster, takeSeat } from '../../studies/index.ts';
import { languageOf, wordsIn } from '../../words/index.ts';
import { isFirstLook, openSeats, readStudyCommand, takeAnswers } from '../desks/index.ts';
import type { SlackClients } from './clients.ts';
import {
  inLanguageOf,
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
import { createLocales } from './members.ts';
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
  const { language } = context.texts;
  if (current === null) return studyDone(study, about, language);
  const answers = current.before?.answers ?? {};
  const { shown, index } = current;
  const guide = await isFirstLook(context, seat, shown);
  return studyView({ study, shown, index, about, answers, done, guide, language });
}

/** Schedules an update of the progress in the annotator's message. */
function refreshStudyMessage(
  { store, refreshes, clients, texts }: Pick<SlackContext, 'store' | 'refreshes' | 'clients' | 'texts'>,
  { study, annotator }: Seat,
  message: OwnMessage,
): void {
  if (message === null) return;
  const { channel, ts } = message;
  refreshes.schedule(`study ${channel} ${ts}`, async () => {
    const progress = progressOf(study, annotator, await store.annotations(study.id, annotator.id));
    await clients.background.chat.update({
      channel,
      ts,
      ...quietUpdate,
      ...studyMessage(study, progress, texts.language),
    });
  });
}

/** `/jury study [id]`: continues with the next case. Resolves to `false` if the text is not this command. */
export async function onStudyCommand(shared: SlackContext, asker: Command): Promise<boolean> {
  const id = readStudyCommand(asker.text);
  if (id === undefined) return false;
  const context = await inLanguageOf(shared, asker);
  const { language } = context.texts;
  const own = voterOf(context, asker);
  const { text, seats, more } = await openSeats(context, own, id, '/jury study', language);
  const [first, ...others] = seats;
  if (first === undefined) await tell(context, asker, text);
  else if (others.length === 0) await openView(context, asker, await seatView(context, first, null, null));
  else {
    const shown = seats.flatMap(
      ({ study, annotator, annotations }) =>
        studyMessage(study, progressOf(study, annotator, annotations), language).blocks,
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
  answer: (seat: Seat, click: Click, at: { place: number; page: number }, own: SlackContext) => Promise<void>,
): void =>
  onClick(app, context, ids, async (click, _, own) => {
    const at = readStudyValue(click.value);
    if (at === null) return;
    const seat = await takeSeat(context.store, at, voterOf(context, click));
    const { seats } = wordsIn(own.texts.language).studies;
    await ('why' in seat
      ? tell(own, { ...click, thread: null }, seats[seat.why])
      : answer(seat, click, at, own));
  });

/** The message that was clicked in, if it can be updated: ephemeral messages in channels cannot. */
const ownMessageOf = ({ channel, message: ts }: Click): OwnMessage =>
  channel !== null && ts !== null && kindOf(channel) === 'direct' ? { channel, ts } : null;

/** Registers the forms in which annotators answer one case at a time. */
export function registerStudies(app: App, context: SlackContext): void {
  const { now } = context;
  onSeatClick(app, context, [actions.studyNext], async (seat, click, _, own) => {
    const message = ownMessageOf(click);
    await openView(own, click, await seatView(own, seat, null, message));
    refreshStudyMessage(own, seat, message);
  });
  onSeatClick(app, context, [actions.studyBack], async (seat, click, { place }, own) => {
    const message = click.view?.private_metadata ? readAbout(forms.study, click.view).message : null;
    await replaceView(own, click, await seatView(own, seat, Math.max(0, place - 1), message));
  });
  const whole = (ids: readonly string[], put: typeof openView): void =>
    onSeatClick(app, context, ids, async (seat, click, { place, page }, own) => {
      const { current } = caseAt(seat, place, now());
      if (current !== null)
        await put(own, click, studyCaseView(seat.study, current.shown, { place, page }, own.texts.language));
    });
  whole([actions.studyCase], openView);
  whole([actions.studyCasePage, actions.studyCaseBack], replaceView);
  onForm(app, context, forms.study, async (sent, own) => {
    const { about, filledIn } = sent;
    const ref = { id: about.study, at: about.at };
    const { language } = own.texts;
    const taken = await takeAnswers(own, voterOf(own, sent), ref, about, filledIn, language);
    if ('errors' in taken) return taken;
    if ('why' in taken) return { view: studyNotice(wordsIn(language).studies.seats[taken.why], language) };
    refreshStudyMessage(own, taken.seat, about.message);
    return { view: await seatView(own, taken.seat, null, about.message) };
  });
}

/** Invites annotators by direct message. */
export const createSlackStudyPoster = (
  clients: Pick<SlackClients, 'now' | 'once'>,
  messages?: Messages,
): StudyPoster => ({
  surface: SLACK,
  invite: async ({ user }, study, key) => {
    const locale = await createLocales(clients.once, Date.now).ofPerson(user, null);
    const language = languageOf(locale) ?? 'en';
    const invitation = studyMessage(study, { done: 0, total: study.cases }, language);
    await inviteOnce(clients, messages, user, invitation, { key, since: study.at });
  },
});
