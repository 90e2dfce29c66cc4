import { Client } from '@microsoft/teams.api';
import { describe, expect, test } from 'vitest';
import type { SpotCheck } from '../../../src/requests/spot-check.ts';
import { openStore } from '../../../src/stores/open-store.ts';
import { createMessages, type TeamsMessage } from '../../../src/surfaces/teams/messages.ts';
import type { TeamsPace } from '../../../src/surfaces/teams/pace.ts';
import { message } from '../../../src/surfaces/teams/render/elements.ts';
import { looksIn } from '../../../src/surfaces/teams/render/notices.ts';
import { createStreams } from '../../../src/surfaces/teams/streams.ts';
import { PASTE } from '../../support/pastes.ts';
import { closeAfterEach, closing, newFolder, until } from '../../support/resources.ts';
import { type TeamsPost, textOfPost } from '../../support/teams-double.ts';
import { aPerson, QUICK, TENANT, withTeams } from '../../support/teams-service.ts';

closeAfterEach();

const shownIn = (post: TeamsPost | undefined): string => (post === undefined ? '' : textOfPost(post));

/** A check in Ann's own chat, and processes that share a store. @param pace if it is not the usual one */
async function aCheck(pace?: TeamsPace) {
  const teams = await withTeams(pace);
  const ann = aPerson(teams);
  const store = await openStore({ JURY_DATA_DIR: newFolder() }, () => {});
  closing(() => store.close());
  const serviceUrl = teams.url;
  const place = { serviceUrl, tenant: TENANT, bot: '28:jury' };
  const messages = createMessages({ find: async () => place }, () => new Client(serviceUrl), pace);
  const stopped: string[] = [];
  let ahead = 0;
  const aProcess = () => {
    const clock = () => performance.now() + ahead;
    const onStop = (check: string, by: string) => void stopped.push(`${check} by ${by}`);
    const streams = createStreams({ store, messages, now: Date.now, clock, onStop, ...(pace && { pace }) });
    closing(async () => streams.leave());
    return streams;
  };
  const check: SpotCheck = {
    id: 'check-1',
    at: Date.now(),
    surface: 'teams',
    team: TENANT,
    channel: ann.personal,
    thread: null,
    requestedBy: 'ann',
    input: { kind: 'message', message: '1', text: PASTE, files: [] },
    wish: {},
    again: null,
    progress: { placeholder: null, replies: {}, verdicts: {} },
  };
  const pass = (ms: number) => {
    ahead += ms;
    teams.pass(ms);
  };
  return { teams, check, aProcess, stopped, pass, store };
}

const VERDICT: TeamsMessage = message('FAIL – the rating is too low', { body: [] });
const PROGRESS = looksIn('en').progress({
  checkId: 'check-1',
  stage: 'panel',
  round: 0,
  rounds: 1,
  judges: [],
  given: 0,
  stopping: false,
});
const OTHER = { ...PROGRESS, status: 'something newer' };

describe('Teams: a stream', () => {
  test('becomes a card with Stop before its two minutes are over, and changes in place after that', async () => {
    const { teams, check, aProcess, pass } = await aCheck();
    const streams = aProcess();
    const id = await streams.begin(check, 'sushi', 'en');
    await streams.show(check, id, PROGRESS, true);
    pass(85_000);
    await streams.show(check, id, OTHER, true);
    expect(teams.posts).toEqual([]);
    pass(6_000);
    await until(() => teams.posts.length === 1);
    expect(teams.posts[0]).toMatchObject({ id });
    expect(shownIn(teams.posts[0])).toContain('Stop');
    pass(60_000);
    await streams.show(check, id, PROGRESS, true);
    await streams.show(check, id, VERDICT);
    expect(shownIn(teams.posts[0])).toMatch(/^FAIL/);
    expect(teams.posts[0]?.changes).toBe(2);
    expect(teams.streams[0]?.statuses.at(-1)).toBe('something newer');
    expect(teams.violations).toEqual([]);
  });

  test('repeats its status, so that a Stop is heard while all judges think', async () => {
    const { teams, check, aProcess, stopped } = await aCheck(QUICK);
    const streams = aProcess();
    const id = await streams.begin(check, 'sushi', 'en');
    await streams.show(check, id, PROGRESS, true);
    await until(() => (teams.streams[0]?.statuses.length ?? 0) >= 3);
    teams.stopStream(check.channel);
    await until(() => stopped.length > 0);
    expect(stopped[0]).toBe('check-1 by ann');
    await streams.show(check, id, VERDICT);
    expect(teams.posts).toHaveLength(1);
    expect(await streams.keptAs(check.channel, teams.posts[0]?.id ?? '')).toBe(id);
    await streams.show(check, id, VERDICT);
    expect(teams.posts[0]?.changes).toBe(2);
    expect(teams.violations).toEqual([]);
  });

  test('keeps a chat for itself, whatever process the next request comes to', async () => {
    const { teams, check, aProcess } = await aCheck();
    await aProcess().begin(check, 'sushi', 'en');
    const other = aProcess();
    const id = await other.begin({ ...check, id: 'check-2' }, 'ramen', 'en');
    await other.show(check, id, VERDICT);
    expect(teams.streams).toHaveLength(1);
    expect(teams.posts).toMatchObject([{ id, changes: 1 }]);
  });

  test('that a process left open is ended by the next one with what it shows first', async () => {
    const { teams, check, aProcess, pass } = await aCheck();
    const first = aProcess();
    const id = await first.begin(check, 'sushi', 'en');
    first.leave();
    pass(10_000);
    const second = aProcess();
    await second.show(check, id, PROGRESS, true);
    await second.show(check, id, VERDICT);
    expect(teams.posts).toMatchObject([{ id, changes: 1 }]);
    expect(shownIn(teams.posts[0])).toMatch(/^FAIL/);
    expect(teams.violations).toEqual([]);
  });

  test.each([
    ['within its two minutes', 0],
    ['after them', 150_000],
  ])('that another process has ended is not written to any more, %s', async (_, later) => {
    const { teams, check, aProcess, pass } = await aCheck();
    const paused = aProcess();
    const id = await paused.begin(check, 'sushi', 'en');
    await paused.show(check, id, PROGRESS, true);
    pass(1_000);
    const second = aProcess();
    await second.show(check, id, VERDICT);
    pass(later);
    await until(async () => teams.calls.filter(({ method }) => method === 'POST').length > 3);
    await paused.show(check, id, VERDICT);
    expect(teams.posts).toHaveLength(1);
    expect(shownIn(teams.posts[0])).toMatch(/^FAIL/);
    expect(teams.violations).toEqual([]);
  });

  test('that was not ended in time is changed as the message that it became', async () => {
    const { teams, check, aProcess, pass, store } = await aCheck();
    const first = aProcess();
    const id = await first.begin(check, 'sushi', 'en');
    first.leave();
    pass(150_000);
    const second = aProcess();
    await second.show(check, id, VERDICT);
    expect(teams.posts).toMatchObject([{ id }]);
    expect(await store.get(`teams-stream:${check.channel}`, Date.now() + 1_500)).toBeNull();
    expect(teams.violations).toEqual([]);
  });

  test('that Teams knows no more gets one message in its place, which later processes find', async () => {
    const { teams, check, aProcess, pass } = await aCheck();
    const first = aProcess();
    const id = await first.begin(check, 'sushi', 'en');
    first.leave();
    pass(10_000);
    teams.refuse({ status: 404, times: 1, streams: true });
    await aProcess().show(check, id, VERDICT);
    await aProcess().show(check, id, VERDICT);
    expect(teams.posts).toHaveLength(1);
    expect(teams.posts[0]).toMatchObject({ changes: 2 });
    expect(teams.posts[0]?.id).not.toBe(id);
    await aProcess().remove(check, id);
    expect(teams.posts).toEqual([]);
  });
});
