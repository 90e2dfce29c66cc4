// How often 95 % intervals hold the true value: npm run bench:intervals [-- --repetitions 2000]
// Users differ in how hard their cases are (a normal intercept on the scale of log-odds); half of the cases are right. "Alone" is
// what intervals would be if nothing said which cases belong together. docs/decisions/0028-intervals.md says what follows from it.

import { parseArgs } from 'node:util';
import { logFactorial } from '../src/statistics/distributions.ts';
import { sum } from '../src/statistics/measure.ts';
import {
  aStudy,
  comparisonOf,
  coverageOf,
  exactCoverage,
  type Study,
  trueAccuracy,
} from '../test/support/coverage.ts';

const { values } = parseArgs({ options: { repetitions: { type: 'string', default: '2000' } } });
const repetitions = Number(values.repetitions);

const cell = (value: number, digits = 3): string => value.toFixed(digits).padStart(7);
const title = (study: Study): string =>
  `${study.users} × ${study.casesEach} cases × ${study.repeats}, accuracy ${trueAccuracy(study).toFixed(3)}, SD ${study.deviation}`.padEnd(
    44,
  );

const studies: Study[] = [
  aStudy,
  { ...aStudy, base: 2 },
  { ...aStudy, base: 4 },
  { ...aStudy, deviation: 0 },
  { ...aStudy, users: 100 },
  { ...aStudy, users: 20 },
  { ...aStudy, users: 10 },
  { ...aStudy, users: 10, base: 2 },
];
console.log(
  `Intervals of scores, ${repetitions} repetitions: coverage and mean width by group, coverage alone`,
);
for (const study of studies) {
  const names = ['accuracy', 'f1', 'balancedAccuracy', 'mcc'] as const;
  const alone = coverageOf(study, names, repetitions, 'cases');
  for (const [at, { name, coverage, width }] of coverageOf(study, names, repetitions).entries())
    console.log(
      `${title(study)} ${name.padEnd(16)} ${cell(coverage)} ${cell(width)} ${cell(alone[at]?.coverage ?? 0)}`,
    );
}

console.log(
  '\nA judge with an accuracy of 0.99, three repeats: coverage of accuracy (exact, simulated) and F1 by how alike repeats are',
);
for (const cases of [50, 100, 120, 200, 240, 300, 500])
  for (const alike of [0, 0.5, 0.8]) {
    const study = { users: cases, casesEach: 1, base: Math.log(99), deviation: 0, repeats: 3, alike };
    const found = coverageOf(study, ['accuracy', 'f1'], repetitions).map(({ coverage }) => coverage);
    console.log(
      `${title(study)} alike ${alike.toFixed(1)} ${[exactCoverage(cases, 0.99, 3, alike), ...found].map((one) => cell(one)).join(' ')}`,
    );
  }

console.log('\nThe same judge on 40 users of 6 cases that are no more alike than others, by group');
for (const alike of [0, 0.5, 0.8]) {
  const study = { ...aStudy, base: Math.log(99), deviation: 0, repeats: 3, alike };
  const found = coverageOf(study, ['accuracy', 'f1'], repetitions);
  console.log(
    `${title(study)} alike ${alike.toFixed(1)} ${found.map(({ coverage }) => cell(coverage)).join(' ')}`,
  );
}

console.log(
  '\nWhat any interval can reach if repeats agree: coverage is the probability of a range of numbers of wrong cases',
);
for (const cases of [100, 120, 200, 240, 300, 400, 500]) {
  const chances = Array.from({ length: 30 }, (_, wrong) =>
    Math.exp(
      logFactorial(cases) -
        logFactorial(wrong) -
        logFactorial(cases - wrong) +
        wrong * Math.log(0.01) +
        (cases - wrong) * Math.log(0.99),
    ),
  );
  const ranges = chances.flatMap((_, from) =>
    chances.slice(from).map((_none, more) => sum(chances.slice(from, from + more + 1))),
  );
  const near = [...new Set(ranges.filter((one) => one > 0.9 && one < 0.99).map((one) => one.toFixed(3)))];
  console.log(`${cases} cases: ${near.sort().join(', ')}`);
}

console.log(
  '\nTwo judges that are equally right, each with other users: coverage of 0, and how often p ≤ 0.05',
);
for (const users of [40, 10])
  for (const groups of ['users', 'cases'] as const) {
    const { coverage, found } = comparisonOf({ ...aStudy, users }, repetitions / 4, groups);
    console.log(
      `${title({ ...aStudy, users, deviation: 0 })} ${groups === 'users' ? 'by group' : 'alone   '} ${cell(coverage)} ${cell(found)}`,
    );
  }
