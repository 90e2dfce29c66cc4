// Prepares pages and numbers of runs in a worker thread, one at a time, because reading thousands of trials would hold up everything else.
// `surfaces/web/report-thread.ts` starts it from dist/.
import { parentPort, workerData } from 'node:worker_threads';
import * as z from 'zod';
import { JuryError, lazily, messageOf } from './common/index.ts';
import { readEnv } from './env.ts';
import { openTrialStore } from './stores/index.ts';
import { loadPrepare } from './surfaces/web/lazy.ts';

/** The variables that say where runs are, and how they are shown. */
const Setup = z.record(z.string(), z.string());
type Prepare = Awaited<ReturnType<typeof loadPrepare>>['prepare'];
/** Tasks are not checked, since the same code makes them. */
const Request = z.object({ id: z.number(), task: z.custom<Parameters<Prepare>[2]>() });

const { settings } = readEnv(Setup.parse(workerData), '');
const opened = lazily(() => openTrialStore(settings, () => {}));

parentPort?.on('message', async (message: unknown) => {
  const { id, task } = Request.parse(message);
  try {
    const { prepare } = await loadPrepare();
    parentPort?.postMessage({ id, made: await prepare(await opened(), settings.JURY_REDACT, task) });
  } catch (thrown) {
    const code = thrown instanceof JuryError ? thrown.code : 'internal';
    const retryable = thrown instanceof JuryError && thrown.retryable;
    parentPort?.postMessage({ id, problem: { code, retryable, message: messageOf(thrown) } });
  }
});
