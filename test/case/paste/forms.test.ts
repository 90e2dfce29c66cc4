import { describe, expect, it } from 'vitest';
import { parseInput } from '../../../src/case/paste/parse-input.ts';
import { builtInLibrary } from '../../support/built-in.ts';
import { caseOf, LIMIT, problemOf } from './parse.ts';

describe('a request and its answer', () => {
  it.each([
    ['letters', 'N: Ruf Lisa an\nA: Ich rufe Lisa an.', 'Ruf Lisa an', 'Ich rufe Lisa an.'],
    ['an equals sign', 'User = louder\nSystem = Volume is 30 %.', 'louder', 'Volume is 30 %.'],
    ['an equals sign', 'Nutzer = lauter\nSystem = Gern.', 'lauter', 'Gern.'],
    ['a phrase', 'Spoken by user: open it\nAnswer by the assistant: No.', 'open it', 'No.'],
    ['a phrase', 'Der User sagt: Ich will Sushi\nDas System antwortet: Gern.', 'Ich will Sushi', 'Gern.'],
    ['a phrase', 'Der Nutzer sagt: lauter\nAntwort vom System: Gern.', 'lauter', 'Gern.'],
    ['a short name', '> **Driver**: is it open\n> **VA**: It is.', 'is it open', 'It is.'],
    ['a short name', 'User1: is it open\nVPA: It is.', 'is it open', 'It is.'],
    ['a list in YAML', '- rolle: nutzer\n  text: lauter\n- rolle: system\n  text: Gern.', 'lauter', 'Gern.'],
    [
      'a list in YAML',
      '- role: user\n  content: louder\n- role: assistant\n  content: Done.',
      'louder',
      'Done.',
    ],
    ['a table of turns', 'Sprecher\tÄußerung\nFahrer\tlauter\nSystem\tGern.', 'lauter', 'Gern.'],
    ['a table of turns', 'Sprecher;Aussage\nFahrer;lauter\nSystem;Gern.', 'lauter', 'Gern.'],
    [
      'letters in a message',
      'Dev Patel\n  3:15 PM\nanother one\nU: louder\nS: Done.\n\nSofia Lind\n  3:17 PM\nfine with me',
      'louder',
      'Done.',
    ],
  ])('is read with %s: %j', (_, paste, said, response) => {
    const { case: read } = caseOf(paste);
    expect(read.conversation).toEqual([{ role: 'user', text: said }]);
    expect(read.response).toBe(response);
  });

  it.each([
    'User: wo ist Bonn\nOrakel: Am Rhein.\nUser: und Köln\nOrakel: Auch am Rhein.',
    'Driver: louder\nZoe: Done.\nDriver: too loud\nZoe: Sorry.',
  ])('is read where one unknown speaker takes turns with a known one, and that is said: %j', (paste) => {
    const { case: read, assumed } = caseOf(paste);
    expect(read.conversation).toHaveLength(3);
    expect(assumed.join()).toMatch(/read "(?:Orakel|Zoe)" as the system/);
  });

  it('is not made of one known speaker and one line with another name', () => {
    expect(problemOf('User: louder\nRemarks: was not heard').problem).toContain('No label says who speaks');
  });

  it('is not begun by what a car reports', () => {
    const { case: read } = caseOf('User: a\nSystem: Done.\nAuto = an\nModel = X5');
    expect(read.response).toBe('Done.');
  });
});

describe('data of a place', () => {
  it('has its labels in bold letters', () => {
    const { case: read } = caseOf(
      '**User:** a\n**System:** b\n\n**Name:** Luigi\n**Cost:** high\n**Rating:** 4.6',
    );
    expect(read.recommendation).toEqual({ name: 'Luigi', cost: 'high', rating: 4.6 });
  });

  it('holds the hours of a day below any of its lines', () => {
    const { case: read } = caseOf(
      'User: a\nSystem: b\ncontext\ndate: 2026-02-23\nname: Luigi\nmonday: 10:00-20:00',
    );
    expect(read.recommendation).toEqual({ name: 'Luigi', openingHours: { monday: '10:00-20:00' } });
  });

  it.each(['Fahrtdauer', 'Fahrzeit', 'Duration'])('has the drive: %s', (label) => {
    const { case: read } = caseOf(`User: a\nSystem: b\n${label}: 8 min`);
    expect(read.recommendation?.durationMin).toBe(8);
  });
});

it.each(['"""', "'''", '~~~'])('%s alone on its line stands around a block and is in no answer', (fence) => {
  const { case: read } = caseOf(
    `${fence}\nUser: where can I charge\nBot: At City Garage.\n${fence}\nPlugs: Type 2`,
  );
  expect(read).toMatchObject({ response: 'At City Garage.' });
});

it('what the car reports below what it says of its work is its state', () => {
  const paste =
    'User: my hands are cold\nCar: Done.\nDevice: steering wheel heating\nOperation: on\nResult: done\nsteering_wheel_heat: on';
  expect(parseInput(paste, { maxCaseChars: LIMIT, format: builtInLibrary().caseFormat })).toMatchObject([
    { case: { action: { result: 'done' }, context: { reportedState: 'steering_wheel_heat: on' } } },
  ]);
});

it('an object among words of the user is one of them', () => {
  const { case: read } = caseOf('User: say {"a": 1} to my phone\nSystem: Said.');
  expect(read.conversation).toEqual([{ role: 'user', text: 'say {"a": 1} to my phone' }]);
});
