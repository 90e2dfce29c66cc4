import { describe, expect, test } from 'vitest';
import { folderWith } from '../../support/built-in.ts';
import { startModelDouble } from '../../support/model-double.ts';
import { jury, verdictsOf } from '../../support/run-jury.ts';

/** A domain of somebody's own, in YAML alone: pet hotels. */
const prompts = folderWith({
  'fields/pets.yaml': `
title: Pet hotels
source: a test
fields:
  - {name: species, of: stay, title: species taken in, type: list, labels: [animals, tiere]}
  - {name: nights, of: stay, title: nights, type: number, labels: [nächte], units: {nights: 1, weeks: 7}, min: 1}
  - {name: mostNights, of: stay, title: most nights, type: number}
`,
  'lexicons/animals.yaml': `
title: Animals
source: a test
namesSubject: true
terms:
  - {id: dog, title: dogs, words: [dog, dogs, hund, hunde]}
  - {id: cat, title: cats, words: [cat, cats, katze, katzen]}
  - {id: parrot, title: parrots, words: [parrot, papagei]}
`,
  'lexicons/pet-hotel.yaml': `
title: Words of requests for a pet hotel
source: a test
terms:
  - {id: subject, title: a pet hotel, words: [pet hotel, tierhotel, unterbringen]}
  - {id: plain, words: [stay, nights, nächte]}
`,
  'rubrics/pet-hotel.yaml': `
title: Pet hotel
source: a test
task: Decide whether the pet hotel takes the animal for that long.
needs: [stay]
selectedBy: [stay]
rank: 5
decide: all
panel: [auditor]
method: mab
criteria:
  - id: animal
    title: Animal
    rule: The hotel takes the animal in.
    check: {type: has-all, lexicon: animals, field: stay.species, name: animal}
  - id: length
    title: Length
    rule: The stay is not longer than the hotel allows.
    needs: [stay.nights, stay.mostNights]
    check:
      {type: at-most-field, field: stay.nights, limit: stay.mostNights, names: {field: the stay, limit: the limit}, unit: nights}
`,
});
const env = { JURY_PROMPTS_DIR: prompts };

const paste = (animals: string, nights: string) =>
  `User: Find a pet hotel for my dog\nSystem: Villa Kunterbunt has room.\n\nTiere: ${animals}\nNächte: ${nights}\nMost nights: 10`;

describe('a rubric of one’s own with fields of its own', () => {
  test('understands a paste by the labels of its fields', async () => {
    const { out, code } = await jury(['parse'], { env, input: paste('Hunde, Katzen', '1 weeks') });
    expect(code).toBe(0);
    expect(JSON.parse(out)).toMatchObject({
      case: { stay: { species: ['Hunde', 'Katzen'], nights: 7, mostNights: 10 } },
      assumed: ['nights "1 weeks" read as 7 nights'],
    });
  });

  test.each([
    ['right', 'Hunde, Katzen', '3 nights', 'pass', 0],
    ['for another animal', 'Katzen, Papagei', '3 nights', 'fail', 1],
    ['for too long', 'Hunde', '2 weeks', 'fail', 1],
  ])('is chosen by them and judges a stay %s by exact checks', async (_, animals, nights, decision, code) => {
    const ran = await jury(['judge', '--json'], { env, input: paste(animals, nights) });
    const [verdict] = verdictsOf(ran);
    expect(verdict).toMatchObject({ rubric: 'pet-hotel', decision });
    expect(ran.code).toBe(code);
  });

  test('takes JSON, and names what is close to an unknown key', async () => {
    const wrong = { conversation: [{ role: 'user', text: 'a' }], response: 'b', stay: { specie: ['dog'] } };
    const { code, err } = await jury(['judge'], { env, input: JSON.stringify(wrong) });
    expect(code).toBe(64);
    expect(err).toContain('unknown key "stay.specie" (did you mean "species"?)');
  });

  test('shows its fields to a model', async () => {
    const double = await startModelDouble({ answer: () => ({ fields: { decision: 'pass' } }) });
    const ran = await jury(['judge', '--json', '--model', 'openai/judge'], {
      env: { ...env, OPENAI_BASE_URL: double.baseUrl },
      input: paste('Hunde', '3 nights'),
    });
    await double.close();
    expect(verdictsOf(ran)[0]?.decision).toBe('pass');
    const sent = JSON.stringify(double.requests);
    expect(sent).toContain('stay');
    expect(sent).toContain('Hunde');
  });

  test('is refused with file and key where a field is wrong', async () => {
    const broken = folderWith({
      'fields/x.yaml': 'title: X\nsource: a test\nfields: [{name: a, title: a, type: date}]',
    });
    const { code, err } = await jury(['parse'], {
      env: { JURY_PROMPTS_DIR: broken },
      input: paste('a', '1'),
    });
    expect(code).toBe(64);
    expect(err).toMatch(/fields\/x\.yaml: fields\.0\.type: must be/);
  });
});
