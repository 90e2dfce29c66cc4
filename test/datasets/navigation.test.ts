import { describe, expect, test } from 'vitest';
import { type EvalCase, weekdays } from '../../src/case/case.ts';
import { minutesLeft, userDistricts } from '../../src/datasets/generator-scene.ts';
import { aCase } from '../judges/rules/world.ts';
import { repeated } from '../support/repeated.ts';
import { areas, checked, dimension, domain, made } from './world.ts';

const labelOf = (errorType: string | null): EvalCase['label'] =>
  errorType === null ? { decision: 'pass' } : { decision: 'fail', errorType };

const cuisine = dimension('cuisine', 'term');
const cost = dimension('cost', 'term');
const rating = dimension('rating', 'number');
const time = dimension('time', 'open');

describe('the wording of navigation data', () => {
  test('has twenty cuisines with five words each, none of them twice', () => {
    expect(cuisine.terms.map(({ phrases }) => phrases.length)).toEqual(Array(20).fill(5));
    const words = cuisine.terms.flatMap(({ phrases }) => phrases.map(({ kind }) => kind));
    expect(new Set(words).size).toBe(100);
  });

  test('has three price levels with fifteen paraphrases each, none of them twice', () => {
    const { terms } = cost;
    expect(terms.map(({ value, phrases }) => [value, phrases.length])).toEqual([
      ['low', 15],
      ['medium', 15],
      ['high', 15],
    ]);
    expect(
      new Set(terms.flatMap(({ phrases }) => phrases.flatMap((forms) => Object.values(forms)))).size,
    ).toBe(terms.flatMap(({ phrases }) => phrases.flatMap((forms) => Object.values(forms))).length);
  });

  test('asks for higher ratings where more is paid, and for none up to 3.5', () => {
    const ranges = 'by' in rating.wishes ? rating.wishes.ranges : {};
    const [low, medium, high] = ['low', 'medium', 'high'].map((level) => ranges[level] ?? [0, 0]);
    expect(Math.min(...Object.values(ranges).flat())).toBeGreaterThan(3.5);
    expect(low?.[1]).toBeLessThan(medium?.[1] ?? 0);
    expect(medium?.[1]).toBeLessThan(high?.[1] ?? 0);
    expect(low?.[0]).toBeLessThan(high?.[0] ?? 0);
  });

  test('has right places rated above 3.5 alone, around a wish too', async () => {
    const all = await Promise.all([1, 2, 3, 4, 5, 6].map((seed) => made(seed, 100)));
    const rights = all.flat().filter(({ label }) => label?.decision === 'pass');
    expect(rights).toHaveLength(600);
    expect(rights.filter(({ recommendation }) => (recommendation?.rating ?? 0) <= 3.5)).toEqual([]);
  });

  test('knows ten areas of Berlin and Munich', () => {
    const places = userDistricts(areas);
    expect(places).toHaveLength(10);
    expect(new Set(places.map(({ city }) => city))).toEqual(new Set(['Berlin', 'Munich']));
  });

  test('has hours that are open long enough, and hours that are closed, at every minute that users ask at', () => {
    const { weeks } = time;
    const few: string[] = [];
    for (const day of weekdays)
      for (let minute = 8 * 60; minute <= 22 * 60; minute += 1) {
        const left = weeks.map((week) => minutesLeft(week, day, minute));
        const open = left.filter((minutes) => minutes >= 60).length;
        const closed = left.filter((minutes) => minutes === 0).length;
        if (open < 2 || closed < 2) few.push(`${day} ${minute}: ${open} open, ${closed} closed`);
      }
    expect(few).toEqual([]);
  });
});

describe('exact checks', () => {
  test('confirm every one of the cases of a seed', async () => {
    const cases = await made(1, repeated(100));
    const results = await Promise.all(cases.map((one) => checked(one)));
    expect(
      results.flatMap((result, index) => (result.kind === 'confirmed' ? [] : [[cases[index], result]])),
    ).toEqual([]);
  });

  test('read every paraphrase of a price in every form', async () => {
    const sentences: Record<string, (text: string) => string> = {
      adjective: (text) => `Find me a ${text} Italian place rated 4.5 or higher.`,
      tail: (text) => `Find me an Italian place nearby ${text}, rated 4.5 or higher.`,
      clause: (text) => `Find me an Italian place rated 4.5 or higher. ${text}`,
    };
    const said = cost.terms.flatMap(({ value, phrases }) =>
      phrases.flatMap((phrase) =>
        Object.entries(phrase).flatMap(([form, text]) =>
          ['low', 'medium', 'high'].map((level) => ({
            request: sentences[form]?.(text) ?? '',
            level,
            isRight: level === value,
          })),
        ),
      ),
    );
    const results = await Promise.all(
      said.map(({ request, level, isRight }) =>
        checked({ ...aCase(request, { cost: level }), label: labelOf(isRight ? null : 'cost') }),
      ),
    );
    expect(said.filter((_one, index) => results[index]?.kind !== 'confirmed')).toEqual([]);
  });

  test('find the wished dish on the menu of the right venue', async () => {
    const cases = (await made(4, 100)).filter(({ label }) => label?.decision === 'pass');
    const dishes = cuisine.terms.flatMap(({ phrases }) =>
      phrases.flatMap(({ kind, dish }) => (dish?.endsWith(' food') ? [] : [kind, dish])),
    );
    const plain = (text: string) => text.normalize('NFD').replaceAll(/\p{M}/gu, '').toLowerCase();
    let found = 0;
    for (const one of cases) {
      const said = plain(one.conversation[0]?.text ?? '');
      const wished = dishes.filter((dish) => dish !== undefined && said.includes(plain(dish)));
      if (wished.length === 0) continue;
      found += 1;
      const menu = plain(one.recommendation?.menu?.join() ?? '');
      const isThere = wished.some((dish) => menu.includes(plain(dish ?? '-').replace(/s$/, '')));
      expect([one.id, said, menu, isThere]).toEqual([one.id, said, menu, true]);
    }
    expect(found).toBeGreaterThan(50);
  });
});

test('the domain names a file and a rubric that are there', () => {
  expect([domain.rubric, domain.areas]).toEqual(['navigation', 'berlin-munich']);
});
