import { beforeEach, describe, expect, test } from 'vitest';
import type { RunManifest } from '../../src/benchmark/run-manifest.ts';
import { trialOf } from '../../src/benchmark/trial.ts';
import type { TrialStore } from '../../src/benchmark/trial-store.ts';
import type { EvalCase } from '../../src/case/case.ts';
import type { Verdict } from '../../src/judging/verdict/verdict.ts';
import { readAnswers } from '../../src/reports/assistant/answers.ts';
import {
  baselineText,
  basisText,
  changeSections,
  closingLines,
  groupRows,
} from '../../src/reports/assistant/assistant-words.ts';
import { blockersText, untold } from '../../src/reports/assistant/blocker-words.ts';
import { assistantReport } from '../../src/reports/assistant/make-assistant-report.ts';
import { slicesTable, slicesText } from '../../src/reports/assistant/slice-words.ts';
import { createFolderTrialStore } from '../../src/stores/folder/runs.ts';
import { aCase, fail, mute, pass } from '../support/builders.ts';
import { aConfiguration, aManifest, aVerdict } from '../support/run-builders.ts';
import { scratch } from '../support/run-jury.ts';

let runs: TrialStore;

beforeEach(() => {
  runs = createFolderTrialStore(scratch());
});

/** What judges find: p passes, f fails, ? does not answer; then the criteria that fail. */
interface Judged {
  said: string;
  failing?: readonly string[];
  why?: string;
  answer?: string;
  parts?: Partial<EvalCase> | undefined;
}

function verdictOf({ said, failing = [], why = 'because' }: Judged, caseId: string): Verdict {
  const verdict = aVerdict(said === 'p' ? pass : said === 'f' ? fail : mute, 0.01);
  const tally = { pass: 0, fail: 1, scored: 0, unscored: 0, notRelevant: 0 };
  const criteria = failing.map((id) => ({
    id,
    title: id.toUpperCase(),
    decision: 'fail' as const,
    score: null,
    tally,
    rationale: why,
  }));
  return { ...verdict, caseId, why, criteria };
}

/** A run whose answers differ from those of other builds, unless they are given. */
async function aRun(
  build: string,
  judged: readonly Judged[],
  parts: Partial<RunManifest> = {},
): Promise<RunManifest> {
  const cases = judged.map(({ answer, parts: own }, index) =>
    aCase({ id: `c${index}`, response: answer ?? `answer ${index} of ${build}`, tags: { build }, ...own }),
  );
  const labeled = cases.filter(({ label }) => label !== undefined).length;
  const manifest = aManifest({
    name: `nightly-${build}`,
    subject: 'assistant',
    dataset: { source: 'cases.jsonl', cases: cases.length, labeled, hash: build },
    ...parts,
  });
  await runs.create(manifest, cases);
  const writer = await runs.write(manifest.name);
  for (const [index, one] of judged.entries())
    for (const [place, letter] of [...one.said].entries()) {
      const verdict = {
        ...verdictOf({ ...one, said: letter }, `c${index}`),
        rubric: manifest.rubrics[0] ?? '',
      };
      const { id = '' } = manifest.configurations[place] ?? {};
      await writer.save(trialOf(`${place}-${index}`, id, cases[index]?.label ?? null, verdict), verdict);
    }
  await writer.close();
  return manifest;
}

const letters = (said: string): Judged[] => [...said].map((letter) => ({ said: letter }));

const changed = async (before: RunManifest, after: RunManifest) => {
  const report = await assistantReport(runs, await readAnswers(runs, after), [
    { manifest: before, baseline: null },
  ]);
  const [change] = report.changes;
  if (change === undefined) throw new Error('there is one');
  const [section] = changeSections(report);
  return { report, change, headline: section?.headline ?? '', basis: section?.basis ?? '' };
};

describe('the assistant of a run', () => {
  test('got worse where all was right and all is wrong, by how much and with which interval', async () => {
    const { headline, basis } = await changed(
      await aRun('1', letters('ppppp')),
      await aRun('2', letters('fffff')),
    );
    // (0.5 − 5.5) / 7 = −0.714; 1.96 · √(6 − 25/7) / 7 = 0.436, by hand.
    expect(headline).toBe(
      'The assistant got worse: 0 % of 5 answers pass (0–43), 100 points less than nightly-1 (−100 to −28)',
    );
    expect(basis).toBe('Build 2 against 1 · same 5 requests, same judges');
  });

  test('counts answers that belong together as few in both runs, by the tag that is asked for', async () => {
    // Every user has eight answers, which are all right or all wrong.
    const labeled = (said: string) =>
      [...said].flatMap((letter, user) =>
        Array.from({ length: 8 }, (_, at): Judged => {
          const id = `${user} ${at}`;
          const label = { decision: letter === 'p' ? ('pass' as const) : ('fail' as const) };
          return { said: letter, parts: { id, tags: { user: String(user) }, label } };
        }),
      );
    const [before, after] = [await aRun('1', labeled('pppppf')), await aRun('2', labeled('ppffff'))];
    const widthBy = async (tag?: string) => {
      const now = await readAnswers(runs, after, tag);
      const report = await assistantReport(runs, now, [{ manifest: before, baseline: null }]);
      const interval = report.changes[0]?.corrected?.interval;
      if (interval?.defined !== true) throw new Error('there is one');
      return interval.high - interval.low;
    };
    // Six users who change say no more than six answers would: √8 times as wide if both runs count so.
    expect(await widthBy('user')).toBeGreaterThan(2 * (await widthBy()));
  });

  test('is compared without the name of a build, too', async () => {
    const unnamed = letters('ppppp').map((one) => ({ ...one, parts: { tags: {} } }));
    const { basis } = await changed(await aRun('1', unnamed), await aRun('2', unnamed));
    expect(basis).toBe('Same 5 requests, same judges');
  });

  test('got better, is steady, or may be neither', async () => {
    const before = await aRun('1', letters(`${'f'.repeat(30)}${'p'.repeat(30)}`));
    const better = await changed(before, await aRun('2', letters('p'.repeat(60))));
    expect(better.headline).toMatch(/^The assistant got better: 100 % of 60 answers pass .*50 points more/);
    const chance = await changed(before, await aRun('3', letters(`${'f'.repeat(28)}${'p'.repeat(30)}ff`)));
    expect(chance.headline).toBe('50 % of 60 answers pass (38–62), the same as nightly-1 (−7 to +7)');
    const many = letters('p'.repeat(300));
    const steady = await changed(await aRun('4', many), await aRun('5', many));
    expect(steady.headline).toBe(
      'The assistant is steady: 100 % of 300 judged answers pass (99–100), the same as nightly-4 (−1 to +1)',
    );
  });

  test('reports without labels, and without another run', async () => {
    const report = await assistantReport(runs, await readAnswers(runs, await aRun('1', letters('pppf'))), []);
    expect(changeSections(report)).toEqual([
      { headline: '75 % of 4 answers pass (30–95)', basis: 'Build 1', turned: [] },
    ]);
    expect(report).toMatchObject({ answers: 4, decided: 4, builds: ['1'], changes: [] });
  });

  test.each([
    {
      what: 'the rubric changed',
      parts: {
        sources: { rubrics: { plain: 'other' }, methods: { io: 'm' } },
        wordings: { 'plain, io': 'sha256:2' },
      },
    },
    {
      what: 'the method io changed',
      parts: { sources: { rubrics: { plain: 'r' }, methods: { io: 'other' } } },
    },
    { what: 'the judges’ prompts changed', parts: { wordings: { 'plain, io': 'sha256:2' } } },
    { what: 'the rubric is strict, not plain', parts: { rubrics: ['strict'] } },
    {
      what: 'the judges changed: io by openai/gpt-5, not io by rules',
      parts: { configurations: [aConfiguration({ id: 'io openai/gpt-5 t0 #1', models: ['openai/gpt-5'] })] },
    },
  ])('is not compared where $what: this run’s figure stands alone', async ({ what, parts }) => {
    const sources = { rubrics: { plain: 'r' }, methods: { io: 'm' } };
    const before = await aRun('1', letters('ppppp'), { sources });
    const { change, headline, basis } = await changed(
      before,
      await aRun('2', letters('fffff'), { sources, ...parts }),
    );
    expect(headline).toBe(`0 % of 5 answers pass (0–43). Not comparable with nightly-1: ${what}`);
    expect(change).toMatchObject({ difference: null, failing: [], passing: [] });
    expect(basis).toBe('Build 2 against 1');
  });

  test('is compared although a rubric of other requests changed', async () => {
    const sources = (hash: string) => ({
      sources: { rubrics: { plain: 'r', other: hash }, methods: { io: 'm' } },
    });
    const before = await aRun('1', letters('ppppp'), sources('a'));
    const after = await aRun('2', letters('fffff'), { ...sources('b'), rubrics: ['plain', 'other'] });
    expect((await changed(before, after)).headline).toMatch(/got worse/);
  });

  test('is compared with a run of an earlier version by its prompts', async () => {
    const before = await aRun('1', letters('ppppp'));
    const sources = { rubrics: { plain: 'r' }, methods: { io: 'm' } };
    expect((await changed(before, await aRun('2', letters('fffff'), { sources }))).headline).toMatch(
      /got worse/,
    );
  });

  test('is not compared where judges decide clearly more or less of its answers', async () => {
    const before = await aRun('1', letters('pppppppppp'));
    const { headline, basis } = await changed(
      before,
      await aRun(
        '2',
        letters('fffffffff?').map((one, n) => (n > 7 ? { said: '?' } : one)),
      ),
    );
    expect(headline).toBe(
      '0 % of 8 answers pass (0–32). Not comparable with nightly-1: judges decided 80 % of the answers, not 100 %',
    );
    expect(basis).toBe('Build 2 against 1 · 2 of 10 not decided');
    const twenty = await aRun('3', letters('p'.repeat(20)));
    const fewer = await aRun('4', letters(`${'f'.repeat(19)}?`));
    expect((await changed(twenty, fewer)).change).toMatchObject({
      obstacles: [],
      difference: { value: -1, n: 19 },
    });
  });

  test('is not held to blame where judges decide otherwise on the same answer', async () => {
    const same = (said: string): Judged[] =>
      [...said].map((letter, n) => ({ said: letter, answer: `answer ${n}` }));
    const { change, headline, report } = await changed(
      await aRun('1', same('pppp')),
      await aRun('2', same('fffp')),
    );
    expect(headline).toBe(
      'The assistant is steady: 25 % of 4 answers pass (5–70), the same answers as nightly-1',
    );
    expect(change).toMatchObject({ unchanged: { n: 4, flipped: 3 }, failing: [], difference: { value: 0 } });
    expect(closingLines(report).join()).toContain('they now decide 3 of 4 unchanged answers differently');
  });

  test('is compared on the requests that both runs asked, if the earlier one asked no others', async () => {
    const { change, basis, headline, report } = await changed(
      await aRun('1', letters('pp')),
      await aRun('2', letters('ppff')),
    );
    // Half as many pass as before, of other requests: that is no change of the assistant.
    expect(headline).toBe(
      '50 % of 4 answers pass (15–85); on the 2 requests in both, the same as nightly-1 (−49 to +49)',
    );
    expect(baselineText(report, { ...change, baseline: '3.1' })).toMatch(
      /^The same as the baseline 3\.1 on the 2 requests in both \(/,
    );
    expect(change.requests).toEqual({ shared: 2, onlyNow: 2, onlyThen: 0, sameAnswer: 0 });
    expect(basis).toContain('2 requests in both, 2 only now, 0 only then, same judges');
    const kept = (said: string) => [...said].map((one, n) => ({ said: one, answer: `answer ${n}` }));
    const some = await changed(await aRun('4', kept('pp')), await aRun('5', kept('ppf')));
    expect(some.headline).toBe(
      'The assistant is steady: 67 % of 3 answers pass (21–94); on the 2 requests in both, the same answers as nightly-4',
    );
    const other = await aRun('3', letters('pp'), { rubrics: ['plain'] });
    expect(basisText(await assistantReport(runs, await readAnswers(runs, other), []), null)).toBe('Build 3');
  });

  test('is compared on all requests where each run asked others, too; another request under the same id is another', async () => {
    const asked = (text: string): Judged['parts'] => ({ conversation: [{ role: 'user', text }] });
    const before = await aRun('1', [...letters('ppp'), { said: 'p', parts: asked('Find me sushi') }]);
    const after = await aRun('2', [
      ...letters('pp'),
      { said: 'f', parts: { id: 'new' } },
      { said: 'f', parts: asked('Find me ramen') },
    ]);
    const { change, basis, headline, report } = await changed(before, after);
    // Half of 0 points, (−49 to +49), and half of −100 points, with Wilson's limits 66 and 34 on either side: −100 to −7.
    expect(headline).toBe(
      '50 % of 4 answers pass (15–85), 50 points less than nightly-1, which can be chance (−74 to +3), 2 requests in both, the others of the same kinds',
    );
    expect(baselineText(report, { ...change, baseline: '3.1' })).toBe(
      '50 points less than the baseline 3.1 (−74 to +3), 2 requests in both, the others of the same kinds: 0 newly fail, 0 newly pass',
    );
    expect(change.requests).toEqual({ shared: 2, onlyNow: 2, onlyThen: 2, sameAnswer: 0 });
    expect(basis).toContain('2 requests in both, 2 only now, 2 only then, same judges');
  });

  /** A week's log: requests that no other week has. @param market of each request */
  const week = (name: string, said: string, market: (at: number) => string | null = () => null): Judged[] =>
    letters(said).map((one, at) => {
      const own = market(at);
      return {
        ...one,
        parts: {
          id: `${name}-${at}`,
          conversation: [{ role: 'user', text: `Request ${at} of ${name}` }],
          tags: { build: name, ...(own === null ? {} : { market: own }) },
        },
      };
    });
  const passed = (pass: number, fail: number): string => `${'p'.repeat(pass)}${'f'.repeat(fail)}`;

  test('is compared on other requests each week as two samples are', async () => {
    const before = await aRun('1', week('1', passed(191, 49)));
    const { headline, basis, change, report } = await changed(
      before,
      await aRun('2', week('2', passed(158, 82))),
    );
    // 79.6 and 65.8 %: −13.75 points, −21.5 to −5.8 by Newcombe's interval.
    expect(headline).toBe(
      'The assistant got worse: 66 % of 240 answers pass (60–72), 14 points less than nightly-1 (−21 to −6), other requests of the same kinds',
    );
    expect(basis).toBe('Build 2 against 1 · 240 requests now, 240 others then, same judges');
    expect(change).toMatchObject({
      requests: { shared: 0, onlyNow: 240, onlyThen: 240, sameAnswer: 0 },
      mix: { adjusted: [], unadjusted: [], leftOut: 0 },
      failing: [],
      passing: [],
    });
    expect(baselineText(report, { ...change, baseline: '3.1' })).toBe(
      '14 points less than the baseline 3.1 (−21 to −6), other requests of the same kinds',
    );
    const chance = await changed(before, await aRun('3', week('3', passed(186, 54))));
    expect(chance.headline).toBe(
      '78 % of 240 answers pass (72–82), 2 points less than nightly-1, which can be chance (−9 to +5), other requests of the same kinds',
    );
  });

  test('is compared at the same mix of what other requests are about', async () => {
    const first = (n: number) => (at: number) => (at < n ? 'de' : 'at');
    // 60 % of the German and 90 % of the Austrian answers pass, in both weeks; only the mix changed.
    const before = await aRun('1', week('1', `${passed(24, 16)}${passed(144, 16)}`, first(40)));
    const after = await aRun('2', week('2', `${passed(60, 40)}${passed(90, 10)}`, first(100)));
    const { headline, change } = await changed(before, after);
    expect(headline).toBe(
      '75 % of 200 answers pass (69–80), the same as nightly-1 (−8 to +8), other requests at the same mix of market',
    );
    expect(change.mix).toEqual({ adjusted: ['market'], unadjusted: [], leftOut: 0 });
    const some = await changed(
      await aRun(
        '3',
        week('3', passed(150, 50), (at) => (at % 2 === 0 ? 'de' : 'at')),
      ),
      await aRun(
        '4',
        week('4', passed(150, 50), (at) => (at % 8 === 0 ? 'de' : at % 2 === 0 ? 'ch' : 'at')),
      ),
    );
    expect(some.headline).toMatch(/, other requests at the same mix of market$/);
    expect(some.basis).toContain(' · 75 requests without one of their kind left out');
  });

  test('is not compared where other requests are in other languages; a version only names the run', async () => {
    const speaking = (name: string, language: string): Judged[] =>
      week(name, passed(30, 10)).map((one) => ({
        ...one,
        parts: { ...one.parts, language, tags: { version: name } },
      }));
    const before = await aRun('1', speaking('1', 'en'));
    expect((await changed(before, await aRun('2', speaking('2', 'de')))).headline).toBe(
      '75 % of 40 answers pass (60–86). Not comparable with nightly-1: most requests are in other languages: de, not en',
    );
    expect((await changed(before, await aRun('3', speaking('3', 'en')))).headline).toMatch(
      /, the same as nightly-1 \(−\d+ to \+\d+\), other requests of the same kinds$/,
    );
  });

  test('is said to be asked another mix where too few requests have a counterpart', async () => {
    const topics = (from: number) => (at: number) => `topic ${from + (at % 10)}`;
    const { headline } = await changed(
      await aRun('1', week('1', passed(150, 50), topics(0))),
      await aRun('2', week('2', passed(150, 50), topics(8))),
    );
    expect(headline).toMatch(/, other requests of another mix of market$/);
  });

  test('is compared on other requests although judges decide a few less by chance, not if clearly less', async () => {
    const before = await aRun('1', week('1', passed(50, 0)));
    const undecided = (n: number) => `${passed(50 - n, 0)}${'?'.repeat(n)}`;
    expect((await changed(before, await aRun('2', week('2', undecided(3))))).change.obstacles).toEqual([]);
    expect((await changed(before, await aRun('3', week('3', undecided(10))))).change.obstacles).toEqual([
      'judges decided 80 % of the answers, not 100 %',
    ]);
  });

  test('is compared answer by answer where a log without ids has a request several times', async () => {
    const asks = (said: string): Judged[] =>
      letters(said).map((one) => ({ ...one, parts: { id: undefined } }));
    const before = await aRun('1', asks('ppf'));
    const { change } = await changed(before, await aRun('2', asks('pppff')));
    expect(change.requests).toEqual({ shared: 3, onlyNow: 2, onlyThen: 0, sameAnswer: 0 });
    // The third answer passes now; the last one of the run before does not stand for all.
    expect(change.difference).toMatchObject({ n: 3, value: 1 / 3 });
    expect(change.failing).toEqual([]);
  });

  test('whose answers are judged several times counts each once, and says how often judges differ', async () => {
    const configurations = [1, 2].map((repeat) => aConfiguration({ id: `io #${repeat}`, repeat }));
    const twice = (said: string): Judged[] => said.split(' ').map((two) => ({ said: two }));
    const before = await aRun('1', twice('pp pp pp pp'), { configurations });
    const { change, report } = await changed(
      before,
      await aRun('2', twice('pp pf ff ff'), { configurations }),
    );
    expect(change.difference).toMatchObject({ value: -0.625, n: 4 });
    expect(report.flips).toMatchObject({ value: 0.25 });
    expect(change.failing.map(({ n }) => n)).toEqual([2]);
  });

  test('with scores is compared by its mean', async () => {
    const scored = async (build: string, scores: readonly number[]) => {
      const manifest = await aRun(build, []);
      const cases = scores.map((_, n) => aCase({ id: `c${n}`, response: `${n} of ${build}` }));
      const dataset = { source: 'x', cases: scores.length, labeled: 0, hash: build };
      const own = { ...manifest, name: `scored-${build}`, dataset };
      await runs.create(own, cases);
      const writer = await runs.write(own.name);
      for (const [n, score] of scores.entries()) {
        const verdict = { ...aVerdict(), caseId: `c${n}`, decision: 'scored' as const, score };
        await writer.save(trialOf(`0-${n}`, 'io rules t0 #1', null, verdict), verdict);
      }
      await writer.close();
      return own;
    };
    const { headline } = await changed(
      await scored('1', [80, 70, 90, 85, 75, 80]),
      await scored('2', [60, 55, 65, 70, 50, 61]),
    );
    expect(headline).toMatch(
      /^The assistant got worse: 6 answers score 60\.2 on average \(.+\), 19\.8 less than scored-1 \(−2\d\.\d to −1\d\.\d\)$/,
    );
  });
});

describe('answers that newly fail', () => {
  test('are grouped by the criterion that most of them share, with a typical reason and a tag', async () => {
    const city = (name: string): Judged['parts'] => ({ tags: { city: name } });
    const closed = (why: string, name: string): Judged => ({
      said: 'f',
      failing: ['cost', 'time'],
      why,
      parts: city(name),
    });
    const before = await aRun(
      '1',
      Array.from({ length: 12 }, (): Judged => ({ said: 'p' })),
    );
    const { change } = await changed(
      before,
      await aRun('2', [
        closed('It is closed on Sundays.', 'Berlin'),
        closed('It is closed on Mondays.', 'Berlin'),
        { ...closed('The kitchen has left.', 'Bonn'), failing: ['time'] },
        { ...closed('It is closed all day.', 'Bonn'), failing: ['time'] },
        { said: 'f', failing: ['cost'], why: 'It is too dear.', parts: city('Bonn') },
        { said: 'f', why: 'It says nothing.', parts: city('Bonn') },
        ...Array.from({ length: 6 }, (): Judged => ({ said: 'p', parts: city('Bonn') })),
      ]),
    );
    expect(groupRows(change.failing)).toEqual([
      { label: 'TIME 4', value: '2 of them with city Berlin; such as “It is closed on Sundays”' },
      { label: 'COST 1', value: 'It is too dear' },
      { label: 'Other 1', value: 'It says nothing' },
    ]);
    expect(change.failing[0]?.answers[0]).toMatchObject({ caseId: 'c0', answer: 'answer 0 of 2' });
  });

  test('are not grouped by a criterion that they failed before', async () => {
    const before = await aRun('1', [{ said: 'p', failing: ['style'] }]);
    const { change } = await changed(before, await aRun('2', [{ said: 'f', failing: ['style', 'time'] }]));
    expect(change.failing.map(({ title }) => title)).toEqual(['TIME']);
  });

  test('are distinguished from those that newly pass, by the criterion that they failed', async () => {
    const before = await aRun('1', [{ said: 'f', failing: ['time'] }, { said: 'p' }]);
    const { change } = await changed(
      before,
      await aRun('2', [{ said: 'p' }, { said: 'f', failing: ['cost'] }]),
    );
    expect(change.passing.map(({ title, n }) => [title, n])).toEqual([['time', 1]]);
    expect(change.failing.map(({ title, n }) => [title, n])).toEqual([['COST', 1]]);
  });

  test('share the day of the week', async () => {
    const on = (date: string, said: string): Judged => ({
      said,
      failing: said === 'f' ? ['time'] : [],
      parts: { context: { date } },
    });
    const days = ['2026-11-22', '2026-11-15', '2026-11-16', '2026-11-17', '2026-11-18', '2026-11-19'];
    const before = await aRun(
      '1',
      days.map((date) => on(date, 'p')),
    );
    const { change } = await changed(
      before,
      await aRun(
        '2',
        days.map((date, n) => on(date, n < 2 ? 'f' : 'p')),
      ),
    );
    expect(groupRows(change.failing)[0]?.value).toMatch(/^both on Sundays/);
  });
});

const labeled = (said: string, decision: 'pass' | 'fail', group?: number): Judged => ({
  said,
  parts: { label: { decision }, ...(group === undefined ? {} : { tags: { group: `u${group}` } }) },
});

test('labels of all answers say alone how many pass, and how often judges agree with them', async () => {
  const judged = [
    ...Array.from({ length: 40 }, () => labeled('p', 'pass')),
    ...Array.from({ length: 4 }, () => labeled('f', 'pass')),
    ...Array.from({ length: 6 }, () => labeled('p', 'fail')),
    ...Array.from({ length: 30 }, () => labeled('f', 'fail')),
  ];
  const linesOf = async (name: string, all: readonly Judged[]) =>
    closingLines(await assistantReport(runs, await readAnswers(runs, await aRun(name, all)), []));
  // 46 and 44 of 80 pass, 70 of 80 agree: Wilson's intervals.
  expect(await linesOf('1', judged)).toEqual([
    'Judges pass 57 %. All 80 answers are labeled; by the labels alone, 55 % pass (44–65), and judges agree with them on 88 % (78–93, n = 80).',
  ]);
  // An answer without a decision is not counted in the rate.
  expect((await linesOf('2', [...judged, ...letters('?')]))[0]).toContain(
    'All 80 decided answers are labeled; by the labels alone, 55 % pass (44–65)',
  );
  // Nobody knows how the labeled ones were chosen.
  expect(await linesOf('3', [...judged, ...letters('p'.repeat(80))])).toEqual([
    'How sure is this: not known yet; have people check 20 answers drawn by chance, or label all of them; judges agree with the labels on 88 % (78–93, n = 80); how the labeled ones were chosen is not known',
  ]);
  expect(await linesOf('4', judged.slice(0, 19))).toEqual([
    'How sure is this: not known yet; it takes 20 labels, and there are 19',
  ]);
  const [alike] = await linesOf(
    '5',
    Array.from({ length: 20 }, () => labeled('p', 'pass', 1)),
  );
  expect(alike).toMatch(
    /^How sure is this: not known yet; it takes answers that do not all belong together; judges agree with the labels on 100 % \(2\d–100, n = 20\)$/,
  );
});

test('labels of both runs say how the share changed that truly passes', async () => {
  const said = (rights: number) =>
    Array.from({ length: 100 }, (_, at) => labeled(at % 7 === 0 ? 'f' : 'p', at < rights ? 'pass' : 'fail'));
  const before = await aRun('1', said(90));
  // 15 of 100 requests are answered wrongly now and were not then, 0 the other way.
  const { report } = await changed(before, await aRun('2', said(75)));
  expect(closingLines(report)[0]).toMatch(
    /^Judges pass 85 %\. All 100 answers are labeled; by the labels alone, 75 % pass \(66–82\), 15 points less than before \(−2\d to −\d+\), and judges agree/,
  );
  const alike = await changed(before, await aRun('3', said(89)));
  // −0.01 ± √(0.0763² + 0.0448² − 2 · 0.943 · 0.0763 · 0.0448) below, from Wilson's limits and phi, by hand.
  expect(closingLines(alike.report)[0]).toContain(', 1 point less than before (−5 to +2)');
  const unknown = await changed(before, await aRun('4', letters('p'.repeat(100))));
  expect(unknown.change.corrected).toBeNull();
});

test('the limits of that claim count answers that belong together as few', async () => {
  // 20 users of four answers each: the judges are right on all of a user's answers, or on none.
  const judged = (isGrouped: boolean) =>
    Array.from({ length: 80 }, (_, at) => {
      const user = Math.floor(at / 4);
      const truth = user % 2 === 0 ? 'pass' : 'fail';
      const said = user < 3 ? (truth === 'pass' ? 'f' : 'p') : truth === 'pass' ? 'p' : 'f';
      return labeled(said, truth, isGrouped ? user : undefined);
    });
  const linesOf = async (isGrouped: boolean, name: string) => {
    const run = await aRun(name, judged(isGrouped));
    return closingLines(await assistantReport(runs, await readAnswers(runs, run), []))[0];
  };
  // 40 and 68 of 80, and 10 and 17 of 20 with Student's t: Wilson's intervals.
  expect(await linesOf(false, '1')).toMatch(/50 % pass \(39–61\).*85 % \(76–91, n = 80\)\.$/);
  expect(await linesOf(true, '2')).toMatch(/50 % pass \(2\d–7\d\).*85 % \(62–95, n = 80\)\.$/);
});

test('the slowest answers are named where their time is known', async () => {
  const slow = [300, 900, 12_000, 2_000].map(
    (latencyMs): Judged => ({
      said: 'p',
      parts: { latencyMs, conversation: [{ role: 'user', text: `Wait ${latencyMs}` }] },
    }),
  );
  const report = await assistantReport(runs, await readAnswers(runs, await aRun('1', slow)), []);
  expect(closingLines(report)[0]).toBe(
    'Half of the answers take 1.4 s or less. The slowest: 12.0 s “Wait 12000”, 2.0 s “Wait 2000”, 900 ms “Wait 900”',
  );
});

describe('an answer that fails a blocker', () => {
  const blockers = { blockers: { plain: ['tailgate'] } };
  const fails = (why: string, id = 'tailgate'): Judged => ({ said: 'f', failing: [id], why });
  const said = async (before: RunManifest | null, after: RunManifest) => {
    const against = before === null ? [] : [{ manifest: before, baseline: null }];
    const report = await assistantReport(runs, await readAnswers(runs, after), against);
    return { report, text: blockersText(report.blockers, 'last Monday', null) };
  };

  test('is named with its reason, as a judged case', async () => {
    const before = await aRun('1', letters('ppp'));
    const after = await aRun('2', [fails('Tailgate opened while driving.'), ...letters('pp')], blockers);
    expect((await said(before, after)).text).toBe(
      '1 blocker: Tailgate opened while driving. One judged case: check it.',
    );
  });

  test('is counted by criterion where there are several', async () => {
    const two = { blockers: { plain: ['tailgate', 'doors'] } };
    const before = await aRun('1', letters('ppp?'));
    const after = await aRun('2', [fails('a'), fails('b'), fails('c', 'doors'), fails('d', 'food')], two);
    expect((await said(before, after)).text).toBe(
      '3 blockers: TAILGATE (2), DOORS (1). Judged cases: check them.',
    );
  });

  test.each([
    { what: 'failed it before', earlier: fails('a'), now: fails('b') },
    {
      what: 'is the same as before',
      earlier: { said: 'p', answer: 'x' },
      now: { ...fails('a'), answer: 'x' },
    },
    { what: 'fails another criterion', earlier: { said: 'p' }, now: fails('a', 'food') },
  ])('is not new if it $what', async ({ earlier, now }) => {
    const { report, text } = await said(await aRun('1', [earlier]), await aRun('2', [now], blockers));
    expect(text).toBeNull();
    expect(report.blockers?.groups).toEqual([]);
  });

  test('is new without an answer before that was decided, and though judges were others', async () => {
    const others = { ...blockers, wordings: { 'plain, io': 'sha256:2' } };
    const { report, text } = await said(await aRun('1', letters('?')), await aRun('2', [fails('a')], others));
    expect(report.changes[0]?.obstacles).toContain('the judges’ prompts changed');
    expect(text).toBe('1 blocker: a. One judged case: check it.');
  });

  test('is counted beside those of before where the requests are others', async () => {
    const asked = (id: string, one: Judged): Judged => ({ ...one, parts: { id } });
    const before = await aRun('1', [asked('a', fails('x')), asked('b', { said: 'p' }), { said: 'p' }]);
    const one = await aRun('2', [asked('c', fails('y'))], blockers);
    expect((await said(before, one)).text).toBe(
      '1 blocker: y; last Monday had 1, in other requests. One judged case: check it.',
    );
    const some = await aRun('3', [asked('d', fails('y')), asked('b', fails('z'))], blockers);
    expect((await said(before, some)).text).toBe(
      '2 blockers: TAILGATE (2); 1 of them in other requests, where last Monday had 1. Judged cases: check them.',
    );
    expect((await said(null, one)).text).toBe('1 blocker: y. One judged case: check it.');
  });

  test('is not told of twice', async () => {
    const after = await aRun('2', [fails('a'), fails('b')], blockers);
    const { report } = await said(await aRun('1', letters('pp')), after);
    const found = report.blockers;
    if (found === null) throw new Error('there are blockers');
    const [first = '', second = ''] = found.groups.flatMap(({ keys }) => keys);
    const left = untold(found, new Set([first]));
    expect(left.groups).toMatchObject([{ n: 1, keys: [second], reason: 'b', answers: [{ caseId: 'c1' }] }]);
    expect(untold(found, new Set([first, second])).groups).toEqual([]);
    // The same answer in another run has the same name.
    const again = await aRun('3', [{ ...fails('c'), answer: 'answer 0 of 2' }], blockers);
    expect((await said(null, again)).report.blockers?.groups[0]?.keys).toEqual([first]);
  });

  test('is not looked for in runs whose rubrics have none', async () => {
    const { report } = await said(await aRun('1', letters('p')), await aRun('2', [fails('a')]));
    expect(report.blockers).toBeNull();
  });
});

describe('the values of a tag', () => {
  const inTag = (language: string, said: string): Judged[] =>
    letters(said).map((one) => ({ ...one, parts: { tags: {}, language } }));
  const many = (passing: number, of: number) => `${'p'.repeat(passing)}${'f'.repeat(of - passing)}`;
  const sliced = async (before: RunManifest | null, after: RunManifest) => {
    const against = before === null ? [] : [{ manifest: before, baseline: null }];
    return assistantReport(runs, await readAnswers(runs, after), against, [], 'language');
  };

  test('are named if they got worse beyond chance, with their rate', async () => {
    const then = [...inTag('de', many(76, 80)), ...inTag('en', many(90, 100)), ...inTag('fr', 'ppp')];
    const now = [...inTag('de', many(57, 80)), ...inTag('en', many(89, 100)), ...inTag('fr', 'fff')];
    const report = await sliced(await aRun('1', then), await aRun('2', [...now, ...letters('p')]));
    expect(slicesText(report, null)).toBe('German got worse: 71 % of 80');
    expect(slicesText(report, 'nightly')).toBe('German got worse in nightly: 71 % of 80');
    // Agresti and Min: (0.5 − 19.5) / 82 = −0.232; 1.96 · √(20 − 19² / 82) / 82 = 0.094, by hand.
    expect(slicesTable(report, 'last Monday')).toEqual({
      title: 'By language',
      columns: ['Language', 'Answers', 'Pass', '95 % interval', 'Points since last Monday'],
      rows: [
        ['English', '100', '89 %', '81–94', '−1 (−4 to +2)'],
        ['German', '80', '71 %', '61–80', '−24 (−33 to −14), worse'],
        ['French', '3', '0 %', '0–56', '–'],
        ['Without language', '1', '100 %', '21–100', '–'],
      ],
      note: '“Worse” allows for looking at all values of language at once: if none changed, at most 1 of 20 such tables calls one worse. Values with fewer than 20 answers are counted together, and compared from 20 on.',
    });
  });

  test('are counted together where they are rare', async () => {
    const rare = (said: string) => ['fr', 'it', 'pt'].flatMap((language) => inTag(language, said));
    const run = async (build: string, said: string) =>
      aRun(build, [...inTag('en', many(36, 40)), ...rare(said)]);
    const report = await sliced(await run('1', 'p'.repeat(15)), await run('2', many(5, 15)));
    expect(slicesText(report, null)).toBe('3 other values got worse: 33 % of 45');
    expect(report.slices?.values.map(({ value, values, decided }) => [value, values, decided])).toEqual([
      ['en', 1, 40],
      [null, 3, 45],
    ]);
  });

  test('are not compared where judges decide another share of them', async () => {
    const before = await aRun('1', [...inTag('de', 'p'.repeat(40)), ...inTag('en', 'p'.repeat(400))]);
    const german = `${'p'.repeat(10)}${'f'.repeat(16)}${'?'.repeat(14)}`;
    const report = await sliced(
      before,
      await aRun('2', [...inTag('de', german), ...inTag('en', 'p'.repeat(400))]),
    );
    expect(report.changes[0]?.obstacles).toEqual([]);
    expect(slicesText(report, null)).toBeNull();
    expect(slicesTable(report, 'last Monday')?.rows[1]).toEqual(['German', '26', '38 %', '22–57', '–']);
  });

  test('are listed without a change in a first digest, and said to be missing where they are', async () => {
    const alone = slicesTable(await sliced(null, await aRun('1', inTag('de', 'ppf'))), null);
    expect(alone).toMatchObject({ columns: ['Language', 'Answers', 'Pass', '95 % interval'] });
    expect(alone?.rows).toEqual([['German', '3', '67 %', '21–94']]);
    const none = await sliced(null, await aRun('2', letters('p')));
    expect(slicesTable(none, null)).toMatchObject({ rows: [], note: 'No answer has the tag “language”.' });
  });
});
