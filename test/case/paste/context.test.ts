import { describe, expect, it } from 'vitest';
import { caseOf, pasteWith } from './parse.ts';

const contextOf = (...lines: string[]) => caseOf(pasteWith(...lines)).case.context;

describe('a date', () => {
  it.each([
    ['Date: 2024-03-04'],
    ['Datum: 04.03.2024'],
    ['Date: Mon, 04 Mar 2024'],
    ['Date: 4 March 2024'],
    ['Date: March 4, 2024'],
    ['Date: March 4th, 2024'],
    ['Datum: 4. März 2024'],
    ['Datum: Montag, 4. März 2024'],
    ['Day: 2024/03/04'],
    ['*Date:* 2024-03-04'],
    ['- Date: "2024-03-04"'],
  ])('is read from %s', (line) => {
    const parsed = caseOf(pasteWith(line));
    expect(parsed.case.context).toEqual({ date: '2024-03-04' });
    expect(parsed.assumed).toEqual([]);
  });

  it.each([
    ['Date: 25/04/2024', '2024-04-25'],
    ['Date: 04/25/2024', '2024-04-25'],
    ['Date: 04/04/2024', '2024-04-04'],
  ])('with slashes is read where only one reading is possible: %s', (line, date) => {
    expect(contextOf(line)).toEqual({ date });
  });

  it.each([
    [
      'Date: 03/04/2024',
      'left out: date "03/04/2024", which could be day/month or month/day; add "Date: 2026-03-02"',
    ],
    ['Date: 2024-02-30', 'left out: date "2024-02-30", not a day of the calendar; add "Date: 2026-03-02"'],
    ['Date: 4 March', 'left out: date "4 March", which has no year; add "Date: 2026-03-02"'],
    ['Date: tomorrow', 'left out: Date "tomorrow", not understood; add "Date: 2026-03-02"'],
  ])('that is not certain is left out, and that is said: %s', (line, said) => {
    const parsed = caseOf(pasteWith(line));
    expect(parsed.case.context).toBeUndefined();
    expect(parsed.assumed).toEqual([said]);
  });

  it('with two digits for the year is said', () => {
    const parsed = caseOf(pasteWith('Datum: 04.03.24'));
    expect(parsed.case.context?.date).toBe('2024-03-04');
    expect(parsed.assumed).toEqual(['date "04.03.24" read as 2024-03-04']);
  });

  it('given as a weekday alone stands for a day of that name, and that is said', () => {
    const parsed = caseOf(pasteWith('When: Monday 20:35'));
    expect(parsed.case.context).toEqual({ date: '2024-01-01', time: '20:35' });
    expect(parsed.assumed).toEqual(['only the weekday is given: judged as Monday, 2024-01-01']);
  });

  it('counts where a weekday contradicts it', () => {
    const parsed = caseOf(pasteWith('Date: Tue, 04 Mar 2024'));
    expect(parsed.case.context?.date).toBe('2024-03-04');
    expect(parsed.assumed).toEqual(['2024-03-04 is a Monday, not a Tuesday: the date counts']);
  });
});

describe('a time', () => {
  it.each([
    ['Time: 20:35'],
    ['Time: 20:35:10'],
    ['Time: 8:35 pm'],
    ['Time: 08:35 PM'],
    ['Time: 8.35 p.m.'],
    ['Uhrzeit: 20:35 Uhr'],
    ['Zeit: 20.35 Uhr'],
    ['Time: 20h35'],
  ])('is read from %s', (line) => {
    const parsed = caseOf(pasteWith(line));
    expect(parsed.case.context).toEqual({ time: '20:35' });
    expect(parsed.assumed).toEqual([]);
  });

  it.each([
    ['Time: 8pm', '20:00'],
    ['Time: 12 am', '00:00'],
    ['Time: 12 pm', '12:00'],
    ['Time: 20 Uhr', '20:00'],
    ['Time: noon', '12:00'],
  ])('is read from %s', (line, time) => {
    expect(contextOf(line)).toEqual({ time });
  });

  it('without am or pm in the morning hours is said', () => {
    expect(caseOf(pasteWith('Time: 8:35')).assumed).toEqual([
      'time "8:35" has neither am nor pm: read on the 24-hour clock as 08:35',
    ]);
  });

  it.each(['Time: 25:00', 'Time: evening', 'Time: 13 pm'])(
    'that is none is left out, and that is said: %s',
    (line) => {
      const parsed = caseOf(pasteWith(line));
      expect(parsed.case.context).toBeUndefined();
      expect(parsed.assumed[0]).toContain('add "Time: 20:35"');
    },
  );
});

describe('date and time together', () => {
  it.each([
    ['When: Mon, 04 Mar 2024 20:35'],
    ['When: 2024-03-04T20:35'],
    ['Date: 2024-03-04 20:35'],
    ['Datum/Uhrzeit: 04.03.2024, 20:35 Uhr'],
    ['Date: 2024-03-04, Time: 20:35'],
    ['Date: 2024-03-04 | Time: 8:35 pm'],
    ['Context: Date: 2024-03-04, Time: 20:35'],
  ])('are read from %s', (line) => {
    expect(contextOf(line)).toEqual({ date: '2024-03-04', time: '20:35' });
  });

  it('with a time zone say that it was left out', () => {
    expect(caseOf(pasteWith('When: 2024-03-04T20:35:00Z')).assumed[0]).toContain('the time zone');
  });
});

describe('a location', () => {
  it.each([
    ['Prenzlauer Berg, Berlin', { description: 'Prenzlauer Berg, Berlin' }],
    ['52.53, 13.41', { latitude: 52.53, longitude: 13.41 }],
    ['52.53N 13.41E', { latitude: 52.53, longitude: 13.41 }],
    ['33.92° S, 151.2° E', { latitude: -33.92, longitude: 151.2 }],
    [
      'Prenzlauer Berg, Berlin (52.53, 13.41)',
      { description: 'Prenzlauer Berg, Berlin', latitude: 52.53, longitude: 13.41 },
    ],
    ['52.53, 13.41 - Prenzlauer Berg', { description: 'Prenzlauer Berg', latitude: 52.53, longitude: 13.41 }],
    ['lat: 52.53, lon: 13.41', { latitude: 52.53, longitude: 13.41 }],
    ['52,53; 13,41', { latitude: 52.53, longitude: 13.41 }],
    ['{"lat": 52.53, "lng": 13.41}', { latitude: 52.53, longitude: 13.41 }],
    ['Torstr. 12, 10115 Berlin', { description: 'Torstr. 12, 10115 Berlin' }],
  ])('before the response is the user’s: %s', (text, location) => {
    const parsed = caseOf(`User: a\nLocation: ${text}\nSystem: b`);
    expect(parsed.case.context?.location).toEqual(location);
  });

  it('that is nowhere on Earth stays a description', () => {
    const parsed = caseOf('User: a\nLocation: 152.53, 13.41\nSystem: b');
    expect(parsed.case.context?.location).toEqual({ description: '152.53, 13.41' });
    expect(parsed.assumed).toHaveLength(1);
  });

  it('after the response is the user’s as well, and that is said', () => {
    const parsed = caseOf(pasteWith('Standort: Mitte'));
    expect(parsed.case.context?.location).toEqual({ description: 'Mitte' });
    expect(parsed.assumed).toEqual(['"Standort" after the response read as the user\'s location']);
  });
});

describe('latency and language', () => {
  it.each([
    ['Latency: 1.8 s', 1800],
    ['Latency: 1800 ms', 1800],
    ['Latenz: 1,8 s', 1800],
    ['Latency (ms): 1800', 1800],
    ['latency_ms: 1800', 1800],
  ])('are read from %s', (line, latencyMs) => {
    const parsed = caseOf(pasteWith(line));
    expect(parsed.case.latencyMs).toBe(latencyMs);
    expect(parsed.assumed).toEqual([]);
  });

  it('are left out where a unit is missing, and that is said', () => {
    const parsed = caseOf(pasteWith('Latency: 1800'));
    expect(parsed.case.latencyMs).toBeUndefined();
    expect(parsed.assumed).toEqual([
      'left out: Latency "1800", not understood; write one number, such as “Latency: 1.8 s”',
    ]);
  });

  it.each([
    ['Language: en', 'en'],
    ['Sprache: Deutsch', 'de'],
    ['Language: Swabian', 'Swabian'],
  ])('are read from %s', (line, language) => {
    expect(caseOf(pasteWith(line)).case.language).toBe(language);
  });
});
