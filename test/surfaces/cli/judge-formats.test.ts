import { lstatSync, mkdirSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import stringWidth from 'string-width';
import { describe, expect, test } from 'vitest';
import type { EvalCase } from '../../../src/case/case.ts';
import { readCsv } from '../../../src/common/text/csv.ts';
import { closed, lines, right, unclear } from '../../support/judged-cases.ts';
import { jury, scratch, verdictsOf } from '../../support/run-jury.ts';

const evil: EvalCase = { ...right, id: 'two\nlines\u001b[2J of a name that is far too long for a table' };

const mix = lines(right, closed, evil, unclear);

describe('how verdicts are printed', () => {
  test('one to three cases as cards, more as a table', async () => {
    expect((await jury(['judge'], { input: lines(right, closed, unclear) })).out).toContain(
      'exact checks, no model',
    );
    expect((await jury(['judge'], { input: mix })).out).not.toContain('exact checks, no model');
    expect((await jury(['judge', '--format', 'cards'], { input: mix })).out).toContain(
      'exact checks, no model',
    );
    const { out } = await jury(['judge', '--format', 'table'], {
      input: lines({ ...right, rubric: undefined }),
    });
    expect(out).toMatch(/^✓ PASS +right/);
    expect(out).toContain('\nRubric navigation was chosen');
    expect(out).not.toContain('1 cases');
  });

  test('a table has a line a case, failing first, then undecided, then passing, and the counts last', async () => {
    const { code, out } = await jury(['judge'], { input: mix });
    expect(code).toBe(1);
    const shown = out.trimEnd().split('\n');
    expect(shown.slice(0, 4).map((line) => line.slice(0, 8).trim())).toEqual([
      '✗ FAIL',
      '? NOT DE',
      '✓ PASS',
      '✓ PASS',
    ]);
    expect(shown[0]).toContain('closed');
    expect(shown[0]).toContain('20:00');
    expect(shown[3]).toContain('two lines of a…');
    expect(shown.at(-1)).toBe('4 cases: 2 pass · 1 fail · 1 not decided');
    expect(out).not.toContain('\u001b');
  });

  test('a table fits 80 columns, with wide characters too', async () => {
    const wide = {
      ...closed,
      id: '長い名前'.repeat(9),
      conversation: [{ role: 'user', text: '寿司'.repeat(80) }],
    };
    const { out } = await jury(['judge', '--rubric', 'navigation'], {
      input: lines(right, closed, evil, unclear, wide),
      columns: 80,
    });
    for (const line of out.split('\n')) expect(stringWidth(line)).toBeLessThanOrEqual(80);
  });

  test('what is said of all cases is said once', async () => {
    for (const format of ['cards', 'table']) {
      const { out } = await jury(['judge', '--format', format], { input: mix });
      expect(out.match(/rubric navigation was chosen/g)).toHaveLength(1);
      expect(out).toContain('All 4 cases: rubric navigation was chosen');
    }
  });

  test('csv has a row a case with where it stands, and no control characters', async () => {
    const { out } = await jury(['judge', '--format', 'csv'], { input: mix });
    const [head, ...rows] = readCsv(out, ',').map((row) => ('cells' in row ? row.cells : []));
    expect(head?.slice(0, 3)).toEqual(['source', 'case', 'user']);
    const decision = head?.indexOf('decision') ?? -1;
    expect(rows.map((row) => [row[0], row[decision]])).toEqual([
      ['standard input, line 1', 'pass'],
      ['standard input, line 2', 'fail'],
      ['standard input, line 3', 'pass'],
      ['standard input, line 4', 'undecided'],
    ]);
    expect(rows[1]?.[head?.indexOf('failed') ?? -1]).toBe('Time');
    expect(out).not.toContain('\u001b');
  });

  test('junit has a test case a case: failed ones are failures, undecided ones are errors', async () => {
    const { out } = await jury(['judge', '--format', 'junit'], { input: mix });
    expect(out).toContain('<testsuite name="navigation" tests="4" failures="1" errors="1" skipped="0"');
    expect(out).toMatch(/<testcase name="closed"[^>]*><failure type="fail" message="[^"]*20:35[^"]*">/);
    expect(out).toMatch(/<testcase name="unclear"[^>]*><error type="undecided"/);
    expect(out).toMatch(/<testcase name="two lines of a name[^>]*\/>/);
    expect(out).not.toContain('\u001b');
  });

  test('--json is --format json, and excludes others', async () => {
    const [long, short] = [
      await jury(['judge', '--format', 'json'], { input: mix }),
      await jury(['judge', '--json'], { input: mix }),
    ];
    expect(verdictsOf(long).map(({ caseId }) => caseId)).toEqual(
      verdictsOf(short).map(({ caseId }) => caseId),
    );
    expect(await jury(['judge', '--json', '--format', 'csv'], { input: mix })).toMatchObject({
      code: 64,
      out: '',
    });
  });
});

describe('--skip-invalid', () => {
  const broken = lines(
    right,
    { conversation: [{ role: 'user', text: 'a' }], response: 'b', adress: 1 },
    closed,
  );

  test('judges the rest, and names what was left out by file and line', async () => {
    const cwd = scratch();
    writeFileSync(join(cwd, 'mix.jsonl'), broken);
    const ran = await jury(['judge', 'mix.jsonl', '--skip-invalid', '--json'], { cwd });
    expect(verdictsOf(ran).map(({ caseId }) => caseId)).toEqual(['right', 'closed']);
    expect(ran.code).toBe(1);
    expect(ran.err).toMatch(/^mix\.jsonl, line 2: The case is not valid: unknown key "adress"/);
    expect(ran.err).toContain('Left out: 1 of 3 cases.');
  });

  test('a file with a strange name is named in one line', async () => {
    const cwd = scratch();
    const name = 'two\nlines\u001b[31m.txt';
    writeFileSync(join(cwd, name), '');
    const { code, err } = await jury(['judge', name], { cwd });
    expect(code).toBe(64);
    expect(err).toMatch(/^two lines\.txt: There is nothing to judge/);
    expect((await jury(['judge', `no ${name}`], { cwd })).err).toContain('Cannot read no two lines.txt:');
  });

  test('without it one invalid case stops all, and the message offers it', async () => {
    const { code, out, err } = await jury(['judge'], { input: broken });
    expect({ code, out }).toEqual({ code: 64, out: '' });
    expect(err).toContain('--skip-invalid judges the rest');
  });

  test('is no way to judge nothing', async () => {
    const { code, out, err } = await jury(['judge', '--skip-invalid'], { input: 'nothing to see' });
    expect({ code, out }).toEqual({ code: 64, out: '' });
    expect(err).toContain('Nothing was judged');
    expect(err).not.toContain('judges the rest');
  });

  test('a long list of problems ends with how many more there are', async () => {
    const { err } = await jury(['judge'], { input: Array(60).fill('{"response":1}').join('\n') });
    expect(err.split('\n').length).toBeLessThan(30);
    expect(err).toContain('and 40 other problems ("jury parse" lists all)');
  });
});

describe('--fail-under', () => {
  test.each([
    ['0.5', lines(right, closed), 0],
    ['0.51', lines(right, closed), 1],
    ['1', lines(right), 0],
    // What is undecided does not pass.
    ['0.6', lines(right, unclear), 1],
  ])('pass-rate=%s decides on the exit code: %#', async (rate, input, code) => {
    const ran = await jury(['judge', '--json', '--fail-under', `pass-rate=${rate}`], { input });
    expect(ran.code).toBe(code);
    expect(ran.err).toMatch(/^Pass rate [\d.]+ % \(1 of [12] cases?\), (at least|below) \d+ %\.\n/);
  });

  test('brings a least coverage of 0.9, unless one is named', async () => {
    const gate = (...flags: string[]) =>
      jury(['judge', '--json', ...flags.flatMap((flag) => ['--fail-under', flag])], {
        input: lines(right, unclear),
      });
    const { code, err } = await gate('pass-rate=0.5');
    expect(code).toBe(1);
    expect(err).toBe(
      'Pass rate 50 % (1 of 2 cases), at least 50 %.\nDecided 50 % (1 of 2 cases), below 90 %.\n',
    );
    expect((await gate('pass-rate=0.5', 'coverage=0.5')).code).toBe(0);
    expect((await gate('coverage=0.6')).code).toBe(1);
  });

  test.each(['f1=0.9', 'pass-rate=90', 'pass-rate', 'pass-rate=-1'])(
    '%s is refused with what it must be',
    async (text) => {
      const { code, out, err } = await jury(['judge', '--fail-under', text], { input: mix });
      expect({ code, out }).toEqual({ code: 64, out: '' });
      expect(err).toContain('Must be pass-rate=minimum or coverage=minimum with a minimum from 0 to 1');
    },
  );
});

describe('--save', () => {
  test('keeps verdicts so that they can be shown, ruled on and exported', async () => {
    const cwd = scratch();
    const { out } = await jury(['judge', '--save', '--json'], { cwd, input: mix });
    const kept: { id: string; caseId: string }[] = out
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line));
    const id = kept.find(({ caseId }) => caseId === 'closed')?.id ?? '';
    const shown = await jury(['labels', 'show', id], { cwd });
    expect(shown.out).toContain('FAIL');
    const ruled = await jury(['labels', 'adjudicate', id, 'pass', '--by', 'safety lead'], { cwd });
    expect(ruled.code).toBe(0);
    expect((await jury(['labels', 'aggregate'], { cwd })).out).toContain(id);
    expect(JSON.parse((await jury(['labels', 'export'], { cwd })).out)).toMatchObject({
      id,
      label: { decision: 'pass' },
    });
  });

  test('nothing is judged if the store cannot be reached', async () => {
    const { code, out, err } = await jury(['judge', '--save'], {
      input: mix,
      env: { REDIS_URL: 'redis://127.0.0.1:1' },
    });
    expect({ code, out }).toEqual({ code: 64, out: '' });
    expect(err).toContain('Redis at 127.0.0.1:1 cannot be reached');
  });

  test('the ids are on cards, in the table and in CSV', async () => {
    const cwd = scratch();
    const ids = /\b[0-9a-f]{20}\b/g;
    for (const format of ['cards', 'table', 'csv']) {
      const { out } = await jury(['judge', '--save', '--format', format], { cwd, input: mix });
      expect(new Set(out.match(ids)).size).toBe(4);
    }
    expect((await jury(['judge', '--format', 'table'], { cwd, input: mix })).out).not.toMatch(ids);
  });
});

describe('files that are written', () => {
  const generate = (...args: string[]) => ['dataset', 'generate', '--users', '2', ...args];

  test('-o, --out and --output are the same', async () => {
    const cwd = scratch();
    for (const flag of ['-o', '--out', '--output']) {
      expect(await jury(generate(flag, `${flag}.jsonl`), { cwd })).toMatchObject({ code: 0, out: '' });
      expect(readFileSync(join(cwd, `${flag}.jsonl`), 'utf8').split('\n')).toHaveLength(13);
    }
    expect(readdirSync(cwd).filter((name) => name.endsWith('.tmp'))).toEqual([]);
  });

  test('a symbolic link is not followed', async () => {
    const cwd = scratch();
    writeFileSync(join(cwd, 'secret'), 'mine');
    symlinkSync('secret', join(cwd, 'out.jsonl'));
    const { code, err } = await jury(generate('-o', 'out.jsonl'), { cwd });
    expect(code).toBe(64);
    expect(err).toContain('out.jsonl: it is a symbolic link');
    expect(readFileSync(join(cwd, 'secret'), 'utf8')).toBe('mine');
    expect(lstatSync(join(cwd, 'out.jsonl')).isSymbolicLink()).toBe(true);
  });

  test('a folder is refused, and a device is written as it is', async () => {
    const cwd = scratch();
    mkdirSync(join(cwd, 'folder'));
    expect((await jury(generate('-o', 'folder'), { cwd })).err).toContain('folder: it is a folder');
    expect((await jury(generate('-o', '/dev/null'), { cwd })).code).toBe(0);
    expect(lstatSync('/dev/null').isCharacterDevice()).toBe(true);
  });

  test('a file of before stays as it is where the new one cannot be whole', async () => {
    const cwd = scratch();
    await jury(generate('-o', 'set.jsonl'), { cwd });
    await jury(['bench', 'run', 'set.jsonl', '--methods', 'io', '--models', 'rules', '--name', 'r'], { cwd });
    mkdirSync(join(cwd, 'report'));
    writeFileSync(join(cwd, 'report', 'trials.jsonl'), 'before');
    writeFileSync(join(cwd, 'data', 'runs', 'r', 'trials.jsonl'), 'garbage\n{"also":"garbage"}\n');
    const { code } = await jury(['bench', 'report', 'r', '-o', 'report'], { cwd });
    expect(code).not.toBe(0);
    expect(readdirSync(join(cwd, 'report'))).toEqual(['trials.jsonl']);
    expect(readFileSync(join(cwd, 'report', 'trials.jsonl'), 'utf8')).toBe('before');
  });
});

test('a table of many cases is whole', async () => {
  const many = Array.from({ length: 300 }, (_, index) => ({ ...closed, id: `c${index}` }));
  const { out } = await jury(['judge'], { input: lines(...many) });
  expect(out.match(/^✗ FAIL/gm)).toHaveLength(300);
  expect(out).toMatch(/\n300 cases: 300 fail\n$/);
});

test('what is said of several cases is said once, and of what differs only what they share', async () => {
  const pair = (rating: string) => `User: Find me a sushi place\nSystem: Sakura.\nRating: ${rating} of 100`;
  const ran = await jury(['judge', '-'], { input: `${pair('40')}\n---\n${pair('41')}` });
  expect(ran.out).toContain('Both cases: split into 2 cases at the lines of dashes\n');
  expect(ran.out).toContain('Both cases: left out: Rating "… of 100", not understood');
  expect(ran.out).not.toContain('this is case 1');
  const three = await jury(['judge', '-'], { input: ['40', '41', '42'].map(pair).join('\n---\n') });
  expect(three.out).toContain('All 3 cases: split into 3 cases at the lines of dashes\n');
  expect(three.out).toContain('All 3 cases: left out: Rating "… of 100", not understood');
});
