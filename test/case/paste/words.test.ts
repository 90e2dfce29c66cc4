import { describe, expect, it } from 'vitest';
import { alternatives, joinWords } from '../../../src/case/format/words.ts';
import { parseInput } from '../../../src/case/paste/parse-input.ts';
import { loadCaseFormat } from '../../../src/prompting/case-fields.ts';
import { builtIn, folderWith } from '../../support/built-in.ts';
import { words } from '../../support/format.ts';

const head = 'title: French\nsource: a test\n';
const loaded = (yaml: string) => loadCaseFormat([builtIn, folderWith({ 'paste/french.yaml': head + yaml })]);

const FRENCH = `
labels:
  user: [utilisateur]
  system: [réponse du système]
  date: [le jour]
  openingHours: [horaires]
  rating: [évaluation]
labelKinds:
  response: [réponse du système]
weekdays:
  monday: [lundi]
  friday: [vendredi]
  saturday: [samedi]
months:
  march: [mars]
hours:
  closed: [fermé]
  to: [à]
units:
  minutes: [minutes]
values:
  outOf: [sur]
sentences:
  open: [avec]
`;

describe('words of another language', () => {
  const format = loaded(FRENCH);
  const caseOf = (text: string) => {
    const [parsed] = parseInput(text, { maxCaseChars: 32_000, format });
    if (parsed === undefined || 'problem' in parsed) throw new Error(JSON.stringify(parsed));
    return parsed.case;
  };

  it('are a file and nothing else', () => {
    const read = caseOf(
      [
        'Utilisateur : Trouve un restaurant',
        'Réponse du système : Voilà.',
        'Évaluation : 4,6 sur 5',
        'Horaires : lundi à vendredi 12:00 à 14:30, samedi fermé',
        'Le jour : 4 mars 2024',
      ].join('\n'),
    );
    expect(read.conversation).toEqual([{ role: 'user', text: 'Trouve un restaurant' }]);
    expect(read.response).toBe('Voilà.');
    expect(read.context?.date).toBe('2024-03-04');
    expect(read.recommendation?.rating).toBe(4.6);
    expect(read.recommendation?.openingHours).toMatchObject({ monday: '12:00-14:30', friday: '12:00-14:30' });
  });

  it('stand beside those that come with the program', () => {
    const read = caseOf(
      'Fahrer: Finde ein Restaurant\nRéponse du système : Oui.\nÖffnungszeiten: Mo–Fr 12–22',
    );
    expect(read.response).toBe('Oui.');
    expect(read.recommendation?.openingHours?.friday).toBe('12:00-22:00');
  });
});

describe('a format of another log', () => {
  it('is data and nothing else', () => {
    const format = loaded(
      "formats:\n  - name: our log\n    lines: ['HEARD (?<user>.+)$', 'SPOKE (?<system>.+)$']\n    noise: ['DEBUG .*$']",
    );
    const text = 'HEARD find pizza\nDEBUG state 3\nSPOKE Try Luigi';
    expect(parseInput(text, { maxCaseChars: 32_000, format })).toMatchObject([
      {
        case: { conversation: [{ role: 'user', text: 'find pizza' }], response: 'Try Luigi' },
        assumed: ['read as our log', 'left out: 1 other line'],
      },
    ]);
  });
});

describe('a file of words that is wrong', () => {
  it.each([
    ['an unknown list', 'colors: {}', 'colors: is not a known key; choose from:'],
    [
      'an unknown label',
      'labels:\n  colour: [couleur]',
      'labels.colour: is not a known key; choose from: user',
    ],
    [
      'an unknown day',
      'weekdays:\n  lundi: [lundi]',
      'weekdays.lundi: is not a known key; choose from: monday',
    ],
    ['words that are no list', 'labels:\n  user: conducteur', 'labels.user: must be a list'],
    [
      'a label of another list',
      'labels:\n  system: [driver]',
      'labels.system: "driver" is one of labels.user already',
    ],
    ['no pattern', 'patterns:\n  mentions: ["("]', 'patterns.mentions.0: is not a regular expression'],
  ])('stops the start: %s', (_, yaml, message) => {
    expect(() => loaded(yaml)).toThrow(message);
  });
});

describe('words together', () => {
  it('hold each word once, those of the first file first', () => {
    const again = joinWords([words, words]);
    expect(again).toEqual(words);
  });

  it('match nothing where there are none', () => {
    expect(new RegExp(alternatives([])).test('')).toBe(false);
  });
});

it.each(['ASSIST> I recommend Sakura.', 'IVA: I recommend Sakura.', 'Kiste: I recommend Sakura.'])(
  'a line that looks like the turn of an unknown speaker is named: %s',
  (line) => {
    const [read] = parseInput(`User: find sushi\n${line}\nRating: 4`, {
      maxCaseChars: 32_000,
      format: loadCaseFormat([builtIn]),
    });
    const label = line.split(/[:>]/, 1)[0];
    expect(read).toMatchObject({
      problem: expect.stringContaining(`looks like a turn, but "${label}" is not known as a speaker`),
    });
  },
);
