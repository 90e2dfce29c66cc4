import type { App, ViewSubmitAction } from '@slack/bolt';
import type { ModalView } from '@slack/types';
import { JuryError } from '../../../common/errors.ts';
import { annotateCase } from '../../../studies/manage-studies.ts';
import type { Study } from '../../../studies/study.ts';
import { orderOf } from '../../../studies/study-progress.ts';
import type { SlackContext } from '../context.ts';
import { actions, callbacks } from '../ids.ts';
import { ActionBody, ViewBody } from '../payloads.ts';
import { studyCaseView } from '../render/study-case.ts';
import { readStudyForm, StudyFormMetadata, studyInput, studyNotice } from '../render/study-form.ts';
import { readStudyValue } from '../render/study-message.ts';
import { refreshStudyMessage, type Seat, seatView, takeSeat } from '../study-desk.ts';
import { STORE_AWAY, STORE_GONE, tell } from '../tell.ts';

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
  channel?.id.startsWith('D') && message ? { channel: channel.id, ts: message.ts } : null;

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
    const answers = readStudyForm(view.state, metadata);
    const said = { study, annotator: annotator.id, index, answers, at: metadata.opened };
    const kept = await annotateCase(store, said);
    if (!kept.ok) {
      const errors = kept.problems.map(({ item, problem }) => [studyInput(item, metadata), problem]);
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
