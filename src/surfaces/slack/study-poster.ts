import * as z from 'zod';
import { JuryError } from '../../common/errors.ts';
import type { StudyPoster } from '../../studies/invite-annotators.ts';
import { type SlackClients, slackError } from './clients.ts';
import { createMessages, type Messages } from './messages.ts';
import { studyMessage } from './render/study-message.ts';

/** What passes by itself. */
const PASSING = new Set([
  'ratelimited',
  'internal_error',
  'fatal_error',
  'service_unavailable',
  'request_timeout',
]);

const Opened = z.object({ channel: z.object({ id: z.string() }) });

/** Invites annotators in Slack, in private. Each message carries its key as metadata, by which it is found again. */
export function createSlackStudyPoster(
  { now, once }: Pick<SlackClients, 'now' | 'once'>,
  messages: Messages = createMessages(now, once),
): StudyPoster {
  return {
    surface: 'slack',
    invite: async ({ user }, study, key) => {
      try {
        const { channel } = Opened.parse(await now.conversations.open({ users: user }));
        const place = { channel: channel.id, thread: null, at: study.at };
        await messages.postOnce(
          place,
          studyMessage(study, { done: 0, total: study.cases }),
          { text: key },
          true,
        );
      } catch (thrown) {
        const error = slackError(thrown);
        if (thrown instanceof JuryError || error === null || PASSING.has(error)) throw thrown;
        throw new JuryError(
          'usage',
          error === 'user_not_found' || error === 'users_not_found'
            ? 'there is nobody of this id in the workspace (in Slack: profile, ⋮, Copy member ID).'
            : `Slack refuses it (${error}).`,
          { cause: thrown },
        );
      }
    },
  };
}
