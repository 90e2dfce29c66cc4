import type { SharedErrors } from '../../src/reports/panel-benefit.ts';
import { votesWords } from '../../src/reports/panel-words.ts';
import { sharedErrors } from '../../src/reports/panels.ts';
import { sharedErrors as sharedScoreErrors } from '../../src/reports/score-panels.ts';
import { createRandom, type Random } from '../../src/statistics/random.ts';
import type { ConclusionRow } from './row.ts';

const normal = (random: Random): number =>
  Math.sqrt(-2 * Math.log(1 - random.fraction())) * Math.cos(2 * Math.PI * random.fraction());

/** The errors of k judges on some cases, each two of which correlate as wanted. */
type Made = (k: number, cases: number, correlation: number, random: Random) => SharedErrors;

const namesOf = (k: number): string[] => Array.from({ length: k }, (_, judge) => `judge ${judge}`);

/** Judges that are wrong on a share of the cases. */
const wrongOn =
  (share: number): Made =>
  (k, cases, correlation, random) => {
    const errs = () => random.fraction() < share;
    const rows = Array.from({ length: cases }, (_, place) => {
      const common = errs();
      // Two judges both take what is common with a chance of the correlation.
      const said = Array.from({ length: k }, () => {
        const isWrong = random.fraction() < Math.sqrt(correlation) ? common : errs();
        return isWrong ? 'fail' : 'pass';
      });
      return { place, unit: place, truth: 'pass', said };
    });
    return sharedErrors(namesOf(k), rows);
  };

const scoring: Made = (k, cases, correlation, random) => {
  const rows = Array.from({ length: cases }, (_, place) => {
    const common = normal(random);
    const said = Array.from(
      { length: k },
      () => Math.sqrt(correlation) * common + Math.sqrt(1 - correlation) * normal(random),
    );
    return { unit: place, truth: 0, said };
  });
  return sharedScoreErrors(namesOf(k), rows);
};

const CASES = [8, 14, 20];

/** How often the sentence is printed, at the number of cases at which it is printed most. */
function mostSaid(
  of: Made,
  { k, correlation, cases = CASES }: { k: number; correlation: number; cases?: readonly number[] },
  sentence: RegExp,
  repetitions: number,
): number {
  const shares = cases.map((n) => {
    let said = 0;
    for (let repetition = 0; repetition < repetitions; repetition += 1) {
      const random = createRandom('panels', k, correlation, n, repetition);
      const words = votesWords(of(k, n, correlation, random), { k, cases: n, alike: 'They err alike' });
      if (sentence.test(words.join(' '))) said += 1;
    }
    return said / repetitions;
  });
  return Math.max(...shares);
}

const LITTLE = /little in common/;

/** What a report says of how far the judges of a panel err alike. */
export function panels(repetitions: number): ConclusionRow[] {
  const kinds: [string, Made][] = [
    ['judges that score', scoring],
    ['judges wrong on a quarter', wrongOn(0.25)],
    ['judges wrong on a tenth', wrongOn(0.1)],
  ];
  return [
    ...kinds.flatMap(([what, of]) =>
      [2, 3].map((k) => ({
        what: `${k} ${what} of 8, 14 or 20 cases, errors correlating by 0.3, have little in common`,
        value: mostSaid(of, { k, correlation: 0.3 }, LITTLE, repetitions),
        from: 0,
        to: 0.05,
      })),
    ),
    {
      what: '3 judges that score 400 cases, with independent errors, have little in common',
      value: mostSaid(scoring, { k: 3, correlation: 0, cases: [400] }, LITTLE, Math.min(repetitions, 100)),
      from: 0.6,
      to: 1,
    },
    {
      what: '3 judges that score 60 cases, errors correlating by 0.5, err alike',
      value: mostSaid(scoring, { k: 3, correlation: 0.5, cases: [60] }, /They err alike/, repetitions),
      from: 0.9,
      to: 1,
    },
  ];
}
