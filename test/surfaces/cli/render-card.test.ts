import { Chalk } from 'chalk';
import { describe, expect, test } from 'vitest';
import { parseInput } from '../../../src/case/paste/parse-input.ts';
import { createRulesJudge } from '../../../src/judges/rules/rules-judge.ts';
import { cardTexts } from '../../../src/judging/card/card.ts';
import { cardOf } from '../../../src/judging/card/make-card.ts';
import { judgeCase, planCase } from '../../../src/judging/judge-case.ts';
import { renderCard } from '../../../src/surfaces/terminal/render-card.ts';
import { firstPaste } from '../../../src/surfaces/wording/examples.ts';
import { fail, pass, plainTexts } from '../../support/builders.ts';
import { builtInLibrary } from '../../support/built-in.ts';
import { aRecord, verdictFrom } from '../../support/records.ts';

const screen = (width: number) => ({ width, colors: new Chalk({ level: 0 }) });
const library = builtInLibrary();

/** The card of a paste that exact checks judge. */
async function cardOfPaste(paste: string) {
  const [item] = parseInput(paste, { maxCaseChars: 9_000, format: library.caseFormat });
  if (item === undefined || !('case' in item)) throw new Error('a case was expected');
  const plan = planCase(library, item.case, { models: ['rules'] }, item.assumed);
  const verdict = await judgeCase(plan, {
    ask: createRulesJudge(library.lexicons(), library.caseFormat, () => 'sha256:x'),
    now: Date.now,
    timeoutMs: 600_000,
    signal: new AbortController().signal,
  });
  return cardOf(verdict, item.case, cardTexts(library, 'en'), { hasModel: false, isOperator: true });
}

describe('a card in a terminal', () => {
  test('says in one line what happened; the simplest failing one has at most twelve lines of 80 columns', async () => {
    const lines = renderCard(screen(80), await cardOfPaste(firstPaste)).split('\n');
    expect(lines.length).toBeLessThanOrEqual(12);
    for (const line of lines) expect(line.length).toBeLessThanOrEqual(80);
    expect(lines[0]).toMatch(/^✗ FAIL – Rating: /);
    // The request names no price.
    expect(lines).toContain('  ✓ Location · Cuisine');
    expect(lines).toContain('  exact checks, no model');
    expect(lines.join('\n')).not.toMatch(/3 of 3|context\.|sha256|--rubric/);
  });

  test("gives every judge's reasoning if models judged, and of exact checks where that is wanted", async () => {
    const card = cardOf(
      verdictFrom([[fail, fail, pass]]),
      aRecord(verdictFrom([[fail]])).evalCase,
      plainTexts,
      {
        hasModel: true,
      },
    );
    const text = renderCard(screen(80), card);
    for (const judge of ['P0', 'P1', 'P2']) expect(text).toContain(`${judge}: `);
    const exact = await cardOfPaste(firstPaste);
    expect(renderCard(screen(80), exact)).not.toContain('Auditor');
    expect(renderCard(screen(80), exact, { opinions: true })).toContain('Auditor: fail');
  });
});
