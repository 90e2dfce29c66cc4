import { describe, expect, test } from 'vitest';
import { createRandom } from '../../src/statistics/random.ts';
import { dawidSkene, type ItemVote } from '../../src/statistics/raters/dawid-skene.ts';

/** Voters of known reliability over items of known truth, each vote missing with a chance of 0.2. */
function simulate(classes: readonly string[], reliabilities: readonly number[], items: number, seed: number) {
  const random = createRandom(seed).fraction;
  const pick = () => classes[Math.floor(random() * classes.length)] ?? '';
  const truths = Array.from({ length: items }, pick);
  const votes: ItemVote<string>[] = truths.flatMap((truth, item) =>
    reliabilities.flatMap((reliability, voter) => {
      const others = classes.filter((label) => label !== truth);
      const wrong = others[Math.floor(random() * others.length)] ?? truth;
      const label = random() < reliability ? truth : wrong;
      return random() < 0.2 ? [] : [{ item: `${item}`, voter: `${voter}`, label }];
    }),
  );
  return { truths, votes };
}

/** Share of items whose commonest vote is the truth; a tie is a guess among the tied. */
function majorityAccuracy(truths: readonly string[], votes: readonly ItemVote<string>[]): number {
  const right = truths.map((truth, item) => {
    const counts = new Map<string, number>();
    for (const vote of votes)
      if (vote.item === `${item}`) counts.set(vote.label, (counts.get(vote.label) ?? 0) + 1);
    const most = Math.max(0, ...counts.values());
    const tied = [...counts].filter(([, count]) => count === most).map(([label]) => label);
    return tied.includes(truth) ? 1 / tied.length : 0;
  });
  return right.reduce<number>((sum, value) => sum + value, 0) / truths.length;
}

const emAccuracy = (truths: readonly string[], found: ReturnType<typeof dawidSkene<string>>): number =>
  found.items.filter(({ item, label }) => truths[Number(item)] === label).length / truths.length;

describe('Dawid-Skene', () => {
  test.each([
    ['two classes', ['pass', 'fail'], [0.95, 0.9, 0.6, 0.55, 0.55, 0.6, 0.55]],
    ['four classes', ['time', 'cost', 'rating', 'none'], [0.9, 0.85, 0.4, 0.35, 0.3, 0.35, 0.4]],
  ])(
    'recovers truth better than the majority, and each voter’s reliability: %s',
    (_name, classes, reliabilities) => {
      const { truths, votes } = simulate(classes, reliabilities, 1200, 4);
      const found = dawidSkene(votes, classes);
      const majority = majorityAccuracy(truths, votes);
      expect(found.converged).toBe(true);
      expect(emAccuracy(truths, found)).toBeGreaterThan(majority + 0.05);
      for (const { voter, reliability } of found.voters)
        expect(
          reliability.defined && Math.abs(reliability.value - (reliabilities[Number(voter)] ?? 0)),
        ).toBeLessThan(0.07);
    },
  );

  test('turns round a voter who is nearly always wrong', () => {
    const { truths, votes } = simulate(['pass', 'fail'], [0.85, 0.85, 0.8, 0.05, 0.1], 500, 9);
    const found = dawidSkene(votes, ['pass', 'fail']);
    expect(emAccuracy(truths, found)).toBeGreaterThan(0.95);
    expect(found.voters.find(({ voter }) => voter === '3')?.reliability).toMatchObject({
      defined: true,
      value: expect.closeTo(0.05, 1),
    });
  });

  test('believes voters who always agree', () => {
    const votes = ['a', 'b', 'c', 'd'].flatMap((item, index) =>
      ['ann', 'bob', 'cy'].map((voter) => ({
        item,
        voter,
        label: index < 3 ? ('pass' as const) : ('fail' as const),
      })),
    );
    const found = dawidSkene(votes, ['pass', 'fail']);
    expect(found.items.map(({ label, votes: count }) => [label, count])).toEqual([
      ['pass', 3],
      ['pass', 3],
      ['pass', 3],
      ['fail', 3],
    ]);
    for (const { reliability } of found.voters)
      expect(reliability).toMatchObject({ n: 4, value: expect.closeTo(1, 1) });
  });

  test('breaks no tie: two voters who only ever contradict each other leave every item open', () => {
    const votes: ItemVote<'pass' | 'fail'>[] = ['a', 'b'].flatMap((item, index) => [
      { item, voter: 'ann', label: index === 0 ? 'pass' : 'fail' },
      { item, voter: 'bob', label: index === 0 ? 'fail' : 'pass' },
    ]);
    expect(dawidSkene(votes, ['pass', 'fail']).items.map(({ label }) => label)).toEqual([null, null]);
  });

  test('does not depend on the order of votes', () => {
    const { votes } = simulate(['pass', 'fail'], [0.9, 0.7, 0.6], 50, 2);
    const labels = (list: typeof votes) =>
      dawidSkene(list, ['pass', 'fail'])
        .items.map(({ item, label }) => `${item} ${label}`)
        .sort();
    expect(labels(votes.toReversed())).toEqual(labels(votes));
  });

  test('measures voters by what is known for certain: counted shares, without smoothing', () => {
    // Truth: a to d pass, e and f fail. The voter passes a, b, c and fails d, e, f.
    const votes: ItemVote<'pass' | 'fail'>[] = ['a', 'b', 'c', 'd', 'e', 'f'].map((item, index) => ({
      item,
      voter: 'ann',
      label: index < 3 ? 'pass' : 'fail',
    }));
    const known = new Map<string, 'pass' | 'fail'>(
      ['a', 'b', 'c', 'd', 'e', 'f'].map((item, index) => [item, index < 4 ? 'pass' : 'fail']),
    );
    const found = dawidSkene(votes, ['pass', 'fail'], { known, smoothing: 0 });
    expect(found.items.map(({ label }) => label)).toEqual(['pass', 'pass', 'pass', 'pass', 'fail', 'fail']);
    // Of 4 passes 3 were reported, of 2 fails both: 3/4 · 4/6 + 1 · 2/6 = 5/6.
    const [ann] = found.voters;
    expect(ann?.confusion).toEqual([
      [0.75, 0.25],
      [0, 1],
    ]);
    expect(ann?.reliability).toMatchObject({ n: 6, value: expect.closeTo(5 / 6, 12) });
  });

  test('keeps the classes from coming out swapped where most voters are wrong and some truths are known', () => {
    const { truths, votes } = simulate(['pass', 'fail'], [0.25, 0.3, 0.3], 300, 5);
    const accuracy = (known: ReadonlyMap<string, string>) => {
      const { items } = dawidSkene(votes, ['pass', 'fail'], { known });
      const asked = items.filter(({ item }) => Number(item) >= 40);
      return asked.filter(({ item, label }) => truths[Number(item)] === label).length / asked.length;
    };
    expect(accuracy(new Map())).toBeLessThan(0.4);
    const known = new Map(truths.slice(0, 40).map((truth, item) => [`${item}`, truth]));
    expect(accuracy(known)).toBeGreaterThan(0.65);
  });

  test('says when it stopped before it had converged', () => {
    const { votes } = simulate(['pass', 'fail'], [0.8, 0.6, 0.6], 100, 1);
    expect(dawidSkene(votes, ['pass', 'fail'], { iterations: 2 })).toMatchObject({
      converged: false,
      iterations: 2,
    });
  });

  test('of no votes is empty', () => {
    expect(dawidSkene([], ['pass', 'fail'])).toMatchObject({
      items: [],
      voters: [],
      converged: true,
      iterations: 0,
    });
  });

  test('says how likely the votes are together with what is known', () => {
    // Two items are known to be pass and fail; ada says pass of both, so by maximum likelihood always.
    const votes = ['i', 'j'].map((item) => ({ item, voter: 'ada', label: 'pass' as const }));
    const known = new Map([
      ['i', 'pass' as const],
      ['j', 'fail' as const],
    ]);
    const { logLikelihood } = dawidSkene(votes, ['pass', 'fail'], { smoothing: 0, known });
    expect(logLikelihood).toBeCloseTo(2 * Math.log(0.5), 12);
  });

  test('says how likely the votes are under its model', () => {
    // One voter, who by maximum likelihood is infallible: each of the two items is pass or fail with a chance of a half.
    const votes = [
      { item: 'i', voter: 'ada', label: 'pass' as const },
      { item: 'j', voter: 'ada', label: 'fail' as const },
    ];
    const { logLikelihood } = dawidSkene(votes, ['pass', 'fail'], { smoothing: 0 });
    expect(logLikelihood).toBeCloseTo(2 * Math.log(0.5), 12);
    // Another voter who always says pass tells nothing and costs nothing.
    const idle = votes.map(({ item }) => ({ item, voter: 'bea', label: 'pass' as const }));
    const { logLikelihood: more } = dawidSkene([...votes, ...idle], ['pass', 'fail'], { smoothing: 0 });
    expect(more).toBeCloseTo(2 * Math.log(0.5), 12);
  });
});
