import { describe, expect, it } from 'vitest';
import { caseFormat, Field } from '../../../src/case/format/case-format.ts';
import { parseInput } from '../../../src/case/paste/parse-input.ts';
import { loadCaseFormat } from '../../../src/prompting/case-fields.ts';
import { builtIn } from '../../support/built-in.ts';
import { contractFormat, words } from '../../support/format.ts';
import { LIMIT } from './parse.ts';

/** Fields of no built-in rubric: a bicycle rack, found by made-up labels. */
const format = caseFormat(
  [
    {
      name: 'places',
      of: 'recommendation',
      title: 'places',
      type: 'number',
      labels: ['stands', 'stellplätze'],
    },
    {
      name: 'fee',
      of: 'recommendation',
      title: 'fee',
      type: 'number',
      labels: ['gebühr'],
      units: { '€/day': 1, 'ct/day': 0.01 },
      byUnit: { labels: ['price'], units: ['€/day', 'ct/day'] },
    },
    { name: 'locks', of: 'recommendation', title: 'locks', type: 'list', labels: ['schlösser'] },
    { name: 'roofed', of: 'recommendation', title: 'roofed', type: 'boolean', labels: ['überdacht'] },
    { name: 'luggage', of: 'context', title: 'luggage', type: 'text', labels: ['gepäck'] },
    { name: 'exit', of: 'rack', title: 'exit', type: 'place', labels: ['ausgang'] },
    { name: 'staffed', of: 'rack', title: 'staffed hours', type: 'hours', labels: ['besetzt'] },
    { name: 'season', title: 'season', type: 'text', labels: ['saison'] },
  ].map((field) => Field.parse(field)),
  words,
);

const items = (text: string) => parseInput(text, { maxCaseChars: LIMIT, format });

function caseOf(text: string): { case: object; assumed: string[]; unsure?: { withIt: object } } {
  const [parsed] = items(text);
  if (parsed === undefined || 'problem' in parsed) throw new Error(`no case: ${JSON.stringify(parsed)}`);
  return parsed;
}

const paste = (...lines: string[]) => ['User: a rack?', 'System: This one.', ...lines].join('\n');

describe('a declared field in a paste', () => {
  it.each([
    ['by its name', 'Places: 40', 'recommendation.places', 40],
    ['by a label', 'Stands: 40', 'recommendation.places', 40],
    ['by a German label', 'Stellplätze: 40', 'recommendation.places', 40],
    ['by a bold label', '**Stands**: 40', 'recommendation.places', 40],
    ['with its unit', 'Fee: 1,50 €/day', 'recommendation.fee', 1.5],
    ['with another unit', 'Gebühr: 80 ct/day', 'recommendation.fee', 0.8],
    ['with the currency in front', 'Fee: €2/day', 'recommendation.fee', 2],
    ['by a shared label and its unit', 'Price: 2 €/day', 'recommendation.fee', 2],
    ['as a list with commas', 'Locks: chain, U-lock', 'recommendation.locks', ['chain', 'U-lock']],
    ['as a list of bullets', 'Locks:\n- chain\n- U-lock', 'recommendation.locks', ['chain', 'U-lock']],
    ['as a list that says none', 'Locks: none', 'recommendation.locks', []],
    ['as yes', 'Roofed: yes', 'recommendation.roofed', true],
    ['as nein', 'Überdacht: nein', 'recommendation.roofed', false],
    ['of the situation', 'Gepäck: zwei Taschen', 'context.luggage', 'zwei Taschen'],
    [
      'as a place',
      'Exit: North side (52.5, 13.4)',
      'rack.exit',
      { latitude: 52.5, longitude: 13.4, description: 'North side' },
    ],
    ['as hours', 'Staffed: Mon 08:00-12:00', 'rack.staffed', { monday: '08:00-12:00' }],
    ['of the case itself', 'Season: winter', 'season', 'winter'],
  ])('is read %s', (_, line, path, value) => {
    expect(caseOf(paste(line)).case).toHaveProperty(path, value);
  });

  it('stands beside what the contract knows', () => {
    const { case: read } = caseOf(paste('Name: Rack 7', 'Stands: 40', 'Price: high', 'Duration: 4 min'));
    expect(read).toHaveProperty('recommendation', {
      name: 'Rack 7',
      places: 40,
      cost: 'high',
      durationMin: 4,
    });
  });

  it('is read from a table, a block of YAML and an object below the text', () => {
    expect(caseOf(paste('| Name | Rack 7 |', '|---|---|', '| Stands | 40 |')).case).toHaveProperty(
      'recommendation.places',
      40,
    );
    expect(caseOf(paste('Recommendation:', '  name: Rack 7', '  locks: [chain]')).case).toHaveProperty(
      'recommendation.locks',
      ['chain'],
    );
    expect(caseOf(paste('Rack:', '  exit: north', '  staffed: Mon 08:00-12:00')).case).toHaveProperty(
      'rack',
      {
        exit: { description: 'north' },
        staffed: { monday: '08:00-12:00' },
      },
    );
    expect(caseOf(paste('{"rack": {"exit": "north"}, "season": "winter"}')).case).toMatchObject({
      rack: { exit: { description: 'north' } },
      season: 'winter',
    });
  });

  it('is text within the words of a user', () => {
    const { unsure } = caseOf('User: I need\nStands: at least 5\nSystem: Here.');
    expect(unsure?.withIt).toEqual({
      conversation: [{ role: 'user', text: 'I need\nStands: at least 5' }],
      response: 'Here.',
    });
  });

  it.each([
    ['a bare number where there are units', 'Fee: 2', 'fee "2" has no unit: read as €/day'],
    [
      'what cannot be read',
      'Stands: many',
      'left out: Stands "many", not understood; write one number, such as “Places: 5”',
    ],
    [
      'another unit',
      'Fee: 2 €/week',
      'left out: Fee "2 €/week", not understood; write one number, such as “Fee: 5 €/day”',
    ],
    ['a second value', 'Stands: 4\nStellplätze: 5', 'not used: a second Stellplätze "5" (the first counts)'],
  ])('tells %s', (_, lines, assumption) => {
    expect(caseOf(paste(lines)).assumed).toContain(assumption);
  });
});

describe('a declared field in JSON', () => {
  const whole = {
    conversation: [{ role: 'user', text: 'a rack?' }],
    response: 'This one.',
    recommendation: { name: 'Rack 7', places: 40, locks: [] },
    rack: { exit: { description: 'north' } },
    season: 'winter',
  };

  it('is part of a case, which is read back as it is printed', () => {
    expect(caseOf(JSON.stringify(whole))).toMatchObject({
      case: whole,
      assumed: [
        'Missing: date, time, so opening hours are not judged; add "Date: 2026-03-02" and "Time: 20:35"',
      ],
    });
  });

  it.each([
    [
      'an unknown key',
      { recommendation: { place: 40 } },
      'unknown key "recommendation.place" (did you mean "places"?)',
    ],
    ['an unknown key of a declared object', { rack: { exits: 1 } }, '"rack.exits" (did you mean "exit"?)'],
    ['an unknown key of the case', { seasons: 'x' }, 'unknown key "seasons" (did you mean "season"?)'],
    [
      'another type',
      { recommendation: { places: '40' } },
      '"recommendation.places" must be a number, found the text "40"',
    ],
  ])('is an error for %s', (_, part, problem) => {
    const [parsed] = items(JSON.stringify({ ...whole, ...part }));
    expect(parsed).toHaveProperty('problem', expect.stringContaining(problem));
  });

  it('is found under any of its labels in objects of another shape', () => {
    const { case: read } = caseOf(
      '{"query": "a rack?", "answer": "This one.", "venue": {"title": "Rack 7", "stands": 40, "price": "2 €/day"}, "saison": "winter"}',
    );
    expect(read).toMatchObject({ recommendation: { name: 'Rack 7', places: 40, fee: 2 }, season: 'winter' });
  });

  it('is unknown where it is not declared', () => {
    const [parsed] = parseInput(JSON.stringify(whole), { maxCaseChars: LIMIT, format: contractFormat });
    expect(parsed).toHaveProperty('problem', expect.stringContaining('unknown key "season"'));
  });
});

describe('the built-in fields', () => {
  const built = loadCaseFormat([builtIn]);

  it.each([
    ['Kraftstoffe: Diesel, Super', 'recommendation.fuels', ['Diesel', 'Super']],
    ['Preis: 1,759 €/l', 'recommendation.pricePerLiter', 1.759],
    ['Price: €0.59/kWh', 'recommendation.pricePerKwh', 0.59],
    ['Price: 45 ct/kWh', 'recommendation.pricePerKwh', 0.45],
    ['Price: 39 cents per kWh', 'recommendation.pricePerKwh', 0.39],
    ['Preis: 172,9 Cent pro Liter', 'recommendation.pricePerLiter', 1.729],
    ['Stecker: CCS', 'recommendation.plugs', ['CCS']],
    ['Ladeleistung: 150kW', 'recommendation.powerKw', 150],
    ['Restreichweite: 48 km', 'context.rangeKm', 48],
    ['Price: high', 'recommendation.cost', 'high'],
    ['Price: 25 €', 'recommendation.cost', '25 €'],
  ])('read %s', (line, path, value) => {
    const [parsed] = parseInput(paste('Name: X', line), { maxCaseChars: LIMIT, format: built });
    expect(parsed).toHaveProperty(`case.${path}`, value);
  });

  it.each(['Station', 'Charging station', 'Tankstelle', 'Ladesäule'])(
    'stand beside a name after %s',
    (label) => {
      const [parsed] = parseInput(paste(`${label}: Nordring`, 'Plugs: CCS'), {
        maxCaseChars: LIMIT,
        format: built,
      });
      expect(parsed).toHaveProperty('case.recommendation', { name: 'Nordring', plugs: ['CCS'] });
    },
  );
});
