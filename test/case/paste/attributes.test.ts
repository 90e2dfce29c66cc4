import { describe, expect, it } from 'vitest';
import { caseOf, pasteWith, wholeOf } from './parse.ts';

const venueWith = (...lines: string[]) => caseOf(pasteWith('Name: Chez Luc', ...lines));

describe('labels that mean many things', () => {
  it('may be part of the response, and that is said', () => {
    const parsed = caseOf(pasteWith('Title: Yesterday', 'Score: 9'));
    expect(parsed.case).toEqual({ conversation: parsed.case.conversation, response: 'Done.' });
    expect(parsed.unsure?.text).toBe('Title: Yesterday\nScore: 9');
    expect(parsed.assumed).toEqual([
      'left out: text that may be part of the response, or a remark about it ("Title: Yesterday Score: 9")',
    ]);
  });

  it('are left out among the venue’s attributes, and that is said', () => {
    const parsed = caseOf(pasteWith('Name: Chez Luc', 'Cuisine: French', 'Score: 9'));
    expect(parsed.case.recommendation).toEqual({ name: 'Chez Luc', cuisine: 'French' });
    expect(parsed.unsure?.text).toBe('Score: 9');
  });
});

describe('opening hours of which a part cannot be read', () => {
  it.each([
    ['in one line', ['Opening hours: Mo-Fr 11:30-14:30, 18-23 Uhr; Sa ab 18 Uhr; So Ruhetag']],
    ['parted by commas', ['Opening hours: Mo-Fr 11:30-14:30, 18-23 Uhr, Sa ab 18 Uhr, So Ruhetag']],
    ['in lines', ['Opening hours:', 'Mo-Fr 11:30-14:30, 18-23 Uhr', 'Sa ab 18 Uhr', 'So Ruhetag']],
    ['with an exception', ['Opening hours: Mon-Fri 12:00-20:00; except Wednesday']],
  ])('are left out, and that is said: %s', (_, lines) => {
    const parsed = venueWith(...lines);
    expect(parsed.case.response).toBe('Done.');
    expect(parsed.case.recommendation).toEqual({ name: 'Chez Luc' });
    expect(parsed.assumed.join()).toMatch(/left out: Opening hours ".*", not understood; write it as “/);
  });
});

describe('assumptions quote what was written', () => {
  it.each([
    ['Opening hours: Mon 11–9:30 pm', 'opening hours "11–9:30 pm" read as 11:00-21:30'],
    ['Opening hours: 12–8pm', 'opening hours "12–8pm" name no day: read as every day'],
    ['Time: 8.35', 'time "8.35" has neither am nor pm: read on the 24-hour clock as 08:35'],
  ])('%s', (line, said) => {
    expect(venueWith(line).assumed).toContain(said);
  });
});

describe('a price level', () => {
  it.each([
    ['price_level: 1', 'low'],
    ['Price level: 2', 'medium'],
    ['priceLevel: 3', 'high'],
    ['price_level: 4', 'high'],
    ['priceLevel: PRICE_LEVEL_MODERATE', 'medium'],
  ])('as Google gives it is read, and that is said: %s', (line, cost) => {
    expect(venueWith(line).case.recommendation?.cost).toBe(cost);
    expect(venueWith(line).assumed.join()).toContain(`read as ${cost} (Google's scale, 1 to 4)`);
  });

  it('is not made out of a cost in figures', () => {
    expect(venueWith('Cost: 2').case.recommendation?.cost).toBe('2');
  });
});

describe('the place of a venue', () => {
  it.each([
    [
      ['Address: Torstr. 1, 10115 Berlin (52.53, 13.41)'],
      { description: 'Torstr. 1, 10115 Berlin', latitude: 52.53, longitude: 13.41 },
    ],
    [
      ['Address: Torstr. 1', 'Location: 52.53, 13.41'],
      { description: 'Torstr. 1', latitude: 52.53, longitude: 13.41 },
    ],
    [
      ['Location: 52.53, 13.41', 'Address: Torstr. 1'],
      { description: 'Torstr. 1', latitude: 52.53, longitude: 13.41 },
    ],
  ])('comes from its address and its coordinates: %j', (lines, location) => {
    const parsed = venueWith(...lines);
    expect(parsed.case.recommendation?.location).toEqual(location);
    expect(parsed.case.context).toBeUndefined();
  });

  it('in other words or coordinates is not used, and that is said', () => {
    const parsed = venueWith('Address: Torstr. 1 (52.5, 13.4)', 'Location: Mitte (52.54, 13.42)');
    expect(parsed.case.recommendation?.location).toEqual({
      description: 'Torstr. 1',
      latitude: 52.54,
      longitude: 13.42,
    });
    expect(parsed.assumed).toContain('not used: the venue\'s place "Mitte" ("Torstr. 1" counts)');
    expect(parsed.assumed).toContain('not used: other coordinates of the venue (52.5, 13.4)');
  });
});

describe('YAML with a nested context', () => {
  it('keeps the location in words and in degrees', () => {
    const parsed = caseOf(
      'user: a\nresponse: b\ncontext:\n  date: 2024-03-04\n  time: "20:35"\n  location:\n    latitude: 52.53\n    longitude: 13.41\n    description: Mitte\nrecommendation:\n  name: Chez Luc\n  location:\n    name: Torstr. 1',
    );
    expect(parsed.case.context).toEqual({
      date: '2024-03-04',
      time: '20:35',
      location: { latitude: 52.53, longitude: 13.41, description: 'Mitte' },
    });
    expect(parsed.case.recommendation).toEqual({ name: 'Chez Luc', location: { description: 'Torstr. 1' } });
    expect(parsed.assumed).toEqual([]);
  });
});

describe('a table', () => {
  const venue = { name: 'Chez Luc', cuisine: 'French', rating: 4.6 };
  const pair = 'User: a\nSystem: Try Chez Luc.';

  it.each([
    ['of one venue', '| Name | Cuisine | Rating |\n|---|---|---|\n| **Chez Luc** | French | 4.6 |'],
    ['without outer bars', 'Name | Cuisine | Rating\n--- | :-: | ---\nChez Luc | French | 4.6'],
    [
      'as a terminal draws it',
      '+------+---------+\n| Name | Cuisine | Rating |\n+------+---------+\n| Chez Luc | French | 4.6 |\n+------+',
    ],
    [
      'of keys and values',
      '| Key | Value |\n|---|---|\n| Name | Chez Luc |\n| Cuisine | French |\n| Rating | 4.6 |',
    ],
    [
      'of keys and values without a head',
      '| Name | Chez Luc |\n|---|---|\n| Cuisine | French |\n| Rating | 4.6 |',
    ],
  ])('%s is read', (_, table) => {
    const parsed = caseOf(`${pair}\n\n${table}`);
    expect(parsed.case.recommendation).toEqual(venue);
    expect(parsed.case.response).toBe('Try Chez Luc.');
  });

  it('has a bar in a cell where that is escaped', () => {
    const parsed = caseOf(
      `${pair}\n\n| Name | Cuisine | Rating |\n|---|---|---|\n| Bar \\| Grill | French | 4.6 |`,
    );
    expect(parsed.case.recommendation).toEqual({ ...venue, name: 'Bar | Grill' });
  });

  const several = '| Name | Rating | Phone |\n|---|---|---|\n| Mario | 4.1 | 1 |\n| Chez Luc | 4.6 | 2 |';

  it('of several venues is left out, and how to give the recommended one is said', () => {
    const parsed = caseOf(`${pair}\n\n${several}`);
    expect(parsed.case).toEqual({ conversation: [{ role: 'user', text: 'a' }], response: 'Try Chez Luc.' });
    expect(parsed.assumed).toEqual([
      'left out: a table of several places; write the recommended one as “Name: Chez Luc”',
    ]);
  });

  it('of keys and values may hold a whole case', () => {
    const parsed = caseOf('| User | a |\n|---|---|\n| System | b |\n| Date | 2024-03-04 |');
    expect(parsed.case).toEqual({
      conversation: [{ role: 'user', text: 'a' }],
      response: 'b',
      context: { date: '2024-03-04' },
    });
  });

  it('of other things, or in what the user said, is text', () => {
    const other = '| Song | Length |\n|---|---|\n| Yesterday | 2:05 |';
    expect(wholeOf(caseOf(`User: a\nSystem: b\n${other}`))).toBe(`b\n${other}`);
    const asked = caseOf(`User: Compare these.\n${several}\nSystem: b`);
    expect(asked.unsure?.withIt.conversation[0]?.text).toBe(`Compare these.\n${several}`);
  });
});

describe('hours after lines of date and time', () => {
  it.each([
    ['Monday: 12:00-22:00', '12:00-22:00'],
    ['Mon 12:00 - 22:00', '12:00 - 22:00'],
  ])('%s are those of the place, with no name of it before', (line, hours) => {
    const read = caseOf(pasteWith('Date: 2024-03-04', 'Time: 19:00', line, 'Cuisine: Italian'));
    expect(read.case.context).toEqual({ date: '2024-03-04', time: '19:00' });
    expect(read.case.recommendation?.openingHours?.monday?.replaceAll(' ', '')).toBe(
      hours.replaceAll(' ', ''),
    );
  });

  it('a weekday with one time of day is none of them', () => {
    const read = caseOf(pasteWith('Monday 19:00'));
    expect(read.case.recommendation).toBeUndefined();
    expect(read.unsure?.text).toBe('Monday 19:00');
  });
});
