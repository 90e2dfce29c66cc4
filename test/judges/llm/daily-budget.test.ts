import { appendFile, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { createDailyBudget } from '../../../src/judges/llm/daily-budget.ts';
import { completionRequest } from '../../support/completion-request.ts';
import { withDouble } from '../../support/with-double.ts';

describe('the daily budget', () => {
  let folder = '';
  let clock = Date.parse('2026-03-04T20:35:00Z');
  const now = () => clock;
  beforeEach(async () => {
    clock = Date.parse('2026-03-04T20:35:00Z');
    folder = await mkdtemp(join(tmpdir(), 'jury-budget-'));
  });
  afterEach(() => rm(folder, { recursive: true, force: true }));

  it('ends questions unasked once the day is spent, until midnight UTC', async () => {
    // gpt-4o: 100 prompt × 2.5 + 20 completion × 10 = 450 dollars for a million: $0.00045 an answer
    const budget = createDailyBudget({ limitUsd: 0.0009, folder, now });
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
    await budget.flush();
    expect((await readFile(join(folder, 'spent-2026-03-04.txt'), 'utf8')).split('\n')).toHaveLength(3);
  });

  it('counts what other processes spent, before and since it started', async () => {
    const file = join(folder, 'spent-2026-03-04.txt');
    await writeFile(file, '0.5\n');
    const budget = createDailyBudget({ limitUsd: 1, folder, now });
    expect(await budget.exceeded()).toBeNull();
    await appendFile(file, '0.3\nnonsense\n0.2');
    expect(await budget.exceeded()).toBeNull();
    await appendFile(file, '\n');
    expect(await budget.exceeded()).toContain('$1.00 of $1.00');
  });

  it('counts its own spending once', async () => {
    const budget = createDailyBudget({ limitUsd: 1, folder, now });
    budget.spend(0.4);
    await budget.flush();
    expect(await budget.exceeded()).toBeNull();
    budget.spend(0.4);
    expect(await budget.exceeded()).toBeNull();
    budget.spend(0.4);
    expect(await budget.exceeded()).toContain('$1.20');
    await budget.flush();
    expect(await budget.exceeded()).toContain('$1.20');
  });

  it('never counts an amount twice, nor leaves it out, while it is being written', async () => {
    vi.resetModules();
    vi.doMock('node:fs/promises', async (original) => {
      const real = await original<typeof import('node:fs/promises')>();
      const appendFile: typeof real.appendFile = async (...what) => {
        await real.appendFile(...what);
        await new Promise((done) => setTimeout(done, 30));
      };
      return { ...real, appendFile };
    });
    const slow = await import('../../../src/judges/llm/daily-budget.ts');
    vi.doUnmock('node:fs/promises');
    for (const [limitUsd, spent] of [
      [1, null],
      [0.6, expect.stringContaining('$0.60 of $0.60')],
    ] as const) {
      const budget = slow.createDailyBudget({ limitUsd, folder: join(folder, String(limitUsd)), now });
      let written = false;
      budget.spend(0.6);
      void budget.flush().then(() => {
        written = true;
      });
      while (!written) expect(await budget.exceeded()).toEqual(spent);
      expect(await budget.exceeded()).toEqual(spent);
    }
  });

  it('counts what budgets in one folder spend at the same time', async () => {
    const [one, other] = [0, 1].map(() => createDailyBudget({ limitUsd: 1, folder, now }));
    // ten tenths are less than one in binary fractions
    for (let n = 0; n < 5; n++) one?.spend(0.1);
    for (let n = 0; n < 5; n++) other?.spend(0.1);
    await Promise.all([one?.flush(), other?.flush()]);
    expect(await one?.exceeded()).toContain('$1.00 of $1.00');
    expect(await other?.exceeded()).toContain('$1.00 of $1.00');
  });

  it("reads the new day's file though yesterday's is still being read", async () => {
    await writeFile(join(folder, 'spent-2026-03-04.txt'), '0.1\n');
    await writeFile(join(folder, 'spent-2026-03-05.txt'), '1.5\n');
    const budget = createDailyBudget({ limitUsd: 1, folder, now });
    const yesterday = budget.exceeded();
    clock += 4 * 3_600_000;
    expect(await budget.exceeded()).toContain('$1.50 of $1.00');
    expect(await yesterday).toBeNull();
  });

  it('still counts for itself where nothing can be written', async () => {
    const warnings: string[] = [];
    const blocked = join(folder, 'file');
    await writeFile(blocked, '');
    const budget = createDailyBudget({
      limitUsd: 1,
      folder: blocked,
      now,
      warn: (message) => warnings.push(message),
    });
    budget.spend(0.6);
    budget.spend(0.6);
    await budget.flush();
    expect(await budget.exceeded()).toContain('$1.20');
    expect(warnings).toHaveLength(1);
  });

  it('limits nothing where no limit is set', async () => {
    const budget = createDailyBudget({ limitUsd: null, folder, now });
    budget.spend(1000);
    expect(await budget.exceeded()).toBeNull();
    await budget.flush();
  });
});
