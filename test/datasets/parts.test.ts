import { describe, expect, test } from 'vitest';
import { expand, loadDomain } from '../../src/datasets/generate.ts';
import { minutesLeft, Week } from '../../src/datasets/generator-scene.ts';
import { createRandom } from '../../src/statistics/random.ts';
import { builtIn, folderWith } from '../support/built-in.ts';

const text = (grammar: Record<string, string[]>, slots: Record<string, string> = {}) =>
  expand(grammar, 'start', slots, createRandom('test'));

describe('a grammar', () => {
  test('fills holes with slots and with its other texts', () => {
    expect(text({ start: ['{hey}, {food.kind} please.'], hey: ['hello'] }, { 'food.kind': 'ramen' })).toBe(
      'Hello, ramen please.',
    );
  });

  test('takes only texts that can be filled, however deep the hole', () => {
    expect(text({ start: ['{a}', '{b}'], a: ['{c}'], c: ['{missing}'], b: ['yes'] })).toBe('Yes');
  });

  test.each([
    ['a(n) apple', 'An apple'],
    ['a(n) pear', 'A pear'],
    ['find a(n) {x} place', 'Find an upscale place'],
    ['one .  two ?three', 'One. Two?three'],
    ['yes. no', 'Yes. No'],
  ])('tidies %j to %j', (raw, tidy) => {
    expect(text({ start: [raw] }, { x: 'upscale' })).toBe(tidy);
  });

  test('says what it lacks where nothing can be filled', () => {
    expect(() => text({ start: ['{a}'] }, { b: 'x' })).toThrow(/No text under "start" .* filled with b/);
  });

  test('says where it is circular', () => {
    expect(() => text({ start: ['{a}'], a: ['{start}'] })).toThrow(/start → a → start/);
  });
});

const week = Week.parse({ 'mon-thu': '11:30-14:30, 18:00-01:00', fri: '00:00-00:00', 'sat-sun': 'closed' });

describe('a week of hours', () => {
  test.each([
    ['monday', '11:29', 0],
    ['monday', '11:30', 180],
    ['monday', '14:30', 0],
    ['monday', '23:00', 120],
    ['tuesday', '00:30', 30],
    ['tuesday', '01:00', 0],
    ['monday', '00:30', 0],
    ['friday', '00:00', 1440],
    ['saturday', '12:00', 0],
  ] as const)('on %s at %s leaves %i minutes', (day, clock, left) => {
    const [hour = 0, minute = 0] = clock.split(':').map(Number);
    expect(minutesLeft(week, day, hour * 60 + minute)).toBe(left);
  });

  test('is said as a case says it', () => {
    expect(week).toEqual({
      monday: '11:30-14:30, 18:00-01:00',
      tuesday: '11:30-14:30, 18:00-01:00',
      wednesday: '11:30-14:30, 18:00-01:00',
      thursday: '11:30-14:30, 18:00-01:00',
      friday: '00:00-24:00',
      saturday: 'closed',
      sunday: 'closed',
    });
  });

  test.each([
    [{ 'mon-fri': 'closed' }],
    [{ 'mon-sun': 'closed', tue: 'closed' }],
    [{ 'mon-sun': '9-17' }],
    [{ may: 'closed' }],
  ])('that is not whole or not readable is refused: %j', (texts) => {
    expect(Week.safeParse(texts).success).toBe(false);
  });
});

describe('a domain file', () => {
  test('that is not there is named with those that are', () => {
    expect(() => loadDomain([builtIn], 'nothing')).toThrow(
      /There is no domain "nothing"\. There are: .*navigation/,
    );
  });

  test('that is wrong is named with file, key and what is allowed', () => {
    const folder = folderWith({ 'datasets/mine.yaml': 'title: Mine\nrubric: navigation\nareas: x\n' });
    expect(() => loadDomain([builtIn, folder], 'mine')).toThrow(
      /mine\.yaml: source: is missing[\s\S]*grammar: is missing/,
    );
  });
});
