import type { Logger } from 'pino';
import { JuryError, messageOf } from '../../common/index.ts';
import { counted } from '../../common/text/index.ts';
import { RULES } from '../../judges/rules/index.ts';
import type { Store } from '../../stores/index.ts';
import type { Parts } from '../index.ts';
import type { StatusItem } from '../web/index.ts';
import { adminsText, limitsText } from '../wording/index.ts';
import type { Surfaces } from './start-surfaces.ts';

async function storeItem(store: Store, ready: () => Promise<void>): Promise<StatusItem> {
  const item = { name: 'store', title: 'Store' };
  try {
    await ready();
  } catch (thrown) {
    return { ...item, state: 'broken', text: messageOf(thrown) };
  }
  const text =
    store.kind === 'sqlite'
      ? 'ready (SQLite, a file in the data folder; for several machines, set REDIS_URL)'
      : `ready (${store.kind})`;
  return { ...item, state: 'on', text };
}

function modelItem({ env, requireModel }: Parts): StatusItem {
  const id = env.settings.JURY_MODEL;
  const item = { name: 'model', title: 'Model' };
  if (id === RULES)
    return {
      ...item,
      state: 'off',
      text: 'exact checks judge what they can; for everything else, set JURY_MODEL=openai/gpt-4o-mini and OPENAI_API_KEY (or another provider)',
    };
  try {
    requireModel(id);
    return { ...item, state: 'on', text: `${id} judges, unless a request names another` };
  } catch (thrown) {
    if (!(thrown instanceof JuryError)) throw thrown;
    return { ...item, state: 'broken', text: thrown.message };
  }
}

function adminsItem({ env }: Parts): StatusItem {
  const { JURY_ADMINS: admins } = env.settings;
  const text = adminsText(admins ?? null);
  return { name: 'admins', title: 'Admins', state: admins === undefined ? 'off' : 'on', text };
}

function surfaceItems({ surfaces, env }: Parts, { open, refused, away }: Surfaces): StatusItem[] {
  return surfaces.map(({ name, title, ask, setup }): StatusItem => {
    const state = setup(env);
    const address = open.get(name)?.address;
    const why = refused.get(name) ?? away.get(name) ?? open.get(name)?.problem?.() ?? null;
    if (why !== null) return { name, title, state: 'broken', text: why };
    if (state.kind === 'off') return { name, title, state: 'off', text: state.needs };
    return {
      name,
      title,
      state: 'on',
      text: state.how,
      ...(address === undefined ? {} : { ask: { how: ask, address } }),
    };
  });
}

/** The daily limits and how many people, conversations and tokens have reached them, without names. */
async function limitsItem({ limits }: Parts): Promise<StatusItem[]> {
  const item = { name: 'limits', title: 'Daily limits' };
  const reached = await limits.reached().catch(() => null);
  if (reached === null) return [{ ...item, state: 'broken', text: 'the store cannot be reached' }];
  if (reached.length === 0) return [];
  return [{ ...item, state: 'on', text: limitsText(reached) }];
}

async function digestsItem({ surfaces }: Parts, { open }: Surfaces, store: Store): Promise<StatusItem> {
  const item = { name: 'digests', title: 'Digests' };
  const posting = surfaces.filter(({ name }) => open.get(name)?.digests != null);
  if (posting.length === 0) return { ...item, state: 'off', text: 'they need a chat to be posted in' };
  const schedules = await store.schedules().catch(() => null);
  const active = schedules?.filter(({ paused }) => !paused).length;
  if (active === undefined) return { ...item, state: 'broken', text: 'the store cannot be reached' };
  if (active > 0) return { ...item, state: 'on', text: counted(active, 'schedule') };
  const how = posting.map(({ title, digests }) => `in ${title}, ${digests}`).join('; ');
  return { ...item, state: 'off', text: `none scheduled: ${how}` };
}

/** Which parts of the service are on, and how to turn on the others. */
export const serviceStatus = async (
  parts: Parts,
  surfaces: Surfaces,
  store: Store,
  storeReady: () => Promise<void>,
): Promise<StatusItem[]> => [
  ...surfaceItems(parts, surfaces),
  modelItem(parts),
  ...(await limitsItem(parts)),
  adminsItem(parts),
  await storeItem(store, storeReady),
  await digestsItem(parts, surfaces, store),
];

/** Logs the status at the start, except for texts that a warning already contains. */
export function logStatus(items: readonly StatusItem[], log: Logger, warned: readonly string[]): void {
  for (const { name, title, state, text } of items.filter(
    (item) => !warned.some((warning) => warning.includes(item.text)),
  ))
    if (state === 'on') log.info(name === 'store' ? `store: ${text}` : `${title.toLowerCase()}: on, ${text}`);
    else log[state === 'broken' ? 'error' : 'warn'](`${title.toLowerCase()}: off; ${text}`);
}
