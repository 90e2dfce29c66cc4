import type { RespondFn } from '@slack/bolt';
import type { SlackContext } from './context.ts';
import type { PublishHome } from './home.ts';
import type { ActionBody } from './payloads.ts';
import { queueFor } from './queue-command.ts';
import { queueOfBlock } from './render/queue-message.ts';
import { ownChannel } from './vote-lists.ts';

/** Shows anew the list that somebody has voted in: App Home, or their queue. */
export type ShowLists = (body: ActionBody, respond: RespondFn) => Promise<void>;

export const createShowLists =
  (context: SlackContext, publishHome: PublishHome): ShowLists =>
  async ({ view, user, actions: [{ block_id }] }, respond) => {
    if (view?.type === 'home') await publishHome(user.id);
    const asked = queueOfBlock(block_id);
    if (view || asked === null) return;
    const queue = await queueFor(context, user.id, await ownChannel(context, user.id), asked);
    await respond({ ...queue, replace_original: true, response_type: 'ephemeral' });
  };
