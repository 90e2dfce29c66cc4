import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { beforeAll, describe, expect, test } from 'vitest';
import { Trial, trialOf } from '../../src/benchmark/trial.ts';
import { findModel } from '../../src/judges/llm/models.ts';
import type { Judgement } from '../../src/judging/verdict/judgement.ts';
import type { Verdict } from '../../src/judging/verdict/verdict.ts';
import { factsOf } from '../../src/reports/facts/trial-facts.ts';
import { makeReport } from '../../src/reports/make-report.ts';
import { paperPrices } from '../../src/reports/published/published-tables.ts';
import { createFolderTrialStore } from '../../src/stores/folder/runs.ts';
import { aConfiguration, aManifest, aVerdict, casesOf } from '../support/run-builders.ts';

const store = createFolderTrialStore(mkdtempSync(join(tmpdir(), 'jury-effort-')));

interface Call {
  model: string;
  prompt: number;
  completion: number;
  ms: number;
  sequentialMs?: number;
}

/** A verdict of a panel whose judges were asked at the same time. */
function verdictOf(calls: readonly Call[], durationMs: number): Verdict {
  const base = aVerdict();
  const [judgement] = base.judgements;
  if (judgement === undefined) throw new Error('no judgement');
  const judgements = calls.map(
    ({ model, prompt, completion, ms, sequentialMs }, sample): Judgement => ({
      ...judgement,
      judge: { persona: null, model, sample },
      usage: {
        ...judgement.usage,
        promptTokens: prompt,
        completionTokens: completion,
        latencyMs: ms,
        ...(sequentialMs === undefined ? {} : { sequentialMs }),
      },
    }),
  );
  const total = (of: (call: Call) => number) => calls.reduce((sum, call) => sum + of(call), 0);
  return {
    ...base,
    judgements,
    calls: calls.length,
    durationMs,
    usage: {
      promptTokens: total(({ prompt }) => prompt),
      cachedTokens: 0,
      completionTokens: total(({ completion }) => completion),
      costUsd: 1,
    },
  };
}

async function keep(name: string, verdict: Verdict): Promise<void> {
  const dataset = { source: 'x.jsonl', cases: 1, labeled: 0, hash: 'h' };
  await store.create(aManifest({ name, configurations: [aConfiguration()], dataset }), casesOf(1));
  const writer = await store.write(name);
  await writer.save(trialOf('0-0', 'io rules t0 #1', null, verdict), verdict);
  await writer.close();
}

const effortOf = async (name: string, prices?: string) => {
  const pricing = prices === undefined ? undefined : paperPrices(prices);
  const { setups } = await makeReport(store, name, { pricing });
  return setups[0]?.efficiency;
};

const one = { model: 'openai/gpt-4o-2024-08-06', prompt: 1000, completion: 200, ms: 2000 };
const other = { model: 'deepseek/deepseek-chat', prompt: 1000, completion: 100, ms: 1000 };
const calls = [one, { ...other, sequentialMs: 3000 }];

beforeAll(async () => {
  await keep('panel', verdictOf(calls, 2100));
  await keep('stranger', verdictOf([one, { ...other, model: 'openai/gpt-5' }], 2100));
});

describe('what a trial takes', () => {
  test('has output tokens, the time in parallel and in sequence, and seconds per token', async () => {
    expect(await effortOf('panel')).toMatchObject({
      outputTokens: { mean: { value: 300 } },
      latencyMs: { mean: { value: 2100 } },
      // 2 s, and 3 s of questions that were asked at once
      sequentialMs: { mean: { value: 5000 } },
      secondsPerToken: { value: expect.closeTo(5 / 2300, 12), n: 1 },
      costUsd: { mean: { value: 1 } },
    });
  });

  test('in sequence is the sum over judges in runs that did not record it', async () => {
    const { sequentialMs, ...older } = trialOf('0-0', 'io rules t0 #1', null, verdictOf(calls, 2100));
    expect(sequentialMs).toBe(5000);
    const facts = factsOf(Trial.parse(older), 1);
    expect(facts).toMatchObject({ latencyMs: 2100, sequentialMs: 3000, outputTokens: 300 });
  });

  test('with cached answers says nothing about tokens, cost and time', () => {
    const trial = trialOf('0-0', 'io rules t0 #1', null, verdictOf(calls, 2100));
    expect(factsOf(Trial.parse({ ...trial, cached: 1 }), 1)).toMatchObject({
      calls: 2,
      tokens: null,
      outputTokens: null,
      costUsd: null,
      latencyMs: null,
    });
  });

  test('costs what a paper prints, judge by judge and without a discount for cached prompts', async () => {
    // 1000 × 5 + 200 × 15 and 1000 × 0.27 + 100 × 1.1 dollars for a million
    expect(await effortOf('panel', 'contextual-2')).toMatchObject({
      costUsd: { mean: { value: expect.closeTo((5000 + 3000 + 270 + 110) / 1e6, 15) }, missing: 0 },
    });
  });

  test('has no cost where the paper prints no price for one of its models', async () => {
    expect(await effortOf('stranger', 'contextual-2')).toMatchObject({
      costUsd: { mean: { defined: false }, missing: 1 },
      totalCostUsd: null,
    });
  });

  test('has the prices of all thirteen models of that paper, under the names that providers use', () => {
    const pricing = paperPrices('contextual-2');
    const costOf = (model: string) =>
      pricing(verdictOf([{ model, prompt: 1_000_000, completion: 0, ms: 1 }], 1));
    const models = Object.entries({
      'openai/gpt-3.5-turbo': 0.5,
      'openai/gpt-4-turbo': 10,
      'openai/gpt-4o': 5,
      'openai/gpt-4.1': 2,
      'openai/o3-mini': 1.1,
      'openai/o3': 10,
      'openai/o4-mini': 1.1,
      'deepseek/deepseek-chat': 0.27,
      'deepseek/deepseek-reasoner': 0.55,
      'mistral/open-mistral-nemo': 0.3,
      'mistral/mistral-large-2407': 3,
      'openrouter/meta-llama/llama-3.1-8b-instruct': 0.3,
      'openrouter/meta-llama/llama-3.1-405b-instruct': 5.33,
    });
    expect(models.map(([model]) => [model, costOf(model)])).toEqual(models);
    expect(models.filter(([model]) => findModel(model) === undefined)).toEqual([]);
    expect(costOf('openai/gpt-4o-mini')).toBeNull();
  });

  test('takes prices from tables that have some', () => {
    expect(() => paperPrices('inca-2')).toThrow('Must be a published table with prices: contextual-2.');
  });
});
