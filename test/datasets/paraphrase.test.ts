import { expect, test } from 'vitest';
import { generate, loadInstructions } from '../../src/datasets/generate.ts';
import { paraphrase } from '../../src/datasets/paraphrase.ts';
import { builtIn } from '../support/built-in.ts';
import type { DoubleAnswer } from '../support/model-double.ts';
import { withDouble } from '../support/with-double.ts';
import { checked, sources } from './world.ts';

const users = await generate(sources, 7, 6);
const utterance = (user: number): string => users[user]?.[0]?.conversation[0]?.text ?? '';

/** Rephrases with a model that answers by the user's number (from 0). */
async function rephrasedBy(answer: (user: number) => DoubleAnswer) {
  const { client, double } = await withDouble({
    answer: ({ user }) => answer(users.findIndex((_cases, index) => user.includes(utterance(index)))),
  });
  const result = await paraphrase(users, {
    client,
    modelId: 'openai/double',
    instructions: loadInstructions([builtIn]),
    isConfirmed: async (one) => (await checked(one)).kind === 'confirmed',
    signal: new AbortController().signal,
  });
  return { ...result, requests: double.requests };
}

test('a paraphrase takes the place of the request in all cases of the user, and of nothing else', async () => {
  const { counts, users: changed } = await rephrasedBy((user) => ({
    json: { utterance: user === 0 ? `Hello car. ${utterance(0)}` : utterance(user) },
  }));
  expect(counts).toEqual({ rephrased: 1, unchanged: 5, unreadable: 0, unanswered: 0 });
  expect(changed[0]?.map(({ conversation }) => conversation[0]?.text)).toEqual(
    Array(6).fill(`Hello car. ${utterance(0)}`),
  );
  const others = (cases: typeof users) =>
    cases.map((six) => six.map(({ conversation: _conversation, ...rest }) => rest));
  expect(others(changed)).toEqual(others(users));
  expect(changed.slice(1)).toEqual(users.slice(1));
});

test('the original is kept where the wishes can no longer be read, or are others', async () => {
  const { counts, users: changed } = await rephrasedBy((user) => ({
    json: {
      utterance:
        user === 1
          ? 'Somewhere to eat, please.'
          : user === 2
            ? 'A cheap Greek place above 4.9.'
            : utterance(user),
    },
  }));
  expect(counts).toEqual({ rephrased: 0, unchanged: 4, unreadable: 2, unanswered: 0 });
  expect(changed).toEqual(users);
});

test('the original is kept where the model gives no usable answer, and the reason is reported', async () => {
  const {
    counts,
    problem,
    users: changed,
  } = await rephrasedBy((user) =>
    user === 3
      ? { refusal: 'I would rather not' }
      : { json: { utterance: user === 4 ? '' : utterance(user) } },
  );
  expect(counts).toEqual({ rephrased: 0, unchanged: 4, unreadable: 0, unanswered: 2 });
  expect(problem).toMatch(/declined: I would rather not/);
  expect(changed).toEqual(users);
});

test('the model reads the rules and one request as data, and never the label', async () => {
  const { requests } = await rephrasedBy((user) => ({ json: { utterance: utterance(user) } }));
  expect(requests).toHaveLength(6);
  for (const { body, system, user } of requests) {
    expect(system).toContain('Keep every wish exactly');
    expect(user).toMatch(/^\[\[[0-9a-f]{24} REQUEST\]\]\n.+\n\[\[\/[0-9a-f]{24}\]\]$/);
    expect(user).not.toMatch(/label|fail/);
    expect(body.temperature).toBe(0);
  }
});

test('the same answers give the same data', async () => {
  const answer = (user: number) => ({ json: { utterance: `Hey. ${utterance(user)}` } });
  const [first, second] = [await rephrasedBy(answer), await rephrasedBy(answer)];
  expect(JSON.stringify(first.users)).toBe(JSON.stringify(second.users));
  expect(first.counts.rephrased).toBeGreaterThan(0);
});
