import { describe, expect, test } from 'vitest';
import type { RunManifest } from '../../src/benchmark/run-manifest.ts';
import { yardstickHash } from '../../src/benchmark/yardstick.ts';
import { aConfiguration, aManifest, someSettings } from '../support/run-builders.ts';

const sources = { rubrics: { plain: 'a', other: 'b' }, methods: { io: 'm' } };
const wordings = { 'plain, io, auditor': 'sha256:1', 'plain, rules': 'sha256:2', 'other, io': 'sha256:3' };
const settings = someSettings({ panel: ['auditor'], values: { tone: 'strict', length: 'short' } });
const run = (parts: Partial<RunManifest> = {}) => aManifest({ settings, sources, wordings, ...parts });
const of = (parts: Partial<RunManifest> = {}) => yardstickHash(run(parts), 'plain');

describe('the yardstick of a rubric’s judgements', () => {
  test('has the hash that review samples keep', () => {
    // The first 22 characters of the SHA-256, in base64url, of
    // {"rubric":["plain","a"],"method":["io","m"],"models":["rules"],
    //  "seats":[null,["auditor"],[["length","short"],["tone","strict"]]],
    //  "prompts":[["plain, io, auditor","sha256:1"],["plain, rules","sha256:2"]]} without line breaks and the spaces after them.
    expect(of()).toBe('Ef261NctO5_Fs0U66lcg6L');
    // {"rubric":["plain",null],"method":["io",null],"models":["rules"],"seats":[null,null,[]],"prompts":[["plain, io","sha256:1"]]}
    expect(yardstickHash(aManifest(), 'plain')).toBe('iKC_nkVP9u90kqkPluG_9q');
  });

  test.each<[string, Partial<RunManifest>]>([
    ['name and moment', { name: 'r2', createdAt: '2026-11-22T09:00:00.000Z' }],
    ['cases', { dataset: { source: 'other.jsonl', cases: 9, labeled: 0, hash: 'def' } }],
    ['another rubric', { sources: { ...sources, rubrics: { plain: 'a', other: 'c' } } }],
    ['another rubric’s prompts', { wordings: { ...wordings, 'other, io': 'sha256:9' } }],
    ['another method’s prompts', { wordings: { ...wordings, 'plain, mad': 'sha256:9' } }],
    [
      'a further configuration',
      { configurations: [aConfiguration(), aConfiguration({ id: 'mad rules t0 #1', method: 'mad' })] },
    ],
  ])('does not depend on %s', (_, parts) => {
    expect(of(parts)).toBe(of());
  });

  test.each<[string, Partial<RunManifest>]>([
    ['the rubric', { sources: { ...sources, rubrics: { plain: 'c' } } }],
    ['the method', { sources: { ...sources, methods: { io: 'n' } } }],
    ['whether the rubric is recorded', { sources: undefined }],
    ['the prompts', { wordings: { ...wordings, 'plain, io, auditor': 'sha256:9' } }],
    ['the exact checks', { wordings: { ...wordings, 'plain, rules': 'sha256:9' } }],
    ['the models', { configurations: [aConfiguration({ models: ['openai/gpt-5'] })] }],
    ['the temperature', { configurations: [aConfiguration({ temperature: 1 })] }],
    ['the personas', { settings: { ...settings, panel: ['skeptic'] } }],
    ['a setting of personas', { settings: { ...settings, values: { tone: 'mild', length: 'short' } } }],
  ])('depends on %s', (_, parts) => {
    expect(of(parts)).not.toBe(of());
  });

  test('is that of another setup where one is named', () => {
    const setup = { method: 'io', models: ['openai/gpt-5'], temperature: null };
    expect(yardstickHash(run(), 'plain', setup)).toBe(of({ configurations: [aConfiguration(setup)] }));
  });
});
