import { JuryError } from '../../common/index.ts';
import type { SlackClients } from './clients.ts';
import { ownChannel } from './members.ts';
import { createMessages, type Messages } from './messages.ts';
import type { SlackMessage } from './render/blocks.ts';
import { isPassing, slackError } from './slack-errors.ts';

/**
 * Sends a person a direct message once. It carries its key as metadata, so that it can be found again.
 *
 * @param since when the first attempt may have been made, in ms since the epoch
 * @throws JuryError `usage` if it can never be sent; Slack's error if it may be sent later
 */
export async function inviteOnce(
  { now, once }: Pick<SlackClients, 'now' | 'once'>,
  messages: Messages = createMessages(now, once),
  user: string,
  shown: SlackMessage,
  { key, since }: { key: string; since: number },
): Promise<void> {
  try {
    const place = { channel: await ownChannel(now, user), thread: null, at: since };
    await messages.postOnce(place, shown, { text: key }, true);
  } catch (thrown) {
    const error = slackError(thrown);
    if (isPassing(thrown) || (thrown instanceof JuryError && thrown.code === 'usage')) throw thrown;
    throw new JuryError(
      'usage',
      error === 'user_not_found' || error === 'users_not_found'
        ? 'no one in the workspace has this id (in Slack: profile, ⋮, Copy member ID).'
        : `Slack refuses it (${error}).`,
      { cause: thrown },
    );
  }
}
