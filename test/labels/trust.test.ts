import { describe, expect, test } from 'vitest';
import { shareText, type Trust } from '../../src/judging/verdict/verdict.ts';
import { agreedShareOf, MIN_FOR_SHARE, trustIn, trustTotals } from '../../src/labels/agreement/trust.ts';
import { detailsOf, suchVerdicts } from '../../src/surfaces/views/verdict-details.ts';
import { counted } from '../digests/world.ts';
import { plainTexts } from '../support/builders.ts';
import { aRecord } from '../support/store-builders.ts';

const { verdict } = aRecord();
const such = { models: 'other/model,test/model' };
const trustAfter = (...rows: Parameters<typeof trustTotals>[0]) => trustIn(trustTotals(rows), verdict);

describe('trust in a verdict', () => {
  test('is shown from twenty settled verdicts on, and not from nineteen', () => {
    expect(MIN_FOR_SHARE).toBe(20);
    expect(trustAfter(counted(19, [3, 0], such))).toBeNull();
    expect(trustAfter(counted(15, [3, 0], such), counted(5, [1, 2], such))).toEqual({
      agreed: 15,
      n: 20,
      days: 180,
    });
  });

  test('leaves out ties, "unsure" and what has no votes or too few', () => {
    expect(
      trustAfter(
        counted(19, [2, 0], such),
        counted(30, [2, 2], such),
        counted(30, [2, 0], such),
        counted(30, [0, 0, 3], such),
        counted(30, [0, 0], such),
      ),
    ).toBeNull();
  });

  test.each([
    ['rubric', { rubric: 'in-car' }],
    ['method', { method: 'mad' }],
    ['models', { models: 'test/model' }],
    ['decision', { decision: 'pass' }],
    ['subject', { kind: 'judge' as const, subject: 'ann@test/model' }],
  ])('is not taken from verdicts of another %s', (_, other) => {
    expect(trustAfter(counted(40, [3, 0], { ...such, ...other }))).toBeNull();
  });

  test('in a pass is not taken from fails', () => {
    const totals = trustTotals([counted(40, [3, 0], such)]);
    expect(trustIn(totals, verdict)).toMatchObject({ n: 40 });
    expect(trustIn(totals, { ...verdict, decision: 'pass' })).toBeNull();
  });

  test('is not shown for what was left undecided', () => {
    const totals = trustTotals([counted(40, [3, 0], { ...such, decision: 'undecided' })]);
    expect(trustIn(totals, { ...verdict, decision: 'undecided' })).toBeNull();
  });

  test('reads as a share with its interval', () => {
    // statsmodels 0.13.5, proportion_confint(108, 124, method='wilson'): 0.8008, 0.9191.
    expect(shareText({ agreed: 108, n: 124 })).toBe('87 % (80–92, n = 124)');
    expect(shareText({ agreed: 20, n: 20 })).toBe('100 % (84–100, n = 20)');
  });

  test('is said in the details, only from twenty verdicts on', () => {
    const record = aRecord();
    const saidWith = (trust: Trust) => suchVerdicts({ ...record, trust }, 'en');
    expect(saidWith({ agreed: 108, n: 124, days: 180 })).toEqual({
      text: 'People agreed with 87 % of the 124 such verdicts they voted on; not a random sample.',
      small: 'Such verdicts: the same rubric, method, models and decision, in the 180 days before',
    });
    expect(saidWith({ agreed: 20, n: 20, days: 180 })?.text).toContain('100 % of the 20 such verdicts');
    expect(saidWith({ agreed: 19, n: 19, days: 180 })).toBeNull();
    expect(suchVerdicts(record, 'en')).toBeNull();
    const titles = (details: ReturnType<typeof detailsOf>) => details.map(({ title }) => title);
    const [plain, trusted] = [undefined, { agreed: 108, n: 124, days: 180 }].map((trust) =>
      titles(detailsOf({ ...record, trust }, plainTexts)),
    );
    expect(plain).not.toContain('What people say of such verdicts');
    expect(trusted?.filter((title) => title !== 'What people say of such verdicts')).toEqual(plain);
  });
});

test('the share of all verdicts leaves out judges, criteria and ties', () => {
  const rows = [
    counted(3, [3, 0]),
    counted(2, [0, 3], { decision: 'pass' }),
    counted(5, [2, 2]),
    counted(9, [3, 0], { kind: 'judge', subject: '@rules' }),
  ];
  expect(agreedShareOf(rows)).toEqual({ agreed: 3, n: 5 });
});
