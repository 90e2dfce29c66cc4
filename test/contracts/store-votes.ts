import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { CountKey } from '../../src/labels/record/verdict-record.ts';
import { type Ballot, type CaseAnswer, decisionIs, offeredOf } from '../../src/labels/record/vote.ts';
import type { Store } from '../../src/stores/store.ts';
import { countsOf, recount } from '../support/recount.ts';
import { repeated } from '../support/repeated.ts';
import { aBallot, anAnswer, aRecord, type PanelBallot, saturday } from '../support/store-builders.ts';
import type { StoresOfTest } from './store.ts';

/** The histogram of one subject: items by `agree/disagree/unsure`. */
async function histogram(
  store: Store,
  kind: CountKey['kind'],
  subject: string,
): Promise<Record<string, number>> {
  const rows = (await countsOf(store)).filter(({ key }) => key.kind === kind && key.subject === subject);
  return Object.fromEntries(
    rows.map(({ tally: { agree, disagree, unsure }, items }) => [`${agree}/${disagree}/${unsure}`, items]),
  );
}

const people = ['ada', 'bea', 'cleo'] as const;

/** What stands after ballots in any order: the newest of each person on each verdict. */
function newestWins<Cast extends Ballot>(ballots: readonly Cast[]): Map<string, Cast> {
  const standing = new Map<string, Cast>();
  for (const ballot of ballots) {
    const key = `${ballot.verdictId} ${ballot.voter}`;
    if (ballot.at > (standing.get(key)?.at ?? 0)) standing.set(key, ballot);
  }
  return standing;
}

export function votesContract({ current, another }: StoresOfTest): void {
  test('on a verdict that is not kept counts nowhere', async () => {
    expect(await current().castVote(aBallot())).toEqual({ status: 'unknown-verdict' });
    expect(await current().tally('v1')).toEqual({ agree: 0, disagree: 0, unsure: 0 });
    expect(await current().votes('v1')).toEqual([]);
    expect(await countsOf(current())).toEqual([]);
  });

  test('that was given blind keeps what was said before and after the verdict was seen', async () => {
    await current().saveVerdict({ ...aRecord(), blind: true });
    expect((await current().verdict('v1'))?.blind).toBe(true);
    const blind = { answer: { kind: 'decision' as const, decision: 'pass' as const } };
    const first = aBallot({ value: 'disagree', blind, at: saturday + 1 });
    await current().castVote(first);
    expect(await (await another()).votes('v1')).toEqual([first]);
    const later = { answer: { kind: 'unsure' as const }, at: saturday + 2.5 };
    const added = { ...first, blind: { ...blind, later }, at: saturday + 2.5 };
    expect(await current().castVote(added)).toEqual({
      status: 'counted',
      tally: { agree: 0, disagree: 1, unsure: 0 },
      standing: added,
    });
    expect(await countsOf(current())).toEqual(await recount(current()));
  });

  test('keeps why the verdict was offered; without it, the vote counts as a volunteer’s', async () => {
    await current().saveVerdict(aRecord());
    const offered = { why: 'queue' } as const;
    await current().castVote(aBallot({ offered, at: saturday + 1 }));
    await current().castVote(aBallot({ voter: 'bea', at: saturday + 5 }));
    const votes = await (await another()).votes('v1');
    expect(votes.map((vote) => vote.offered)).toEqual([offered, undefined]);
    expect(votes.map(offeredOf)).toEqual([offered, { why: 'volunteer' }]);
  });

  test('is counted, changed and taken back', async () => {
    await current().saveVerdict(aRecord());
    const first = await current().castVote(aBallot({ at: saturday + 1.125 }));
    expect(first).toEqual({
      status: 'counted',
      tally: { agree: 1, disagree: 0, unsure: 0 },
      standing: { verdictId: 'v1', voter: 'ada', value: 'agree', surface: 'slack', at: saturday + 1.125 },
    });
    const correction = {
      criteria: ['cost'],
      judges: [],
      decision: 'pass' as const,
      comment: 'it’s ☕, not "tea"',
    };
    const changed = await current().castVote(aBallot({ value: 'disagree', correction, at: saturday + 2 }));
    expect(changed).toMatchObject({
      status: 'counted',
      tally: { agree: 0, disagree: 1 },
      standing: { correction },
    });
    expect(await current().votes('v1')).toEqual([
      { verdictId: 'v1', voter: 'ada', value: 'disagree', correction, surface: 'slack', at: saturday + 2 },
    ]);
    const retracted = await current().castVote(aBallot({ value: null, at: saturday + 3 }));
    expect(retracted).toEqual({
      status: 'counted',
      tally: { agree: 0, disagree: 0, unsure: 0 },
      standing: null,
    });
    expect(await current().votes('v1')).toEqual([]);
    expect(await current().tally('v1')).toEqual({ agree: 0, disagree: 0, unsure: 0 });
    expect(await countsOf(current())).toEqual(await recount(current()));
  });

  test('on a verdict without a decision is a label: neither for nor against a panel that said nothing', async () => {
    await current().saveVerdict(aRecord({ verdict: { decision: 'undecided' } }));
    const bea = anAnswer({ voter: 'bea', right: decisionIs('pass'), at: saturday + 2 });
    const cem = anAnswer({ voter: 'cem', right: { kind: 'unsure' }, at: saturday + 3 });
    const tally = { agree: 0, disagree: 0, unsure: 1, right: { fail: 1, pass: 1 } };
    await current().castVote(anAnswer());
    await current().castVote(bea);
    expect(await current().castVote(cem)).toEqual({ status: 'counted', tally, standing: cem });
    expect(await current().castVote(cem)).toEqual({ status: 'unchanged', tally, standing: cem });
    expect(await (await another()).tally('v1')).toEqual(tally);
    expect(await current().votes('v1')).toEqual([bea, cem, anAnswer()]);
    expect(await current().votesOn(['v1'])).toEqual([[bea, cem, anAnswer()]]);
    expect(await histogram(current(), 'verdict', '')).toEqual({ '0/0/0': 1 });
    // The judges did say something: ann failed it, as ada does; cem passed it, as bea does.
    expect(await histogram(current(), 'judge', 'ann@test/model')).toEqual({ '1/1/1': 1 });
    expect(await countsOf(current())).toEqual(await recount(current()));
    const changed = anAnswer({ right: decisionIs('pass'), at: saturday + 5000 });
    expect(await current().castVote(anAnswer({ at: saturday + 1 }))).toMatchObject({ status: 'outdated' });
    expect(await current().castVote(changed)).toMatchObject({
      status: 'counted',
      tally: { right: { pass: 2 } },
      standing: changed,
    });
    await current().castVote(aBallot({ value: null, at: saturday + 6000 }));
    expect(await current().tally('v1')).toEqual({ agree: 0, disagree: 0, unsure: 1, right: { pass: 1 } });
    expect(await current().forgetVoter('bea')).toEqual({ votes: 1, annotations: 0 });
    expect(await current().forgetVoter('cem')).toEqual({ votes: 1, annotations: 0 });
    expect(await current().tally('v1')).toEqual({ agree: 0, disagree: 0, unsure: 0 });
    expect(await countsOf(current())).toEqual(await recount(current()));
  });

  test('on a verdict without a decision that agrees or disagrees counts as the answer that came with it, or nowhere', async () => {
    await current().saveVerdict(aRecord({ verdict: { decision: 'undecided' } }));
    const answered = { decision: 'fail' as const, criteria: [], judges: [], comment: 'it was closed' };
    const cast = (voter: string, parts: Partial<PanelBallot>) =>
      current().castVote(aBallot({ voter, ...parts }));
    await cast('ada', { value: 'disagree', correction: answered });
    await cast('bea', { value: 'disagree' });
    await cast('cem', { value: 'agree' });
    await cast('dan', { value: 'unsure' });
    expect(await current().votes('v1')).toEqual([
      anAnswer({ correction: { criteria: [], judges: [], comment: 'it was closed' } }),
      anAnswer({ voter: 'dan', right: { kind: 'unsure' } }),
    ]);
    expect(await current().tally('v1')).toEqual({ agree: 0, disagree: 0, unsure: 1, right: { fail: 1 } });
    expect(await histogram(current(), 'verdict', '')).toEqual({ '0/0/0': 1 });
    expect(await countsOf(current())).toEqual(await recount(current()));
  });

  test('counts for the verdict, its judges and its criteria', async () => {
    await current().saveVerdict(aRecord());
    await current().saveVerdict(aRecord({ id: 'v2' }));
    // The verdict is fail. Ada disagrees: pass is right, and time was judged wrongly. Bea agrees.
    await current().castVote(
      aBallot({ value: 'disagree', correction: { decision: 'pass', criteria: ['time'], judges: [] } }),
    );
    await current().castVote(aBallot({ voter: 'bea', value: 'agree' }));
    expect(await histogram(current(), 'verdict', '')).toEqual({ '0/0/0': 1, '1/1/0': 1 });
    // Ann said fail: against Ada, with Bea; cem said pass: with Ada, against Bea.
    expect(await histogram(current(), 'judge', 'ann@test/model')).toEqual({ '0/0/0': 1, '1/1/0': 1 });
    expect(await histogram(current(), 'judge', 'cem@other/model')).toEqual({ '0/0/0': 1, '1/1/0': 1 });
    // Ada named time and says nothing of cost.
    expect(await histogram(current(), 'criterion', 'time')).toEqual({ '0/0/0': 1, '1/1/0': 1 });
    expect(await histogram(current(), 'criterion', 'cost')).toEqual({ '0/0/0': 1, '1/0/0': 1 });
  });

  test('is read for several verdicts at once, in their order', async () => {
    for (const id of ['v1', 'v2', 'v3']) await current().saveVerdict(aRecord({ id }));
    await current().castVote(aBallot({ verdictId: 'v1' }));
    await current().castVote(aBallot({ verdictId: 'v3', voter: 'bea', value: 'disagree' }));
    await current().castVote(aBallot({ verdictId: 'v3', voter: 'cem', at: saturday }));
    const ids = ['v3', 'v2', 'gone', 'v1'];
    expect(await current().votesOn(ids)).toEqual(await Promise.all(ids.map((id) => current().votes(id))));
    expect((await current().votesOn(ids)).map((votes) => votes.length)).toEqual([2, 0, 0, 1]);
    expect(await current().votesOn([])).toEqual([]);
  });

  test('that arrives twice, or late, changes nothing', async () => {
    await current().saveVerdict(aRecord());
    await current().castVote(aBallot({ at: saturday + 5 }));
    expect(await current().castVote(aBallot({ at: saturday + 5 }))).toMatchObject({
      status: 'unchanged',
      tally: { agree: 1 },
    });
    const late = await current().castVote(aBallot({ value: 'unsure', at: saturday + 4 }));
    expect(late).toMatchObject({
      status: 'outdated',
      tally: { agree: 1, unsure: 0 },
      standing: { value: 'agree' },
    });
    expect(await current().castVote(aBallot({ at: saturday + 6 }))).toMatchObject({ status: 'unchanged' });
  });

  test('that was taken back stays so when an older one arrives afterwards', async () => {
    await current().saveVerdict(aRecord());
    expect(await current().castVote(aBallot({ value: null, at: saturday + 5 }))).toMatchObject({
      status: 'unchanged',
      standing: null,
    });
    expect(await current().castVote(aBallot({ at: saturday + 4 }))).toMatchObject({
      status: 'outdated',
      standing: null,
    });
    expect(await current().votes('v1')).toEqual([]);
    expect(await current().castVote(aBallot({ at: saturday + 6 }))).toMatchObject({ status: 'counted' });
  });

  test('leaves the same state in any order and with any repetition', async () => {
    const verdicts = ['v1', 'v2'];
    const said = fc.record({
      verdictId: fc.constantFrom(...verdicts),
      voter: fc.constantFrom(...people),
      value: fc.constantFrom('agree' as const, 'disagree' as const, 'unsure' as const, null),
      correction: fc.option(
        fc.record({
          decision: fc.constantFrom('pass' as const, 'fail' as const),
          criteria: fc.subarray(['time', 'cost']),
          judges: fc.subarray(['ann@test/model', 'cem@other/model']),
        }),
      ),
    });
    const history = fc.array(said, { minLength: 1, maxLength: 12 }).chain((list) => {
      const ballots = list.map(
        ({ correction, ...rest }, index): PanelBallot => ({
          ...rest,
          ...(correction === null ? {} : { correction }),
          surface: 'slack',
          at: index + 1,
        }),
      );
      return fc.shuffledSubarray([...ballots, ...ballots, ...ballots], { minLength: 1 });
    });
    let round = 0;
    await fc.assert(
      fc.asyncProperty(history, async (arrivals) => {
        // Verdicts of their own for every history, so that each begins without votes.
        round += 1;
        const own = (id: string) => `${id}-${round}`;
        for (const id of verdicts) await current().saveVerdict(aRecord({ id: own(id) }));
        const ballots = arrivals.map((ballot) => ({ ...ballot, verdictId: own(ballot.verdictId) }));
        for (const ballot of ballots) await current().castVote(ballot);
        const expected = [...newestWins(ballots).values()].filter(({ value }) => value !== null);
        for (const id of verdicts.map(own)) {
          const votes = await current().votes(id);
          const mine = expected.filter(({ verdictId }) => verdictId === id);
          expect(votes).toEqual([...mine].sort((a, b) => a.at - b.at));
          expect(await current().tally(id)).toEqual({
            agree: mine.filter(({ value }) => value === 'agree').length,
            disagree: mine.filter(({ value }) => value === 'disagree').length,
            unsure: mine.filter(({ value }) => value === 'unsure').length,
          });
        }
      }),
      { numRuns: Math.max(30, repeated(100)) },
    );
    expect(await countsOf(current())).toEqual(await recount(current()));
  });

  test('about a case leaves the same state in any order and with any repetition', async () => {
    const answers: readonly (CaseAnswer | null)[] = [
      decisionIs('pass'),
      decisionIs('fail'),
      { kind: 'unsure' },
      null,
    ];
    const said = fc.record({ voter: fc.constantFrom(...people), right: fc.constantFrom(...answers) });
    const history = fc.array(said, { minLength: 1, maxLength: 10 }).chain((list) => {
      const ballots = list.map(({ voter, right }, index): Ballot => {
        const at = index + 1;
        return right === null ? aBallot({ voter, value: null, at }) : anAnswer({ voter, right, at });
      });
      return fc.shuffledSubarray([...ballots, ...ballots], { minLength: 1 });
    });
    let round = 0;
    await fc.assert(
      fc.asyncProperty(history, async (arrivals) => {
        round += 1;
        const verdictId = `undecided-${round}`;
        await current().saveVerdict(aRecord({ id: verdictId, verdict: { decision: 'undecided' } }));
        const ballots = arrivals.map((ballot) => ({ ...ballot, verdictId }));
        for (const ballot of ballots) await current().castVote(ballot);
        const left = [...newestWins(ballots).values()].filter((ballot) => 'right' in ballot);
        expect(await current().votes(verdictId)).toEqual(left.sort((a, b) => a.at - b.at));
        const { agree, disagree, right = {} } = await current().tally(verdictId);
        const saying = (word: 'pass' | 'fail') =>
          left.filter((one) => one.right.kind === 'decision' && one.right.decision === word).length;
        expect([agree, disagree, right.pass ?? 0, right.fail ?? 0]).toEqual([
          0,
          0,
          saying('pass'),
          saying('fail'),
        ]);
      }),
      { numRuns: Math.max(30, repeated(100)) },
    );
    expect(await countsOf(current())).toEqual(await recount(current()));
  });

  test('by many at once through two connections is counted exactly once each', async () => {
    await current().saveVerdict(aRecord());
    const stores = [current(), await another()];
    await Promise.all(
      Array.from({ length: 200 }, (_, n) =>
        stores[n % 2]?.castVote(aBallot({ voter: `p${n % 100}`, value: n % 3 === 0 ? 'agree' : 'unsure' })),
      ),
    );
    const { agree, disagree, unsure } = await current().tally('v1');
    expect(agree + disagree + unsure).toBe(100);
    expect(await current().votes('v1')).toHaveLength(100);
    expect(await countsOf(current())).toEqual(await recount(current()));
  });

  test('is erased everywhere when its voter wants to be forgotten', async () => {
    for (const id of ['v1', 'v2', 'v3', 'v4']) await current().saveVerdict(aRecord({ id }));
    for (const verdictId of ['v1', 'v2'])
      await current().castVote(
        aBallot({ verdictId, correction: { criteria: [], judges: [], comment: 'my words' } }),
      );
    await current().castVote(aBallot({ verdictId: 'v3', value: null }));
    await current().castVote(aBallot({ verdictId: 'v1', voter: 'bea', value: 'disagree' }));
    expect(await current().forgetVoter('ada')).toEqual({ votes: 2, annotations: 0 });
    expect(await current().forgetVoter('ada')).toEqual({ votes: 0, annotations: 0 });
    expect((await current().votes('v1')).map(({ voter }) => voter)).toEqual(['bea']);
    expect(await current().tally('v1')).toEqual({ agree: 0, disagree: 1, unsure: 0 });
    expect(await histogram(current(), 'verdict', '')).toEqual({ '0/0/0': 3, '0/1/0': 1 });
    expect(await countsOf(current())).toEqual(await recount(current()));
  });

  test('is listed with its verdict, oldest verdict first, in pages', async () => {
    const expected: string[] = [];
    for (let n = 0; n < 250; n++) {
      // Several of the same time, so that pages end among them.
      await current().saveVerdict(
        aRecord({ id: `v${String(n).padStart(3, '0')}`, at: saturday + Math.floor(n / 120) }),
      );
      if (n % 5 === 0) continue;
      await current().castVote(aBallot({ verdictId: `v${String(n).padStart(3, '0')}` }));
      expected.push(`v${String(n).padStart(3, '0')}`);
    }
    const seen: string[] = [];
    for await (const { record, votes } of current().allVoted()) {
      expect(votes).toHaveLength(1);
      seen.push(record.id);
    }
    expect(seen).toEqual(expected);
  });
}
