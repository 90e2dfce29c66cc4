import { JuryError } from '../../core/errors.ts';
import type { Store } from '../store.ts';

/** A store in Redis. */
export async function openRedisStore(
  _url: string,
  _options: { warn: (message: string) => void },
): Promise<Store> {
  throw new JuryError('config', 'This version keeps nothing in Redis yet: leave REDIS_URL empty.');
}
