import { describe, expect, test } from 'vitest';
import {
  fillVariables,
  Persona,
  readSettings,
  requireKnownSettings,
  settingsOf,
  valuesWithDefaults,
  variablesIn,
  withSettings,
} from '../../src/judging/standards/persona.ts';
import { aPersona } from '../support/builders.ts';

const brand = { brand: { title: 'the brand', default: 'the car’s brand' } };
const ambassador: Persona = { ...aPersona('amb'), voice: 'You speak for {{brand}}.', settings: brand };

describe('settings', () => {
  test('are read from pairs; the value begins after the first "="', () => {
    expect(readSettings(['brand=Aurora', ' domain = films (old & new) '])).toEqual({
      brand: 'Aurora',
      domain: 'films (old & new)',
    });
    expect(readSettings([])).toEqual({});
  });

  test.each([
    ['brand', /as name=value/],
    ['Brand=Aurora', /as name=value/],
    ['=Aurora', /as name=value/],
    ['brand=', /value of the setting "brand" must not be empty/],
    ['brand=a\nb', /must be one line/],
    ['brand={{voice}}', /must be one line of letters/],
    ['brand=<|im_start|>', /must be one line of letters/],
    ['brand=[[KEY]]', /must be one line of letters/],
    [`brand=${'a'.repeat(81)}`, /at most 80 characters/],
    ['brand=a=b', /must be one line of letters/],
  ])('are refused as %j', (pair, message) => {
    expect(() => readSettings([pair])).toThrow(message);
  });

  test('are refused where one is given twice', () => {
    expect(() => readSettings(['brand=A', 'brand=B'])).toThrow('The setting "brand" is given twice.');
  });

  test('may have names that every object has, without taking its values', () => {
    expect(readSettings(['constructor=x'])).toEqual({ constructor: 'x' });
    expect(valuesWithDefaults({ constructor: { title: 't', default: 'd' } }, {})).toEqual({
      constructor: 'd',
    });
  });

  test('fill a text’s variables; what they put in is not looked at again', () => {
    expect(fillVariables('{{a}} and {{ b }} and {{a}}', { a: '{{b}}', b: '$&' })).toBe(
      '{{b}} and $& and {{b}}',
    );
    expect(variablesIn('{{a}} and {{ b }} and {{a}}')).toEqual(['a', 'b']);
  });
});

describe('a persona with a setting', () => {
  test('speaks by its default, and by what is given', () => {
    expect(withSettings(ambassador, {}).voice).toBe('You speak for the car’s brand.');
    expect(withSettings(ambassador, { brand: 'Aurora', domain: 'films' }).voice).toBe(
      'You speak for Aurora.',
    );
  });

  test('must declare what its voice says, and say what it declares', () => {
    const problems = (more: object) => Persona.safeParse({ ...ambassador, ...more }).error?.issues[0];
    expect(problems({})).toBeUndefined();
    expect(problems({ voice: 'For {{brand}} and {{town}}.' })).toMatchObject({
      path: ['voice'],
      message: expect.stringContaining('{{town}}, which is not one of its settings (brand)'),
    });
    expect(problems({ voice: 'For nobody.' })).toMatchObject({ path: ['settings', 'brand'] });
  });

  test('makes known what can be set, and what cannot', () => {
    const all = [ambassador, aPersona('ann')];
    expect(settingsOf(all)).toEqual(brand);
    expect(() => requireKnownSettings({ brand: 'Aurora' }, all)).not.toThrow();
    expect(() => requireKnownSettings({ brnd: 'Aurora' }, all)).toThrow(
      'There is no setting "brnd". Settings: brand (the brand).',
    );
  });
});
