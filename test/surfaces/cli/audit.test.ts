import { userInfo } from 'node:os';
import { describe, expect, test } from 'vitest';
import { Change } from '../../../src/labels/access/audit.ts';
import { aChange } from '../../contracts/store-audit.ts';
import { inDataOf } from '../../support/data-store.ts';
import { closeAfterEach } from '../../support/resources.ts';
import { jury, scratch } from '../../support/run-jury.ts';
import { tokens } from '../../support/slack-double.ts';
import { withSlack } from '../../support/slack-service.ts';
import { aRecord, saturday } from '../../support/store-builders.ts';

closeAfterEach();

const DAY = '2026-11-21';
const ben = { surface: 'page', team: '', user: 'oidc:https://id.example:ben' };

async function aLog(): Promise<string> {
  const cwd = scratch();
  const at = Date.parse(`${DAY}T09:30:00Z`);
  await inDataOf(cwd, async (store) => {
    await store.addChange(aChange({ at, after: { wish: { method: 'mad' }, blind: true } }));
    const by = { people: [ben] as [typeof ben], email: 'ben@example.com' };
    const hostile = { role: 'lead\n2026-11-22 fake\u001b[2J\u202egnp' };
    await store.addChange(
      aChange({
        id: 'c2',
        at: at + 1,
        by,
        what: 'ruling',
        about: 'v1',
        channel: 'C2',
        before: null,
        after: hostile,
      }),
    );
  });
  return cwd;
}

describe('jury audit', () => {
  test('prints a line a change, without what could pass for another line or hide it', async () => {
    const cwd = await aLog();
    const { code, out } = await jury(['audit'], { cwd });
    expect(code).toBe(0);
    expect(out.trimEnd().split('\n')).toEqual([
      `${DAY} 09:30 UTC U0ANN changed settings in slack C1: wish.method: none → mad, blind: none → true`,
      expect.stringMatching(
        /^2026-11-21 09:30 UTC \S+ = ben@example\.com added ruling v1 in slack C2: role: none → lead/,
      ),
    ]);
    // biome-ignore lint/suspicious/noControlCharactersInRegex: what must not be there
    expect(out).not.toMatch(/[\u0000-\u0009\u000b-\u001f\u202a-\u202e]/);
  });

  test('is filtered by time, person and conversation', async () => {
    const cwd = await aLog();
    const count = async (...args: string[]) =>
      (await jury(['audit', '--json', ...args], { cwd })).out.split('\n').filter((line) => line !== '')
        .length;
    expect(await count('--since', DAY)).toBe(2);
    expect(await count('--since', `${DAY}T09:31`)).toBe(0);
    expect(await count('--by', 'U0ANN')).toBe(1);
    expect(await count('--by', 'Ben@example.com')).toBe(1);
    expect(await count('--by', ben.user)).toBe(1);
    expect(await count('--channel', 'C1')).toBe(1);
    expect(await count('--channel', 'C1', '--by', ben.user)).toBe(0);
    const { err } = await jury(['audit', '--channel', 'C9'], { cwd });
    expect(err).toContain('No changes found; they are kept for 400 days.');
    expect(await jury(['audit', '--since', 'monday'], { cwd })).toMatchObject({ code: 64, out: '' });
  });

  test('has what commands change, with who ran them, and the channel reads it', async () => {
    const cwd = scratch();
    const slack = await withSlack();
    const env = { SLACK_BOT_TOKEN: tokens.bot, SLACK_API_URL: slack.apiUrl };
    const run = (...args: string[]) => jury(args, { cwd, env });
    await inDataOf(cwd, async (store) => {
      const there = { at: saturday, channel: slack.channel };
      await store.saveVerdict(aRecord({ id: 'v0', ...there }));
      await store.saveVerdict({ ...aRecord({ id: 'v1', ...there }), blind: true });
    });
    await run('digest', 'schedule', '0 9 * * 1', slack.channel);
    await run('digest', 'pause', 'd1');
    await run('digest', 'pause', 'd1');
    await run('digest', 'remove', 'd1');
    for (const id of ['v0', 'v0', 'v1']) await run('labels', 'adjudicate', id, 'fail', '--by', 'safety lead');

    const changes = (await run('audit', '--json')).out
      .trimEnd()
      .split('\n')
      .map((line) => Change.omit({ at: true, id: true }).loose().parse(JSON.parse(line)));
    expect(
      changes.map(({ what, about, before, after }) => [what, about, before === null, after === null]),
    ).toEqual([
      ['digest', 'd1', true, false],
      ['digest', 'd1', false, false],
      ['digest', 'd1', false, true],
      ['ruling', 'v0', true, false],
      ['ruling', 'v1', true, false],
    ]);
    for (const { by } of changes)
      expect(by.people).toEqual([{ surface: 'terminal', team: '', user: `terminal:${userInfo().username}` }]);

    const written = (await slack.written(slack.channel)).map(({ text }) => text).reverse();
    const who = `${userInfo().username}, in the terminal,`;
    expect(written.slice(0, 3)).toEqual([
      `${who} scheduled the digest d1 (Mondays at 9:00).`,
      `${who} paused the digest d1 (Mondays at 9:00).`,
      `${who} removed the digest d1 (Mondays at 9:00).`,
    ]);
    expect(written[3]).toMatch(/ ruled as safety lead on “.*”: fail\.$/);
    // Where people answer first, the outcome would be the answer.
    expect(written[4]).toMatch(/ ruled as safety lead on “[^:]*”\.$/);
    expect(written).toHaveLength(5);
  });
});
