import type { App } from '@slack/bolt';
import type { PublishHome } from '../home.ts';
import { HomeEvent } from '../payloads.ts';

/** App Home: made anew whenever somebody opens it. */
export function registerHome(app: App, publishHome: PublishHome): void {
  app.event('app_home_opened', async ({ event }) => {
    const opened = HomeEvent.safeParse(event);
    if (opened.success && opened.data.tab === 'home')
      await publishHome(opened.data.user, opened.data.channel);
  });
}
