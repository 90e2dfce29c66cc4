import type { App } from '@slack/bolt';
import type { SlackContext } from '../context.ts';
import { actions } from '../ids.ts';
import type { Kept } from '../keep-event.ts';
import { ActionBody } from '../payloads.ts';
import { STORE_GONE, tell } from '../tell.ts';

/** Mentions and direct messages: kept already when they come here. The Stop button. */
export function registerChecks(app: App, context: SlackContext, keptOf: (body: object) => Kept): void {
  const begin = async ({ body }: { body: object }): Promise<void> => {
    const kept = keptOf(body);
    if (kept.kind === 'lost' && kept.what === 'check') await tell(context, kept, STORE_GONE.check);
    // A known one is under way, done, or taken up when nobody has it any more.
    if (kept.kind === 'check' && kept.status === 'added') void context.checks.take(kept.check.id);
  };
  app.event('app_mention', begin);
  app.event('message', begin);

  app.action(actions.stop, async ({ ack, body }) => {
    await ack();
    const {
      user,
      channel,
      message,
      actions: [{ value }],
    } = ActionBody.parse(body);
    if (!value) return;
    try {
      await context.checks.stop(value);
    } catch {
      const where = { channel: channel?.id ?? null, thread: message?.thread_ts, user: user.id };
      await tell(context, where, 'The store cannot be reached at the moment: try to stop it again.');
    }
  });
}
