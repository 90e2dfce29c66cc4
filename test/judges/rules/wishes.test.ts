import { describe, expect, it } from 'vitest';
import { aCase, findingOn, type VenueChanges } from './world.ts';

type Row = [string, VenueChanges, 'pass' | 'fail' | 'unscored'];

const check = (criterion: string, rows: readonly Row[]) =>
  it.each(rows)('%s %j: %s', async (utterance, venue, decision) => {
    const finding = await findingOn(criterion, aCase(utterance, venue));
    expect(finding).toMatchObject({ decision });
  });

describe('the cuisine asked for', () => {
  check('cuisine', [
    ['sushi', { cuisine: 'Japanese' }, 'pass'],
    ['sushi', { cuisine: 'Sushi Bar' }, 'pass'],
    ['sushi', { cuisine: 'japanisch' }, 'pass'],
    ['sushi', { cuisine: 'Thai' }, 'fail'],
    ['sushi', { cuisine: 'Italian, Japanese' }, 'pass'],
    ['Asian', { cuisine: 'Thai' }, 'pass'],
    ['Thai', { cuisine: 'Asian' }, 'unscored'],
    ['Thai', { cuisine: 'Asian', menu: ['Pad Thai', 'Tom Yum'] }, 'unscored'],
    ['Thai', { cuisine: 'Asian', menu: ['Fried noodles'] }, 'unscored'],
    // The stated cuisine decides, whatever the menu.
    ['Thai', { cuisine: 'Italian', menu: ['Pad Thai'] }, 'fail'],
    ['curry', { cuisine: 'Indian' }, 'pass'],
    ['curry', { cuisine: 'Thai' }, 'pass'],
    ['falafel', { cuisine: 'Lebanese' }, 'pass'],
    ['schnitzel', { cuisine: 'Bavarian' }, 'pass'],
    ['schnitzel', { cuisine: 'Austrian' }, 'pass'],
    ['steak', { cuisine: 'Argentinian' }, 'pass'],
    ['steakhouse', { cuisine: 'Steakhouse' }, 'pass'],
    ['Mediterranean', { cuisine: 'Greek' }, 'pass'],
    ['Greek', { cuisine: 'Mediterranean' }, 'unscored'],
    ['Italian or Greek', { cuisine: 'Greek' }, 'pass'],
    ['Italian or Greek', { cuisine: 'Thai' }, 'fail'],
    ['Italian or something else', { cuisine: 'Thai' }, 'unscored'],
    ['Italian or something else', { cuisine: 'Italian' }, 'unscored'],
    ['pizza and sushi', { cuisine: 'Italian' }, 'unscored'],
    ['pizza and sushi', { cuisine: 'Mexican' }, 'fail'],
    ['vegan', { cuisine: 'Vegan' }, 'pass'],
    ['vegan', { cuisine: 'Italian' }, 'unscored'],
    ['vegan Italian', { cuisine: 'Italian', menu: ['Vegan lasagna'] }, 'unscored'],
    ['vegan Italian', { cuisine: 'Thai', menu: ['Vegan curry'] }, 'unscored'],
    ['vegetarian', { cuisine: 'Vegan' }, 'pass'],
    ['seafood', { cuisine: 'Seafood' }, 'pass'],
    ['seafood', { cuisine: 'Indian' }, 'unscored'],
    ['seafood', { cuisine: 'Portuguese', menu: ['Grilled octopus'] }, 'unscored'],
    ['not Italian', { cuisine: 'Italian' }, 'unscored'],
    ['not Italian', { cuisine: 'Greek' }, 'unscored'],
    ['no sushi', { cuisine: 'Japanese' }, 'unscored'],
    ['no sushi', { cuisine: 'Greek' }, 'unscored'],
    ['Italian', { cuisine: 'Uzbek' }, 'unscored'],
    ['Italian', { cuisine: undefined }, 'unscored'],
    ['Italian', { cuisine: undefined, menu: ['Pizza', 'Lasagna'] }, 'unscored'],
    ['somewhere to eat nearby', { cuisine: undefined }, 'pass'],
    ['something nearby', { cuisine: undefined }, 'unscored'],
    ['something Uzbek', { cuisine: 'Uzbek' }, 'unscored'],
    // A dish that two cuisines have in common.
    ['Wiener Schnitzel', { cuisine: 'German' }, 'pass'],
    ['Wiener Schnitzel', { cuisine: 'Austrian' }, 'pass'],
    // What the venue is not says nothing exact about what it is.
    ['French', { cuisine: 'not French' }, 'unscored'],
    ['Thai', { cuisine: 'non-Thai Asian' }, 'unscored'],
    ['Italian', { cuisine: 'Anything but Italian' }, 'unscored'],
    ['Italian', { cuisine: 'Spanish (previously Italian)' }, 'unscored'],
    ['Italian', { cuisine: 'Italian or Thai' }, 'unscored'],
    ['Thai', { cuisine: 'Asian', menu: ['No pad thai today'] }, 'unscored'],
    ['my Italian friend wants dinner', { cuisine: 'Italian' }, 'unscored'],
  ]);
});

describe('the cost asked for', () => {
  check('cost', [
    ['top-tier', { cost: 'high' }, 'pass'],
    ['premium elite', { cost: 'high' }, 'pass'],
    ['very luxurious', { cost: '€€€' }, 'pass'],
    ['high-end luxurious', { cost: 'expensive' }, 'pass'],
    ['top-tier', { cost: 'low' }, 'fail'],
    ['top-tier', { cost: 'medium' }, 'fail'],
    ['dirt cheap', { cost: 'low' }, 'pass'],
    ['dirt cheap', { cost: '€' }, 'pass'],
    ['dirt cheap', { cost: '$$$$' }, 'fail'],
    ['günstig', { cost: 'niedrig' }, 'pass'],
    ['mid-range', { cost: 'moderate' }, 'pass'],
    ['not too expensive', { cost: 'low' }, 'pass'],
    ['not too expensive', { cost: 'medium' }, 'pass'],
    ['not too expensive', { cost: 'high' }, 'fail'],
    ['upscale but affordable', { cost: 'high' }, 'unscored'],
    ['cheap', { cost: '20-30 €' }, 'unscored'],
    ['cheap', { cost: undefined }, 'unscored'],
    ['good value', { cost: 'low' }, 'unscored'],
    ['any price', { cost: 'high' }, 'pass'],
    ['just pizza', { cost: undefined }, 'pass'],
    ['cheap', { cost: 'not cheap' }, 'unscored'],
    ['expensive', { cost: 'not expensive' }, 'unscored'],
    ['billig', { cost: 'nicht billig' }, 'unscored'],
    ['posh', { cost: 'un-expensive' }, 'unscored'],
    ['cheap', { cost: 'affordable luxury' }, 'unscored'],
    ['cheap', { cost: 'low-medium' }, 'unscored'],
    ['cheap', { cost: 'budget 30-50 EUR' }, 'unscored'],
    ['cheap', { cost: '2' }, 'unscored'],
    ['billiger Italiener, aber nicht zu billig', { cost: 'medium' }, 'unscored'],
    ['a cheap hotel with an Italian restaurant', { cost: 'medium' }, 'unscored'],
    ['pizza, cost is irrelevant', { cost: 'high' }, 'pass'],
    ['pizza, money is no object', { cost: 'low' }, 'unscored'],
  ]);

  it('does not hold by silence where words were left unread', async () => {
    const finding = await findingOn('cost', aCase('Find me sushi that keeps my piggybank happy'));
    expect(finding.decision).toBe('unscored');
    expect(finding.rationale).toMatch(/"piggybank happy" were not understood and may be about the cost/i);
  });
});

describe('a cost that is no level', () => {
  it.each([
    ['9-13 €', 'an amount, not a price level'],
    ['2', 'an amount, not a price level'],
    ['affordable luxury', 'not a clear price level'],
    ['not cheap', 'not a clear price level'],
    ['frobby', 'not a clear price level'],
  ])('%s: says what it is and what to write', async (cost, what) => {
    const { rationale } = await findingOn('cost', aCase('cheap pizza', { cost }));
    expect(rationale).toBe(`The cost "${cost}" is ${what}; write low, medium or high.`);
  });

  it('that is missing: the example is what was asked for', async () => {
    const { rationale } = await findingOn('cost', aCase('cheap pizza', { cost: undefined }));
    expect(rationale).toContain('add `Cost: low` (low, medium or high)');
    const cuisine = await findingOn('cuisine', aCase('a Thai place', { cuisine: undefined }));
    expect(cuisine.rationale).toContain('add `Cuisine: Thai`');
  });
});

describe('the rating asked for', () => {
  check('rating', [
    ['at least 4.5', { rating: 4.5 }, 'pass'],
    ['at least 4.5', { rating: 4.4 }, 'fail'],
    ['above 4.5', { rating: 4.5 }, 'fail'],
    ['above 4.5', { rating: 4.6 }, 'pass'],
    ['around 4.5', { rating: 4.3 }, 'pass'],
    // 4.7 − 4.5 is 0.2000000000000002 in floating point.
    ['around 4.5', { rating: 4.7 }, 'pass'],
    ['around 4.5', { rating: 4.2 }, 'fail'],
    ['around 4.5', { rating: 4.8 }, 'fail'],
    ['around 3.9', { rating: 4.1 }, 'pass'],
    ['between 4.0 and 4.5', { rating: 4.0 }, 'pass'],
    ['between 4.0 and 4.5', { rating: 4.5 }, 'pass'],
    ['between 4.0 and 4.5', { rating: 4.6 }, 'fail'],
    ['between 4.5 and 4.0', { rating: 4.2 }, 'pass'],
    ['exactly 4.5', { rating: 4.5 }, 'pass'],
    ['exactly 4.5', { rating: 4.6 }, 'fail'],
    ['up to 4.5', { rating: 4.5 }, 'pass'],
    ['below 4.5', { rating: 4.5 }, 'fail'],
    ['rated 4.5', { rating: 4.5 }, 'pass'],
    ['rated 4.5', { rating: 4.2 }, 'fail'],
    ['rated 4.5', { rating: 4.7 }, 'fail'],
    ['above 4 stars but below 4.6 stars', { rating: 4.5 }, 'unscored'],
    ['above 4 stars but below 4.6 stars', { rating: 4.8 }, 'unscored'],
    ['rated four or five', { rating: 5 }, 'unscored'],
    ['not 5 stars', { rating: 4.5 }, 'unscored'],
    ['highly rated', { rating: 4.9 }, 'unscored'],
    ['with amazing reviews', { rating: 4.9 }, 'unscored'],
    ['at least 4.5', { rating: undefined }, 'unscored'],
    ['rated at least 8 out of 10', { rating: 4.5 }, 'unscored'],
    ['rated at least 8 out of 10', { rating: 8.4 }, 'pass'],
    ['rated at least 4.5', { rating: 8.4 }, 'unscored'],
    ['just pizza', { rating: undefined }, 'pass'],
  ]);

  it.each([
    ['max 4 stars', '0.4 too much'],
    ['at least 4.6', '0.2 short'],
  ])('%s against 4.4: %s', async (utterance, words) => {
    expect((await findingOn('rating', aCase(`pizza, ${utterance}`, { rating: 4.4 }))).rationale).toContain(
      words,
    );
  });

  it('says how a bare number is read', async () => {
    const finding = await findingOn('rating', aCase('pizza, rated 4.5', { rating: 4.5 }));
    expect(finding.rationale).toContain('read as exactly that number');
  });
});
