import { describe, expect, it } from 'vitest';
import { aRequest, findingsOn } from './stations.ts';
import { aCase, aQuestion, ask, findingOn, type VenueChanges } from './world.ts';

/** The decision on one criterion of a request for a station or a function of the car. */
async function decisionOn(rubric: string, criterion: string, text: string, changes: object) {
  const findings = await findingsOn(rubric, aRequest(rubric, text, changes));
  return findings.find(({ id }) => id === criterion)?.decision;
}

/** The criteria that fail. */
const failures = async (rubric: string, text: string, changes: object): Promise<string[]> =>
  (await findingsOn(rubric, aRequest(rubric, text, changes)))
    .filter(({ decision }) => decision === 'fail')
    .map(({ id }) => id);

describe('a bound of the drive that the driver names takes the place of the usual one', () => {
  it.each(['max 30 minutes', 'within 30 minutes', 'höchstens 30 Minuten', 'up to half an hour'])(
    'pizza, %s',
    async (words) => {
      const near = await findingOn('location', aCase(`pizza, ${words}`, { durationMin: 26 }));
      expect(near.decision).toBe('pass');
      expect(near.rationale).toMatch(/30/);
      const far = await findingOn('location', aCase(`pizza, ${words}`, { durationMin: 31 }));
      expect(far.decision).toBe('fail');
      expect(far.rationale).toContain(words);
    },
  );

  it.each([
    'within 5 minutes',
    'five minutes away',
    'fünf Minuten entfernt',
    'a five minute drive',
    'that is five minutes away',
  ])('pizza, %s', async (words) => {
    const decisions = await Promise.all(
      [4, 12].map(
        async (durationMin) =>
          (await findingOn('location', aCase(`pizza, ${words}`, { durationMin }))).decision,
      ),
    );
    expect(decisions).toEqual(['pass', 'fail']);
  });
});

describe('a place or a route that the driver names takes the usual bound away', () => {
  it.each([
    'in Augsburg',
    'in augsburg',
    'near the airport',
    'along my route',
    'on my way home',
    'auf dem Weg nach Hamburg',
    'in der Nähe vom Flughafen',
    'next to my office',
    'at Lake Starnberg',
    'downtown',
    'am Chiemsee',
    'Nähe Marienplatz',
  ])('a pizza place %s', async (words) => {
    for (const durationMin of [12, 26]) {
      const finding = await findingOn('location', aCase(`a pizza place ${words}`, { durationMin }));
      expect(finding).toMatchObject({ decision: 'unscored' });
    }
  });

  it('but a bound that is named beside it counts', async () => {
    const text = 'a pizza place near the airport, at most 20 minutes';
    expect((await findingOn('location', aCase(text, { durationMin: 18 }))).decision).toBe('pass');
    expect((await findingOn('location', aCase(text, { durationMin: 22 }))).decision).toBe('fail');
  });
});

describe('stars mean at least so many', () => {
  it.each<[string, VenueChanges, string]>([
    ['a 4 star pizza place', { rating: 4.4 }, 'pass'],
    ['a 4 star pizza place', { rating: 3.9 }, 'fail'],
    ['Pizza, 4,5 Sterne', { rating: 4.6 }, 'pass'],
    ['Pizza, 4,5 Sterne', { rating: 4.4 }, 'fail'],
    ['pizza rated 4 stars', { rating: 4.4 }, 'pass'],
    ['Pizza, mit 4 Sternen bewertet', { rating: 4.4 }, 'pass'],
    ['pizza, exactly 4 stars', { rating: 4.4 }, 'fail'],
    ['pizza rated exactly 4 stars', { rating: 4.4 }, 'fail'],
    ['Pizza, genau 4 Sterne', { rating: 4.4 }, 'fail'],
    ['pizza, max 4 stars', { rating: 4.4 }, 'fail'],
    ['pizza, 4 stars max', { rating: 3.8 }, 'pass'],
    ['pizza rated 4.5', { rating: 4.7 }, 'fail'],
  ])('%s, %j: %s', async (text, venue, decision) => {
    expect((await findingOn('rating', aCase(text, venue))).decision).toBe(decision);
  });
});

describe('what is to be changed by some amount is not what is to be reached', () => {
  it.each<[string, object]>([
    ['Make it 2 degrees warmer', { device: ['temperature'], operation: ['raise'], value: 23 }],
    ['stell 3 Grad kälter', { device: ['Temperatur'], operation: ['lower'], value: 19 }],
    ['Turn the temperature up 2 degrees', { device: ['temperature'], operation: ['raise'], value: 23 }],
    ['Temperatur um 2 Grad erhöhen', { device: ['Temperatur'], operation: ['raise'], value: 23 }],
    ['Lower the volume 10 percent', { device: ['volume'], operation: ['lower'], value: 30 }],
    ['two degrees less, please', { device: ['temperature'], operation: ['lower'], value: 19 }],
  ])('%s %j', async (text, action) => {
    expect(await decisionOn('car-function', 'value', text, action)).toBe('unscored');
    expect(await failures('car-function', text, action)).toEqual([]);
  });
});

describe('numbers as people write them', () => {
  it.each<[string, string, VenueChanges, string]>([
    ['rating', 'pizza, at least 4 1/2 stars', { rating: 4.4 }, 'fail'],
    ['rating', 'pizza, at least 4½ stars', { rating: 4.5 }, 'pass'],
    ['location', 'pizza within 1,000 meters', { distanceKm: 0.9 }, 'pass'],
    ['location', 'Pizza, höchstens 1.500 Meter', { distanceKm: 1.6 }, 'fail'],
    // The parking, or the place?
    ['location', 'pizza with parking within 1,500 meters', { distanceKm: 1.4 }, 'unscored'],
    ['location', 'pizza within 1.500 km', { distanceKm: 1.4 }, 'unscored'],
    ['location', 'pizza within 1/2 mile', { distanceKm: 0.9 }, 'fail'],
    ['location', 'pizza within half a mile', { distanceKm: 0.8 }, 'pass'],
    ['location', 'pizza within one and a half hours', { durationMin: 80 }, 'pass'],
    ['location', 'Pizza, höchstens anderthalb Stunden', { durationMin: 95 }, 'fail'],
    ['location', 'pizza within an hour and a half', { durationMin: 95 }, 'fail'],
  ])('%s: %s, %j: %s', async (criterion, text, venue, decision) => {
    expect((await findingOn(criterion, aCase(text, venue))).decision).toBe(decision);
  });
});

describe('what is said of a request', () => {
  const said = async (criterion: string, text: string, venue: VenueChanges = {}) =>
    (await findingOn(criterion, aCase(text, venue))).rationale;

  it('does not blame a word that says nothing', async () => {
    expect(await said('cost', 'ein Restaurant, billiger als gestern')).toContain('"als gestern" may change');
    expect(await said('cost', 'a cheaper restaurant than yesterday')).toContain(
      '"than yesterday" may change',
    );
  });

  it('is not cut within words', async () => {
    expect(await said('location', "pizza within an hour's drive", { durationMin: 70 })).toContain(
      '("within an hour\'s drive")',
    );
    expect(
      await said('location', 'pizza near the wonderful old Frauenkirche of Zwiebelturmhausen', {
        durationMin: 70,
      }),
    ).not.toMatch(/\p{L}…/u);
  });

  it('is plain about a bound that is just met', async () => {
    expect(await said('rating', 'pizza rated above 4.5', { rating: 4.5 })).toContain(
      'the rating is 4.5, not above 4.5',
    );
    expect(await said('rating', 'pizza, at least 4.5 stars', { rating: 4.5 })).toContain('is 4.5, as asked');
  });

  it('names wishes that no criterion is about', async () => {
    const wanting = async (text: string) => (await ask(aQuestion(aCase(text)))).caveat;
    expect(await wanting('a quiet pizza place with parking and a terrace')).toBe(
      'Not checked: "quiet", "terrace" and "parking" – no criterion is about them',
    );
    for (const word of ['good', 'traditional', 'small', 'overlooking'])
      expect(await wanting(`a ${word} pizza place`)).toBe(
        `Not checked: "${word}" – no criterion is about it`,
      );
    expect(await wanting('an Italian restaurant with spicy food')).toContain('"spicy food"');
    expect(await wanting('a pizza place with a view over the river')).toContain('"view over"');
    expect(await wanting('a pizza place near the hotel')).toBeUndefined();
    expect(await wanting('Italienisch, mit Platz für 8 Personen')).toContain('"8 Personen"');
    expect(await wanting('pizza, a table for six')).toContain('"table for six"');
  });
});

describe('what did not work', () => {
  it.each(['driver (failed)', 'driver: error', 'Fahrer (fehlgeschlagen)'])(
    'target %s does not count',
    async (target) => {
      const action = { device: ['window'], operation: ['open'], target: [target], result: 'error' };
      expect(await decisionOn('car-function', 'target', 'Open the driver window', action)).toBe('unscored');
    },
  );
});

describe('what the driver refuses beside what is wanted', () => {
  it.each<[string, string, object]>([
    [
      'car-function',
      "don't open the window, just turn on the AC",
      { device: ['air conditioning'], operation: ['turn on'] },
    ],
    [
      'car-function',
      'Nicht das Fenster öffnen, nur die Klimaanlage einschalten',
      { device: ['Klimaanlage'], operation: ['einschalten'] },
    ],
  ])('%s: %s', async (rubric, text, changes) => {
    expect(await failures(rubric, text, changes)).toEqual([]);
  });
});

describe('plain requests are decided', () => {
  it.each<[string, string, string, object, string]>([
    [
      'car-function',
      'value',
      'set volume to 20',
      { device: ['volume'], operation: ['set'], value: 20 },
      'pass',
    ],
    [
      'car-function',
      'value',
      'set volume to 20',
      { device: ['volume'], operation: ['set'], value: 25 },
      'fail',
    ],
    ['car-function', 'value', 'fan speed 3', { device: ['fan'], operation: ['set'], value: 3 }, 'pass'],
    ['car-function', 'value', 'fan speed 3', { device: ['fan'], operation: ['set'], value: 4 }, 'fail'],
    ['car-function', 'value', 'temperature to 21.5', { device: ['temperature'], value: 21.5 }, 'pass'],
    ['car-function', 'function', 'temperature to 21.5', { device: ['temperature'], value: 21.5 }, 'pass'],
    ['car-function', 'value', 'mach die Heizung auf 22 Grad', { device: ['heating'], value: 22 }, 'pass'],
    [
      'car-function',
      'operation',
      'mach die Heizung auf 22 Grad',
      { device: ['heating'], operation: ['set'] },
      'pass',
    ],
    ['car-function', 'operation', 'Fenster zu', { device: ['window'], operation: ['close'] }, 'pass'],
    ['car-function', 'operation', 'Fenster zu', { device: ['window'], operation: ['open'] }, 'fail'],
    ['car-function', 'target', 'Fahrerfenster auf', { device: ['window'], target: ['driver'] }, 'pass'],
    ['car-function', 'target', 'Fahrerfenster auf', { device: ['window'], target: ['passenger'] }, 'fail'],
    ['car-function', 'function', 'Fahrerfenster auf', { device: ['window'], target: ['driver'] }, 'pass'],
    ['car-function', 'operation', 'lock the doors', { device: ['doors'], operation: ['lock'] }, 'pass'],
    ['car-function', 'operation', 'lock the doors', { device: ['doors'], operation: ['unlock'] }, 'fail'],
    ['car-function', 'target', 'Open all windows', { device: ['window'], target: ['driver'] }, 'fail'],
    ['car-function', 'target', 'Open all windows', { device: ['window'], target: ['all'] }, 'pass'],
    ['fuel-station', 'price', 'diesel for less than 1.60', { pricePerLiter: 1.589 }, 'pass'],
    ['fuel-station', 'price', 'diesel for less than 1.60', { pricePerLiter: 1.609 }, 'fail'],
  ])('%s %s: %s, %j: %s', async (rubric, criterion, text, changes, decision) => {
    expect(await decisionOn(rubric, criterion, text, changes)).toBe(decision);
  });

  it('a number that is not a time leaves the opening hours alone', async () => {
    expect(await decisionOn('fuel-station', 'time', 'diesel, say 1.65', {})).toBe('pass');
    expect(await decisionOn('fuel-station', 'time', 'diesel, say 21.30', {})).toBe('unscored');
  });

  it.each<[string, string, string]>([
    ['anything but Italian', 'Greek', 'pass'],
    ['anything but Italian', 'Italian', 'fail'],
    ['Alles außer Italienisch', 'Greek', 'pass'],
    ['any cuisine but an Italian one', 'Italian', 'fail'],
    ['anything but Asian food', 'Thai', 'fail'],
    ['anything but Thai food', 'Asian', 'unscored'],
    ['anything but Italian', 'Frobby', 'unscored'],
    ['anything but Italian or Greek', 'Greek', 'unscored'],
    ['Anything but Italian would be a disappointment', 'Italian', 'unscored'],
    ['Alles außer Italienisch wäre eine Enttäuschung', 'Italian', 'unscored'],
    ["I don't want anything but Italian", 'Italian', 'unscored'],
    ['I never eat anything but Italian', 'Italian', 'unscored'],
    ['anything but Italian, not Greek either', 'Greek', 'unscored'],
  ])('%s, %s: %s', async (text, cuisine, decision) => {
    expect((await findingOn('cuisine', aCase(`${text}, a restaurant`, { cuisine }))).decision).toBe(decision);
  });

  it('anything but sushi: a refusal of a dish is left open', async () => {
    const on = async (cuisine: string) =>
      (await findingOn('cuisine', aCase('anything but sushi', { cuisine }))).decision;
    expect([await on('Sushi bar'), await on('Japanese'), await on('Greek')]).toEqual([
      'unscored',
      'unscored',
      'unscored',
    ]);
  });
});
