import { describe, expect, test } from 'vitest';
import {
  exportedCases,
  exportedTable,
  exportedVotes,
  labelJson,
} from '../../src/labels/exchange/export-labels.ts';
import { type LabeledVerdict, labelOf } from '../../src/labels/label.ts';
import { usualRule } from '../../src/labels/label-rule.ts';
import type { VoteValue } from '../../src/labels/record/vote.ts';
import type { Adjudication } from '../../src/labels/voting/adjudication.ts';
import { aCase } from '../support/builders.ts';
import { contractFormat } from '../support/format.ts';
import { aBallot, aRecord, aRuling } from '../support/store-builders.ts';

type Parts = Parameters<typeof aRecord>[0] & {
  votes?: readonly VoteValue[];
  ruling?: Partial<Adjudication>;
  passProbability?: number;
};

/** A verdict (fail, if nothing else is given) with votes and a ruling, labeled by majority. */
function labeled({ votes = [], ruling, passProbability, ...parts }: Parts): LabeledVerdict {
  const record = aRecord(parts);
  const voted = {
    record,
    votes: votes.map((value, index) => ({
      ...aBallot({ verdictId: record.id, voter: `voter${index}` }),
      value,
    })),
    adjudication: ruling === undefined ? null : aRuling({ verdictId: record.id, ...ruling }),
  };
  return { voted, label: labelOf(voted, passProbability ?? null, usualRule, 'majority') };
}

const scored = { decision: 'scored', score: 2.5, scale: { min: 0, max: 4 } } as const;
const agreed = ['agree', 'agree', 'agree'] as const;

const from = (...all: LabeledVerdict[]) =>
  async function* labels() {
    yield* all;
  };

async function itemsOf<T>(items: AsyncIterable<T>): Promise<T[]> {
  const found: T[] = [];
  for await (const item of items) found.push(item);
  return found;
}

describe('labels as a table', () => {
  const rows = async (...all: LabeledVerdict[]) => {
    const items = await itemsOf(exportedTable(from(...all), true));
    const [head = [], ...cells] = items.map((item) => ('text' in item ? item.text.split(',') : []));
    return cells.map((row) => Object.fromEntries(head.map((name, index) => [name, row[index]])));
  };
  const evalCase = aCase({ conversation: [{ role: 'user', text: 'Sushi?' }], response: 'Sakura.' });

  test('have what was judged, how people voted, and what the label is', async () => {
    const [row] = await rows(
      labeled({
        evalCase,
        votes: ['disagree', 'disagree', 'disagree', 'agree', 'unsure'],
        passProbability: 0.9,
      }),
    );
    expect(row).toEqual({
      verdict_id: 'v1',
      case_id: 'c1',
      judged_at: '2026-11-21T09:00:00.000Z',
      rubric: 'navigation',
      method: 'mab',
      models: 'other/model test/model',
      judged_decision: 'fail',
      judged_score: '',
      agree: '1',
      disagree: '3',
      unsure: '1',
      votes_on_right: '4',
      majority: 'pass',
      pass_probability: '0.9',
      dawid_skene: 'pass',
      ruling: '',
      ruled_by: '',
      label: 'pass',
      basis: 'majority',
      error_type: '',
      user: 'Sushi?',
      response: 'Sakura.',
      offered: 'volunteer 5',
    });
  });

  test('have the scores and the ruling where there are any, and no label where it is open', async () => {
    const found = await rows(
      labeled({ evalCase, verdict: scored, votes: agreed }),
      labeled({ evalCase, ruling: { right: { kind: 'decision', decision: 'fail' }, errorType: 'time' } }),
      labeled({ evalCase, votes: ['agree'] }),
    );
    expect(found).toMatchObject([
      { judged_decision: 'scored', judged_score: '2.5', majority: '2.5', label: '2.5' },
      { ruling: 'fail', ruled_by: 'safety lead', label: 'fail', basis: 'adjudication', error_type: 'time' },
      { majority: '', ruling: '', label: '', basis: '' },
    ]);
  });

  test('leave out what is open, unless all are asked for', async () => {
    const open = labeled({ votes: ['agree'] });
    expect(await itemsOf(exportedTable(from(open), false))).toMatchObject([
      { kind: 'head' },
      { kind: 'left-out', why: 'have no label yet (--all writes them too)' },
    ]);
  });
});

describe('labels as cases', () => {
  const cases = async (all: boolean, ...labels: LabeledVerdict[]) => {
    const items = await itemsOf(exportedCases(from(...labels), { format: contractFormat, all }));
    return items.map((item) => {
      if (item.kind === 'left-out') return item.why;
      const { id, label } = JSON.parse(item.text);
      return { id, label };
    });
  };
  const other = aCase({ response: 'None is open.' });

  test('have the decision with its error, or the score', async () => {
    expect(
      await cases(
        false,
        labeled({ id: 'passed', votes: ['disagree', 'disagree', 'disagree'] }),
        labeled({
          id: 'failed',
          ruling: { right: { kind: 'decision', decision: 'fail' }, errorType: 'time' },
        }),
        labeled({ id: 'scored', evalCase: other, verdict: scored, votes: agreed }),
      ),
    ).toEqual([
      'judge a case that another verdict represents',
      { id: 'failed', label: { decision: 'fail', errorType: 'time' } },
      { id: 'scored', label: { score: 2.5 } },
    ]);
  });

  test('are written without a label only if asked for, and not beside a labeled one of the same case', async () => {
    const open = labeled({ id: 'open', evalCase: other, votes: ['agree'] });
    const again = labeled({ id: 'again' });
    const settled = labeled({ id: 'settled', votes: agreed });
    const failed = { id: 'settled', label: { decision: 'fail' } };
    const represented = 'judge a case that another verdict represents';
    expect(await cases(false, open, again, settled)).toEqual([
      'have no label yet (--all writes them too)',
      represented,
      failed,
    ]);
    expect(await cases(true, open, again, settled)).toEqual([
      { id: 'open', label: undefined },
      represented,
      failed,
    ]);
  });

  test('are none of a case whose labels contradict each other, until a ruling settles it', async () => {
    const passes = labeled({ id: 'passes', votes: ['disagree', 'disagree', 'disagree'] });
    const fails = labeled({ id: 'fails', votes: agreed });
    const contradictory =
      'judge a case whose labels contradict each other ("jury labels adjudicate" settles it)';
    expect(await cases(false, passes, fails)).toEqual([contradictory, contradictory]);
    const ruled = labeled({ id: 'ruled', ruling: {} });
    for (const all of [
      [passes, fails, ruled],
      [ruled, passes, fails],
    ])
      expect(await cases(false, ...all)).toContainEqual({ id: 'ruled', label: { decision: 'pass' } });
  });
});

describe('votes for Crowd-Kit', () => {
  test('are one row each, with rulings apart; scores and votes that say nothing are left out', async () => {
    expect(
      await itemsOf(
        exportedVotes(
          from(
            labeled({ id: 'v1', votes: ['agree', 'disagree', 'unsure'], ruling: {} }),
            labeled({ id: 'v2', votes: ['unsure'] }),
            labeled({ id: 'v3', verdict: scored, votes: agreed }),
            labeled({ id: '-v4', votes: ['agree'] }),
          ),
        ),
      ),
    ).toEqual([
      { kind: 'head', text: 'task,worker,label' },
      { kind: 'gold', text: 'task,label' },
      { kind: 'line', text: 'v1,voter0,fail' },
      { kind: 'line', text: 'v1,voter1,pass' },
      { kind: 'gold', text: 'v1,pass' },
      { kind: 'left-out', why: 'have no vote that says what is right' },
      { kind: 'left-out', why: 'give a score, which is not a class' },
      { kind: 'line', text: '-v4,voter0,fail' },
    ]);
  });
});

describe('a label as JSON', () => {
  test('has what was judged, what the votes say, the ruling, and why it is open', () => {
    expect(labelJson(labeled({ votes: ['agree', 'unsure'], passProbability: 0.4 }))).toEqual({
      verdict: 'v1',
      case: 'c1',
      rubric: 'navigation',
      method: 'mab',
      judged: { decision: 'fail', score: null },
      tally: { agree: 1, disagree: 0, unsure: 1 },
      votes: 1,
      majority: { label: null, open: 'too few votes' },
      dawidSkene: { label: null, open: 'too few votes', passProbability: 0.4 },
      ruling: null,
      label: null,
      open: 'too few votes',
      basis: null,
      errorType: null,
    });
    expect(labelJson(labeled({ ruling: { comment: 'Seen.' } }))).toMatchObject({
      dawidSkene: null,
      ruling: { label: 'pass', role: 'safety lead', comment: 'Seen.' },
      label: 'pass',
      open: null,
      basis: 'adjudication',
    });
  });
});
