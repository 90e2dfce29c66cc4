import type { App } from '@slack/bolt';
import type { SlackContext } from '../context.ts';
import { actions } from '../ids.ts';
import { ActionBody } from '../payloads.ts';
import { detailsView, readPageValue } from '../render/details-view.ts';
import { tell } from '../tell.ts';

const GONE = 'The details of this verdict are not kept any more.';
const AWAY = 'The store cannot be reached at the moment. Try again in a minute.';

/** All that was said, in pages. */
export function registerDetails(app: App, context: SlackContext): void {
  const { store, clients, texts } = context;
  app.action(actions.details, async ({ ack, body }) => {
    await ack();
    const {
      user,
      channel,
      message,
      trigger_id,
      actions: [{ value }],
    } = ActionBody.parse(body);
    const where = { channel: channel?.id ?? null, thread: message?.thread_ts, user: user.id };
    const record = await store.verdict(value ?? '').catch(() => undefined);
    if (!record) return tell(context, where, record === null ? GONE : AWAY);
    await clients.now.views.open({ trigger_id, view: detailsView(record, texts) });
  });
  for (const action of [actions.detailsPage, actions.detailsBack])
    app.action(action, async ({ ack, body }) => {
      await ack();
      const {
        view,
        user,
        actions: [{ value }],
      } = ActionBody.parse(body);
      const at = readPageValue(value ?? '');
      if (!view || at === null) return;
      const record = await store.verdict(at.verdictId).catch(() => undefined);
      if (!record) return tell(context, { channel: null, user: user.id }, record === null ? GONE : AWAY);
      await clients.now.views.update({
        view_id: view.id,
        hash: view.hash,
        view: detailsView(record, texts, at.page),
      });
    });
}
