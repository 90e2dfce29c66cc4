import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import * as z from 'zod';
import { krippendorffAlpha, tallyHistogram } from '../../../src/statistics/raters/agreement.ts';
import { createPseudonyms } from '../../../src/stores/pseudonyms.ts';
import { openSqliteStore } from '../../../src/stores/sqlite/sqlite-store.ts';
import { closeAfterEach } from '../../support/resources.ts';
import { jury, scratch } from '../../support/run-jury.ts';
import { tokens } from '../../support/slack-double.ts';
import { withSlack } from '../../support/slack-service.ts';
import { labeled } from '../../support/study-builders.ts';

closeAfterEach();
const env = { JURY_SECRET: 'for this test' };

/** Three cases in a file, one of them with something nasty in it. */
function dataset(cwd: string): string {
  const cases = [
    labeled('a', 'pass', { response: 'Sakura \u001b[31mis\u001b[0m near.' }),
    labeled('b', 'time'),
    labeled('c', 'cost'),
  ];
  const file = join(cwd, 'sample.jsonl');
  writeFileSync(file, cases.map(({ evalCase }) => `${JSON.stringify(evalCase)}\n`).join(''));
  return file;
}

async function created(...more: string[]) {
  const cwd = scratch();
  const args = ['study', 'create', dataset(cwd), '--annotators', 'name:ann,name:Ben', ...more];
  const made = await jury(args, { cwd, env });
  const run = (args: string[], input = '') => jury(['study', ...args], { cwd, env, input });
  return { cwd, made, run };
}

/** One study for all tests that leave it as it is. */
let shared: ReturnType<typeof created> | undefined;

/** Answers to three cases: right, wrong for two reasons, right. */
const ANSWERS = '5\n4\ny\n\n4\n3\nn\n1,6\n=1+1\n3\n3\nyes\nfine\n';

describe('jury study', () => {
  test('is made, annotated from a pipe in two sittings, and reported', async () => {
    const { made, run } = await created('--name', 'First');
    expect(made).toMatchObject({ code: 0, err: '' });
    expect(made.out).toContain('s1: First, 3 cases (1 cost, 1 no error, 1 time) for 2 annotators');
    expect(made.out).toContain('jury study annotate s1 --as ben');

    const lines = ANSWERS.split('\n');
    // The second case is left in its middle: nothing of it is kept.
    const first = await run(['annotate', 's1', '--as', 'ann'], `${lines.slice(0, 6).join('\n')}\n`);
    expect(first).toMatchObject({ code: 0, out: '1 of 3 annotated; the same command resumes.\n' });
    const second = await run(['annotate', 's1', '--as', 'ANN'], lines.slice(4).join('\n'));
    expect(second).toMatchObject({ code: 0, out: 'All 3 cases are annotated. Thank you.\n' });
    expect(second.err).toContain('Case 2 of 3');
    expect(second.err).not.toContain('Case 1 of 3');

    await run(['annotate', 's1', '--as', 'ben'], ANSWERS);
    expect((await run(['list'])).out).toBe('s1: First, 3 cases; name:ann 3 of 3, name:ben 3 of 3\n');
    const { out } = await run(['report', 's1']);
    expect(out).toContain('6 of 6 annotations');
    // Both gave 5, 4, 3 for the user part, in orders of their own: mean 4.0, deviation √(4/5).
    expect(out).toMatch(/user part +4\.0 +0\.89 /);
    expect(out).toMatch(/system part +3\.3 +0\.52 /);
    // None of one: Wilson's upper bound is z² / (1 + z²) = 3.841 / 4.841.
    expect(out).toContain('the majority agrees with the label 0.0 % of 1 (95 % 0.0–79.3 %), 2 ties\n');
    const report = z
      .looseObject({ given: z.number(), missing: z.number() })
      .parse(JSON.parse((await run(['report', 's1', '--json'])).out));
    expect(report).toMatchObject({ given: 6, missing: 0, correct: { said: { value: 4 / 6 } } });
  });

  test('never shows an annotator a label or an id, and no escape sequence of a case', async () => {
    const { run } = await created('--name', 'Neutral');
    const { err } = await run(['annotate', 's1', '--as', 'ann'], ANSWERS);
    expect(err).toContain('Sakura is near.');
    expect(err).not.toContain('\u001b');
    expect(err).not.toMatch(/errorType|decision|label|sample|"a"/);
  });

  test('goes back to the case before, keeps what Enter confirms, and stops at q', async () => {
    const { run } = await created();
    await run(['annotate', 's1', '--as', 'ann'], '5\n4\ny\n\nb\n1\n\n\nchanged\nq\n');
    const { out } = await run(['export', 's1', '--format', 'jsonl']);
    expect(out.trim().split('\n')).toHaveLength(1);
    expect(JSON.parse(out)).toMatchObject({
      user_validity: 1,
      system_validity: 4,
      correct: true,
      comment: 'changed',
    });
  });

  test('refuses a piped line that is not an answer, with its number, and keeps the cases before', async () => {
    const { run } = await created();
    const { code, err } = await run(['annotate', 's1', '--as', 'ann'], '5\n4\ny\n\n5\nseven\n');
    expect(code).toBe(64);
    expect(err).toContain('Line 6 of the input does not answer');
    expect((await run(['list'])).out).toContain('name:ann 1 of 3');
  });

  test.each([
    [
      ['annotate', 's1', '--as', 'cem'],
      'name:cem is not an annotator of study s1. Its annotators: name:ann, name:ben',
    ],
    [['annotate', 's2', '--as', 'ann'], 'There is no study "s2". There are: s1.'],
    [['report', 'nothing'], 'There is no study "nothing"'],
    [['create', 'sample.jsonl', '--annotators', 'ann'], '"ann" is not a person'],
    [['create', 'sample.jsonl', '--annotators', 'name:a,name:A'], 'name:a is listed twice'],
    [['create', 'sample.jsonl', '--annotators', 'name:a', '--ask', 'mood'], 'Must be user, system'],
    [['create', 'sample.jsonl', '--annotators', 'name:a', '--rubric', 'none'], 'There is no rubric "none"'],
  ])('%s says what to do, exit 64', async (args, told) => {
    shared ??= created();
    const { run } = await shared;
    const { code, err, out } = await run(args);
    expect(code).toBe(64);
    expect(err).toContain(told);
    expect(out).toBe('');
  });

  test('asks what it was set to ask, and nothing else', async () => {
    const { run } = await created('--ask', 'correct', '--cases', '2');
    const { out, err } = await run(['annotate', 's1', '--as', 'ann'], 'y\nn\n');
    expect(out).toBe('All 2 cases are annotated. Thank you.\n');
    expect(err).not.toContain('valid');
    expect((await run(['report', 's1'])).out).not.toContain('Validity');
  });

  test('is closed, opened again and removed', async () => {
    const { run } = await created();
    expect((await run(['close', 's1'])).out).toBe('s1 closed\n');
    const refused = await run(['annotate', 's1', '--as', 'ann'], ANSWERS);
    expect(refused).toMatchObject({ code: 64, out: '' });
    expect(refused.err).toContain('"jury study reopen s1"');
    await run(['reopen', 's1']);
    expect((await run(['annotate', 's1', '--as', 'ann'], ANSWERS)).code).toBe(0);
    expect((await run(['remove', 's1'])).out).toBe('s1 removed\n');
    expect((await run(['list'])).err).toContain('There are no studies');
  });
});

describe('a study of criteria', () => {
  test('asks them on their scale in the terminal, and "u" is an answer', async () => {
    const { run } = await created('--ask', 'correct,time,criteria,comment', '--rubric', 'navigation');
    const columns = (await run(['export', 's1'])).out.split(',');
    const count = columns.filter((one) => one.startsWith('criteria.')).length;
    expect(count).toBeGreaterThan(3);
    const lines = ['u', ...Array.from({ length: count - 1 }, () => 'm'), 'u', 'fine', 'q'];
    const { out, err } = await run(['annotate', 's1', '--as', 'ann'], `${lines.join('\n')}\n`);
    expect(out).toBe('1 of 3 annotated; the same command resumes.\n');
    expect(err).toContain('Is the response correct? y Yes, n No, u Unsure');
    const words = err.replaceAll(/\s+/g, ' ');
    expect(words).toContain('Time m Met, n Not met, u Unsure');
    // Its rule stands in the guide, not again at each case.
    expect(words.split('The venue is open at the date and time')).toHaveLength(2);
    const row: unknown = JSON.parse((await run(['export', 's1', '--format', 'jsonl'])).out);
    expect(row).toMatchObject({
      correct: 'unsure',
      [columns.filter((one) => one.startsWith('criteria.')).at(-1) ?? '']: 'unsure',
    });
    expect((await run(['report', 's1'])).out).toMatch(/said to be correct +not defined.*; 1 unsure/);
  });

  test('takes people while it is open, whom it invites', async () => {
    const { run } = await created('--ask', 'correct');
    const added = await run(['invite', 's1', 'name:cem', 'name:ann']);
    expect(added).toMatchObject({
      code: 0,
      out: '1 annotator added, 1 already there.\nname:cem: jury study annotate s1 --as cem\n',
    });
    expect((await run(['annotate', 's1', '--as', 'cem'], 'y\ny\ny\n')).out).toContain(
      'All 3 cases are annotated',
    );
    await run(['close', 's1']);
    const late = await run(['invite', 's1', 'name:dora']);
    expect(late).toMatchObject({ code: 64, err: expect.stringContaining('"jury study reopen s1"') });
  });

  test('holds cases of several rubrics, each with its own guide and criteria', async () => {
    const cwd = scratch();
    const cases = [
      labeled('a', 'pass', { rubric: 'navigation' }),
      labeled('b', 'pass', { rubric: 'question-answering', recommendation: undefined }),
    ];
    writeFileSync(join(cwd, 'mixed.jsonl'), cases.map(({ evalCase }) => JSON.stringify(evalCase)).join('\n'));
    const run = (args: string[], input = '') => jury(['study', ...args], { cwd, env, input });
    const made = await run([
      'create',
      'mixed.jsonl',
      '--annotators',
      'name:ann',
      '--ask',
      'correct,errors,criteria',
    ]);
    expect(made.out).toContain('rubrics navigation, question-answering, seed 1');
    const { err } = await run(['annotate', 's1', '--as', 'ann'], 'y\n');
    expect(err).toContain('By the rubric navigation:');
    expect(err).toContain('By the rubric question-answering:');
    const report: unknown = JSON.parse((await run(['report', 's1', '--json'])).out);
    expect(report).toMatchObject({ rubric: 'navigation, question-answering' });
  });

  test('shows both answers of a pair and asks which is better; its dataset holds what people prefer', async () => {
    const cwd = scratch();
    const { evalCase } = labeled('p', 'pass', {
      alternative: { response: 'Noodle Cellar.' },
      label: undefined,
    });
    writeFileSync(join(cwd, 'pair.jsonl'), JSON.stringify({ ...evalCase, answerNames: ['Old', 'New'] }));
    const run = (args: string[], input = '') => jury(['study', ...args], { cwd, env, input });
    await run([
      'create',
      'pair.jsonl',
      '--annotators',
      'name:ann',
      '--ask',
      'correct',
      '--rubric',
      'navigation',
    ]);
    const { err, out } = await run(['annotate', 's1', '--as', 'ann'], '2\n');
    expect(out).toContain('The case is annotated');
    expect(err).toContain('ANSWER A');
    expect(err).toContain('ANSWER B');
    expect(err).toContain('1 Answer A, 2 Answer B, 3 The same, 4 Unsure');
    expect(err).not.toContain('Old');
    const cases = await run(['export', 's1', '--format', 'cases']);
    expect(JSON.parse(cases.out)).toMatchObject({ id: 'p', rubric: 'navigation', label: { score: 1 } });
    expect((await run(['report', 's1'])).out).toContain('A 0, B 1, same 0, unsure 0');
  });
});

describe('annotations', () => {
  test('of another tool are taken with its columns, values and people, and give the alpha that the function gives', async () => {
    const { run } = await created('--ask', 'correct');
    const said = [
      ['a', 'Yes No Unsure No'],
      ['b', 'No No No Yes'],
      ['c', 'Unsure Yes Yes Yes'],
    ].map(([id, words]) => [id ?? '', (words ?? '').split(' ')] as const);
    const rows = said.flatMap(([id, own]) => own.map((word, n) => `${id},r${n},${word}`));
    const args = '--format csv --map item_id=case --map rater_id=annotator --map Q_overall=correct'.split(
      ' ',
    );
    const input = `item_id,rater_id,Q_overall\n${rows.join('\n')}\n`;
    const nameless = await run(['import', 's1', '-', '--format', 'csv'], 'item_id,Q\na,Yes\n');
    expect(nameless).toMatchObject({ code: 64, err: expect.stringContaining('add --map COLUMN=annotator') });
    const strangers = await run(['import', 's1', '-', ...args, '--map-value', 'Yes=fail,No=pass'], input);
    expect(strangers.code).toBe(64);
    expect(strangers.err).toContain('Row 2, Row 6, Row 10: annotator "r0" is not an annotator of study s1');
    const misplaced = await run(['import', 's1', '-', ...args, '--map-value', 'item_id:1=fail'], input);
    expect(misplaced.err).toContain('Column "item_id" is not read as a label. Add --map item_id=correct.');
    const values = ['--map-value', 'Yes=fail,No=pass', '--add-annotators'];
    const taken = await run(['import', 's1', '-', ...args, ...values], input);
    expect(taken).toMatchObject({
      code: 0,
      err: expect.stringContaining('4 annotators added.\n12 of 12 rows kept'),
    });
    const units = said.map(([, own]) => own);
    const alpha = krippendorffAlpha(tallyHistogram(units, ['Yes', 'No', 'Unsure']), { scale: 'nominal' });
    const report: unknown = JSON.parse((await run(['report', 's1', '--json'])).out);
    expect(report).toMatchObject({
      correct: { alpha: { value: expect.closeTo(alpha.defined ? alpha.value : 0, 9), n: 3 }, unsure: 2 },
    });
    expect((await run(['report', 's1'])).out).toMatch(/alpha, nominal: correct or not +−?0\.\d{3} \(/);
  });

  test('are exported without names and with no formula, and imported again change nothing', async () => {
    const { run } = await created();
    await run(['annotate', 's1', '--as', 'ann'], ANSWERS);
    const csv = (await run(['export', 's1'])).out;
    expect(csv).toMatch(/^study,annotator,case,label,user_validity,/);
    expect(csv).not.toMatch(/ann,/);
    expect(csv).toContain("'=1+1");
    const jsonl = (await run(['export', 's1', '--format', 'jsonl'])).out;
    const again = await run(['import', 's1', '-', '--format', 'jsonl'], jsonl);
    expect(again).toMatchObject({ code: 0, out: '' });
    expect(again.err).toContain('0 of 3 rows kept, 3 already there');
    expect((await run(['export', 's1', '--format', 'jsonl'])).out).toBe(jsonl);
  });

  test('under a pseudonym that begins like a formula come back from CSV too', async () => {
    const pseudonym = createPseudonyms(env.JURY_SECRET, ['slack']);
    const names = Array.from({ length: 2_000 }, (_, n) => `p${n}`);
    const name =
      names.find((one) => pseudonym({ surface: 'name', team: '', user: one }).startsWith('-')) ??
      expect.fail();
    const cwd = scratch();
    const run = (args: string[], input = '') => jury(['study', ...args], { cwd, env, input });
    await run(['create', dataset(cwd), '--annotators', `name:${name}`]);
    await run(['annotate', 's1', '--as', name], ANSWERS);
    const csv = (await run(['export', 's1'])).out;
    expect(csv).toContain("s1,'-");
    expect((await run(['import', 's1', '-', '--format', 'csv'], csv)).err).toContain('3 already there');
  });

  test('made elsewhere are taken by name and id of the case; rows that are none are named', async () => {
    const { run } = await created();
    const rows = [
      'annotator;case;user_validity;system_validity;correct;error_types;comment;mood',
      'ben;a;5;4;Yes;;ok;good',
      'name:ann;b;4;2;no;Time error, cost;;bad',
      'ann;c;6;2;no;time;;',
      'ann;c;5;2;no;;;',
      'cem;a;5;4;yes;;;',
      'ann;z;5;4;yes;;;',
    ].join('\n');
    const { code, err } = await run(['import', 's1', '-', '--format', 'csv'], rows);
    expect(code).toBe(1);
    expect(err).toContain('Ignored columns: mood');
    expect(err).toContain('Row 4: user_validity is "6"');
    expect(err).toContain('Row 5: errors: Name at least one error');
    expect(err).toContain('Row 6: annotator "cem" is not an annotator of study s1');
    expect(err).toContain('Row 7: case "z" is not part of study s1');
    expect(err).toContain('2 of 6 rows kept');
    const { out } = await run(['export', 's1', '--format', 'jsonl']);
    expect(out).toContain('"error_types":["time","cost"]');
    expect((await run(['import', 's1', '-'], 'annotator,case\ncem,a\n')).code).toBe(64);
  });

  test('are erased with their annotator by jury labels forget', async () => {
    const { cwd, run } = await created();
    for (const name of ['ann', 'ben']) await run(['annotate', 's1', '--as', name], ANSWERS);
    const forgotten = await jury(['labels', 'forget', 'name:Ann'], { cwd, env });
    expect(forgotten).toMatchObject({ code: 0, out: 'Erased 3 annotations of name:Ann.\n' });
    expect((await run(['list'])).out).toBe('s1: sample, 3 cases; name:ben 3 of 3\n');
    expect((await run(['report', 's1'])).out).toContain('3 of 3 annotations');
    expect((await run(['export', 's1', '--format', 'jsonl'])).out.trim().split('\n')).toHaveLength(3);
  });
});

describe('annotators of Slack', () => {
  test('are invited when the study is made, where Slack is set up', async () => {
    const slack = await withSlack();
    const cwd = scratch();
    const args = ['study', 'create', dataset(cwd), '--annotators', `${slack.users.ann},UNOBODY`];
    const slackEnv = { ...env, SLACK_BOT_TOKEN: tokens.bot, SLACK_API_URL: slack.apiUrl };
    slack.refuse('conversations.open', 'user_not_found', 9, ({ args: { users } }) => users === 'UNOBODY');
    const { code, out, err } = await jury(args, { cwd, env: slackEnv });
    expect(code).toBe(0);
    expect(out).toContain(`${slack.users.ann} is invited in Slack.`);
    expect(err).toContain('UNOBODY could not be invited: no one in the workspace has this id');
    const [message] = await slack.written(slack.im);
    expect(message?.text).toContain('Study “sample”: You are asked about 3 cases');
    const store = await openSqliteStore(join(cwd, 'data', 'jury.db'));
    const study = await store.study('s1');
    // Who they are stands in one place; what they say goes by the pseudonym.
    expect(study?.annotators[0]).toMatchObject({ place: 0, person: { user: slack.users.ann } });
    expect(study?.annotators[0]?.id).not.toContain(slack.users.ann);
    await store.close();
  });

  test('are left to the service where it is not', async () => {
    const cwd = scratch();
    const args = ['study', 'create', dataset(cwd), '--annotators', 'U0123ABCD'];
    const { code, err } = await jury(args, { cwd, env });
    expect(code).toBe(0);
    expect(err).toContain('Slack is not set up here (set SLACK_BOT_TOKEN)');
  });
});
