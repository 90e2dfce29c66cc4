import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import * as z from 'zod';
import { withdrawVerdict } from '../../../src/labels/access/permissions.ts';
import { compareRuns } from '../../../src/reports/comparison/compare-runs.ts';
import { differenceRows } from '../../../src/reports/comparison/comparison.ts';
import { Report } from '../../../src/reports/report.ts';
import { createFolderTrialStore } from '../../../src/stores/folder/runs.ts';
import { RunSummary } from '../../../src/surfaces/run-summary.ts';
import { keepMadeRun, type MadeRun, manyHabits } from '../../support/made-run.ts';
import { call, textOfHtml } from '../../support/page-service.ts';
import { closeAfterEach, newFolder, until } from '../../support/resources.ts';
import { runService } from '../../support/run-service.ts';
import { aRecord } from '../../support/store-builders.ts';

closeAfterEach();

const small: MadeRun = { name: 'monday', cases: 12, repeats: 1, habits: manyHabits.slice(0, 3) };

/** A service with some runs. */
async function withRuns(runs: readonly MadeRun[], env: Record<string, string> = {}) {
  const folder = newFolder();
  const store = createFolderTrialStore(join(folder, 'runs'));
  for (const run of runs) await keepMadeRun(store, run);
  const jury = await runService({ JURY_DATA_DIR: folder, ...env });
  const get = (path: string, headers: Record<string, string> = {}) =>
    call(jury.service.port, path, { headers });
  /** The page once the results of its runs are ready. */
  const getReady = (path: string) =>
    until(async () => {
      const answer = await get(path);
      return !answer.text.includes('being prepared') && answer;
    });
  return { jury, store, get, getReady };
}

const List = z.array(RunSummary);

const Details = z.object({
  conversation: z.array(z.object({ text: z.string() })),
  trials: z.array(
    z.object({
      setup: z.string(),
      judgements: z.array(z.object({ persona: z.string().nullable(), text: z.string() })),
    }),
  ),
});

describe('the runs of the service', () => {
  test('are listed with what each came to, and the way to what changed', async () => {
    const { getReady } = await withRuns([
      { ...small, createdAt: '2026-11-20T08:00:00.000Z' },
      { ...small, name: 'monday-2026-11-21' },
    ]);
    const { text, status } = await getReady('/runs');
    expect(status).toBe(200);
    expect(text).toContain('<a href="/runs/monday">monday</a>');
    expect(text).toMatch(/F1 \d\.\d\d \(\d\.\d\d–\d\.\d\d\)/);
    expect(text).toContain('100.0 % decided');
    expect(text).toContain('t0 is temperature 0');
    expect(text).toContain('12 cases × 3 configurations');
    expect(text).toContain('href="/runs/monday-2026-11-21?against=monday"');
  });

  test('of one series follow one configuration over time, with builds, what turned, and where nothing can be compared', async () => {
    const habits = manyHabits.slice(0, 2);
    const nightly = (day: string, more: Partial<MadeRun> = {}): MadeRun => ({
      ...{ name: `nightly-2026-11-${day}`, createdAt: `2026-11-${day}T08:00:00.000Z`, habits },
      ...{ cases: 12, repeats: 1 },
      shape: () => ({ tags: { build: `build-${day}` } }),
      ...more,
    });
    const wrong = habits.map((habit) => ({ ...habit, skill: 0 }));
    const right = habits.map((habit) => ({ ...habit, skill: 1.1 }));
    const { get, getReady } = await withRuns([
      nightly('01', { habits: right }),
      nightly('02', { habits: wrong }),
      nightly('03', { habits: right, rubric: 'plain' }),
      ...['04', '05', '06', '07'].map((day) => nightly(day, { habits: right, rubric: 'plain' })),
    ]);
    const list = textOfHtml((await get('/runs')).text);
    expect(list).toContain('Follows io rules t0. All 7 runs of nightly, and other configurations');
    expect(list).not.toContain('nightly-2026-11-02 2026');
    const { text: html } = await getReady('/runs?series=nightly');
    const text = textOfHtml(html);
    expect(text).toContain('build-02');
    // All 12 are right, then none; the tag is no part of what judges see.
    expect(text).toMatch(/build-02 12 now wrong since nightly-2026-11-01/);
    expect(text).toMatch(/build-05 nothing turned since nightly-2026-11-04/);
    expect(text).toMatch(/build-03 not comparable since nightly-2026-11-02/);
    expect(text).toContain('Not comparable with the runs below: the rubric is plain, not navigation');
    const other = (await get(`/runs?series=nightly&follow=${encodeURIComponent('io openai/gpt-4o-mini t0')}`))
      .text;
    expect(other).toContain('<option value="io openai/gpt-4o-mini t0" selected>');
    expect((await get('/runs?series=night')).status).toBe(404);
    // What a run is compared with is the run before, until one chooses another.
    expect((await get('/runs/nightly-2026-11-05')).text).toContain(
      '<option value="nightly-2026-11-04" selected>',
    );
  });

  test('say once what only one of two runs has, with numbers', async () => {
    const more = { ...small, name: 'tuesday', cases: 15, habits: manyHabits.slice(1, 9) };
    const { get } = await withRuns([small, more]);
    const text = textOfHtml((await get('/runs/tuesday?against=monday')).text);
    expect(text).toContain(
      'Left out: 1 configuration (io rules t0) only in monday; 3 cases and 6 configurations (',
    );
    expect(text.match(/only in/g)).toHaveLength(2);
  });

  test('are shown as they are: what is erased is gone at once, and a damaged run says so', async () => {
    const { get, store, jury } = await withRuns([{ ...small, rationale: 'Said of Sakura.' }]);
    const read = async () => (await get('/runs/monday')).text;
    expect(await read()).toContain('Find me a sushi place');
    expect(await read()).toContain('Find me a sushi place');
    await store.eraseCases('monday', () => true);
    expect(await read()).not.toContain('Find me a sushi place');
    expect(await read()).toContain('(erased)');
    writeFileSync(
      join(jury.parts.env.settings.JURY_DATA_DIR, 'runs/monday/trials.jsonl'),
      '{"key":"0-0"}\n{"key":"0-1"}\n',
    );
    expect(textOfHtml(await read())).toContain('trials.jsonl');
  });

  test('are nothing where there are none, which says how to make one', async () => {
    const { get } = await withRuns([]);
    expect((await get('/runs')).text).toContain('There are no runs yet.');
    const missing = await get('/runs/none');
    expect(missing.status).toBe(404);
    expect(missing.text).toContain('There is no such run');
    expect(missing.text).toContain('<a href="/runs" aria-current="page">Runs</a>');
    expect((await get('/runs/..%2f..%2fetc')).status).toBe(404);
    expect((await get('/api/v1/runs')).text).toBe('[]');
  });

  test('each have a page, which begins with the result, and whose cases can be read', async () => {
    const { get } = await withRuns([small]);
    const { text, headers } = await get('/runs/monday');
    expect(text.indexOf('class="lead"')).toBeLessThan(text.indexOf('id="cases"'));
    expect(text).toMatch(
      /Highest F1: <b>\d\.\d{3}<\/b> \(95 % interval [^)]+\) by <b>[^<]+<\/b>, which decided 100\.0 %/,
    );
    expect(text).toContain('<a href="/runs" aria-current="page">Runs</a>');
    expect(text).toContain('src="/assets/report.js"');
    expect(String(headers['content-security-policy'])).not.toContain('unsafe');
    expect(text).not.toMatch(/ style=/);
    const details = Details.parse(JSON.parse((await get('/ui/runs/monday/cases/11')).text));
    expect(details.conversation[0]?.text).toContain('(11)');
    expect(details.trials.map(({ setup }) => setup)).toEqual([
      'io rules t0',
      'io openai/gpt-4o-mini t0',
      'sc-3 openai/gpt-4o-mini t0',
    ]);
    expect(details.trials[0]?.judgements[0]?.text).toContain('On Mondays it is open until 20:00');
    expect(details.trials[2]?.judgements[0]?.persona).toBe('Auditor');
    for (const row of ['12', '-1', 'x']) expect((await get(`/ui/runs/monday/cases/${row}`)).status).toBe(404);
  });

  test('are the same in the API, as the command line prints a report', async () => {
    const { get } = await withRuns([small]);
    const run = await until(async () => {
      const [first] = List.parse(JSON.parse((await get('/api/v1/runs')).text));
      return first !== undefined && first.score !== null && first;
    });
    expect(run).toMatchObject({
      id: 'monday',
      cases: 12,
      configurations: 3,
      trials: 36,
      planned: 36,
      subject: 'judges',
    });
    expect(run?.score).toMatchObject({ kind: 'f1', coverage: { value: 1 } });
    const report = Report.parse(JSON.parse((await get('/api/v1/runs/monday')).text));
    expect(report.setups).toHaveLength(3);
    expect((await get('/api/v1/runs/nope')).status).toBe(404);
  });

  test('that are not complete say so', async () => {
    const { get, store } = await withRuns([small]);
    const writer = await store.write('monday');
    await writer.forget(['0-0']);
    await writer.close();
    expect((await get('/runs')).text).toContain('not complete: 35 of 36 trials');
    expect((await get('/runs/monday')).text).toContain('Not complete: 35 of 36 trials');
  });

  test('with copies of cases from a chat are for those alone who may see their verdicts', async () => {
    const secret = '0123456789abcdef0123';
    const shape = (index: number) => (index === 3 ? { id: secret } : {});
    const copies = ['copied', 'erased'].map((name) => ({ ...small, name, shape }));
    const {
      get,
      jury,
      store: runs,
    } = await withRuns([small, ...copies], { JURY_API_TOKENS: 'ci:0123456789abcdef' });
    // What is left of a copy that was erased is for everyone.
    await runs.eraseCases('erased', ({ id }) => id === secret);
    const store = await jury.parts.store();
    await store.saveVerdict(aRecord({ id: secret, at: Date.now() }));
    const ci = { authorization: 'Bearer 0123456789abcdef' };
    const names = async (headers = {}) =>
      List.parse(JSON.parse((await get('/api/v1/runs', headers)).text)).map(({ id }) => id);
    expect((await names()).sort()).toEqual(['copied', 'erased', 'monday']);
    expect((await names(ci)).sort()).toEqual(['erased', 'monday']);
    expect((await get('/api/v1/runs/copied', ci)).status).toBe(404);
    expect((await get('/api/v1/runs/monday', ci)).status).toBe(200);
  });

  test('with copies of cases whose verdicts are gone are shown without these, but on the machine itself', async () => {
    const [expired, withdrawn] = ['0123456789abcdef0123', '0123456789abcdef0124'];
    const of = (id: string) => (index: number) => (index === 3 ? { id, response: `the words of ${id}` } : {});
    const runs = [
      { ...small, name: 'set', shape: of(expired) },
      { ...small, name: 'taken-back', shape: of(withdrawn) },
    ];
    const { get, jury } = await withRuns(runs, { JURY_API_TOKENS: 'ci:0123456789abcdef' });
    const store = await jury.parts.store();
    await store.saveVerdict(aRecord({ id: withdrawn, at: Date.now() }));
    await withdrawVerdict(store, withdrawn, Date.now());
    const ci = { authorization: 'Bearer 0123456789abcdef' };
    const listed = List.parse(JSON.parse((await get('/api/v1/runs', ci)).text));
    expect(listed.map(({ id }) => id).sort()).toEqual(['set', 'taken-back']);
    for (const [name, id] of [
      ['set', expired],
      ['taken-back', withdrawn],
    ] as const) {
      const report = await get(`/api/v1/runs/${name}`, ci);
      expect(report.status).toBe(200);
      expect(Report.parse(JSON.parse(report.text)).setups[0]?.trials).toBe(12);
      expect(report.text).not.toContain('the words of');
      const whole = Details.parse(JSON.parse((await get(`/ui/runs/${name}/cases/3`)).text));
      expect(JSON.stringify(whole)).not.toContain('(erased)');
      expect(whole.trials[0]?.judgements).not.toEqual([]);
      expect((await get(`/ui/runs/${name}/cases/3`)).text).toContain(`the words of ${id}`);
    }
  });

  test('are compared on a page, in step with the command line, and open the cases that turned', async () => {
    const better = {
      ...small,
      name: 'tuesday',
      habits: small.habits.map((habit) => ({ ...habit, skill: 1 })),
    };
    const worse = { ...small, habits: small.habits.map((habit) => ({ ...habit, skill: 0.7 })) };
    const { get, store } = await withRuns([worse, better]);
    const { comparison } = await compareRuns(
      store,
      { run: 'monday', setup: null },
      { run: 'tuesday', setup: null },
    );
    const { text, status } = await get('/runs/tuesday?against=monday');
    expect(status).toBe(200);
    const fixed = new Set(
      comparison.pairs.flatMap(({ flips }) =>
        flips.filter(({ kind }) => kind === 'fixed').map(({ caseId }) => caseId),
      ),
    );
    expect(fixed.size).toBeGreaterThan(0);
    expect(text).toContain(`${fixed.size} case${fixed.size === 1 ? '' : 's'} now right`);
    expect(text).toContain('No case now wrong');
    for (const { pair } of comparison.pairs) {
      const [f1 = []] = differenceRows(pair);
      for (const cell of f1.slice(0, 5)) expect(text).toContain(`>${cell}<`);
    }
    // At most five of twelve cases turned, all one way: 2 × (1/2)⁵ = 0.0625.
    expect(comparison.lead).toBe('No change beyond chance among 3 configurations.');
    expect(text).toContain('<p class="lead"><b>No change beyond chance among 3 configurations</b>.</p>');
    const both = Details.parse(JSON.parse((await get('/ui/runs/tuesday/cases/0?against=monday')).text));
    expect(both.trials.map(({ setup }) => setup)).toContain('before io rules t0');
    expect(both.trials.map(({ setup }) => setup)).toContain('after io rules t0');
    expect((await get('/runs/tuesday?against=nope')).status).toBe(404);
    const one = await get('/runs/tuesday?against=tuesday%3Aio%20rules&of=sc-3');
    expect(one.text).toContain('tuesday: two configurations');
  });

  test('read from the older to the newer one, also from the older one’s page', async () => {
    const later = { ...small, name: 'tuesday', createdAt: '2026-11-22T09:00:00.000Z' };
    const { get } = await withRuns([{ ...small, createdAt: '2026-11-21T09:00:00.000Z' }, later]);
    const { status, text } = await get('/runs/monday?against=tuesday');
    expect(status).toBe(302);
    expect(text).toContain('/runs/tuesday?against=monday');
    expect((await get('/runs/tuesday?against=monday')).text).toContain('<h1>tuesday against monday</h1>');
  });

  test('that share no configuration are compared by those that are chosen on a page', async () => {
    const other = {
      ...small,
      name: 'tuesday',
      createdAt: '2026-11-22T09:00:00.000Z',
      habits: manyHabits.slice(3, 5),
    };
    const { get } = await withRuns([{ ...small, createdAt: '2026-11-21T09:00:00.000Z' }, other]);
    const { status, text } = await get('/runs/tuesday?against=monday');
    expect(status).toBe(422);
    expect(text).toContain('These runs share no configuration: choose one of each.');
    expect(text).toMatch(/<select name="against"><option value="monday:[^"]+">/);
    expect(text).toMatch(/<select name="of"><option value="[^"]+">/);
  });

  test('of an assistant are compared by request, with both answers', async () => {
    const asked = (build: string): MadeRun => ({
      ...small,
      name: build,
      habits: manyHabits.slice(0, 1).map((habit) => ({ ...habit, skill: build === 'old' ? 1 : 0.5 })),
      shape: (index) => ({
        response: `Answer ${index} of the ${build} build.`,
        conversation: [{ role: 'user', text: `Request ${index}` }],
      }),
    });
    const { get } = await withRuns([asked('old'), asked('new')]);
    const { text } = await get('/runs/new?against=old');
    expect(text).toContain('<h2 id="changes">What changed</h2>');
    expect(text).toMatch(/\d+ cases? now wrong/);
    const { text: json } = await get('/ui/runs/new/cases/4?against=old');
    expect(JSON.parse(json)).toMatchObject({
      response: 'Answer 4 of the new build.',
      responseBefore: 'Answer 4 of the old build.',
    });
  });
});
