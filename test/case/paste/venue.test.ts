import { describe, expect, it } from 'vitest';
import { type EvalCase, weekdays } from '../../../src/case/case.ts';
import { caseOf, pasteWith, problemOf } from './parse.ts';

const venueOf = (...lines: string[]) => caseOf(pasteWith('Name: Chez Luc', ...lines)).case.recommendation;
const assumedOf = (...lines: string[]) =>
  caseOf(pasteWith('Name: Chez Luc', 'Date: 2024-03-04', 'Time: 20:35', 'Recommendation:', ...lines)).assumed;
const everyDay = (spans: string) => Object.fromEntries(weekdays.map((day) => [day, spans]));
const FULL: EvalCase['recommendation'] = {
  name: 'Chez Luc',
  cuisine: 'French',
  cost: 'high',
  rating: 4.6,
  menu: ['soup', 'steak'],
  distanceKm: 1.2,
  durationMin: 6,
  openingHours: { monday: '12:00-20:00', sunday: 'closed' },
  location: { description: 'Kastanienallee 12' },
};
const PAIR = 'User: a\nSystem: b';

describe('a whole venue after the response', () => {
  it.each([
    [
      'as lines',
      `Name: Chez Luc\nCuisine: French\nCost: high\nRating: 4.6\nMenu: soup, steak\nDistance: 1.2 km\nDuration: 6 min
Opening hours:\nMonday: 12:00-20:00\nSunday: closed\nLocation: Kastanienallee 12`,
    ],
    [
      'as lines in German',
      `Restaurant: Chez Luc\nKüche: French\nPreis: high\nBewertung: 4,6\nSpeisekarte: soup, steak\nEntfernung: 1,2 km\nFahrzeit: 6 Minuten
Öffnungszeiten:\nMo: 12–20 Uhr\nSo: geschlossen\nAdresse: Kastanienallee 12`,
    ],
    [
      'under a header',
      `Restaurant recommendation from the system\n- Name: Chez Luc\n- Location: Kastanienallee 12\n- Cuisine type: French\n- Price level: high\n- Rating: 4.6/5
- Menu:\n  - soup\n  - steak\n- Distance: 1.2 km\n- Drive time: 6 min\n- Opening hours:\n  - Monday: 12:00 - 20:00\n  - Sunday: closed`,
    ],
    [
      'as YAML',
      `recommendation:\n  name: "Chez Luc"\n  location:\n    description: Kastanienallee 12\n  cuisine: French\n  cost: high\n  rating: 4.6
  menu: [soup, steak]\n  distance_km: 1.2\n  duration_min: 6\n  opening_hours:\n    monday: "12:00-20:00"\n    sunday: closed`,
    ],
    [
      'as JSON',
      JSON.stringify({
        name: 'Chez Luc',
        cuisine_type: 'French',
        cost: 'high',
        rating: 4.6,
        menu: ['soup', 'steak'],
        distance_km: 1.2,
        duration_min: 6,
        opening_hours: { Mon: ['12:00-20:00'], sunday: 'closed' },
        address: 'Kastanienallee 12',
      }),
    ],
    ['as JSON after a label', `Recommendation: ${JSON.stringify(FULL, null, 2)}`],
    ['as JSON within a case', JSON.stringify({ recommendation: FULL })],
    ['as JSON in a code fence', `\`\`\`json\n${JSON.stringify(FULL, null, 2)}\n\`\`\``],
    [
      'with emphasis',
      `*Name:* Chez Luc\n*Cuisine:* French\n*Cost:* high\n*Rating:* 4.6\n*Menu:* soup, steak\n*Distance:* 1.2 km\n*Duration:* 6 min
*Opening hours:*\n*Monday:* 12:00-20:00\n*Sunday:* closed\n*Location:* Kastanienallee 12`,
    ],
  ])('is read %s', (_, block) => {
    const parsed = caseOf(`${PAIR}\n${block}`);
    expect(parsed.case.response).toBe('b');
    expect(parsed.case.recommendation).toEqual(FULL);
    expect(parsed.case.context).toBeUndefined();
    expect(parsed.assumed).toEqual(
      expect.arrayContaining([
        'Missing: date, time, so opening hours are not judged; add "Date: 2026-03-02" and "Time: 20:35"',
      ]),
    );
  });
});

describe('whose a location is', () => {
  it('is decided by blocks', () => {
    const parsed = caseOf(
      'User Block\nUtterance: a\nLocation: Mitte\nTime: 20:35\n\nSystem Block\nResponse: b\nLocation: Torstr. 1\nName: Chez Luc',
    );
    expect(parsed.case.context).toEqual({ time: '20:35', location: { description: 'Mitte' } });
    expect(parsed.case.recommendation).toEqual({ name: 'Chez Luc', location: { description: 'Torstr. 1' } });
  });

  it('is the venue’s in front of its name', () => {
    expect(caseOf(`${PAIR}\nLocation: Torstr. 1\nName: Chez Luc`).case.recommendation?.location).toEqual({
      description: 'Torstr. 1',
    });
  });

  it('is the user’s in a context section', () => {
    const parsed = caseOf(
      `${PAIR}\nRecommendation:\nName: Chez Luc\n\nUser context:\nLocation: Mitte\nDate: 2024-03-04`,
    );
    expect(parsed.case.context).toEqual({ date: '2024-03-04', location: { description: 'Mitte' } });
  });
});

describe('opening hours', () => {
  it.each([
    ['Monday: 12:00-20:00', { monday: '12:00-20:00' }],
    ['Mo–Mi 12–22 Uhr', { monday: '12:00-22:00', tuesday: '12:00-22:00', wednesday: '12:00-22:00' }],
    ['Mo, Di und Fr: 12-22 Uhr', { monday: '12:00-22:00', tuesday: '12:00-22:00', friday: '12:00-22:00' }],
    ['Mon-Sun: 24h', everyDay('00:00-24:00')],
    ['24/7', everyDay('00:00-24:00')],
    ['daily 10:00-22:00', everyDay('10:00-22:00')],
    ['täglich von 10 bis 22 Uhr', everyDay('10:00-22:00')],
    ['Mon: 11am–9:30pm', { monday: '11:00-21:30' }],
    ['Tuesday 12:00-14:30, 18:00-01:00', { tuesday: '12:00-14:30, 18:00-01:00' }],
    ['Tuesday 12:00-14:30 and 18:00-01:00', { tuesday: '12:00-14:30, 18:00-01:00' }],
    ['Sa 18-1; So geschlossen', { saturday: '18:00-01:00', sunday: 'closed' }],
    ['Fri-Sun 18:00-00:00', { friday: '18:00-24:00', saturday: '18:00-24:00', sunday: '18:00-24:00' }],
    ['Sat noon - midnight', { saturday: '12:00-24:00' }],
    ['weekend 9.30-17.00', { saturday: '09:30-17:00', sunday: '09:30-17:00' }],
    ['Mon closed', { monday: 'closed' }],
    ['Montag Ruhetag', { monday: 'closed' }],
  ])('are read from %s', (text, hours) => {
    expect(venueOf(`Opening hours: ${text}`)?.openingHours).toEqual(hours);
  });

  it('are read from lines, with or without a header', () => {
    const hours = { monday: '12:00-20:00', tuesday: 'closed' };
    expect(venueOf('Opening hours', 'Monday: 12:00-20:00', 'Tuesday: closed')?.openingHours).toEqual(hours);
    expect(venueOf('Monday: 12:00-20:00', 'Tuesday: closed')?.openingHours).toEqual(hours);
  });

  it.each([
    ['5-10pm', 'opening hours "5-10pm" read as 17:00-22:00'],
    ['11-9:30pm', 'opening hours "11-9:30pm" read as 11:00-21:30'],
    ['12-8', 'opening hours "12-8" read on the 24-hour clock as 12:00-08:00'],
    ['12:00-20:00', 'opening hours "12:00-20:00" name no day: read as every day'],
    [
      'ask at the bar',
      'left out: Opening hours "ask at the bar", not understood; write it as “Opening hours: daily 12:00-22:00”',
    ],
    [
      'Monday 12:00-25:00',
      'left out: Opening hours "Monday 12:00-25:00", not understood; write it as “Opening hours: daily 12:00-22:00”',
    ],
    [
      'Monday until 20:00',
      'left out: Opening hours "Monday until 20:00", not understood; write it as “Opening hours: daily 12:00-22:00”',
    ],
  ])('that could mean something else are noted: %s', (text, said) => {
    expect(assumedOf(`Opening hours: ${text}`)).toContain(said);
  });
});

describe('cost, rating, distance, duration', () => {
  it.each([
    ['Cost: €', 'low'],
    ['Price: €€', 'medium'],
    ['Price level: $$$', 'high'],
    ['Preis: €€€€', 'high'],
  ])('symbols mean a level, and that is said: %s', (line, cost) => {
    expect(venueOf(line)?.cost).toBe(cost);
    expect(assumedOf(line)).toEqual([expect.stringMatching(/^cost .* read as /)]);
  });

  it('words stay as they stand', () => {
    expect(venueOf('Cost: quite fancy')?.cost).toBe('quite fancy');
    expect(assumedOf('Cost: quite fancy')).toEqual([]);
  });

  it.each([
    ['Rating: 4.6', 4.6],
    ['Rating: 4,6', 4.6],
    ['Rating: 4.6/5', 4.6],
    ['Rating: 4.6 out of 5', 4.6],
    ['Rating: 4.6 stars', 4.6],
    ['Rating: ⭐ 4.6', 4.6],
    ['Bewertung: 4,6 Sterne', 4.6],
    ['Rating: 9.2/10', 9.2],
    ['Rating: 4.5/10', undefined],
    ['Rating: 4.5 out of 10', undefined],
    ['Rating: great', undefined],
    ['Rating: 92', undefined],
  ])('%s', (line, rating) => {
    expect(venueOf(line)?.rating).toBe(rating);
  });

  it('a rating out of ten is noted', () => {
    expect(assumedOf('Rating: 9.2/10')).toEqual(['rating 9.2 is out of 10: kept as it stands']);
  });

  it.each([
    ['Distance: 1.2 km', 1.2, []],
    ['Entfernung: 1,2 km', 1.2, []],
    ['Distance: 800 m', 0.8, []],
    ['Distance (km): 1.2', 1.2, []],
    ['distance_m: 800', 0.8, []],
    ['Distance: 0.5 miles', 0.805, ['distance 0.5 miles read as 0.805 km']],
    ['Distance: 1,200 m', 1.2, ['distance 1,200 m read as 1.2 km']],
    ['Distance: 1.2', 1.2, ['distance "1.2" has no unit: read as km']],
    ['Distance: ~2 km', 2, ['the distance is approximate: read as 2 km']],
  ])('%s', (line, distanceKm, said) => {
    expect(venueOf(line)?.distanceKm).toBe(distanceKm);
    expect(assumedOf(line)).toEqual(said);
  });

  it.each([
    ['Duration: 6 min', 6],
    ['Drive: 1 h 5 min', 65],
    ['Drive time: 1:05 h', 65],
    ['Fahrzeit: 6 Minuten', 6],
    ['Duration: 90 s', 1.5],
    ['Duration (min): 6', 6],
  ])('%s', (line, durationMin) => {
    expect(venueOf(line)?.durationMin).toBe(durationMin);
  });

  it.each([
    'Duration: 10-15 min',
    'Fahrzeit: 10 bis 15 Minuten',
    'Duration: 00:12',
    'ETA: 18:45',
    'Duration: 12 min walk',
    'Dauer: 12 Minuten Fußweg',
    'Rating: 4-5',
    'Distance: 3 - 4 km',
  ])('of two numbers, a time of day or another way is left out, and that is said: %s', (line) => {
    expect(venueOf(line)).toEqual({ name: 'Chez Luc' });
    expect(assumedOf(line)[0]).toMatch(/^left out: .*, not understood/);
  });
});

describe('a structured block', () => {
  it('inside the response is taken out of it', () => {
    const parsed = caseOf(
      'User: a\nSystem: How about this?\nName: Chez Luc\nRating: 4.6\nShall I start navigation?',
    );
    expect(parsed.case.response).toBe('How about this?');
    expect(parsed.unsure?.text).toBe('Shall I start navigation?');
    expect(parsed.case.recommendation).toEqual({ name: 'Chez Luc', rating: 4.6 });
  });

  it('that is all of the response is the response', () => {
    const parsed = caseOf('User: a\nSystem:\nName: Chez Luc\nRating: 4.6');
    expect(parsed.case.response).toBe('Name: Chez Luc\nRating: 4.6');
    expect(parsed.case.recommendation).toEqual({ name: 'Chez Luc', rating: 4.6 });
    expect(parsed.assumed[0]).toContain('its text was read as the response');
  });

  it('of a second venue is refused with both values', () => {
    const { problem } = problemOf(pasteWith('Name: Chez Luc', 'Name: Chez Paul'));
    expect(problem).toContain('Name stands there twice, "Chez Luc" and "Chez Paul"');
  });
});

describe('what an answer says about a place', () => {
  it.each([
    'How about Sushi Bar Zen? It is rated 4.7.',
    'I found a cheap Thai place called Thai Palace, 6 min away.',
    'Ich empfehle das Restaurant Zum Goldenen Hirsch, 800 m entfernt, Bewertung 4,5.',
  ])('is no fact about it: %s', (response) => {
    expect(caseOf(`User: a\nSystem: ${response}`)).toEqual({
      case: { conversation: [{ role: 'user', text: 'a' }], response },
      assumed: [],
    });
  });
});
