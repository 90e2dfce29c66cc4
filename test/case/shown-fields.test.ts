import { expect, test } from 'vitest';
import { shownFields } from '../../src/case/format/shown-fields.ts';

const week = (hours: string) =>
  Object.fromEntries(
    ['monday', 'tuesday', 'wednesday', 'thursday', 'friday', 'saturday', 'sunday'].map((day) => [day, hours]),
  );
const said = (...field: Parameters<typeof shownFields>) =>
  shownFields(...field).map(({ title, text }) => `${title}: ${text}`);

test('fields are called as people call them, each part of a venue by itself, numbers with their unit', () => {
  const venue = {
    name: 'Umi',
    durationMin: 5,
    distanceKm: 1.2,
    openingHours: week('12:00-23:00'),
    powerKw: 150,
  };
  expect(said('recommendation', venue)).toEqual([
    'Name: Umi',
    'Drive time: 5 min',
    'Distance: 1.2 km',
    'Opening hours: daily 12:00-23:00',
    'Power: 150 kW',
  ]);
  expect(said('latencyMs', 1800)).toEqual(['Latency: 1800 ms']);
  const hours = { ...week('12:00-23:00'), sunday: 'closed' };
  expect(said('recommendation', { openingHours: hours })[0]).toMatch(
    /Monday: 12:00-23:00\n.*Sunday: closed$/s,
  );
});

test('fields that files declare have the name and unit of the line that gives them', () => {
  const lineFor = (path: string) =>
    path === 'recommendation.pricePerLiter'
      ? 'Fuel price: 5 €/l'
      : path === 'lastServiced'
        ? 'Last service: …'
        : null;
  expect(said('recommendation', { pricePerLiter: 1.78 }, lineFor)).toEqual(['Fuel price: 1.78 €/l']);
  expect(said('lastServiced', 'May', lineFor)).toEqual(['Last service: May']);
});

test('what tools were called with is shown as it is, whatever its names are', () => {
  const toolCalls = [{ name: 'open', arguments: { durationMin: 5, latitude: 1 }, result: 'ok' }];
  expect(said('toolCalls', toolCalls)).toEqual(['Tool calls: open(durationMin: 5, latitude: 1) → "ok"']);
  expect(said('expectedCalls', { anyOf: [[{ name: 'open' }], []] })).toEqual([
    'Expected calls: open()\nor no call',
  ]);
  expect(said('expectedState', { 'a.b': 'closed' })).toEqual(['Expected state: a.b: "closed"']);
});
