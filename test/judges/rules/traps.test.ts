import { describe, expect, it } from 'vitest';
import { aRequest, findingsOn } from './stations.ts';
import { aCase, findingOn, type VenueChanges } from './world.ts';

type Decision = 'pass' | 'fail';
/** What a careful reader would decide on one criterion: the exact checks say the same, or nothing. */
type VenueTrap = [criterion: string, text: string | string[], venue: VenueChanges, right: Decision];
type Trap = [criterion: string, text: string, changes: object, right: Decision];

const venues: VenueTrap[] = [
  // Negations
  ['cuisine', 'I would not say no to Italian', { cuisine: 'Italian' }, 'pass'],
  ['cuisine', 'no more pizza for me, thanks. Something Greek', { cuisine: 'Greek' }, 'pass'],
  ['cuisine', 'anything except Italian', { cuisine: 'Greek' }, 'pass'],
  ['cuisine', 'alles außer Sushi', { cuisine: 'Greek' }, 'pass'],
  ['cuisine', "it doesn't need to be Italian", { cuisine: 'Greek' }, 'pass'],
  ['cuisine', "we can't decide between Thai and Greek", { cuisine: 'Greek' }, 'pass'],
  ['cuisine', 'nothing but Italian', { cuisine: 'Italian' }, 'pass'],
  ['cuisine', 'nichts anderes als Italienisch', { cuisine: 'Italian' }, 'pass'],
  ['cuisine', "why don't we get some sushi", { cuisine: 'Japanese' }, 'pass'],
  ['cuisine', 'kein Italiener heute, lieber Griechisch', { cuisine: 'Greek' }, 'pass'],
  ['cuisine', 'I had Thai for lunch, so Greek now', { cuisine: 'Greek' }, 'pass'],
  ['cost', 'pizza, not the cheapest place', { cost: 'medium' }, 'pass'],
  ['cost', 'pizza, money is not an issue', { cost: 'high' }, 'pass'],
  ['cost', "pizza, I'm not rich", { cost: 'low' }, 'pass'],
  ['cost', 'pizza that is anything but expensive', { cost: 'low' }, 'pass'],
  ['rating', "pizza, I don't need 5 stars", { rating: 4.2 }, 'pass'],
  ['rating', 'pizza, nothing under 4 stars', { rating: 4.4 }, 'pass'],
  ['rating', 'pizza, nicht weniger als 4 Sterne', { rating: 4.4 }, 'pass'],
  // Relative values
  ['cost', 'pizza, cheaper than the last one', { cost: 'medium' }, 'pass'],
  ['rating', 'pizza with a better rating than 4', { rating: 4.4 }, 'pass'],
  ['rating', 'pizza, half a star better', { rating: 4.4 }, 'pass'],
  ['location', 'pizza, 5 minutes closer', { durationMin: 9 }, 'pass'],
  // Bounds
  ['location', 'pizza, no more than twenty minutes', { durationMin: 18 }, 'pass'],
  ['location', 'pizza, a 20 minute drive at most', { durationMin: 18 }, 'pass'],
  ['location', 'pizza within an hour', { durationMin: 45 }, 'pass'],
  ['location', 'pizza within an hour and a half', { durationMin: 80 }, 'pass'],
  ['location', 'pizza in a radius of 30 km', { durationMin: 28, distanceKm: 25 }, 'pass'],
  ['location', 'pizza, maximal eine halbe Stunde', { durationMin: 26 }, 'pass'],
  ['location', 'pizza, es darf auch 30 Minuten dauern', { durationMin: 26 }, 'pass'],
  ['location', "pizza, I don't mind driving an hour", { durationMin: 45 }, 'pass'],
  ['location', 'pizza, at least 20 minutes away', { durationMin: 26 }, 'pass'],
  ['location', 'pizza, distance does not matter', { durationMin: 40 }, 'pass'],
  ['location', 'pizza, egal wie weit', { durationMin: 40 }, 'pass'],
  ['location', 'pizza, I have to be there in 30 minutes', { durationMin: 26 }, 'pass'],
  ['rating', 'pizza, 4 to 5 stars', { rating: 4.4 }, 'pass'],
  ['rating', 'pizza with 5 star service', { rating: 4.4 }, 'pass'],
  ['rating', 'pizza by a 2-star chef', { rating: 1.8 }, 'pass'],
  ['rating', 'pizza, twenty-one tables, 4 stars', { rating: 4.4 }, 'pass'],
  // Places
  ['location', 'a pizza place by the sea', { durationMin: 40 }, 'pass'],
  ['location', 'the pizza place in Freising', { durationMin: 35 }, 'pass'],
  ['location', 'a pizzeria outside the city', { durationMin: 35 }, 'pass'],
  ['location', 'pizza somewhere between here and Nuremberg', { durationMin: 60 }, 'pass'],
  ['location', 'pizza at my destination', { durationMin: 60 }, 'pass'],
  ['location', 'Pizza am Ziel', { durationMin: 60 }, 'pass'],
  ['location', 'Pizza kurz vor Nürnberg', { durationMin: 60 }, 'pass'],
  ['location', 'take me to Luigi for pizza', { durationMin: 26 }, 'pass'],
  ['location', 'pizza when we get to Hamburg', { durationMin: 90 }, 'pass'],
  ['cuisine', 'a restaurant in Chinatown', { cuisine: 'Greek' }, 'pass'],
  ['cuisine', 'a restaurant near the Italian consulate', { cuisine: 'Greek' }, 'pass'],
  ['time', 'pizza for tomorrow at noon', { openingHours: { monday: 'closed' } }, 'pass'],
  ['time', 'pizza after the concert', { openingHours: { monday: '21:00-23:00' } }, 'pass'],
  ['time', 'pizza at eight', { openingHours: { monday: '19:30-23:00' } }, 'pass'],
  ['time', 'pizza, dinner on my birthday', { openingHours: { monday: 'closed' } }, 'pass'],
  // Alternatives, and what is said anew
  ['cost', 'pizza, nothing expensive or fancy', { cost: 'high' }, 'fail'],
  ['cost', 'pizza, not fancy or cheap', { cost: 'high' }, 'fail'],
  ['cost', 'pizza, cheap or at least not expensive', { cost: 'medium' }, 'pass'],
  ['cost', ['a cheap Italian', 'forget the price'], { cost: 'high' }, 'pass'],
  ['cuisine', ['a cheap Italian', 'forget Italian, Greek it is'], { cuisine: 'Greek' }, 'pass'],
  ['cuisine', 'Thai please. Make that Greek.', { cuisine: 'Greek' }, 'pass'],
  ['location', 'pizza, 10 minutes max, maybe 15', { durationMin: 14 }, 'pass'],
  ['rating', 'pizza rated above 4, better 4.5', { rating: 4.2 }, 'pass'],
  ['time', 'pizza nach Feierabend', { openingHours: { monday: '20:00-23:00' } }, 'pass'],
  ['time', 'pizza when the kids are asleep', { openingHours: { monday: '20:00-23:00' } }, 'pass'],
  ['rating', 'Pizza mit fast 5 Sternen', { rating: 4.8 }, 'pass'],
  ['rating', 'pizza with 4.5 or 4.2', { rating: 4.2 }, 'pass'],
];

const set = (value: number, device = 'temperature', operation = 'set') => ({
  device: [device],
  operation: [operation],
  value,
});

const functions: Trap[] = [
  ['operation', "don't close the window", { device: ['window'], operation: ['close'] }, 'fail'],
  ['operation', 'leave the window open', { device: ['window'], operation: ['open'] }, 'pass'],
  [
    'operation',
    'never mind the radio, close the window',
    { device: ['window'], operation: ['close'] },
    'pass',
  ],
  [
    'function',
    'not the radio, the AC please',
    { device: ['air conditioning'], operation: ['turn on'] },
    'pass',
  ],
  [
    'function',
    "I don't want the heating on, open the window",
    { device: ['window'], operation: ['open'] },
    'pass',
  ],
  ['function', 'close everything except the sunroof', { device: ['window'], operation: ['close'] }, 'pass'],
  ['value', 'one degree more', set(22, 'temperature', 'raise'), 'pass'],
  ['value', 'turn the volume up by 5', set(25, 'volume', 'raise'), 'pass'],
  ['value', 'Lautstärke um 5 runter', set(15, 'volume', 'lower'), 'pass'],
  ['value', 'two steps louder', set(12, 'volume', 'raise'), 'pass'],
  ['value', 'half as loud', set(10, 'volume', 'lower'), 'pass'],
  ['value', 'temperature between 20 and 22', set(21), 'pass'],
  ['value', 'not above 22 degrees', set(21), 'pass'],
  ['value', 'at least 20 degrees', set(21), 'pass'],
  ['value', 'unter 20 Grad', set(19), 'pass'],
  ['value', 'from 20 to 22 degrees', set(22), 'pass'],
  ['value', 'set it to 22 degrees in 5 minutes', set(22), 'pass'],
  ['value', 'twenty one degrees', set(21), 'pass'],
  ['value', 'set it to twenty-two and a half degrees', set(22.5), 'pass'],
  ['value', 'zweiundzwanzig Grad', set(22), 'pass'],
  ['value', 'temperature to 22 for me, 20 for her', set(22), 'pass'],
  ['value', 'wie gestern, 21 Grad', set(21), 'pass'],
  ['target', 'open all windows except mine', { device: ['window'], target: ['passenger', 'rear'] }, 'pass'],
  ['target', 'open all the rear windows', { device: ['window'], target: ['rear'] }, 'pass'],
  [
    'target',
    'open all windows but the rear ones',
    { device: ['window'], operation: ['open'], target: ['front'] },
    'pass',
  ],
  [
    'function',
    'turn on the radio, make it the AC',
    { device: ['air conditioning'], operation: ['turn on'] },
    'pass',
  ],
  ['value', 'I want the volume at 20 instead of 30', set(20, 'volume', 'set'), 'pass'],
  ['target', 'both front windows', { device: ['window'], target: ['driver', 'passenger'] }, 'pass'],
  [
    'target',
    'Beifahrerfenster zu',
    { device: ['window'], operation: ['close'], target: ['passenger'] },
    'pass',
  ],
  ['target', 'Fahrersitzheizung an', { device: ['seat heating'], target: ['driver'] }, 'pass'],
  ['function', 'Heckscheibenheizung an', { device: ['defroster'], operation: ['turn on'] }, 'pass'],
  ['function', 'Lenkradheizung aus', { device: ['steering wheel heating'], operation: ['turn off'] }, 'pass'],
  ['function', 'Kofferraumdeckel zu', { device: ['trunk'], operation: ['close'] }, 'pass'],
  ['operation', 'Fensterheber runter', { device: ['window'], operation: ['open'] }, 'pass'],
  ['operation', 'Fenster runter', { device: ['window'], operation: ['open'] }, 'pass'],
  ['operation', 'Fenster wieder zu machen', { device: ['window'], operation: ['close'] }, 'pass'],
  ['operation', 'mach die Heizung auf 22 Grad', set(22, 'heating', 'set'), 'pass'],
  ['value', 'set the temperature to 70 degrees Fahrenheit', set(21, 'temperature', 'set'), 'pass'],
  ['function', 'turn on the seat heating', { device: ['heating'], operation: ['turn on'] }, 'fail'],
  ['function', 'turn on the AC', { device: ['heating'], operation: ['turn on'] }, 'fail'],
  ['function', 'Schalte das Fernlicht ein', { device: ['Abblendlicht'], operation: ['turn on'] }, 'fail'],
  ['operation', 'stell die Heizung bitte ein bisschen wärmer', set(23, 'heating', 'set'), 'pass'],
  ['operation', 'make the radio quieter', set(5, 'radio', 'set'), 'pass'],
  ['operation', 'turn on the seat heating to level 2', set(2, 'seat heating', 'set'), 'pass'],
  ['operation', 'open the window to 50 percent', set(50, 'window', 'set'), 'pass'],
  ['operation', 'ist das Fenster zu? dann mach es auf', { device: ['window'], operation: ['open'] }, 'pass'],
];

const stations: Trap[] = [
  ['fuel', 'anything but diesel', { fuels: ['Super E10'] }, 'pass'],
  ['fuel', 'my car does not take diesel, I need petrol', { fuels: ['Super E10'] }, 'pass'],
  ['brand', 'not Aral again', { brand: 'Shell' }, 'pass'],
  ['amenities', 'diesel and maybe a coffee', { amenities: ['Toilet'] }, 'pass'],
  ['brand', 'Aral/Shell with diesel', { brand: 'Shell' }, 'pass'],
  ['brand', 'Aral, Shell, whatever, with diesel', { brand: 'Shell' }, 'pass'],
  ['price', 'diesel under 1.70, or 1.75 at most', { pricePerLiter: 1.73 }, 'pass'],
  ['brand', 'any brand but Aral', { brand: 'Shell' }, 'pass'],
  ['price', 'diesel below 1.70', { pricePerLiter: 1.679 }, 'pass'],
  ['price', 'diesel, 10 cents cheaper', { pricePerLiter: 1.679 }, 'pass'],
  ['price', '40 liters of diesel for less than 80 euros', { pricePerLiter: 1.679 }, 'pass'],
  ['price', 'diesel, not more than 1,70', { pricePerLiter: 1.679 }, 'pass'],
  ['price', 'I have 1.5 hours, diesel please', { pricePerLiter: 1.679 }, 'pass'],
  ['amenities', 'no need for a shop', { amenities: ['Shop'] }, 'pass'],
  ['amenities', 'a shop would be nice, not a must', { amenities: ['Toilet'] }, 'pass'],
  ['location', 'Tankstelle an der A9', { durationMin: 40 }, 'pass'],
  ['location', 'fuel at the next motorway exit', { durationMin: 22 }, 'pass'],
  ['location', 'diesel before we cross the border', { durationMin: 50 }, 'pass'],
];

describe('no trap leads to a wrong decision', () => {
  it.each(venues)('%s: %s, %j', async (criterion, text, venue, right) => {
    const { decision, rationale } = await findingOn(criterion, aCase(text, venue));
    expect([right, 'unscored'], rationale ?? '').toContain(decision);
  });

  it.each([
    ...functions.map((trap) => ['car-function', ...trap] as const),
    ...stations.map((trap) => ['fuel-station', ...trap] as const),
  ])('%s %s: %s, %j', async (rubric, criterion, text, changes, right) => {
    const findings = await findingsOn(rubric, aRequest(rubric, text, changes));
    const finding = findings.find(({ id }) => id === criterion);
    expect([right, 'unscored'], finding?.rationale ?? '').toContain(finding?.decision);
  });

  it('and there are many of them', () => {
    expect(venues.length + functions.length + stations.length).toBeGreaterThan(80);
  });
});
