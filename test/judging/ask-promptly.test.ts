import { expect, test } from 'vitest';
import type { Question } from '../../src/judging/ask.ts';
import { askPromptly } from '../../src/judging/judge-case.ts';
import type { Judgement } from '../../src/judging/verdict/judgement.ts';
import { aCase, aMethod, aPanel, aRubric, judgementOf, pass } from '../support/builders.ts';

function question(signal: AbortSignal): Question {
  const [seat] = aPanel(1).seats;
  if (seat === undefined) throw new Error('no seat');
  const rubric = aRubric();
  const rest = {
    cast: [],
    method: aMethod(),
    evalCase: aCase(),
    round: 0,
    seen: [],
    temperature: 0,
    seed: null,
  };
  return { ...seat, ...rest, rubric, criteria: rubric.criteria, deadlineAt: 0, signal };
}

test('an answer passes through', async () => {
  const { signal } = new AbortController();
  expect(await askPromptly(async (asked) => judgementOf(asked, pass))(question(signal))).toMatchObject({
    decision: 'pass',
  });
});

test('a judge that ends by itself after a stop keeps what it says of its cost', async () => {
  const stop = new AbortController();
  const judge = (asked: Question) =>
    new Promise<Judgement>((resolve) => {
      asked.signal.addEventListener('abort', () => resolve(judgementOf(asked, { unscored: 'cancelled' })));
    });
  const asking = askPromptly(judge)(question(stop.signal));
  stop.abort();
  expect(await asking).toMatchObject({ reason: 'cancelled', usage: { costUsd: 0.001 } });
});

test('a judge that never ends is cancelled, at an unknown cost', async () => {
  const stop = new AbortController();
  const asking = askPromptly(() => new Promise<Judgement>(() => {}))(question(stop.signal));
  stop.abort();
  expect(await asking).toMatchObject({
    status: 'unscored',
    reason: 'cancelled',
    usage: { costUsd: null, latencyMs: 0, attempts: 1 },
  });
});
