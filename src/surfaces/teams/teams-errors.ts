import type { JuryError } from '../../common/index.ts';
import { type DeliveryError, deliveryError } from '../chat/index.ts';
import { refusalIn, statusOf } from './teams-app.ts';

/**
 * What the statuses of Teams mean for a message. 412: two updates of a conversation collided. Any status from 500 on, and no
 * answer at all, is `busy`; a status that is not listed is `shape`.
 */
export const TEAMS_STATUSES = {
  401: 'token',
  403: 'no access',
  404: 'gone',
  405: 'gone',
  408: 'busy',
  410: 'gone',
  412: 'busy',
  413: 'shape',
  425: 'busy',
  429: 'busy',
} as const satisfies Readonly<Record<number, DeliveryError>>;

/** Codes that say more than their status. */
export const TEAMS_CODES = {
  BotDisabledByAdmin: 'no access',
  BotNotInConversationRoster: 'no access',
  BotNotRegistered: 'token',
  ConversationNotFound: 'no access',
  MessageSizeTooBig: 'shape',
} as const satisfies Readonly<Record<string, DeliveryError>>;

const statuses = new Map<number, DeliveryError>(
  Object.entries(TEAMS_STATUSES).map(([status, kind]) => [Number(status), kind]),
);
const codes = new Map<string, DeliveryError>(Object.entries(TEAMS_CODES));

export const isPassing = (status: number | null): boolean =>
  status === null || status >= 500 || statuses.get(status) === 'busy';

/** The JuryError for a failed call. @param thrown by a call to Teams */
export function notDelivered(thrown: unknown): JuryError {
  const status = statusOf(thrown);
  const code = refusalIn(thrown)?.data?.error.code;
  const kind = isPassing(status) ? 'busy' : (codes.get(code ?? '') ?? statuses.get(status ?? 0) ?? 'shape');
  return deliveryError(kind, 'Teams', status === null ? null : String(status), thrown);
}
