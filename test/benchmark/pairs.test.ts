import { beforeEach, describe, expect, test } from 'vitest';
import { pairBuilds } from '../../src/benchmark/collect/benchmark-cases.ts';
import { planRun } from '../../src/benchmark/plan-run.ts';
import { runBenchmark } from '../../src/benchmark/run-benchmark.ts';
import { trialOf } from '../../src/benchmark/trial.ts';
import type { TrialStore } from '../../src/benchmark/trial-store.ts';
import type { EvalCase } from '../../src/case/case.ts';
import { JuryError } from '../../src/common/errors.ts';
import type { Ask } from '../../src/judging/ask.ts';
import { readAnswers } from '../../src/reports/assistant/answers.ts';
import { basisText, closingLines, headlineText } from '../../src/reports/assistant/assistant-words.ts';
import { assistantReport } from '../../src/reports/assistant/make-assistant-report.ts';
import { createFolderTrialStore } from '../../src/stores/folder/runs.ts';
import { builtInLibrary } from '../support/built-in.ts';
import { always, favors, NEW, OLD, pair, verdictBy } from '../support/pairs.ts';
import { aManifest, someSettings } from '../support/run-builders.ts';
import { scratch } from '../support/run-jury.ts';

let runs: TrialStore;

beforeEach(() => {
  runs = createFolderTrialStore(scratch());
});

const judges = { n: favors(NEW), o: favors(OLD), s: favors(null), f: always('first') };

/** The report of a run: which answer the only judge prefers of each request; `f` always prefers the first. */
async function reportOn(preferred: string) {
  const letters = [...preferred];
  const cases = letters.map((_, index) => ({ ...pair, id: `c${index}` }));
  const manifest = aManifest({
    name: 'pairs',
    subject: 'assistant',
    dataset: { source: 'cases.jsonl', cases: cases.length, labeled: 0, hash: 'h' },
  });
  await runs.create(manifest, cases);
  const writer = await runs.write(manifest.name);
  const { id = '' } = manifest.configurations[0] ?? {};
  for (const [index, letter] of letters.entries()) {
    const judge = Object.entries(judges).find(([name]) => name === letter)?.[1] ?? favors(null);
    const { verdict } = await verdictBy({ ann: judge }, { evalCase: cases[index] ?? pair });
    await writer.save(trialOf(`0-${index}`, id, null, verdict), verdict);
  }
  await writer.close();
  return assistantReport(runs, await readAnswers(runs, manifest), []);
}

describe('a run on pairs', () => {
  test('reports the share of each answer with its interval and a sign test', async () => {
    const { preference } = await reportOn('nnnnnnnnnnoossf');
    expect(preference).toMatchObject({
      names: ['Old', 'New'],
      A: 2,
      B: 10,
      same: 3,
      changed: { n: 1, of: 15 },
      share: { measure: { value: 10 / 12, n: 12 }, interval: { by: 'wilson', n: 12 } },
    });
    // 2·(C(12,0) + C(12,1) + C(12,2)) / 2¹².
    expect(preference?.pValue).toMatchObject({ value: expect.closeTo(158 / 4096, 9), n: 12 });
  });

  test('says in one sentence which is better, and how sure that is', async () => {
    const report = await reportOn('nnnnnnnnnnoossf');
    expect(headlineText(report, null, '')).toEqual({
      text: 'New is better: preferred for 10 of 12 requests, 83 % (55–95), p = 0.039 by sign test; 3 the same',
      trend: 'better',
    });
    expect(closingLines(report)).toContain(
      'How sure is this: 1 of 15 judgements changed with the order of the answers and count as ties',
    );
    expect(basisText(report, null)).toBe('');
  });

  test('names the first answer where that is better, and none where it may be chance', async () => {
    expect(headlineText(await reportOn('oooooooo'), null, '')).toMatchObject({
      text: expect.stringMatching(/^Old is better: preferred for 8 of 8 requests, 100 % \(68–100\)/),
      trend: 'worse',
    });
  });

  test('finds nothing clear in a few requests, and nothing at all with judges that always prefer the first', async () => {
    expect(headlineText(await reportOn('nno'), null, '').text).toMatch(
      /^Neither Old nor New is clearly better: New is preferred for 2 of 3 requests/,
    );
  });

  test('of judges that always prefer the first says that there is no difference', async () => {
    const report = await reportOn('fff');
    expect(headlineText(report, null, '').text).toBe(
      'No difference was found between Old and New on 3 requests',
    );
    expect(closingLines(report)).toContain(
      'How sure is this: 3 of 3 judgements changed with the order of the answers and count as ties',
    );
  });
});

describe('answers of two builds', () => {
  const answer = (id: string, build: string, parts: Partial<EvalCase> = {}): EvalCase => ({
    id,
    conversation: [{ role: 'user', text: `request ${id}` }],
    response: `answer of ${build} to ${id}`,
    tags: { build, domain: 'climate' },
    label: { decision: 'pass' },
    ...parts,
  });

  test('become pairs by their id, whatever their order; tags stay, labels do not', () => {
    const cases = [answer('a', '1'), answer('b', '2'), answer('a', '2'), answer('b', '1')];
    expect(pairBuilds(cases)).toEqual(
      ['a', 'b'].map((id) => ({
        id,
        conversation: [{ role: 'user', text: `request ${id}` }],
        response: `answer of 1 to ${id}`,
        alternative: { response: `answer of 2 to ${id}` },
        answerNames: ['Build 1', 'Build 2'],
        tags: { domain: 'climate' },
      })),
    );
  });

  test.each([
    ['an answer is missing', [answer('a', '1'), answer('a', '2'), answer('b', '1')], /b has 1 answer \(1\)/],
    [
      'there are three builds',
      [answer('a', '1'), answer('a', '2'), answer('b', '3')],
      /found 3 values: 1, 2, 3/,
    ],
    ['a build has two answers', [answer('a', '1'), answer('a', '2'), answer('a', '2')], /a has 3 answers/],
    ['there is no build', [answer('a', '1', { tags: {} }), answer('b', '2')], /found 2 values: none, 2/],
    [
      'requests differ',
      [answer('a', '1'), answer('a', '2', { conversation: [{ role: 'user', text: 'another' }] })],
      /the requests of a differ/,
    ],
  ])('are refused where %s', (_, cases, problem) => {
    expect(() => pairBuilds(cases)).toThrow(problem);
  });
});

describe('a run on pairs that was killed', () => {
  test('resumes with the answers that it has, each in its own order', async () => {
    const library = builtInLibrary();
    const settings = {
      ...someSettings(),
      methods: ['io'],
      models: ['test/model'],
      rubric: 'question-answering',
    };
    const manifest = planRun(
      { library, wordingOf: () => ({ hash: 'same', chars: 100 }) },
      { name: 'killed', settings, cases: [pair], source: 'cases.jsonl', now: 0 },
    );
    await runs.create(manifest, [pair]);
    const kept = new Map<string, string>();
    const asked: string[] = [];
    const resume = async (ask: Ask) => {
      const writer = await runs.write(manifest.name);
      const replies = (key: string) => ({
        read: async (question: string) => kept.get(key + question) ?? null,
        write: async (question: string, judgement: string) => void kept.set(key + question, judgement),
      });
      const end = await runBenchmark(
        {
          manifest,
          library,
          askFor: () => async (question) => {
            asked.push(question.evalCase.response);
            return ask(question);
          },
          wordingOf: () => ({ hash: 'same', chars: 100 }),
          caseAt: async () => pair,
          readVerdicts: (keys) => runs.readVerdicts(manifest.name, keys),
          writer: { ...writer, replies },
          now: () => 0,
          timeoutMs: 600_000,
          stop: new AbortController().signal,
        },
        1,
      );
      await writer.close();
      return end;
    };
    const dies: Ask = async (question) => {
      if (question.evalCase.response === OLD) return favors(NEW)(question);
      await new Promise((done) => setTimeout(done, 50));
      throw new JuryError('endpoint-refused', 'gone');
    };
    expect((await resume(dies)).kind).toBe('refused');
    expect(kept.size).toBe(1);
    expect((await resume(favors(NEW))).kind).toBe('complete');
    expect(asked).toEqual([OLD, NEW, NEW]);
    for await (const trial of runs.readTrials(manifest.name))
      expect(trial).toMatchObject({
        score: 1,
        preference: { better: 'B', judges: { changed: 0 } },
        calls: 2,
      });
  });
});
