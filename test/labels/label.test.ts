import { describe, expect, test } from 'vitest';
import type { Verdict } from '../../src/judging/verdict/verdict.ts';
import {
  createComparison,
  type LabeledVerdict,
  labelOf,
  labelText,
  majorityOf,
  modelVoters,
  voteText,
} from '../../src/labels/label.ts';
import { usualRule } from '../../src/labels/label-rule.ts';
import { type Correction, decisionIs, rightOf, type VoteValue } from '../../src/labels/record/vote.ts';
import type { Voted } from '../../src/labels/voting/adjudication.ts';
import { createRandom } from '../../src/statistics/random.ts';
import { anAnswer, aRecord, aRuling, saturday } from '../support/store-builders.ts';

type Said = [voter: string, value: VoteValue, correction?: Partial<Correction>];

/** A verdict (by itself: fail, for its time) with votes. */
const voted = (said: readonly Said[], parts: Parameters<typeof aRecord>[0] = {}): Voted => ({
  record: aRecord(parts),
  votes: said.map(([voter, value, correction]) => ({
    verdictId: parts.id ?? 'v1',
    voter,
    value,
    ...(correction === undefined ? {} : { correction: { criteria: [], judges: [], ...correction } }),
    surface: 'slack',
    at: saturday,
  })),
  adjudication: null,
});

describe('what a vote says is right', () => {
  const failed = { decision: 'fail', score: null } as const;
  const undecided = { decision: 'undecided', score: null } as const;
  const scored = { decision: 'scored', score: 3 } as const;

  test('follows from the vote and the verdict together', () => {
    expect(rightOf({ value: 'agree' }, failed)).toEqual(decisionIs('fail'));
    expect(rightOf({ value: 'disagree' }, failed)).toEqual(decisionIs('pass'));
    expect(rightOf({ value: 'unsure' }, failed)).toBeNull();
  });

  test('is what a correction names, also where the panel came to nothing', () => {
    const correction = { decision: 'pass' as const, criteria: [], judges: [] };
    expect(rightOf({ value: 'disagree', correction }, undecided)).toEqual(decisionIs('pass'));
    expect(rightOf({ value: 'disagree' }, undecided)).toBeNull();
    expect(rightOf({ value: 'agree' }, undecided)).toBeNull();
  });

  test('is a score where the verdict is one', () => {
    expect(rightOf({ value: 'agree' }, scored)).toEqual({ kind: 'score', score: 3 });
    expect(
      rightOf({ value: 'disagree', correction: { score: 1, criteria: [], judges: [] } }, scored),
    ).toEqual({ kind: 'score', score: 1 });
    expect(rightOf({ value: 'disagree' }, scored)).toBeNull();
  });
});

describe('a label', () => {
  test('takes enough votes that say what is right; unsure ones do not count', () => {
    const { label, tally } = labelOf(
      voted([
        ['ada', 'disagree'],
        ['bea', 'disagree'],
        ['cleo', 'unsure'],
      ]),
      null,
      usualRule,
    );
    expect(label).toEqual({ settled: false, why: 'too few votes' });
    expect(tally).toEqual({ agree: 0, disagree: 2, unsure: 1 });
  });

  test('is what the majority says is right, not whether it agrees', () => {
    const { label, judged } = labelOf(
      voted([
        ['ada', 'disagree'],
        ['bea', 'disagree'],
        ['cleo', 'agree'],
      ]),
      null,
      usualRule,
    );
    expect(judged.decision).toBe('fail');
    expect(label).toEqual({ settled: true, right: decisionIs('pass'), basis: 'majority' });
  });

  test('is open where votes are split', () => {
    const said = [decisionIs('pass'), decisionIs('fail'), decisionIs('pass'), decisionIs('fail')];
    expect(majorityOf(said, usualRule)).toEqual({ settled: false, why: 'votes are split' });
  });

  test('is the median where votes name scores', () => {
    const said = [1, 4, 3].map((score) => ({ kind: 'score' as const, score }));
    expect(majorityOf(said, usualRule)).toMatchObject({ right: { kind: 'score', score: 3 } });
  });

  test('is what a ruling says, against any majority; the majority is shown beside it', () => {
    const three: Said[] = [
      ['ada', 'agree'],
      ['bea', 'agree'],
      ['cleo', 'agree'],
    ];
    const found = labelOf({ ...voted(three), adjudication: aRuling() }, null, usualRule);
    expect(found.label).toEqual({ settled: true, right: decisionIs('pass'), basis: 'adjudication' });
    expect(found.majority).toEqual({ settled: true, right: decisionIs('fail'), basis: 'majority' });
    expect(found.errorType).toBeNull();
  });

  test('names the error that most name, and never the one that only the panel names', () => {
    const said: Said[] = [
      ['ada', 'agree'],
      ['bea', 'agree', { errorType: 'cost' }],
      ['cleo', 'agree', { errorType: 'time' }],
      ['dora', 'agree', { errorType: 'cost' }],
    ];
    expect(labelOf(voted(said), null, usualRule).errorType).toBe('cost');
    expect(labelOf(voted(said.slice(0, 3)), null, usualRule).errorType).toBeNull();
    const agreeing = voted(said.slice(0, 1));
    expect(agreeing.record.verdict.criteria.filter(({ decision }) => decision === 'fail')).toHaveLength(1);
    expect(labelOf(agreeing, null, { ...usualRule, minVotes: 1 }).errorType).toBeNull();
  });

  test('by the model of voters is open below the asked-for probability', () => {
    const three: Said[] = [
      ['ada', 'agree'],
      ['bea', 'agree'],
      ['cleo', 'agree'],
    ];
    expect(labelOf(voted(three), 0.21, usualRule).label).toMatchObject({ settled: false });
    expect(labelOf(voted(three), 0.19, usualRule).label).toEqual({
      settled: true,
      right: decisionIs('fail'),
      basis: 'dawid-skene',
    });
  });
});

describe('a label by majority', () => {
  test('tells what the model of voters makes of it beside', () => {
    const three: Said[] = [
      ['ada', 'agree'],
      ['bea', 'agree'],
      ['cleo', 'disagree'],
    ];
    const found = labelOf(voted(three), 0.97, usualRule, 'majority');
    expect(found.label).toEqual({ settled: true, right: decisionIs('fail'), basis: 'majority' });
    expect(found.modelled).toEqual({ settled: true, right: decisionIs('pass'), basis: 'dawid-skene' });
  });
});

describe('what is said of a label', () => {
  const three: Said[] = [
    ['ada', 'agree'],
    ['bea', 'agree'],
    ['cleo', 'agree'],
  ];
  test.each([
    ['by majority', voted(three), null, 'fail by majority of 3 votes'],
    ['by the model', voted(three), 0.01, 'fail by the voter model from 3 votes'],
    ['by a ruling', { ...voted(three), adjudication: aRuling() }, null, 'pass, ruled by safety lead'],
    ['where there are no votes', voted([]), null, 'open, no votes yet'],
    ['where it is open', voted(three.slice(2)), null, 'open, too few votes (1)'],
  ])('%s', (_name, one, probability, text) => {
    expect(labelText(labelOf(one, probability, usualRule))).toBe(text);
  });
});

describe('what is said of a vote', () => {
  const about = (value: VoteValue, correction: Partial<Correction> = {}) => {
    const one = voted([['ada', value, correction]]);
    return one.votes.map((vote) => voteText(one, vote));
  };

  test('is what it implies is right, with its remarks', () => {
    expect(about('agree')).toEqual(['agree (right: fail)']);
    expect(about('unsure')).toEqual(['unsure']);
    expect(
      about('disagree', {
        errorType: 'cost',
        criteria: ['time', 'cost'],
        judges: ['ann@test/model'],
        comment: 'It is open.',
      }),
    ).toEqual([
      'disagree (right: pass; error: cost; wrong about time, cost; wrong judges: ann@test/model): It is open.',
    ]);
    expect(about('unsure', { comment: 'Who knows?' })).toEqual(['unsure: Who knows?']);
  });

  test('is the answer itself on a case that the panel did not decide', () => {
    const one = voted([], { verdict: { decision: 'undecided' } });
    expect(voteText(one, anAnswer())).toBe('fail');
    expect(voteText(one, anAnswer({ right: { kind: 'unsure' } }))).toBe('unsure');
    const remarks = { criteria: ['time'], judges: [] };
    expect(voteText(one, anAnswer({ correction: remarks }))).toBe('fail (wrong about time)');
  });
});

describe('labels by majority beside those by the model of voters', () => {
  const votes = (value: VoteValue, count: number) =>
    Array.from({ length: count }, (_, n): Said => [`voter ${n}`, value]);
  const one = (
    id: string,
    said: readonly Said[],
    probability: number | null,
    parts: Partial<Voted> & { verdict?: Partial<Verdict> } = {},
  ) => {
    const { verdict = {}, ...more } = parts;
    const all = { ...voted(said, { id, verdict }), ...more };
    return { voted: all, label: labelOf(all, probability, usualRule, 'majority') };
  };

  test('are counted by how they compare; rulings and scores are counted apart', () => {
    const all = createComparison(2);
    const scored: Partial<Verdict> = { decision: 'scored', score: 3, scale: { min: 0, max: 4 } };
    for (const each of [
      one('same', votes('agree', 3), 0.1),
      one('other', votes('agree', 3), 0.9),
      one('only majority', votes('agree', 3), 0.5),
      one('only the model', [...votes('agree', 2), ['x', 'disagree'], ['y', 'disagree']], 0.1),
      one('neither', votes('agree', 1), 0.1),
      one('ruled', votes('agree', 3), 0.9, { adjudication: aRuling() }),
      one('scored', votes('agree', 3), null, { verdict: scored }),
      one('scored again', votes('agree', 3), null, { verdict: scored }),
    ])
      all.add(each);
    expect(Object.fromEntries(all.counts)).toEqual({
      same: 1,
      other: 1,
      'only majority': 1,
      'only dawid-skene': 1,
      neither: 1,
    });
    expect(all).toMatchObject({ verdicts: 8, ruled: 1, scored: 2, settled: 6 });
    const ids = (rows: readonly LabeledVerdict[]) => rows.map(({ voted: { record } }) => record.id);
    // Of each kind the first two are kept.
    expect(ids(all.rows.differing)).toEqual(['other', 'only majority']);
    expect(ids(all.rows.others)).toEqual(['same', 'neither']);
  });

  test('differ in nothing where there is no model', () => {
    const all = createComparison(2);
    all.add(one('settled', votes('agree', 3), null));
    expect(all.rows).toMatchObject({ differing: [], others: [{ label: { verdictId: 'settled' } }] });
  });
});

describe('the model of voters', () => {
  /** Three guess (55 % right), two know (95 %); 400 verdicts of a judge that is right in 70 % of them. */
  const reliabilities = { gil: 0.55, hal: 0.55, ivy: 0.55, jo: 0.95, kim: 0.95 };

  function simulated(seed: number) {
    const random = createRandom(seed).fraction;
    const truths = new Map<string, 'pass' | 'fail'>();
    const all = Array.from({ length: 400 }, (_, n) => {
      const id = `v${n}`;
      const truth = random() < 0.5 ? 'pass' : 'fail';
      const other = truth === 'pass' ? 'fail' : 'pass';
      const decision = random() < 0.7 ? truth : other;
      truths.set(id, truth);
      const said = Object.entries(reliabilities).map(([voter, reliability]): Said => {
        const right = random() < reliability ? truth : other;
        return [voter, right === decision ? 'agree' : 'disagree'];
      });
      return voted(said, { id, verdict: { decision } });
    });
    return { all, truths };
  }

  test.each([1, 2, 3])(
    'is right more often than the majority where few voters know (seed %i)',
    async (seed) => {
      const { all, truths } = simulated(seed);
      const model = await modelVoters(all);
      const rightBy = (probability: (id: string) => number | null) =>
        all.filter((one) => {
          const { label } = labelOf(one, probability(one.record.id), { minVotes: 1, posterior: 0.5 });
          return (
            label.settled &&
            label.right.kind === 'decision' &&
            label.right.decision === truths.get(one.record.id)
          );
        }).length;
      const majority = rightBy(() => null);
      const modelled = rightBy((id) => model.passProbability.get(id) ?? null);
      expect(model.converged).toBe(true);
      // Summed over who of the five is right: the majority is right in 0.875 of all cases; the best anybody can do who
      // knows the reliabilities, weighing each vote by the logarithm of its odds, is 0.957.
      expect(modelled / 400).toBeGreaterThan(0.9);
      expect(modelled - majority).toBeGreaterThan(400 * 0.03);
    },
  );

  test('tells each voter’s reliability to within a few percent', async () => {
    const { voters } = await modelVoters(simulated(4).all);
    for (const { voter, reliability } of voters) {
      expect(reliability.n).toBe(400);
      const known = Object.entries(reliabilities).find(([name]) => name === voter)?.[1] ?? 0;
      expect(reliability.defined && Math.abs(reliability.value - known)).toBeLessThan(0.08);
    }
  });

  test('takes rulings for certain, and measures voters by them', async () => {
    const said: Said[] = [
      ['ada', 'agree'],
      ['bea', 'disagree'],
    ];
    const ruled = ['v1', 'v2', 'v3'].map((id) => ({
      ...voted(said, { id }),
      adjudication: aRuling({ verdictId: id }),
    }));
    const open = voted(said, { id: 'v4' });
    const model = await modelVoters([...ruled, open]);
    expect(model.passProbability.get('v1')).toBe(1);
    // Bea said what was ruled each time, Ada never: the open case follows Bea.
    expect(model.passProbability.get('v4')).toBeGreaterThan(0.9);
    const [ada, bea] = model.voters;
    expect(ada?.reliability.defined && ada.reliability.value).toBeLessThan(0.1);
    expect(bea?.reliability.defined && bea.reliability.value).toBeGreaterThan(0.9);
  });

  test('hears corrections and leaves out who says nothing of the case', async () => {
    const undecided = voted(
      [
        ['ada', 'disagree', { decision: 'fail' }],
        ['bea', 'agree'],
        ['cleo', 'unsure'],
      ],
      { id: 'v2', verdict: { decision: 'undecided' } },
    );
    const model = await modelVoters([undecided]);
    expect(model.voters.map(({ voter }) => voter)).toEqual(['ada']);
    expect(model.passProbability.get('v2')).toBeLessThan(0.5);
  });
});
