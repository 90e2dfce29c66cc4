import { describe, expect, it } from 'vitest';
import { reading, requestOf } from './reading.ts';

const rows: [string, string][] = [
  ['rated at least 4.5', 'at-least 4.5'],
  ['with a rating of at least 4.5', 'at-least 4.5'],
  ['at least a solid rating of 4.5', 'at-least 4.5'],
  ['at least a 4.6-star rating', 'at-least 4.6'],
  ['a minimum rating of 4', 'at-least 4'],
  ['minimum 4 stars', 'at-least 4'],
  ['min. 4.2', 'at-least 4.2'],
  ['4.5 or better', 'at-least 4.5'],
  ['4 stars or better', 'at-least 4'],
  ['rating of 4.5 or higher', 'at-least 4.5'],
  ['4.5 and up', 'at-least 4.5'],
  ['4+ stars', 'at-least 4'],
  ['4.5+', 'at-least 4.5'],
  ['≥ 4.5', 'at-least 4.5'],
  ['not below 4 stars', 'at-least 4'],
  ['no rating below 4', 'at-least 4'],
  ['four stars or better', 'at-least 4'],
  ['four point five stars or better', 'at-least 4.5'],
  ['4 and a half stars minimum', 'at-least 4.5'],
  ['mindestens 4,5 Sterne', 'at-least 4.5'],
  ['mindestens vier Sterne', 'at-least 4'],
  ['mit mindestens viereinhalb Sternen', 'at-least 4.5'],
  ['ab 4 Sternen', 'at-least 4'],
  ['nicht unter 4 Sternen', 'at-least 4'],
  ['above 3.8', 'above 3.8'],
  ['rated above 4 stars', 'above 4'],
  ['over 4.2', 'above 4.2'],
  ['a rating of over 4', 'above 4'],
  ['a rating that is above 4', 'above 4'],
  ['better than 4.1', 'above 4.1'],
  ['more than 4 stars', 'above 4'],
  ['Bewertung über 4,2', 'above 4.2'],
  ['besser als 4,0', 'above 4'],
  ['between 4 and 4.5', 'between 4 4.5'],
  ['rated between 4.0 and 4.6 stars', 'between 4 4.6'],
  ['4.2 to 4.6', 'between 4.2 4.6'],
  ['from 4.2 to 4.6', 'between 4.2 4.6'],
  ['rating 4-4.5', 'between 4 4.5'],
  ['4.2–4.6 stars', 'between 4.2 4.6'],
  ['zwischen 4 und 4,5 Sternen', 'between 4 4.5'],
  ['around 4.5', 'around 4.5'],
  ['rated around 4', 'around 4'],
  ['a rating of about 4.3', 'around 4.3'],
  ['roughly 4.3 stars', 'around 4.3'],
  ['approximately 4.3', 'around 4.3'],
  ['ca. 4,3', 'around 4.3'],
  ['circa 4.3', 'around 4.3'],
  ['~4.3', 'around 4.3'],
  ['~ 4.3 stars', 'around 4.3'],
  ['4.5 or so', 'around 4.5'],
  ['etwa 4,5 Sterne', 'around 4.5'],
  ['rund 4,5', 'around 4.5'],
  ['exactly 4.5', 'exactly 4.5'],
  ['precisely 4.5 stars', 'exactly 4.5'],
  ['genau 4,5 Sterne', 'exactly 4.5'],
  ['up to 4.5', 'at-most 4.5'],
  ['at most 4 stars', 'at-most 4'],
  ['höchstens 4 Sterne', 'at-most 4'],
  ['below 4.0', 'below 4'],
  ['under 4 stars', 'below 4'],
  ['rated 4.5', 'plain 4.5'],
  ['4 stars', 'stars 4'],
  ['a four-star place', 'stars 4'],
  ['a 4.5-star place', 'stars 4.5'],
  ['five star', 'stars 5'],
  ['4,5 Sterne', 'stars 4.5'],
  ['Rating: 4.5', 'plain 4.5'],
  ['4.5/5', 'plain 4.5'],
  ['4.5 out of 5', 'plain 4.5'],
  ['4.5 von 5 Sternen', 'stars 4.5'],
  ['4⭐', 'stars 4'],
  ["the rating mustn't be lower than 4.2", 'at-least 4.2'],
  ["rating shouldn't be below 4", 'at-least 4'],
  ['rated four or five', 'either 4 5'],
  ['at least 4.0, at most 4.5', 'at-least 4+at-most 4.5'],
  ['under no circumstances below 4 stars', 'unclear'],
  // Praise without a number.
  ['top-rated', 'unclear'],
  ['highly rated', 'unclear'],
  ['the best pizza', 'unclear'],
  ['with great reviews', 'unclear'],
  ['gut bewertet', 'unclear'],
  ['2 Michelin stars', 'unclear'],
  ['around 4.5 or higher', 'unclear'],
  ['90% positive', 'unclear'],
  ['with over 1000 reviews', 'unclear'],
  ['not 4 stars', 'unclear'],
  ['above average', 'unclear'],
  // Numbers of something else.
  ['only places with 500+ reviews and 4.5+', 'at-least 4.5'],
  ['within 4.5 km', 'silent'],
  ['within 15 minutes', 'silent'],
  ['at least 15 minutes away', 'silent'],
  ['at most 3 km away', 'silent'],
  ['table for 4', 'silent'],
  ['a table for four people', 'silent'],
  ['for 5 people at 8 pm', 'silent'],
  ['at 20:35', 'silent'],
  ['um 20 Uhr', 'silent'],
  ['a 3-course menu', 'silent'],
  ['open 24/7', 'silent'],
  ['a place around here', 'silent'],
  ['a pizza place near here with parking', 'silent'],
  // A whole number alone may be people.
  ['Italian at least 4', 'silent?'],
  ['at least 4', 'silent?'],
  ['for at least 4', 'silent?'],
  ['we are at least 4', 'silent?'],
  ['at least 4 people', 'silent'],
  ['just above 4 stars', 'slightly 4'],
  ['Italian just above 4', 'silent?'],
  ["I don't want anything below 4.5", 'at-least 4.5'],
  ['nothing under 4.5', 'at-least 4.5'],
  // "One" is seldom a rating.
  ['the best rated one', 'unclear'],
  ['a highly rated one', 'unclear'],
  ['rated one of the best in town', 'unclear'],
  ['one star', 'stars 1'],
  ['two stars', 'stars 2'],
  ['a two-star place', 'stars 2'],
  ['3-star Michelin', 'unclear'],
  // Numbers of houses and rooms.
  ['an Italian near 4.5 Main Street', 'silent?'],
  ['room 4.5', 'silent?'],
  ['4.5 stars, or maybe 4', 'unclear'],
  ['any rating but 4.4', 'unclear'],
  ["I don't care about rating", 'any'],
  ['rating is irrelevant', 'any'],
  ['ratings do not matter, well, rating does not matter', 'any'],
];

describe('the rating that an utterance names', () => {
  it.each(rows)('%s → %s', (utterance, expected) => {
    expect(reading(utterance, 'rating')).toBe(expected);
  });

  it('does not reach over "with" to a nearness word: that would grant a tolerance that was not asked for', () => {
    expect(reading('is there a spot around with a rating 3.8 or higher', 'rating')).toBe('at-least 3.8');
    expect(reading('is there a spot around with a rating of 3.8', 'rating')).toBe('plain 3.8');
  });

  it('tells the people at the table from the stars', () => {
    expect(reading('table for 4 with at least 4.5 stars within 10 minutes at 7 pm', 'rating')).toBe(
      'at-least 4.5',
    );
  });

  it('is that of the only turn that names one', () => {
    expect(reading(['rated at least 4', 'better at least 4.5'], 'rating')).toBe('unclear');
  });

  it('leaves a number unread that nothing explains', () => {
    expect(requestOf('something with 7').unread.map(({ quote }) => quote)).toEqual(['7']);
  });
});
