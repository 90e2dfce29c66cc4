import type { App, ViewSubmitAction } from '@slack/bolt';
import { JuryError } from '../../../common/errors.ts';
import type { SlackContext } from '../context.ts';
import { actions, callbacks } from '../ids.ts';
import { openSettings } from '../open-settings.ts';
import { ActionBody, ViewBody } from '../payloads.ts';
import { readSettings, SettingsMetadata } from '../render/settings-form.ts';
import { wishBlocks } from '../render/wish-inputs.ts';
import { tell } from '../tell.ts';

const AWAY = 'The store cannot be reached at the moment: nothing was changed. Try again in a minute.';

/** What a channel takes where a request names nothing else. */
export function registerSettings(app: App, context: SlackContext): void {
  app.action(actions.openSettings, async ({ ack, body }) => {
    await ack();
    const {
      user,
      channel,
      trigger_id,
      actions: [{ selected_conversation }],
    } = ActionBody.parse(body);
    const about = selected_conversation ?? channel?.id;
    if (about === undefined) return;
    try {
      await openSettings(context, trigger_id, about);
    } catch (thrown) {
      if (!(thrown instanceof JuryError)) throw thrown;
      await tell(context, { channel: null, user: user.id }, AWAY);
    }
  });
  app.view<ViewSubmitAction>(callbacks.settingsForm, async ({ ack, body }) => {
    const { view } = ViewBody.parse(body);
    const { channel } = SettingsMetadata.parse(JSON.parse(view.private_metadata));
    try {
      await context.store.saveChannelSettings(channel, readSettings(view.state));
    } catch (thrown) {
      if (!(thrown instanceof JuryError)) throw thrown;
      return ack({ response_action: 'errors', errors: { [wishBlocks.method]: AWAY } });
    }
    await ack();
  });
}
