import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, test } from 'vitest';
import { PooledPanels } from '../../src/reports/pool-panels.ts';
import { Report } from '../../src/reports/report.ts';
import { createRandom } from '../../src/statistics/index.ts';
import { jury, scratch } from '../support/run-jury.ts';

const cwd = scratch();
const bench = (...args: string[]) => jury(['bench', ...args], { cwd, columns: 160 });
const random = createRandom('a panel');

const cases = Array.from({ length: 120 }, (_, index) => ({
  id: `c${index}`,
  rubric: 'question-answering',
  conversation: [{ role: 'user', text: 'How far is it?' }],
  response: 'Two kilometers.',
}));
const turned = (truth: string, isTurned: boolean) => ((truth === 'pass') === isTurned ? 'fail' : 'pass');

/** Three models that share most of their errors, and people who err now and then. */
const rows = cases.map(({ id }) => {
  const truth = random.fraction() < 0.5 ? 'pass' : 'fail';
  const hard = random.fraction() < 0.2;
  const judges = ['alpha', 'beta', 'gamma'].map((name) => {
    const errs = random.fraction() < 0.8 ? hard : random.fraction() < 0.2;
    return { name, said: turned(truth, errs) };
  });
  const people = Array.from({ length: 6 }, (_, at) => ({
    name: `person-${at}`,
    said: turned(truth, random.fraction() < 0.1),
  }));
  return { id, judges, people };
});

const csv = (head: string, lines: readonly string[]) => `${[head, ...lines].join('\n')}\n`;
const judgements = rows.flatMap(({ id, judges }) => judges.map(({ name, said }) => `${id},${name},${said}`));
const labels = (count: number) =>
  csv(
    'case,annotator,decision',
    rows.flatMap(({ id, people }) => people.slice(0, count).map(({ name, said }) => `${id},${name},${said}`)),
  );

beforeAll(async () => {
  writeFileSync(join(cwd, 'cases.jsonl'), cases.map((one) => `${JSON.stringify(one)}\n`).join(''));
  writeFileSync(join(cwd, 'judgements.csv'), csv('case,judge,decision', judgements));
  writeFileSync(
    join(cwd, 'personas.csv'),
    csv(
      'case,judge,decision,model',
      judgements.map((line) => `${line},one-model`),
    ),
  );
  writeFileSync(join(cwd, 'people.csv'), labels(3));
  writeFileSync(join(cwd, 'pair.csv'), labels(2));
  for (const [name, file, people] of [
    ['models', 'judgements.csv', 'people.csv'],
    ['personas', 'personas.csv', 'people.csv'],
    ['few', 'judgements.csv', 'pair.csv'],
  ] as const)
    await bench('import', file, '--cases', 'cases.jsonl', '--labels', people, '--name', name);
});

const valueIn = (measure: { defined: boolean; value?: number } | null | undefined) =>
  measure?.value ?? Number.NaN;
const reportOf = async (name: string) =>
  Report.parse(JSON.parse((await bench('report', name, '--json')).out));

describe('what the panel adds', () => {
  test('stands in the report in words first, then in tables', async () => {
    const { out } = await bench('report', 'models');
    const section = out.slice(out.indexOf('What the panel adds'));
    expect(section).toMatch(
      /^What the panel adds\nThree judges agree with people on \d+ % of 120 cases \(\d+–\d+\)\.\nA single judge, picked by how it did on other cases(?: \((?:alpha|beta|gamma) both times\))?: \d+\.\d %; [^.]*\.\nThey err on the same cases: three judges are worth 1\.\d independent ones \(1\.\d–[12]\.\d\)\.\nWithout (?:alpha|beta|gamma): the same decision on \d+ %, a third fewer calls/,
    );
    expect(section).toContain('Judge by judge');
    expect(section).toContain('In place of a person');
    expect(section).not.toContain('person-');
  });

  test('counts the same as a recount of the table by hand', async () => {
    const { panels } = await reportOf('models');
    const [panel, ...others] = panels;
    expect(others).toEqual([]);
    const majority = (said: readonly string[]) =>
      said.filter((one) => one === 'pass').length * 2 > said.length ? 'pass' : 'fail';
    const truths = rows.map(({ people }) => majority(people.slice(0, 3).map(({ said }) => said)));
    const share = (of: (row: (typeof rows)[number]) => string) =>
      rows.filter((row, at) => of(row) === truths[at]).length / rows.length;
    expect(panel?.judges.map(({ name, accuracy }) => [name, accuracy.measure])).toEqual(
      ['alpha', 'beta', 'gamma'].map((name, at) => [
        name,
        { defined: true, n: 120, value: share(({ judges }) => judges[at]?.said ?? '') },
      ]),
    );
    expect(panel?.panel.accuracy.measure).toMatchObject({
      value: share(({ judges }) => majority(judges.map(({ said }) => said))),
    });
    // Two judges that disagree have no majority; three that agree decide the same without one of them.
    const first = panel?.judges[0]?.without;
    const split = rows.filter(({ judges }) => judges[1]?.said !== judges[2]?.said).length;
    expect(first).toMatchObject({ undecided: split, same: { measure: { value: 1 - split / 120 } } });
    expect(panel?.annotators).toBe(3);
    expect(panel?.best.holm).toBeNull();
  });

  test('is the same for personas of one model', async () => {
    const [models, personas] = [await reportOf('models'), await reportOf('personas')];
    expect(personas.panels).toEqual(models.panels);
  });

  test('has no alt-test with fewer than three people', async () => {
    const { panels } = await reportOf('few');
    expect(panels.map(({ annotators, panel }) => [annotators, panel.altTest])).toEqual([[null, null]]);
    expect((await bench('report', 'few')).out).not.toContain('In place of a person');
  });

  test('says nothing of several runs side by side', async () => {
    const { out } = await bench('report', 'models', 'personas', '--json');
    expect(Report.parse(JSON.parse(out)).panels).toEqual([]);
  });
});

describe('jury bench pool', () => {
  test('makes every panel of a run without a call, and allows for how many there are', async () => {
    const { code, out } = await bench('pool', 'models', '--panels', 'all', '--up-to', '5', '--json');
    expect(code).toBe(0);
    const { panels } = PooledPanels.parse(JSON.parse(out));
    expect(panels.map(({ judges }) => judges.join('+')).sort()).toEqual([
      ...['alpha+beta', 'alpha+beta+gamma', 'alpha+gamma', 'beta+gamma'],
    ]);
    const [whole] = (await reportOf('models')).panels;
    const three = panels.find(({ judges }) => judges.length === 3);
    expect(three?.accuracy).toEqual(whole?.panel.accuracy);
    expect(three?.effectiveVotes).toEqual(whole?.shared.effectiveVotes);
    expect({ ...three?.best, holm: null }).toEqual(whole?.best);
    // Holm: the smallest of four p-values counts four times.
    const least = panels.toSorted((a, b) => valueIn(a.best.pValue) - valueIn(b.best.pValue))[0];
    expect(valueIn(least?.best.holm)).toBeCloseTo(Math.min(1, 4 * valueIn(least?.best.pValue)), 12);
    // Two judges decide where they agree.
    const split = rows.filter(({ judges }) => judges[0]?.said !== judges[1]?.said).length;
    expect(panels.find(({ judges }) => judges.join('+') === 'alpha+beta')?.undecided).toBe(split);
  });

  test('says in words what came of it', async () => {
    const { out } = await bench('pool', 'models', '--up-to', '2');
    expect(out).toMatch(
      /^Panels\nBeyond chance, 1 of 3 panels agrees less with people than a single judge, picked by how it did on other cases\.\n/,
    );
    expect(out).toContain('Judge picked on other cases');
    expect(out).not.toMatch(/best (?:one )?alone/i);
    expect(out).toContain('Made of what the judges of models said, without a call');
  });

  test('takes the judges of one panel, and says who they may be', async () => {
    const { out } = await bench('pool', 'models', '--panels', 'gamma,alpha', '--json');
    expect(PooledPanels.parse(JSON.parse(out)).panels).toMatchObject([
      { judges: ['alpha', 'gamma'], best: { holm: null } },
    ]);
    expect(await bench('pool', 'models', '--panels', 'alpha,delta')).toMatchObject({
      code: 64,
      err: expect.stringContaining('There is no judge "delta"'),
    });
    expect(await bench('pool', 'models', '--panels', 'alpha')).toMatchObject({
      code: 64,
      err: expect.stringContaining('write all, or two or more judges'),
    });
  });
});

describe('one judge that is better alone than the panel', () => {
  const others = ['bob', 'cy', 'dee'];
  /** Forty cases; one judge is always right, and three of them err on two of five. */
  const said = cases.slice(0, 40).flatMap(({ id }, at) => {
    const truth = at % 2 === 0 ? 'pass' : 'fail';
    return [
      `${id},ann,${truth}`,
      ...others.map((name, judge) => `${id},${name},${turned(truth, (at + judge) % 5 < 2)}`),
    ];
  });

  beforeAll(async () => {
    const grouped = cases.slice(0, 40).map((one, at) => ({ ...one, tags: { group: `g${at % 7}` } }));
    const lines = (some: readonly object[]) => some.map((one) => `${JSON.stringify(one)}\n`).join('');
    writeFileSync(join(cwd, 'forty.jsonl'), lines(cases.slice(0, 40)));
    writeFileSync(join(cwd, 'grouped.jsonl'), lines(grouped));
    writeFileSync(join(cwd, 'said.csv'), csv('case,judge,decision', said));
    const truths = cases.slice(0, 40).map(({ id }, at) => `${id},${at % 2 === 0 ? 'pass' : 'fail'}`);
    writeFileSync(join(cwd, 'truths.csv'), csv('case,decision', truths));
    for (const name of ['forty', 'grouped'])
      await bench('import', 'said.csv', '--cases', `${name}.jsonl`, '--labels', 'truths.csv', '--name', name);
  });

  test('is named in the report and where panels are pooled, with p-values adjusted for the judges', async () => {
    const [panel] = (await reportOf('forty')).panels;
    const [ann, bob] = panel?.judges ?? [];
    expect(ann).toMatchObject({ name: 'ann', ahead: { difference: { defined: true } } });
    expect(valueIn(ann?.ahead?.difference)).toBeCloseTo(1 - valueIn(panel?.panel.accuracy.measure), 12);
    expect(valueIn(ann?.ahead?.holm)).toBeCloseTo(4 * valueIn(ann?.ahead?.pValue), 12);
    expect(valueIn(bob?.ahead?.difference)).toBeLessThanOrEqual(0);
    const words = 'ann alone agrees on 100.0 %, more than the panel';
    expect((await bench('report', 'forty')).out).toContain(`${words} beyond chance.`);
    const { out } = await bench('pool', 'forty', '--panels', 'bob,cy,dee');
    expect(out).toContain(`${words} beyond chance.`);
    expect(out).toContain('Beyond chance, the panel agrees');
  });

  test('is not called surely better with a few groups of cases, whose number is shown', async () => {
    const { out } = await bench('report', 'grouped');
    expect(out).toContain('of 40 cases in 7 groups (');
    expect(out).not.toContain('ann alone agrees');
    expect((await bench('pool', 'grouped')).out).toContain('40 (7 groups)');
  });
});
