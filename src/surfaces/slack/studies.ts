import type { App, ViewSubmitAction } from '@slack/bolt';
import type { ModalView } from '@slack/types';
import { isStoreAway } from '../../common/errors.ts';
import { caseAt, progressOf, type Seat, takeSeat } from '../../studies/annotation.ts';
import type { Study } from '../../studies/study.ts';
import { isFirstLook, openSeats, readStudyCommand, takeAnswers } from '../study-desk.ts';
import {
  onClick,
  orTell,
  replaceView,
  type SlackContext,
  STORE_GONE,
  showTo,
  tell,
  voterOf,
} from './context.ts';
import { actions, callbacks, kindOf } from './ids.ts';
import { type ActionBody, ViewBody } from './payloads.ts';
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

type Clicker = Parameters<typeof voterOf>[1];

/** Takes the place of who Slack says it is: nothing that a message or a form carries. @throws JuryError `store-unavailable` */
const seatOf = (context: SlackContext, study: Pick<Study, 'id' | 'at'>, person: Clicker) =>
  takeSeat(context.store, study, voterOf(context, person));

/**
 * The form of a case, or what stands there when all are done.
 *
 * @param place where in the annotator's order; null for the first case that is missing
 */
async function seatView(
  context: SlackContext,
  seat: Seat,
  place: number | null,
  message: StudyFormMetadata['message'],
): Promise<ModalView> {
  const { study } = seat;
  const { place: at, current, opened, done } = caseAt(seat, place, context.now());
  const metadata = { study: study.id, at: study.at, place: at, opened, message };
  if (current === null) return studyDone(study, metadata);
  const answers = current.before?.answers ?? {};
  const { shown, index } = current;
  const guide = await isFirstLook(context, seat, shown);
  return studyView({ study, shown, index, metadata, answers, done, guide });
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

const clickerOf = ({ team, user }: Pick<Asker, 'team' | 'user'>): Clicker => ({
  user: { id: user },
  team: { id: team },
});

async function answer(context: SlackContext, asker: Asker, id: string | null): Promise<void> {
  const own = voterOf(context, clickerOf(asker));
  const { text, seats, more } = await openSeats(context, own, id, '/jury study');
  const [first, ...others] = seats;
  if (first === undefined) return tell(context, asker, text);
  if (others.length === 0) {
    const view = await seatView(context, first, null, null);
    await context.clients.now.views.open({ trigger_id: asker.trigger_id, view });
    return;
  }
  const shown = seats.flatMap(
    ({ study, annotator, annotations }) =>
      studyMessage(study, progressOf(study, annotator, annotations)).blocks,
  );
  await showTo(context, asker, message(more === null ? text : `${text} ${more}`, shown));
}

/** `/jury study [id]`: goes on with the next case. `false` where the text is about something else. */
export async function onStudyCommand(context: SlackContext, asker: Asker, text: string): Promise<boolean> {
  const id = readStudyCommand(text);
  if (id === undefined) return false;
  await orTell(context, asker, () => answer(context, asker, id));
  return true;
}

type Answer = (
  answer?:
    | { response_action: 'errors'; errors: Record<string, string> }
    | { response_action: 'update'; view: ModalView },
) => Promise<void>;

const metadataOf = (text: string | undefined): StudyFormMetadata | null => {
  if (text === undefined || text === '') return null;
  return StudyFormMetadata.safeParse(JSON.parse(text)).data ?? null;
};

/** Answers clicks at the place of whoever clicked; tells them where they have none. */
const onSeatClick = (
  app: App,
  context: SlackContext,
  ids: readonly string[],
  answer: (seat: Seat, click: ActionBody, at: { place: number; page: number }) => Promise<void>,
): void =>
  onClick(app, context, ids, async (click) => {
    const at = readStudyValue(click.actions[0].value ?? '');
    if (at === null) return;
    const where = { channel: click.channel?.id ?? null, user: click.user.id };
    await orTell(context, where, async () => {
      const seat = await seatOf(context, at, click);
      await ('why' in seat ? tell(context, where, seat.why) : answer(seat, click, at));
    });
  });

/** The message of whoever clicked, where it is one that can be changed: those that only they see in a channel cannot. */
const messageOf = ({ channel, message }: ActionBody): StudyFormMetadata['message'] =>
  channel && message && kindOf(channel.id) === 'direct' ? { channel: channel.id, ts: message.ts } : null;

async function onSubmit(context: SlackContext, answer: Answer, raw: unknown): Promise<void> {
  const body = ViewBody.parse(raw);
  const { view } = body;
  const metadata = StudyFormMetadata.parse(JSON.parse(view.private_metadata));
  const ref = { id: metadata.study, at: metadata.at };
  try {
    const own = voterOf(context, body);
    const taken = await takeAnswers(context, own, ref, metadata, readFormState(view.state));
    if ('errors' in taken) return await answer({ response_action: 'errors', errors: { ...taken.errors } });
    if ('why' in taken) return await answer({ response_action: 'update', view: studyNotice(taken.why) });
    const next = await seatView(context, taken.seat, null, metadata.message);
    await answer({ response_action: 'update', view: next });
    refreshStudyMessage(context, taken.seat, metadata.message);
  } catch (thrown) {
    if (!isStoreAway(thrown)) throw thrown;
    const blocks = Object.keys(Object(view.state).values ?? {});
    await answer({ response_action: 'errors', errors: { [blocks[0] ?? '']: STORE_GONE.annotation } });
  }
}

/** Annotators of studies: one case after the other, each in a form of its own. */
export function registerStudies(app: App, context: SlackContext): void {
  const { clients, now } = context;
  onSeatClick(app, context, [actions.studyNext], async (seat, click) => {
    const message = messageOf(click);
    const view = await seatView(context, seat, null, message);
    await clients.now.views.open({ trigger_id: click.trigger_id, view });
    refreshStudyMessage(context, seat, message);
  });
  onSeatClick(app, context, [actions.studyBack], async (seat, click, { place }) => {
    const message = metadataOf(click.view?.private_metadata)?.message ?? null;
    await replaceView(context, click, await seatView(context, seat, Math.max(0, place - 1), message));
  });
  onSeatClick(app, context, [actions.studyCase], async (seat, { trigger_id }, { place }) => {
    const { current } = caseAt(seat, place, now());
    if (current === null) return;
    const view = studyCaseView(seat.study, current.shown, place, 0);
    await clients.now.views.push({ trigger_id, view });
  });
  const pages = [actions.studyCasePage, actions.studyCaseBack];
  onSeatClick(app, context, pages, async (seat, click, { place, page }) => {
    const { current } = caseAt(seat, place, now());
    if (current !== null)
      await replaceView(context, click, studyCaseView(seat.study, current.shown, place, page));
  });
  app.view<ViewSubmitAction>(callbacks.studyForm, ({ ack, body }) => onSubmit(context, ack, body));
}
