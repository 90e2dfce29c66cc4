import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { groupedBy } from '../../../src/common/collections.ts';
import { aRequest, findingsOn } from './stations.ts';
import { aCase, aQuestion, ask } from './world.ts';

/** Requests that were made up with what they wish: families of plain ones, of refinements, withdrawals, counts and other nouns. */
const text = readFileSync(new URL('../../fixtures/wishes.txt', import.meta.url), 'utf8');

const rubrics = { n: 'navigation', f: 'fuel-station', c: 'charging-station' };
const isDomain = (id: string | undefined): id is keyof typeof rubrics =>
  id !== undefined && Object.hasOwn(rubrics, id);

const open = { monday: '12:00-23:00' };
const closed = { monday: '08:00-12:00' };

/** Places that answer the requests, the last of each too far away and closed. */
const places = {
  n: [
    { cuisine: 'Greek', cost: 'medium', rating: 3.9, durationMin: 6, openingHours: open },
    { cuisine: 'Italian', cost: 'low', rating: 4.6, durationMin: 14, openingHours: open },
    { cuisine: 'Japanese', cost: 'high', rating: 3, durationMin: 16, openingHours: closed },
  ],
  f: [
    { fuels: ['Super E5', 'LPG'], pricePerLiter: 2.1, brand: 'Shell', amenities: ['ATM'], durationMin: 6 },
    {
      fuels: ['Diesel', 'Super E10'],
      pricePerLiter: 1.659,
      brand: 'Aral',
      amenities: ['Shop', 'Toilet'],
      durationMin: 4,
    },
    {
      fuels: ['Super E5'],
      pricePerLiter: 2.1,
      brand: 'Esso',
      amenities: [],
      durationMin: 20,
      openingHours: closed,
    },
  ],
  c: [
    {
      plugs: ['Type 2'],
      powerKw: 22,
      freePoints: 1,
      pricePerKwh: 0.9,
      amenities: ['ATM'],
      durationMin: 6,
    },
    {
      plugs: ['CCS'],
      powerKw: 150,
      freePoints: 2,
      pricePerKwh: 0.55,
      amenities: ['WiFi', 'Café', 'Toilet'],
      durationMin: 4,
    },
    {
      plugs: ['Schuko'],
      powerKw: 3,
      freePoints: 0,
      pricePerKwh: 0.9,
      amenities: [],
      durationMin: 20,
      openingHours: closed,
    },
  ],
};

interface Row {
  family: string;
  domain: keyof typeof rubrics;
  wishes: string;
  turns: { role: 'user' | 'system'; text: string }[];
}

const rows: Row[] = [];
let family = '';
for (const line of text.split('\n')) {
  const [domain, wishes, said] = line.split(' | ');
  if (line.startsWith('# ')) family = line.slice(2);
  if (!isDomain(domain) || wishes === undefined || said === undefined) continue;
  const turns = said.split(' || ').map((turn): Row['turns'][number] => {
    const isSystem = turn.startsWith('S: ');
    return { role: isSystem ? 'system' : 'user', text: isSystem ? turn.slice(3) : turn };
  });
  rows.push({ family, domain, wishes, turns });
}

/** What the short forms of wishes stand for. */
const named: Readonly<Record<string, string>> = {
  diesel: 'Diesel',
  e10: 'Super E10',
  super: 'Super E5',
  lpg: 'LPG',
  ccs: 'CCS',
  type2: 'Type 2',
  toilet: 'Toilet',
  shop: 'Shop',
  wifi: 'WiFi',
  cafe: 'Café',
};

const numberFits = (wish: string, value: number): boolean => {
  const [, sign, bound] = /^([<>]=?)([\d.]+)$/.exec(wish) ?? [];
  const limit = Number(bound);
  return sign === '>=' ? value >= limit : sign === '>' ? value > limit : value <= limit;
};

const texts = (value: unknown): string[] => [value].flat().map((item) => String(item).toLowerCase());

/** Whether a criterion holds for a place; null where nobody can tell. */
function holds(id: string, wishes: string, place: Readonly<Record<string, unknown>>): boolean | null {
  if (wishes === 'open') return null;
  const wish = (key: string): string | null => {
    const value = wishes.split(' ').find((one) => one.startsWith(`${key}:`));
    const said = value?.slice(key.length + 1) ?? 'any';
    return said === 'any' ? null : said;
  };
  const isNumber = (key: string, field: string) => {
    const said = wish(key);
    return said === null ? true : said === 'open' ? null : numberFits(said, Number(place[field]));
  };
  const isNamed = (key: string, field: string) => {
    const said = wish(key);
    return said === null || texts(place[field]).includes((named[said] ?? said).toLowerCase());
  };
  switch (id) {
    case 'location': {
      const limit = wish('d') ?? '15';
      return limit === 'open' ? null : Number(place.durationMin) <= Number(limit);
    }
    case 'time':
      return wish('t') === null ? place.openingHours !== closed : null;
    case 'cost':
      return wish('p') === 'notexp' ? place.cost !== 'high' : isNamed('p', 'cost');
    case 'price':
      return isNumber('price', place.pricePerLiter === undefined ? 'pricePerKwh' : 'pricePerLiter');
    case 'availability':
      return numberFits(wish('free') ?? '>=1', Number(place.freePoints));
    case 'rating':
      return isNumber('r', 'rating');
    case 'power':
      return isNumber('kw', 'powerKw');
    case 'cuisine':
      return isNamed('c', 'cuisine');
    case 'fuel':
      return isNamed('fuel', 'fuels');
    case 'brand':
      return isNamed('b', 'brand');
    case 'plug':
      return isNamed('plug', 'plugs');
    case 'amenities':
      return isNamed('a', 'amenities');
    default:
      return null;
  }
}

async function found({ domain, turns: conversation }: Row, place: object) {
  if (domain === 'n') return (await ask(aQuestion({ ...aCase('-', place), conversation }))).criteria;
  return findingsOn(rubrics[domain], { ...aRequest(rubrics[domain], '-', place), conversation });
}

/** A fail is wrong unless the criterion fails, a pass where it does. */
async function wrongOn(row: Row): Promise<string[]> {
  const all = await Promise.all(
    places[row.domain].map(async (place) =>
      (await found(row, place)).flatMap(({ id, decision, rationale }) => {
        const right = holds(id, row.wishes, place);
        const isWrong = decision === 'fail' ? right !== false : decision === 'pass' && right === false;
        return isWrong ? [`${id}: ${decision} (${rationale})`] : [];
      }),
    ),
  );
  return all.flat();
}

describe.each([...groupedBy(rows, ({ family }) => family)])('%s', (_, some) => {
  it.each(some.map((row) => [row.turns.map((turn) => turn.text).join(' / '), row] as const))(
    '%s: right or silent',
    async (_said, row) => {
      expect(await wrongOn(row)).toEqual([]);
    },
  );
});

describe('plain wishes of one turn', () => {
  it('are mostly decided, whatever the place', async () => {
    const single = rows.filter(({ family }) => family === 'single');
    const decided = await Promise.all(
      single.map(async (row) => {
        const all = await Promise.all(places[row.domain].map((place) => found(row, place)));
        return all.every((criteria) => {
          const decisions = criteria.map(({ decision }) => decision);
          return decisions.includes('fail') || !decisions.includes('unscored');
        });
      }),
    );
    expect(decided.filter(Boolean).length / single.length).toBeGreaterThan(0.9);
  });

  it('and the families are large', () => {
    expect(rows.length).toBeGreaterThan(500);
  });
});
