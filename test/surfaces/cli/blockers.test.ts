import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { closeAfterEach } from '../../support/resources.ts';
import { jury, scratch } from '../../support/run-jury.ts';
import { tokens } from '../../support/slack-double.ts';
import { withSlack } from '../../support/slack-service.ts';

closeAfterEach();

/** So many answers in each language, of which so many recommend a place that is rated too low. */
type Log = Readonly<Record<string, { of: number; wrong: number }>>;

function answers(cwd: string, name: string, log: Log): string {
  const lines = Object.entries(log).flatMap(([language, { of, wrong }]) =>
    Array.from({ length: of }, (_, n) =>
      JSON.stringify({
        id: `${language}${n}`,
        language,
        conversation: [{ role: 'user', text: 'Find me a sushi place rated at least 4' }],
        response: `Sakura is five minutes away (${name}).`,
        recommendation: {
          name: 'Sakura',
          cuisine: 'Japanese',
          rating: n < wrong ? 3.5 : 4.5,
          durationMin: 5,
        },
      }),
    ),
  );
  const file = join(cwd, `${name}.jsonl`);
  writeFileSync(file, lines.join('\n'));
  return file;
}

/** A folder with the rubric for venues, of which one criterion may be a blocker. */
function rubricIn(cwd: string, severity: string): void {
  const own = readFileSync(new URL('../../../prompts/rubrics/navigation.yaml', import.meta.url), 'utf8');
  mkdirSync(join(cwd, 'own', 'rubrics'), { recursive: true });
  const marked = own.replace('    title: Rating\n', `    title: Rating\n${severity}`);
  writeFileSync(join(cwd, 'own', 'rubrics', 'navigation.yaml'), marked);
}

const BLOCKER = '    severity: blocker\n';

test('a criterion that becomes a blocker changes no prompt, and runs are compared as before', async () => {
  const cwd = scratch();
  const env = {
    JURY_PROMPTS_DIR: join(cwd, 'own'),
    OPENAI_API_KEY: 'none',
    OPENAI_BASE_URL: 'http://127.0.0.1:9',
  };
  const manifest = async (name: string) => {
    const file = answers(cwd, 'same', { en: { of: 2, wrong: 0 } });
    const models = ['--methods', 'io', '--models', 'openai/gpt-4o-mini,rules'];
    await jury(['bench', 'run', file, ...models, '--name', name], { cwd, env });
    return JSON.parse((await jury(['bench', 'report', name, '--json'], { cwd, env })).out).run;
  };
  rubricIn(cwd, '');
  const before = await manifest('before');
  rubricIn(cwd, BLOCKER);
  const after = await manifest('after');
  expect(Object.keys(after.wordings)).toContain('navigation, io');
  expect(after.wordings).toEqual(before.wordings);
  expect(after.sources).toEqual(before.sources);
  expect(before.blockers).toBeUndefined();
  expect(after.blockers).toEqual({ navigation: ['rating'] });
});

test('an answer that newly fails a blocker leads the digest and is posted at once, each once', async () => {
  const cwd = scratch();
  const slack = await withSlack();
  rubricIn(cwd, BLOCKER);
  const env = {
    JURY_PROMPTS_DIR: join(cwd, 'own'),
    SLACK_API_URL: slack.apiUrl,
    SLACK_BOT_TOKEN: tokens.bot,
  };
  const run = (...args: string[]) => jury(args, { cwd, env });
  const runOf = async (name: string, log: Log) => {
    const ran = await run(
      'bench',
      'run',
      answers(cwd, name, log),
      '--models',
      'rules',
      '--name',
      name,
      '--series',
      'nightly',
    );
    expect(ran.code, ran.err).toBe(0);
  };
  await runOf('nightly-1', { en: { of: 60, wrong: 0 } });
  await run('alert', 'set', slack.channel, 'nightly', 'below', '50%');
  expect((await run('alert', 'set', slack.channel, 'nightly', 'blockers')).out).toBe(
    `a2: nightly blockers; each new one is posted; in ${slack.channel}\n`,
  );
  await runOf('nightly-2', { en: { of: 60, wrong: 1 } });
  const { out } = await run('digest', 'preview', 'nightly', '--json');
  expect(JSON.parse(out)).toMatchObject({
    trend: 'alert',
    headline: expect.stringMatching(
      /^1 blocker: .*3\.5.*\. One judged case: check it\. 98 % of 60 answers pass/,
    ),
  });
  expect((await run('digest', 'send')).out).toBe('a1: posted\na2: posted\n');
  expect((await run('digest', 'send')).out).toBe('a1: nothing due\na2: nothing due\n');
  // The same answers, judged again.
  await run(
    'bench',
    'run',
    join(cwd, 'nightly-2.jsonl'),
    '--models',
    'rules',
    '--name',
    'nightly-3',
    '--series',
    'nightly',
  );
  expect((await run('digest', 'send')).out).toBe('a1: nothing due\na2: nothing due\n');
  const posts = (await slack.written(slack.channel)).filter(({ text }) =>
    text.includes('blocker in nightly'),
  );
  expect(posts).toHaveLength(2);
  expect(JSON.stringify(await slack.written(slack.channel, posts[0]?.ts))).toContain('1 blocker');
});

test('a digest by a tag names the value that got worse, though all together are steady or unclear', async () => {
  const cwd = scratch();
  const run = (...args: string[]) => jury(args, { cwd });
  const runOf = async (name: string, german: number) => {
    const log = { en: { of: 160, wrong: 16 - german / 4 }, de: { of: 80, wrong: german } };
    await run(
      'bench',
      'run',
      answers(cwd, name, log),
      '--models',
      'rules',
      '--name',
      name,
      '--series',
      'nightly',
    );
  };
  await runOf('nightly-1', 4);
  await runOf('nightly-2', 23);
  const plain = await run('digest', 'preview', 'nightly');
  expect(plain.out).not.toContain('German');
  const { out } = await run('digest', 'preview', 'nightly', '--by', 'language');
  expect(out.replaceAll(/\s+/g, ' ')).toContain('; German got worse: 71 % of 80.');
  expect(out).toMatch(/German +80 +71 % +61–80 +.*, worse/);
  const scheduled = await run('digest', 'schedule', 'daily at 9', 'C0123ABCD', 'nightly', '--by', 'language');
  expect(scheduled.out).toMatch(/^d1: every day at 9:00 \(UTC\), with nightly by language; next /);
  expect((await run('digest', 'preview', 'd1')).out).toContain('German');
});
