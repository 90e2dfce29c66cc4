const longest = 300;

/** Text from outside without our key in it: an endpoint may echo what it was sent. */
export const withoutKey = (text: string, key: string | null): string =>
  key ? text.replaceAll(key, '[key]') : text;

/** A message from outside as one line of bounded length, without keys in it. */
export function plainMessage(text: string, secrets: readonly (string | null)[] = []): string {
  let plain = text;
  for (const secret of secrets) if (secret) plain = plain.replaceAll(secret, '[key]');
  plain = plain
    .replace(/\b(sk|gsk|xai|pk)-[\w*.-]{4,}/g, '[key]')
    .replace(/\bBearer\s+\S+/gi, 'Bearer [key]')
    .replace(/\s+/g, ' ')
    .trim();
  return plain.length <= longest
    ? plain
    : `${plain.slice(0, longest)}… (${plain.length - longest} characters more)`;
}

/** An address without what could be secret in it: user, password, query. */
export function plainUrl(address: string): string {
  const [bare = ''] = address.split(/[?#]/);
  // Up to the last @ before the path: a password may hold one itself.
  return bare.replace(/\/\/[^/]*@/, '//');
}
