import { describe, expect, test } from 'vitest';
import { type EvalCase, fieldOf } from '../../src/case/case.ts';
import { made } from './world.ts';

const ERRORS = ['location', 'time', 'cost', 'rating', 'cuisine'];

/** The fields of a recommendation that belong to each kind of error; all others must never differ. */
const BELONGS: Record<string, string[]> = {
  location: ['location', 'distanceKm', 'durationMin'],
  time: ['openingHours'],
  cost: ['cost'],
  rating: ['rating'],
  cuisine: ['cuisine', 'menu'],
};

const cases = await made(7, 100);
const users = Array.from({ length: 100 }, (_none, index) => cases.slice(index * 6, index * 6 + 6));

const utteranceOf = (one: EvalCase | undefined): string => one?.conversation[0]?.text ?? '';
const venueOf = (one: EvalCase | undefined): Record<string, unknown> => ({ ...one?.recommendation });

describe('generated navigation data', () => {
  test('has one right case and one for each error a user', () => {
    expect(cases).toHaveLength(600);
    for (const [index, six] of users.entries()) {
      const user = `u${String(index + 1).padStart(3, '0')}`;
      expect(six.map(({ id }) => id)).toEqual(['right', ...ERRORS].map((error) => `${user}-${error}`));
      expect(six.map(({ tags }) => tags)).toEqual(six.map(() => ({ group: user })));
      expect(six.map(({ label }) => label)).toEqual([
        { decision: 'pass' },
        ...ERRORS.map((errorType) => ({ decision: 'fail', errorType })),
      ]);
    }
  });

  test('differs from the right case in the fields of its error and in no other', () => {
    for (const [right, ...wrong] of users)
      for (const one of wrong) {
        const error = one.label?.errorType ?? '';
        const [before, after] = [venueOf(right), venueOf(one)];
        expect(Object.keys(after)).toEqual(Object.keys(before));
        const differing = Object.keys(before).filter(
          (key) => JSON.stringify(before[key]) !== JSON.stringify(after[key]),
        );
        expect({ id: one.id, strays: differing.filter((key) => !BELONGS[error]?.includes(key)) }).toEqual({
          id: one.id,
          strays: [],
        });
        // The field that the error is about does differ; a distance may be the same by chance.
        expect(differing).toContain(BELONGS[error]?.[0]);
        expect(one.conversation).toEqual(right?.conversation);
        expect(one.context).toEqual(right?.context);
      }
  });

  test('says the same in all cases of a user, but for what is wrong', () => {
    const facts = (one: EvalCase): string[] => {
      const venue = one.recommendation;
      const cost: Record<string, string> = {
        low: 'inexpensive',
        medium: 'moderately priced',
        high: 'high-priced',
      };
      const minutes = venue?.durationMin ?? 0;
      return [
        `${minutes} minute${minutes === 1 ? '' : 's'}`,
        `${venue?.distanceKm} km`,
        venue?.location?.description?.split(',')[0] ?? '-',
        venue?.rating?.toFixed(1) ?? '-',
        cost[venue?.cost ?? ''] ?? '-',
        `an ${venue?.cuisine}`,
        `a ${venue?.cuisine}`,
        venue?.cuisine ?? '-',
      ];
    };
    const skeleton = (one: EvalCase) =>
      facts(one).reduce((text, fact) => text.replaceAll(fact, '_'), one.response);
    for (const six of users) expect(new Set(six.map(skeleton)).size).toBe(1);
  });

  test('names the venue in every response', () => {
    for (const one of cases) expect(one.response).toContain(one.recommendation?.name);
  });

  test('gives the label away nowhere but in the label and the id', () => {
    for (const { label: _label, id: _id, ...shown } of cases)
      expect(JSON.stringify(shown)).not.toMatch(/error|wrong|incorrect|closed now|too far|"fail"|"pass"/i);
  });
});

/** Great-circle distance in km by the spherical law of cosines, another formula than the program's. */
function kmBetween(one: EvalCase): number {
  const degrees = (path: string): number => (Number(fieldOf(one, path)) * Math.PI) / 180;
  const [a, b] = [degrees('context.location.latitude'), degrees('recommendation.location.latitude')];
  const apart = degrees('recommendation.location.longitude') - degrees('context.location.longitude');
  return (
    6371 * Math.acos(Math.min(1, Math.sin(a) * Math.sin(b) + Math.cos(a) * Math.cos(b) * Math.cos(apart)))
  );
}

/** Whether a span such as 18:00-01:00 holds at a minute of its day. */
function holds(span: string, minute: number): boolean {
  const [from = 0, to = 0] = span
    .split('-')
    .map((clock) => Number(clock.slice(0, 2)) * 60 + Number(clock.slice(3)));
  return from <= minute && minute < (to > from ? to : to + 1440);
}

function isOpen(one: EvalCase): boolean {
  const day = new Date(`${one.context?.date}T12:00:00Z`)
    .toLocaleDateString('en-US', { weekday: 'long', timeZone: 'UTC' })
    .toLowerCase();
  const hours = Object.entries(one.recommendation?.openingHours ?? {}).find(([name]) => name === day)?.[1];
  const minute = Number(one.context?.time?.slice(0, 2)) * 60 + Number(one.context?.time?.slice(3));
  return (hours ?? 'closed').split(', ').some((span) => span !== 'closed' && holds(span, minute));
}

describe('what generated data says of itself, worked out anew', () => {
  // At 25 km/h over roads 1.3 times as long as the straight line, 15 minutes are 15 / 60 · 25 / 1.3 = 4.81 km.
  test('places of location errors are more than 15 minutes away, others less, even if the estimate is a quarter off', () => {
    for (const one of cases) {
      const minutes = ((kmBetween(one) * 1.3) / 25) * 60;
      const stated = one.recommendation?.durationMin ?? 0;
      if (one.label?.errorType === 'location') {
        expect(minutes * 0.75).toBeGreaterThan(15);
        expect(stated).toBeGreaterThan(15);
      } else {
        expect(minutes * 1.25).toBeLessThanOrEqual(15.001);
        expect(stated).toBeLessThanOrEqual(15);
      }
      expect(Math.abs(stated - minutes)).toBeLessThanOrEqual(1);
    }
  });

  test('places are closed at the moment in time errors only', () => {
    for (const one of cases) expect([one.id, isOpen(one)]).toEqual([one.id, one.label?.errorType !== 'time']);
  });

  test('moments lie in 2024 between 08:00 and 22:00', () => {
    for (const { context } of cases) {
      expect(context?.date).toMatch(/^2024-/);
      expect(context?.time && context.time >= '08:00' && context.time <= '22:00').toBe(true);
    }
  });

  test('ratings asked for lie above 3.5', () => {
    for (const one of cases) {
      const numbers = utteranceOf(one).match(/\d\.\d/g) ?? [];
      expect(numbers.length).toBeGreaterThan(0);
      for (const number of numbers) expect(Number(number)).toBeGreaterThan(3.5);
    }
  });
});

describe('variety', () => {
  const rights = users.map(([right]) => right);
  const distinct = (path: string) =>
    new Set(rights.map((one) => JSON.stringify(one === undefined ? null : fieldOf(one, path)))).size;

  test('no two of 100 users say the same', () => {
    expect(new Set(rights.map(utteranceOf)).size).toBe(100);
  });

  test('no beginning of three words is shared by more than a tenth of the users', () => {
    const heads = new Map<string, number>();
    for (const one of rights) {
      const head = utteranceOf(one).split(' ').slice(0, 3).join(' ');
      heads.set(head, (heads.get(head) ?? 0) + 1);
    }
    expect(Math.max(...heads.values())).toBeLessThanOrEqual(10);
  });

  test('all ten areas, all price levels and nearly all cuisines occur', () => {
    expect(distinct('context.location.description')).toBe(10);
    expect(distinct('recommendation.cost')).toBe(3);
    expect(distinct('recommendation.cuisine')).toBeGreaterThanOrEqual(17);
    expect(distinct('context.date')).toBeGreaterThan(75);
  });
});

describe('seeds', () => {
  test('the same seed gives the same bytes', async () => {
    expect(JSON.stringify(await made(7, 100))).toBe(JSON.stringify(cases));
  });

  test('another seed gives other users', async () => {
    const others = await made(8, 100);
    const said = new Set(cases.map(utteranceOf));
    expect(others.filter((one) => said.has(utteranceOf(one)))).toEqual([]);
  });

  test('more users leave the earlier ones as they are', async () => {
    expect((await made(7, 12)).slice(0, 30)).toEqual(cases.slice(0, 30));
    expect(await made(7, 5)).toEqual(cases.slice(0, 30));
  });
});
