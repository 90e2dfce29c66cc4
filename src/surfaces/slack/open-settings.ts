import type { SlackContext } from './context.ts';
import { choicesOf } from './open-form.ts';
import { settingsForm } from './render/settings-form.ts';

/** @throws JuryError `store-unavailable`, or what Slack answered */
export async function openSettings(
  context: SlackContext,
  trigger_id: string,
  channel: string,
): Promise<void> {
  const settings = await context.store.channelSettings(channel);
  await context.clients.now.views.open({
    trigger_id,
    view: settingsForm(channel, settings, choicesOf(context)),
  });
}
