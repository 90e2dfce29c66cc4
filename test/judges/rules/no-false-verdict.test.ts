import { describe, expect, it } from 'vitest';
import { aCase, findingOn, type VenueChanges } from './world.ts';

type Decision = 'pass' | 'fail' | 'unscored';

/** Utterances whose wish cannot be read surely: no decision, whatever the venue. */
const undecided = (criterion: string, venues: readonly VenueChanges[], utterances: readonly string[]) =>
  it.each(utterances)('%s', async (utterance) => {
    for (const venue of venues) {
      const { decision, rationale } = await findingOn(criterion, aCase(utterance, venue));
      expect({ decision, rationale }).toMatchObject({ decision: 'unscored' });
    }
  });

const decided = (criterion: string, rows: readonly [string, VenueChanges, Decision][]) =>
  it.each(rows)('%s, %j: %s', async (utterance, venue, decision) => {
    expect((await findingOn(criterion, aCase(utterance, venue))).decision).toBe(decision);
  });

describe('words that take a wish back or weaken it', () => {
  undecided(
    'cuisine',
    [{ cuisine: 'Italian' }, { cuisine: 'Greek' }],
    [
      'I refuse to eat sushi',
      'Steer clear of Italian',
      "I'm so over Italian food",
      "I'm done with Italian food",
      'Spare me the Italian food',
      'Italian is out',
      'Italian is off the table',
      'Anything besides Chinese',
      'Pizza makes me sick',
      'Pizza hängt mir zum Hals raus',
      'Finger weg von Sushi',
      'My mother is Italian. Find us a good restaurant',
      'Our guests are really Greek. Find a restaurant',
      'Mein Mann ist Italiener. Such ein Restaurant',
      "I'm Italian, find a restaurant",
      'a restaurant with a Greek menu',
      'We are Greek. Find us a good restaurant',
      'Ich bin Italiener, such ein Restaurant',
    ],
  );
  undecided(
    'rating',
    [{ rating: 3.5 }, { rating: 4.5 }],
    [
      'pizza. Anything below 4 stars is unacceptable',
      'pizza, at least 4 stars and at least 100 reviews',
      'Pizza, mindestens 4 Sterne und mindestens 100 Bewertungen',
      'pizza. I refuse anything under 4 stars',
      'pizza. Below 4.5 is out of the question',
      'Exclude places with less than 4 stars',
      'Ignore places with less than 4 stars',
      'Filter out anything below 4.0',
    ],
  );
  undecided(
    'cost',
    [{ cost: 'low' }, { cost: 'high' }],
    [
      'pizza, it can be expensive',
      'pizza, expensive is fine',
      'pizza, expensive is ok',
      'pizza, even if it is expensive',
      'pizza, no matter how expensive',
      'pizza, however expensive',
      'Pizza, egal wie teuer',
      'Pizza, darf ruhig teuer sein',
      'pizza, expensive places are out',
    ],
  );
});

describe('names of places, people and things', () => {
  undecided(
    'cuisine',
    [{ cuisine: 'Greek' }],
    [
      'ein Restaurant am Englischen Garten',
      'ein Restaurant am Deutschen Museum',
      'ein Restaurant am Schweizer Platz',
      'ein Restaurant in der Französischen Straße',
      'a restaurant near Hamburger Bahnhof',
      'a restaurant near the French embassy',
      'a restaurant near the Chinese Tower',
      'ein Restaurant bei der Deutschen Bank',
      'a restaurant near the Deutsche Bank',
      'a restaurant near the fish market',
      'a restaurant near a sushi bar',
      'a restaurant near the bakery',
      'a restaurant near the coffee shop',
      'a restaurant next to the coffee shop',
      'a restaurant. My French colleague is visiting',
      'a restaurant for my Italian friend',
      'a restaurant where they speak English and Spanish',
      'a restaurant after the German lesson',
      'a restaurant. My dog is called Sushi',
    ],
  );
  undecided(
    'cost',
    [{ cost: 'medium' }],
    [
      'a restaurant near the Grand Hotel',
      'a restaurant near the Royal Palace',
      'a restaurant near the Budget car rental',
      'a restaurant. My car is expensive',
      'a restaurant. I drive a premium car',
      'a restaurant. I want to save money on gas',
    ],
  );
});

describe('ratings said in other ways', () => {
  undecided(
    'rating',
    [{ rating: 4.2 }, { rating: 4.5 }, { rating: 4.25 }, { rating: 4.1 }, { rating: 3.5 }],
    [
      'pizza, from 4 stars',
      'pizza, 4 stars will do',
      'pizza, 4 stars is the least I accept',
      'Pizza, 4 Sterne reichen mir',
      'pizza, 4 stars is too low, find me better',
      'pizza, 4.5 stars would be nice, but 4 is fine too',
      'pizza, preferably 4.5 or more but 4 is ok',
      'pizza, 4.5 give or take 0.3',
      'pizza rated 4.5, plus or minus 0.5',
      'pizza. The last one had 4.5 stars',
      'a pizza place with 2 Michelin stars',
      'a pizza place with two stars from Michelin',
      'a pizza place with two stars from the Michelin guide',
      'pizza near the 5 star hotel Adlon',
    ],
  );
  decided('rating', [
    ['pizza, at least 4 of 5 stars', { rating: 4.5 }, 'pass'],
    ['pizza, at least 4 of 5 stars', { rating: 3.9 }, 'fail'],
    ['pizza, 4 stars max', { rating: 3.5 }, 'pass'],
    ['pizza, 4 stars tops', { rating: 3.5 }, 'pass'],
    ['pizza, 4 stars tops', { rating: 4.5 }, 'fail'],
    ['pizza, 4 stars and upward', { rating: 4.5 }, 'pass'],
  ]);
  it.each([
    'pizza. We have 2.5 hrs',
    'Pizza, höchstens 1,5 Stunden',
    "pizza. It's 4.5 degrees outside",
    'Pizza. Es hat 4,5 Grad',
    'pizza near junction 4.2',
    'pizza. I drive a Mini 1.6',
    'pizza and a 1.5 litre bottle',
  ])('%s is no rating to fail', async (utterance) => {
    expect((await findingOn('rating', aCase(utterance, { rating: 4.2 }))).decision).not.toBe('fail');
  });
});

describe('another moment', () => {
  it.each([
    'Dienstagabend',
    'nächsten Dienstag',
    'kommenden Freitag',
    'für Sonnabend',
    'coming Saturday',
    'dinner on March 10',
    "New Year's Eve",
    'the day after Christmas',
    'half past nine',
    'nine tonight',
    'halb zehn',
    '9 p.m.',
    '21h',
    'at 2130',
  ])('pizza, %s', async (moment) => {
    const evalCase = aCase(`pizza, ${moment}`, { openingHours: { monday: '11:00-14:00' } });
    expect((await findingOn('time', evalCase)).decision).toBe('unscored');
  });
});

describe('hours that may be read in two ways', () => {
  it.each(['11-9', '12-2:30, 6-10', '5-10', '12-1am', '11-1am', '11-12am', '10-2am', 'none'])(
    '%s',
    async (monday) => {
      expect((await findingOn('time', aCase('pizza', { openingHours: { monday } }))).decision).toBe(
        'unscored',
      );
    },
  );
});

describe('cuisines that are neighbors, not the same', () => {
  decided('cuisine', [
    ['Serbian', { cuisine: 'Croatian' }, 'fail'],
    ['Croatian', { cuisine: 'Serbian' }, 'fail'],
    ['Serbian', { cuisine: 'Dalmatian' }, 'fail'],
    ['Balkan', { cuisine: 'Croatian' }, 'pass'],
    ['cevapcici', { cuisine: 'Serbian' }, 'pass'],
    ['Dutch', { cuisine: 'Belgian' }, 'fail'],
    ['Irish', { cuisine: 'British' }, 'fail'],
    ['Scottish', { cuisine: 'Irish pub' }, 'fail'],
    ['Ghanaian', { cuisine: 'Senegalese' }, 'fail'],
    ['Venezuelan', { cuisine: 'Ecuadorian' }, 'fail'],
    ['Tibetan', { cuisine: 'Nepalese' }, 'fail'],
    ['Szechuan', { cuisine: 'Cantonese' }, 'fail'],
    ['Szechuan', { cuisine: 'Chinese' }, 'unscored'],
    ['Chinese', { cuisine: 'Cantonese' }, 'pass'],
    ['Tuscan', { cuisine: 'Sicilian' }, 'fail'],
    ['Cajun', { cuisine: 'Diner' }, 'fail'],
    ['Southern food', { cuisine: 'Steakhouse' }, 'unscored'],
    ['French', { cuisine: 'French fries' }, 'unscored'],
  ]);
});

describe('kinds of places and dishes that several cuisines share', () => {
  decided('cuisine', [
    ['kebab', { cuisine: 'Turkish' }, 'pass'],
    ['kebab', { cuisine: 'Persian' }, 'unscored'],
    ['kebab', { cuisine: 'Lebanese' }, 'unscored'],
    ['chicken tikka', { cuisine: 'Pakistani' }, 'pass'],
    ['steak', { cuisine: 'French' }, 'unscored'],
    ['steak', { cuisine: 'German' }, 'unscored'],
    ['burger', { cuisine: 'German', menu: ['Burger'] }, 'unscored'],
    ['pizza', { cuisine: 'American', menu: ['Pizza'] }, 'unscored'],
    ['pizza', { cuisine: 'American' }, 'fail'],
    ['sushi', { cuisine: 'Korean', menu: ['sushi rolls'] }, 'unscored'],
    ['fish restaurant', { cuisine: 'Greek' }, 'unscored'],
    ['pub', { cuisine: 'German' }, 'unscored'],
    ['European', { cuisine: 'Mediterranean' }, 'unscored'],
  ]);
});

describe('a venue that is said not to be something', () => {
  undecided(
    'cost',
    [{ cost: 'not expensive' }, { cost: 'anything but expensive' }, { cost: 'nicht teuer' }],
    ['an expensive restaurant'],
  );
  decided('cuisine', [
    ['Italian', { cuisine: 'not Italian' }, 'unscored'],
    ['Thai', { cuisine: 'Asian (no Thai)' }, 'unscored'],
    ['Thai', { cuisine: 'Asian', menu: ['no pad thai today'] }, 'unscored'],
    ['vegan', { cuisine: 'Italian', menu: ['Sorry, no vegan options'] }, 'unscored'],
    ['gluten-free', { cuisine: 'Italian', menu: ['not gluten free'] }, 'unscored'],
    ['vegan', { cuisine: 'Italian, not vegan' }, 'unscored'],
  ]);
});

describe('an answer that recommends nothing, beside data that would fit', () => {
  it.each([
    'Which area would you like?',
    'Did you mean India?',
    'Wie bitte?',
    'Meinten Sie Indien?',
    'Error 500',
    'null',
    '...',
  ])('%s', async (response) => {
    const evalCase = { ...aCase('an Italian restaurant', { cuisine: 'Italian' }), response };
    const { decision, rationale } = await findingOn('cuisine', evalCase);
    expect(decision).toBe('unscored');
    expect(rationale).toContain('does not fit the data');
  });
});

describe('the usual limit of the drive', () => {
  it.each(['Navigate home', 'How far is it?', 'Take me to the airport', 'Wo ist die nächste Apotheke?'])(
    'is for places to eat: %s',
    async (text) => {
      expect((await findingOn('location', aCase(text, { durationMin: 35 }))).decision).toBe('unscored');
    },
  );
});
