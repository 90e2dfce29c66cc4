import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { Trial } from '../../src/benchmark/trial.ts';
import { jury, scratch } from '../support/run-jury.ts';

const caseOf = (id: string, more: object = {}) => ({
  id,
  rubric: 'question-answering',
  conversation: [{ role: 'user', text: 'How far is it?' }],
  response: 'Two kilometers.',
  ...more,
});
const pairOf = (id: string) => caseOf(id, { alternative: { response: 'Not far.' } });

/** A folder with files, and the command in it. */
function inFolder(files: Record<string, string | readonly object[]>) {
  const cwd = scratch();
  for (const [name, content] of Object.entries(files))
    writeFileSync(
      join(cwd, name),
      typeof content === 'string' ? content : content.map((one) => `${JSON.stringify(one)}\n`).join(''),
    );
  const bench = (...args: string[]) => jury(['bench', ...args], { cwd });
  return {
    bench,
    importing: (file: string, ...more: string[]) =>
      bench('import', file, '--cases', 'cases.jsonl', '--name', 'made-elsewhere', ...more),
    trials: async () =>
      (await bench('show', 'made-elsewhere', '--trials')).out
        .split('\n')
        .filter((line) => line !== '')
        .map((line) => Trial.parse(JSON.parse(line))),
  };
}

const cases = ['c1', 'c2', 'c3'].map((id) => caseOf(id));

describe('jury bench import', () => {
  test('makes a run like any other of judgements and of what people said', async () => {
    const { bench, importing, trials } = inFolder({
      'cases.jsonl': cases,
      'judgements.csv': [
        'case,judge,decision,confidence,reason,costUsd,latencyMs',
        'c1,gpt-x,pass,0.9,it answers,0.001,400',
        'c2,gpt-x,fail,,,0.001,600',
        'c3,gpt-x,undecided,,,0.001,500',
        'c1,other,pass,,,,',
        'c2,other,,,,,',
      ].join('\n'),
      'people.csv': [
        'case,annotator,decision',
        ...[
          'c1,ann,pass',
          'c1,ben,pass',
          'c1,cem,fail',
          'c2,ann,fail',
          'c2,ben,fail',
          'c3,ann,pass',
          'c3,ben,fail',
        ],
      ].join('\n'),
    });
    const { code, out, err } = await importing('judgements.csv', '--labels', 'people.csv', '--json');
    expect({ code, err }).toEqual({
      code: 0,
      err: [
        'Imported 5 judgements of 2 judges on 3 cases, 2 labeled.',
        '3 people gave 7 answers: 2 cases labeled by what most of them say, 1 without a label, since they are split or too few.',
        '',
      ].join('\n'),
    });
    expect(JSON.parse(out)).toMatchObject({ trials: 5, planned: 5, spentUsd: 0.003, unknownCosts: 2 });
    const kept = await trials();
    const shown = kept.map(({ caseId, configuration, decision, label }) => [
      ...[configuration, caseId, decision, label?.decision ?? null],
    ]);
    expect(shown.sort()).toEqual([
      ['imported gpt-x #1', 'c1', 'pass', 'pass'],
      ['imported gpt-x #1', 'c2', 'fail', 'fail'],
      ['imported gpt-x #1', 'c3', 'undecided', null],
      ['imported other #1', 'c1', 'pass', 'pass'],
      ['imported other #1', 'c2', 'undecided', 'fail'],
    ]);
    // What each person said stays with the case, and no name of theirs is kept.
    expect(kept.some(({ label }) => label !== null && 'answers' in label)).toBe(false);
    const report = await bench('report', 'made-elsewhere');
    expect(report.out).toContain('Imported from judgements.csv: these judgements were made elsewhere');
    expect(report.out).not.toMatch(/ann|ben|cem/);
    expect((await bench('list')).out).toContain('imported from judgements.csv');
  });

  test('reads a table with a byte order mark, semicolons, other names of columns and other classes', async () => {
    const { importing, trials } = inFolder({
      'cases.jsonl': cases,
      'k.csv': '\ufeffitem;Judge;Verdict;Confidence\nc1;gpt-x;yes;0,75\nc2;gpt-x;nein;\n',
      'j.csv': '\ufeffitem;Judge;Verdict;Confidence\nc1;gpt-x;yes;0,75\nc2;gpt-x;"no, it does not";\n',
    });
    const named = ['--map', 'item=case', '--map', 'Verdict=decision'];
    const refused = await importing('j.csv', ...named, '--map-value', 'yes=pass');
    expect(refused.code).toBe(64);
    expect(refused.err).toContain(
      'j.csv, Row 3: column "Verdict": "no, it does not" is neither pass nor fail: say what it means with --map-value "no, it does not=pass"',
    );
    expect(refused.err).toContain('Nothing was imported.');
    const meanings = ['--map-value', 'yes=pass,nein=fail'];
    expect(await importing('k.csv', ...named, ...meanings)).toMatchObject({ code: 0 });
    expect(
      (await trials()).map(({ decision, judgements }) => [decision, judgements[0]?.confidence]).sort(),
    ).toEqual([
      ['fail', null],
      ['pass', 0.75],
    ]);
  });

  test('names every row and column that is wrong, and imports nothing', async () => {
    const { bench, importing } = inFolder({
      'cases.jsonl': [...cases, caseOf('s1', { rubric: 'user-feedback' }), pairOf('p1')],
      'j.csv': [
        'case,judge,decision,score,criterion,confidence',
        'c1,gpt-x,pass,,,',
        'c1,gpt-x,pass,,,',
        'c9,gpt-x,pass,,,',
        'c2,,pass,,,',
        'c2,gpt-x,Location,,,',
        'c3,gpt-x,pass,,,90',
        'c3,other,pass,3,,',
        'c3,third,,3,,',
        'c2,third,pass,,nothing-like-it,',
        'p1,gpt-x,C,,,',
        'c3,gpt-y',
      ].join('\n'),
    });
    const { code, err } = await importing('j.csv');
    expect(code).toBe(64);
    expect(err.trim().split('\n')).toEqual([
      'j.csv, Row 12: has 2 cells, the header has 6',
      'j.csv, Row 3: the same case, judge, repeat and criterion as Row 2: leave one of them out',
      'j.csv, Row 4: column "case": no case has the id "c9"',
      'j.csv, Row 5: column "judge" is empty: name the judge',
      'j.csv, Row 6: column "decision": "Location" is neither pass nor fail: say what it means with --map-value Location=pass or --map-value Location=fail, or leave it out with --map-value Location=-',
      'j.csv, Row 7: column "confidence": "90" must be a number from 0 to 1',
      'j.csv, Row 8: columns "decision" and "score" both have an answer: leave one empty',
      'j.csv, Row 9: column "score" has a score, but rubric question-answering decides pass or fail: use a column "decision", or say what scores mean with --map-value score:3=pass',
      'j.csv, Row 10: column "criterion": rubric question-answering has no criterion "nothing-like-it"; it has question-answering',
      'j.csv, Row 11: column "decision": "C" must be A, B or same: the case has two answers',
      'Nothing was imported.',
    ]);
    expect((await bench('list')).err).toContain('There are no runs yet');
    const missing = await importing('cases.jsonl');
    expect(missing).toMatchObject({
      code: 64,
      err: expect.stringContaining('needs the columns case, judge and decision or score; it has id, rubric'),
    });
  });

  test('reads preferences between two answers, and criteria one by one', async () => {
    const { importing, trials } = inFolder({
      'cases.jsonl': [pairOf('p1'), pairOf('p2'), caseOf('c1')],
      'j.jsonl': [
        { case: 'p1', judge: 'gpt-x', decision: 'B' },
        { case: 'p2', judge: 'gpt-x', score: 0 },
        {
          case: 'c1',
          judge: 'strict',
          model: 'gpt-x',
          criterion: 'question-answering',
          decision: 'fail',
          reason: 'evades',
        },
      ],
      'people.jsonl': [
        { case: 'p1', annotator: 1, decision: 'A' },
        { case: 'p1', annotator: 2, decision: 'B' },
        { case: 'p1', annotator: 3, decision: 'B' },
        { case: 'p2', annotator: 1, decision: 'A' },
        { case: 'p2', annotator: 2, decision: 'B' },
      ],
    });
    const { code, err } = await importing('j.jsonl', '--labels', 'people.jsonl');
    expect({ code, err }).toMatchObject({ code: 0, err: expect.stringContaining('1 case labeled') });
    const kept = await trials();
    const of = (id: string) => kept.find(({ caseId }) => caseId === id);
    expect(of('p1')).toMatchObject({ score: 1, label: { score: 1 }, preference: { better: 'B' } });
    expect(of('p2')).toMatchObject({ score: 0, label: null });
    expect(of('c1')).toMatchObject({
      decision: 'fail',
      criteria: [{ id: 'question-answering', decision: 'fail' }],
      judgements: [{ judge: { persona: 'strict', model: 'gpt-x' } }],
    });
  });

  test('keeps the labels of cases that no one was asked about', async () => {
    const { importing, trials } = inFolder({
      'cases.jsonl': ['c1', 'c2'].map((id) => caseOf(id, { label: { decision: 'fail' } })),
      'j.csv': 'case,judge,decision\nc1,gpt-x,pass\nc2,gpt-x,fail\n',
      'people.csv': 'case,annotator,decision\nc1,ann,pass\n',
    });
    expect((await importing('j.csv', '--labels', 'people.csv')).code).toBe(0);
    expect((await trials()).map(({ caseId, label }) => [caseId, label?.decision])).toEqual([
      ['c1', 'pass'],
      ['c2', 'fail'],
    ]);
  });

  test('of pairs says nothing about the order in which the answers were shown', async () => {
    const { bench, importing, trials } = inFolder({
      'cases.jsonl': [pairOf('p1'), pairOf('p2')],
      'j.jsonl': ['p1', 'p2'].map((id) => ({ case: id, judge: 'gpt-x', decision: 'B' })),
    });
    expect((await importing('j.jsonl')).code).toBe(0);
    const report = await bench('report', 'made-elsewhere');
    expect((await trials())[0]?.why).toBe('B is better (1 of 1 judge)');
    expect(report.out).toMatch(/the order of the answers is not\s+recorded/);
    expect(report.out).not.toContain('both orders');
  });

  test('keeps what is missing if it is repeated, and refuses a name that is taken', async () => {
    const table = 'case,judge,decision\nc1,gpt-x,pass\nc2,gpt-x,fail\n';
    const { importing, trials } = inFolder({
      'cases.jsonl': cases,
      'j.csv': table,
      'k.csv': `${table}c3,gpt-x,fail\n`,
    });
    expect((await importing('j.csv')).code).toBe(0);
    expect(await importing('j.csv')).toMatchObject({
      code: 0,
      err: expect.stringContaining('2 judgements had been imported before.'),
    });
    expect(await importing('k.csv')).toMatchObject({
      code: 64,
      err: expect.stringContaining('There is another run called made-elsewhere'),
    });
    expect(await trials()).toHaveLength(2);
  });

  test('says which file cannot be read', async () => {
    const { importing } = inFolder({
      'cases.jsonl': cases,
      'empty.csv': '',
      'head.csv': 'case,judge,decision\n',
      'nobody.csv': 'case,annotator,decision\n',
      'lists.jsonl': [{ case: 'c1', judge: ['gpt-x', 'other'], decision: 'pass' }],
      'j.csv': 'case,judge,decision\nc1,gpt-x,pass\n',
    });
    const said = async (...args: [string, ...string[]]) => (await importing(...args)).err.trim();
    expect(await said('empty.csv')).toBe('empty.csv: The file is empty. Nothing was imported.');
    expect(await said('j.csv', '--labels', 'empty.csv')).toBe(
      'empty.csv: The file is empty. Nothing was imported.',
    );
    expect(await said('head.csv')).toBe('head.csv, Row 1: the file has no rows\nNothing was imported.');
    expect(await said('j.csv', '--labels', 'nobody.csv')).toBe(
      'nobody.csv, Row 1: the file has no rows\nNothing was imported.',
    );
    expect(await said('lists.jsonl')).toBe(
      'lists.jsonl, Item 1: column "judge" must hold one value, not several\nNothing was imported.',
    );
    expect(await said('none.csv')).toBe('Cannot read none.csv: no such file or folder.');
    expect(await said('j.csv', '--map', 'item=case')).toContain('There is no column "item"');
  });

  test('a comma is a decimal one, unless it may set off thousands', async () => {
    const { importing, trials } = inFolder({
      'cases.jsonl': cases,
      'thousands.csv': 'case;judge;decision;promptTokens;latencyMs\nc1;gpt-x;pass;12,000;1,234\n',
      'decimals.csv': 'case;judge;decision;confidence;latencyMs\nc1;gpt-x;pass;0,875;1234,5\n',
    });
    const { code, err } = await importing('thousands.csv');
    expect(code).toBe(64);
    expect(err).toContain('Row 2: column "promptTokens": "12,000" must be a whole number');
    expect(err).toContain('column "latencyMs": "1,234" must be a number of milliseconds');
    expect((await importing('decimals.csv')).code).toBe(0);
    expect(await trials()).toMatchObject([{ latencyMs: 1234.5, judgements: [{ confidence: 0.875 }] }]);
  });

  test('a score must lie on the scale of the rubric', async () => {
    const { importing } = inFolder({
      'cases.jsonl': [caseOf('c1', { rubric: 'core', recommendations: [['a']], groundTruth: 'a' })],
      'j.csv': 'case,judge,score\nc1,gpt-x,101\nc1,other,many\n',
    });
    const { code, err } = await importing('j.csv');
    expect(code).toBe(64);
    expect(err).toMatch(/Row 2: column "score": 101 is outside the scale of rubric core, 0 to \d+/);
    expect(err).toMatch(/Row 3: column "score": "many" must be a score from 0 to \d+, as rubric core gives/);
  });
});
