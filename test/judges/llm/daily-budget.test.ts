import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeEach, describe, expect, it } from 'vitest';
import { JuryError } from '../../../src/common/errors.ts';
import { createDailyBudget } from '../../../src/judges/llm/daily-budget.ts';
import { createPrices } from '../../../src/judges/llm/models.ts';
import { openSqliteStore } from '../../../src/stores/sqlite/sqlite-store.ts';
import type { Store } from '../../../src/stores/store.ts';
import { aCase } from '../../support/builders.ts';
import { completionRequest } from '../../support/completion-request.ts';
import { startModelDouble } from '../../support/model-double.ts';
import { closeAfterEach, closing, newFolder } from '../../support/resources.ts';
import { jury, scratch, spawnedJury, verdictsOf } from '../../support/run-jury.ts';
import { ownRedis } from '../../support/slack-service.ts';
import { withDouble } from '../../support/with-double.ts';

closeAfterEach();

const never = new AbortController().signal;

describe('the daily budget', () => {
  let store: Store;
  let clock = 0;
  const now = () => clock;
  const budgetOf = (limitUsd: number, over: { store?: () => Promise<Store>; warn?: () => void } = {}) =>
    createDailyBudget({ limitUsd, store: async () => store, callMs: 120_000, now, ...over });
  const kept = async () => JSON.parse((await store.get('spending:2026-03-04', now())) ?? '{}');
  beforeEach(async () => {
    clock = Date.parse('2026-03-04T20:35:00Z');
    store = await openSqliteStore(join(newFolder(), 'jury.db'));
    closing(() => store.close());
  });

  /** What it takes to set this much aside at once. */
  async function held(budget: ReturnType<typeof budgetOf>, usd: number) {
    const reserved = await budget.reserve(usd, AbortSignal.timeout(20));
    if (reserved === null || typeof reserved === 'string') throw new Error(`not held: ${reserved}`);
    return reserved;
  }

  it('ends questions unasked once the day is spent, until midnight UTC', async () => {
    // gpt-4o: 100 prompt × 2.5 + 20 completion × 10 = 450 dollars for a million: $0.00045 an answer
    const budget = budgetOf(0.0009);
    const { double, client } = await withDouble({}, { budget });
    const ask = () => client.complete(completionRequest({ modelId: 'openai/gpt-4o' }));
    expect(await ask()).toMatchObject({ status: 'answered' });
    expect(await ask()).toMatchObject({ status: 'answered' });
    const third = await ask();
    expect(third).toMatchObject({
      status: 'unanswered',
      reason: 'budget',
      usage: { attempts: 0, costUsd: 0 },
    });
    expect(third.status === 'unanswered' && third.message).toBe(
      "the day's budget is spent: $0.00090 of $0.00090 (JURY_DAILY_BUDGET_USD); it resets at 2026-03-05T00:00:00.000Z, in 3 h 25 min",
    );
    expect(double.counts.received).toBe(2);
    clock += 4 * 3_600_000;
    expect(await ask()).toMatchObject({ status: 'answered' });
  });

  it('lets calls begin beside each other while the most that they may cost fits', async () => {
    const budget = budgetOf(1);
    const [first] = [await held(budget, 0.4), await held(budget, 0.4)];
    expect(await budget.reserve(0.4, AbortSignal.timeout(150))).toBeNull();
    first.charge(0.1);
    await held(budget, 0.4);
    await budget.flush();
    expect(await kept()).toMatchObject({ spent: 100_000_000 });
  });

  it('has a call wait until another one has ended', async () => {
    const budget = budgetOf(1);
    const first = await held(budget, 0.8);
    const waiting = budget.reserve(0.8, never);
    first.charge(0.1);
    expect(await waiting).toMatchObject({ charge: expect.any(Function) });
  });

  it('lets one call alone begin that may pass the limit, and none once it is reached', async () => {
    const budget = budgetOf(0.5);
    const alone = await held(budget, 2);
    expect(await budgetOf(0.5).reserve(0.01, AbortSignal.timeout(150))).toBeNull();
    alone.charge(0.49);
    await budget.flush();
    (await held(budget, 2)).charge(0.02);
    await budget.flush();
    expect(await budget.reserve(0.01, never)).toContain('$0.51 of $0.50');
  });

  it('counts what many set aside at the same time, in one store, once each', async () => {
    const budgets = [budgetOf(10), budgetOf(10), budgetOf(10)];
    await Promise.all(
      budgets.flatMap((budget) =>
        Array.from({ length: 20 }, async () => (await held(budget, 0.1)).charge(0.05)),
      ),
    );
    await Promise.all(budgets.map(({ flush }) => flush()));
    expect(await kept()).toEqual({ spent: 60 * 50_000_000, held: {} });
  });

  it('counts a call whose cost is not known as the most that it may have cost', async () => {
    const budget = budgetOf(1);
    (await held(budget, 0.3)).charge(null);
    await budget.flush();
    expect(await kept()).toEqual({ spent: 300_000_000, held: {} });
  });

  it('counts what a killed process had set aside as spent, when its call must be over', async () => {
    await held(budgetOf(1), 0.7);
    clock += 300_000;
    const budget = budgetOf(1);
    (await held(budget, 0.2)).charge(0.1);
    await budget.flush();
    expect(await kept()).toEqual({ spent: 800_000_000, held: {} });
  });

  it('counts a call that ends after that once', async () => {
    const [slow, other] = [budgetOf(1), budgetOf(1)];
    const late = await held(slow, 0.7);
    clock += 300_000;
    (await held(other, 0.1)).charge(0.1);
    await other.flush();
    late.charge(0.2);
    await slow.flush();
    expect(await kept()).toEqual({ spent: 300_000_000, held: {} });
  });

  it('counts a call that ends after midnight to the day on which it began', async () => {
    clock = Date.parse('2026-03-04T23:59:59Z');
    const budget = budgetOf(1);
    const late = await held(budget, 0.4);
    clock += 5_000;
    late.charge(0.3);
    await budget.flush();
    expect(await kept()).toMatchObject({ spent: 300_000_000 });
    await held(budget, 0.9);
  });

  it('lets no call begin while the store cannot be reached, and says so', async () => {
    const away = async (): Promise<Store> => {
      throw new JuryError('store-unavailable', 'Redis cannot be reached: check that it runs.');
    };
    const { double, client } = await withDouble({}, { budget: budgetOf(1, { store: away }) });
    expect(await client.complete(completionRequest({ modelId: 'openai/gpt-4o' }))).toMatchObject({
      reason: 'budget',
      message:
        'the daily budget (JURY_DAILY_BUDGET_USD) cannot be counted: Redis cannot be reached: check that it runs.',
    });
    expect(double.counts.received).toBe(0);
  });

  it('warns once where the store goes away before the cost of a call is counted', async () => {
    const warnings: string[] = [];
    const budget = createDailyBudget({
      limitUsd: 1,
      store: async () => store,
      callMs: 1000,
      now,
      warn: (message) => warnings.push(message),
    });
    const [one, other] = [await held(budget, 0.1), await held(budget, 0.1)];
    await store.close();
    one.charge(0.05);
    other.charge(0.05);
    await budget.flush();
    expect(warnings).toEqual([expect.stringContaining('counts a call as the most')]);
  });

  it('refuses models whose price is not known, and counts nothing for Ollama', async () => {
    const budget = budgetOf(0);
    const { double, client } = await withDouble({}, { budget });
    expect(await client.complete(completionRequest({ modelId: 'mine/model' }))).toMatchObject({
      reason: 'budget',
      message: expect.stringMatching(/the price of mine\/model is not known, .*"\*", .*JURY_PRICES/),
    });
    expect(double.counts.received).toBe(0);
    const local = await client.complete(completionRequest({ modelId: 'ollama/llama3' }));
    expect(local).toMatchObject({ status: 'answered', usage: { costUsd: 0 } });
    const { of: priceOf } = createPrices({ '*': { input: 1, cachedInput: null, output: 1 } });
    const { client: priced } = await withDouble({}, { budget: budgetOf(1), priceOf });
    expect(await priced.complete(completionRequest({ modelId: 'mine/model' }))).toMatchObject({
      status: 'answered',
    });
  });
});

describe.each(['sqlite', 'redis'])('processes that share a store in %s', (kind) => {
  it('share one budget, and pass it by one call at most', async () => {
    // $0.40 a reply; what may be set aside for one is some $4.10.
    const double = await startModelDouble({
      delayMs: 20,
      answer: () => ({ usage: { prompt_tokens: 100, completion_tokens: 400 } }),
    });
    closing(double.close);
    const cwd = scratch();
    writeFileSync(join(cwd, 'prices.json'), '{"*":{"input":0,"output":1000}}');
    const cases = Array.from({ length: 40 }, (_, n) => JSON.stringify({ ...aCase(), id: `c${n}` }));
    const env = {
      MINE_BASE_URL: double.baseUrl,
      JURY_PRICES: 'prices.json',
      JURY_DAILY_BUDGET_USD: '10.1',
      ...(kind === 'redis' ? { REDIS_URL: (await ownRedis()).url } : {}),
    };
    const judge = () =>
      spawnedJury(['judge', '--json', '--no-cache', '--model', 'mine/judge', '--method', 'io'], {
        cwd,
        env,
        input: cases.join('\n'),
      });
    const both = await Promise.all([judge(), judge()]);
    const unscored = both
      .flatMap(verdictsOf)
      .flatMap(({ judgements }) =>
        judgements.flatMap((one) => (one.status === 'unscored' ? [one.reason] : [])),
      );
    // 25 replies cost $10, and one more passes $10.10.
    expect(double.counts.received).toBe(26);
    expect(unscored).toEqual(Array.from({ length: 80 - 26 }, () => 'budget'));
    const later = await jury(['judge', '--model', 'mine/judge'], { cwd, env, input: cases[0] ?? '' });
    expect(later.out).toMatch(/the day's budget is\s+spent: \$10\.40 of\s+\$10\.10/);
    expect(double.counts.received).toBe(26);
    const doctor = await jury(['doctor'], { cwd, env });
    expect(doctor.code).toBe(1);
    expect(doctor.out).toMatch(
      /✗ daily budget: the day's budget is spent: \$10\.40 of \$10\.10 .*it resets at/,
    );
    const raised = await jury(['doctor'], { cwd, env: { ...env, JURY_DAILY_BUDGET_USD: '20' } });
    expect(raised.code).toBe(0);
    expect(raised.out).toMatch(/✓ daily budget: \$10\.40 of \$20\.00 spent today; it resets at 00:00 UTC/);
  });
});

it('a model without a price is refused before anything is asked, where there is a budget', async () => {
  const env = { MINE_BASE_URL: 'http://127.0.0.1:9/v1', JURY_DAILY_BUDGET_USD: '1' };
  const ran = await jury(['judge', '--model', 'mine/judge'], { env, input: JSON.stringify(aCase()) });
  expect(ran.err).toContain('The price of mine/judge is not known, so JURY_DAILY_BUDGET_USD cannot count it');
  expect(ran.out).toBe('');
});
