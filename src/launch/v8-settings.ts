import { setFlagsFromString } from 'node:v8';

/** Later versions of Node have other defaults, and no such flags. */
function set(flags: string): void {
  if (process.version.startsWith('v20.')) setFlagsFromString(flags);
}

/**
 * For a command that mostly waits for models or ends after seconds. A function runs nine times as long as usual before V8 optimizes it,
 * which would take longer than it saves; and garbage is not marked beforehand for a collection that never comes: where one is needed it
 * is made in one go (`npm run bench:overhead`).
 */
export const setForOneCommand = (): void => set('--interrupt-budget=600000 --no-incremental-marking');

/** V8's own settings, for who stays or has much to work out: it runs hot, and collections must not stop it for long. */
export const setForLongWork = (): void => set('--interrupt-budget=67584 --incremental-marking');
