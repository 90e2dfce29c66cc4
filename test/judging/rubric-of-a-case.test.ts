import { describe, expect, test } from 'vitest';
import type { EvalCase } from '../../src/case/case.ts';
import { planCase } from '../../src/judging/judge-case.ts';
import { builtInLibrary } from '../support/built-in.ts';

const library = builtInLibrary();
const bare: EvalCase = { conversation: [{ role: 'user', text: 'Where?' }], response: 'There.' };

/** A case with parts that no type knows. */
const aCaseWith = (parts: object): EvalCase => ({ ...bare, ...parts });

const planOf = (parts: object) => planCase(library, aCaseWith(parts), { models: ['rules'] });

describe('the rubric of a case that names none', () => {
  test.each([
    ['nothing more than an exchange', {}, 'question-answering', 'nothing in the case calls for another'],
    ['documents', { documents: [{ text: 'x' }] }, 'factual-correctness', 'the case has documents'],
    ['a venue', { recommendation: { cuisine: 'Thai' } }, 'navigation', 'the case has a recommendation'],
    [
      'a station with fuels',
      { recommendation: { name: 'X', fuels: ['Diesel'] } },
      'fuel-station',
      'the case has a recommendation and recommendation.fuels',
    ],
    [
      'a station with a price per liter alone',
      { recommendation: { pricePerLiter: 1.7 } },
      'fuel-station',
      'the case has a recommendation and recommendation.pricePerLiter',
    ],
    [
      'a station with charging power',
      { recommendation: { powerKw: 50 } },
      'charging-station',
      'the case has a recommendation and recommendation.powerKw',
    ],
    [
      'a station for a car with a plug',
      { recommendation: { name: 'X' }, context: { carPlug: 'CCS' } },
      'charging-station',
      'the case has a recommendation and context.carPlug',
    ],
    ['an action of the car', { action: { device: ['window'] } }, 'car-function', 'the case has an action'],
    ['lists of recommended items', { recommendations: [['Risk']] }, 'core', 'the case has recommendations'],
    [
      'documents beside a venue',
      { documents: [{ text: 'x' }], recommendation: { cuisine: 'Thai' } },
      'factual-correctness',
      'the case has documents',
    ],
  ])(
    'with %s is the one that fits, and the card says why and how to name another',
    (_, parts, rubric, because) => {
      const plan = planOf(parts);
      expect(plan.rubric.id).toBe(rubric);
      expect(plan.remarks).toContain(`rubric ${rubric} was chosen because ${because}`);
    },
  );

  test('is not guessed where a station sells fuel and charges cars', () => {
    const both = { recommendation: { fuels: ['Diesel'], plugs: ['CCS'] } };
    expect(() => planOf(both)).toThrow(
      /Several rubrics fit this case equally well: charging-station, fuel-station/,
    );
  });

  test('of an action without a device is named with what it lacks', () => {
    expect(() => planOf({ action: { result: 'done' } })).toThrow(
      /lacks fields that the rubric "car-function" needs: action\.device\. The rubric car-function was chosen because the case has an action; name another/,
    );
  });

  test('is not explained where it was named', () => {
    const named = () => planOf({ rubric: 'navigation' });
    expect(named).toThrow(/lacks fields that the rubric "navigation" needs: recommendation\.$/);
    expect(planOf({ rubric: 'in-car' }).remarks.join()).not.toContain('was chosen');
  });
});

test.each([
  ['navigation', ['Missing: date, time', 'the venue is meant']],
  ['question-answering', ['the venue is meant']],
])('a moment that the case lacks is a remark where a criterion of %s is left out for it', (rubric, kept) => {
  const evalCase = aCaseWith({ recommendation: { cuisine: 'Thai' } });
  const plan = planCase(library, evalCase, { models: ['rules'], rubric }, [
    'Missing: date, time',
    'the venue is meant',
  ]);
  expect(plan.assumed).toEqual(kept);
});
