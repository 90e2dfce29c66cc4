import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import * as z from 'zod';
import type { Verdict } from '../../src/judging/verdict/verdict.ts';
import { type AgreementQuery, readAgreement } from '../../src/labels/agreement/read-agreement.ts';
import type { Measure } from '../../src/statistics/measure.ts';
import { openSqliteStore } from '../../src/stores/sqlite/sqlite-store.ts';
import type { Store } from '../../src/stores/store.ts';
import { judgementOf } from '../support/builders.ts';
import { scratch } from '../support/run-jury.ts';
import { aBallot, anAnswer, aRecord, dayMs, saturday } from '../support/store-builders.ts';

const maybe = z.number().nullable();

/** What other programs say of these votes: test/fixtures/agreement/generate.py. */
const Reference = z.strictObject({
  versions: z.record(z.string(), z.string()),
  decided: z.array(
    z.strictObject({
      verdicts: z.array(
        z.strictObject({ decision: z.enum(['pass', 'fail', 'undecided']), votes: z.string() }),
      ),
      agreed: z.int(),
      settled: z.int(),
      tied: z.int(),
      wilson: z.tuple([z.number(), z.number()]),
      labeled: z.int(),
      kappa: maybe,
      ac1: maybe,
      people: z.strictObject({ compared: z.int(), pairs: maybe, fleiss: maybe, alpha: maybe, ac1: maybe }),
    }),
  ),
  scored: z.array(
    z.strictObject({
      verdicts: z.array(
        z.strictObject({
          score: z.number(),
          votes: z.array(z.union([z.literal('agree'), z.number(), z.null()])),
        }),
      ),
      compared: z.int(),
      spearman: maybe,
      kendall: maybe,
      alpha: z.tuple([maybe, maybe]),
      people: z.tuple([maybe, maybe]),
    }),
  ),
});
const reference = Reference.parse(
  JSON.parse(
    gunzipSync(readFileSync(new URL('../fixtures/agreement/reference.json.gz', import.meta.url))).toString(),
  ),
);

let store: Store;
beforeEach(async () => {
  store = await openSqliteStore(join(scratch(), 'jury.db'));
});
afterEach(() => store.close());

const stats = (wish: Partial<AgreementQuery> = {}) => readAgreement(store, { by: 'rubric', ...wish });
const numberOf = (measure: Measure): number | null => (measure.defined ? measure.value : null);
/** As computed elsewhere, to nine digits; null where it is not defined there. */
const as = (value: number | null) => (value === null ? null : expect.closeTo(value, 9));

const meanings = { a: 'agree', d: 'disagree', u: 'unsure' } as const;

const vote = (verdictId: string, voter: string, value: 'agree' | 'disagree' | 'unsure', score?: number) =>
  store.castVote(
    aBallot({
      verdictId,
      voter,
      value,
      ...(score === undefined ? {} : { correction: { score, criteria: [], judges: [] } }),
    }),
  );

describe('agreement of votes in a store is what scikit-learn 1.2.1 and statsmodels 0.13.5 say', () => {
  test('the file was made by these', () => {
    expect(reference.versions).toMatchObject({
      'scikit-learn': '1.2.1',
      statsmodels: '0.13.5+dfsg',
      scipy: '1.10.1',
    });
  });

  test.each(reference.decided.map((one, index) => [index, one] as const))('set %i', async (_, expected) => {
    for (const [index, { decision, votes }] of expected.verdicts.entries()) {
      const id = `v${index}`;
      // What the file calls undecided is a verdict whose votes imply neither pass nor fail: here, one with a score.
      const verdict = decision === 'undecided' ? ({ decision: 'scored', score: 3 } as const) : { decision };
      await store.saveVerdict(aRecord({ id, at: saturday + index * dayMs, verdict }));
      for (const [place, letter] of [...votes].entries())
        if (letter === 'a' || letter === 'd' || letter === 'u')
          await vote(id, `voter-${place}`, meanings[letter]);
    }
    // There, a single vote settles.
    const { groups } = await stats({ minVotes: 1 });
    expect(groups.map(({ name }) => name)).toEqual(['navigation']);
    const { judges, people } = groups[0]?.agreement ?? expect.fail('there is a group');
    expect(judges).toMatchObject({
      agreed: expected.agreed,
      disagreed: expected.settled - expected.agreed,
      tied: expected.tied,
      labeled: expected.labeled,
    });
    const [low, high] = expected.wilson;
    expect(judges.share.interval).toMatchObject({ low: as(low), high: as(high) });
    expect([judges.kappa, judges.ac1].map(({ measure }) => numberOf(measure))).toEqual([
      as(expected.kappa),
      as(expected.ac1),
    ]);
    expect(people.compared).toBe(expected.people.compared);
    const { pairs, fleiss, alpha, ac1 } = expected.people;
    expect([people.pairs, people.alpha, people.ac1].map(({ measure }) => numberOf(measure))).toEqual(
      [pairs, alpha, ac1].map(as),
    );
    if (fleiss !== null) expect(numberOf(people.kappa.measure)).toEqual(as(fleiss));
  });

  test('votes on what was left undecided count nowhere in it', async () => {
    await store.saveVerdict(aRecord({ id: 'v1', verdict: { decision: 'undecided' } }));
    for (const [index, value] of (['agree', 'disagree', 'unsure'] as const).entries())
      await vote('v1', `old-${index}`, value);
    await store.castVote(anAnswer());
    expect(await stats()).toMatchObject({ verdicts: 1, groups: [] });
  });

  test('some of the sets have a vote of everybody, so that Fleiss’ kappa is defined', () => {
    expect(reference.decided.filter(({ people }) => people.fleiss !== null)).toHaveLength(4);
  });
});

test.each(reference.scored.map((one, index) => [index, one] as const))(
  'agreement of scores is what SciPy 1.10.1 says: set %i',
  async (_, expected) => {
    for (const [index, { score, votes }] of expected.verdicts.entries()) {
      const id = `v${index}`;
      await store.saveVerdict(aRecord({ id, verdict: { decision: 'scored', score, rubric: 'quality' } }));
      for (const [place, said] of votes.entries())
        if (said === 'agree') await vote(id, `voter-${place}`, 'agree');
        else if (said !== null) await vote(id, `voter-${place}`, 'disagree', said);
    }
    const { scores } = await stats({ by: 'method' });
    expect(scores).toMatchObject([{ group: 'mab', rubric: 'quality', verdicts: expected.compared }]);
    const [found] = scores;
    const values = [found?.spearman, found?.kendall, found?.alphaOrdinal, found?.alphaInterval];
    expect(values.map((one) => one && numberOf(one.measure))).toEqual(
      [expected.spearman, expected.kendall, ...expected.alpha].map(as),
    );
    const people = [found?.people.alphaOrdinal, found?.people.alphaInterval];
    expect(people.map((one) => one && numberOf(one.measure))).toEqual(expected.people.map(as));
    for (const one of values)
      expect(one?.interval).toMatchObject({ defined: true, level: 0.95, by: 'jackknife' });
  },
);

describe('agreement', () => {
  test('is of one rubric, one channel, or from one day on, where that is asked for', async () => {
    await store.saveVerdict(aRecord({ id: 'old', at: saturday - 9 * dayMs, channel: 'C2' }));
    await store.saveVerdict(aRecord({ id: 'new', verdict: { rubric: 'in-car' } }));
    await store.saveVerdict(aRecord({ id: 'silent' }));
    for (const id of ['old', 'new']) await vote(id, 'ada', 'agree');
    const told = async (wish: Partial<AgreementQuery>) => {
      const { groups, verdicts, all } = await stats(wish);
      return [verdicts, groups.map(({ name }) => name), all?.verdicts ?? null];
    };
    expect(await told({})).toEqual([3, ['in-car', 'navigation'], 2]);
    expect(await told({ rubric: 'in-car' })).toEqual([1, ['in-car'], null]);
    expect(await told({ channel: 'C2' })).toEqual([1, ['navigation'], null]);
    expect(await told({ since: '2026-11-21' })).toEqual([2, ['in-car'], null]);
    expect(await told({ by: 'day' })).toEqual([3, ['2026-11-12', '2026-11-21'], 2]);
    expect(await told({ minVotes: 2 })).toEqual([3, [], null]);
  });

  test('of single judges is by their own decisions, and by their own scores', async () => {
    await store.saveVerdict(aRecord({ id: 'decided' }));
    const judgements = (
      [
        [1, 'ann', 0],
        [3, 'ann', 1],
        [2, 'bob', 0],
      ] as const
    ).map(([score, persona, sample]) =>
      judgementOf({ judge: { persona, model: 'test/model', sample }, round: 0 }, { score }),
    );
    const scored = {
      decision: 'scored' as const,
      score: 3,
      rubric: 'quality',
      judgements,
      criteria: [],
    } satisfies Partial<Verdict>;
    await store.saveVerdict(aRecord({ id: 'scored', verdict: scored }));
    await vote('decided', 'ada', 'agree');
    await vote('scored', 'ada', 'disagree', 2);
    await vote('scored', 'bea', 'agree');
    await vote('scored', 'cleo', 'disagree');
    await vote('scored', 'dan', 'disagree', 4);
    const { groups, scores, all } = await stats({ by: 'persona', minVotes: 1 });
    expect(groups.map(({ name, agreement }) => [name, agreement.judges.agreed])).toEqual([
      ['ann', 1],
      ['bob', 1],
      ['cem', 0],
    ]);
    expect(all).toBeNull();
    // Two samples of one judge are one judge; who disagrees and names no score says none.
    const counts = { verdicts: 1, votes: 3, corrected: 2 };
    expect(scores).toMatchObject([
      { group: 'ann', ...counts },
      { group: 'bob', ...counts },
    ]);
    expect(scores[0]?.spearman.measure).toMatchObject({ defined: false, n: 1 });
  });

  test('of criteria has no scores, and votes are read one by one only where there are scores', async () => {
    await store.saveVerdict(aRecord());
    await vote('v1', 'ada', 'agree');
    const watched = { counts: store.counts, allVoted: () => expect.fail('no need to read votes') };
    const { groups, scores } = await readAgreement(watched, { by: 'criterion' });
    expect(groups.map(({ name }) => name)).toEqual(['navigation: cost', 'navigation: time']);
    expect(scores).toEqual([]);
  });
});
