import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import * as z from 'zod';
import { aCase } from '../../support/builders.ts';
import { inDataOf, voteOn } from '../../support/data-store.ts';
import { jury, scratch } from '../../support/run-jury.ts';
import { aRecord, saturday } from '../../support/store-builders.ts';

async function filled(count = 3) {
  const cwd = scratch();
  await inDataOf(cwd, async (store) => {
    for (let n = 0; n < count; n += 1)
      await store.saveVerdict(
        aRecord({ id: `v${n}`, at: saturday + n, evalCase: aCase({ response: `Place ${n} is near.` }) }),
      );
    await voteOn(store, 'v0', {
      ada: [
        'disagree',
        { errorType: 'cost', decision: 'fail', criteria: ['time'], comment: '\u001b[2JToo dear.' },
      ],
      bea: 'unsure',
    });
  });
  return cwd;
}

const rulings = (cwd: string) =>
  inDataOf(cwd, async (store) =>
    (await store.adjudications()).map(({ verdictId, right, role, errorType, comment }) => ({
      verdictId,
      right: right.kind === 'decision' ? right.decision : right.score,
      role,
      ...(errorType === undefined ? {} : { errorType }),
      ...(comment === undefined ? {} : { comment }),
    })),
  );

describe('labels adjudicate', () => {
  test('rules in a named role, shows the label before and after, and does it once', async () => {
    const cwd = await filled();
    const args = [
      'labels',
      'adjudicate',
      'v0',
      'fail',
      '--by',
      'safety lead',
      '--error-type',
      'cost',
      '--note',
      'Twice the price.',
    ];
    const first = await jury(args, { cwd });
    expect(first).toMatchObject({ code: 0, err: '' });
    expect(first.out).toContain('FAIL');
    expect(first.out).toContain('label before: open, too few votes (1)');
    expect(first.out).toContain('label now:    fail (cost), ruled by safety lead');
    expect((await jury(args, { cwd })).out).toContain(
      'The same ruling was already there; nothing was changed.',
    );
    // Said again without its note, it takes nothing back.
    const again = await jury([...args.slice(0, 6), '--json'], { cwd });
    expect(JSON.parse(again.out)).toMatchObject({
      ruled: 'unchanged',
      basis: 'adjudication',
      errorType: 'cost',
    });
    expect(await rulings(cwd)).toEqual([
      { verdictId: 'v0', right: 'fail', role: 'safety lead', errorType: 'cost', comment: 'Twice the price.' },
    ]);
    const other = await jury(['labels', 'adjudicate', 'v0', 'pass', '--by', 'owner', '--json'], { cwd });
    expect(JSON.parse(other.out)).toMatchObject({
      ruled: 'replaced',
      label: 'pass',
      ruling: { role: 'owner' },
    });
  });

  test.each([
    [['v0', 'maybe', '--by', 'x'], '"maybe" is neither pass nor fail'],
    [
      ['v0', 'fail', '--by', 'x', '--error-type', 'nope'],
      'unknown error type "nope"; choose one of: time, cost, rating',
    ],
    [
      ['v0', 'pass', '--by', 'x', '--error-type', 'cost'],
      '"pass" and the error "cost" contradict each other',
    ],
    [['v0', 'pass', '--by', ' '], 'the role must be 1 to 60 characters long'],
    [['nope', 'pass', '--by', 'x'], 'There is no verdict "nope"'],
    [['v0', 'pass'], "required option '--by <role>' not specified"],
  ])('refuses %j, exit 64', async (args, problem) => {
    const cwd = await filled(1);
    const ran = await jury(['labels', 'adjudicate', ...args], { cwd });
    expect(ran.code).toBe(64);
    expect(ran.err).toContain(problem);
    expect(await rulings(cwd)).toEqual([]);
  });
});

describe('labels show', () => {
  test('tells what was judged, what people said of it, and the label; no one is named, nothing steers the terminal', async () => {
    const cwd = await filled(1);
    const { out, code } = await jury(['labels', 'show', 'v0'], { cwd });
    expect(code).toBe(0);
    expect(out).toContain('Place 0 is near.');
    expect(out).toContain('label: open, too few votes (1)');
    expect(out).toContain('votes: 0 agree, 1 disagree, 1 unsure; 1 of 2 say what is right');
    expect(out).toContain('disagree (right: fail; error: cost; wrong about time): Too dear.');
    expect(out).not.toContain('\u001b');
    expect(out).not.toMatch(/\bada\b/);
    const json = await jury(['labels', 'show', 'v0', '--json'], { cwd });
    expect(json.out).not.toMatch(/"ada"/);
    expect(JSON.parse(json.out)).toMatchObject({ verdict: 'v0', label: null, open: 'too few votes' });
  });
});

describe('labels show on verdicts like this one', () => {
  const showing = async (agreed: number, n: number) => {
    const cwd = scratch();
    await inDataOf(cwd, (store) => store.saveVerdict({ ...aRecord(), trust: { agreed, n, days: 180 } }));
    return (await jury(['labels', 'show', 'v1'], { cwd })).out.replace(/\s+/g, ' ');
  };

  test('says how often people agreed with them, and that it is no random sample, from twenty on', async () => {
    expect(await showing(108, 124)).toContain(
      'What people say of such verdicts - People agreed with 87 % of the 124 such verdicts they voted on; not a random sample. - Such verdicts: the same rubric, method, models and decision, in the 180 days before',
    );
    expect(await showing(19, 19)).not.toContain('such verdicts');
  });
});

describe('labels vote', () => {
  const voting = (cwd: string, ...args: string[]) => jury(['labels', 'vote', ...args], { cwd });

  test('labels a verdict that jury judge kept, like one that was shown in a chat', async () => {
    const cwd = scratch();
    const input =
      'User: Find me a sushi place rated at least 4\nSystem: Sakura.\nCuisine: Japanese\nRating: 3.8\n';
    const { out } = await jury(['judge', '-', '--save', '--json'], { cwd, input });
    const { id } = z.looseObject({ id: z.string() }).parse(JSON.parse(out));
    await voting(cwd, id, 'agree', '--as', 'ann');
    await voting(cwd, id, 'fail', '--as', 'ben', '--error-type', 'rating', '--note', 'Too low.');
    const third = await voting(cwd, id, 'fail', '--as', 'U0123ABCD');
    expect(third.out).toBe('3 agree, 0 disagree, 0 unsure; label: fail (rating) by majority of 3 votes\n');
    const [line] = (await jury(['labels', 'export'], { cwd })).out.split('\n');
    expect(JSON.parse(line ?? '')).toMatchObject({ id, label: { decision: 'fail', errorType: 'rating' } });
    expect((await voting(cwd, id, 'pass', '--as', 'ben')).out).toContain('2 agree, 1 disagree');
    expect((await voting(cwd, id, 'none', '--as', 'ben')).out).toContain('2 agree, 0 disagree');
    expect((await jury(['labels', 'forget', 'name:ann'], { cwd })).out).toContain('Erased 1 vote');
  });

  test.each([
    [['v0', 'maybe', '--as', 'ann'], '"maybe" is neither pass nor fail'],
    [['v0', 'pass', '--as', 'ann', '--error-type', 'time'], 'contradict each other'],
    [['v0', 'fail', '--as', 'ann', '--error-type', 'weather'], 'unknown error type "weather"'],
    [['v0', 'fail', '--as', 'ann', '--criterion', 'weather'], 'There is no criterion "weather"'],
    [['nope', 'fail', '--as', 'ann'], 'There is no verdict "nope"'],
  ])('refuses %j, and nothing is counted', async (args, problem) => {
    const cwd = await filled(1);
    expect(await voting(cwd, ...args)).toMatchObject({ code: 64, err: expect.stringContaining(problem) });
    expect((await jury(['labels', 'show', 'v0'], { cwd })).out).toContain('0 agree, 1 disagree, 1 unsure');
  });
});

describe('labels import', () => {
  const importing = async (cwd: string, text: string, args: readonly string[] = ['--as', 'crowd']) => {
    writeFileSync(join(cwd, 'labels.csv'), text);
    return jury(['labels', 'import', 'labels.csv', ...args], { cwd });
  };

  test('takes results of Crowd-Kit as rulings; the same file again changes nothing', async () => {
    const cwd = await filled();
    const text = 'task,label\nv0,pass\nv2,fail\n';
    expect(await importing(cwd, text)).toMatchObject({
      code: 0,
      err: '',
      out: '2 verdicts ruled on: 2 new, 0 replaced, 0 unchanged.\n',
    });
    expect((await importing(cwd, text)).out).toContain('0 new, 0 replaced, 2 unchanged.');
    expect((await importing(cwd, 'task,label\nv0,fail\n')).out).toContain('1 replaced');
    expect(await rulings(cwd)).toEqual([
      { verdictId: 'v2', right: 'fail', role: 'crowd' },
      { verdictId: 'v0', right: 'fail', role: 'crowd' },
    ]);
  });

  test.each(['case', 'case_id', 'id'])('takes a table of %s and label, as of a dataset', async (column) => {
    const cwd = scratch();
    const lines = ['a', 'b'].map((id) => JSON.stringify(aCase({ id, response: `Place ${id} is near.` })));
    writeFileSync(join(cwd, 'cases.jsonl'), lines.join('\n'));
    await jury(['judge', 'cases.jsonl', '--model', 'rules', '--save'], { cwd });
    const ran = await importing(cwd, `${column},label\na,pass\nb,fail\nz,fail\n`);
    expect(ran.out).toBe('2 verdicts ruled on: 2 new, 0 replaced, 0 unchanged.\n');
    expect(ran.err).toMatch(/^Row 4: there is no verdict (?:"z"|on a case "z")\.\n/);
    expect((await rulings(cwd)).map(({ right }) => right).sort()).toEqual(['fail', 'pass']);
  });

  test('leaves out rows that fit nothing, by their numbers, and takes the others, exit 1', async () => {
    const cwd = await filled();
    const rows = ['v0,pass', 'nope,pass', 'v1,4', 'v2,pass', 'v2,fail', 'v1,', 'v1,"pass'];
    const ran = await importing(cwd, ['verdict_id,label', ...rows].join('\n'));
    expect(ran.code).toBe(1);
    expect(ran.out).toContain('1 verdict ruled on: 1 new');
    expect(ran.err.split('\n')).toEqual([
      'Row 8: a quote is opened and never closed.',
      'Row 3: there is no verdict "nope".',
      'Row 4: "4" is neither pass nor fail, as its rubric requires.',
      'Row 5: contradicts Row 6 on verdict v2.',
      'Row 6: contradicts Row 5 on verdict v2.',
      '1 row without a label left out.',
      '5 rows left out, for some or all verdicts on the same words.',
      '',
    ]);
    expect(await rulings(cwd)).toEqual([{ verdictId: 'v0', right: 'pass', role: 'crowd' }]);
  });

  test('tells a row once, whatever the number of verdicts on its words, and of many that contradict it the first', async () => {
    const cwd = await filled();
    await inDataOf(cwd, (store) =>
      store.saveVerdict(
        aRecord({ id: 'v1b', at: saturday + 9, evalCase: aCase({ response: 'Place 1 is near.' }) }),
      ),
    );
    const asked = aCase().conversation[0]?.text;
    const wrong = await importing(cwd, `user,response,label\n${asked},Place 1 is near.,perhaps\n`);
    expect(wrong.err.match(/^Row 2: "perhaps" is neither/gm)).toHaveLength(1);
    const rows = ['pass', ...Array.from({ length: 5 }, () => 'fail')].map((label) => `v0,${label}`);
    const ran = await importing(cwd, ['verdict_id,label', ...rows].join('\n'));
    expect(ran.err).toContain('Row 2: contradicts Row 3, Row 4, Row 5 and 2 more on verdict v0.\n');
    expect(ran.err).toContain('Row 3, Row 4, Row 5 and 2 more: contradicts Row 2 on verdict v0.\n');
    expect(ran.code).toBe(64);
  });

  test('takes single votes as votes, never as rulings above the votes of all', async () => {
    const cwd = await filled();
    const votes = 'task,worker,label\nv0,zoe,nok\nv0,U0123ABCD,unsure\nnope,zoe,pass\nv0,zoe,pass\n';
    const ran = await importing(cwd, votes, ['--map-value', 'nok=fail']);
    const misplaced = await importing(cwd, votes, ['--map-value', 'worker:zoe=fail']);
    expect(misplaced.err).toContain('Column "worker" is not read as a label. Add --map worker=label.');
    expect(ran).toMatchObject({ code: 1, out: '2 votes counted, 0 already there.\n' });
    expect(ran.err.split('\n')).toEqual([
      'Row 4: there is no verdict "nope".',
      'Row 5: is a second vote of the same person, after Row 2.',
      '2 rows left out.',
      '',
    ]);
    expect(await rulings(cwd)).toEqual([]);
    expect((await importing(cwd, 'task,worker,label\nv0,zoe,fail\n')).out).toContain(
      '0 votes counted, 1 already',
    );
    // A vote that was cast here stands.
    expect((await importing(cwd, 'task,worker,label\nv0,zoe,pass\n')).out).toContain(
      '1 not taken because the person voted otherwise here',
    );
    // Under pseudonyms, so that a person can be forgotten.
    expect((await jury(['labels', 'forget', 'U0123ABCD'], { cwd })).out).toContain('Erased 1 vote');
    expect((await jury(['labels', 'forget', 'name:zoe'], { cwd })).out).toContain('Erased 1 vote');
  });

  test('takes the answers of an annotation tool as votes on the verdicts about the same words', async () => {
    const cwd = await filled();
    const choice = (said: string) => ({ from_name: 'ok', type: 'choices', value: { choices: [said] } });
    const asked = aCase().conversation[0]?.text;
    const tasks = [
      {
        id: 1,
        data: { question: asked, answer: 'Place 2 is near.' },
        annotations: [
          { completed_by: 7, result: [choice('Yes')] },
          { completed_by: { email: 'bea@example.org' }, result: [choice('No')] },
        ],
      },
    ];
    writeFileSync(join(cwd, 'tasks.json'), JSON.stringify(tasks));
    const args = [
      'labels',
      'import',
      'tasks.json',
      '--map',
      'ok=label',
      '--map',
      'id=-',
      '--map-value',
      'Yes=pass,No=fail',
    ];
    expect(await jury(args, { cwd })).toMatchObject({ code: 0, out: '2 votes counted, 0 already there.\n' });
    expect((await jury(['labels', 'show', 'v2'], { cwd })).out).toContain('1 agree, 1 disagree');
    const forgotten = await jury(['labels', 'forget', 'import:file:bea@example.org'], { cwd });
    expect(forgotten.out).toContain('Erased 1 vote');
    const odd = await jury([...args.slice(0, 3), '--map', 'ok=lable'], { cwd });
    expect(odd).toMatchObject({ code: 64, err: expect.stringContaining('There is no field "lable"') });
  });

  test('reads back the votes that export writes for Crowd-Kit', async () => {
    const cwd = await filled();
    const [ada, bea] = ['A'.repeat(22), `${'-_'.repeat(10)}-w`];
    await inDataOf(cwd, async (store) => {
      await voteOn(store, 'v1', { [ada]: 'agree', [bea]: ['disagree', { decision: 'pass' }] });
      await voteOn(store, 'v2', { [bea]: 'agree' });
    });
    const exported = async (folder: string) =>
      (await jury(['labels', 'export', '--format', 'crowdkit', '-r', 'navigation'], { cwd: folder })).out;
    const votes = (await exported(cwd)).replace(/^v0,.*\n/m, '');
    expect(votes).toContain(`v1,${bea},pass`);
    const elsewhere = scratch();
    await inDataOf(elsewhere, async (store) => {
      for (const n of [1, 2])
        await store.saveVerdict(
          aRecord({ id: `v${n}`, at: saturday + n, evalCase: aCase({ response: `Place ${n} is near.` }) }),
        );
    });
    const taken = async () => (await importing(elsewhere, votes, ['--pseudonyms'])).out;
    expect(await taken()).toBe('3 votes counted, 0 already there.\n');
    expect(await taken()).toBe('0 votes counted, 3 already there.\n');
    expect(await exported(elsewhere)).toBe(votes);
  });

  test('keeps no name of a voter, however much it looks like a pseudonym', async () => {
    const cwd = await filled();
    const name = 'MarieCurie-Sklodowskaw';
    const votes = `task,worker,label\nv0,${name},pass\nv1,AnneMarieSchwarzenbach,pass\nv2,zoe,pass\n`;
    const ran = await importing(cwd, votes, []);
    expect(ran).toMatchObject({ code: 1, out: '2 votes counted, 0 already there.\n' });
    expect(ran.err).toContain('Row 2: the voter looks like a pseudonym: add --pseudonyms');
    expect((await importing(cwd, votes.replace(name, `name:${name}`), [])).code).toBe(0);
    expect((await importing(cwd, votes.replace(name, 'ann'), ['--pseudonyms'])).err).toContain(
      'Row 2, Row 3, Row 4: the voter is not a pseudonym.',
    );
    const exported = await jury(['labels', 'export', '--format', 'crowdkit'], { cwd });
    expect(exported.out).toMatch(/^v2,[\w-]{22},pass$/m);
    expect(exported.out).not.toMatch(/marie|zoe/i);
    const rulings = await importing(cwd, 'task,label\nv0,pass\n', ['--as', 'crowd', '--pseudonyms']);
    expect(rulings).toMatchObject({ code: 64, err: expect.stringContaining('--pseudonyms goes with') });
  });

  test('finds verdicts by what was asked and answered, also as a table for spreadsheets holds it', async () => {
    const cwd = await filled();
    await inDataOf(cwd, async (store) => {
      const evalCase = aCase({ response: '=Place 1 is near.' });
      await store.saveVerdict(aRecord({ id: 'odd', at: saturday + 10, evalCase }));
      await store.saveVerdict(aRecord({ id: 'again', at: saturday + 11, evalCase }));
      await store.saveVerdict(
        aRecord({
          id: 'v1-in-car',
          at: saturday + 12,
          evalCase: aCase({ response: 'Place 1 is near.' }),
          verdict: { rubric: 'in-car' },
        }),
      );
    });
    const asked = 'find me a sushi place  RATED at least 4.';
    const ran = await importing(
      cwd,
      [
        'user;response;label;note;role;rubric',
        `${asked};'=Place 1 is near.;pass;seen;owner;`,
        `${asked};Place 1 is near.;pass;;;`,
        `${asked};place 1 is near.;fail;;;in-car`,
        `${asked};Place 9 is near.;fail;;;`,
      ].join('\n'),
    );
    expect(ran.code).toBe(1);
    expect(ran.err).toContain(
      'Row 3: the text was judged by several rubrics (in-car, navigation): add a "rubric" column that names one.',
    );
    expect(ran.err).toContain('Row 5: there is no verdict on this text.');
    expect((await rulings(cwd)).sort((a, b) => (a.verdictId < b.verdictId ? -1 : 1))).toEqual([
      { verdictId: 'again', right: 'pass', role: 'owner', comment: 'seen' },
      { verdictId: 'odd', right: 'pass', role: 'owner', comment: 'seen' },
      { verdictId: 'v1-in-car', right: 'fail', role: 'crowd' },
    ]);
  });

  test('reads back what export writes, in both formats', async () => {
    const cwd = await filled();
    await jury(
      ['labels', 'adjudicate', 'v1', 'fail', '--by', 'owner', '--note', 'Closed.', '--error-type', 'time'],
      { cwd },
    );
    for (const format of ['csv', 'jsonl']) {
      await jury(['labels', 'export', '--format', format, '--output', `out.${format}`], { cwd });
      const ran = await jury(['labels', 'import', `out.${format}`, '--as', 'owner'], { cwd });
      expect(ran.out).toBe('1 verdict ruled on: 0 new, 0 replaced, 1 unchanged.\n');
    }
    expect(await rulings(cwd)).toEqual([
      { verdictId: 'v1', right: 'fail', role: 'owner', errorType: 'time', comment: 'Closed.' },
    ]);
  });

  test.each([
    ['task,label\nv0,pass\n', [], 'the role of the ruling is missing: add --as "safety lead"'],
    ['a,b\n1,2\n', ['--as', 'x'], 'No column holds labels: name one "label"'],
    ['label\npass\n', ['--as', 'x'], 'Nothing says what the labels are about'],
    ['task,label\nv9,pass\n', ['--as', 'x'], 'No row of labels.csv became a ruling. Nothing was changed.'],
    ['', ['--as', 'x'], 'The file is empty'],
  ])('refuses %j, exit 64', async (text, args, problem) => {
    const ran = await importing(await filled(1), text, args);
    expect(ran.code).toBe(64);
    expect(ran.err).toContain(problem);
  });
});
