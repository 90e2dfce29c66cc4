import { tellableCounts } from '../../labels/tellable-counts.ts';
import { settledShareOf } from '../../labels/trust.ts';
import type { SlackContext } from './context.ts';
import { homeView } from './render/home-view.ts';
import { listedFor, ownChannel, queueItemOf, readLists } from './vote-lists.ts';

/**
 * Makes somebody's App Home anew.
 *
 * @param own their conversation with the app; looked up where it is not known
 */
export type PublishHome = (user: string, own?: string) => Promise<void>;

const AGREEMENT_DAYS = 90;
const DAY_MS = 86_400_000;

const dayOf = (at: number): string => new Date(at).toISOString().slice(0, 10);

export function createHome(context: SlackContext): PublishHome {
  const { clients, store, now } = context;
  return async (user, known) => {
    const own = known ?? (await ownChannel(context, user));
    const [read, settings] = await Promise.all([readLists(context, user, own), store.channelSettings(own)]);
    const range = { from: dayOf(now() - AGREEMENT_DAYS * DAY_MS), to: dayOf(now()) };
    const counts = await tellableCounts(store, range, now(), read.hiding);
    const view = homeView({
      recent: read.recent.map((one) => listedFor(read, one)),
      needVotes: read.queue.map((queued) => queueItemOf(context, queued)),
      lookedAt: read.lookedAt,
      agreement: settledShareOf(counts.rows),
      own: read.own,
      wish: settings.wish,
    });
    await clients.now.views.publish({ user_id: user, view });
  };
}
