import type { App } from '@slack/bolt';
import type { ModalView } from '@slack/types';
import { type VisibleVerdict, visibleVerdict } from '../../labels/visible-verdict.ts';
import { voteTexts } from '../vote-desk.ts';
import { standardOf } from '../wording.ts';
import { onClick, openView, replaceView } from './clicks.ts';
import { type SlackContext, tell, viewerOf } from './context.ts';
import { actions } from './ids.ts';
import type { Click } from './payloads.ts';
import { blindCaseView } from './render/blind.ts';
import { detailsView, readPageValue } from './render/details.ts';

/** What a person may read of a verdict. Everything that opens one goes through here. @throws JuryError `store-unavailable` */
export async function viewOf(
  { cards, library }: Pick<SlackContext, 'cards' | 'library'>,
  visible: VisibleVerdict,
  page = 0,
): Promise<ModalView> {
  const { record } = visible;
  switch (visible.kind) {
    case 'open':
    case 'seen':
      return detailsView(await cards.inputOf(record), page);
    case 'hidden':
      return blindCaseView(record, standardOf(record.verdict, library.rubrics), page);
    case 'answered':
      return detailsView(await cards.inputOf(record), page, visible.vote);
  }
}

/** All that was said, in pages; for who has yet to answer, the case alone. */
export function registerDetails(app: App, context: SlackContext): void {
  const show = async (click: Click, verdictId: string, page: number, put: typeof openView): Promise<void> => {
    const viewer = viewerOf(context, click);
    const visible = await visibleVerdict(context.store, verdictId, viewer, context.now());
    if (visible === null) return tell(context, click, voteTexts.gone);
    await put(context, click, await viewOf(context, visible, page));
  };
  onClick(app, context, [actions.details], (click) => show(click, click.value, 0, openView));
  onClick(app, context, [actions.detailsPage, actions.detailsBack], async (click) => {
    const at = readPageValue(click.value);
    if (at !== null) await show(click, at.verdictId, at.page, replaceView);
  });
}
