import type { App } from '@slack/bolt';
import type { ModalView } from '@slack/types';
import { type VisibleVerdict, visibleVerdict } from '../../labels/visible-verdict.ts';
import { standardOf } from '../wording.ts';
import { clickerOf, type SlackContext, STORE_AWAY, tell, whereOf } from './context.ts';
import { actions } from './ids.ts';
import { ActionBody } from './payloads.ts';
import { blindCaseView } from './render/blind.ts';
import { detailsView, readPageValue } from './render/details.ts';

const GONE = 'The details of this verdict are not kept any more.';

/** What a person may read of a verdict. Everything that opens one goes through here. @throws JuryError `store-unavailable` */
export async function viewOf(
  { store, texts, library }: Pick<SlackContext, 'store' | 'texts' | 'library'>,
  visible: VisibleVerdict,
  page = 0,
): Promise<ModalView> {
  const { record } = visible;
  switch (visible.kind) {
    case 'open':
    case 'seen':
      return detailsView(record, texts, page);
    case 'hidden':
      return blindCaseView(record, standardOf(record.verdict, library.rubrics), page);
    case 'answered':
      return detailsView(record, texts, page, { vote: visible.vote, tally: await store.tally(record.id) });
  }
}

/** Opens a view for who clicked, in place of the one that they clicked in where there is one. */
export async function showView(
  { clients }: Pick<SlackContext, 'clients'>,
  { view: open, trigger_id }: Pick<ActionBody, 'view' | 'trigger_id'>,
  view: ModalView,
): Promise<void> {
  if (open?.type === 'modal') await clients.now.views.update({ view_id: open.id, hash: open.hash, view });
  else await clients.now.views.open({ trigger_id, view });
}

/** All that was said, in pages; for who has yet to answer, the case alone. */
export function registerDetails(app: App, context: SlackContext): void {
  const { store, clients, now } = context;

  /** What whoever clicked may read, or what to tell them instead. */
  async function viewFor(body: ActionBody, verdictId: string, page: number): Promise<ModalView | string> {
    try {
      const visible = await visibleVerdict(store, verdictId, clickerOf(context, body), now());
      return visible === null ? GONE : await viewOf(context, visible, page);
    } catch {
      return STORE_AWAY;
    }
  }

  app.action(actions.details, async ({ ack, body }) => {
    await ack();
    const click = ActionBody.parse(body);
    const view = await viewFor(click, click.actions[0].value ?? '', 0);
    if (typeof view === 'string') return tell(context, whereOf(click), view);
    await clients.now.views.open({ trigger_id: click.trigger_id, view });
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
