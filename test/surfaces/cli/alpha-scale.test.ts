import { expect, test } from 'vitest';
import * as z from 'zod';
import { jury, scratch } from '../../support/run-jury.ts';

/** How far two scores are apart, by kind of scale. @param counts how often each score was given, in order */
const distances = {
  nominal: (a: number, b: number) => (a === b ? 0 : 1),
  interval: (a: number, b: number) => (a - b) ** 2,
  ordinal: (a: number, b: number, counts: ReadonlyMap<number, number>) => {
    const [low, high] = [Math.min(a, b), Math.max(a, b)];
    const between = [...counts].filter(([score]) => score >= low && score <= high);
    const ranks = between.reduce((sum, [, n]) => sum + n, 0);
    return (ranks - ((counts.get(low) ?? 0) + (counts.get(high) ?? 0)) / 2) ** 2;
  },
};

/** 1 − observed over expected disagreement, pair by pair: Krippendorff, Computing Krippendorff's Alpha-Reliability, 2011, section C. */
function alphaByDefinition(units: readonly (readonly number[])[], kind: keyof typeof distances): number {
  const all = units.flat();
  const counts = new Map<number, number>();
  for (const score of all) counts.set(score, (counts.get(score) ?? 0) + 1);
  const apart = (a: number, b: number) => distances[kind](a, b, counts);
  const pairsIn = (scores: readonly number[]) =>
    scores.flatMap((a, at) => scores.flatMap((b, other) => (at === other ? [] : [apart(a, b)])));
  const total = (values: readonly number[]) => values.reduce((sum, one) => sum + one, 0);
  const observed = total(units.map((unit) => total(pairsIn(unit)) / (unit.length - 1))) / all.length;
  const expected = total(pairsIn(all)) / (all.length * (all.length - 1));
  return 1 - observed / expected;
}

/** Three scores from 1 to 5 of each of 12 answers, most of them 5, with a few far apart. */
const units = ['555', '554', '551', '555', '545', '515', '444', '543', '321', '111', '525', '455'].map(
  (scores) => [...scores].map(Number),
);
const table = `task,worker,question,answer,quality\n${units
  .flatMap((unit, item) => unit.map((score, rater) => `${item},w${rater},Hi,Hello ${item},${score}`))
  .join('\n')}\n`;

test('an import prints alpha on the ordinal scale where scores are ordinal, not on the interval scale', async () => {
  const [ordinal, interval, nominal] = (['ordinal', 'interval', 'nominal'] as const).map((kind) =>
    alphaByDefinition(units, kind).toFixed(3),
  );
  expect(new Set([ordinal, interval, nominal]).size).toBe(3);
  const map = ['question=conversation', 'answer=response', 'quality=label.score'].flatMap((one) => [
    '--map',
    one,
  ]);
  const { code, out } = await jury(['dataset', 'import', '-', ...map, '--out', 'set.jsonl'], {
    cwd: scratch(),
    input: table,
  });
  expect(code).toBe(0);
  expect(out).toContain("Alpha is Krippendorff's, ordinal, with an interval by case");
  expect(out).toContain(`${ordinal} (`);
  for (const other of [interval, nominal]) expect(out).not.toContain(`${other} (`);
});

test('a study of ratings reports the same alpha as an import of them', async () => {
  const cwd = scratch();
  const cases = units.map((_, item) =>
    JSON.stringify({
      id: `${item}`,
      conversation: [{ role: 'user', text: 'Hi' }],
      response: `Hello ${item}`,
    }),
  );
  const run = (args: readonly string[], input?: string) =>
    jury(['study', ...args], { cwd, ...(input === undefined ? {} : { input }) });
  await run(['create', '-', '--ask', 'user', '--annotators', 'name:ann'], cases.join('\n'));
  const rows = units.flatMap((unit, item) => unit.map((score, rater) => `${item},r${rater},${score}`));
  const taken = await run(
    ['import', 's1', '-', '--format', 'csv', '--add-annotators'],
    `case,annotator,user_validity\n${rows.join('\n')}\n`,
  );
  expect(taken).toMatchObject({ code: 0 });
  const Report = z.looseObject({ user: z.looseObject({ alpha: z.looseObject({ value: z.number() }) }) });
  const { user } = Report.parse(JSON.parse((await run(['report', 's1', '--json'])).out));
  const ordinal = alphaByDefinition(units, 'ordinal');
  expect(user.alpha.value).toBeCloseTo(ordinal, 9);
  expect((await run(['report', 's1'])).out).toContain(`${ordinal.toFixed(3)} (`);
});

test('an import says "more than half of the answers" only where that holds with those that are not sure', async () => {
  const saying = async (rows: readonly string[]) => {
    const input = `task,worker,question,answer,verdict\n${rows.join('\n')}\n`;
    const map = ['question=conversation', 'answer=response', 'verdict=label.decision'].flatMap((one) => [
      '--map',
      one,
    ]);
    return (await jury(['dataset', 'import', '-', ...map, '--out', 'set.jsonl'], { cwd: scratch(), input }))
      .out;
  };
  const said = (answers: readonly string[]) => answers.map((one, rater) => `1,w${rater},Hi,Hello,${one}`);
  expect(await saying(said(['pass', 'pass', 'fail']))).toContain('Settled by more than half of the answers.');
  // Two of three that are sure, and two of four in all.
  expect(await saying(said(['pass', 'pass', 'fail', 'unsure']))).toContain(
    'Settled by more than half of the answers that are not "unsure"; of 1 label that is half of all answers or less.',
  );
});
