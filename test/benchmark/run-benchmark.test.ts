import { describe, expect, test } from 'vitest';
import {
  chainOf,
  configurationsOf,
  openKeys,
  placesOf,
  plannedTrials,
  runDifferences,
  subjectOf,
} from '../../src/benchmark/run-manifest.ts';
import { aDebate, aMethod } from '../support/builders.ts';
import { aConfiguration, aManifest, someSettings } from '../support/run-builders.ts';

const ids = (...args: Parameters<typeof configurationsOf>) => configurationsOf(...args).map(({ id }) => id);

describe('the configurations of a run', () => {
  test('are the product of methods, models, temperatures and repeats', () => {
    const settings = someSettings({ models: ['a/x', 'b/y'], temperatures: [0, 0.5], repeats: 2 });
    const methods = [aMethod({ id: 'io', seats: 'one' }), aMethod({ id: 'mab' })];
    expect(configurationsOf(settings, methods)).toHaveLength(2 * 2 * 2 * 2);
    expect(ids(settings, methods).slice(0, 4)).toEqual([
      'io a/x t0 #1',
      'io a/x t0.5 #1',
      'io b/y t0 #1',
      'io b/y t0.5 #1',
    ]);
  });

  test('keep the temperature of each method where none is named', () => {
    const settings = someSettings({ models: ['a/x'] });
    const [one] = configurationsOf(settings, [
      aMethod({ id: 'sc', seats: { samples: 3 }, temperature: 0.7 }),
    ]);
    expect(one).toMatchObject({ id: 'sc a/x t0.7 #1', temperature: null });
  });

  test.each(['models', 'personas-and-models', { agents: 5 }] as const)(
    'seat all models as one panel where the seats are %o',
    (seats) => {
      const settings = someSettings({ models: ['a/x', 'b/y'] });
      expect(ids(settings, [aMethod({ seats })])).toEqual(['m a/x+b/y t0 #1']);
    },
  );

  test('seat each panel where there are several, and single judges on every model', () => {
    const panels = [
      { name: 'duo', models: ['a/x', 'b/y'] },
      { name: 'twice', models: ['a/x', 'a/x'] },
    ];
    const settings = someSettings({ models: ['a/x'], panels });
    const made = configurationsOf(settings, [
      aMethod({ id: 'io', seats: 'one' }),
      aMethod({ seats: 'models' }),
    ]);
    expect(made.map(({ id, models, panel }) => [id, models, panel])).toEqual([
      ['io a/x t0 #1', ['a/x'], undefined],
      ['m duo t0 #1', ['a/x', 'b/y'], 'duo'],
      ['m twice t0 #1', ['a/x', 'a/x'], 'twice'],
    ]);
  });

  test('have a vote after each debate where calls are to be equal, and after nothing else', () => {
    const settings = someSettings({ models: ['a/x'], equalCalls: true });
    const made = configurationsOf(settings, [aMethod({ id: 'mab' }), aDebate({ id: 'mad' })]);
    expect(made.map(({ id, equalCallsOf }) => [id, equalCallsOf])).toEqual([
      ['mab a/x t0 #1', null],
      ['mad a/x t0 #1', null],
      ['mad a/x t0 #1 vote', 'mad a/x t0 #1'],
    ]);
  });
});

describe('the trials of a run', () => {
  const manifest = aManifest({
    configurations: [
      aConfiguration({ id: 'io' }),
      aConfiguration({ id: 'mad' }),
      aConfiguration({ id: 'mad vote', equalCallsOf: 'mad' }),
    ],
    dataset: { source: 'x', cases: 2, labeled: 0, hash: 'h' },
  });

  test('begin case by case, votes after their debates', () => {
    expect([...openKeys(manifest, new Set())]).toEqual(['0-0', '1-0', '0-1', '1-1']);
    expect(chainOf(manifest, '1-1')).toEqual(['1-1', '2-1']);
    expect(chainOf(manifest, '0-1')).toEqual(['0-1']);
    expect(plannedTrials(manifest)).toBe(6);
  });

  test('have keys that say where they belong', () => {
    expect(placesOf('12-345')).toEqual({ configuration: 12, index: 345 });
    expect(placesOf('12')).toBeNull();
    expect(chainOf(manifest, '7-0')).toEqual([]);
  });
});

describe('a run that is asked for again', () => {
  test('is the same whatever its time, name and series', () => {
    expect(runDifferences(aManifest(), aManifest({ createdAt: '2027-01-01T00:00:00.000Z' }))).toEqual([]);
    expect(runDifferences(aManifest({ series: 'main' }), aManifest({ series: 'pr' }))).toEqual([]);
  });

  test('differs in settings, data and wording, each named', () => {
    const asked = aManifest({
      settings: someSettings({ seed: 7, temperatures: [0, 0.5] }),
      dataset: { source: 'other.jsonl', cases: 3, labeled: 3, hash: 'def' },
      wordings: { 'plain, io': 'sha256:2' },
    });
    expect(runDifferences(aManifest(), asked)).toEqual([
      'temperatures: none → 0, 0.5',
      'seed: none → 7',
      'dataset: cases.jsonl → other.jsonl',
      'wording of plain, io',
    ]);
  });

  test('says panels, values and early stop as people wrote them', () => {
    const asked = aManifest({
      settings: someSettings({
        panels: [{ name: 'duo', models: ['openai/a', 'openai/b'] }],
        values: { brand: 'Aurora' },
        earlyStop: false,
      }),
    });
    expect(runDifferences(aManifest(), asked).sort()).toEqual([
      'early stop: yes → no',
      'panels: none → duo (openai/a, openai/b)',
      'values: none → brand=Aurora',
    ]);
  });

  test('does not blame wording for what other settings bring', () => {
    const asked = aManifest({
      settings: someSettings({ methods: ['mab'] }),
      wordings: { 'plain, mab, ann': 'sha256:3' },
    });
    expect(runDifferences(aManifest(), asked)).toEqual(['methods: io → mab']);
  });
});

describe('a run is about', () => {
  const [io, mab] = [aConfiguration(), aConfiguration({ id: 'mab rules t0 #1', method: 'mab' })];
  const again = aConfiguration({ id: 'io rules t0 #2', repeat: 2 });
  test.each([
    {
      what: 'the assistant where one way of judging judges labeled cases',
      configurations: [io],
      labeled: 3,
      is: 'assistant',
    },
    { what: 'the assistant where it is repeated', configurations: [io, again], labeled: 3, is: 'assistant' },
    {
      what: 'the judges where several judge labeled cases',
      configurations: [io, mab],
      labeled: 3,
      is: 'judges',
    },
    {
      what: 'the assistant where labels are missing',
      configurations: [io, mab],
      labeled: 2,
      is: 'assistant',
    },
    { what: 'what it states', configurations: [io], labeled: 3, subject: 'judges' as const, is: 'judges' },
  ])('$what', ({ what: _, is, labeled, ...parts }) => {
    const dataset = { source: 'x', cases: 3, labeled, hash: 'h' };
    expect(subjectOf(aManifest({ ...parts, dataset }))).toBe(is);
  });
});
