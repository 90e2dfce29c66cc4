import { describe, expect, it } from 'vitest';
import { reading } from './reading.ts';

const rows: [string, string][] = [
  ['a cheap place', 'low'],
  ['dirt cheap ramen', 'low'],
  ['at rock-bottom prices', 'low'],
  ['budget-friendly', 'low'],
  ['budget friendly', 'low'],
  ['something on a tight budget', 'low'],
  ['inexpensive', 'low'],
  ['an affordable spot', 'low'],
  ["that won't break the bank", 'low'],
  ['that won’t break the bank', 'low'],
  ["it shouldn't cost an arm and a leg", 'unclear'],
  ['easy on the wallet', 'low'],
  ['CHEAP!!!', 'low'],
  ['ein günstiges Lokal', 'low'],
  ['was Preiswertes', 'low'],
  ['billig essen', 'low'],
  ['€', 'low'],
  ['mid-range', 'medium'],
  ['midrange place', 'medium'],
  ['moderately priced', 'medium'],
  ['reasonably priced food', 'medium'],
  ['at reasonable prices', 'medium'],
  ['medium-priced', 'medium'],
  ['Price: medium', 'medium'],
  ['$$', 'medium'],
  ['mittlere Preisklasse', 'medium'],
  ['mittelpreisig', 'medium'],
  ['neither cheap nor expensive', 'medium'],
  ['not too cheap but not too expensive', 'medium'],
  ['weder billig noch teuer', 'medium'],
  ['high-end', 'high'],
  ['high end luxurious', 'high'],
  ['very luxurious', 'high'],
  ['at luxurious prices', 'high'],
  ['top-tier Greek restaurant', 'high'],
  ['premium elite', 'high'],
  ['exclusive', 'high'],
  ['posh', 'high'],
  ['fine dining', 'high'],
  ['upscale', 'high'],
  ['somewhere fancy', 'high'],
  ['pricey', 'high'],
  ['€€€', 'high'],
  ['$$$$', 'high'],
  ['gehobenes Restaurant', 'high'],
  ['exklusiv und teuer', 'high+high'],
  ['gehobene Preisklasse', 'high'],
  // Refusals.
  ['not too expensive', 'not-high'],
  ['nothing fancy', 'not-high'],
  ['nothing too fancy', 'not-high'],
  ['not cheap', 'not-low'],
  ['nicht zu teuer', 'not-high'],
  ['nothing expensive or fancy', 'unclear'],
  ["it doesn't have to be cheap", 'unclear'],
  ["it shouldn't be too expensive", 'not-high'],
  ["it mustn't be expensive", 'not-high'],
  ['the opposite of cheap', 'unclear'],
  ['without being too expensive', 'unclear'],
  ['nicht allzu teures Lokal', 'not-high'],
  // Alternatives and corrections.
  ['cheap or mid-range', 'low|medium'],
  ['cheap, mid-range or upscale', 'low|medium|high'],
  ['cheap Italian or mid-range Greek', 'unclear'],
  ['cheap, actually mid-range', 'unclear'],
  // A wish, but no level.
  ['good value for money', 'unclear'],
  ['something cheaper', 'unclear'],
  ['for under 20 euros', 'unclear'],
  ['the last one was too expensive', 'unclear'],
  ['at a price that suits students', 'unclear'],
  ['above-average prices', 'unclear'],
  ['my budget is 15 euros', 'unclear'],
  // No wish.
  ['budget is no problem', 'any'],
  ["price doesn't matter", 'any'],
  ['egal was es kostet', 'any'],
  ['a highly rated place', 'silent'],
  ['high ratings', 'silent'],
  ['I fancy a curry', 'silent'],
  ['find me a sushi place nearby', 'silent'],
  ['find me a sushi place in my usual bracket', 'silent?'],
  ['exclusively vegan', 'silent'],
];

describe('the price level that an utterance names', () => {
  it.each(rows)('%s → %s', (utterance, expected) => {
    expect(reading(utterance, 'cost')).toBe(expected);
  });

  it('is that of the only turn that names one', () => {
    expect(reading(['a cheap Italian', 'make it upscale'], 'cost')).toBe('unclear');
    expect(reading(['a cheap Italian', 'rated at least 4 please'], 'cost')).toBe('low');
    expect(reading(['a cheap Italian', 'something fancier'], 'cost')).toBe('unclear');
  });
});
