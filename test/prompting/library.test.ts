import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { readLibrary } from '../../src/prompting/read-library.ts';
import { builtIn, folderWith } from '../support/built-in.ts';

const load = (files: Record<string, string>) => readLibrary([builtIn, folderWith(files)]);

const METHOD = `title: Three at once
source: ours
seats: { samples: 3 }
examples: 0
reasoning: brief
rounds: 1
sees: nothing
stop: decided
reduce: majority
confidence: false
temperature: 0.7
`;

const RUBRIC = `title: Politeness
source: ours
task: Decide whether the answer is polite.
decide: all
panel: [auditor]
method: io
criteria:
  - { id: tone, title: Tone, rule: It is friendly. }
`;

describe('the built-in prompts', () => {
  const library = readLibrary([builtIn]);

  test('hold every method of the papers', () => {
    expect([...library.methods.keys()].sort()).toEqual(
      [
        'core-average',
        'core-debate',
        'core-debate-pairs',
        'core-factors',
        'cot-0',
        'cot-0-sc-3',
        'cot-1',
        'cot-3',
        'cot-5',
        'io',
        'io-plain',
        'mab',
        'mad',
        'max-vote',
        'mpsc',
        'roundtable',
        'roundtable-0',
        'roundtable-5',
        'sc-3',
        'sc-5',
      ].sort(),
    );
  });

  test('have worked examples without a fault', () => {
    for (const rubric of library.rubrics.keys()) expect(() => library.exemplars(rubric)).not.toThrow();
  });

  test('have five worked examples for navigation: one clean pass, and every kind of error', () => {
    const exemplars = library.exemplars('navigation');
    const faults = exemplars.flatMap(({ reply }) =>
      Object.entries(reply.criteria).filter(([, finding]) => finding.decision === 'fail'),
    );
    expect(exemplars).toHaveLength(5);
    expect(exemplars.filter(({ reply }) => reply.decision === 'pass')).toHaveLength(1);
    expect(faults.map(([id]) => id).sort()).toEqual(['cost', 'cuisine', 'location', 'rating', 'time']);
  });
});

describe('the rubric of twelve factors', () => {
  const library = readLibrary([builtIn]);
  const core = library.rubrics.get('core');

  test('has the factors of the paper in its four dimensions, each from 0 to 4', () => {
    const dimensions = new Map<string | undefined, string[]>();
    for (const { id, dimension, scale } of core?.criteria ?? []) {
      dimensions.set(dimension, [...(dimensions.get(dimension) ?? []), id]);
      expect(scale).toMatchObject({ min: 0, max: 4, levels: { 0: expect.anything(), 4: expect.anything() } });
    }
    expect([...dimensions]).toEqual([
      ['Dialogue actions', ['coherence', 'recoverability', 'proactiveness']],
      ['Language expression', ['grammar', 'naturalness', 'appropriateness']],
      ['Recommended items', ['effectiveness', 'novelty', 'diversity']],
      ['Response content', ['semantic-relevance', 'explainability', 'groundness']],
    ]);
  });

  test('has four roles, whose interests share the factors out among them', () => {
    const interests = Object.values(core?.interests ?? {}).flat();
    expect(Object.keys(core?.interests ?? {})).toEqual(core?.panel);
    expect(interests.sort()).toEqual(core?.criteria.map(({ id }) => id).sort());
  });

  test('has worked examples that show every level', () => {
    const levels = library
      .exemplars('core')
      .flatMap(({ reply }) => Object.values(reply.criteria).map(({ score }) => score));
    expect([...new Set(levels)].sort()).toEqual([0, 1, 2, 3, 4]);
  });
});

describe('a folder of one’s own', () => {
  test('adds to the built-in one', () => {
    const library = load({ 'methods/three.yaml': METHOD, 'rubrics/polite.yaml': RUBRIC });
    expect(library.methods.get('three')?.title).toBe('Three at once');
    expect(library.rubrics.get('polite')?.criteria[0]?.scale).toBe('binary');
    expect(library.methods.has('io')).toBe(true);
  });

  test('overrides what has the same id', () => {
    expect(load({ 'methods/io.yaml': METHOD }).methods.get('io')?.title).toBe('Three at once');
  });

  test.each([
    [
      'a value that is not allowed',
      'methods/x.yaml',
      METHOD.replace('stop: decided', 'stop: soon'),
      /x\.yaml: stop: must be "never", "decided" or "unanimous"/,
    ],
    [
      'an unknown seating',
      'methods/x.yaml',
      METHOD.replace('{ samples: 3 }', 'everybody'),
      /x\.yaml: seats: must be one of: one, personas/,
    ],
    [
      'a key that does not exist',
      'methods/x.yaml',
      `${METHOD}judges: 3\n`,
      /x\.yaml: judges: is not a known key; choose from: id, title, titles, source, seats/,
    ],
    ['a missing key', 'methods/x.yaml', METHOD.replace('rounds: 1\n', ''), /x\.yaml: rounds: is missing/],
    [
      'settings that contradict each other',
      'methods/x.yaml',
      METHOD.replace('reduce: majority', 'reduce: weighted'),
      /x\.yaml: confidence: must be true if reduce is "weighted"/,
    ],
    [
      'a value of another kind',
      'methods/x.yaml',
      METHOD.replace('rounds: 1', 'rounds: many'),
      /x\.yaml: rounds: must be a (whole )?number/,
    ],
    [
      'a folder that nothing is read from',
      'rubric/x.yaml',
      RUBRIC,
      /rubric: is not a known folder; choose from: rubrics/,
    ],
    [
      'a rubric beside its folder',
      'polite.yaml',
      RUBRIC,
      /polite\.yaml: is not read there: move it to .*rubrics\/polite\.yaml/,
    ],
    [
      'one file of rubrics',
      'rubrics.yaml',
      'polite: {}',
      /rubrics\.yaml: is not read there: write a file for each of the rubrics, such as .*rubrics\/my-own\.yaml/,
    ],
    [
      'a method beside its folder',
      'x.yml',
      METHOD,
      /x\.yml: is not read there: move it to .*methods\/x\.yaml/,
    ],
    [
      'a persona beside its folder',
      'host.md',
      '---\ntitle: Host\n---\nYou.',
      /host\.md: is not read there: move it to .*personas\/host\.md/,
    ],
    ['a rubric in JSON', 'rubrics/x.json', '{}', /x\.json: is not read: files in rubrics end in \.yaml/],
    [
      'a persona in YAML',
      'personas/x.yaml',
      'title: X',
      /x\.yaml: is not read: files in personas end in \.md/,
    ],
    ['broken YAML', 'methods/x.yaml', 'title: [', /x\.yaml: is not valid YAML: .*line 1/],
    [
      'a persona that does not exist',
      'rubrics/x.yaml',
      RUBRIC.replace('auditor', 'nobody'),
      /rubrics\/x\.yaml: panel: no persona "nobody"; choose from: auditor, /,
    ],
    [
      'a criterion on the wrong scale',
      'rubrics/x.yaml',
      RUBRIC.replace('decide: all', 'decide: mean'),
      /criteria\.0\.scale: must be a number scale/,
    ],
    [
      'a check that does not exist',
      'rubrics/x.yaml',
      RUBRIC.replace('friendly. }', 'friendly., check: { type: opne-at } }'),
      /criteria\.0\.check\.type: must be "drive-at-most", "open-at", .* or "says-same"$/m,
    ],
    [
      'an interest in a criterion that does not exist',
      'rubrics/x.yaml',
      `${RUBRIC}interests: { auditor: [grace] }\n`,
      /x\.yaml: interests\.auditor: there is no criterion "grace"; choose from: tone/,
    ],
    [
      'interests of nobody',
      'rubrics/x.yaml',
      `${RUBRIC}interests: { nobody: [tone] }\n`,
      /x\.yaml: interests: no persona "nobody"; choose from: auditor, /,
    ],
    [
      'an overall question that passes or fails',
      'rubrics/x.yaml',
      `${RUBRIC}overall: { title: T, task: T, rule: R, scale: binary }\n`,
      /x\.yaml: overall\.scale: must be a number scale \{min, max\}/,
    ],
    [
      'a method that asks for an overall question where there is none',
      'rubrics/x.yaml',
      RUBRIC.replace('method: io', 'method: core-debate'),
      /x\.yaml: method: "core-debate" rates criteria first .* rubric "x" has no "overall"/,
    ],
    [
      'ratings of an unknown kind',
      'methods/x.yaml',
      `${METHOD}ratedFirst: { criteria: apart, examples: 0, reasoning: brief, temperature: 0 }\n`,
      /x\.yaml: ratedFirst\.criteria: must be "together" or "one-by-one"/,
    ],
    [
      'a voice with a setting that it does not declare',
      'personas/x.md',
      '---\ntitle: X\nsource: ours\n---\nYou are from {{town}}.',
      /x\.md: voice: uses \{\{town\}\}, which is not one of its settings \(none\)/,
    ],
    [
      'a setting that means something else than in another persona',
      'personas/x.md',
      '---\ntitle: X\nsource: ours\nsettings: { brand: { title: a shop, default: ours } }\n---\nYou own {{brand}}.',
      /x\.md: settings\.brand: must have the same title and default as in personas\/brand-ambassador\.md/,
    ],
    [
      'a worked example with a score off its scale',
      'exemplars/core.yaml',
      readFileSync(join(builtIn, 'exemplars', 'core.yaml'), 'utf8').replace('score: 2 }', 'score: 5 }'),
      /calmer-crime-novel: reply\.criteria\.proactiveness\.score: must be from 0 to 4/,
    ],
    ['a persona without front matter', 'personas/x.md', 'You are X.', /x\.md: must begin with front matter/],
    ['a template that does not parse', 'templates/case.md', '{{#if x}}', /case\.md: Parse error/],
    [
      'a worked example that contradicts itself',
      'exemplars/navigation.yaml',
      '[{id: a, case: {conversation: [{role: user, text: hi}], response: yo}, reply: {criteria: {}, rationale: r, confidence: 1, decision: fail}}]',
      /a: reply\.criteria: must contain, in this order: location, time/,
    ],
  ])('is refused for %s, with file and key', (_name, file, text, message) => {
    expect(() => load({ [file]: text })).toThrow(message);
  });

  test('is refused with all its faults at once', () => {
    const files = {
      'methods/a.yaml': 'title: A',
      'methods/b.yaml': METHOD.replace('seats: { samples: 3 }', 'seats: all'),
    };
    expect(() => load(files)).toThrow(/a\.yaml: source[\s\S]*b\.yaml: seats/);
  });

  test('is refused for a fault once, also where its rubric states a later version', () => {
    const files = { 'rubrics/x.yaml': `version: 3\n${RUBRIC.replace('auditor', 'sage')}` };
    expect(() => load(files)).toThrow(/x\.yaml: panel: no persona "sage"/);
    expect(() => load(files)).not.toThrow(/x@[12]|(?:panel[\s\S]*){2}/);
    const untitled = { 'rubrics/x.yaml': `version: 3\n${RUBRIC.replace('title: Politeness', 'title: 3')}` };
    expect(() => load(untitled)).not.toThrow(/(?:x\.yaml: title[\s\S]*){2}/);
  });

  test('is refused for a fault of an archived rubric once, by the file that has it', () => {
    const files = {
      'rubrics/x.yaml': `version: 3\n${RUBRIC}`,
      'archive/rubrics/x@2.yaml': RUBRIC.replace('auditor', 'sage'),
    };
    expect(() => load(files)).toThrow(/archive\/rubrics\/x@2\.yaml: panel: no persona "sage"/);
    expect(() => load(files)).not.toThrow(/x@1/);
  });
});
