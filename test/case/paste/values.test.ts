import { describe, expect, it } from 'vitest';
import {
  readDistanceKm,
  readDurationMin,
  readLatencyMs,
  readRating,
} from '../../../src/case/paste/values.ts';
import { contractFormat as format } from '../../support/format.ts';

const reading = { format, note: () => {} };

describe('a rating', () => {
  it.each([
    ['4.6', 4.6],
    ['4,6 Sterne', 4.6],
    ['4.1 (12.345 Bewertungen)', 4.1],
    ['4.1 (5.123 reviews)', 4.1],
    ['4.6 (7 reviews)', 4.6],
    ['4.6 (1.2k ratings)', 4.6],
    ['4.6 (312)', 4.6],
    ['4,6 (1.204)', 4.6],
    ['4.5 (1,234) · €10–20 · Italian · 2 km', 4.5],
    ['4.2 (was 3.8)', 4.2],
    ['4,2 (vorher 3,8)', 4.2],
    ['8.4/10', 8.4],
    ['8.4 / 10', 8.4],
    ['4.6 out of 5', 4.6],
    ['4.6 of 5 (Google)', 4.6],
    ['4.6 (Google 4.6)', 4.6],
    ['4.6, 5 min away', 4.6],
    ['★ 4.3 (1.204)', 4.3],
  ])('%s is %d', (text, rating) => {
    expect(readRating(text, reading)).toBe(rating);
  });

  it.each([
    '3.5 (Yelp), 4.6 (Google)',
    '3.5 / 4.6',
    '3.5 on Yelp, 4.6 on Google',
    '4 Yelp, 5 Google',
    '3.5 (4.6)',
  ])('%s is none: of two, neither counts', (text) => {
    expect(readRating(text, reading)).toBeNull();
  });
});

describe('a drive time', () => {
  it.each([
    ['6 min', 6],
    ['4 min 30 s', 4.5],
    ['1 h 5 min 30 s', 65.5],
    ['1 h 5 min', 65],
    ['1 Std. und 5 Minuten', 65],
    ['90 s', 1.5],
    ['2 h 30 s', 120.5],
    ['6 min (2.4 km)', 6],
    ['6 min via A9', 6],
    ['25 min, arrival 19:25', 25],
    ['25 min (was 20 min)', 25],
    ['1 h 5 min (65 min)', 65],
  ])('%s is %d min', (text, minutes) => {
    expect(readDurationMin(text, reading)).toBe(minutes);
  });

  it.each(['5 min (air), 25 min (road)', '5 (air), 25 (road)', '8 min with traffic, 6 min without'])(
    '%s is none',
    (text) => {
      expect(readDurationMin(text, reading)).toBeNull();
    },
  );
});

describe('a distance', () => {
  it.each([
    ['4 km', 4],
    ['1,200 m', 1.2],
    ['1.200 m', 1.2],
    ['9 km (5.6 miles)', 9],
    ['9 km (25 min)', 9],
    ['9 km at 50 km/h', 9],
  ])('%s is %d km', (text, km) => {
    expect(readDistanceKm(text, reading)).toBe(km);
  });

  it.each(['4 km (air line), 9 km (road)', '4 (air line), 9 (road)', '900 m Luftlinie, 1,5 km Straße'])(
    '%s is none',
    (text) => {
      expect(readDistanceKm(text, reading)).toBeNull();
    },
  );
});

it('of two latencies neither counts', () => {
  expect(readLatencyMs('1.8 s', reading)).toBe(1800);
  expect(readLatencyMs('1.8 s (median), 3.2 s (95 %)', reading)).toBeNull();
});
