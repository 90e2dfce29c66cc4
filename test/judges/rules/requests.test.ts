import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import * as z from 'zod';
import { parseInput } from '../../../src/case/paste/parse-input.ts';
import { memoized } from '../../../src/common/collections.ts';
import { createRulesJudge } from '../../../src/judges/rules/rules-judge.ts';
import { judgeCase, planCase } from '../../../src/judging/judge-case.ts';
import { builtInLibrary } from '../../support/built-in.ts';

/** Requests with answers, and what a careful reader decides: written before the checks had seen them. */
const Row = z.strictObject({ right: z.enum(['pass', 'fail']), paste: z.string() });
const rows = readFileSync(new URL('../../fixtures/requests.jsonl', import.meta.url), 'utf8')
  .trim()
  .split('\n')
  .map((line) => Row.parse(JSON.parse(line)));

const library = builtInLibrary();
const ask = createRulesJudge(library.lexicons(), library.caseFormat, () => 'sha256:x');

const decisionOn = memoized(async (paste: string) => {
  const [item] = parseInput(paste, { maxCaseChars: 9_000, format: library.caseFormat });
  if (item === undefined || !('case' in item)) throw new Error(`not understood: ${paste}`);
  const plan = planCase(library, item.case, { models: ['rules'] }, item.assumed);
  const context = { ask, now: Date.now, timeoutMs: 600_000, signal: new AbortController().signal };
  return judgeCase(plan, context);
});

describe('requests that the checks were not made for', () => {
  it.each(rows)('$paste: $right, or not decided', async ({ right, paste }) => {
    const { decision, why } = await decisionOn(paste);
    expect([right, 'undecided'], why).toContain(decision);
  });

  it('are mostly decided', async () => {
    const verdicts = await Promise.all(rows.map(({ paste }) => decisionOn(paste)));
    expect(verdicts.filter(({ decision }) => decision !== 'undecided').length).toBeGreaterThanOrEqual(158);
  });
});
