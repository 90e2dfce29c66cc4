import { describe, expect, it } from 'vitest';
import { aCase, aQuestion, ask, type VenueChanges } from './world.ts';

/** The criteria that fail, those left open after `?`, or `pass`. */
async function judged(text: string, venue: VenueChanges): Promise<string> {
  const { criteria } = await ask(aQuestion(aCase(text, venue)));
  const ids = (decision: string) => criteria.filter((one) => one.decision === decision).map(({ id }) => id);
  const open = ids('unscored').length > 0 ? `? ${ids('unscored').join()}` : '';
  return [ids('fail').join(), open].filter((part) => part !== '').join(' ') || 'pass';
}

/** What is not given is right: 4.5 stars, medium cost, open, six minutes away. */
const rows: [text: string, venue: VenueChanges, expected: string][] = [
  [
    'Ich hätte gern ein günstiges vietnamesisches Lokal mit mindestens 4,2 Sternen.',
    { cuisine: 'Vietnamesisch', cost: 'niedrig', rating: 4.4 },
    'pass',
  ],
  [
    'Such mir bitte einen schicken Italiener, gern etwas teurer, Bewertung über 4,5.',
    { cuisine: 'Italienisch', cost: 'hoch', rating: 4.5 },
    'rating',
  ],
  [
    'Wo kann ich hier in der Nähe gut und preiswert Sushi essen?',
    { cuisine: 'Japanisch', cost: 'hoch' },
    'cost',
  ],
  [
    'Bring uns zu einem gehobenen französischen Restaurant, es ist unser Hochzeitstag.',
    { cuisine: 'Französisch', cost: 'hoch' },
    'pass',
  ],
  // 4.3 ± 0.2 reaches down to 4.1.
  [
    'Hast du einen Tipp für einen Mexikaner mit etwa 4,3 Sternen?',
    { cuisine: 'Mexikanisch', rating: 4.0 },
    'rating',
  ],
  [
    'Hast du einen Tipp für einen Mexikaner mit etwa 4,3 Sternen?',
    { cuisine: 'Mexikanisch', rating: 4.1 },
    'pass',
  ],
  [
    'Ich will indisch essen, mittlere Preisklasse, nicht weiter als 10 Minuten.',
    { cuisine: 'Indisch', cost: 'mittel', durationMin: 12 },
    'location',
  ],
  [
    'Finde eine Pizzeria, die mit mindestens 4 Sternen bewertet ist.',
    { cuisine: 'Türkisch', rating: 4.4 },
    'cuisine',
  ],
  [
    'Zeig mir ein edles Steakhaus mit einer Bewertung zwischen 4,3 und 4,8.',
    { cuisine: 'Steakhaus', cost: 'hoch' },
    'pass',
  ],
  [
    'Wir haben Hunger auf Döner, am besten billig.',
    { cuisine: 'Türkisch', cost: 'niedrig' },
    '? cost,cuisine',
  ],
  [
    'Griechisch, am besten mit 4,5 Sternen oder mehr.',
    { cuisine: 'Griechisch', rating: 4.3 },
    '? rating,cuisine',
  ],
  ['Ich suche was Griechisches, Preis egal.', { cuisine: 'Griechisch', cost: 'hoch' }, 'pass'],
  [
    'Gibt es in der Umgebung ein chinesisches Restaurant im mittleren Preissegment?',
    { cuisine: 'Chinesisch', cost: 'hoch' },
    'cost',
  ],
  [
    'Navigiere mich zu einem koreanischen Restaurant mit mehr als 4,4 Sternen, bitte.',
    { cuisine: 'Koreanisch', rating: 4.6 },
    'pass',
  ],
  [
    'Ich möchte heute Abend luxuriös japanisch essen gehen.',
    { cuisine: 'Japanisch', cost: 'niedrig' },
    'cost',
  ],
  ['Wo gibt es Ramen mit vier Sternen oder besser?', { cuisine: 'Japanisch', rating: 3.9 }, 'rating'],
  [
    'Mir ist nach bayerischer Küche, gutbürgerlich und günstig.',
    { cuisine: 'Bayerisch', cost: 'niedrig' },
    'pass',
  ],
  [
    'Empfiehl mir einen Burgerladen um die 4,2 Sterne, kostengünstig.',
    { cuisine: 'Amerikanisch', menu: ['Cheeseburger'], cost: 'niedrig', rating: 4.35 },
    'pass',
  ],
  [
    'Ich brauche ein Restaurant mit libanesischem Essen, Bewertung nicht unter 4,3.',
    { cuisine: 'Libanesisch', rating: 4.2 },
    'rating',
  ],
  ['Gibts hier eine nette Trattoria zum kleinen Preis?', { cuisine: 'Italienisch', cost: 'mittel' }, 'cost'],
  [
    'Ich möchte jetzt türkisch essen.',
    { cuisine: 'Türkisch', openingHours: { monday: '11:00-18:30' } },
    'time',
  ],
  // No words settle these; none of them is guessed.
  [
    'Ein Restaurant mit thailändischer Küche, das nicht zu teuer ist, wäre super.',
    { cuisine: 'Thailändisch' },
    '? cost,cuisine',
  ],
  [
    'Führ mich zum nächsten brasilianischen Grillrestaurant, Geld spielt keine Rolle.',
    { cuisine: 'Brasilianisch', cost: 'hoch' },
    '? cost,cuisine',
  ],
];

describe('a German request for a place to eat', () => {
  it.each(rows)('%s %j → %s', async (text, venue, expected) => {
    expect(await judged(text, venue)).toBe(expected);
  });
});
