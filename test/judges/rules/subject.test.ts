import { describe, expect, it } from 'vitest';
import { aCase, aQuestion, ask, findingOn } from './world.ts';

/** The decisions on cost, rating and cuisine. */
const wishes = async (text: string): Promise<string[]> => {
  const { criteria } = await ask(aQuestion(aCase(text)));
  return criteria
    .filter(({ id }) => ['cost', 'rating', 'cuisine'].includes(id))
    .map(({ decision }) => decision);
};

describe('a request that is not for a place to eat', () => {
  it.each([
    'Navigate to the airport',
    'call my mom',
    'Take me home',
    'bring mich nach Hause',
    'Find me a hotel',
    'Finde ein Hotel in der Nähe',
    'find parking',
    'Find me the nearest charging station',
    'Find me a bar',
    'Find a hotel with a restaurant',
    'Is there a pharmacy next to the restaurant?',
    'restaurant and hotel',
    'parking for the restaurant',
    'Ladestation mit Restaurant',
    'pet food',
    'I need gas and a snack',
    'Book me a table at Borchardt',
    'something nice',
    'hello',
  ])('%s: no wish is met by silence', async (text) => {
    expect(await wishes(text)).toEqual(['unscored', 'unscored', 'unscored']);
  });

  it.each(['call my mom before dinner', 'Take me to Vapiano for dinner'])(
    '%s: an unknown word leaves its own criterion open, so that there is no verdict',
    async (text) => {
      expect(await wishes(text)).toEqual(['pass', 'pass', 'unscored']);
      expect((await ask(aQuestion(aCase(text)))).status).toBe('unscored');
    },
  );

  it('says so', async () => {
    expect((await findingOn('cost', aCase('Take me home'))).rationale).toContain(
      'The request does not say that it is about a place to eat',
    );
    expect((await findingOn('cost', aCase('Find a hotel with a restaurant'))).rationale).toContain(
      'he user may be looking for "hotel", not for a place to eat',
    );
  });
});

describe('a request for a place to eat that names something else beside it', () => {
  it.each([
    'Find me a restaurant near the hotel',
    'Italian close to the airport',
    'an Italian next to my office',
    'Italian with parking',
    'a restaurant with free parking',
    'a pizza place on my way home',
    'a restaurant by the river',
    'Restaurant in der Nähe vom Bahnhof',
    'Restaurant mit Parkplatz',
    'Essen auf dem Weg nach Hause',
    'a pizza house',
    "I'm starving",
    'Ich habe Hunger',
    'somewhere to eat',
    'something tasty',
    "I'm craving something new",
  ])('%s: silence means that any will do', async (text) => {
    expect(await wishes(text)).toEqual(['pass', 'pass', 'pass']);
  });

  it('is left open where it names several', async () => {
    const text = 'a restaurant with a charging station and free parking';
    expect(await wishes(text)).toEqual(['unscored', 'unscored', 'unscored']);
  });
});
