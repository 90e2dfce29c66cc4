import { describe, expect, test } from 'vitest';
import { loadLibrary } from '../../src/prompting/library.ts';
import { builtIn, folderWith } from '../support/built-in.ts';

const load = (files: Record<string, string>) => loadLibrary([builtIn, folderWith(files)]);

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
  const library = loadLibrary([builtIn]);

  test('hold every method of the papers', () => {
    expect([...library.methods.keys()].sort()).toEqual(
      [
        'core-average',
        'core-debate',
        'core-factors',
        'cot-1',
        'cot-3',
        'cot-5',
        'io',
        'mab',
        'mad',
        'max-vote',
        'mpsc',
        'roundtable',
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
      /x\.yaml: stop: must be "never" or "decided" or "unanimous"/,
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
      /x\.yaml: judges: is not a known key; there is id, title, source, seats/,
    ],
    ['a missing key', 'methods/x.yaml', METHOD.replace('rounds: 1\n', ''), /x\.yaml: rounds: is missing/],
    [
      'settings that contradict each other',
      'methods/x.yaml',
      METHOD.replace('reduce: majority', 'reduce: weighted'),
      /x\.yaml: confidence: must be true where reduce is "weighted"/,
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
      /rubric: is not a folder that anything is read from; there is rubrics/,
    ],
    ['broken YAML', 'methods/x.yaml', 'title: [', /x\.yaml: is not valid YAML: .*line 1/],
    [
      'a persona that does not exist',
      'rubrics/x.yaml',
      RUBRIC.replace('auditor', 'nobody'),
      /rubrics\/x\.yaml: panel: no persona "nobody"; there is: auditor, /,
    ],
    [
      'a criterion on the wrong scale',
      'rubrics/x.yaml',
      RUBRIC.replace('decide: all', 'decide: mean'),
      /criteria\.0\.scale: must be a number scale/,
    ],
    ['a persona without front matter', 'personas/x.md', 'You are X.', /x\.md: must begin with front matter/],
    ['a template that does not parse', 'templates/case.md', '{{#if x}}', /case\.md: Parse error/],
    [
      'a worked example that contradicts itself',
      'exemplars/navigation.yaml',
      '[{id: a, case: {conversation: [{role: user, text: hi}], response: yo}, reply: {criteria: {}, rationale: r, confidence: 1, decision: fail}}]',
      /a: reply\.criteria: must hold, in this order: location, time/,
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
});
