import type { DeliveryError } from '../../src/surfaces/chat/index.ts';

/** What comes of an error. */
interface Row {
  kind: DeliveryError;
  slack: string;
  /** Null where Teams has no such error. */
  teams: { status: number; code?: string } | null;
  /** What is refused: every message in the conversation, or only the card. */
  refuses: 'all' | 'cards';
  /** What the person who asked reads in private; null if they are not written to. */
  asker: RegExp | null;
  /** What stands in the place of the card meanwhile; null if nothing can. */
  inPlace: RegExp | null;
  /** Whether the card comes by itself once the platform takes it; otherwise someone presses *Try again*. */
  byItself: boolean;
}

/** Each class of errors, with an example of either platform. */
export const deliveryErrors: readonly Row[] = [
  {
    ...{ kind: 'busy', slack: 'internal_error', teams: { status: 503 }, refuses: 'cards' },
    ...{ asker: null, inPlace: null, byItself: true },
  },
  {
    ...{ kind: 'archived', slack: 'is_archived', teams: null, refuses: 'all' },
    ...{ asker: /cannot post in that conversation: the channel is archived/, inPlace: null, byItself: false },
  },
  {
    ...{ kind: 'no access', slack: 'not_in_channel', refuses: 'all' },
    ...{ teams: { status: 403, code: 'BotNotInConversationRoster' } },
    ...{ asker: /cannot post in that conversation: I may not write there/, inPlace: null, byItself: false },
  },
  {
    ...{ kind: 'gone', slack: 'message_not_found', teams: { status: 404 }, refuses: 'cards' },
    ...{ asker: /cannot show its card: its message was deleted/, inPlace: null, byItself: false },
  },
  {
    ...{ kind: 'scope', slack: 'missing_scope', teams: null, refuses: 'all' },
    ...{ asker: /my app lacks the scope chat:write in Slack/, inPlace: null, byItself: true },
  },
  {
    ...{ kind: 'token', slack: 'token_revoked', teams: { status: 401 }, refuses: 'all' },
    ...{ asker: /no longer accepts the credentials of my app/, inPlace: null, byItself: true },
  },
  {
    ...{ kind: 'shape', slack: 'msg_too_long', refuses: 'cards' },
    ...{ teams: { status: 413, code: 'MessageSizeTooBig' } },
    ...{
      asker: /cannot show its card: \w+ refuses it/,
      inPlace: /The verdict stands, but it cannot be shown here/,
    },
    byItself: false,
  },
];
