import { describe, expect, it } from 'vitest';
import { caseOf, itemsOf, problemOf } from './parse.ts';

describe('a line below what the user said', () => {
  it.each([
    ['find pizza\n(she said it really fast)', '(she said it really fast)'],
    ["what's the capital of Norway\nand it goes", 'and it goes'],
    ['open the window\nand he said it twice', 'and he said it twice'],
    ['open the window\nthen the car answers', 'then the car answers'],
    ['turn it up\n10:42', '10:42'],
    ['turn it up\n[10:42:07]', '[10:42:07]'],
    ['turn it up\n@Ben see this', '@Ben see this'],
    ['turn it up\n// had to repeat', '// had to repeat'],
    ['turn it up\ntook ages', 'took ages'],
    ['turn it up\nMike was driving', 'Mike was driving'],
    ['turn it up\n\nThe radio was on.', 'The radio was on.'],
    ['call Anna\nNoise: high', 'Noise: high'],
    ['call Anna\nASR was fine', 'ASR was fine'],
    ['call Anna,\n(mumbled)', '(mumbled)'],
    ['such eine Tankstelle\n(undeutlich gesprochen)', '(undeutlich gesprochen)'],
    ['such eine Tankstelle\nund es sagt', 'und es sagt'],
    ['such eine Tankstelle\ner hat es dreimal gesagt', 'er hat es dreimal gesagt'],
    ['such eine Tankstelle\ndann das Auto', 'dann das Auto'],
    ['such eine Tankstelle\nFenster war offen', 'Fenster war offen'],
    ['such eine Tankstelle\nErkannt wurde alles', 'Erkannt wurde alles'],
  ])('may be about it: %j', (said, line) => {
    const parsed = caseOf(`User: ${said}\nSystem: Done.`);
    expect(parsed.case.conversation).toEqual([{ role: 'user', text: said.split('\n')[0]?.trim() }]);
    expect(parsed.unsure?.text).toBe(line);
    expect(parsed.unsure?.withIt.conversation).toEqual([{ role: 'user', text: said }]);
    expect(parsed.unsure?.withIt.response).toBe('Done.');
    expect(parsed.assumed).toContain(
      `left out: text that may be part of what was said, or a remark about it ("${line}")`,
    );
  });

  it.each([
    'find a Mexican restaurant\nand a car park',
    'find a restaurant\nwith a terrace',
    'find a restaurant,\nVegan if possible',
    'find a charger between Hull and\nLeeds',
    'find a place that is open late and where I can sit outside with\nmy dog',
    'I want to eat somewhere tonight, somewhere quiet and not too far\naway from here',
    'read this to me:\nMilk, eggs, bread',
    'add to my list:\n- milk\n- eggs',
    'suche ein Restaurant\nmit Terrasse',
    'suche ein Café\nund einen Parkplatz',
    'suche ein Hotel für\nAnna und mich',
    'schreib Ben:\nKomme später',
    'find pizza\n  near the station',
  ])('is the user’s where it continues the sentence: %j', (said) => {
    const parsed = caseOf(`User: ${said}\nSystem: Done.`);
    expect(parsed.unsure).toBeUndefined();
    expect(parsed.case.conversation).toEqual([{ role: 'user', text: said }]);
  });

  it('is the user’s in the fence or the quotes of the turn', () => {
    const fenced = caseOf('User:\n```\nI am hungry.\nFind pizza.\n```\nSystem: Done.');
    expect(fenced.unsure).toBeUndefined();
    expect(fenced.case.conversation[0]?.text).toBe('I am hungry.\nFind pizza.');
    const quoted = caseOf('User: "I am hungry.\nFind pizza."\nSystem: Done.');
    expect(quoted.unsure).toBeUndefined();
    expect(quoted.case.conversation[0]?.text).toBe('I am hungry.\nFind pizza.');
  });

  it('is the user’s in a message of a chat', () => {
    const { case: read, unsure } = caseOf(
      'Driver  2:14 PM\nI am hungry.\nFind pizza.\n\nCar Assistant  APP  2:15 PM\nTry Luigi.',
    );
    expect(unsure).toBeUndefined();
    expect(read.conversation).toEqual([{ role: 'user', text: 'I am hungry.\nFind pizza.' }]);
  });

  it('is not sure in a fence around the whole conversation', () => {
    const { unsure } = caseOf('```\nUser: find pizza\n(in a tunnel)\nSystem: Done.\n```');
    expect(unsure?.text).toBe('(in a tunnel)');
  });

  it('and one below an earlier answer are named together', () => {
    const parsed = caseOf('User: a\n(loud)\nSystem: b\n(slow)\nUser: c\nSystem: d\n(late)');
    expect(parsed.case.conversation.map(({ text }) => text)).toEqual(['a', 'b', 'c']);
    expect(parsed.unsure?.text).toBe('(loud)\n(slow)\n(late)');
    expect(parsed.unsure?.withIt.conversation[1]?.text).toBe('b\n(slow)');
  });
});

describe('what looks like a label', () => {
  it.each([
    ['Q. Where did I park?\nA. On level 2.', 'Where did I park?', 'On level 2.'],
    ['U. Wo bin ich?\nS. In Bonn.', 'Wo bin ich?', 'In Bonn.'],
    ['{"prompt": "User: how far is it", "completion": "Two miles."}', 'how far is it', 'Two miles.'],
    ['{"prompt": "User: how far\\nAssistant:", "completion": "Two miles."}', 'how far', 'Two miles.'],
    ['{"prompt": "how far is it", "completion": "Assistant: Two miles."}', 'how far is it', 'Two miles.'],
    [
      '{"frage": "Nutzer: wie weit ist es", "antwort": "System: Drei Kilometer."}',
      'wie weit ist es',
      'Drei Kilometer.',
    ],
    [
      'Driver  [2:14 PM]\nfind pizza\n\nCar Assistant  APP  [2:14 PM]\nTry Luigi.',
      'find pizza',
      'Try Luigi.',
    ],
  ])('is none of the words: %j', (paste, said, response) => {
    const { case: read } = caseOf(paste);
    expect(read).toEqual({ conversation: [{ role: 'user', text: said }], response });
  });

  it.each([
    'X. Where did I park?\n\nY. On level 2.',
    'K. Wo steht mein Auto?\n\nL. Auf Ebene 2.',
    'Pat 10:20\nWhere did I park?\n\nKim 10:21\nOn level 2.',
    'Zed: Where did I park?\n\nOn level 2.',
  ])('is asked about where it is not known: %j', (paste) => {
    expect(itemsOf(paste).every((item) => 'problem' in item)).toBe(true);
  });
});

describe('two values with one label', () => {
  it.each([
    ['Rating: 4.6\nDuration: 8 min\nRating: 4.3', 'Rating', '4.6', '4.3'],
    ['Duration: 8 min\nRating: 4.3\nDuration: 5 min', 'Duration', '8 min', '5 min'],
    ['Name: Luigi\nName: Mario', 'Name', 'Luigi', 'Mario'],
    ['Cost: low\nRating: 4.1\nCost: high', 'Cost', 'low', 'high'],
    ['Distance: 1 km\nDistance: 2 km', 'Distance', '1 km', '2 km'],
    ['Cuisine: Thai\nCuisine: Greek', 'Cuisine', 'Thai', 'Greek'],
    ['Bewertung: 4,6\nDauer: 8 min\nBewertung: 4,3', 'Bewertung', '4,6', '4,3'],
    ['Kosten: hoch\nKosten: niedrig', 'Kosten', 'hoch', 'niedrig'],
    ['Küche: griechisch\nKüche: türkisch', 'Küche', 'griechisch', 'türkisch'],
    ['Entfernung: 1 km\nEntfernung: 900 m', 'Entfernung', '1 km', '900 m'],
  ])('are refused with both: %j', (lines, label, one, other) => {
    const { problem } = problemOf(`User: eat\nSystem: Try one of these.\n${lines}`);
    expect(problem).toBe(
      `${label} stands there twice, "${one}" and "${other}", as if of two places: keep the lines of the place that is recommended.`,
    );
  });

  it.each(['Rating: 4.6\nRating: 4.6', 'Bewertung: 4,6\nBewertung: 4.6', 'Distance: 1 km\nDistance: 1000 m'])(
    'are no two where they say the same: %j',
    (lines) => {
      expect(caseOf(`User: eat\nSystem: Try Luigi.\n${lines}`).case.recommendation).toBeDefined();
    },
  );
});
