import { JuryError } from '../../common/index.ts';

/** Why a chat platform does not take a message. Each chat maps its own errors to these. */
export type DeliveryError = 'busy' | 'archived' | 'no access' | 'gone' | 'scope' | 'token' | 'shape';

interface DeliveryRule {
  /**
   * `soon`: tried again until it is taken. `change`: the same, and the person who asked is told at once, since someone must
   * change something first. `never`: not tried again; the person is told elsewhere. `here`: not tried again; a shorter message
   * says so in its place.
   */
  retry: 'soon' | 'change' | 'never' | 'here';
  /** What stands in the way, as the rest of a sentence. @param detail the scope or the platform's code */
  says: (platform: string, detail: string) => string;
}

/** What each kind of error means for the message and for the person who asked. */
export const deliveryRules: Readonly<Record<DeliveryError, DeliveryRule>> = {
  busy: {
    retry: 'soon',
    says: (platform, detail) => `${platform} does not take it at the moment (${detail})`,
  },
  archived: { retry: 'never', says: () => 'the channel is archived' },
  'no access': { retry: 'never', says: () => 'I may not write there: invite me, or ask an admin' },
  gone: { retry: 'never', says: () => 'its message was deleted' },
  scope: {
    retry: 'change',
    says: (platform, detail) =>
      `my app lacks the scope ${detail} in ${platform}: an admin adds it and installs the app again`,
  },
  token: {
    retry: 'change',
    says: (platform, detail) =>
      `${platform} no longer accepts the credentials of my app (${detail}): an admin installs it again`,
  },
  shape: { retry: 'here', says: (platform, detail) => `${platform} refuses it (${detail})` },
};

/**
 * The JuryError for a message that was not taken: `usage` if nothing can ever be shown there, otherwise `undelivered`.
 *
 * @param detail the missing scope, or the platform's code
 * @param cause the platform's error
 */
export function deliveryError(
  kind: DeliveryError,
  platform: string,
  detail: string,
  cause: unknown,
): JuryError {
  const { retry, says } = deliveryRules[kind];
  const message = `${says(platform, detail)}.`;
  switch (retry) {
    case 'never':
      return new JuryError('usage', message, { cause });
    case 'here':
      return new JuryError('undelivered', message, { cause });
    case 'soon':
      return new JuryError('undelivered', message, { cause, retryable: true });
    case 'change':
      return new JuryError('undelivered', message, { cause, retryable: true, needsChange: true });
  }
}
