import { randomUUID } from 'node:crypto';
import { join } from 'node:path';
import * as z from 'zod';
import { keepDigestPage } from '../../src/digests/digest-page.ts';
import { createFolderTrialStore } from '../../src/stores/folder/runs.ts';
import { keepMadeRun, manyHabits } from './made-run.ts';
import { call } from './page-service.ts';
import { PASTE } from './pastes.ts';
import { newFolder, until } from './resources.ts';
import { noting, type Route } from './routes.ts';
import { runService } from './run-service.ts';

/** Words of the case and the run: what answers to a stranger hold none of. */
export const WORDS = /sushi|sakura|monday-run|rating|navigation|_total|nodejs_|sqlite/i;

/** What everyone may read: it says nothing of any data. */
const OPEN = /^\/(?:healthz|readyz|about|privacy|terms|assets\/[\w.-]+|docs\/:name)$/;

/** A console of this machine with a verdict, a request, a run and a digest, and every route that the service has. */
export async function keyedConsole(env: Record<string, string> = {}) {
  const folder = newFolder();
  const [habit] = manyHabits;
  if (habit === undefined) throw new Error('There are no habits.');
  const runs = createFolderTrialStore(join(folder, 'runs'));
  await keepMadeRun(runs, { name: 'monday-run', cases: 6, repeats: 1, habits: [habit] });
  const { started: jury, routes } = await noting(() => runService({ JURY_DATA_DIR: folder, ...env }));
  const { port, link } = jury.service;
  const asked = await call(port, '/ui/requests', {
    method: 'POST',
    body: { key: randomUUID(), text: PASTE },
  });
  const { view } = z.object({ view: z.string() }).parse(JSON.parse(asked.text));
  const store = await jury.parts.store();
  const [record] = await until(async () => {
    const found = await store.recentVerdicts({ channel: null, limit: 1 });
    return found.length > 0 && found;
  });
  const id = record?.id ?? '';
  const headline = 'monday-run: the judges agree with the labels';
  const digest = { surface: 'page', channel: 'console', at: 0, headline, known: [] };
  await keepDigestPage(store, 'd1', 900, digest, Date.now());
  /** An address of a route at which there is something. */
  const addressOf = ({ path }: Route): string =>
    path
      .replace('/runs/:name', '/runs/monday-run')
      .replace(':schedule/:slot', 'd1/900')
      .replace(':name', 'console.md')
      .replace(':id', id)
      .replace(':view', view)
      .replace(/:(?:index|row)/, '0');
  const isOpen = ({ path }: Route) => OPEN.test(path);
  return {
    jury,
    folder,
    link: link ?? '',
    id,
    addressOf,
    /** What asks for the key. */
    keyed: routes.filter((route) => !isOpen(route)),
    open: routes.filter(isOpen),
  };
}
