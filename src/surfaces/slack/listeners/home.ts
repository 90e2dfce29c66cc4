import type { App } from '@slack/bolt';
import { RULES } from '../../../models/rules/rules-judge.ts';
import type { SlackContext } from '../context.ts';
import type { PublishHome } from '../home.ts';
import { HomeEvent } from '../payloads.ts';
import { suggestedPrompts } from '../render/notice-message.ts';

/** Where a model judges, more can be tried than the manifest offers. */
async function offerPrompts({ clients, store, models }: SlackContext, channel: string): Promise<void> {
  const { wish } = await store.channelSettings(channel);
  if ((wish.models ?? models.slice(0, 1)).every((model) => model === RULES)) return;
  const offered = { channel_id: channel, prompts: suggestedPrompts(true) };
  // A nicety, and not everywhere; those of the manifest stay.
  await clients.now.assistant.threads.setSuggestedPrompts(offered).catch(() => {});
}

/** App Home: made anew whenever it is opened. Beside it the conversation with the app, with what can be tried there. */
export function registerHome(app: App, context: SlackContext, publishHome: PublishHome): void {
  app.event('app_home_opened', async ({ event }) => {
    const opened = HomeEvent.safeParse(event);
    if (!opened.success) return;
    const { tab, user, channel } = opened.data;
    if (tab === 'home') await publishHome(user, channel);
    if (tab === 'messages') await offerPrompts(context, channel);
  });
}
