import { existsSync, mkdirSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Redis } from 'ioredis';
import { afterEach, describe, expect, test } from 'vitest';
import { EvalCase } from '../../../src/case/case.ts';
import { readCsv } from '../../../src/common/text/csv.ts';
import type { CriterionVerdict } from '../../../src/judging/verdict/verdict.ts';
import { openRedisStore } from '../../../src/stores/redis/redis-store.ts';
import type { Store } from '../../../src/stores/store.ts';
import { aCase } from '../../support/builders.ts';
import { inDataOf, voteOn } from '../../support/data-store.ts';
import { redisOfRun } from '../../support/redis.ts';
import { jury, scratch } from '../../support/run-jury.ts';
import { aRecord, aRuling, saturday } from '../../support/store-builders.ts';

const { url } = redisOfRun();
/** A database of its own, since a command line has no prefix of its own. */
const DB = 11;
const ownRedis =
  url === null
    ? null
    : url.startsWith('unix://')
      ? `${url}?db=${DB}`
      : url.replace(/^(redis:\/\/[^/]+).*$/, `$1/${DB}`);
const clientOfOwn = () => new Redis((url ?? '').replace(/^unix:\/\//, ''), { db: DB });

const ends: (() => Promise<unknown>)[] = [];
afterEach(async () => {
  for (const end of ends.splice(0).reverse()) await end();
});

const linesOf = (text: string): string[] => text.split('\n').filter((line) => line !== '');
const casesOf = (text: string): EvalCase[] => linesOf(text).map((line) => EvalCase.parse(JSON.parse(line)));

/** Rows of a CSV text by column. */
function rowsOf(text: string): Record<string, string>[] {
  const [head, ...rows] = readCsv(text, ',').map((row) => ('cells' in row ? row.cells : []));
  return rows.map((cells) => Object.fromEntries(cells.map((cell, n) => [head?.[n] ?? '', cell])));
}

const dimensions = ['location', 'time', 'cost', 'rating', 'cuisine'];

const found = (id: string, decision: 'pass' | 'fail'): CriterionVerdict => ({
  id,
  title: id,
  decision,
  score: null,
  tally: { pass: 0, fail: 0, scored: 0, unscored: 0, notRelevant: 0 },
  rationale: `about ${id}`,
});

/**
 * Verdicts on generated cases whose labels are known; every fifth is wrong. Of five voters three say what is right, one the
 * opposite, and one is not sure.
 */
async function fill(store: Store, cases: readonly EvalCase[]): Promise<void> {
  for (const [n, one] of cases.entries()) {
    const { label, ...evalCase } = one;
    const errorType = label?.errorType;
    const truth = label?.decision ?? 'pass';
    const isWrong = n % 5 === 0;
    const decision = isWrong ? (truth === 'pass' ? 'fail' : 'pass') : truth;
    const failed = decision === 'fail' ? (errorType ?? 'cost') : null;
    await store.saveVerdict(
      aRecord({
        id: `verdict-${n}`,
        at: saturday + n,
        evalCase,
        verdict: {
          caseId: one.id ?? '',
          decision,
          criteria: dimensions.map((id) => found(id, id === failed ? 'fail' : 'pass')),
        },
      }),
    );
    // The error of a label is what people name, even where they agree with the panel.
    const right = [isWrong ? 'disagree' : 'agree', errorType === undefined ? {} : { errorType }] as const;
    await voteOn(store, `verdict-${n}`, {
      ada: [...right],
      bea: [...right],
      cleo: [...right],
      dora: isWrong ? 'agree' : 'disagree',
      emil: 'unsure',
    });
  }
}

describe('labels export', () => {
  test('makes a dataset of votes that can be checked, counted and judged: F1 of the exact checks is 1', async () => {
    const cwd = scratch();
    const generated = await jury(['dataset', 'generate', 'navigation', '--users', '5', '--seed', '7'], {
      cwd,
    });
    const tags = { system: 'BARCOR' };
    const cases = casesOf(generated.out).map((one) => ({ ...one, tags }));
    await inDataOf(cwd, (store) => fill(store, cases));
    const ran = await jury(['labels', 'export', '--output', 'set.jsonl'], { cwd });
    expect(ran).toMatchObject({ code: 0, out: '' });
    expect(ran.err).toContain('30 cases written to set.jsonl.');
    const exported = casesOf(readFileSync(join(cwd, 'set.jsonl'), 'utf8'));
    expect(exported.map(({ label }) => label)).toEqual(cases.map(({ label }) => label));
    expect(exported[0]).toMatchObject({ id: 'verdict-0', rubric: 'navigation', tags });

    const check = await jury(['dataset', 'check', 'set.jsonl'], { cwd });
    expect(check).toMatchObject({ code: 0, out: '30 cases: 30 confirmed\n' });
    const stats = await jury(['dataset', 'stats', 'set.jsonl'], { cwd });
    expect(stats.out).toMatch(/labels\s+fail 25, pass 5/);
    const bench = await jury(['bench', 'run', 'set.jsonl', '--models', 'rules', '--methods', 'io'], { cwd });
    expect(bench.code).toBe(0);
    expect(bench.out).toMatch(/accuracy +F1/);
    expect(bench.out).toMatch(/io rules t0 #1 .* 1\.000 +1\.000/);
  });

  test.skipIf(ownRedis === null)('writes the same from Redis as from SQLite', async () => {
    const client = clientOfOwn();
    ends.push(
      async () => client.disconnect(),
      () => client.flushdb(),
    );
    await client.flushdb();
    const store = await openRedisStore(ownRedis ?? '');
    const cases = ['a', 'b', 'c', 'd', 'e', 'f'].map((id) => aCase({ id, response: `${id} is near.` }));
    await fill(store, cases);
    await store.close();
    const cwd = scratch();
    await inDataOf(cwd, (other) => fill(other, cases));
    for (const format of ['jsonl', 'csv', 'crowdkit']) {
      const args = ['labels', 'export', '--format', format];
      const [redis, sqlite] = await Promise.all([
        jury(args, { env: { REDIS_URL: ownRedis ?? '' } }),
        jury(args, { cwd }),
      ]);
      expect(redis).toMatchObject({ code: 0, out: sqlite.out });
      expect(linesOf(redis.out).length).toBeGreaterThan(5);
    }
  });

  test('leaves out what has no label, says how much, and writes it too with --all', async () => {
    const cwd = scratch();
    await inDataOf(cwd, async (store) => {
      for (const [n, id] of ['few', 'split', 'settled', 'silent'].entries())
        await store.saveVerdict(aRecord({ id, at: saturday + n, evalCase: aCase({ response: id }) }));
      await voteOn(store, 'few', { ada: 'agree', bea: 'agree' });
      await voteOn(store, 'split', { ada: 'agree', bea: 'agree', cleo: 'disagree', dora: 'disagree' });
      await voteOn(store, 'settled', {
        ada: ['agree', { errorType: 'time' }],
        bea: 'agree',
        cleo: 'disagree',
      });
    });
    const ran = await jury(['labels', 'export'], { cwd });
    expect(casesOf(ran.out).map(({ id, label }) => [id, label])).toEqual([
      ['settled', { decision: 'fail', errorType: 'time' }],
    ]);
    expect(ran.err).toContain('Left out because they have no label yet (--all writes them too): 2.');
    const all = await jury(['labels', 'export', '--all'], { cwd });
    expect(casesOf(all.out).map(({ id, label }) => [id, label?.decision])).toEqual([
      ['few', undefined],
      ['split', undefined],
      ['settled', 'fail'],
    ]);
    const two = await jury(['labels', 'export', '--least', '2'], { cwd });
    expect(casesOf(two.out).map(({ id }) => id)).toEqual(['few', 'settled']);
  });

  test('makes one case of what was judged twice, a ruling before votes; none where labels contradict each other', async () => {
    const cwd = scratch();
    const agreed = { ada: 'agree', bea: 'agree', cleo: 'agree' } as const;
    await inDataOf(cwd, async (store) => {
      const twice = [
        ['same', 'fail'],
        ['ruled', 'pass'],
        ['torn', 'pass'],
      ] as const;
      for (const [n, [response, second]] of twice.entries())
        for (const [k, decision] of (['fail', second] as const).entries()) {
          const id = `${response}-${k}`;
          await store.saveVerdict(
            aRecord({
              id,
              at: saturday + 2 * n + k,
              evalCase: aCase({ id, response }),
              verdict: { decision },
            }),
          );
          await voteOn(store, id, agreed);
        }
      await store.adjudicate(
        aRuling({ verdictId: 'ruled-0', right: { kind: 'decision', decision: 'fail' } }),
      );
    });
    const ran = await jury(['labels', 'export'], { cwd });
    expect(casesOf(ran.out).map(({ id, label }) => [id, label?.decision])).toEqual([
      ['same-1', 'fail'],
      ['ruled-0', 'fail'],
    ]);
    expect(ran.err).toContain('Left out because they judge a case that another verdict represents: 2.');
    expect(ran.err).toMatch(/Left out because they judge a case whose labels contradict each other .*: 2\./);
  });

  test('writes a table in which nothing that was pasted is a formula, a column or a command', async () => {
    const cwd = scratch();
    const response = '=HYPERLINK("http://evil.example";"x"),\r\n"quoted"\u001b[31m red \u202e';
    await inDataOf(cwd, async (store) => {
      await store.saveVerdict(
        aRecord({
          evalCase: aCase({ response, conversation: [{ role: 'user', text: '@SUM(A1), please' }] }),
        }),
      );
      await voteOn(store, 'v1', { ada: 'disagree', bea: 'disagree', cleo: 'agree' });
      await store.adjudicate(aRuling({ role: '=cmd', comment: 'open' }));
    });
    const ran = await jury(['labels', 'export', '--format', 'csv'], { cwd });
    expect(ran.out).not.toContain('\u001b');
    const [row, ...more] = rowsOf(ran.out);
    expect(more).toEqual([]);
    expect(row).toEqual({
      verdict_id: 'v1',
      case_id: 'c1',
      judged_at: '2026-11-21T09:00:00.000Z',
      rubric: 'navigation',
      method: 'mab',
      models: 'other/model test/model',
      judged_decision: 'fail',
      judged_score: '',
      agree: '1',
      disagree: '2',
      unsure: '0',
      votes_on_right: '3',
      majority: 'pass',
      pass_probability: expect.stringMatching(/^(0\.\d+|1)$/),
      dawid_skene: expect.any(String),
      ruling: 'pass',
      ruled_by: "'=cmd",
      label: 'pass',
      basis: 'adjudication',
      error_type: '',
      user: "'@SUM(A1), please",
      response: `'=HYPERLINK("http://evil.example";"x"),\n"quoted" red `,
      offered: 'volunteer 3',
    });
  });

  test('writes votes as Crowd-Kit reads them, pseudonyms as they are, and rulings into a file of their own', async () => {
    const cwd = scratch();
    await inDataOf(cwd, async (store) => {
      await store.saveVerdict(aRecord({ id: 'v1' }));
      await store.saveVerdict(aRecord({ id: 'v2', verdict: { decision: 'pass' } }));
      await store.saveVerdict(aRecord({ id: 'scored', verdict: { decision: 'scored', score: 3 } }));
      await voteOn(store, 'v1', { '-Xq9_': 'agree', bea: 'unsure' });
      await voteOn(store, 'v2', { '-Xq9_': 'disagree', bea: 'agree' });
      await voteOn(store, 'scored', { bea: 'agree' });
      await store.adjudicate(aRuling({ verdictId: 'v2' }));
    });
    const ran = await jury(['labels', 'export', '--format', 'crowdkit', '--gold', 'gold.csv'], { cwd });
    expect(ran.out).toBe('task,worker,label\nv1,-Xq9_,fail\nv2,-Xq9_,fail\nv2,bea,pass\n');
    expect(readFileSync(join(cwd, 'gold.csv'), 'utf8')).toBe('task,label\nv2,pass\n');
    expect(ran.err).toContain('Left out because they give a score, which is not a class: 1.');
  });

  test('leaves nothing half-made where the rulings cannot be written', async () => {
    const folder = scratch();
    mkdirSync(join(folder, 'gold'));
    const files = ['--out', join(folder, 'votes.csv'), '--gold', join(folder, 'gold')];
    const ran = await jury(['labels', 'export', '--format', 'crowdkit', ...files]);
    expect(ran.code).toBe(64);
    expect(readdirSync(folder)).toEqual(['gold']);
  });

  test('refuses votes and rulings in the same file', async () => {
    const args = ['--format', 'crowdkit', '--output', 'both.csv', '--gold', './both.csv'];
    const ran = await jury(['labels', 'export', ...args]);
    expect(ran).toMatchObject({ code: 64, out: '' });
    expect(ran.err).toContain('name the same file');
  });

  test('says where labels are by a model of voters that has not come to rest', async () => {
    const cwd = scratch();
    await inDataOf(cwd, async (store) => {
      // Two voters who only ever contradict each other on some, and lean on a third on others: the likelihood is nearly flat.
      for (let n = 0; n < 25; n += 1) {
        const [id, decision] = [`v${n}`, n % 3 === 0 ? 'pass' : 'fail'] as const;
        await store.saveVerdict(aRecord({ id, verdict: { decision } }));
        const cleo = n % 2 === 1 ? 'agree' : 'disagree';
        await voteOn(
          store,
          id,
          n < 20
            ? { ada: 'agree', bea: n % 5 === 0 ? 'disagree' : 'agree', cleo }
            : { ada: 'agree', bea: 'disagree' },
        );
      }
    });
    const exporting = (by: string) => jury(['labels', 'export', '--by', by], { cwd });
    expect((await exporting('dawid-skene')).err).toContain('The model did NOT converge');
    expect((await exporting('majority')).err).not.toContain('converge');
  });

  test('gives scores as scores', async () => {
    const cwd = scratch();
    await inDataOf(cwd, async (store) => {
      await store.saveVerdict(
        aRecord({ verdict: { rubric: 'core', decision: 'scored', score: 3, scale: { min: 0, max: 4 } } }),
      );
      await voteOn(store, 'v1', {
        ada: 'agree',
        bea: ['disagree', { score: 1 }],
        cleo: ['disagree', { score: 2 }],
      });
    });
    const ran = await jury(['labels', 'export', '--rubric', 'core'], { cwd });
    expect(casesOf(ran.out).map(({ rubric, label }) => [rubric, label])).toEqual([['core', { score: 2 }]]);
  });

  test('of nothing is nothing', async () => {
    const ran = await jury(['labels', 'export']);
    expect(ran).toEqual({ code: 0, out: '', err: '0 cases written.\n' });
  });

  test.each([
    [['--gold', 'g.csv'], '--gold goes with --format crowdkit'],
    [['--format', 'crowdkit', '--all'], '--all goes with jsonl and csv'],
    [['--rubric', 'nope'], 'There is no rubric "nope"'],
    [['--output', 'no/such/folder.jsonl'], 'Cannot write no/such/folder.jsonl'],
    [['--format', 'xml'], 'Allowed choices are jsonl, csv, crowdkit'],
    [['--least', '0'], 'Must be a whole number from 1 to 1000'],
  ])('refuses %j, exit 64', async (args, problem) => {
    const cwd = scratch();
    const ran = await jury(['labels', 'export', ...args], { cwd });
    expect(ran.code).toBe(64);
    expect(ran.err).toContain(problem);
    expect(existsSync(join(cwd, 'g.csv'))).toBe(false);
  });
});
