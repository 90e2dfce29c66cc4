import { describe, expect, test } from 'vitest';
import { folderWith } from '../../support/built-in.ts';
import { startModelDouble } from '../../support/model-double.ts';
import { petHotel, petHotelPaste } from '../../support/pet-hotel.ts';
import { jury, verdictsOf } from '../../support/run-jury.ts';

const prompts = folderWith(petHotel);
const env = { JURY_PROMPTS_DIR: prompts };

describe('a rubric of one’s own with fields of its own', () => {
  test('understands a paste by the labels of its fields', async () => {
    const { out, code } = await jury(['parse'], { env, input: petHotelPaste('Hunde, Katzen', '1 weeks') });
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
    const ran = await jury(['judge', '--json'], { env, input: petHotelPaste(animals, nights) });
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
      input: petHotelPaste('Hunde', '3 nights'),
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
      input: petHotelPaste('a', '1'),
    });
    expect(code).toBe(64);
    expect(err).toMatch(/fields\/x\.yaml: fields\.0\.type: must be/);
  });
});
