import { describe, expect, test } from 'vitest';
import type { EvalCase } from '../../src/case/case.ts';
import type { Verdict } from '../../src/judging/verdict/verdict.ts';
import { trustIn, trustTotals } from '../../src/labels/agreement/trust.ts';
import { type ExportItem, exportedPreferences } from '../../src/labels/exchange/export-labels.ts';
import { type LabeledVerdict, labelOf } from '../../src/labels/label.ts';
import { usualRule } from '../../src/labels/label-rule.ts';
import { preferencesOf, readRight, type Vote } from '../../src/labels/record/vote.ts';
import { subjectsOf, valueOn } from '../../src/labels/record/vote-subjects.ts';
import { voteOf } from '../../src/labels/voting/cast-vote.ts';
import { counted } from '../digests/world.ts';
import { contractFormat } from '../support/format.ts';
import { always, favors, NEW, OLD, pair, verdictBy } from '../support/pairs.ts';
import { aRecord } from '../support/records.ts';

const SCORES = { o: -1, n: 1, s: 0 } as const;

/** Votes on a verdict: o for Old, n for New, s for the same. */
function votesOn(verdict: Verdict, said: string): Vote[] {
  return [...said].map((letter, index) => ({
    verdictId: 'v1',
    voter: `voter ${index}`,
    surface: 'slack',
    at: index,
    ...voteOf({ kind: 'score', score: SCORES[letter as keyof typeof SCORES] }, verdict),
  }));
}

async function labeled(said: string, evalCase: EvalCase = pair, id = 'v1'): Promise<LabeledVerdict> {
  const { verdict } = await verdictBy({ ann: favors(NEW), bob: favors(NEW), cem: favors(OLD) }, { evalCase });
  const record = aRecord(verdict, { id, evalCase });
  const voted = { record, votes: votesOn(verdict, said), adjudication: null };
  return { voted, label: labelOf(voted, null, usualRule) };
}

async function exported(...all: LabeledVerdict[]): Promise<ExportItem[]> {
  const items: ExportItem[] = [];
  async function* labels() {
    yield* all;
  }
  for await (const item of exportedPreferences(labels, contractFormat)) items.push(item);
  return items;
}

describe('votes on two answers', () => {
  test('are counted by what they prefer, whatever the panel says', async () => {
    const { verdict } = await verdictBy({ ann: favors(NEW) });
    expect(preferencesOf(votesOn(verdict, 'onnsn'), verdict)).toEqual({ A: 1, B: 3, same: 1 });
    const tie = (await verdictBy({ ann: always('first') })).verdict;
    expect(preferencesOf(votesOn(tie, 'onnsn'), tie)).toEqual({ A: 1, B: 3, same: 1 });
  });

  test('count also where no judge answered', async () => {
    const { verdict } = await verdictBy({ ann: async () => Promise.reject(new Error('away')) });
    expect(verdict.decision).toBe('undecided');
    expect(preferencesOf(votesOn(verdict, 'onn'), verdict)).toEqual({ A: 1, B: 2, same: 0 });
  });

  test('agree with the judges that prefer the same, and with no other', async () => {
    const { verdict } = await verdictBy({ ann: favors(NEW), bob: favors(NEW), cem: favors(OLD) });
    const subjects = subjectsOf(verdict);
    expect(subjects.map(({ decision }) => decision)).toEqual(['B', 'B', 'B', 'A', 'B', 'B']);
    const said = (letter: string) => {
      const [vote] = votesOn(verdict, letter);
      if (vote === undefined) throw new Error('no vote');
      return subjects.slice(0, 4).map((subject) => valueOn(subject, vote, 'B'));
    };
    expect(said('n')).toEqual(['agree', 'agree', 'agree', 'disagree']);
    expect(said('o')).toEqual(['disagree', 'disagree', 'disagree', 'agree']);
    expect(said('s')).toEqual(['disagree', 'disagree', 'disagree', 'disagree']);
  });

  test.each([
    ['nnn', 1],
    ['noo', -1],
    ['sso', 0],
  ])('%s settle a label', async (said, score) => {
    expect((await labeled(said)).label.label).toMatchObject({
      settled: true,
      right: { kind: 'score', score },
    });
  });

  test.each(['noos', 'nnoo', 'nos'])('%s are split: no side has more than half', async (said) => {
    expect((await labeled(said)).label.label).toEqual({ settled: false, why: 'votes are split' });
  });

  test('can be ruled on by letter or by name', async () => {
    const { verdict } = await verdictBy({ ann: favors(NEW) });
    for (const [text, score] of [
      ['A', -1],
      ['new', 1],
      ['same', 0],
    ] as const)
      expect(readRight(text, verdict)).toEqual({ right: { kind: 'score', score } });
    expect(readRight('5', verdict)).toHaveProperty('problem');
  });
});

describe('trust in a verdict on two answers', () => {
  test('rests on verdicts that prefer the same answer, not on scores by the same rubric', async () => {
    const { verdict } = await verdictBy({ ann: favors(NEW) });
    const such = { rubric: verdict.rubric, method: verdict.method, models: 'test/model' };
    const totals = trustTotals([
      counted(30, [3, 0], { ...such, decision: 'B' }),
      counted(30, [0, 3], { ...such, decision: 'scored' }),
      counted(30, [0, 3], { ...such, decision: 'A' }),
    ]);
    expect(trustIn(totals, verdict)).toMatchObject({ agreed: 30, n: 30 });
  });
});

describe('preference pairs', () => {
  test('hold the request, the answer that people prefer and the other one', async () => {
    const turns: EvalCase['conversation'] = [
      { role: 'user', text: 'Too cold' },
      { role: 'system', text: 'How warm?' },
      { role: 'user', text: '22' },
    ];
    const items = await exported(
      await labeled('nnn', pair, 'v1'),
      await labeled('ooo', { ...pair, conversation: turns }, 'v2'),
    );
    expect(items.map((item) => (item.kind === 'line' ? JSON.parse(item.text) : item))).toEqual([
      { prompt: 'Set it to 22 degrees', chosen: NEW, rejected: OLD },
      { prompt: 'User: Too cold\nSystem: How warm?\nUser: 22', chosen: OLD, rejected: NEW },
    ]);
  });

  test('leave out what is not settled, what prefers neither, and what was judged twice', async () => {
    const items = await exported(
      await labeled('n', { ...pair, response: 'Ok.' }, 'v1'),
      await labeled('sss', { ...pair, response: 'Sure.' }, 'v2'),
      await labeled('nnn', pair, 'v3'),
      await labeled('nnn', pair, 'v4'),
    );
    expect(items.map((item) => (item.kind === 'left-out' ? item.why : item.kind))).toEqual([
      'have no label yet',
      'prefer neither answer',
      'judge a case that another verdict represents',
      'line',
    ]);
  });
});
