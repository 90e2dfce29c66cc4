import { expect, test } from 'vitest';
import { aStudy, comparisonOf, coverageOf } from '../support/coverage.ts';

// The short version of `npm run bench:intervals`. With 1,000 repetitions, coverage of 0.95 has a standard deviation of 0.007.
const REPETITIONS = 1000;

test('intervals of cases that belong together hold the true value as often as they say', () => {
  for (const study of [aStudy, { ...aStudy, base: 2 }])
    for (const { name, coverage } of coverageOf(study, ['accuracy', 'f1'], REPETITIONS)) {
      expect(coverage, name).toBeGreaterThan(0.93);
      expect(coverage, name).toBeLessThan(0.975);
    }
  // Without the groups: what this is about.
  const [alone] = coverageOf(aStudy, ['accuracy'], REPETITIONS, 'cases');
  expect(alone?.coverage).toBeLessThan(0.85);
});

test('so do those of a judge that is nearly always right, over three repeats', () => {
  for (const alike of [0, 0.8]) {
    const study = { users: 300, casesEach: 1, base: Math.log(99), deviation: 0, repeats: 3, alike };
    for (const { name, coverage } of coverageOf(study, ['accuracy', 'f1'], REPETITIONS)) {
      expect(coverage, name).toBeGreaterThan(0.93);
      expect(coverage, name).toBeLessThan(0.98);
    }
  }
});

test('two judges that are equally right differ by chance as often as p says, if the users are known', () => {
  const { coverage, found } = comparisonOf(aStudy, 150, 'users');
  expect(coverage).toBeGreaterThan(0.9);
  expect(found).toBeLessThan(0.1);
  expect(comparisonOf(aStudy, 150, 'cases').found).toBeGreaterThan(found);
});
