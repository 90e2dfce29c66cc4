import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { openStore } from '../../src/stores/open-store.ts';
import { closing, newFolder } from './resources.ts';
import { spawnJury } from './run-jury.ts';
import { keepsDataIn } from './run-service.ts';
import { ownRedis } from './slack-service.ts';
import { type TeamsDouble, textOfPost } from './teams-double.ts';
import { withTeams } from './teams-service.ts';

/** The built service in a process of its own, and its port. */
export async function started(env: Record<string, string> & { JURY_DATA_DIR: string }) {
  const child = spawnJury(['serve'], { env: { ...env, PORT: '0', LOG_FORMAT: 'json' } });
  closing(async () => {
    if (child.exitCode !== null || child.signalCode !== null) return;
    child.kill('SIGKILL');
    await once(child, 'exit');
  });
  const kill = async (): Promise<void> => {
    const exit = once(child, 'exit');
    child.kill('SIGKILL');
    await exit;
  };
  for await (const line of createInterface({ input: child.stderr })) {
    const [, port] = /web: http:\/\/127\.0\.0\.1:(\d+)/.exec(line) ?? [];
    if (port === undefined) continue;
    child.stderr.resume();
    keepsDataIn(Number(port), env.JURY_DATA_DIR);
    return { kill, port: Number(port) };
  }
  throw new Error('the service did not start');
}

/** A Teams, and the environment of services that share one store. */
export async function aPlace(kind: string) {
  const teams = await withTeams();
  const folder = newFolder();
  const redisUrl = kind === 'Redis' ? (await ownRedis()).url : undefined;
  const env = {
    TEAMS_PLAYGROUND_URL: teams.url,
    JURY_DATA_DIR: folder,
    ...(redisUrl === undefined ? {} : { REDIS_URL: redisUrl, JURY_SECRET: 'of-this-test' }),
  };
  const open = async () => {
    const store = await openStore({ REDIS_URL: redisUrl, JURY_DATA_DIR: folder }, () => {});
    closing(() => store.close());
    return store;
  };
  return { teams, env, open };
}

export const shows = (teams: TeamsDouble, start: RegExp): boolean =>
  teams.posts.some((post) => start.test(textOfPost(post)));
