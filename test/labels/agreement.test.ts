import { describe, expect, test } from 'vitest';
import { agreementOf } from '../../src/labels/agreement/agreement.ts';
import { countGroups } from '../../src/labels/agreement/read-agreement.ts';
import type { CountRow } from '../../src/labels/record/verdict-record.ts';
import type { Estimate } from '../../src/statistics/jackknife.ts';
import { counted } from '../digests/world.ts';

const passed = { decision: 'pass' };
const about = (value: number) => ({ defined: true, value: expect.closeTo(value, 9) });
const boundsOf = ({ interval }: Estimate): number[] =>
  interval.defined ? [interval.low, interval.high] : [];
const widthOf = ({ interval }: Estimate): number => (interval.defined ? interval.high - interval.low : -1);

/** 26 settled verdicts, four with too few votes, one with "unsure" alone, seven without votes. */
const some: CountRow[] = [
  counted(10, [3, 0], passed),
  counted(5, [2, 1, 1], passed),
  counted(2, [0, 3], passed),
  counted(6, [3, 0]),
  counted(3, [1, 2]),
  counted(4, [1, 1]),
  counted(1, [0, 0, 2]),
  counted(7, [0, 0]),
];

describe('judges and people', () => {
  const { judges, verdicts, votes } = agreementOf(some);

  test('agree on verdicts that at least three votes settle for them; too few, ties and "unsure" are counted apart', () => {
    expect({ verdicts, votes }).toEqual({ verdicts: 31, votes: { agree: 65, disagree: 21, unsure: 7 } });
    expect(judges).toMatchObject({ agreed: 21, disagreed: 5, tied: 0, open: 4, unsure: 1, labeled: 26 });
    expect(judges.share.measure).toMatchObject({ ...about(21 / 26), n: 26 });
    expect(agreementOf([counted(4, [2, 2]), counted(3, [2, 0]), counted(2, [1, 1])]).judges).toMatchObject({
      agreed: 0,
      tied: 4,
      open: 5,
    });
  });

  test('have kappa and AC1 of what was decided and what most say is right', () => {
    // Decided pass, 17: right 15. Decided fail, 9: right 6. Most say pass of 15 + 3 = 18.
    // Chance (17 · 18 + 9 · 8) / 26² = 378/676; observed 21/26 = 546/676; kappa = (546 − 378) / (676 − 378).
    expect(judges.kappa.measure).toMatchObject(about(168 / 298));
    // Pass is said (17 + 18) / 52 of the time; chance 2 · 35/52 · 17/52 = 1190/2704; AC1 = (2184 − 1190) / (2704 − 1190).
    expect(judges.ac1.measure).toMatchObject(about(994 / 1514));
  });

  test('have intervals that are the same every time and narrow with more verdicts, not with more rows', () => {
    expect(agreementOf(some)).toEqual(agreementOf(some));
    const many = agreementOf(some.map((row) => ({ ...row, items: row.items * 10_000 })));
    expect(many.judges.kappa.measure).toMatchObject({ value: expect.closeTo(168 / 298, 9), n: 260_000 });
    // A hundredth: the square root of ten thousand times as many.
    const ratio = widthOf(judges.kappa) / widthOf(many.judges.kappa);
    expect(ratio).toBeGreaterThan(80);
    expect(ratio).toBeLessThan(125);
    const halves = some.flatMap((row) => [
      { ...row, key: { ...row.key, day: '2026-11-01' }, items: Math.floor(row.items / 2) },
      { ...row, items: Math.ceil(row.items / 2) },
    ]);
    expect(agreementOf(halves).judges).toEqual(judges);
  });

  test('are undefined with a reason, never NaN, where there are no votes or nothing tips', () => {
    for (const rows of [[], [counted(7, [0, 0])], [counted(4, [1, 1])], [counted(2, [0, 0, 1])]]) {
      const { judges: none } = agreementOf(rows);
      for (const { measure, interval } of [none.share, none.kappa, none.ac1]) {
        expect(measure).toMatchObject({ defined: false, n: 0, why: expect.stringMatching(/\w/) });
        expect(interval.defined).toBe(false);
      }
    }
  });

  test('have no interval where every verdict counts the same, except the share', () => {
    const { judges: unanimous } = agreementOf([counted(8, [3, 0]), counted(8, [3, 0], passed)]);
    expect(unanimous.kappa).toMatchObject({ measure: { value: 1 }, interval: { defined: false } });
    // Wilson of 16 of 16: 1 / (1 + 1.96² / 16).
    expect(unanimous.share.interval).toMatchObject({
      low: expect.closeTo(0.80639, 5),
      high: 1,
      by: 'wilson',
    });
  });

  test('count what was left undecided or scored in the share alone', () => {
    const rows = [counted(3, [3, 0], { decision: 'undecided' }), counted(2, [0, 3], { decision: 'scored' })];
    const { judges: open, people } = agreementOf(rows);
    expect(open).toMatchObject({ agreed: 3, disagreed: 2, labeled: 0 });
    expect(open.kappa.measure).toMatchObject({ defined: false });
    expect(people).toMatchObject({ votes: 0, compared: 0 });
  });

  test('leave out what has fewer votes than asked for, and are settled by as many; "unsure" is none', () => {
    expect(agreementOf(some, 1).judges).toMatchObject({ agreed: 21, disagreed: 5, tied: 4, open: 0 });
    expect(agreementOf([counted(3, [1, 0])], 1).judges).toMatchObject({ agreed: 3 });
    const { verdicts: enough, judges: strict } = agreementOf(some, 3);
    expect({ enough, agreed: strict.agreed, tied: strict.tied }).toEqual({ enough: 26, agreed: 21, tied: 0 });
  });
});

describe('people among themselves', () => {
  test('are compared by what their votes say is right, not by whether they like the judges', () => {
    const { people } = agreementOf(some);
    // Of three votes, two to one: one of three pairs agrees. (10 + 2 + 6 + 8 · ⅓ + 4 · 0) / 30.
    expect(people).toMatchObject({ compared: 30, votes: 86 });
    expect(people.pairs.measure).toMatchObject(about((18 + 8 / 3) / 30));
    // Ratings: pass 30 + 10 + 0 + 0 + 6 + 4 = 50, fail 0 + 5 + 6 + 18 + 3 + 4 = 36. Disagreeing ordered pairs over
    // ratings − 1: 8 verdicts · 4 / 2 + 4 · 2 / 1 = 24; expected 2 · 50 · 36; alpha = 1 − 85 · 24 / 3600.
    expect(people.alpha.measure).toMatchObject(about(1 - (85 * 24) / 3600));
    expect(people.kappa.measure).toMatchObject({ defined: false });
    // The judges have not changed what people think of the cases: turned decisions with turned votes are the same.
    const turned = some.map(({ key, tally, items }) => ({
      key: { ...key, decision: key.decision === 'pass' ? 'fail' : 'pass' },
      tally: { agree: tally.disagree, disagree: tally.agree, unsure: tally.unsure },
      items,
    }));
    expect(agreementOf(turned).people.alpha.measure).toEqual(people.alpha.measure);
  });

  test('have Fleiss’ kappa where every verdict has as many votes', () => {
    const { people } = agreementOf([
      counted(6, [3, 0], passed),
      counted(2, [2, 1], passed),
      counted(4, [3, 0]),
    ]);
    // Pass 22 of 36, fail 14 of 36; same pairs (10 + 2/3) / 12; chance (22² + 14²) / 36² = 680/1296.
    const chance = 680 / 1296;
    expect(people.kappa.measure).toMatchObject(about(((10 + 2 / 3) / 12 - chance) / (1 - chance)));
  });
});

describe('groups', () => {
  const judge = (subject: string, decision: string) => ({ kind: 'judge' as const, subject, decision });
  const panel = [
    counted(6, [3, 0], judge('ann@test/model', 'pass')),
    counted(3, [0, 3], judge('ann@test/model', 'pass')),
    counted(5, [3, 0], judge('ann@test/model', 'fail')),
  ];
  const namesake = panel.map((row) => ({ ...row, key: { ...row.key, subject: 'bob@test/model' } }));

  test('of judges that sit on the same verdicts have the interval of the verdicts, not of the answers', () => {
    const alone = agreementOf(countGroups(panel, 'persona').get('ann') ?? []);
    const both = agreementOf(countGroups([...panel, ...namesake], 'model').get('test/model') ?? []);
    expect(both.judges).toMatchObject({ agreed: 22, disagreed: 6 });
    expect(both.verdicts).toBe(14);
    expect(boundsOf(both.judges.kappa)).toEqual(boundsOf(alone.judges.kappa));
    expect(boundsOf(both.judges.share)).toEqual(boundsOf(alone.judges.share));
    expect(boundsOf(both.people.pairs)).toEqual(boundsOf(alone.people.pairs));
    // Three judges of whom one sits elsewhere: two verdicts' worth.
    const elsewhere = panel.map((row) => ({ ...row, key: { ...row.key, channel: 'C2' } }));
    expect(agreementOf([...panel, ...namesake, ...elsewhere]).verdicts).toBe(28);
  });

  test('are distinguished by rubric, criterion, method, model, persona and time', () => {
    const rows = [
      counted(1, [1, 0], { day: '2026-11-22', method: 'mad', rubric: 'in-car' }),
      counted(1, [1, 0], { day: '2026-11-23' }),
      counted(1, [1, 0], { kind: 'criterion', subject: 'time' }),
      counted(1, [1, 0], judge('ann@azure/gpt@eu', 'pass')),
      counted(1, [1, 0], judge('@rules', 'pass')),
    ];
    const names = (by: Parameters<typeof countGroups>[1]) => [...countGroups(rows, by).keys()];
    expect(names('rubric')).toEqual(['in-car', 'navigation']);
    expect(names('method')).toEqual(['mad', 'mab']);
    expect(names('criterion')).toEqual(['navigation: time']);
    expect(names('persona')).toEqual(['ann', '(neutral)']);
    expect(names('model')).toEqual(['azure/gpt@eu', 'rules']);
    expect(names('day')).toEqual(['2026-11-22', '2026-11-23']);
    // A Sunday and the Monday after it.
    expect(names('week')).toEqual(['2026-11-16', '2026-11-23']);
    expect(names('month')).toEqual(['2026-11']);
  });

  test('of judges leave out those that gave a score, on which votes can only agree', () => {
    expect([...countGroups([counted(9, [4, 0], judge('ann@m', 'scored'))], 'persona')]).toEqual([]);
  });
});
