import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { describe, expect, inject, test } from 'vitest';
import { openStore } from '../../../src/stores/open-store.ts';
import { PASTE } from '../../support/pastes.ts';
import { closeAfterEach, closing, newFolder, until } from '../../support/resources.ts';
import { spawnJury } from '../../support/run-jury.ts';
import { ownRedis, withModel } from '../../support/slack-service.ts';
import { type TeamsDouble, textOfPost } from '../../support/teams-double.ts';
import { aPerson, CHANNEL, withTeams } from '../../support/teams-service.ts';

closeAfterEach();
const { rounds } = inject('counts');

/** The built service in a process of its own, and its port. */
async function started(env: Record<string, string>) {
  const child = spawnJury(['serve'], { env: { ...env, PORT: '0', LOG_FORMAT: 'json' } });
  closing(async () => {
    if (child.exitCode !== null || child.signalCode !== null) return;
    child.kill('SIGKILL');
    await once(child, 'exit');
  });
  for await (const line of createInterface({ input: child.stderr })) {
    const [, port] = /web: http:\/\/127\.0\.0\.1:(\d+)/.exec(line) ?? [];
    if (port === undefined) continue;
    child.stderr.resume();
    return { child, port: Number(port) };
  }
  throw new Error('the service did not start');
}

const shows = (teams: TeamsDouble, start: RegExp): boolean =>
  teams.posts.some((post) => start.test(textOfPost(post)));

/** When the process is killed. */
type Moment = (teams: TeamsDouble) => Promise<unknown>;
const moments: Record<string, Moment> = {
  'before anything is shown': async () => {},
  'as soon as the placeholder stands': (teams) => until(async () => teams.posts.length > 0),
  'while judges are asked': (teams) => until(async () => shows(teams, /^Judging/)),
};

describe.each(['SQLite', 'Redis'])('Teams on %s: a process that is killed', (kind) => {
  test.each(Object.entries(moments))(
    '%s leaves one verdict and one card, with the help of the next one',
    {
      repeats: rounds - 1,
    },
    async (_, moment) => {
      const teams = await withTeams();
      const ann = aPerson(teams);
      const folder = newFolder();
      const redisUrl = kind === 'Redis' ? (await ownRedis()).url : undefined;
      const env = {
        TEAMS_PLAYGROUND_URL: teams.url,
        JURY_DATA_DIR: folder,
        ...(redisUrl === undefined ? {} : { REDIS_URL: redisUrl, JURY_SECRET: 'of-this-test' }),
      };
      const never = await withModel({ until: new Promise(() => {}) });
      const first = await started({ ...env, ...never });
      const asked = ann.message(CHANNEL, PASTE);
      void ann.deliver(first.port, asked).catch(() => {});
      await moment(teams);
      first.child.kill('SIGKILL');
      await once(first.child, 'exit');
      const before = teams.posts.length;

      const second = await started({ ...env, ...(await withModel({})) });
      // Teams delivers again what it got no answer for.
      await ann.deliver(second.port, asked);
      await until(async () => shows(teams, /^PASS/));
      const store = await openStore({ redisUrl, dataFolder: folder, warn: () => {} });
      closing(() => store.close());
      await until(async () => (await store.pendingSpotChecks()) === 0);
      expect(await store.recentVerdicts({ channel: null, limit: 9 })).toHaveLength(1);
      const cards = teams.posts.filter((post) => /^PASS/.test(textOfPost(post)));
      expect(cards).toHaveLength(1);
      // Only a placeholder whose id could not be kept may stay behind: it names the request and has no buttons.
      const left = teams.posts.filter((post) => !cards.includes(post));
      expect(left.length).toBeLessThanOrEqual(before);
      for (const post of left) {
        expect(textOfPost(post)).toMatch(/^Reading the case/);
        expect(JSON.stringify(post.activity)).not.toContain('Action.');
      }
    },
  );
});

test('Teams: fifty clicks a second are all counted, each card changes at most once a second', async () => {
  const teams = await withTeams();
  const ann = aPerson(teams);
  const folder = newFolder();
  const { port } = await started({ TEAMS_PLAYGROUND_URL: teams.url, JURY_DATA_DIR: folder });
  const asked = ann.message(CHANNEL, PASTE);
  await ann.deliver(port, asked);
  await until(async () => shows(teams, /^FAIL/));
  const [card] = teams.posts;
  const id = /"id":"([^"]+)"/.exec(JSON.stringify(card?.activity.attachments))?.[1] ?? '';
  const voters = Array.from({ length: 150 }, (_, n) => aPerson(teams, `P${n}`));
  const changed = card?.changes ?? 0;
  const began = performance.now();
  const waited: number[] = [];
  const answers = await Promise.all(
    voters.map(async (voter, n) => {
      await new Promise((resolve) => setTimeout(resolve, n * 20));
      const value = { action: { data: { do: n % 3 === 0 ? 'disagree' : 'agree', id } } };
      const press = voter.invoke(CHANNEL, asked.id, 'adaptiveCard/action', value, card?.id);
      const pressed = performance.now();
      const answer = await voter.deliver(port, press);
      waited.push(performance.now() - pressed);
      return answer;
    }),
  );
  const seconds = (performance.now() - began) / 1000;
  expect(answers.every(({ status }) => status === 200)).toBe(true);
  const [p99 = 0] = waited.sort((a, b) => b - a).slice(Math.floor(waited.length / 100));
  expect(p99).toBeLessThan(300);
  const store = await openStore({ redisUrl: undefined, dataFolder: folder, warn: () => {} });
  closing(() => store.close());
  expect(await store.tally(id)).toEqual({ agree: 100, disagree: 50, unsure: 0 });
  await until(async () => card !== undefined && /100[\s\S]*50/.test(textOfPost(card)));
  expect((card?.changes ?? 0) - changed).toBeLessThanOrEqual(Math.ceil(seconds) + 3);
});
