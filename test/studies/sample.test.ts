import { describe, expect, test } from 'vitest';
import { orderOf, progressOf } from '../../src/studies/annotation.ts';
import { sampleCases } from '../../src/studies/study.ts';
import { categoryOf } from '../../src/studies/study-case.ts';
import { anAnnotation, annotators, aStudy, labeled } from '../support/study-builders.ts';

const kinds = ['pass', 'location', 'time', 'cost', 'rating', 'cuisine'];

/** As generated: each of the users asks once and gets a right answer and one with each error. */
const dataset = (users: number) =>
  Array.from({ length: users }, (_, user) =>
    kinds.map((kind) =>
      labeled(`u${user}-${kind}`, kind, { conversation: [{ role: 'user', text: `Request ${user}` }] }),
    ),
  ).flat();

const countsOf = (cases: ReturnType<typeof dataset>) => {
  const counts = new Map<string, number>();
  for (const { evalCase } of cases)
    counts.set(categoryOf(evalCase), (counts.get(categoryOf(evalCase)) ?? 0) + 1);
  return [...counts.values()].sort();
};

describe('a sample', () => {
  test('of 20 of 600 holds three or four of each kind, and no request twice', () => {
    const sample = sampleCases(dataset(100), 20, 1);
    expect(countsOf(sample)).toEqual([3, 3, 3, 3, 4, 4]);
    expect(new Set(sample.map(({ evalCase }) => evalCase.conversation[0]?.text)).size).toBe(20);
  });

  test('is the same for the same seed, and another for another', () => {
    const ids = (seed: number) => sampleCases(dataset(100), 20, seed).map(({ id }) => id);
    expect(ids(7)).toEqual(ids(7));
    expect(ids(7)).not.toEqual(ids(8));
  });

  test('takes requests twice where there are no others, and all cases where there are too few', () => {
    expect(countsOf(sampleCases(dataset(2), 12, 1))).toEqual([2, 2, 2, 2, 2, 2]);
    expect(sampleCases(dataset(2), 50, 1)).toEqual(dataset(2));
  });

  test('fills up from what is there when one kind is rare', () => {
    const cases = [labeled('a', 'time'), ...['b', 'c', 'd', 'e'].map((id) => labeled(id, 'pass'))];
    expect(countsOf(sampleCases(cases, 4, 1))).toEqual([1, 3]);
  });
});

describe('the order of an annotator', () => {
  const study = { ...aStudy(), cases: sampleCases(dataset(30), 20, 1), annotators: annotators(8) };
  const orders = study.annotators.map((annotator) => orderOf(study, annotator));

  test('has every case once, and is another one for each', () => {
    for (const order of orders) expect([...order].sort((a, b) => a - b)).toEqual([...Array(20).keys()]);
    expect(new Set(orders.map(String)).size).toBe(8);
    expect(orderOf(study, annotators(8)[3] ?? annotators(1)[0] ?? expect.fail())).toEqual(orders[3]);
  });

  test('shows each kind once in every round of six', () => {
    for (const order of orders)
      for (const from of [0, 6, 12]) {
        const round = order.slice(from, from + 6).map((index) => study.cases[index]?.evalCase.label);
        expect(new Set(round.map((label) => label?.errorType)).size).toBe(6);
      }
  });

  test('continues at the first case that is missing, whatever was done in between', () => {
    const [annotator = expect.fail()] = study.annotators;
    const [first = 0, second = 0, third = 0] = orders[0] ?? [];
    expect(progressOf(study, annotator, [])).toEqual({ done: 0, total: 20, next: 0 });
    const done = [first, third].map((index) => anAnnotation({ case: index }));
    const others = anAnnotation({ annotator: 'p1', case: second });
    expect(progressOf(study, annotator, [...done, others])).toEqual({ done: 2, total: 20, next: 1 });
    const all = orders[0]?.map((index) => anAnnotation({ case: index })) ?? [];
    expect(progressOf(study, annotator, all)).toEqual({ done: 20, total: 20, next: null });
  });
});
