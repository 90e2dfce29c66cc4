import type { App } from '@slack/bolt';
import type { SlackContext } from '../context.ts';

/** The app was removed from the workspace: nothing more can be shown; what is kept stays until it is pruned. */
export function registerLifecycle(app: App, { log }: SlackContext): void {
  app.event('app_uninstalled', async () => {
    log.error('slack: the app was uninstalled; install it again and set the new SLACK_BOT_TOKEN');
  });
  app.event('tokens_revoked', async () => {
    log.error('slack: the bot token was revoked; set a new SLACK_BOT_TOKEN');
  });
}
