import type { Logger } from 'pino';
import type { SpotChecks } from '../../flows/spot-check.ts';

interface KeepUpParts {
  checks: SpotChecks;
  log: Logger;
}

/** How often is looked for requests that nobody has any more. */
const RECOVER_MS = 2_000;

/** What has to be done again and again while the service runs: taking up what was left behind. */
export function keepUp({ checks, log }: KeepUpParts): { stop: () => void } {
  let looking = false;
  const recover = async (): Promise<void> => {
    if (looking) return;
    looking = true;
    try {
      const taken = await checks.recover();
      if (taken > 0) log.info({ taken }, 'took up requests that were left behind');
    } catch {
      // The store is away; the next look comes soon.
    } finally {
      looking = false;
    }
  };
  const recovering = setInterval(recover, RECOVER_MS);
  void recover();
  return { stop: () => clearInterval(recovering) };
}
