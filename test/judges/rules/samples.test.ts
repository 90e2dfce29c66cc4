import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { parseInput } from '../../../src/case/paste/parse-input.ts';
import { entry } from '../../../src/judging/standards/library.ts';
import { fittedTo } from '../../../src/judging/standards/rubric.ts';
import { builtIn } from '../../support/built-in.ts';
import { aRequest, found, library } from './stations.ts';

/** What exact checks come to on each sample; those of other rubrics need a model. */
const expected: Record<string, Record<string, string>> = {
  navigation: {
    'closed.txt': 'time',
    'low-rating.txt': 'rating',
    'right.txt': 'pass',
    'too-expensive.txt': 'cost',
    'too-far.txt': 'location',
    'wrong-cuisine.txt': 'cuisine',
  },
  'fuel-station': {
    'closed.txt': 'time',
    'ohne-toilette.txt': 'amenities',
    'other-brand.txt': 'brand',
    'right.txt': 'pass',
    'too-expensive.txt': 'price',
    'too-far.txt': 'location',
    'wrong-fuel.txt': 'fuel',
  },
  'charging-station': {
    'closed.txt': 'time',
    'occupied.txt': 'availability',
    'ohne-wlan.txt': 'amenities',
    'out-of-range.txt': 'range',
    'right.txt': 'pass',
    'too-expensive.txt': 'price',
    'too-far.txt': 'location',
    'too-slow.txt': 'power',
    'wrong-plug.txt': 'plug',
  },
  'car-function': {
    'false-claim.txt': 'truth',
    'nebenwirkung.txt': 'side-effects',
    'right.txt': 'pass',
    'wrong-function.txt': 'function',
    'wrong-operation.txt': 'operation',
    'wrong-target.txt': 'target',
    'wrong-value.txt': 'value',
  },
};

describe.each(Object.keys(expected))('the sample pastes of %s', (rubric) => {
  const folder = join(builtIn, 'samples', rubric);

  it('are those that are known here', () => {
    expect(readdirSync(folder).sort()).toEqual(Object.keys(expected[rubric] ?? {}));
  });

  it('hold one right case and one error of each criterion', () => {
    const wrong = Object.values(expected[rubric] ?? {}).filter((id) => id !== 'pass');
    // The criteria of cases without tool calls, which a paste of lines does not have.
    const { criteria } = fittedTo(entry('rubric', library.rubrics, rubric), aRequest(rubric, 'Hello'));
    expect(wrong.sort()).toEqual(criteria.map(({ id }) => id).sort());
  });

  it.each(Object.entries(expected[rubric] ?? {}))(
    '%s → %s, and nothing is left unchecked',
    async (file, decision) => {
      const text = readFileSync(join(folder, file), 'utf8');
      const [item, ...others] = parseInput(text, { maxCaseChars: 32_000, format: library.caseFormat });
      expect(others).toEqual([]);
      if (item === undefined || !('case' in item)) throw new Error(`not understood: ${JSON.stringify(item)}`);
      expect(item.assumed.filter((assumption) => /not (?:used|understood)/.test(assumption))).toEqual([]);
      expect(await found(rubric, item.case)).toBe(decision);
    },
  );
});
