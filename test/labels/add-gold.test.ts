import { join } from 'node:path';
import { expect, test } from 'vitest';
import { planCase } from '../../src/judging/judge-case.ts';
import { decisionIs } from '../../src/labels/record/vote.ts';
import { addGold } from '../../src/labels/voting/gold-case.ts';
import { openSqliteStore } from '../../src/stores/sqlite/sqlite-store.ts';
import { aCase, judgementOf, pass } from '../support/builders.ts';
import { builtInLibrary } from '../support/built-in.ts';
import { closeAfterEach, closing } from '../support/resources.ts';
import { scratch } from '../support/run-jury.ts';
import { saturday } from '../support/store-builders.ts';

closeAfterEach();

test('a case whose judging was stopped halfway is not kept, so that the same command judges it anew', async () => {
  const store = await openSqliteStore(join(scratch(), 'jury.db'));
  closing(() => store.close());
  const plan = planCase(builtInLibrary(), aCase(), { models: ['test/model'], rubric: 'user-feedback' });
  const gold = { plan, right: decisionIs('pass'), errorType: undefined };
  const stop = new AbortController();
  const add = (signal: AbortSignal, onAsked: () => void) =>
    addGold(
      {
        store,
        now: () => saturday,
        timeoutMs: 600_000,
        signal,
        ask: async (question) => {
          onAsked();
          return judgementOf(question, pass);
        },
      },
      { surface: 'slack', channel: 'C0EVALS' },
      gold,
      new Map(),
    );
  expect(await add(stop.signal, () => stop.abort())).toBe('stopped');
  expect(await store.recentVerdicts({ channel: null, limit: 9 })).toEqual([]);
  expect(await store.adjudications()).toEqual([]);
  expect(await add(new AbortController().signal, () => {})).toBe('added');
  expect(await store.adjudications()).toHaveLength(1);
});
