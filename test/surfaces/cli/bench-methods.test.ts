import { once } from 'node:events';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { SpokenTrial, Trial } from '../../../src/benchmark/trial.ts';
import type { EvalCase } from '../../../src/case/case.ts';
import { Report } from '../../../src/reports/report.ts';
import { aCase } from '../../support/builders.ts';
import { type ModelDouble, type ModelDoubleOptions, startModelDouble } from '../../support/model-double.ts';
import { casesOf } from '../../support/run-builders.ts';
import { jury, type Ran, scratch, spawnJury } from '../../support/run-jury.ts';

let cwd: string;
let double: ModelDouble;
beforeEach(() => {
  cwd = scratch();
});
afterEach(() => double?.close());

const labeled: Partial<EvalCase> = { rubric: 'navigation', label: { decision: 'pass' } };
/** Cases that differ in what judges read. */
const differing = (count: number) =>
  casesOf(count, labeled).map((one, index) => ({ ...one, response: `Sakura is ${index} minutes away.` }));
const env = () => ({ OPENAI_BASE_URL: double.baseUrl, OPENAI_API_KEY: 'none' });
const words = (line: string) => line.split(' ');
const bench = (line: string): Promise<Ran> => jury(words(`bench ${line}`), { cwd, env: env() });
const run = (line: string) => bench(`run cases.jsonl ${line}`);

async function begin(cases: readonly EvalCase[], options: ModelDoubleOptions = {}): Promise<void> {
  double = await startModelDouble(options);
  writeFileSync(join(cwd, 'cases.jsonl'), cases.map((one) => JSON.stringify(one)).join('\n'));
}

interface Summary {
  id: string;
  calls: number;
  savedCalls: number;
  cached: number;
}
const summaries = ({ out }: Ran): Summary[] => JSON.parse(out).configurations;
const linesOf = (text: string): string[] => text.split('\n').filter((line) => line !== '');
const trialsOf = async (name: string): Promise<Trial[]> =>
  linesOf((await bench(`show ${name} --trials`)).out).map((line) => Trial.parse(JSON.parse(line)));

const GRID =
  '--methods io,io-plain,cot-0,cot-3,sc-3,mab,mad,mpsc --models openai/gpt-4o-mini --temperatures 0,0.2,0.4,0.6';

describe('a grid of temperatures', () => {
  test('runs over every method, samples at temperature 0 too, each answered by itself', async () => {
    await begin(differing(2));
    const ran = await run(`${GRID} --no-early-stop --json --name grid`);
    expect(ran.code, ran.err).toBe(0);
    const calls = new Map(summaries(ran).map((one) => [one.id, one.calls]));
    expect(calls.size).toBe(8 * 4);
    for (const t of [0, 0.2, 0.4, 0.6]) expect(calls.get(`sc-3 openai/gpt-4o-mini t${t} #1`)).toBe(6);
    const sent = double.requests.filter(({ body }) => body.temperature === 0);
    // io, io-plain, cot-0, cot-3 and mpsc 1 call a case, sc-3, mab and mad (who agree at once) 3.
    expect(sent).toHaveLength(2 * (5 + 3 * 3));
    // With the cache on, methods with the same prompt do not take each other's answers.
    expect(summaries(ran).every(({ cached }) => cached === 0)).toBe(true);
  });

  test('says to which models no temperature is sent', async () => {
    await begin(differing(1));
    const grid = '--methods io --models openai/gpt-4o,openai/o3-mini,rules --plan --temperatures';
    expect((await run(`${grid} 0,0.5`)).err).toContain('No temperature is sent to openai/o3-mini and rules:');
    expect((await run(`${grid} 0`)).err).not.toContain('No temperature');
  });

  test('takes answers at temperature 0 from the cache in the next run, and none without it', async () => {
    await begin(differing(2));
    const small = '--methods cot-3,sc-3 --models openai/gpt-4o-mini --temperatures 0 --no-early-stop --json';
    await run(`${small} --name first`);
    expect(double.counts.received).toBe(8);
    expect(summaries(await run(`${small} --name second`)).map(({ cached }) => cached)).toEqual([2, 6]);
    expect(double.counts.received).toBe(8);
    const text = (name: string) => bench(`show ${name}`);
    expect((await text('second')).out).toContain(', 8 answers from the cache, ');
    expect((await text('first')).out).not.toContain('from the cache');
    await run(`${small} --name third --no-cache`);
    expect(double.counts.received).toBe(16);
  });

  test('caches no answer about a case from a chat, where nothing would erase it', async () => {
    await begin(differing(1).map((one) => ({ ...one, id: 'abc0123456789abc0123' })));
    for (const name of ['first', 'second'])
      await run(`--methods io --models openai/gpt-4o-mini --temperatures 0 --json --name ${name}`);
    expect(double.counts.received).toBe(2);
    expect(existsSync(join(cwd, 'data', 'answers'))).toBe(false);
  });

  test('resumes after a kill, and no trial is kept twice', async () => {
    await begin(differing(6), { delayMs: 10 });
    const line = `bench run cases.jsonl ${GRID} --no-cache --concurrency 4 --name killed`;
    const child = spawnJury(words(line), { cwd, env: env() });
    while (double.counts.received < 120) await sleep(5);
    child.kill('SIGKILL');
    await once(child, 'exit');
    const ran = await run(`${GRID} --no-cache --concurrency 20 --json --name killed`);
    expect(ran.code, ran.err).toBe(0);
    expect(ran.err).toMatch(/\d+ trials already there/);
    const keys = (await trialsOf('killed')).map(({ key }) => key);
    expect([keys.length, new Set(keys).size]).toEqual([6 * 32, 6 * 32]);
  });
});

describe('several panels in one run', () => {
  const PANELS =
    '--methods max-vote,io --panel-models trio=openai/a,openai/b,openai/c --panel-models openai/a,openai/b --repeat 2';

  test('are each a configuration of methods that seat several models', async () => {
    await begin(differing(3), {
      answer: ({ body }) => ({ fields: { decision: body.model === 'b' ? 'fail' : 'pass' } }),
    });
    const plan = await run(`${PANELS} --plan`);
    expect(plan.err).toContain('Panel trio: openai/a, openai/b, openai/c');
    const ran = await run(`${PANELS} --json --name panels`);
    expect(ran.code, ran.err).toBe(0);
    const made = JSON.parse(ran.out).configurations;
    expect(
      made
        .slice(0, 5)
        .map(({ id, calls, decisions }: { id: string; calls: number; decisions: object }) => [
          id,
          calls,
          decisions,
        ]),
    ).toMatchObject([
      ['max-vote trio t0 #1', 9, { pass: 3 }],
      ['max-vote openai/a+openai/b t0 #1', 6, { undecided: 3 }],
      ['io openai/a t0 #1', 3, { pass: 3 }],
      ['io openai/b t0 #1', 3, { fail: 3 }],
      ['io openai/c t0 #1', 3, { pass: 3 }],
    ]);
    expect((await bench('report panels')).out).toContain('max-vote trio t0');
    const other = await run('--methods max-vote --panel-models trio=openai/a,openai/c --name panels');
    expect(other.err).toContain('panels: trio (openai/a, openai/b, openai/c), ');
    expect(other.err).toContain(' → trio (openai/a, openai/c)');
    const unused = await run('--methods io --panel-models trio=openai/a,openai/c --name unused');
    expect(unused.code).toBe(64);
    expect(unused.err).toContain('Panels of models need a method that seats several models');
  });

  test.each(['=rules', 'my panel=rules', 'trio='])('cannot be named %s', async (panel) => {
    await begin(casesOf(1));
    const ran = await jury(
      ['bench', 'run', 'cases.jsonl', '--methods', 'max-vote', '--panel-models', panel, '--plan'],
      { cwd },
    );
    expect(ran.err).toContain('Must be models separated by commas, such as trio=');
    expect(ran.code).toBe(64);
  });

  test('pair personas with models one to one', async () => {
    await begin(casesOf(1, { rubric: 'core', recommendations: [['A', 'B']], groundTruth: 'A' }));
    const seats = '--methods core-debate-pairs --panel-models mix=openai/a,openai/b,openai/c,openai/a';
    const ran = await run(`${seats} --json --name pairs`);
    expect(ran.code, ran.err).toBe(0);
    const [trial] = await trialsOf('pairs');
    const first = trial?.judgements.filter(({ round }) => round === 0).map(({ judge }) => judge);
    expect(first).toEqual([
      { persona: 'common-user', model: 'openai/a', sample: 0 },
      { persona: 'domain-expert', model: 'openai/b', sample: 0 },
      { persona: 'linguist', model: 'openai/c', sample: 0 },
      { persona: 'hci-expert', model: 'openai/a', sample: 0 },
    ]);
    expect(trial?.ratings?.map(({ judge }) => judge.model)).toEqual(['openai/a', 'openai/b', 'openai/c']);
    const few = await run('--methods core-debate-pairs --panel-models openai/a,openai/b --name few');
    expect([few.code, few.err]).toEqual([64, expect.stringContaining('Name as many models as personas')]);
  });
});

describe('early stop', () => {
  test('can be left out, decides the same, and its saving is reported', async () => {
    await begin(differing(4));
    const methods = '--methods sc-5 --models openai/gpt-4o-mini --json';
    const early = await run(`${methods} --name early`);
    const all = await run(`${methods} --no-early-stop --name all`);
    expect(summaries(early)).toMatchObject([{ calls: 12, savedCalls: 8, decisions: { pass: 4 } }]);
    expect(summaries(all)).toMatchObject([{ calls: 20, savedCalls: 0, decisions: { pass: 4 } }]);
    expect((await bench('show early')).out).toMatch(/saved calls[\s\S]*\b8\b/);
    expect((await bench('report early')).out).toContain('8 saved in all');
    const report = Report.parse(JSON.parse((await bench('report all --json')).out));
    expect(report.setups[0]?.efficiency.savedCalls).toBe(0);
    // It is part of what the run is.
    const other = await run(`${methods} --no-early-stop --name early`);
    expect(other.code).toBe(64);
    expect(other.err).toContain('early stop: yes → no');
  });

  test('of a panel decides the same with fewer calls, and its judges are not compared', async () => {
    await begin(differing(4));
    const panel = '--methods mab --models openai/gpt-4o-mini --json';
    const [all, few] = [await run(`${panel} --name all`), await run(`${panel} --stop decided --name few`)];
    const [whole, stopped] = [summaries(all)[0], summaries(few)[0]];
    expect(whole).toMatchObject({ savedCalls: 0, decisions: { pass: 4 } });
    expect(stopped).toMatchObject({ decisions: { pass: 4 } });
    expect([stopped?.savedCalls, stopped?.calls]).toEqual([(whole?.calls ?? 0) - (stopped?.calls ?? 0), 8]);
    const report = Report.parse(JSON.parse((await bench('report few --json')).out));
    expect(report.setups[0]?.agreement.judges).toBeNull();
    expect((await bench('report few --by persona')).out).toContain('do not compare them');
    expect((await bench('report all --by persona')).out).not.toContain('do not compare them');
    const why = /judges were not all asked, and nothing fair can be compared\. Judge without --stop decided/;
    const pooled = await bench('pool few');
    expect([pooled.code, pooled.err.replaceAll(/\s+/g, ' ')]).toEqual([64, expect.stringMatching(why)]);
    expect((await bench('report few')).out.replaceAll(/\s+/g, ' ')).toMatch(why);
    expect((await bench('report all')).out).not.toContain('not all asked');
    const debate = await run('--methods mad --models openai/gpt-4o-mini --stop decided --name mad');
    expect([debate.code, debate.err]).toEqual([64, expect.stringContaining('cannot stop once')]);
    const often = await run(`${panel} --stop often --name often`);
    expect([often.code, often.err]).toEqual([64, expect.stringContaining('The only choice is decided')]);
  });
});

describe('a method that asks for no reasons', () => {
  test('decides at once: no reason in the schema, the prompt, the trial or the verdict', async () => {
    await begin(casesOf(1, labeled), { answer: () => ({ fields: { decision: 'fail' } }) });
    const ran = await run('--methods io-plain,io --models openai/gpt-4o-mini --json --name plain');
    expect(ran.code, ran.err).toBe(0);
    const [plain, brief] = double.requests.map(
      ({ schema, system }) => `${JSON.stringify(schema)}\n${system}`,
    );
    const [without, withReasons] = plain?.includes('without reasons') ? [plain, brief] : [brief, plain];
    expect(without).not.toContain('rationale');
    expect(without).not.toMatch(/reasons? in English|with the reason/);
    expect(withReasons).toContain('rationale');
    await bench('report plain --out report');
    const trials = linesOf(readFileSync(join(cwd, 'report', 'trials.jsonl'), 'utf8')).map((line) =>
      SpokenTrial.parse(JSON.parse(line)),
    );
    expect(trials.find(({ method }) => method === 'io-plain')?.judgements[0]).toMatchObject({
      decision: 'fail',
      rationale: null,
    });
    const judge = words('judge cases.jsonl --method io-plain --model openai/gpt-4o-mini');
    const verdict = JSON.parse((await jury([...judge, '--json'], { cwd, env: env() })).out);
    expect(verdict.judgements[0]).toMatchObject({ decision: 'fail', rationale: null });
    expect(verdict.criteria[0]).toMatchObject({ decision: 'fail', rationale: null });
    expect(verdict.why).toContain('Location, Time, Cost, Rating and Cuisine do not hold');
    const card = await jury(judge, { cwd, env: env() });
    expect(card.out).toContain('do not hold');
    expect(card.out).not.toContain('null');
  });
});

describe('what methods have in common', () => {
  test('is said by run and report: equal prompts, and too few worked examples', async () => {
    await begin(casesOf(1, { rubric: 'core', recommendations: [['A', 'B']], groundTruth: 'A' }));
    const ran = await run('--methods cot-3,cot-5,io,max-vote --models openai/gpt-4o-mini --name same');
    const short = 'cot-5 shows 3 worked examples instead of 5: rubric core has no more.';
    const same = [
      'cot-3 and cot-5 send the same prompt (rubric core).',
      'io and max-vote send the same prompt (rubric core).',
    ];
    for (const note of [short, ...same]) expect(ran.err).toContain(note);
    const report = Report.parse(JSON.parse((await bench('report same --json')).out));
    expect(report.notes).toEqual([short, ...same]);
    const shown = (await bench('report same')).out.replaceAll(/\s+/g, ' ');
    for (const note of [short, ...same]) expect(shown).toContain(note);
  });
});

describe('a criterion that need not apply', () => {
  const labels: EvalCase['label'][] = [
    { criteria: { 'follow-up': 'not-relevant' } },
    { decision: 'pass', criteria: { 'follow-up': 'pass' } },
    { decision: 'fail', criteria: { 'follow-up': 'fail' } },
    { decision: 'fail', criteria: { 'follow-up': 'fail' } },
  ];
  const cases = labels.map((label, index) => ({
    ...aCase({ id: `c${index}`, rubric: 'follow-up', response: `Answer ${index}.` }),
    ...(label === undefined ? {} : { label }),
  }));

  test('keeps relevance and decision apart, from the judgement to the report', async () => {
    // One of three models finds c1 not relevant; all of them find c0 and c3 not relevant, and decide them all the same.
    await begin(cases, {
      answer: ({ user, body }) => {
        const aside = /Answer [03]/.test(user) || (user.includes('Answer 1') && body.model === 'c');
        return { fields: { decision: /Answer [01]/.test(user) ? 'pass' : 'fail', relevant: !aside } };
      },
    });
    const panel = '--methods max-vote --panel-models trio=openai/a,openai/b,openai/c';
    const ran = await run(`${panel} --json --name relevance`);
    expect(ran.code, ran.err).toBe(0);
    expect(double.requests[0]?.system).toContain('Decide it all the same');
    const findings = (await trialsOf('relevance')).map(({ caseId, criteria }) => [caseId, criteria]).sort();
    expect(findings).toEqual([
      ['c0', [{ id: 'follow-up', decision: 'not-relevant', ifRelevant: 'pass', score: null }]],
      ['c1', [{ id: 'follow-up', decision: 'pass', ifRelevant: 'pass', score: null }]],
      ['c2', [{ id: 'follow-up', decision: 'fail', score: null }]],
      ['c3', [{ id: 'follow-up', decision: 'not-relevant', ifRelevant: 'fail', score: null }]],
    ]);
    const report = Report.parse(JSON.parse((await bench('report relevance --json')).out));
    const [criterion] = report.setups[0]?.criteria ?? [];
    // Labels find c1, c2 and c3 relevant, the panel c1 and c2; it decides c1, c2 and c3 as labeled, c3 if it were relevant.
    expect(criterion?.relevance).toMatchObject({
      relevant: 2,
      notRelevant: 2,
      accuracy: { measure: { value: 0.75, n: 4 } },
      anyway: { accuracy: { measure: { value: 1, n: 3 } } },
    });
    // What is found not relevant, though the label decides it, is no right decision.
    expect(criterion?.accuracy?.measure).toMatchObject({ value: 2 / 3, n: 3 });
    expect((await bench('report relevance')).out).toMatch(/Relevance\n[\s\S]*2 of 4/);
    await bench('report relevance --out report');
    expect(readFileSync(join(cwd, 'report', 'criteria.csv'), 'utf8')).toContain('relevance kappa');

    const judge = 'judge cases.jsonl --method io --model openai/a --json';
    const [first = ''] = linesOf((await jury(words(judge), { cwd, env: env() })).out);
    expect(JSON.parse(first)).toMatchObject({
      decision: 'undecided',
      criteria: [{ decision: 'not-relevant', ifRelevant: 'pass' }],
      judgements: [{ reason: 'not-relevant', criteria: [{ decision: 'not-relevant', ifRelevant: 'pass' }] }],
    });
  });

  test('is labeled so only if it need not apply', async () => {
    await begin([aCase({ id: 'c', rubric: 'navigation', label: { criteria: { cost: 'not-relevant' } } })]);
    const ran = await run('--methods io --models openai/a');
    expect([ran.code, ran.err]).toEqual([64, expect.stringContaining('it applies to every case')]);
  });
});
