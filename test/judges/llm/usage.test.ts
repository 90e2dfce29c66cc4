import { join } from 'node:path';
import { beforeEach, describe, expect, it } from 'vitest';
import { createDailyBudget, type DailyBudget } from '../../../src/judges/llm/daily-budget.ts';
import { openSqliteStore } from '../../../src/stores/sqlite/sqlite-store.ts';
import type { Store } from '../../../src/stores/store.ts';
import { completionRequest } from '../../support/completion-request.ts';
import type { ModelDouble } from '../../support/model-double.ts';
import { closeAfterEach, closing, newFolder } from '../../support/resources.ts';
import { withDouble } from '../../support/with-double.ts';

closeAfterEach();

const now = () => Date.parse('2026-03-04T20:35:00Z');

// gpt-4o: 100 prompt × 2.5 + 20 completion × 10 = 450 dollars for a million: $0.00045 a reply of the double
describe('what a question took', () => {
  let store: Store;
  let budget: DailyBudget;
  beforeEach(async () => {
    store = await openSqliteStore(join(newFolder(), 'jury.db'));
    closing(() => store.close());
    budget = createDailyBudget({ limitUsd: 1, store: async () => store, callMs: 1000, now });
  });

  const booked = async () => JSON.parse((await store.get('spending:2026-03-04', now())) ?? '{}');
  /** In billionths of a dollar, of a request with a known reply 450,000; otherwise a token for each byte, and 4,096 of the answer. */
  const mostOf = ({ requests }: ModelDouble, n: number) =>
    Buffer.byteLength(JSON.stringify(requests[n]?.body)) * 2_500 + 4_096 * 10_000;

  it('is unknown when a part of it is, and that part is booked as the most that it may have cost', async () => {
    const { double, client } = await withDouble(
      { answer: ({ n }) => (n === 1 ? { content: 'no' } : { hang: true }) },
      { budget },
    );
    const controller = new AbortController();
    const { signal } = controller;
    const asking = client.complete(completionRequest({ modelId: 'openai/gpt-4o', signal }));
    while (double.requests.length < 2) await new Promise((done) => setTimeout(done, 2));
    controller.abort();
    const { usage } = await asking;
    expect(usage).toMatchObject({
      promptTokens: null,
      cachedTokens: null,
      completionTokens: null,
      costUsd: null,
      attempts: 2,
    });
    await budget.flush();
    expect(await booked()).toEqual({ spent: 450_000 + mostOf(double, 1), held: {} });
  });

  it.each([1, 2])('is unknown when reply %i of two reported nothing', async (silent) => {
    const { double, client } = await withDouble(
      {
        answer: ({ n }) => ({
          ...(n === silent ? { usage: null } : {}),
          ...(n === 1 ? { content: 'no' } : {}),
        }),
      },
      { budget },
    );
    const outcome = await client.complete(completionRequest({ modelId: 'openai/gpt-4o' }));
    expect(outcome).toMatchObject({ status: 'answered', usage: { promptTokens: null, costUsd: null } });
    await budget.flush();
    expect(await booked()).toEqual({ spent: 450_000 + mostOf(double, silent - 1), held: {} });
  });

  it('keeps the sums that are known beside one that is not', async () => {
    const { double, client } = await withDouble(
      { answer: () => ({ usage: { prompt_tokens: 100 } }) },
      { budget },
    );
    const { usage } = await client.complete(completionRequest({ modelId: 'openai/gpt-4o' }));
    expect(usage).toMatchObject({ promptTokens: 100, completionTokens: null, costUsd: null });
    await budget.flush();
    expect(await booked()).toEqual({ spent: mostOf(double, 0), held: {} });
  });

  it('is not made unknown by requests that were turned away', async () => {
    const { client } = await withDouble({
      answer: ({ n }) => (n === 1 ? { status: 503, error: 'busy' } : {}),
    });
    const { usage } = await client.complete(completionRequest({ modelId: 'openai/gpt-4o' }));
    expect(usage).toMatchObject({ promptTokens: 100, completionTokens: 20, attempts: 2 });
    expect(usage.costUsd).toBeCloseTo(45e-5, 12);
  });

  it('is priced however the provider is spelled', async () => {
    const { client } = await withDouble();
    const { usage } = await client.complete(completionRequest({ modelId: 'OpenAI/gpt-4o' }));
    expect(usage.costUsd).toBeCloseTo(45e-5, 12);
  });

  it('is booked by the time that the client is closed', async () => {
    const { double, client } = await withDouble({ delayMs: 60 }, { budget });
    const asking = client.complete(completionRequest({ modelId: 'openai/gpt-4o' }));
    while (double.requests.length === 0) await new Promise((done) => setTimeout(done, 2));
    await client.close();
    expect(await booked()).toEqual({ spent: 450_000, held: {} });
    expect(await asking).toMatchObject({ status: 'answered' });
  });

  it('is booked by then for a question that was cancelled just before', async () => {
    const { double, client } = await withDouble(
      { answer: ({ n }) => (n === 1 ? { content: 'no' } : { hang: true }) },
      { budget },
    );
    const controller = new AbortController();
    const { signal } = controller;
    const asking = client.complete(completionRequest({ modelId: 'openai/gpt-4o', signal }));
    while (double.requests.length < 2) await new Promise((done) => setTimeout(done, 2));
    controller.abort();
    await client.close();
    expect(await booked()).toEqual({ spent: 450_000 + mostOf(double, 1), held: {} });
    expect(await asking).toMatchObject({ reason: 'cancelled' });
  });
});
