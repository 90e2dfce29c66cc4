import { readdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { runNameFor } from '../../../src/benchmark/benchmark-definition.ts';
import { RunManifest } from '../../../src/benchmark/run-manifest.ts';
import { Digest } from '../../../src/digests/digest.ts';
import { openSqliteStore } from '../../../src/stores/sqlite/sqlite-store.ts';
import { closeAfterEach } from '../../support/resources.ts';
import { jury, scratch, spawnedJury } from '../../support/run-jury.ts';
import { tokens } from '../../support/slack-double.ts';
import { withSlack } from '../../support/slack-service.ts';
import { aBallot, aRecord, aSchedule } from '../../support/store-builders.ts';

closeAfterEach();

async function votedOn(cwd: string) {
  const store = await openSqliteStore(join(cwd, 'data', 'jury.db'));
  await store.saveVerdict(aRecord({ id: 'v1', at: Date.now() }));
  await store.castVote(aBallot({ verdictId: 'v1' }));
  await store.castVote(aBallot({ verdictId: 'v1', voter: 'ben', value: 'disagree' }));
  return store;
}

describe('jury digest', () => {
  test('schedules, lists, pauses, resumes and removes', async () => {
    const cwd = scratch();
    const scheduled = await jury(
      ['digest', 'schedule', '0 9 * * 1', 'C0123ABCD', 'Europe/Berlin', 'navigation', '--owner', 'U0123ABCD'],
      { cwd },
    );
    expect(scheduled).toMatchObject({ code: 0, err: '' });
    expect(scheduled.out).toMatch(
      /^d1: Mondays at 9:00 \(Europe\/Berlin\), with navigation; next \d+ \w+ \d{4}, 09:00; in C0123ABCD; owner U0123ABCD\n$/,
    );
    expect((await jury(['digest', 'pause', 'd1'], { cwd })).out).toBe('d1 paused\n');
    expect((await jury(['digest', 'list'], { cwd })).out).toContain('; paused');
    await jury(['digest', 'resume', 'd1'], { cwd });
    expect((await jury(['digest', 'list'], { cwd })).out).toContain('; next ');
    await jury(['digest', 'remove', 'd1'], { cwd });
    const listed = await jury(['digest', 'list'], { cwd });
    expect(listed).toMatchObject({ code: 0, out: '' });
    expect(listed.err).toContain('No digests are scheduled');
  });

  test('reads a time in words, and refuses an identical twin', async () => {
    const cwd = scratch();
    const words = ['jeden', 'Montag', 'um', '9', 'C0123ABCD', 'Europe/Berlin'];
    const { out } = await jury(['digest', 'schedule', ...words], { cwd });
    expect(out).toMatch(/^d1: Mondays at 9:00 \(Europe\/Berlin\); next .*; in C0123ABCD\n$/);
    const twin = await jury(['digest', 'schedule', '0 9 * * mon', 'C0123ABCD', 'europe/berlin'], { cwd });
    expect(twin).toMatchObject({ code: 64, out: '' });
    expect(twin.err).toContain('d1 does that already: Mondays at 9:00 (Europe/Berlin). Nothing was added.');
    const other = await jury(['digest', 'schedule', 'every', 'monday', '9am', 'C0123ABCE', 'Europe/Berlin'], {
      cwd,
    });
    expect(other.out).toContain('d2: ');
    const wide = await jury(['digest', 'schedule', ...words, '--votes', 'everywhere'], { cwd });
    expect(wide.out).toMatch(/^d3: Mondays at 9:00 \(Europe\/Berlin\), votes of all conversations; next /);
    const wrong = await jury(['digest', 'schedule', ...words, '--votes', 'mine'], { cwd });
    expect(wrong).toMatchObject({ code: 64, err: expect.stringContaining('here, everywhere') });
  });

  test('a schedule names who checks answers of the runs that it starts, until they are forgotten', async () => {
    const cwd = scratch();
    const env = { JURY_SECRET: 'for this test' };
    const words = ['schedule', '0 9 * * 1', 'C0123ABCD', 'navigation'];
    const add = (...more: readonly string[]) => jury(['digest', ...words, ...more], { cwd, env });
    const nameless = await add('--review', '20');
    expect(nameless).toMatchObject({ code: 64, err: expect.stringContaining('name them with --reviewers') });
    expect((await add('--reviewers', 'somebody')).err).toContain('"somebody" is not a person');
    expect((await add('--review', '7', '--reviewers', 'name:ann')).code).toBe(64);
    const { out } = await add('--review', '20', '--reviewers', 'name:ann,U0123ABCD');
    expect(out).toMatch(/^d1: .*, with navigation, 20 answers of each run checked by 2 people; next /);
    expect((await add()).err).toContain(
      'with others who check answers or none: remove it first. Nothing was',
    );
    const previewed = await jury(['digest', 'preview', 'd1', '--run'], { cwd, env });
    expect(previewed.code).toBe(0);
    const listed = await jury(['review', 'list', '--json'], { cwd, env });
    const [run = ''] = listed.out.split('\n');
    expect(JSON.parse(run)).toMatchObject({ drawn: 20, checked: 0 });
    const name = String(JSON.parse(run).run);
    const answering = (as: string) =>
      jury(['review', 'answer', name, '--as', as], { cwd, env, input: 'r\n' });
    expect((await answering('bob')).err).toContain('This run does not ask you');
    expect((await answering('ann')).out).toBe('1 answer checked.\n');
    const checkers = async () =>
      JSON.parse((await jury(['digest', 'list', '--json'], { cwd })).out).schedule.review;
    expect(await checkers()).toEqual({ size: 20, people: ['name:ann', 'U0123ABCD'] });
    await jury(['labels', 'forget', 'U0123ABCD'], { cwd, env });
    expect(await checkers()).toEqual({ size: 20, people: ['name:ann'] });
    await jury(['labels', 'forget', 'name:ann'], { cwd, env });
    expect(await checkers()).toBeUndefined();
  });

  test.each([
    [['schedule', '0 25 * * *', 'C0123ABCD'], 'is not a valid schedule'],
    [['schedule', '*/5 * * * *', 'C0123ABCD'], 'more often than once an hour'],
    [['schedule', 'someday', 'C0123ABCD'], 'begins with no time'],
    [['schedule', 'every', 'monday', '9am'], 'No channel is named: give one (in Slack'],
    [['schedule', '0 9 * * 1', '#quality'], '"#quality" is not a channel id'],
    [['schedule', '0 9 * * 1', 'C0123ABCD', 'Berlin'], 'not a time zone: did you mean Europe/Berlin?'],
    [['schedule', '0 9 * * 1', 'C0123ABCD', 'Europe/Berln'], 'not a time zone: did you mean Europe/Berlin?'],
    [['schedule', '0 9 * * 1', 'C0123ABCD', 'UTC', 'nightly'], 'Benchmarks: navigation'],
    [['pause', 'd7'], 'There is no schedule "d7"'],
    [['preview', '--run'], 'name one'],
    [['send'], 'set SLACK_BOT_TOKEN'],
  ])('%j is refused with what to do', async (args, message) => {
    const ran = await jury(['digest', ...args]);
    expect(ran).toMatchObject({ code: 64, out: '' });
    expect(ran.err).toContain(message);
  });

  test('previews what would be posted, as text and as JSON, and keeps nothing', async () => {
    const cwd = scratch();
    await (await votedOn(cwd)).close();
    const { code, out, err } = await jury(['digest', 'preview'], { cwd });
    expect(code).toBe(0);
    expect(err).toContain('what a digest without benchmarks says');
    expect(out).toContain('Spot checks and votes in all conversations so far\n  Spot checks: 1 (1 fail)');
    expect(out).toContain('1 agree, 1 disagree');
    const json = await jury(['digest', 'preview', '--json'], { cwd });
    expect(Digest.parse(JSON.parse(json.out))).toMatchObject({ quiet: false, note: null });
  });

  test('runs the benchmarks of a schedule for a preview, and writes the chart of all runs', async () => {
    const cwd = scratch();
    expect((await jury(['digest', 'benchmarks'], { cwd })).out).toContain('navigation: ');
    await jury(['digest', 'schedule', '0 9 * * 1', 'C0123ABCD', 'UTC', 'navigation'], { cwd });
    const first = await jury(['digest', 'preview', 'd1', '--run', '--chart', 'chart.png'], { cwd });
    expect(first.out).toContain('The judges agree with the labels on 100 % of 60 trials of navigation');
    expect(first.err).toContain('There is no chart yet');
    // As if it had been an hour before: runs of the same hour share a point.
    const runs = join(cwd, 'data', 'runs');
    const [name = ''] = readdirSync(runs);
    const run = RunManifest.parse(JSON.parse(readFileSync(join(runs, name, 'run.json'), 'utf8')));
    const before = Date.parse(run.createdAt) - 3_600_000;
    const earlier = {
      ...run,
      name: runNameFor('navigation', before),
      createdAt: new Date(before).toISOString(),
    };
    renameSync(join(runs, name), join(runs, earlier.name));
    writeFileSync(join(runs, earlier.name, 'run.json'), JSON.stringify(earlier));
    const unscheduled = await jury(['digest', 'preview', 'navigation'], { cwd });
    expect(unscheduled.out).toContain('The judges agree with the labels on 100 % of 60 trials of navigation');
    // As built: what draws is loaded from a file of its own.
    const second = await spawnedJury(['digest', 'preview', 'd1', '--run', '--chart', 'chart.png'], { cwd });
    expect(second.err).toContain('Chart written to chart.png');
    expect(readFileSync(join(cwd, 'chart.png')).subarray(1, 4).toString()).toBe('PNG');
  });

  test('sends what is due, once, after the benchmark of its schedule', async () => {
    const cwd = scratch();
    const slack = await withSlack();
    const store = await votedOn(cwd);
    const target = { surface: 'slack', team: '', channel: slack.channel };
    // Hourly since two hours ago, half an hour from now: the newest slot is due, and no other comes meanwhile.
    const minute = (new Date().getUTCMinutes() + 30) % 60;
    const since = Date.now() - 7_200_000;
    const cron = `${minute} * * * *`;
    const benchmarks = ['navigation'];
    await store.saveSchedule(aSchedule({ cron, timezone: 'UTC', target, since, benchmarks }));
    await store.close();
    const env = { SLACK_API_URL: slack.apiUrl, SLACK_BOT_TOKEN: tokens.bot };
    expect(await jury(['digest', 'send'], { cwd, env })).toMatchObject({ code: 0, out: 'weekly: posted\n' });
    expect((await jury(['digest', 'send'], { cwd, env })).out).toBe('weekly: nothing due\n');
    const [post, ...more] = await slack.written(slack.channel);
    expect(more).toEqual([]);
    expect(post?.text).toContain('The judges agree with the labels on 100 % of 60 trials of navigation');
    expect(readdirSync(join(cwd, 'data', 'runs'))).toHaveLength(1);
    expect((await jury(['digest', 'send', 'weekly'], { cwd, env })).out).toBe('weekly: posted\n');
    expect(await slack.written(slack.channel)).toHaveLength(2);
    expect(await jury(['digest', 'send', 'd9'], { cwd, env })).toMatchObject({ code: 64 });
  });
});
