import { JuryError } from '../../common/index.ts';
import { isLoopback } from '../../common/text/index.ts';
import type { Env } from '../../env.ts';
import { type KeptSecret, keepSecret, pathOfSecret } from '../../stores/index.ts';
import { MESSAGES_PATH } from './ids.ts';

/** Why the playground's settings are rejected; null if they are fine or there is no playground. */
export function playgroundProblem({
  TEAMS_PLAYGROUND_URL: url,
  TEAMS_CLIENT_ID,
  TEAMS_CLIENT_SECRET,
  HOST,
}: Env['settings']): string | null {
  if (url === undefined) return null;
  const credentials = Object.entries({ TEAMS_CLIENT_ID, TEAMS_CLIENT_SECRET });
  const [beside] = credentials.find(([, value]) => value !== undefined) ?? [];
  // The playground's requests are not signed, so it must not run alongside Teams itself.
  if (beside !== undefined)
    return `TEAMS_PLAYGROUND_URL is for a trial without an account, and ${beside} is set: unset one of them`;
  if (!isLoopback(new URL(url).hostname))
    return 'TEAMS_PLAYGROUND_URL must be an address of this machine, such as http://127.0.0.1:56150/_connector';
  if (!isLoopback(HOST))
    return `TEAMS_PLAYGROUND_URL is for this machine alone, and HOST is ${HOST}: unset HOST, or unset TEAMS_PLAYGROUND_URL`;
  return null;
}

const keyIn = (folder: string): KeptSecret => ({
  folder,
  name: 'playground-key',
  advice: 'Set JURY_DATA_DIR to a writable folder.',
});

/**
 * The path that a local playground posts to, including its key.
 * @throws JuryError `config` if the key can be neither read nor created
 */
export async function playgroundPath({
  settings,
  secrets,
}: Pick<Env, 'settings' | 'secrets'>): Promise<`/${string}`> {
  const kept = keyIn(settings.JURY_DATA_DIR);
  const key = await keepSecret(kept);
  if (!/^[\w-]{43}$/.test(key))
    throw new JuryError('config', `${pathOfSecret(kept)} holds no key: delete it, and another one is made.`);
  secrets.add(key, 'playground-key');
  return `${MESSAGES_PATH}/${key}`;
}

/** The command that starts the playground. */
export async function playgroundCommand(
  env: Pick<Env, 'settings' | 'secrets'>,
  url: string,
): Promise<string> {
  const { HOST, PORT } = env.settings;
  const host = HOST.includes(':') ? `[${HOST.replaceAll(/[[\]]/g, '')}]` : HOST;
  const endpoint = `http://${host}:${PORT}${await playgroundPath(env)}`;
  const { port } = new URL(url);
  return `npx @microsoft/m365agentsplayground start -e ${endpoint} -c msteams -p ${port || 80} --su ${url} --disable-telemetry`;
}
