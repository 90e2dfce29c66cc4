import type { App } from '@slack/bolt';
import type { VerdictRecord } from '../../../core/verdict-record.ts';
import type { SlackContext } from '../context.ts';
import { createMembers, type MaySee } from '../members.ts';
import { HomeEvent } from '../payloads.ts';
import { homeView, type ListedVerdict } from '../render/home-view.ts';
import { titleOf } from '../render/title-of.ts';

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

/** How often votes agree with the panel, over all conversations: numbers only. */
async function agreementOf({ store, now }: SlackContext): Promise<{ agree: number; votes: number }> {
  const range = { from: dayOf(now() - AGREEMENT_DAYS * DAY_MS), to: dayOf(now()) };
  const rows = (await store.counts(range)).filter(({ key }) => key.kind === 'verdict');
  const sum = (of: (row: (typeof rows)[number]) => number) =>
    rows.reduce((total, row) => total + of(row) * row.items, 0);
  const agree = sum(({ tally }) => tally.agree);
  return { agree, votes: agree + sum(({ tally }) => tally.disagree) };
}

/** App Home: made anew whenever somebody opens it. */
export function registerHome(app: App, context: SlackContext): void {
  const maySee = createMembers(context.clients.background, context.now);
  app.event('app_home_opened', async ({ event }) => {
    const opened = HomeEvent.safeParse(event);
    if (!opened.success || opened.data.tab !== 'home') return;
    const { user, channel } = opened.data;
    const [recent, agreement, settings] = await Promise.all([
      visible(context, user, channel, maySee),
      agreementOf(context),
      context.store.channelSettings(channel),
    ]);
    const needVotes = recent.filter(({ tally }) => tally.agree + tally.disagree + tally.unsure === 0);
    const view = homeView({ recent, needVotes, agreement, wish: settings.wish });
    await context.clients.now.views.publish({ user_id: user, view });
  });
}
