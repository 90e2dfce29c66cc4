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

/**
 * How often votes agree with the panel: numbers only, over all conversations but those where verdicts are hidden, since a sum over
 * few verdicts can be taken apart.
 */
async function agreementOf(
  { store, now }: SlackContext,
  hiding: ReadonlySet<string>,
): Promise<{ agree: number; votes: number }> {
  const range = { from: dayOf(now() - AGREEMENT_DAYS * DAY_MS), to: dayOf(now()) };
  const all = (await store.counts(range)).filter(({ key }) => key.kind === 'verdict');
  const channels = [...new Set(all.map(({ key }) => key.channel))];
  const settings = await Promise.all(channels.map((channel) => store.channelSettings(channel)));
  const blind = new Set(channels.filter((_, index) => settings[index]?.blind === true));
  const rows = all.filter(({ key }) => !blind.has(key.channel) && !hiding.has(key.channel));
  const sum = (of: (row: (typeof rows)[number]) => number) =>
    rows.reduce((total, row) => total + of(row) * row.items, 0);
  const agree = sum(({ tally }) => tally.agree);
  return { agree, votes: agree + sum(({ tally }) => tally.disagree) };
}

export function createHome(context: SlackContext): PublishHome {
  const { clients, store } = context;
  return async (user, known) => {
    const own = known ?? (await ownChannel(context, user));
    const [read, settings] = await Promise.all([readLists(context, user, own), store.channelSettings(own)]);
    const blind = read.recent.filter(({ record }) => record.blind === true);
    const agreement = await agreementOf(context, new Set(blind.map(({ record }) => record.source.channel)));
    const view = homeView({
      recent: read.recent.map((one) => listedFor(read, one)),
      needVotes: read.queue.map((queued) => queueItemOf(context, queued)),
      lookedAt: read.lookedAt,
      agreement,
      own: read.own,
      wish: settings.wish,
    });
    await clients.now.views.publish({ user_id: user, view });
  };
}
