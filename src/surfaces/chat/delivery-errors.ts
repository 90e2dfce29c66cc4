import type { JuryError } from '../../common/index.ts';
import { WordedError, type Words } from '../../words/index.ts';

/** Why a chat platform does not take a message. Each chat maps its own errors to these. */
export type DeliveryError = 'busy' | 'archived' | 'no access' | 'gone' | 'scope' | 'token' | 'shape';

/**
 * What each kind of error means for the message and for the person who asked. `soon`: tried again until it is taken. `change`: the
 * same, and the person who asked is told at once, since someone must change something first. `never`: not tried again; the person is
 * told elsewhere. `here`: not tried again; a shorter message says so in its place.
 */
export const deliveryRules: Readonly<Record<DeliveryError, 'soon' | 'change' | 'never' | 'here'>> = {
  busy: 'soon',
  archived: 'never',
  'no access': 'never',
  gone: 'never',
  scope: 'change',
  token: 'change',
  shape: 'here',
};

/**
 * The JuryError for a message that was not taken: `usage` if nothing can ever be shown there, otherwise `undelivered`.
 *
 * @param detail the missing scope, or the platform's code; null: it did not answer
 * @param cause the platform's error
 */
export function deliveryError(
  kind: DeliveryError,
  platform: string,
  detail: string | null,
  cause: unknown,
): JuryError {
  const say = ({ errors: { delivery } }: Words): string =>
    `${delivery[kind]({ platform, detail: detail ?? delivery.noAnswer })}.`;
  switch (deliveryRules[kind]) {
    case 'never':
      return new WordedError('usage', say, { cause });
    case 'here':
      return new WordedError('undelivered', say, { cause });
    case 'soon':
      return new WordedError('undelivered', say, { cause, retryable: true });
    case 'change':
      return new WordedError('undelivered', say, { cause, retryable: true, needsChange: true });
  }
}
