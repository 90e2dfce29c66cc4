import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { dirname, join } from 'node:path';
import { describe, expect, test } from 'vitest';
import * as z from 'zod';
import { EvalCase } from '../../../src/case/case.ts';
import { startModelDouble } from '../../support/model-double.ts';
import { repeated } from '../../support/repeated.ts';
import { jury, scratch, verdictsOf } from '../../support/run-jury.ts';

const linesOf = (text: string): string[] => text.split('\n').filter((line) => line !== '');
const casesOf = (text: string): EvalCase[] => linesOf(text).map((line) => EvalCase.parse(JSON.parse(line)));

describe('jury dataset generate', () => {
  test('prints labeled cases that "jury judge" judges exactly as they are labeled', async () => {
    const users = repeated(100);
    const made = await jury(['dataset', 'generate', 'navigation', '--users', `${users}`, '--seed', '11']);
    expect(made.code).toBe(0);
    const cases = casesOf(made.out);
    expect(cases).toHaveLength(6 * users);
    expect(made.err).toContain(
      `${6 * users} cases of ${users} users, seed 11. Drive times: assumed: roads 1.3 times`,
    );

    const judged = await jury(['judge', '--model', 'rules', '--json'], { input: made.out });
    const found = verdictsOf(judged).map(({ caseId, decision, criteria }) => ({
      id: caseId,
      decision,
      failing: criteria.filter((criterion) => criterion.decision !== 'pass').map(({ id }) => id),
    }));
    expect(found).toEqual(
      cases.map(({ id, label }) => ({
        id,
        decision: label?.decision,
        failing: label?.errorType === undefined ? [] : [label.errorType],
      })),
    );
    expect(judged.code).toBe(1);
  });

  test('writes the same bytes to a file', async () => {
    const cwd = scratch();
    const { out } = await jury(['dataset', 'generate', '--users', '3', '--seed', '5']);
    const filed = await jury(['dataset', 'generate', '--users', '3', '--seed', '5', '--out', 'set.jsonl'], {
      cwd,
    });
    expect(filed).toMatchObject({ code: 0, out: '' });
    expect(filed.err).toContain('18 cases of 3 users, seed 5, in set.jsonl');
    expect(readFileSync(join(cwd, 'set.jsonl'), 'utf8')).toBe(out);
  });

  test.each([
    ['a domain that is not there', ['nothing'], /There is no domain "nothing"\. There are: .*navigation/],
    ['no users', ['--users', '0'], /whole number from 1/],
    [
      'a file that cannot be written',
      ['--out', 'no/such/folder.jsonl'],
      /Cannot write no\/such\/folder\.jsonl: the folder no\/such does not exist; make it first\./,
    ],
    ['the exact checks as a model', ['--paraphrase', 'rules'], /cannot rephrase/],
    ['a model without a key', ['--paraphrase', 'openai/x'], /set OPENAI_API_KEY/],
  ])('%s: 64, with what to do', async (_name, args, message) => {
    const { code, err } = await jury(['dataset', 'generate', '--users', '1', ...args]);
    expect(code).toBe(64);
    expect(err).toMatch(message);
  });

  test('lets a model say the requests in other words and tells how that went', async () => {
    const double = await startModelDouble({
      answer: ({ user, n }) => ({
        json: { utterance: n === 1 ? 'Feed me.' : `Hi there. ${linesOf(user)[1] ?? ''}` },
      }),
    });
    const { code, err, out } = await jury(
      ['dataset', 'generate', '--users', '2', '--seed', '5', '--paraphrase', 'openai/x'],
      { env: { OPENAI_BASE_URL: double.baseUrl, OPENAI_API_KEY: 'sk-double' } },
    );
    await double.close();
    expect(code).toBe(0);
    expect(err).toContain(
      'openai/x rephrased 1 of 2 requests; the original was kept where 1 could no longer be read as labeled.',
    );
    const said = casesOf(out).map(({ conversation }) => conversation[0]?.text ?? '');
    expect(said.filter((text) => text.startsWith('Hi there. '))).toHaveLength(6);
  });

  test('ends where the endpoint refuses the key, and names the variable', async () => {
    const double = await startModelDouble({ answer: () => ({ status: 401, error: 'Incorrect API key' }) });
    const { code, err, out } = await jury(
      ['dataset', 'generate', '--users', '3', '--paraphrase', 'openai/x'],
      { env: { OPENAI_BASE_URL: double.baseUrl, OPENAI_API_KEY: 'sk-double' } },
    );
    await double.close();
    expect({ code, out }).toEqual({ code: 69, out: '' });
    expect(err).toContain('set OPENAI_API_KEY to a valid key');
  });

  test('asks the route service that is set', async () => {
    const server = createServer((request, response) => {
      const far = (request.url ?? '').includes(';13.2') || (request.url ?? '').includes(';11.4');
      response.end(JSON.stringify({ code: 'Ok', routes: [{ duration: far ? 1800 : 300, distance: 9000 }] }));
    });
    await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
    const address = z.object({ port: z.number() }).parse(server.address());
    const { code, err, out } = await jury(['dataset', 'generate', '--users', '2'], {
      env: { JURY_ROUTE_URL: `http://127.0.0.1:${address.port}/route/v1/driving` },
    });
    server.close();
    expect(code).toBe(0);
    expect(err).toContain(`Drive times: from the route service 127.0.0.1:${address.port}.`);
    expect(casesOf(out).map(({ recommendation }) => recommendation?.durationMin)).toEqual([
      5, 30, 5, 5, 5, 5, 5, 30, 5, 5, 5, 5,
    ]);
  });
});

describe('jury dataset check', () => {
  test('confirms generated data', async () => {
    const { out: set } = await jury(['dataset', 'generate', '--users', '2']);
    expect(await jury(['dataset', 'check'], { input: set })).toEqual({
      code: 0,
      out: '12 cases: 12 confirmed\n',
      err: '',
    });
  });

  test('says which case deviates, in which criterion and why', async () => {
    const { out: set } = await jury(['dataset', 'generate', '--users', '1']);
    const cases = casesOf(set).map((one) =>
      one.id === 'u001-right' ? { ...one, label: { decision: 'fail', errorType: 'cost' } } : one,
    );
    const input = cases.map((one) => JSON.stringify(one)).join('\n');
    const { code, out } = await jury(['dataset', 'check'], { input });
    expect(code).toBe(1);
    expect(linesOf(out)).toEqual([
      expect.stringMatching(/^u001-right: the label is contradicted\. cost should fail, but passes: /),
      '6 cases: 5 confirmed, 1 contradicted by exact checks',
    ]);
    const asJson = await jury(['dataset', 'check', '--json'], { input });
    expect(JSON.parse(linesOf(asJson.out)[0] ?? '')).toMatchObject({
      caseId: 'u001-right',
      kind: 'contradicted',
      deviations: [{ criterion: 'cost', expected: 'fail', found: 'pass' }],
    });
  });

  test('tells cases apart that cannot be checked', async () => {
    const input = JSON.stringify({ conversation: [{ role: 'user', text: 'Hi' }], response: 'Hello' });
    const { code, out } = await jury(['dataset', 'check', '--rubric', 'question-answering'], { input });
    expect({ code, out }).toEqual({
      code: 1,
      out: 'standard input: has no label.decision\n1 case: 1 without a checkable label\n',
    });
  });

  test('ends with 64 where the input cannot be read', async () => {
    expect((await jury(['dataset', 'check'], { input: '{"a":' })).code).toBe(64);
    expect((await jury(['dataset', 'check', '--rubric', 'nope'], { input: 'User: a\nSystem: b' })).code).toBe(
      64,
    );
  });
});

test('the page of benchmarks shows what generating and checking really print', async () => {
  const page = readFileSync(new URL('../../../docs/benchmarks.md', import.meta.url), 'utf8').replaceAll(
    /\s+/g,
    ' ',
  );
  const [, flags = ''] = /<!-- dataset: (.*?) -->/.exec(page) ?? [];
  const cases = casesOf((await jury(['dataset', 'generate', ...flags.split(' ')])).out);
  expect(page).toContain(`*"${cases[0]?.conversation[0]?.text}"*`);
  const relabeled = cases.map((one, index) =>
    index === 0 ? { ...one, label: { decision: 'fail', errorType: 'rating' } } : one,
  );
  const input = relabeled.map((one) => JSON.stringify(one)).join('\n');
  const { out } = await jury(['dataset', 'check'], { input });
  expect(page).toContain(out.replaceAll(/\s+/g, ' ').trim());
});

describe('jury dataset stats', () => {
  test('prints a table, or JSON', async () => {
    const { out: input } = await jury(['dataset', 'generate', '--users', '10']);
    const { out } = await jury(['dataset', 'stats'], { input });
    expect(out).toMatch(/^cases +60, with 10 different requests\nlabels +fail 50, pass 10\n/);
    expect(out).toMatch(/^error types +cost 10, cuisine 10, location 10, rating 10, time 10$/m);
    const asJson = await jury(['dataset', 'stats', '--json'], { input });
    expect(JSON.parse(asJson.out)).toMatchObject({ cases: 60, labels: { fail: 50, pass: 10 }, missing: [] });
  });
});

describe('jury dataset import', () => {
  const csv =
    '\ufeffquestion;answer;Rating;weather;label\n"Pizza;\nplease";Here;4,5;rain;pass\nHi;Hello;4;sun;perhaps\n';

  test('maps columns, tells how, and says which rows make no case', async () => {
    const { code, err, out } = await jury(['dataset', 'import', '-'], { input: csv });
    expect(code).toBe(1);
    expect(casesOf(out)).toEqual([
      {
        conversation: [{ role: 'user', text: 'Pizza;\nplease' }],
        response: 'Here',
        recommendation: { rating: 4.5 },
        label: { decision: 'pass' },
      },
    ]);
    expect(err).toContain('  question → conversation (by its name)\n');
    expect(err).toContain('  weather → left out: no case field has this name\n');
    expect(err).toMatch(/Row 3 \(line 4\): column "label" must be pass or fail/);
    expect(err).toContain('1 of 2 rows became a case, 1 left out.');
  });

  test('takes given columns, a rubric and a file', async () => {
    const cwd = scratch();
    writeFileSync(join(cwd, 'rows.csv'), 'a,b\nHi,Hello\n');
    const { code } = await jury(
      'dataset import rows.csv --map a=conversation --map b=response --rubric follow-up --out set.jsonl'.split(
        ' ',
      ),
      { cwd },
    );
    expect(code).toBe(0);
    expect(casesOf(readFileSync(join(cwd, 'set.jsonl'), 'utf8'))).toEqual([
      { rubric: 'follow-up', conversation: [{ role: 'user', text: 'Hi' }], response: 'Hello' },
    ]);
  });

  test('writes nothing and ends with 64 where no row makes a case', async () => {
    const cwd = scratch();
    const { code, err } = await jury(['dataset', 'import', '-', '--out', 'set.jsonl'], {
      cwd,
      input: 'a,b\n1,2\n',
    });
    expect(code).toBe(64);
    expect(err).toMatch(/No row became a case; nothing was written\. Name the columns with --map/);
    expect(existsSync(join(cwd, 'set.jsonl'))).toBe(false);
  });
});

/** A domain with a rubric and a lexicon of its own: nothing of it is known to the program. */
const coffee: Record<string, string> = {
  'rubrics/coffee.yaml': `
title: Coffee to go
source: a test
task: Decide whether the bar is the one that was asked for.
needs: [recommendation]
decide: all
panel: [auditor]
method: io
criteria:
  - { id: way, title: Way, rule: Near., check: { type: drive-at-most, minutes: 5, speedKmh: 30, detour: 1.2 } }
  - { id: drink, title: Drink, rule: It is served., check: { type: same-term, lexicon: coffee, field: recommendation.menu } }
  - { id: quality, title: Quality, rule: Good., check: { type: within-range, field: recommendation.rating, name: rating, unit: star, min: 4 } }
`,
  'lexicons/coffee.yaml': `
title: Drinks
source: a test
namesSubject: true
terms:
  - { id: espresso, words: [espresso] }
  - { id: flat-white, words: [flat white] }
  - { id: mocha, words: [mocha] }
  - { id: cold-brew, words: [cold brew] }
`,
  'datasets/areas/village.yaml': `
title: A village
source: a test
cities:
  - name: Village
    users: [North]
    districts: { North: [50.0, 10.0], East: [50.005, 10.01], Far: [50.2, 10.0] }
`,
  'datasets/coffee.yaml': `
title: Coffee
source: a test
rubric: coffee
areas: village
moment: { year: 2025, from: "09:00", to: "09:30" }
fields: { recommendation.name: name }
grammar:
  utterance: ["Find me a(n) {drink.name}.", "I would like a(n) {drink.name}{please}."]
  please: ["", ", please"]
  response: ["{name} has {drink.said}."]
  name: [Bar One, Bar Two]
dimensions:
  - { id: way, kind: drive }
  - id: drink
    kind: term
    field: recommendation.menu
    list: 3
    terms:
      - { value: Espresso, phrases: [{ name: espresso }] }
      - { value: Flat white, phrases: [{ name: flat white }] }
      - { value: Mocha, phrases: [{ name: mocha }] }
      - { value: Cold brew, phrases: [{ name: cold brew }] }
  - id: quality
    kind: number
    field: recommendation.rating
    scale: { from: 1, to: 5, step: 0.5 }
    wishes: [4, 4]
    spread: 1
    off: [0.5, 2]
    phrases: {}
    unasked: at-least
`,
};

test('a domain of one’s own is files alone: it is generated and its labels are confirmed', async () => {
  const cwd = scratch();
  for (const [name, text] of Object.entries(coffee)) {
    mkdirSync(dirname(join(cwd, 'mine', name)), { recursive: true });
    writeFileSync(join(cwd, 'mine', name), text);
  }
  const env = { JURY_PROMPTS_DIR: 'mine' };
  const { code, err, out } = await jury(['dataset', 'generate', 'coffee', '--users', '20'], { cwd, env });
  expect([code, err]).toEqual([0, expect.stringContaining('80 cases of 20 users')]);
  const menus = casesOf(out).map(({ recommendation }) => recommendation?.menu?.length ?? 0);
  expect(new Set(menus)).toEqual(new Set([1, 2, 3]));
  expect(await jury(['dataset', 'check'], { cwd, env, input: out })).toMatchObject({
    code: 0,
    out: '80 cases: 80 confirmed\n',
  });
});
