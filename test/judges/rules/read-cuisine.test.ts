import { describe, expect, it } from 'vitest';
import { reading, requestOf } from './reading.ts';
import { lexicons } from './world.ts';

const rows: [string, string][] = [
  ['an Italian restaurant', 'italian'],
  ['ITALIAN', 'italian'],
  ['pizza', 'italian'],
  ['two pizzas', 'unclear'],
  ['some pasta', 'italian'],
  ['italienisches Restaurant', 'italian'],
  ['zum Italiener', 'italian'],
  ['crêpes', 'french'],
  ['crepes', 'french'],
  ['französisch', 'french'],
  ['sushi', 'japanese'],
  ['a sushi place', 'japanese'],
  ['ramen', 'japanese'],
  ['dim sum', 'chinese'],
  ['pad thai', 'thai'],
  ['Pad-Thai', 'thai'],
  ['pho', 'vietnamese'],
  ['phở', 'vietnamese'],
  ['bibimbap', 'korean'],
  ['Korean BBQ', 'korean'],
  ['butter chicken', 'indian'],
  ['tacos', 'mexican'],
  ['Tex-Mex', 'mexican'],
  ['gyros', 'greek'],
  ['griechisch', 'greek'],
  ['tapas', 'spanish'],
  ['paella', 'spanish'],
  ['lahmacun', 'turkish'],
  ['türkisches Lokal', 'turkish'],
  ['tabbouleh', 'lebanese'],
  ['injera', 'ethiopian'],
  ['tagine', 'moroccan'],
  ['bratwurst', 'german'],
  ['Schweinshaxe', 'bavarian'],
  ['a beer garden', 'bavarian'],
  ['pastel de nata', 'portuguese'],
  ['lomo saltado', 'peruvian'],
  ['feijoada', 'brazilian'],
  ['asado', 'argentinian'],
  ['Asian food', 'asian'],
  ['curry', 'asian'],
  ['falafel', 'middle-eastern'],
  ['schnitzel', 'german/austrian'],
  ['pizza and a salad bar', 'italian+salad-bar'],
  ['vegan Italian', 'vegan+italian'],
  ['plant-based', 'vegan'],
  // A longer phrase hides a shorter one.
  ['French fries', 'american/fast-food'],
  ['Turkish grill', 'turkish'],
  // Alternatives.
  ['Italian or Greek', 'italian|greek'],
  ['Italian, Greek or Thai', 'italian|greek|thai'],
  ['Italian/Greek', 'italian|greek'],
  ['either sushi or maybe tacos', 'unclear'],
  ['italienisch oder griechisch', 'italian|greek'],
  ['Italian and Greek', 'italian+greek'],
  // Refusals: words that may turn a wish around make all wishes unclear.
  ['not Italian', 'unclear'],
  ['no sushi', 'unclear'],
  ['anything but Italian', 'refused'],
  ['everything except Italian', 'refused'],
  ['something other than Italian', 'unclear'],
  ['not Italian or Greek', 'unclear'],
  ["I don't want Italian, I want Greek", 'unclear'],
  ['no sushi please, maybe Italian', 'unclear'],
  ['Italian, not Greek', 'unclear'],
  ['Greek instead of Italian', 'unclear'],
  ["I'm tired of pizza", 'unclear'],
  ['kein Sushi', 'unclear'],
  ['No, I want Greek', 'unclear'],
  ['not far, Greek', 'greek'],
  ['not too expensive Greek', 'greek'],
  ["Don't take me to an Italian", 'unclear'],
  ['Never take me to that Greek place again', 'unclear'],
  ['Neither Italian nor Greek', 'unclear'],
  ["I'm not really in the mood for anything Asian", 'unclear'],
  ["the venue shouldn't be Italian", 'unclear'],
  ['lieber griechisch statt italienisch', 'unclear'],
  ['a halal burger', 'halal+american/fast-food'],
  // Turned around in ways that are not certain.
  ['not only Italian but also Greek', 'unclear'],
  ['no sushi, pizza or burgers', 'unclear'],
  ['my wife hates Italian', 'unclear'],
  ["I don't mind Italian", 'unclear'],
  // Corrections.
  ['Italian, no wait, Greek', 'unclear'],
  ['Is there a French place? Actually make it Italian', 'unclear'],
  ['Italian? No, Thai.', 'unclear'],
  ['Italian. No. Thai.', 'unclear'],
  // Without the comma it may refuse either; and nothing may follow.
  ['Italian? No Thai.', 'unclear'],
  ['Is it Italian? No.', 'unclear'],
  ['rather Thai than Italian', 'unclear'],
  ["I'd rather have Thai than Italian", 'unclear'],
  ['lieber was Asiatisches als Italienisch', 'unclear'],
  ['more Italian than French', 'unclear'],
  ['Italian, open now, not closing soon', 'italian'],
  // A wish that names no cuisine, and none.
  ['something spicy', 'unclear'],
  ['local food', 'unclear'],
  ['any cuisine', 'any'],
  ['a cheap restaurant near the station', 'silent'],
  ["I'm hungry, find me a place to eat", 'silent'],
  ['Ich habe Hunger, wo kann ich hier gut essen?', 'silent'],
  ['find me an Uzbek place', 'silent?'],
  ['寿司', 'silent?'],
];

describe('the cuisine that an utterance names', () => {
  it.each(rows)('%s → %s', (utterance, expected) => {
    expect(reading(utterance, 'cuisine')).toBe(expected);
  });

  it('is that of the only turn that names one', () => {
    expect(reading(['Italian please', 'actually make it Greek'], 'cuisine')).toBe('unclear');
    expect(reading(['something Asian', 'but no sushi'], 'cuisine')).toBe('unclear');
    expect(reading(['Italian please', 'not Italian after all'], 'cuisine')).toBe('unclear');
    expect(reading(['Italian please', 'with parking'], 'cuisine')).toBe('italian');
  });
});

describe('what is left unread', () => {
  it('is quoted as it was written', () => {
    expect(requestOf("sushi that's kind to my Piggy-Bank").unread.map(({ quote }) => quote)).toEqual([
      'Piggy',
    ]);
  });

  it('holds no names of places', () => {
    expect(requestOf('Find me sushi near Sendlinger Tor').unread.map(({ quote }) => quote)).toEqual([]);
    expect(requestOf('Find me sushi near the Olympic Stadium').unread.map(({ quote }) => quote)).toEqual([]);
  });
});

describe('the lexicon of cuisines', () => {
  const terms = lexicons.get('cuisine')?.terms.filter((term) => term.reading === 'exact') ?? [];

  it('knows at least 35 cuisines with at least 8 words each', () => {
    const rich = terms.filter(
      (term) => term.excludes === 'always' && term.words.length + term.signs.length >= 8,
    );
    expect(rich.length).toBeGreaterThanOrEqual(35);
  });

  it('reads every single name and dish back as its own term', () => {
    const strays = terms.flatMap((term) =>
      [...term.words, ...term.signs]
        .map((word) => word.replace('*', ''))
        .filter((word) => !reading(word, 'cuisine').includes(term.id))
        .map((word) => `${term.id}: ${word} → ${reading(word, 'cuisine')}`),
    );
    expect(strays).toEqual([]);
  });
});

describe('the lexicon of price levels', () => {
  it('reads every phrase back as its own level', () => {
    const strays = (lexicons.get('cost')?.terms ?? [])
      .filter((term) => term.reading === 'exact')
      .flatMap((term) =>
        term.words
          .map((word) => word.replace('*', ''))
          .filter((word) => !reading(word, 'cost').split('+').includes(term.id))
          .map((word) => `${term.id}: ${word} → ${reading(word, 'cost')}`),
      );
    expect(strays).toEqual([]);
  });
});
