import * as z from 'zod';
import { type SettledShare, settledShareOf } from '../../core/trust.ts';
import type { VerdictRecord } from '../../core/verdict-record.ts';
import type { SlackContext } from './context.ts';
import { createMembers, type MaySee } from './members.ts';
import { homeView, type ListedVerdict } from './render/home-view.ts';
import { titleOf } from './render/title-of.ts';

/**
 * Makes somebody's App Home anew.
 *
 * @param own their conversation with the app; looked up where it is not known
 */
export type PublishHome = (user: string, own?: string) => Promise<void>;

const LOOKED_AT = 100;
const AGREEMENT_DAYS = 90;
const DAY_MS = 86_400_000;

const dayOf = (at: number): string => new Date(at).toISOString().slice(0, 10);

async function listed({ store }: SlackContext, record: VerdictRecord): Promise<ListedVerdict> {
  const { id, at, verdict, source } = record;
  const { decision, why } = verdict;
  const permalink = source.permalink ?? null;
  return { id, at, decision, why, permalink, title: titleOf(record.evalCase), tally: await store.tally(id) };
}

/** Verdicts of late from conversations that the viewer is in; nobody sees a case of others here. */
async function visible(
  context: SlackContext,
  user: string,
  own: string,
  maySee: MaySee,
): Promise<ListedVerdict[]> {
  const records = await context.store.recentVerdicts({ channel: null, limit: LOOKED_AT });
  const seen = await Promise.all(
    records.map(
      async ({ source: { surface, channel } }) =>
        surface === 'slack' && (channel === own || (await maySee(user, channel))),
    ),
  );
  return Promise.all(records.filter((_, index) => seen[index]).map((record) => listed(context, record)));
}

/** How many verdicts people agree with, over all conversations: numbers only. */
const agreementOf = async ({ store, now }: SlackContext): Promise<SettledShare> =>
  settledShareOf(await store.counts({ from: dayOf(now() - AGREEMENT_DAYS * DAY_MS), to: dayOf(now()) }));

const Opened = z.object({ channel: z.object({ id: z.string() }) });

export function createHome(context: SlackContext): PublishHome {
  const { clients, store, now } = context;
  const maySee = createMembers(clients.background, now);
  const ownOf = async (user: string): Promise<string> =>
    Opened.parse(await clients.now.conversations.open({ users: user })).channel.id;

  return async (user, known) => {
    const own = known ?? (await ownOf(user));
    const [recent, agreement, settings] = await Promise.all([
      visible(context, user, own, maySee),
      agreementOf(context),
      store.channelSettings(own),
    ]);
    const needVotes = recent.filter(({ tally }) => tally.agree + tally.disagree + tally.unsure === 0);
    const view = homeView({ recent, needVotes, agreement, wish: settings.wish });
    await clients.now.views.publish({ user_id: user, view });
  };
}
