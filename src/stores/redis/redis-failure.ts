import { JuryError, messageOf } from '../../common/errors.ts';

/** What Redis answers where it cannot serve, with what to do. */
const advice: Readonly<Record<string, string>> = {
  NOAUTH: 'it wants a password: put it into REDIS_URL',
  WRONGPASS: 'it refuses the user or password of REDIS_URL',
  NOPERM:
    'the user of REDIS_URL may not do this: allow it all commands on keys that begin with "jury" or "{jury"',
  READONLY: 'it is a replica: point REDIS_URL to the master, or to Sentinel',
  LOADING: 'it is still reading its data: try again',
  OOM: 'its memory is full: raise maxmemory',
  MISCONF: 'it cannot write to its disk: see its log',
  MASTERDOWN: 'its master is down',
  CLUSTERDOWN: 'the cluster is down',
  TRYAGAIN: 'the cluster moves data: try again',
  MOVED: 'it is part of a cluster: begin REDIS_URL with redis+cluster://',
  CROSSSLOT: 'it is part of a cluster: begin REDIS_URL with redis+cluster://',
  BUSY: 'a script of somebody else holds it',
  UNKILLABLE: 'a script of somebody else holds it',
};
const lasting = new Set(['NOAUTH', 'WRONGPASS', 'NOPERM', 'MOVED', 'CROSSSLOT']);

/** What a failure of Redis means to a caller: the store is unavailable, or else a defect of ours. */
export function redisFailure(thrown: unknown, where: string): JuryError {
  if (thrown instanceof JuryError) return thrown;
  const lost = thrown instanceof Error && thrown.name === 'MaxRetriesPerRequestError';
  const message = lost ? 'the connection was lost' : messageOf(thrown);
  const code = /^(?:ERR |.*?-)?([A-Z]{3,})\b/.exec(message)?.[1] ?? '';
  const what = advice[code];
  if (what !== undefined)
    return new JuryError('store-unavailable', `Redis at ${where} is unavailable: ${what} (${code}).`, {
      cause: thrown,
      retryable: !lasting.has(code),
    });
  if (thrown instanceof Error && thrown.name === 'ReplyError')
    return new JuryError('internal', `Redis at ${where} refused a command: ${message}`, { cause: thrown });
  return new JuryError(
    'store-unavailable',
    `Redis at ${where} cannot be reached (${message}): check that it runs and that REDIS_URL is right.`,
    { cause: thrown, retryable: true },
  );
}
