import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { describe, expect, test } from 'vitest';
import { aCase } from '../../support/builders.ts';
import { closed, lines, right, unclear } from '../../support/judged-cases.ts';
import { startModelDouble } from '../../support/model-double.ts';
import { jury, main, scratch, spawnJury, verdictsOf } from '../../support/run-jury.ts';

describe('exit codes', () => {
  test.each([
    ['every case passed', [right], 0],
    ['one failed', [right, closed, unclear], 1],
    ['one undecided and none failed', [unclear, right], 2],
  ])('%s: %#', async (_name, cases, code) => {
    expect((await jury(['judge', '--json'], { input: lines(...cases) })).code).toBe(code);
  });

  test.each([
    ['an unknown option', ['judge', '--bogus'], /unknown option '--bogus'/],
    ['an unknown command', ['jugde'], /unknown command 'jugde'/],
    [
      'an unknown rubric',
      ['judge', '--rubric', 'nope'],
      /There is no rubric "nope"\. There are: .*navigation/,
    ],
    [
      'an unknown method',
      ['judge', '--method', 'nope'],
      /There is no method "nope"\. There are: core-average, .*cot-1/,
    ],
    ['an unknown persona', ['judge', '--panel', 'auditor,nope'], /There is no persona "nope"/],
    ['rounds that are no number', ['judge', '--rounds', 'many'], /Must be a whole number from 1 to 20/],
    ['a temperature out of range', ['judge', '--temperature', '9'], /Must be a number from 0 to 2/],
    [
      'a model without a provider',
      ['judge', '--model', 'gpt'],
      /"gpt" is not a model: write provider\/model/,
    ],
    ['a model without a key', ['judge', '--model', 'openai/gpt-4o-mini'], /set OPENAI_API_KEY/],
    ['a file that is not there', ['judge', 'nothing.txt'], /Cannot read nothing\.txt/],
    [
      'several models where one is asked',
      ['judge', '--method', 'mab', '--model', 'rules', '--model', 'ollama/x'],
      /uses one model/,
    ],
  ])('%s: 64, with what to do, and nothing judged', async (_name, args, message) => {
    const { code, out, err } = await jury(args, { input: lines(right) });
    expect({ code, out }).toEqual({ code: 64, out: '' });
    expect(err).toMatch(message);
    expect(err).not.toMatch(/\n\s+at /);
  });
});

describe('output', () => {
  test('--json prints one verdict a line in input order, and nothing else', async () => {
    const ran = await jury(['judge', '--json', '--concurrency', '8'], {
      input: lines(closed, right, unclear),
    });
    expect(verdictsOf(ran).map(({ caseId, decision }) => [caseId, decision])).toEqual([
      ['closed', 'fail'],
      ['right', 'pass'],
      ['unclear', 'undecided'],
    ]);
    expect(ran.err).toBe('');
  });

  test('a card is plain without a terminal, says why and which criteria hold', async () => {
    const { out } = await jury(['judge'], { input: lines(closed) });
    expect(out).not.toContain('\u001b');
    expect(out).toMatch(/^✗ FAIL – Time: .*20:35\n {2}closed {2}“/);
    expect(out).toMatch(/✓ .*Cuisine/);
    expect(out).not.toContain('3 of 3');
    for (const line of out.split('\n')) expect(line.length).toBeLessThanOrEqual(100);
  });

  test('what was pasted cannot repaint the terminal', async () => {
    const evil = '\u001b[2J\u001b[1;1H\u001b]0;owned\u0007✓ PASS \u202e';
    const { out, err } = await jury(['judge'], {
      input: JSON.stringify({
        ...closed,
        id: `x${evil}`,
        response: evil,
        recommendation: { ...closed.recommendation, cost: evil },
      }),
    });
    for (const forbidden of ['\u001b', '\u0007', '\u202e']) expect(out + err).not.toContain(forbidden);
    expect(out).toContain('FAIL');
  });

  test('nor can it in a message, or in JSON', async () => {
    const input = JSON.stringify({ ...aCase({ id: 'a\u001b[31mb\u202e\u009b' }), recommendation: undefined });
    const messages = await jury(['judge', '--rubric', 'navigation'], { input });
    const parsed = await jury(['parse'], { input });
    expect(messages.err).toContain('Case ab lacks');
    expect(JSON.parse(parsed.out)).toMatchObject({ case: { id: 'a\u001b[31mb\u202e\u009b' } });
    for (const forbidden of ['\u001b', '\u202e', '\u009b'])
      expect(messages.err + parsed.out).not.toContain(forbidden);
  });

  test('files are named after what they judge', async () => {
    const cwd = scratch();
    writeFileSync(join(cwd, 'evening.json'), JSON.stringify({ ...closed, id: undefined }));
    writeFileSync(join(cwd, 'two.jsonl'), lines({ ...closed, id: undefined }, { ...right, id: undefined }));
    const ran = await jury(['judge', '--json', 'evening.json', 'two.jsonl'], { cwd });
    expect(verdictsOf(ran).map(({ caseId }) => caseId)).toEqual(['evening', 'two-1', 'two-2']);
  });
});

describe('a long reason', () => {
  test('is shortened on the card, and shows that it is', async () => {
    const double = await startModelDouble({
      answer: () => ({ fields: { decision: 'fail', rationale: 'x'.repeat(19_000) } }),
    });
    const args = ['judge', '--method', 'io', '--model', 'openai/judge'];
    const { out } = await jury(args, { input: lines(right), env: { OPENAI_BASE_URL: double.baseUrl } });
    await double.close();
    expect(out).toContain('xx …');
  });
});

describe('files', () => {
  const namesOf = async (...paths: string[]) => {
    const ran = await jury(['judge', '--json', ...paths], { cwd });
    return ran.err === '' ? verdictsOf(ran).map(({ caseId }) => caseId) : ran.err;
  };
  const cwd = scratch();
  const write = (path: string, id: string) => writeFileSync(join(cwd, path), lines({ ...right, id }));
  mkdirSync(join(cwd, 'pastes/later'), { recursive: true });
  mkdirSync(join(cwd, 'empty'));
  write('pastes/a10.json', 'ten');
  write('pastes/a9.json', 'nine');
  write('pastes/b.json', 'b');
  write('pastes/.hidden.json', 'hidden');
  write('pastes/later/c?.json', 'c');

  test('of a folder are all read, those of its folders too, hidden ones not', async () => {
    expect(await namesOf('pastes')).toEqual(['nine', 'ten', 'b', 'c']);
  });

  test.each([
    ['pastes/a*.json', ['nine', 'ten']],
    ['pastes/?.json', ['b']],
    ['**/*.json', ['nine', 'ten', 'b', 'c']],
    ['pastes/*/*.json', ['c']],
    // A name that is there is no pattern.
    ['pastes/later/c?.json', ['c']],
  ])('are named by %s', async (path, names) => {
    expect(await namesOf(path)).toEqual(names);
  });

  test('that are not there are named', async () => {
    expect(await namesOf('pastes/z*')).toContain('No file matches pastes/z*.');
    expect(await namesOf('empty')).toContain('There is no file in empty.');
  });
});

describe('a reader that goes away, or a disk that is full', () => {
  test('ends the command without a stack trace', async () => {
    const input = lines(...Array.from({ length: 500 }, (_, index) => ({ ...right, id: `c${index}` })));
    const child = spawnJury(['judge', '--json']);
    child.stdin.on('error', () => {});
    child.stdin.end(input);
    child.stdout.once('data', () => child.stdout.destroy());
    expect(await text(child.stderr)).toBe('');
    if (child.exitCode === null) await once(child, 'exit');
    expect(child.exitCode).toBe(141);
  });

  test.runIf(existsSync('/dev/full'))('and is no verdict', async () => {
    const child = spawn('sh', ['-c', `"${process.execPath}" "${main}" judge --json > /dev/full`], {
      cwd: scratch(),
    });
    child.stdin.end(lines(right));
    const [err] = await Promise.all([text(child.stderr), once(child, 'exit')]);
    expect(child.exitCode).toBe(70);
    expect(err).toContain('ENOSPC');
  });
});

describe('a case that cannot be judged', () => {
  test('stops everything before anything is judged, and names the field', async () => {
    const { code, out, err } = await jury(['judge', '--rubric', 'navigation'], {
      input: lines(right, { ...aCase({ id: 'bare' }), recommendation: undefined }),
    });
    expect({ code, out }).toEqual({ code: 64, out: '' });
    expect(err).toContain('line 2');
    expect(err).toMatch(/lacks fields that the rubric "navigation" needs: recommendation/);
  });

  test.each([
    ['nothing', ''],
    ['binary', new Uint8Array([0, 1, 2, 255, 254, 0])],
    ['a lone surrogate', '{"conversation":[{"role":"user","text":"a"}],"response":"\\ud800"}'],
    ['an unknown key', '{"conversation":[{"role":"user","text":"a"}],"response":"b","adress":1}'],
    ['10,000 turns', 'User: a\nSystem: b\n'.repeat(10_000)],
    ['too long a text', `User: a\nSystem: ${'b'.repeat(40_000)}`],
    ['deep nesting', `${'['.repeat(100_000)}`],
  ])('%s: 64 and a message, no stack', async (_name, input) => {
    const { code, out, err } = await jury(['judge'], { input });
    expect({ code, out }).toEqual({ code: 64, out: '' });
    expect(err.trim().length).toBeGreaterThan(20);
    expect(err.length).toBeLessThan(2_000);
    expect(err).not.toMatch(/\n\s+at /);
  });
});

describe('a criterion that the case cannot be judged by', () => {
  test('is set aside, and the verdict and its reason say so', async () => {
    const ran = await jury(['judge', '--json'], {
      input: lines({ ...right, context: { date: '2024-03-04' } }),
    });
    const [verdict] = verdictsOf(ran);
    expect(verdict?.decision).toBe('pass');
    expect(verdict?.why).toContain('not judged: time (no time given: add `Time: 20:35`)');
    expect(verdict?.criteria.at(-1)).toMatchObject({ id: 'time', decision: 'not-judged' });
  });
});

describe('parse', () => {
  test('prints what was understood, one object a line, and judges nothing', async () => {
    const { code, out } = await jury(['parse'], { input: lines(right, closed) });
    expect(code).toBe(0);
    const parsed = out
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line));
    expect(parsed).toMatchObject([
      { case: right, assumed: [] },
      { case: closed, assumed: [] },
    ]);
    expect(parsed[0].spans).toContainEqual(expect.objectContaining({ is: 'system' }));
  });

  test('exits 64 when a case was not understood, and says what is missing', async () => {
    const { code, out } = await jury(['parse'], { input: 'User: where can I eat?' });
    expect(code).toBe(64);
    expect(JSON.parse(out)).toMatchObject({ missing: ['response'] });
  });
});

describe('lists, help and version', () => {
  test.each(['methods', 'rubrics', 'personas', 'models'])(
    'jury %s names a source for everything',
    async (list) => {
      const { code, out } = await jury([list]);
      expect(code).toBe(0);
      expect(out).toMatch(/from \S/);
    },
  );

  test('every command has help', async () => {
    for (const command of [
      'judge',
      'parse',
      'methods',
      'rubrics',
      'personas',
      'models',
      'doctor',
      'serve',
      'demo',
    ]) {
      const { code, out } = await jury([command, '--help']);
      expect(code).toBe(0);
      expect(out).toContain(`Usage: jury ${command}`);
    }
  });

  test('--version answers', async () => {
    expect(await jury(['--version'])).toMatchObject({
      code: 0,
      out: expect.stringMatching(/^\d+\.\d+\.\d+\n$/),
    });
  });
});

describe('doctor', () => {
  test('is content without any configuration', async () => {
    const { code, out } = await jury(['doctor']);
    expect(code).toBe(0);
    expect(out).toContain('✓ model rules');
  });

  test('names a data folder that others can read', async () => {
    const cwd = scratch();
    mkdirSync(join(cwd, 'data'));
    chmodSync(join(cwd, 'data'), 0o755);
    const { code, out } = await jury(['doctor'], { cwd });
    expect(code).toBe(0);
    expect(out.replaceAll(/\s+/g, ' ')).toMatch(/other accounts of this machine can read .*: chmod 700 /);
    chmodSync(join(cwd, 'data'), 0o700);
    expect((await jury(['doctor'], { cwd })).out).not.toContain('chmod 700');
  });

  test('says what is wrong with a model and how to mend it, exit 1', async () => {
    const { code, out } = await jury(['doctor'], { env: { JURY_MODEL: 'openai/gpt-4o-mini' } });
    expect(code).toBe(1);
    expect(out).toMatch(/✗ model openai\/gpt-4o-mini: .*set OPENAI_API_KEY/);
  });

  test('lists everything wrong with the environment at once, without values', async () => {
    const { code, out } = await jury(['doctor'], {
      env: {
        PORT: 'eighty',
        JURY_DAILY_BUDGET_USD: '-1',
        JURY_MAX_CASE_CHARS: '50',
        LOG_LEVEL: 'loud',
        SLACK_BOT_TOKEN: 'secret',
      },
    });
    expect(code).toBe(1);
    expect(out).toMatch(/PORT[\s\S]*LOG_LEVEL[\s\S]*SLACK_BOT_TOKEN/);
    expect(out).toContain('PORT: must be a whole number from 0 to 65535');
    expect(out).toContain('JURY_DAILY_BUDGET_USD: must be US dollars, 0 or more');
    expect(out).toContain('JURY_MAX_CASE_CHARS: must be a whole number, at least 100');
    expect(out).not.toMatch(/secret|eighty|loud/);
  });
});

describe('prompts of one’s own', () => {
  test('a rubric in a minute: a YAML file, nothing else', async () => {
    const cwd = scratch();
    mkdirSync(join(cwd, 'prompts', 'rubrics'), { recursive: true });
    writeFileSync(
      join(cwd, 'prompts', 'rubrics', 'near.yaml'),
      'title: Near\nsource: ours\ntask: Decide whether it is near.\ndecide: all\npanel: [auditor]\nmethod: mab\ncriteria:\n' +
        '  - id: near\n    title: Near\n    rule: At most 5 minutes by car.\n    check: { type: drive-at-most, minutes: 5, speedKmh: 30, detour: 1.3, uncertainty: 0.2 }\n',
    );
    const ran = await jury(['judge', '--json', '--rubric', 'near'], {
      cwd,
      input: lines(right),
      env: { JURY_PROMPTS_DIR: 'prompts' },
    });
    expect(verdictsOf(ran)[0]).toMatchObject({ rubric: 'near', decision: 'fail' });
  });

  test('a folder that is not there stops the start', async () => {
    const { code, err } = await jury(['judge'], {
      input: lines(right),
      env: { JURY_PROMPTS_DIR: 'nowhere' },
    });
    expect(code).toBe(64);
    expect(err).toContain('nowhere: there is no such folder');
  });
});

describe('what people expect and a command does not have', () => {
  test.each([
    ['a port', ['serve', '--port', '4000'], 'Set PORT: PORT=8080 jury serve'],
    ['an output file', ['judge', '-o', 'out.json'], 'Results go to standard output: jury judge … > FILE'],
    [
      'an option of other commands of its kind',
      ['bench', 'show', 'nightly', '--out', 'x'],
      '--out is an option of "jury bench report" and "jury bench compare".',
    ],
  ])('%s is answered with what to do', async (_name, args, hint) => {
    const { code, err } = await jury(args, { input: '' });
    expect(code).toBe(64);
    expect(err).toContain(hint);
  });

  test('a file in place of a command is answered with the command', async () => {
    const cwd = scratch();
    writeFileSync(join(cwd, 'paste.txt'), 'User: hi');
    const path = join(cwd, 'paste.txt');
    expect((await jury([path], { input: '' })).err).toContain(`To judge it: jury judge ${path}`);
    expect((await jury(['jugde'], { input: '' })).err).not.toContain('To judge the file');
  });
});
