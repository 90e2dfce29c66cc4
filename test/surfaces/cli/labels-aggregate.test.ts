import { describe, expect, test } from 'vitest';
import * as z from 'zod';
import { createRandom } from '../../../src/statistics/random.ts';
import { aCase } from '../../support/builders.ts';
import { inDataOf, voteOn } from '../../support/data-store.ts';
import { jury, scratch } from '../../support/run-jury.ts';
import { aRecord, aRuling, saturday } from '../../support/store-builders.ts';

/** Three guess (55 % right), two know (95 %). */
const reliabilities = { gil: 0.55, hal: 0.55, ivy: 0.55, jo: 0.95, kim: 0.95 };
const count = 200;

/** Verdicts of a judge that is right in 70 % of them, with votes; the truth by verdict. */
async function simulated(seed: number) {
  const cwd = scratch();
  const random = createRandom(seed).fraction;
  const truths = new Map<string, string>();
  await inDataOf(cwd, async (store) => {
    const kept: Promise<void>[] = [];
    for (let n = 0; n < count; n += 1) {
      const id = `v${n}`;
      const [truth, other] = random() < 0.5 ? (['pass', 'fail'] as const) : (['fail', 'pass'] as const);
      const decision = random() < 0.7 ? truth : other;
      truths.set(id, truth);
      const saved = store.saveVerdict(
        aRecord({ id, at: saturday + n, evalCase: aCase({ response: id }), verdict: { decision } }),
      );
      const said = Object.entries(reliabilities).map(([voter, reliability]) => {
        const right = random() < reliability ? truth : other;
        return [voter, right === decision ? 'agree' : 'disagree'] as const;
      });
      kept.push(saved.then(() => voteOn(store, id, Object.fromEntries(said))));
    }
    await Promise.all(kept);
  });
  return { cwd, truths };
}

const Settled = z.object({ label: z.string().nullable() });
const Line = z.discriminatedUnion('kind', [
  z.object({
    kind: z.literal('model'),
    converged: z.boolean(),
    iterations: z.number(),
    logLikelihood: z.number(),
    voters: z.union([z.number(), z.array(z.object({ voter: z.string(), right: z.number() }))]),
  }),
  z.object({
    kind: z.literal('verdict'),
    verdict: z.string(),
    majority: Settled,
    dawidSkene: Settled.nullable(),
    label: z.string().nullable(),
    basis: z.string().nullable(),
  }),
]);

function read(out: string) {
  const lines = out
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => Line.parse(JSON.parse(line)));
  return {
    model: lines.flatMap((line) => (line.kind === 'model' ? [line] : []))[0],
    verdicts: lines.flatMap((line) => (line.kind === 'verdict' ? [line] : [])),
  };
}

describe('labels aggregate', () => {
  test('settles more verdicts rightly by Dawid–Skene than by majority where few voters know', async () => {
    const { cwd, truths } = await simulated(5);
    const { out, code } = await jury(['labels', 'aggregate', '--json', '--voters'], { cwd });
    expect(code).toBe(0);
    const { model, verdicts } = read(out);
    expect(verdicts).toHaveLength(count);
    expect(model?.converged).toBe(true);
    expect(model?.logLikelihood).toBeLessThan(0);
    const right = (by: 'majority' | 'dawidSkene') =>
      verdicts.filter((one) => one[by]?.label === truths.get(one.verdict)).length;
    expect(right('dawidSkene')).toBeGreaterThan(right('majority'));
    // With the reliabilities known, one is right in 95 of 100; counting five such votes, in 88.
    expect(right('dawidSkene') / count).toBeGreaterThan(0.9);
    expect(right('majority') / count).toBeLessThan(0.92);
    // The two who know are distinguished from the three who guess.
    const voters = z.array(z.object({ voter: z.string(), right: z.number() })).parse(model?.voters);
    const knowing = voters.filter((one) => one.right > 0.8).map(({ voter }) => voter);
    expect(knowing.sort()).toEqual(['jo', 'kim']);
  });

  test('shows where both differ first, names no voter unasked, and says what it does not show', async () => {
    const { cwd } = await simulated(6);
    await inDataOf(cwd, (store) => store.adjudicate(aRuling({ verdictId: 'v3' })).then(() => {}));
    const plain = await jury(['labels', 'aggregate', '--by', 'dawid-skene'], { cwd });
    expect(plain.out).toContain('and 160 more (--json lists all)');
    expect(plain.out).toMatch(/The model converged after \d+ iterations; log-likelihood −?-?\d+\.\d\d\./);
    expect(plain.out).toMatch(/5 voters: right in \d+\.\d % to \d+\.\d % of verdicts, median/);
    expect(plain.out).toContain('200 verdicts with votes or rulings;');
    expect(plain.out).toContain('1 of them by a ruling.');
    expect(plain.out).not.toMatch(/\b(gil|hal|ivy|jo|kim)\b/);
    const rows = plain.out
      .split('\n')
      .flatMap(
        (line) =>
          /^ {2}(v\d+) .*? (pass|fail|open) +(pass|fail|open) +[01]\.\d/.exec(line)?.slice(2, 4) ?? [],
      );
    const [majority, modelled] = rows;
    expect(majority).not.toBe(modelled);
  });

  test('says when there are no votes', async () => {
    expect(await jury(['labels', 'aggregate'])).toMatchObject({
      code: 0,
      out: '',
      err: 'There are no votes and no rulings yet.\n',
    });
  });
});
