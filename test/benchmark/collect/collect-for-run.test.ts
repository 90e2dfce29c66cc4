import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import * as z from 'zod';
import { assemble } from '../../../src/compose.ts';
import { addToSet } from '../../../src/datasets/named-case-sets.ts';
import type { DigestSchedule } from '../../../src/digests/digest-schedule.ts';
import { readEnv } from '../../../src/env.ts';
import { openDigests } from '../../../src/surfaces/open-digests.ts';
import { type AssistantReply, type SeenRequest, startAssistant } from '../../support/assistant-double.ts';
import { aCase } from '../../support/builders.ts';
import { folderWith } from '../../support/built-in.ts';
import { closeAfterEach, closing, until } from '../../support/resources.ts';
import { jury, scratch } from '../../support/run-jury.ts';

closeAfterEach();

const slot = Date.UTC(2026, 10, 23, 8);
const run = 'nightly-20261123T080000Z';

const schedule: DigestSchedule = {
  id: 'd1',
  cron: '0 8 * * 1',
  timezone: 'UTC',
  target: { surface: 'slack', team: 'T1', channel: 'C1' },
  owner: null,
  benchmarks: ['nightly'],
  by: null,
  since: 0,
  paused: false,
};

const requests = (count: number) =>
  Array.from({ length: count }, (_, at) =>
    JSON.stringify({
      id: `case-${at}`,
      conversation: [{ role: 'user', text: `Find sushi, attempt ${at}. Rated at least 4` }],
    }),
  ).join('\n');

const said = ({ body }: SeenRequest) => z.object({ text: z.string() }).parse(JSON.parse(body)).text;
const recommend = (request: SeenRequest): AssistantReply => ({
  json: { answer: `Take this one: ${said(request)}`, stars: said(request).includes('attempt 1.') ? 3 : 4.5 },
});

interface Setup {
  dataset?: string;
  answer?: (request: SeenRequest) => AssistantReply;
  more?: string;
}

/** A benchmark in files of its own, and processes that run it on one data folder. */
async function benchmark({
  dataset = '{ files: "log-*.jsonl", newest: true }',
  answer = recommend,
  more = '',
}: Setup) {
  const double = await startAssistant(answer);
  closing(double.close);
  const prompts = folderWith({
    'benchmarks/nightly.yaml': `title: Every night\ndataset: ${dataset}\nsystem: ../car.yaml\nrubric: navigation\nmethods: [io]\nmodels: [rules]\nbudget: none\n${more}`,
    'benchmarks/log-9.jsonl': requests(1),
    'benchmarks/log-10.jsonl': requests(6),
    'car.yaml': JSON.stringify({
      name: 'car',
      build: '7',
      http: { url: double.url, body: { text: '{{request}}' } },
      answer: 'answer',
      fields: { 'recommendation.rating': 'stars' },
      concurrency: 2,
    }),
  });
  const cwd = scratch();
  const env = { JURY_DATA_DIR: join(cwd, 'data'), JURY_PROMPTS_DIR: prompts };
  return {
    double,
    prompts,
    /** Runs it in a process of its own. */
    process: async (stop = new AbortController().signal) => {
      const parts = await assemble(readEnv(env, join(cwd, 'no.env')), { cache: false, warn: () => {} });
      const digests = await openDigests(parts, () => {});
      try {
        return await digests.runBenchmarks(schedule, slot, stop);
      } finally {
        await digests.close();
        await parts.close();
      }
    },
    parts: () => assemble(readEnv(env, join(cwd, 'no.env')), { cache: false, warn: () => {} }),
    jury: (args: string[]) => jury(args, { cwd, env }),
  };
}

describe('a benchmark with a system', () => {
  test('has it answer the requests of the newest log first; what is judged are its answers', async () => {
    const { double, process, jury } = await benchmark({});
    expect(await process()).toEqual([{ kind: 'complete', name: 'nightly', run, trials: 6, unanswered: 0 }]);
    expect(double.requests).toHaveLength(6);
    const { out } = await jury(['bench', 'show', run, '--trials']);
    expect(out.match(/"caseId":"case-1".*?"decision":"(\w+)"/)?.[1]).toBe('fail');
    expect(await process()).toHaveLength(1);
    expect(double.requests).toHaveLength(6);
  });

  test('whose process stops in the middle is gone on with by another, which asks for nothing that was answered', async () => {
    const { double, process } = await benchmark({ answer: (seen) => ({ ...recommend(seen), delayMs: 100 }) });
    const stop = new AbortController();
    const first = process(stop.signal).catch((thrown: unknown) => thrown);
    await until(() => double.requests.length >= 3);
    stop.abort(new Error('the process ends'));
    expect(String(await first)).toContain('the process ends');
    expect(double.requests.length).toBeLessThan(6);
    expect(await process()).toMatchObject([{ kind: 'complete', trials: 6 }]);
    expect(double.requests).toHaveLength(6);
  });

  test('that does not answer is not judged, and the digest says why', async () => {
    const { process } = await benchmark({ answer: () => ({ status: 401, text: 'who?' }) });
    expect(await process()).toMatchObject([
      { kind: 'not-run', why: expect.stringContaining('car answered 0 of 6 requests: 3 cases in a row') },
    ]);
  });

  test('can have a sample of the log, or a set from the store', async () => {
    const some = await benchmark({
      dataset: '{ files: "log-10.jsonl", sample: { perDay: 2, seed: 7 } }',
    });
    expect(await some.process()).toMatchObject([{ kind: 'complete', trials: 2 }]);
    const gathered = await benchmark({ dataset: '{ set: regressions }' });
    expect(await gathered.process()).toMatchObject([
      { kind: 'not-run', why: expect.stringContaining('no set') },
    ]);
    const parts = await gathered.parts();
    await addToSet(await parts.store(), 'regressions', aCase({ id: 'kept' }), Date.now());
    await parts.close();
    expect(await gathered.process()).toMatchObject([{ kind: 'complete', trials: 1 }]);
    expect(gathered.double.requests).toHaveLength(1);
  });

  test('is examined by the doctor, which asks the system nothing', async () => {
    const { double, prompts, jury } = await benchmark({});
    expect((await jury(['doctor'])).out).toContain('benchmark nightly: 6 cases, answered by car');
    writeFileSync(join(prompts, 'car.yaml'), 'http: { uri: x }');
    expect((await jury(['doctor'])).out).toContain('http.uri: is not a known key');
    expect(double.requests).toHaveLength(0);
  });
});
