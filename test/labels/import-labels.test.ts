import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import {
  importLabels,
  importVotes,
  type LabelRow,
  type RowSubject,
  type VoteRow,
} from '../../src/labels/exchange/import-labels.ts';
import { openSqliteStore } from '../../src/stores/sqlite/sqlite-store.ts';
import type { Store } from '../../src/stores/store.ts';
import { aCase } from '../support/builders.ts';
import { scratch } from '../support/run-jury.ts';
import { aRecord, saturday } from '../support/store-builders.ts';

let store: Store;
beforeEach(async () => {
  store = await openSqliteStore(join(scratch(), 'jury.db'));
});
afterEach(() => store.close());

let row = 0;
const subject = (parts: Partial<RowSubject>): RowSubject => {
  row += 1;
  return { where: `Row ${row}`, verdictId: null, caseId: null, exchange: null, rubric: null, ...parts };
};
beforeEach(() => {
  row = 0;
});
const ruled = (right: string, parts: Partial<RowSubject>): LabelRow => ({
  ...subject(parts),
  ruling: { right, role: 'safety lead' },
});

const noted: string[] = [];
const takeRulings = (rows: readonly LabelRow[], now = saturday + 5000) =>
  importLabels(
    {
      store,
      library: { rubrics: new Map() },
      now,
      note: (record) => async () => {
        noted.push(record.id);
      },
    },
    rows,
  );
const rightOn = async (id: string) => (await store.adjudication(id))?.right;
const exchange = { user: 'Find me a sushi place rated at least 4.', response: 'Sakura is 5 minutes away.' };

describe('labels made elsewhere', () => {
  test('become rulings on the verdicts they name; counts say what was new, replaced or known', async () => {
    noted.length = 0;
    for (const id of ['v1', 'v2', 'v3']) await store.saveVerdict(aRecord({ id }));
    const first = await takeRulings([ruled('pass', { verdictId: 'v1' }), ruled('fail', { verdictId: 'v2' })]);
    expect(first).toEqual({ counts: { kept: 2, replaced: 0, unchanged: 0 }, problems: [] });
    const again = await takeRulings(
      [
        ruled('fail', { verdictId: 'v1' }),
        ruled('fail', { verdictId: 'v2' }),
        ruled('pass', { verdictId: 'v3' }),
      ],
      saturday + 6000,
    );
    expect(again).toEqual({ counts: { kept: 1, replaced: 1, unchanged: 1 }, problems: [] });
    expect(noted).toEqual(['v1', 'v2', 'v1', 'v3']);
    expect(await rightOn('v1')).toEqual({ kind: 'decision', decision: 'fail' });
  });

  test('without a known id apply to every verdict on the same text, of the rubric they name', async () => {
    for (const id of ['v1', 'v2']) await store.saveVerdict(aRecord({ id }));
    await store.saveVerdict(aRecord({ id: 'other text', evalCase: aCase({ response: 'None is open.' }) }));
    const spaced = { user: ` ${exchange.user.toUpperCase()}`, response: exchange.response };
    expect(await takeRulings([ruled('pass', { exchange: spaced, verdictId: 'gone' })])).toEqual({
      counts: { kept: 2, replaced: 0, unchanged: 0 },
      problems: [],
    });
    expect(await rightOn('v2')).toEqual({ kind: 'decision', decision: 'pass' });
    expect(await rightOn('other text')).toBeUndefined();
    await store.saveVerdict(aRecord({ id: 'in the car', verdict: { rubric: 'in-car' } }));
    expect(await takeRulings([ruled('pass', { exchange })])).toMatchObject({
      problems: [
        {
          where: 'Row 2',
          problem:
            'the text was judged by several rubrics (in-car, navigation): add a "rubric" column that names one',
        },
      ],
    });
    await takeRulings([ruled('fail', { exchange, rubric: 'in-car' })]);
    expect(await rightOn('in the car')).toEqual({ kind: 'decision', decision: 'fail' });
    expect(await rightOn('v1')).toEqual({ kind: 'decision', decision: 'pass' });
  });

  test('with an id apply to that verdict alone, whatever text stands beside it', async () => {
    for (const id of ['v1', 'v2']) await store.saveVerdict(aRecord({ id }));
    const { counts } = await takeRulings([ruled('pass', { exchange, verdictId: 'v1' })]);
    expect(counts).toEqual({ kept: 1, replaced: 0, unchanged: 0 });
    expect(await rightOn('v2')).toBeUndefined();
  });

  test('of a case apply to every verdict on it, where its id names one case', async () => {
    await store.saveVerdict(aRecord({ id: 'v1', evalCase: aCase({ id: 'c1' }) }));
    await store.saveVerdict(aRecord({ id: 'v2', evalCase: aCase({ id: 'c1' }) }));
    await store.saveVerdict(aRecord({ id: 'v3', evalCase: aCase({ id: 'c2' }) }));
    await store.saveVerdict(aRecord({ id: 'v4', evalCase: aCase({ id: 'c2', response: 'Another.' }) }));
    await store.saveVerdict(aRecord({ id: 'c1', evalCase: aCase({ id: 'c9' }) }));
    const { counts, problems } = await takeRulings([
      ruled('fail', { caseId: 'c1' }),
      ruled('fail', { caseId: 'c2' }),
      ruled('fail', { caseId: 'nope' }),
      // An id of a verdict comes first, as a column "id" may hold either.
      ruled('pass', { verdictId: 'c1', caseId: 'c1' }),
      ruled('pass', { caseId: 'c2', exchange: { ...exchange, response: 'Another.' } }),
    ]);
    expect(counts.kept).toBe(4);
    expect(problems.map(({ where, problem }) => `${where} ${problem}`)).toEqual([
      'Row 2 verdicts on different texts have the case id "c2": add the columns "user" and "response"',
      'Row 3 there is no verdict on a case "nope"',
    ]);
    expect(await rightOn('v1')).toEqual(await rightOn('v2'));
    expect(await rightOn('v3')).toBeUndefined();
    expect([await rightOn('c1'), await rightOn('v4')]).toEqual(
      Array(2).fill({ kind: 'decision', decision: 'pass' }),
    );
  });

  test('that match nothing are left out, each with what is wrong', async () => {
    await store.saveVerdict(aRecord());
    const { counts, problems } = await takeRulings([
      ruled('pass', {}),
      ruled('pass', { verdictId: 'nope' }),
      ruled('pass', { exchange: { user: 'Hello', response: 'Hi.' } }),
      ruled('pass', { exchange, rubric: 'in-car' }),
      ruled('3', { verdictId: 'v1' }),
    ]);
    expect(counts).toEqual({ kept: 0, replaced: 0, unchanged: 0 });
    expect(problems.map(({ where, problem }) => `${where} ${problem}`)).toEqual([
      'Row 1 has no id of a verdict or a case, and no user text with a response',
      'Row 2 there is no verdict "nope"',
      'Row 3 there is no verdict on this text',
      'Row 4 there is no verdict on this text by the rubric "in-car"',
      'Row 5 "3" is neither pass nor fail, as its rubric requires',
    ]);
  });

  test('that contradict each other rule on nothing, and name three of the rows they contradict', async () => {
    for (const id of ['v1', 'v2']) await store.saveVerdict(aRecord({ id }));
    const { counts, problems } = await takeRulings([
      ruled('pass', { verdictId: 'v1' }),
      ...Array.from({ length: 4 }, () => ruled('fail', { verdictId: 'v1' })),
      ruled('fail', { verdictId: 'v2' }),
      ruled('fail', { verdictId: 'v2' }),
    ]);
    expect(counts).toEqual({ kept: 1, replaced: 0, unchanged: 0 });
    expect(problems.slice(0, 2)).toEqual([
      { where: 'Row 1', problem: 'contradicts Row 2, Row 3, Row 4 and 1 more on verdict v1' },
      { where: 'Row 2', problem: 'contradicts Row 1 on verdict v1' },
    ]);
    expect(problems).toHaveLength(5);
    expect(await rightOn('v1')).toBeUndefined();
  });
});

describe('votes cast elsewhere', () => {
  const vote = (label: string, voter: string, parts: Partial<RowSubject> = { verdictId: 'v1' }): VoteRow => ({
    ...subject(parts),
    voter,
    label,
  });
  const take = (...rows: VoteRow[]) => importVotes(store, rows, saturday);

  test('are counted once, and a vote that a person has already cast stands', async () => {
    await store.saveVerdict(aRecord());
    expect(await take(vote(' Pass ', 'ada'), vote('fail', 'bea'), vote('unsure', 'cleo'))).toEqual({
      counts: { counted: 3, unchanged: 0, other: 0 },
      problems: [],
    });
    expect(await store.tally('v1')).toEqual({ agree: 1, disagree: 1, unsure: 1 });
    expect(
      await take(vote('pass', 'ada'), vote('pass', 'bea'), vote('unsure', 'cleo'), vote('fail', 'dan')),
    ).toEqual({ counts: { counted: 1, unchanged: 2, other: 1 }, problems: [] });
    expect(await take(vote('unsure', 'ada'), vote('pass', 'cleo'))).toMatchObject({
      counts: { counted: 0, unchanged: 0, other: 2 },
    });
    expect(await store.tally('v1')).toEqual({ agree: 2, disagree: 1, unsure: 1 });
  });

  test('of one person on one verdict are one; the second is left out, and so is what says nothing', async () => {
    await store.saveVerdict(aRecord());
    expect(await take(vote('pass', 'ada'), vote('fail', 'ada', { exchange }), vote('7', 'bea'))).toEqual({
      counts: { counted: 1, unchanged: 0, other: 0 },
      problems: [
        { where: 'Row 2', problem: 'is a second vote of the same person, after Row 1' },
        { where: 'Row 3', problem: '"7" is neither pass nor fail, as its rubric requires' },
      ],
    });
  });
});
