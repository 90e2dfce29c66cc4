import { describe, expect, test } from 'vitest';
import { JuryError } from '../../src/common/errors.ts';
import { type Method, overrideMethod, seatPanel } from '../../src/judging/standards/method.ts';
import { aDebate, aMethod, aPersona } from '../support/builders.ts';

const usual = [aPersona('ann'), aPersona('bob')];

/** Who sits, as `persona/model#sample`. */
function seated(seats: Method['seats'], models: string[], chosen: string[] | null = null, more = {}) {
  const temperature = typeof seats === 'object' ? 0.7 : 0;
  const method = aMethod({ seats, temperature, ...more });
  const panel = seatPanel({ method, models, chosen: chosen?.map(aPersona) ?? null, rubricPanel: usual });
  return panel.seats.map(({ judge }) => `${judge.persona ?? '–'}/${judge.model}#${judge.sample}`);
}

describe('who sits', () => {
  test.each([
    ['one', ['m'], null, ['–/m#0']],
    ['one, with a persona', ['m'], ['cy'], ['cy/m#0'], 'one'],
    ['personas', ['m'], null, ['ann/m#0', 'bob/m#0']],
    ['chosen personas', ['m'], ['cy'], ['cy/m#0'], 'personas'],
    ['models', ['m', 'n'], null, ['–/m#0', '–/n#0']],
    ['models, with a persona', ['m', 'n'], ['cy'], ['cy/m#0', 'cy/n#0'], 'models'],
    ['the same model twice', ['m', 'm', 'n'], null, ['–/m#0', '–/m#1', '–/n#0'], 'models'],
    [
      'personas and models',
      ['m', 'n'],
      null,
      ['ann/m#0', 'bob/m#0', 'ann/n#0', 'bob/n#0'],
      'personas-and-models',
    ],
    ['personas paired with models', ['n', 'm'], null, ['ann/n#0', 'bob/m#0'], 'pairs'],
    ['personas paired with one model twice', ['m', 'm'], null, ['ann/m#0', 'bob/m#0'], 'pairs'],
  ] as const)('%s', (name, models, chosen, expected, seats?: Method['seats']) => {
    const kind = seats ?? (name === 'one' || name === 'personas' || name === 'models' ? name : 'one');
    expect(seated(kind, [...models], chosen === null ? null : [...chosen])).toEqual(expected);
  });

  test('three samples of one judge', () => {
    expect(seated({ samples: 3 }, ['m'])).toEqual(['–/m#0', '–/m#1', '–/m#2']);
  });

  test('five agents, models dealt in turn', () => {
    expect(seated({ agents: 5 }, ['m', 'n'])).toEqual(['–/m#0', '–/n#0', '–/m#1', '–/n#1', '–/m#2']);
  });

  test('one judge who plays the usual personas', () => {
    const panel = seatPanel({
      method: aMethod({ seats: 'one', playsPanel: true }),
      models: ['m'],
      chosen: null,
      rubricPanel: usual,
    });
    expect(panel.cast.map(({ id }) => id)).toEqual(['ann', 'bob']);
    expect(panel.seats[0]?.persona).toBeNull();
  });

  test('a panel of one is noted where the method is about several', () => {
    const panel = seatPanel({
      method: aMethod({ seats: 'models' }),
      models: ['m'],
      chosen: null,
      rubricPanel: usual,
    });
    expect(panel.notes).toHaveLength(1);
    const single = seatPanel({
      method: aMethod(),
      models: ['m'],
      chosen: null,
      rubricPanel: usual.slice(0, 1),
    });
    expect(single.notes).toHaveLength(1);
    const one = aMethod({ seats: 'one' });
    expect(seatPanel({ method: one, models: ['m'], chosen: null, rubricPanel: usual }).notes).toEqual([]);
  });
});

describe('what a method cannot seat is refused', () => {
  test.each([
    [
      'another number of models than of personas, in pairs',
      () => seated('pairs', ['m', 'n', 'o']),
      /there are 2 personas \(ann, bob\) and 3 models \(m, n, o\)/,
    ],
    [
      'one model for several personas, in pairs',
      () => seated('pairs', ['m']),
      /there are 2 personas \(ann, bob\) and 1 model \(m\)/,
    ],
    [
      'several models for one persona, in pairs',
      () => seated('pairs', ['m', 'n'], ['cy']),
      /there is 1 persona \(cy\) and 2 models \(m, n\)/,
    ],
    [
      'several models where one is asked',
      () => seated('personas', ['m', 'n']),
      /uses one model, but the request names 2 \(m, n\)/,
    ],
    ['several samples of several models', () => seated({ samples: 3 }, ['m', 'n']), /uses one model/],
    [
      'several personas where none sit',
      () => seated('one', ['m'], ['ann', 'bob']),
      /uses at most one persona, but the request names 2/,
    ],
    [
      'more personas than agents',
      () => seated({ agents: 2 }, ['m'], ['ann', 'bob', 'cy']),
      /has 2 agents, but the request names more/,
    ],
  ])('%s', (_name, seat, message) => {
    expect(seat).toThrow(JuryError);
    expect(seat).toThrow(message);
  });
});

describe('settings of the caller’s', () => {
  test('take the place of the method’s', () => {
    expect(overrideMethod(aDebate(), { rounds: 2, temperature: 0.5 })).toMatchObject({
      rounds: 2,
      temperature: 0.5,
    });
  });

  test('make a debate of one round a plain vote', () => {
    expect(overrideMethod(aDebate(), { rounds: 1 })).toMatchObject({
      rounds: 1,
      sees: 'nothing',
      stop: 'never',
    });
  });

  test('allow samples at temperature 0, with a remark', () => {
    const method = overrideMethod(aMethod({ seats: { samples: 3 }, temperature: 1 }), { temperature: 0 });
    const { seats, notes } = seatPanel({ method, models: ['test/a'], chosen: null, rubricPanel: [] });
    expect(seats.map(({ judge }) => judge.sample)).toEqual([0, 1, 2]);
    expect(notes.join()).toContain('at temperature 0 asks one judge the same question 3 times');
  });

  test('can have every sample asked, and let debates end all the same', () => {
    const samples = aMethod({ seats: { samples: 3 }, temperature: 1, stop: 'decided' });
    expect(overrideMethod(samples, { earlyStop: false }).stop).toBe('never');
    expect(overrideMethod(samples, { earlyStop: true }).stop).toBe('decided');
    expect(overrideMethod(aDebate(), { earlyStop: false }).stop).toBe('unanimous');
  });

  test('can stop any vote of equals once it is decided', () => {
    const panel = aMethod({ seats: 'personas', stop: 'never' });
    expect(overrideMethod(panel, { stop: 'decided' })).toEqual({ ...panel, stop: 'decided' });
    expect(overrideMethod(aDebate(), { rounds: 1, stop: 'decided' }).stop).toBe('decided');
    expect(() => overrideMethod(aDebate(), { stop: 'decided' })).toThrow(/answer again after/);
    expect(() => overrideMethod(aMethod({ reduce: 'mean' }), { stop: 'decided' })).toThrow(
      /every answer counts/,
    );
    expect(() => overrideMethod(panel, { stop: 'decided', earlyStop: false })).toThrow(/says both/);
  });

  test.each([
    ['rounds for a method without debate', () => overrideMethod(aMethod(), { rounds: 3 }), /has one round/],
  ])('are refused where they make no sense: %s', (_name, override, message) => {
    expect(override).toThrow(message);
  });
});
