import { describe, expect, test } from 'vitest';
import type { Label } from '../../src/case/case.ts';
import { factsOf } from '../../src/reports/facts/trial-facts.ts';
import { createPanels } from '../../src/reports/panels.ts';
import { createRandom } from '../../src/statistics/random.ts';
import { aConfiguration, aTrial } from '../support/run-builders.ts';

const mab = 'mab openai/gpt-4o t0';
const configurations = [aConfiguration({ id: `${mab} #1`, method: 'mab', models: ['openai/gpt-4o'] })];

type Side = 'pass' | 'fail';

/** Forty cases on which three personas of one model answer by turns, in one round or in two. */
function panelsOf({
  savedCalls = 0,
  takenFrom,
  rounds = 1,
  answers = 0,
  imported = false,
}: {
  savedCalls?: number;
  takenFrom?: { run: string };
  rounds?: number;
  answers?: number;
  imported?: boolean;
}) {
  const truthAt = (place: number): Side => (place % 2 === 0 ? 'pass' : 'fail');
  const other = (side: Side): Side => (side === 'pass' ? 'fail' : 'pass');
  const labelAt = (place: number): Label => ({
    decision: truthAt(place),
    ...(answers === 0
      ? {}
      : {
          answers: Array.from({ length: answers }, (_, at) => ({
            by: at + 1,
            said: (place + at) % 9 === 0 ? other(truthAt(place)) : truthAt(place),
          })),
        }),
  });
  const cases = Array.from({ length: 40 }, (_, place) => ({ label: labelAt(place), isPair: false }));
  const panels = createPanels(
    {
      configurations,
      ...(imported ? { imported: { judgements: 'j.csv', trials: 40, hash: '0' } } : {}),
    },
    cases,
  );
  for (const [place, { label }] of cases.entries()) {
    const trial = aTrial(`0-${place}`);
    const [said] = trial.judgements;
    if (said === undefined) throw new Error('no judgement');
    const truth = truthAt(place);
    // Each persona errs on every fifth case, two of them on the same.
    const first = [place % 5 === 0, place % 5 === 0, place % 5 === 1].map((errs) =>
      errs ? other(truth) : truth,
    );
    trial.configuration = `${mab} #1`;
    trial.label = { decision: label.decision };
    trial.decision = truth;
    trial.judgements = Array.from({ length: rounds }, (_, round) =>
      first.map((decision, at) => ({
        ...said,
        round,
        judge: { persona: `persona-${at}`, model: 'openai/gpt-4o', sample: 0 },
        decision: round === 0 ? decision : truth,
        score: null,
        reason: null,
      })),
    ).flat();
    trial.savedCalls = savedCalls;
    if (takenFrom !== undefined) trial.takenFrom = takenFrom;
    panels.add(trial, mab, factsOf(trial, 1));
  }
  return panels.result();
}

describe('the personas of one model', () => {
  test('are a panel, each with its own answers', () => {
    const [panel, ...others] = panelsOf({});
    expect(others).toEqual([]);
    expect(panel).toMatchObject({ id: mab, cases: 40, annotators: null, byPeople: false });
    expect(panel?.judges.map(({ name, accuracy }) => [name, accuracy.measure])).toEqual(
      ['persona-0', 'persona-1', 'persona-2'].map((name) => [name, { defined: true, n: 40, value: 0.8 }]),
    );
    // Two of three err on the same 8 of 40 cases.
    expect(panel?.panel.accuracy.measure).toMatchObject({ value: 0.8 });
    const [same, ...apart] = panel?.shared.pairs ?? [];
    expect(same?.correlation).toMatchObject({ value: 1 });
    // (40·0 − 8·8) / (8·32) = −1/4, so r̄ = (1 − 1/4 − 1/4) / 3 = 1/6 and 3 / (1 + 2/6) = 9/4.
    expect(apart.map(({ correlation }) => correlation)).toEqual([
      { defined: true, n: 40, value: -0.25 },
      { defined: true, n: 40, value: -0.25 },
    ]);
    const { measure } = panel?.shared.effectiveVotes ?? {};
    expect(measure?.defined && measure.value).toBeCloseTo(9 / 4, 12);
    expect(panel?.shared).toMatchObject({ anyWrong: 16, allWrong: 0 });
  });

  test('count by their answers before they saw those of others', () => {
    expect(panelsOf({ rounds: 2 })).toEqual(panelsOf({}));
  });

  test('are no fair sample where some were not asked because the majority was decided', () => {
    expect(panelsOf({ savedCalls: 1 })).toEqual([]);
    expect(panelsOf({ savedCalls: 1, takenFrom: { run: 'earlier' } })).toEqual([]);
  });

  test('are compared with people only if those are five, or their answers were imported', () => {
    const annotators = (of: Parameters<typeof panelsOf>[0]) => panelsOf(of).map((panel) => panel.annotators);
    expect(annotators({ answers: 4 })).toEqual([null]);
    expect(annotators({ answers: 5 })).toEqual([5]);
    expect(annotators({ answers: 3, imported: true })).toEqual([3]);
    expect(annotators({ answers: 2, imported: true })).toEqual([null]);
  });
});

const models = ['a', 'b', 'c'];
const together = models.toReversed();
const vote = 'max-vote c+b+a t0';

/**
 * Three models alone, and their vote, which takes over what each said alone. Trials end in any order.
 * @param voted what a model says when it votes, if it is asked again; undefined: as alone
 */
function panelsOfVote(
  order: string,
  { alone, voted }: Record<'alone' | 'voted', (place: number, model: string) => Side | null | undefined> = {
    alone: () => undefined,
    voted: () => undefined,
  },
) {
  const truthAt = (place: number): Side => (place % 2 === 0 ? 'pass' : 'fail');
  const saidAlone = (place: number, model: string): Side | null => {
    const other = alone(place, model);
    return other === undefined
      ? place % (3 + models.indexOf(model)) === 0
        ? 'pass'
        : truthAt(place)
      : other;
  };
  const saidInVote = (place: number, model: string): Side | null => {
    const other = voted(place, model);
    return other === undefined ? saidAlone(place, model) : other;
  };
  const setups = [
    ...models.map((model) => ({ id: `io ${model} t0`, models: [model], said: saidAlone })),
    { id: vote, models: together, said: saidInVote },
  ];
  const panels = createPanels(
    {
      configurations: setups.map(({ id, models: own }) =>
        aConfiguration({
          id: `${id} #1`,
          method: own.length === 1 ? 'io' : 'max-vote',
          models: [...own],
          ...(own.length === 1 ? {} : { pooledFrom: models.map((model) => `io ${model} t0 #1`) }),
        }),
      ),
    },
    Array.from({ length: 40 }, () => ({ isPair: false })),
  );
  const trials = setups.flatMap((setup, at) =>
    Array.from({ length: 40 }, (_, place) => {
      const trial = aTrial(`${at}-${place}`);
      const [said] = trial.judgements;
      if (said === undefined) throw new Error('no judgement');
      trial.configuration = `${setup.id} #1`;
      trial.label = { decision: truthAt(place) };
      trial.judgements = setup.models.map((model) => {
        const decision = setup.said(place, model);
        return {
          ...said,
          round: 0,
          judge: { persona: null, model, sample: 0 },
          decision: decision ?? 'unscored',
          score: null,
          reason: decision === null ? 'timeout' : null,
        };
      });
      trial.decision = setup.said(place, setup.models[0] ?? '') ?? 'undecided';
      return { trial, setup: setup.id };
    }),
  );
  const shuffled = createRandom('order of trials', order).shuffled(trials);
  for (const { trial, setup } of shuffled) panels.add(trial, setup, factsOf(trial, 1));
  return panels.result();
}

describe('a vote of models that also judge alone', () => {
  const orders = ['one', 'two', 'three', 'four', 'five'];

  test.each(orders)('is the same panel, however the trials end (order %s)', (order) => {
    const [panel, ...others] = panelsOfVote(order);
    expect(others).toEqual([]);
    expect(panel).toMatchObject({ id: 'io', cases: 40, best: { holm: null } });
    expect(panel).toEqual(panelsOfVote('another')[0]);
  });

  test('is the same panel where a judge that gave no answer alone was asked again', () => {
    const alone = (place: number, model: string) => (place === 7 && model === 'b' ? null : undefined);
    const voted = (place: number, model: string) => (place === 7 && model === 'b' ? 'pass' : undefined);
    expect(panelsOfVote('one', { alone, voted }).map(({ id }) => id)).toEqual(['io']);
  });

  test('is another panel where the models said something else', () => {
    const voted = (place: number, model: string) => (place === 7 && model === 'b' ? 'pass' : undefined);
    const alone = (place: number, model: string) => (place === 7 && model === 'b' ? 'fail' : undefined);
    expect(panelsOfVote('one', { alone, voted }).map(({ id }) => id)).toEqual(['io', vote]);
  });
});
