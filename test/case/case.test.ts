import { describe, expect, test } from 'vitest';
import { EvalCase, MAX_TURNS, missingFields } from '../../src/case/case.ts';
import { selectRubric } from '../../src/judging/standards/choose-rubric.ts';
import { criteriaInForce } from '../../src/judging/standards/rubric.ts';
import { aCase, aRubric } from '../support/builders.ts';
import { contractFormat } from '../support/format.ts';

const problemsOf = (value: unknown) =>
  EvalCase.safeParse(value)
    .error?.issues.map((issue) => issue.message)
    .join('; ');

describe('a case', () => {
  test('is refused with all that is wrong with it at once', () => {
    const problems = problemsOf({
      conversation: [{ role: 'system', text: ' ' }],
      response: '\ud83d',
      more: 1,
    });
    for (const said of ['must not be empty', 'half of a character', 'role "user"', 'Unrecognized key'])
      expect(problems).toContain(said);
  });

  test('as the interface shows it is valid', () => {
    const value = {
      id: 'u1-time',
      rubric: 'navigation',
      conversation: [{ role: 'user', text: 'Find me a high-end French restaurant rated at least 4.5' }],
      response: 'I recommend Chez Luc, 1.2 km away …',
      context: {
        date: '2024-03-04',
        time: '20:35',
        location: { latitude: 52.53, longitude: 13.41, description: 'Berlin' },
      },
      recommendation: {
        name: 'Chez Luc',
        location: { latitude: 52.54, longitude: 13.42, description: '…' },
        cuisine: 'French',
        menu: ['…'],
        cost: 'high',
        rating: 4.6,
        openingHours: { monday: '12:00-20:00', tuesday: '12:00-14:30, 18:00-01:00', sunday: 'closed' },
        distanceKm: 1.2,
        durationMin: 6,
      },
      documents: [{ id: 'm12', text: '…' }],
      recommendations: [['item', 'item']],
      groundTruth: 'item',
      history: [{ role: 'user', text: '…' }],
      latencyMs: 1800,
      language: 'en',
      tags: { system: 'BARCOR', dataset: 'redial' },
      label: { decision: 'fail', errorType: 'time' },
    };
    expect(EvalCase.parse(value)).toEqual(value);
  });

  test.each([
    ['an unknown key', { ...aCase(), adress: 'x' }, /adress/],
    ['a day that does not exist', aCase({ context: { date: '2024-02-30' } }), /not a day of the calendar/],
    ['a time that does not exist', aCase({ context: { time: '24:00' } }), /must be a time like 20:35/],
    [
      'no user turn',
      aCase({ conversation: [{ role: 'system', text: 'hi' }] }),
      /at least one turn with role "user"/,
    ],
    [
      'too many turns',
      aCase({ conversation: Array(MAX_TURNS + 1).fill({ role: 'user', text: 'a' }) }),
      /too many turns/,
    ],
    ['tags without values', { ...aCase(), tags: ['BARCOR'] }, /record/],
    ['half a character', aCase({ response: 'a\ud800b' }), /lone surrogate/],
    ['a place off the globe', aCase({ context: { location: { latitude: 91 } } }), /90/],
    ['an empty response', aCase({ response: ' ' }), /must not be empty/],
  ])('with %s is refused', (_name, value, message) => {
    expect(problemsOf(value)).toMatch(message);
  });
});

describe('what a case lacks', () => {
  test('is named by path', () => {
    expect(
      missingFields(aCase(), ['context.date', 'context.location', 'recommendation.menu', 'documents']),
    ).toEqual(['context.location', 'recommendation.menu', 'documents']);
  });

  test('sets aside the criteria that need it', () => {
    const rubric = aRubric({
      criteria: [
        { id: 'fits', title: 'Fits', rule: 'It fits.' },
        { id: 'near', title: 'Near', rule: 'It is near.', needs: ['context.location'] },
      ],
    });
    const { inForce, setAside } = criteriaInForce(rubric, aCase(), contractFormat);
    expect(inForce.map(({ id }) => id)).toEqual(['fits']);
    expect(setAside.map(({ criterion, reason }) => [criterion.id, reason])).toEqual([
      ['near', 'no location given: add `Location: 52.53, 13.41`'],
    ]);
  });

  test('judges a criterion all the same where the user speaks of it', () => {
    const needs = { needs: ['context.location'], unlessSaid: ['near me', 'frei'] };
    const rubric = aRubric({ criteria: [{ id: 'near', title: 'Near', rule: 'It is near.', ...needs }] });
    const count = (text: string) =>
      criteriaInForce(rubric, aCase({ conversation: [{ role: 'user', text }] }), contractFormat).inForce
        .length;
    expect(['sushi NEAR me!', 'Ist da was frei?', 'sushi', 'Freising'].map(count)).toEqual([1, 1, 0, 0]);
  });
});

describe('a case without a rubric', () => {
  const rubrics = (...all: ReturnType<typeof aRubric>[]) => new Map(all.map((rubric) => [rubric.id, rubric]));
  const venue = aRubric({ id: 'venue', selectedBy: ['recommendation'] });
  const manual = aRubric({ id: 'manual', selectedBy: ['documents'] });

  test('gets the one whose fields it carries', () => {
    expect(selectRubric(rubrics(venue, manual), aCase()).id).toBe('venue');
  });

  test('gets the one of the lowest rank', () => {
    const both = aRubric({ id: 'timed', selectedBy: ['recommendation', 'context.date'], rank: 5 });
    expect(selectRubric(rubrics(venue, both), aCase()).id).toBe('timed');
  });

  test('is refused where two fit equally well, whatever their order', () => {
    const other = aRubric({ id: 'other', selectedBy: ['response'] });
    for (const order of [rubrics(venue, other), rubrics(other, venue)])
      expect(() => selectRubric(order, aCase())).toThrow(/other, venue\. Name one with "rubric: ID"/);
  });

  test('is refused where none fits, with what each needs', () => {
    expect(() =>
      selectRubric(
        rubrics(aRubric({ id: 'manual', selectedBy: ['documents'], needs: ['documents'] })),
        aCase(),
      ),
    ).toThrow(/manual \(needs documents\)/);
  });
});
