import type { App } from '@slack/bolt';
import type { ModalView } from '@slack/types';
import type { SlackContext } from '../context.ts';
import { actions } from '../ids.ts';
import { ActionBody } from '../payloads.ts';
import { readPageValue } from '../render/details.ts';
import { STORE_AWAY, tell } from '../tell.ts';
import { verdictFor } from '../verdict-for.ts';
import { voterOf } from '../voter-of.ts';

const GONE = 'The details of this verdict are not kept any more.';

/** All that was said, in pages; for who has yet to answer, the case alone. */
export function registerDetails(app: App, context: SlackContext): void {
  const { store, clients } = context;

  /** What whoever clicked may read, or what to tell them instead. */
  async function viewFor(body: ActionBody, verdictId: string, page: number): Promise<ModalView | string> {
    try {
      const record = await store.verdict(verdictId);
      return record === null ? GONE : await verdictFor(context, record, voterOf(context, body), page);
    } catch {
      return STORE_AWAY;
    }
  }

  app.action(actions.details, async ({ ack, body }) => {
    await ack();
    const click = ActionBody.parse(body);
    const { user, channel, message, trigger_id } = click;
    const where = { channel: channel?.id ?? null, thread: message?.thread_ts, user: user.id };
    const view = await viewFor(click, click.actions[0].value ?? '', 0);
    if (typeof view === 'string') return tell(context, where, view);
    await clients.now.views.open({ trigger_id, view });
  });
  for (const action of [actions.detailsPage, actions.detailsBack])
    app.action(action, async ({ ack, body }) => {
      await ack();
      const click = ActionBody.parse(body);
      const { view: open, user } = click;
      const at = readPageValue(click.actions[0].value ?? '');
      if (!open || at === null) return;
      const view = await viewFor(click, at.verdictId, at.page);
      if (typeof view === 'string') return tell(context, { channel: null, user: user.id }, view);
      await clients.now.views.update({ view_id: open.id, hash: open.hash, view });
    });
}
