import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import * as z from 'zod';
import { openSqliteStore } from '../../../src/stores/sqlite/sqlite-store.ts';
import { jury, scratch } from '../../support/run-jury.ts';
import { aBallot, aRecord } from '../../support/store-builders.ts';

/** Four verdicts by a rubric with a hostile name, most of them agreed with. */
async function votedOn(cwd: string): Promise<void> {
  const store = await openSqliteStore(join(cwd, 'data', 'jury.db'));
  const values = { v1: 'agree', v2: 'agree', v3: 'agree', v4: 'disagree' } as const;
  for (const [verdictId, value] of Object.entries(values)) {
    const decision = verdictId === 'v1' ? 'pass' : 'fail';
    await store.saveVerdict(aRecord({ id: verdictId, verdict: { decision, rubric: 'own\u001b[31m' } }));
    for (const voter of ['ada', 'bea', 'dan']) await store.castVote(aBallot({ verdictId, voter, value }));
  }
  await store.castVote(aBallot({ verdictId: 'v4', voter: 'cleo', value: 'unsure' }));
  await store.close();
}

describe('labels stats', () => {
  test('shows agreement with n, intervals and how ties and "unsure" enter, and names no one', async () => {
    const cwd = scratch();
    await votedOn(cwd);
    const { code, out, err } = await jury(['labels', 'stats'], { cwd });
    expect({ code, err }).toEqual({ code: 0, err: '' });
    // Wilson of 3 of 4: statsmodels 0.13.5, proportion_confint(3, 4, method='wilson'): 0.3006, 0.9544.
    expect(out).toMatch(/own\S* +75 % \(30–95\) +4 +0 +0 +0 /);
    const told = out.replaceAll(/\s+/g, ' ');
    expect(told).toContain(
      'Agree: of n that are settled: 3 votes for or against or more, more than half of them on one side. 0 ties, 0 with fewer votes and 0 verdicts with nothing but “unsure” are left out',
    );
    expect(told).toContain('“Unsure”, said 1 time, counts as a missing vote');
    for (const secret of ['ada', 'bea', 'cleo', '\u001b']) expect(out).not.toContain(secret);
    expect(out).not.toContain('NaN');
  });

  test('prints everything as JSON, by what is asked for', async () => {
    const cwd = scratch();
    await votedOn(cwd);
    const { out } = await jury(['labels', 'stats', '--by', 'persona', '--json'], { cwd });
    const found = z.object({ by: z.string(), groups: z.array(z.object({ name: z.string() })) });
    expect(found.parse(JSON.parse(out))).toEqual({
      by: 'persona',
      groups: [{ name: 'ann' }, { name: 'bob' }, { name: 'cem' }],
    });
  });

  test('says what to do where there is nothing to tell from', async () => {
    const cwd = scratch();
    expect(await jury(['labels', 'stats'], { cwd })).toMatchObject({
      code: 0,
      out: '',
      err: expect.stringContaining('No verdicts are kept'),
    });
    await jury(['judge', '--save'], {
      cwd,
      input: 'User: Set it to 21 degrees.\nSystem: It is 21 degrees now.',
    });
    expect((await jury(['labels', 'stats'], { cwd })).err).toContain(
      'The verdict does not have a vote for or against it yet: ',
    );
    await votedOn(cwd);
    const strict = await jury(['labels', 'stats', '--min-votes', '4'], { cwd });
    expect(strict).toMatchObject({ code: 0, out: '' });
    expect(strict.err).toContain('None of 5 verdicts has 4 votes for or against it yet');
    // As the option was called before; it still works, and help shows the new name alone.
    expect(await jury(['labels', 'stats', '--least', '4'], { cwd })).toEqual(strict);
    const help = (await jury(['labels', 'stats', '--help'], { cwd })).out;
    expect(help).toContain('--min-votes <n>');
    expect(help).not.toContain('--least');
    const late = await jury(['labels', 'stats', '--since', '2030-01-01', '--channel', 'C1'], { cwd });
    expect(late.err).toContain('No verdicts in the channel C1 since 2030-01-01 are kept');
  });

  test.each([
    [['--since', '2026-02-30'], 'Must be a day such as'],
    [['--since', 'yesterday'], 'Must be a day such as'],
    [['--by', 'voter'], 'Allowed choices are rubric, criterion'],
    [['--rubric', 'navigatoin'], 'There is no rubric "navigatoin"'],
    [['--min-votes', '0'], 'Must be a whole number'],
  ])('%j is refused with what to do', async (args, message) => {
    const { code, out, err } = await jury(['labels', 'stats', ...args]);
    expect({ code, out }).toEqual({ code: 64, out: '' });
    expect(err).toContain(message);
  });
});
